"""Hands of somebody who sits, of which nothing is asked, lean to where they are proposed: on thighs, a wheel or a box.

A trunk that leans would take them along, over whatever they rest on, and they would slip off or past it all at once.
The lean is soft: trunks go where they are pulled, and arms that are too short for it follow. A hand on a thigh goes
with that as its foot is moved, which else would push it aside. Once the seat is let go of, the body goes on from the
pose shown, hands with it.

Hands that hang down to the floor, from a trunk bent over to the legs, stay where they are on it from one small step of
a drag to the next. Such an arm is longer than it has room for, and lies folded. Nothing says how, and with each
centimetre that the trunk goes it slid into another fold.

The hand of an arm that is dragged by its elbow goes along with that, the arm as it was posed. Networks fold an arm that
they are told of by its elbow alone as most people hold theirs: a guard or a dancer's hand was gone after a few
centimetres, by up to ten of its own in each two. An arm that hung folds as they propose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.effectors.kinds import Position
from solver.ik.stance.idle_limbs import HINGE, arms_of, how_hung, idle_limbs, is_upright, joints_asked_of
from solver.ik.stance.leans import Lean, Strength, joints_asked, joints_with, strict_places
from solver.ik.stance.seated import how_bent_in, reaching
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle, interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]
HELD = Strength(10.0, 0.7)
AT_HEAD = (0.25, 0.35)  # metres from the head: up to the first a hand is at the chin, and both arms go with it
DOWN_M = (0.1, 0.15)  # of the lower one of wrist and hand above the floor: up to the first it rests there
SMALL_M = (0.05, 0.15)  # metres that what is asked moves: up to the first, a hand that rests stays where it is
RESTING = Strength(100.0, 7.0)
TURNED = np.radians([90.0, 150.0])  # of an upper arm: up to the first its forearm is carried along as posed
ON_THIGH = (0.15, 0.25)  # metres of a wrist from a thigh's line: up to the first it rests there, from the second on not


def hand_leans(skeleton: Skeleton, effectors: tuple[Effector, ...], base: Pose, proposal: Pose) -> tuple[Lean, ...]:
    """Of each wrist of whose arm nothing is asked, to its place in the proposal of somebody who sits, on a thigh that
    is moved; the less, the nearer a hand is to the head, on which both arms then rest."""
    rig, places = rig_of(skeleton), forward_kinematics(skeleton, proposal).positions.astype(np.float64)
    wrists = _idle_wrists(rig, skeleton, effectors)
    arms = joints_with(rig, [arm.end for arm in ARMS])
    near = places[list(joints_with(rig, [Role.HEAD]))][:, None] - places[list(arms)]
    strength = HELD.times(eased_between(float(np.linalg.norm(near, axis=2).min(initial=1.0)), *AT_HEAD))
    if not wrists or strength.weight <= 0.0:
        return ()
    there = places[wrists] + _with_thighs(skeleton, effectors, base, proposal, places[wrists])
    return tuple(
        Lean(Position(skeleton.names[j], place), strength)
        for j, place in zip(wrists, there.astype(np.float32), strict=True)
    )


def _idle_wrists(rig: Rig, skeleton: Skeleton, effectors: Sequence[Effector]) -> list[int]:
    arms = [joints_with(rig, arm.joints) for arm in ARMS if not rig.lacking(arm.joints)]
    idle = {line[-1] for line in idle_limbs(skeleton, effectors)}
    return [line[-2] for line in arms if line[-1] in idle]


def _with_thighs(
    skeleton: Skeleton, effectors: tuple[Effector, ...], base: Pose, proposal: Pose, wrists: Array
) -> Array:
    """(W, 3) metres by which wrists go with thighs on which they rest, as those of the base pose turn for ankles to be
    where they are asked. wrists: (W, 3) metres, in the proposal, which has arms as the base pose has them."""
    rig, placed, by = rig_of(skeleton), strict_places(skeleton, effectors), np.zeros_like(wrists)
    sat = how_bent_in(skeleton, base)  # hands of somebody who stood rest on no thigh
    turn, root = proposal.rotations[0].astype(np.float64), proposal.root_position.astype(np.float64)
    for leg in LEGS:
        line = joints_with(rig, leg.joints)
        if rig.lacking(leg.joints) or line[2] not in placed or sat <= 0.0:
            continue
        own = base.rotations[list(line)].astype(np.float64)
        made = reaching(skeleton, line, own, turn.T @ (placed[line[2]].target - root))
        moved = turn @ made[0] @ own[0].T @ turn.T - np.eye(3)
        hip, thigh = root + turn @ skeleton.offsets[line[0]], turn @ own[0] @ skeleton.offsets[line[1]]
        for at, way in enumerate(wrists - hip):
            along = float(np.clip(way @ thigh / (thigh @ thigh), 0.0, 1.0))
            off = float(np.linalg.norm(way - along * thigh))
            by[at] += sat * (1.0 - eased_between(off, *ON_THIGH)) * (moved @ way)
    return by


def with_forearms_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose) -> Pose:
    """The proposal with arms that are dragged by the elbow, and did not hang, as the base pose has them, carried along
    by an upper arm that points where the proposal has it point."""
    rotations = proposal.rotations
    for arm in _by_elbow(skeleton, effectors, base) if proposal is not base else ():
        carried, shoulder = _carried(skeleton, arm, base, proposal), HINGE - 1
        turned = float(geodesic_angle(carried[shoulder], base.rotations[arm[shoulder]]))
        share = (1.0 - how_hung(skeleton, base, arm)) * (1.0 - eased_between(turned, *TURNED))
        rotations = np.array(rotations)
        rotations[arm] = interpolate(rotations[arm], carried, share)
    return proposal if rotations is proposal.rotations else Pose(proposal.root_position, rotations)


def _by_elbow(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose) -> list[list[int]]:
    """The joints of each arm that does not hang in the base pose, and of which only the elbow's place is asked."""
    placed, asked = joints_asked(skeleton, effectors, POINT), joints_asked_of(skeleton, effectors)
    return [
        arm
        for arm in arms_of(skeleton)
        if arm[HINGE] in placed and asked.intersection(arm) == {arm[HINGE]} and how_hung(skeleton, base, arm) < 1.0
    ]


