"""The people of a BVH file: each of its skeletons in which a human body is recognised."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.mapping import known_joints, mapped
from solver.formats.bvh.motion import leg_length
from solver.formats.bvh.world import BvhWorld
from solver.rig.joint_map_file import NO_MAPS, JointMaps
from solver.rig.roles import Role
from solver.rig.within_one_root import bodies_within

_SAMPLES = 100  # frames looked at to tell two people from one skeleton that is there twice
_APART = 0.05  # of a leg's length; the controls of a rig move with its bones


def people_of(bvh: BvhFile, maps: JointMaps = NO_MAPS) -> list[BvhFile]:
    """A file for each person, with only their channels: each ROOT that is a person, and each body within one ROOT.

    What stands beside people (a prop, a camera, a horse) is left out. The file itself if it has one person or nobody.

    maps: what is known about skeletons beforehand. InputRefused for a map that does not fit.
    """
    if maps is NO_MAPS:
        return _people(bvh, maps)
    whole = known_joints(bvh, maps)
    found = [whole] if whole is not None else _people(bvh, maps)
    return [mapped(person, maps) for person in found]


def _people(bvh: BvhFile, maps: JointMaps) -> list[BvhFile]:
    trees: dict[int, list[int]] = {}
    root_of: list[int] = []
    for j, parent in enumerate(bvh.parents):
        root_of.append(j if parent < 0 else root_of[parent])
        trees.setdefault(root_of[j], []).append(j)
    if len(trees) < 2:
        return _within(bvh)
    people: list[BvhFile] = []
    for part in (_part(bvh, joints) for joints in trees.values()):
        known = known_joints(part, maps)
        if known is not None:
            people.append(known)
        elif _is_person(part):
            people += _within(part)
    return people or [bvh]


def _within(bvh: BvhFile) -> list[BvhFile]:
    """The people below one ROOT, each with the joints that carry them; the file itself where they are fewer than two.

    Bodies that stand at the same place in all frames are one person: rigs have bones beside those that they control.
    """
    bodies = bodies_within(bvh.names, bvh.parents, bvh.rest_positions)
    apart: list[BvhFile] = []
    for body in bodies if len(bodies) > 1 else ():
        person = _part(bvh, body.joints, body.shared)
        if _is_person(person) and not any(_same_place(person, other) for other in apart):
            apart.append(person)
    return apart if len(apart) > 1 else [bvh]


def _part(bvh: BvhFile, kept: Sequence[int], shared: Collection[int] = ()) -> BvhFile:
    """Some of the joints, in file order, with those above them among them. shared: those that are nobody's own, whose
    names then say nothing: somebody may hang from another one's arm."""
    place = {j: at for at, j in enumerate(kept)} | {-1: -1}
    joints = tuple(
        replace(bvh.joints[j], parent=place[bvh.parents[j]], name=f"({bvh.names[j]})" if j in shared else bvh.names[j])
        for j in kept
    )
    columns = [bvh.first_channels[j] + i for j in kept for i in range(len(bvh.joints[j].channels))]
    places = tuple(kept) if bvh.places is None else tuple(bvh.places[j] for j in kept)
    return replace(bvh, joints=joints, values=bvh.values[:, columns], places=places)


def _is_person(bvh: BvhFile) -> bool:
    try:
        return bool(bvh.joint_map.joints)
    except InputRefused:
        return False


def _same_place(a: BvhFile, b: BvhFile) -> bool:
    """Whether two bodies' pelvises are at one place in all frames."""
    frames = slice(None, None, max(1, len(a) // _SAMPLES))
    one, other = (BvhWorld(bvh, frames).position(bvh.joint_map.joints[Role.PELVIS]) for bvh in (a, b))
    leg = leg_length({name: a.rest_positions[j] for name, j in a.joint_map.joints.items()}, a.source)
    return bool(np.linalg.norm(one - other, axis=1).max() < _APART * leg)
