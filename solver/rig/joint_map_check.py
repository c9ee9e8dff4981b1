"""Whether a map of a foreign skeleton's joints can be right: each joint once, chains connected, sides not exchanged.

The side is told by the legs: seen along a shin from above, toes point forward, and left is to the left of that; and
knees bend one way only. So it does not depend on how the figure stands, and a motion's frames tell more than a rest
pose. Where toes and knees disagree, as in somebody who crawls on the backs of the feet, nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from solver.rig.foreign_skeleton import Array, ForeignSkeleton
from solver.rig.joint_recognition import lacking_roles
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, LIMBS, SPINE, Limb, Role
from solver.sentences import sentence_case

_WRONG_SIDE = -0.35  # cosine between the way from right to left and where left is; limbs that cross come nowhere near
_TOES = 0.05  # of a shin: a foot that points less far forward says nothing
_BENT = np.cos(np.radians(40.0))  # straighter knees say nothing: some people's bend back a little
_NO_LENGTH = 1e-6


class MapFault(NamedTuple):
    """roles: our joints that it is about. blocking: no body can be posed before it is mended. sides: left and right are
    exchanged."""

    roles: tuple[str, ...]
    text: str
    blocking: bool = True
    sides: bool = False


def check_joint_map(skeleton: ForeignSkeleton, joints: Mapping[str, int]) -> list[MapFault]:
    """What is wrong with a map, worst first; [] if nothing is. joints: our joint name -> index.

    A joint that hangs from elsewhere than it should is odd, and blocks nothing: some rigs' limbs are loose, and move by
    constraints. Two in the wrong order do.
    """
    faults: list[MapFault] = []
    loose: list[MapFault] = []
    if lacking := lacking_roles(joints):
        words = ", ".join(Role(role).words for role in lacking)
        faults.append(MapFault(lacking, f"No joint is chosen for {words}."))
    for one, other in combinations(joints, 2):
        if joints[one] == joints[other]:
            text = f"“{skeleton.labels[joints[one]]}” is chosen for {Role(one).words} and for {Role(other).words}."
            faults.append(MapFault((one, other), text))
    for chain in _CHAINS:
        known = [role for role in chain if role in joints]
        for high, low in pairwise(known):
            if joints[high] == joints[low] or skeleton.is_below(joints[low], joints[high]):
                continue
            text = sentence_case(f"{_name(skeleton, joints, low)} does not hang from {_name(skeleton, joints, high)}.")
            backward = skeleton.is_below(joints[high], joints[low])
            (faults if backward else loose).append(MapFault((low,), text, blocking=backward))
    for leg in LEGS:
        if leg.root in joints and leg.hinge in joints and joints[leg.root] != joints[leg.hinge]:
            thigh = skeleton.rest[joints[leg.hinge]] - skeleton.rest[joints[leg.root]]
            if np.linalg.norm(thigh) < _NO_LENGTH:
                faults.append(MapFault((leg.root, leg.hinge), f"The {leg.side} hip and knee are at the same place."))
    if not faults and (wrong := wrong_sides(skeleton, joints)):
        roles = tuple(role for limb in LIMBS for role in limb.line if limb.name.split()[1] in wrong)
        faults.append(MapFault(roles, _sides_text(wrong), blocking=False, sides=True))
    return faults + loose


def wrong_sides(skeleton: ForeignSkeleton, joints: Mapping[str, int]) -> tuple[str, ...]:
    """Which of "leg" and "arm" have their left one on the body's right side; () where nothing tells.

    Without toes and bent knees only arms and legs that disagree are noticed, and said of the arms.
    """
    if any(limb.root not in joints for limb in LIMBS):
        return ()
    hips, shoulders = (_across(skeleton, joints, pair) for pair in (LEGS, ARMS))
    ways = [left for left in (_left_by_toes(skeleton, joints), _left_by_knees(skeleton, joints)) if left is not None]
    if not ways:
        return ("arm",) if _cosine(hips, shoulders) < _WRONG_SIDE else ()
    pairs = (("leg", hips), ("arm", shoulders))
    return tuple(name for name, across in pairs if all(_cosine(across, left) < _WRONG_SIDE for left in ways))


def swapped_sides(joints: Mapping[str, int], kinds: tuple[str, ...] = ("leg", "arm")) -> dict[str, int]:
    """The map with left and right exchanged in legs, arms or both."""
    parts = {role for limb in LIMBS if limb.name.split()[1] in kinds for role in limb.joints}
    return {(Role(role).mirrored.value if role in parts else role): j for role, j in joints.items()}


_CHAINS: tuple[tuple[Role, ...], ...] = (
    *(limb.joints for limb in LIMBS),
    *((Role.PELVIS, leg.root) for leg in LEGS),
    (*SPINE, *HEAD_AND_NECK),
)


def _name(skeleton: ForeignSkeleton, joints: Mapping[str, int], role: str) -> str:
    return f"{Role(role).words} (“{skeleton.labels[joints[role]]}”)"


def _sides_text(wrong: tuple[str, ...]) -> str:
    if len(wrong) > 1:
        return "Left and right are exchanged: toes and knees say that the body faces the other way."
    return f"The left {wrong[0]} is on the right of the body."


def _across(skeleton: ForeignSkeleton, joints: Mapping[str, int], pair: tuple[Limb, Limb]) -> Array:
    """(F, 3) from the right root of a pair of limbs to the left one."""
    left, right = (skeleton.poses[:, joints[limb.root]] for limb in pair)
    across: Array = left - right
    return across


def _left_by_toes(skeleton: ForeignSkeleton, joints: Mapping[str, int]) -> Array | None:
    """(F, 3) where left is in each frame, seen along the shins; None without feet that point forward."""
    found = np.zeros((len(skeleton.poses), 3))
    for leg in LEGS:
        if not all(role in joints for role in leg.joints):
            return None
        knee, ankle, foot = (skeleton.poses[:, joints[role]] for role in (leg.hinge, leg.end, leg.tip))
        up, length, toes = _unit(knee - ankle), np.linalg.norm(knee - ankle, axis=1), foot - ankle
        forward = toes - up * np.sum(toes * up, axis=1, keepdims=True)
        if np.median(np.linalg.norm(forward, axis=1)) <= _TOES * np.median(length):
            return None
        found += np.cross(up, forward)
    return found


def _left_by_knees(skeleton: ForeignSkeleton, joints: Mapping[str, int]) -> Array | None:
    """(F, 3) about which axis the knees bend, where they bend much; None if they never do."""
    found = np.zeros((len(skeleton.poses), 3))
    for leg in LEGS:
        if not all(role in joints for role in leg.line):
            return None
        hip, knee, ankle = (skeleton.poses[:, joints[role]] for role in leg.line)
        thigh, shin = (_unit(knee - hip), _unit(ankle - knee))
        bent = np.sum(thigh * shin, axis=1, keepdims=True) < _BENT
        found += np.where(bent, np.cross(thigh, shin), 0.0)
    return found if found.any() else None


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return unit


def _cosine(a: Array, b: Array) -> float:
    """The mean cosine between two directions over all frames, in each as weighty as b is long."""
    lengths = np.linalg.norm(b, axis=1)
    along = np.sum(a * b, axis=1) / np.maximum(np.linalg.norm(a, axis=1), 1e-12)
    return float(np.sum(along) / max(float(np.sum(lengths)), 1e-12))
