"""From a BVH file of any program to a motion of our skeleton that looks the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.rest_alignment import RestAlignment, align_rest
from solver.formats.bvh.world import BvhWorld
from solver.formats.motion_bounds import check_motion
from solver.formats.motion_report import MotionReport
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.joint_recognition import JointMap
from solver.rig.rig import mid_hips, rig_of
from solver.rig.roles import LEGS, Role
from solver.values import read_only

Array = NDArray[np.floating]

UNITS = {
    "m": 1.0, "cm": 0.01, "mm": 0.001, "inches": 0.0254, "feet": 0.3048, "CMU units (5.6 cm)": 0.0254 / 0.45,
    "MMD units (8 cm)": 0.08, "dm": 0.1,
}  # fmt: skip
_OF_GLTF = ("m", "cm", "mm")  # it is in metres, if programs keep to that; a giant in it is no person in feet
SAMPLES = 500
CHUNK = 4096  # frames worked on at once


@dataclass(frozen=True, eq=False)
class FileRelation:
    """How a file's skeleton relates to ours: in the world R_ours = upright @ R_file @ correction.

    up: (3,), which of the file's axes points up. scale: metres of our body for one unit of the file.
    """

    found: JointMap
    alignment: RestAlignment
    up: Array
    upright: Array
    scale: float
    unit: str


def relation_of(bvh: BvhFile, skeleton: Skeleton, fingers: Collection[int] = ()) -> FileRelation:
    """How a file's skeleton relates to ours. fingers: as `to_motion` takes them. InputRefused if its joints cannot be
    recognised."""
    found = _without(bvh.joint_map, bvh, fingers)
    rest = {name: bvh.rest_positions[j] for name, j in found.joints.items()}
    alignment, sample = alignment_of(bvh, found, skeleton), _sample(bvh)
    leg = leg_length(rest, bvh.source)
    mean_up = np.mean(sample.rotation(found.joints[Role.PELVIS]) @ alignment.body[:, 1], axis=0)
    up = _up_axis(alignment, mean_up, rest[Role.PELVIS] / leg)
    scale, unit = scale_and_unit(bvh, leg, rig_of(skeleton).leg_length)
    return FileRelation(found, alignment, up, rotation_between(up, (0, 1, 0)), scale, unit)


def to_motion(bvh: BvhFile, skeleton: Skeleton, fingers: Collection[int] = ()) -> tuple[Motion, MotionReport]:
    """The file's motion on our skeleton (SMPL's joint names), and what was understood of it.

    Global bone directions are kept, the path is scaled by the length of the legs, and joints that the file lacks
    stay at rest. fingers: the file's joints that are read separately (see `fingers.bvh_hands`) and then turn no hand.
    InputRefused if its joints cannot be recognised.
    """
    related = relation_of(bvh, skeleton, fingers)
    found, alignment, upright, scale = related.found, related.alignment, related.upright, related.scale
    roots = np.empty((len(bvh), 3), np.float32)
    rotations = np.empty((len(bvh), len(skeleton), 3, 3), np.float32)
    for part in parts(len(bvh)):
        world = BvhWorld(bvh, part)
        rotations[part], pelvis = _rotations(skeleton, found, alignment, upright, world)
        hips = sum(world.position(found.joints[leg.root]) for leg in LEGS) / 2
        roots[part] = scale * hips @ upright.T - pelvis @ mid_hips(skeleton)
    check_motion(bvh.source, roots, bvh.fps)
    read_only(roots, rotations)
    notes = list(bvh.notes)
    roots_with_joints = {joint for joint in bvh.parents if joint >= 0 and bvh.parents[joint] < 0}
    if len(roots_with_joints) > 1:  # a camera or a lamp beside somebody is none
        notes.append("the file holds several skeletons; one of them was taken")
    if alignment.collapsed:
        notes.append("the file's rest pose is not a standing pose; the twist of its limbs was taken from its mean pose")
    report = MotionReport(
        found.family,
        related.unit,
        scale,
        _axis_name(related.up),
        len(bvh),
        bvh.fps,
        found.missing,
        found.extra,
        tuple(notes),
    )
    return Motion(roots, rotations, bvh.fps), report


def alignment_of(bvh: BvhFile, found: JointMap, skeleton: Skeleton) -> RestAlignment:
    """How the file's rest pose relates to our T-pose."""
    rest, sample = {name: bvh.rest_positions[j] for name, j in found.joints.items()}, _sample(bvh)

    def mean(parent: str, joint: str) -> Array:
        a, b = (sample.rotation(found.joints[name]) for name in (parent, joint))
        return np.mean(np.swapaxes(a, -1, -2) @ b, axis=0)

    # A character of a glTF file has a skin, which is to be where our body is, whatever its joints are called.
    return align_rest(skeleton, rest, found.above, found.family == "SMPL" and bvh.places is None, mean)


