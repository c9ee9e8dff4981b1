"""The likeliest map of a foreign skeleton's joints, however little is known, with what is doubtful about it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from solver.rig.foreign_skeleton import ForeignSkeleton
from solver.rig.joint_map_check import check_joint_map
from solver.rig.joint_recognition import joints_found, lacking_roles, spine_between, trunk_joints
from solver.rig.joint_words import JointWords, joint_words
from solver.rig.limb_recognition import recognise_limbs
from solver.rig.roles import LEGS, LIMBS, SMPL_ROLES, Limb, Role
from solver.rig.shape_recognition import recognise_by_shape
from solver.sentences import any_of

_ELSEWHERE = 0.1  # of a leg: another joint of the same meaning that is this far away may be the right one
MANY_LACK = 8  # of the nine joints that a body needs: then they are not listed one by one
_FORWARD = np.array([0.0, 0.0, 1.0])  # where most programs' figures look

BY_PLACE = "by its place, not its name"
BETWEEN = "by the joints around it"
SIDE_ASSUMED = "nothing in the file tells left from right"


class JointGuess(NamedTuple):
    """joints: our joint name -> index. doubts: our joint name -> why it may be wrong, as a clause.

    question: a sentence that says why a person should look at it; "" where it can be relied on.
    """

    joints: dict[str, int]
    doubts: dict[str, str]
    question: str


def guess_joints(skeleton: ForeignSkeleton) -> JointGuess:
    """Which joint is which: as files are read without asking, and beyond that as far as anything tells."""
    names, parents = skeleton.names, skeleton.parents
    words = [joint_words(name) for name in names]
    joints = joints_found(names, parents, skeleton.rest)
    named = joints_found(names, parents)
    doubts = {role: BY_PLACE for role, j in joints.items() if lacking_roles(named) and named.get(role) != j}
    if lacking := lacking_roles(joints):
        joints, doubts = _completed(skeleton, words, joints)
        text = any_of([Role(role).words for role in lacking])
        some = len(lacking) < MANY_LACK
        said = f"No joint could be recognised as {text}." if some else "Its joints' names say too little."
        return JointGuess(joints, doubts, said)
    for limb in LIMBS:
        doubts |= _others(skeleton, words, limb, joints)
    twice = [role for role, why in doubts.items() if why not in (BY_PLACE, BETWEEN)]
    if twice:
        return JointGuess(joints, doubts, f"Several joints may be the {Role(twice[0]).words}.")
    faults = check_joint_map(skeleton, joints)
    doubts |= {role: "on the other side of the body" for fault in faults for role in fault.roles if fault.sides}
    return JointGuess(joints, doubts, faults[0].text if faults else "")


def _completed(
    skeleton: ForeignSkeleton, words: list[JointWords], joints: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, str]]:
    """What names do not tell, by the shape of somebody who looks forward, or by the joints around."""
    sides = [word.side for word in words]
    shaped = recognise_by_shape(skeleton.parents, skeleton.shown, sides, _FORWARD)
    if shaped:
        shaped |= spine_between(shaped, skeleton.parents)
        return shaped, {role: SIDE_ASSUMED if Role(role).side else BY_PLACE for role in shaped}
    found, doubts = dict(joints), dict[str, str]()
    for limb in LIMBS:
        for role, joint in _filled(skeleton, limb, found).items():
            found[role], doubts[role] = joint, BETWEEN
    trunk = trunk_joints(skeleton.names, words, skeleton.parents, found)
    if Role.PELVIS in trunk and Role.PELVIS not in joints:
        doubts[Role.PELVIS] = BETWEEN
    found = trunk | found
    return {role.value: found[role] for role in SMPL_ROLES if role in found}, doubts


def _filled(skeleton: ForeignSkeleton, limb: Limb, joints: Mapping[str, int]) -> dict[str, int]:
    """A limb's unknown joints that stand between two known ones, or in a line behind or before them."""
    found: dict[str, int] = {}
    used = set(joints.values())
    for _ in limb.line:
        known = {**joints, **found}
        for high, low in pairwise(limb.line):
            if high in known and low not in known:
                below = [j for j, parent in enumerate(skeleton.parents) if parent == known[high] and j not in used]
                behind = limb.line[limb.line.index(low) + 1 :]
                leading = [j for j in below if any(r in known and skeleton.is_below(known[r], j) for r in behind)]
                choice = leading or (below if len(below) == 1 else [])
                if choice:
                    found[low] = choice[0]
            elif low in known and high not in known:
                above = skeleton.parents[known[low]]
                if above >= 0 and above not in used:
                    found[high] = above
            used |= set(found.values())
            known = {**joints, **found}
    return {role: j for role, j in found.items() if role not in joints}


def _others(
    skeleton: ForeignSkeleton, words: list[JointWords], limb: Limb, joints: Mapping[str, int]
) -> dict[str, str]:
    """The joints of a limb for which another limb's, as complete and named in the same way, would do as well."""
    mine = {joints[role] for role in limb.joints if role in joints}
    blank = [JointWords("", "") if j in mine else word for j, word in enumerate(words)]
    other = recognise_limbs(blank, skeleton.parents)
    line = [role for role in limb.line if role in joints]
    if len(line) < len(limb.line) or any(role not in other for role in line):
        return {}
    if any(skeleton.is_below(other[role], j) or skeleton.is_below(j, other[role]) for role in line for j in mine):
        return {}
    leg = np.linalg.norm(np.diff([skeleton.poses[0][joints[role]] for role in LEGS[0].line[:2]], axis=0))
    apart = [np.linalg.norm(skeleton.poses[:, other[role]] - skeleton.poses[:, joints[role]], axis=1) for role in line]
    if max(float(each.max()) for each in apart) < 2 * _ELSEWHERE * leg:
        return {}
    return {role: f"“{skeleton.labels[other[role]]}” would do as well" for role in line}
