"""How a foreign skeleton's rest pose relates to our T-pose, so that its rotations mean the same on ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.collapsed_rest import Mean, align_collapsed
from solver.kinematics.rotations import angle_between, from_rotation_vector, geodesic_angle, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, LIMBS, SPINE, Role

Array = NDArray[np.floating]

SNAP = np.radians(25.0)  # a rest pose that leans no more than this is meant to stand along the axes
# In no stance is an arm, a leg or a bone of the trunk turned this far from a T-pose.
COLLAPSED = np.radians(100.0)
NO_LEG = np.radians(75.0)
NO_TRUNK = np.radians(75.0)
SHORT = 0.05  # of a thigh: the direction of a bone this short says nothing
LEAVE_ALONE = np.radians(8.0)  # fingers' bones that differ less differ in anatomy, not in stance
# Arms and legs point as ours in every pose: left alone below 8°, a character's own hands and feet were 11 cm off.
LEAVE_LIMBS_ALONE = np.radians(0.5)
LEAVE_ALONE_SMPL = np.radians(25.0)  # SMPL's names mean SMPL's rest pose, whatever the joints' exact places

_LIMBS: dict[str, str] = {bone: end for limb in LIMBS for bone, end in pairwise(limb.line)}
_BONES: dict[str, str] = {
    **_LIMBS,
    **dict(pairwise((*SPINE, *HEAD_AND_NECK))),
    **{arm.girdle: arm.root for arm in ARMS if arm.girdle},
    **{limb.end: limb.tip for limb in LIMBS},
}
_ARM = frozenset(role for arm in ARMS for role in (arm.root, arm.hinge))
_LEG = frozenset(role for leg in LEGS for role in (leg.root, leg.hinge))
_HIPS = frozenset(leg.root for leg in LEGS)
_ENDS = frozenset(limb.end for limb in LIMBS)
# These follow their limb; all else stands as the trunk does.
_LIKE_PARENT = frozenset((*(limb.hinge for limb in LIMBS), *(role for arm in ARMS for role in (arm.end, arm.tip))))


@dataclass(frozen=True)
class RestAlignment:
    """body: (3, 3), our rest axes in the file's world. collapsed: the file's rest pose is not a standing pose.

    corrections: for each of our joints (3, 3) with R_world_ours = R_world_file @ correction.
    """

    body: Array
    collapsed: bool
    corrections: Mapping[str, Array]


def align_rest(
    skeleton: Skeleton, rest: Mapping[str, Array], above: Mapping[str, str], smpl_names: bool, mean: Mean
) -> RestAlignment:
    """Compare our T-pose with a file's rest pose, by the directions of bones.

    rest: our joint name -> its (3,) place in the file's rest pose, for the joints that the file has.
    above: our joint name -> the next of our joints above it in the file's tree.
    mean(parent, joint): the file's mean rotation (3, 3) from one joint to another over its frames; if the rest pose
    is not a standing pose, it settles the twist of bones: the mean pose is taken as untwisted.
    """
    body = _body_axes(rest)
    bones = _bone_pairs(skeleton, rest)
    if _is_no_stance(body, bones, rest):
        corrections = align_collapsed(skeleton, rest, above, mean)
        return RestAlignment(corrections[Role.PELVIS], True, corrections)
    limb_limit = LEAVE_ALONE_SMPL if smpl_names else LEAVE_LIMBS_ALONE
    corrections = {Role.PELVIS.value: body}
    for joint in skeleton.names[1:]:
        if joint not in rest:
            continue
        parent = _known_parent(skeleton, joint, corrections)
        correction = corrections[parent] if joint in _LIKE_PARENT else body
        if joint in bones and joint in _LIMBS:
            ours, theirs = bones[joint]
            if angle_between(correction @ ours, theirs) > limb_limit:
                correction = _swing(correction @ ours, theirs, body[:, 2]) @ correction
        corrections[joint] = correction
    return RestAlignment(body, False, corrections)


def _is_no_stance(body: Array, bones: Mapping[str, tuple[Array, Array]], rest: Mapping[str, Array]) -> bool:
    across = [rest[left.root] - rest[right.root] for left, right in (LEGS, ARMS)]
    if angle_between(across[0], across[1]) > NO_TRUNK:
        return True
    thighs = [float(np.linalg.norm(theirs)) for joint, (_, theirs) in bones.items() if joint in _HIPS]
    short = SHORT * min(thighs, default=0.0)
    for joint, (ours, theirs) in bones.items():
        limit = COLLAPSED if joint in _ARM else NO_LEG if joint in _LEG else NO_TRUNK
        if joint not in _ENDS and np.linalg.norm(theirs) > short and angle_between(body @ ours, theirs) > limit:
            return True
    return False


def _bone_pairs(skeleton: Skeleton, rest: Mapping[str, Array]) -> dict[str, tuple[Array, Array]]:
    """For each joint that has a bone in both rest poses: its direction (3,) in ours and in the file's."""
    pairs: dict[str, tuple[Array, Array]] = {}
    for joint, child in _BONES.items():
        if joint in rest and child in rest:
            places = skeleton.rest_positions.astype(np.float64)
            ours, theirs = places[skeleton.index(child)] - places[skeleton.index(joint)], rest[child] - rest[joint]
            if min(np.linalg.norm(ours), np.linalg.norm(theirs)) > 1e-6:
                pairs[joint] = ours, theirs
    return pairs


def _body_axes(rest: Mapping[str, Array]) -> Array:
    """Our axes (left, up, forward) as the file's rest pose has them, columns; snapped to the file's axes if close."""
    left_hip, right_hip = (rest[leg.root] for leg in LEGS)
    hips, left = (left_hip + right_hip) / 2, left_hip - right_hip
    above = next((rest[j] - hips for j in (Role.NECK, *reversed(SPINE), Role.HEAD) if j in rest), None)
    if above is None:
        above = sum(rest[arm.root] for arm in ARMS) / 2 - hips
    forward = np.cross(left, above)
    if np.linalg.norm(forward) <= 1e-6 * np.linalg.norm(left) * np.linalg.norm(above):
        return np.eye(3)
    up = np.cross(forward, left)
    axes = np.stack([v / np.linalg.norm(v) for v in (left, up, forward)], axis=-1)
    nearest = np.zeros((3, 3))
    for column in range(3):
        row = int(np.argmax(np.abs(axes[:, column])))
        nearest[row, column] = np.sign(axes[row, column])
    is_rotation = np.linalg.det(nearest) > 0.5
    return nearest if is_rotation and geodesic_angle(axes, nearest) < SNAP else axes


def _known_parent(skeleton: Skeleton, joint: str, known: Mapping[str, Array]) -> str:
    j = skeleton.index(joint)
    while True:
        j = skeleton.parents[j]
        if skeleton.names[j] in known:
            return skeleton.names[j]


def _swing(a: Array, b: Array, forward: Array) -> Array:
    """Turns direction a into b, first about the body's forward axis, as when arms are lowered from a T-pose."""
    flat_a, flat_b = (v / np.linalg.norm(v) - forward * (v @ forward) / np.linalg.norm(v) for v in (a, b))
    first: Array = np.eye(3)
    if min(np.linalg.norm(flat_a), np.linalg.norm(flat_b)) > 0.5:
        angle = np.arctan2(np.cross(flat_a, flat_b) @ forward, flat_a @ flat_b)
        first = from_rotation_vector(angle * forward)
    return rotation_between(first @ a, b) @ first