def _carried(skeleton: Skeleton, arm: list[int], base: Pose, proposal: Pose) -> Array:
    """(N, 3, 3), the local rotations of an arm as the base pose has it, its shoulder turned as little as can be for the
    upper arm to point where the proposal has it point."""
    carried, said = (pose.rotations[arm].astype(np.float64) for pose in (base, proposal))
    shoulder, way = len(arm) + HINGE - 1, skeleton.offsets[arm[HINGE]].astype(np.float64)
    points = said[shoulder] @ way
    for turn in said[:shoulder][::-1]:
        points = turn @ points
    for turn in carried[:shoulder]:
        points = turn.T @ points
    carried[shoulder] = rotation_between(carried[shoulder] @ way, points) @ carried[shoulder]
    return carried


def resting_hand_leans(skeleton: Skeleton, hanging: Sequence[Lean], shown: Pose, moved_m: float) -> tuple[Lean, ...]:
    """Leans of the wrist, to where it is shown, of each arm that leans to hang and has come down to the floor.

    None where the neck is above the pelvis, as of somebody who sits there.

    hanging: leans of the shoulders of arms. moved_m: metres by which what is asked has moved since that pose.
    """
    near, there = 1.0 - eased_between(moved_m, *SMALL_M), forward_kinematics(skeleton, shown)
    if near <= 0.0 or is_upright(rig_of(skeleton), there):
        return ()
    hang = {skeleton.index(lean.effector.joint) for lean in hanging}
    leans = list[Lean]()
    for line in arms_of(skeleton):
        wrist, low = line[-2], float(there.positions[line[-2:], 1].min())
        share = near * (1.0 - eased_between(low, *DOWN_M)) if line[-4] in hang else 0.0
        if share > 0.0:
            target = there.positions[wrist].astype(np.float32)
            leans.append(Lean(Position(skeleton.names[wrist], target), RESTING.times(share)))
    return tuple(leans)
