"""Writing a BVH file again with other frames: its hierarchy stays as it is, word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.euler_path import smooth_euler
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.hierarchy import HierarchyReader
from solver.formats.bvh.onto_rig import RigMotion
from solver.formats.bvh.world import BvhWorld
from solver.kinematics.rotations import from_euler

Array = NDArray[np.float64]


def bvh_onto(text: str, bvh: BvhFile, person: BvhFile, rig: RigMotion) -> str:
    """The text of a BVH file with one of its people in the motion. bvh: what the text holds. person: of its people.

    Other people stay as they are in the file's frames, the last of which they hold. A single frame is as long as the
    file's. Joints turn as far as their channels allow; what has no place in any frame stays where it is.
    """
    reader = HierarchyReader(text, bvh.source)
    reader.read()
    rows = np.array(bvh.values[np.minimum(np.arange(len(rig)), len(bvh) - 1)])
    columns = [i for j in person.places or range(len(bvh.joints)) for i in _columns(bvh, j)]
    rows[:, columns] = _person_values(person, rig)
    step = bvh.frame_time if len(rig) == 1 else 1.0 / rig.fps
    form = " ".join(["%.6f"] * rows.shape[1])
    lines = [f"Frames: {len(rows)}", f"Frame Time: {step:.8f}"]
    lines += [form % tuple(row) for row in (np.round(rows, 6) + 0.0).tolist()]  # which keeps "-0.000000" out
    return text[: reader.position] + "\n" + "\n".join(lines) + "\n"


def _columns(bvh: BvhFile, joint: int) -> range:
    first = bvh.first_channels[joint]
    return range(first, first + len(bvh.joints[joint].channels))


def _person_values(person: BvhFile, rig: RigMotion) -> Array:
    """(F, C): all channels of the person's joints."""
    values = person.values[rig.frames] if rig.frames is not None else _at_rest(person, len(rig))
    standing = BvhWorld(replace(person, values=values), slice(None))
    turned: dict[int, Array] = {}  # in the world
    whole: dict[str, list[tuple[int, Array]]] = {}  # joints that turn about all axes, by the order of these
    for j, joint in enumerate(person.joints):
        above = turned[joint.parent] if joint.parent >= 0 else np.broadcast_to(np.eye(3), (len(rig), 3, 3))
        if j not in rig.turns:
            turned[j] = above @ standing.local(j)
            continue
        order, columns = _turning(person, j)
        if len(order) == 3:
            turned[j] = rig.turns[j]
            whole.setdefault(order, []).append((j, np.swapaxes(above, -1, -2) @ turned[j]))
            continue
        full = order + "".join(axis for axis in "XYZ" if axis not in order)
        angles = smooth_euler(full, (np.swapaxes(above, -1, -2) @ rig.turns[j])[:, None])[:, 0]
        angles[:, len(order) :] = 0.0
        values[:, columns] = np.degrees(angles[:, : len(order)])
        turned[j] = above @ from_euler(full, angles)
    for order, joints in whole.items():
        angles = np.degrees(smooth_euler(order, np.stack([local for _, local in joints], axis=1)))
        for place, (j, _) in enumerate(joints):
            values[:, _turning(person, j)[1]] = angles[:, place]
    _place(person, rig, values)
    return values


def _at_rest(person: BvhFile, frames: int) -> Array:
    """(F, C): joints unturned at their offsets. Some programs write zeros for joints that stay at theirs; so it is
    left."""
    values = np.zeros((frames, person.values.shape[1]))
    for j, joint in enumerate(person.joints):
        for column, channel in zip(_columns(person, j), joint.channels, strict=True):
            if channel.endswith("position") and person.values[:, column].any():
                values[:, column] = joint.offset["XYZ".index(channel[0])]
    return values


def _turning(person: BvhFile, joint: int) -> tuple[str, list[int]]:
    """The order of a joint's angles, and their columns."""
    channels = zip(_columns(person, joint), person.joints[joint].channels, strict=True)
    found = [(channel[0], column) for column, channel in channels if channel.endswith("rotation")]
    return "".join(axis for axis, _ in found), [column for _, column in found]


def _place(person: BvhFile, rig: RigMotion, values: Array) -> None:
    """Put the hips where they belong, by the nearest joint above that has a place in every frame."""
    mover = rig.carrier
    while mover >= 0 and sum(channel.endswith("position") for channel in person.joints[mover].channels) < 3:
        mover = person.parents[mover]
    if mover < 0:
        return
    world = BvhWorld(replace(person, values=values), slice(None))
    away = rig.hips - sum(world.position(leg) for leg in rig.legs) / 2
    parent = person.parents[mover]
    local = world.offset(mover) + (np.einsum("fji,fj->fi", world.rotation(parent), away) if parent >= 0 else away)
    for column, channel in zip(_columns(person, mover), person.joints[mover].channels, strict=True):
        if channel.endswith("position"):
            values[:, column] = local[:, "XYZ".index(channel[0])]