def _sample(bvh: BvhFile) -> BvhWorld:
    return BvhWorld(bvh, slice(None, None, max(1, len(bvh) // SAMPLES)))


def _without(found: JointMap, bvh: BvhFile, fingers: Collection[int]) -> JointMap:
    """What was found, without joints that are read as fingers: one that stands in for a hand then does not."""
    if not fingers:
        return found
    joints = {name: j for name, j in found.joints.items() if j not in fingers}
    above = {name: parent for name, parent in found.above.items() if name in joints and parent in joints}
    names = {bvh.names[j] for j in fingers}
    return replace(found, joints=joints, above=above, extra=tuple(n for n in found.extra if n not in names))


def _rotations(
    skeleton: Skeleton, found: JointMap, alignment: RestAlignment, upright: Array, world: BvhWorld
) -> tuple[Array, Array]:
    """(F, J, 3, 3) local rotations, and the pelvis's rotation in the world (F, 3, 3)."""
    ours: list[Array] = []
    local = np.empty((len(world), len(skeleton), 3, 3))
    for j, name in enumerate(skeleton.names):
        parent = skeleton.parents[j]
        if name in found.joints:
            ours.append(upright @ world.rotation(found.joints[name]) @ alignment.corrections[name])
            local[:, j] = ours[j] if parent < 0 else np.swapaxes(ours[parent], -1, -2) @ ours[j]
        else:
            ours.append(ours[parent])
            local[:, j] = np.eye(3)
    return local, ours[0]


def _up_axis(alignment: RestAlignment, mean_up: Array, pelvis: Array) -> Array:
    """The file's axis that points up: by its rest pose, and, if that is in doubt, by how people mostly stand.

    pelvis: (3,) its place in the rest pose, in lengths of a leg.
    """
    rest_up = _nearest_axis(alignment.body[:, 1])
    if alignment.collapsed:
        # Its bones say nothing, but the pelvis may be as high as that of somebody standing at the origin. No program
        # writes files with up along any axis but these two; a person who seems to stand along another one lies.
        upward = _nearest_axis(pelvis)
        height = pelvis @ upward
        if _is_y_or_z(upward) and 0.5 < height < 1.5 and np.linalg.norm(pelvis - height * upward) < 0.5:
            return upward
        stands = np.abs(mean_up).max() > 0.7 and _is_y_or_z(_nearest_axis(mean_up))
        return _nearest_axis(mean_up) if stands else np.array([0.0, 1.0, 0.0])
    if rest_up[1] == 1:
        return rest_up
    return _nearest_axis(mean_up) if np.abs(mean_up).max() > 0.7 else rest_up


def _is_y_or_z(axis: Array) -> bool:
    return bool(axis[1] == 1 or axis[2] == 1)


def _nearest_axis(direction: Array) -> Array:
    axis = np.zeros(3)
    row = int(np.argmax(np.abs(direction)))
    axis[row] = np.sign(direction[row])
    return axis


def _axis_name(axis: Array) -> str:
    row = int(np.argmax(np.abs(axis)))
    return f"{'-' if axis[row] < 0 else '+'}{'XYZ'[row]}"


def leg_length(rest: dict[str, Array], source: str) -> float:
    """From hip to knee to ankle (or hip to knee alone), the mean of both sides, in the file's unit."""
    lengths = []
    for leg in LEGS:
        chain = [rest[role] for role in leg.line if role in rest]
        length = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(chain))
        lengths.append(length if len(chain) == 3 else 2 * length)
    if min(lengths) < 1e-6:
        raise InputRefused(source, "the legs of its skeleton have no length", "Export it with the skeleton's offsets")
    return float(np.mean(lengths))


def scale_and_unit(bvh: BvhFile, file_leg: float, our_leg: float) -> tuple[float, str]:
    """Metres of our body for one unit of the file, and the unit that makes its legs most like a person's."""
    scale = our_leg / file_leg
    unit = min(UNITS if bvh.places is None else _OF_GLTF, key=lambda name: abs(np.log(UNITS[name] / scale)))
    # The same skeleton, apart from the file's few decimals: keep its path exactly.
    return (UNITS[unit] if abs(scale / UNITS[unit] - 1) < 1e-3 else scale), unit


def parts(frames: int) -> Iterator[slice]:
    """The frames in parts that are processed at once."""
    return (slice(start, min(start + CHUNK, frames)) for start in range(0, frames, CHUNK))
