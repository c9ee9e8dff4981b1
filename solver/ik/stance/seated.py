"""People who sit on something keep trunk, head and arms as they had them, except for what is asked of these.

Networks that are told of a pelvis above two feet propose to squat: bent over, with the arms ahead to keep the balance.
Somebody whose seat is held, or who gets up from there, need not. So a proposal for them has the base pose's trunk, with
its heading, and legs as the network proposes them, unless the base pose has feet and seat likewise. Elbows bend until
hands that would hang into the seat are above the thighs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, dist

import numpy as np
from numpy.typing import NDArray

from solver.contact.patch_table import PATCH_ROWS
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.effectors.forms import PointEffector
from solver.ik.stance.leans import joints_with, strict_places
from solver.kinematics.curves import eased
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Limb

Array = NDArray[np.float64]
UP = np.array([0.0, 1.0, 0.0])
LEVEL_ENOUGH = 0.3  # of the line between hips, as it is seen from above: what says where somebody faces
# Metres that an ankle is elsewhere from the pelvis than in the base pose: up to the first its leg is as in that pose,
# from the second on as the network proposes it.
LEG_AS_POSED = (0.05, 0.3)
# How much of that way counts, by axis, of somebody who holds no seat: networks raise the knees of who crawls aside.
ALONG = np.array([0.7, 1.0, 0.7])
HEIGHTS = 0.95, 0.7  # of the hips above the ankles, in lengths of the leg: arms are bent by and by
STRAIGHT = 1e-3  # sine of the angle at a knee that says nothing of the way it bends
ABOVE_HIPS = 0.4  # of the forearm's length that wrists are above the hips, at least


def seat_of(skeleton: Skeleton, effectors: Sequence[Effector]) -> Contact | None:
    """The contact that somebody sits by; None if nobody holds the seat on anything."""
    for effector in effectors:
        if isinstance(effector, Contact) and effector.is_active and effector.lies_flat:
            row = PATCH_ROWS.get(effector.patch)
            if row is not None and row.rocks and skeleton.index(effector.joint) == 0:
                return effector
    return None


def sits_by(skeleton: Skeleton, effectors: Sequence[Effector], before: str) -> str:
    """The id of the contact that somebody sits by, or of what became of it as they get up; "" if they do neither.

    before: likewise, in the solve before.
    """
    seat = seat_of(skeleton, effectors)
    if seat is not None:
        return seat.id
    gets_up = any(
        e.id == before and e.is_active and e.form == POINT and skeleton.index(e.joint) == 0 for e in effectors
    )
    return before if gets_up else ""


def moves_pelvis_alone(skeleton: Skeleton, effectors: Sequence[Effector], limbs: Sequence[Limb] = tuple(LEGS)) -> bool:
    """Whether no more is asked of somebody than where the pelvis and these limbs are to be, and the pelvis is asked."""
    may, asked = _pelvis_and(skeleton, limbs), {(skeleton.index(e.joint), e.form) for e in effectors if e.is_active}
    return (0, POINT) in asked and may.issuperset(j for j, _ in asked)


@memoised(8, by_identity=True)  # a few rules ask it of the same limbs in every solve
def _pelvis_and(skeleton: Skeleton, limbs: Sequence[Limb]) -> frozenset[int]:
    """The pelvis and the joints of these limbs."""
    return frozenset({0, *(j for limb in limbs for j in joints_with(rig_of(skeleton), limb.joints))})


def down_by(
    skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, limbs: Sequence[Limb] = tuple(LEGS)
) -> float:
    """How far somebody is down on bent legs in the base pose, 0..1, of whom no more is asked than where the pelvis and
    these limbs are to be: 1 as on a chair, on the knees or on all fours; 0 otherwise."""
    if not moves_pelvis_alone(skeleton, effectors, limbs) or rig_of(skeleton).lacking(
        [role for leg in LEGS for role in leg.line]
    ):
        return 0.0
    return how_bent_in(skeleton, base)


def is_lifted(skeleton: Skeleton, effectors: Sequence[Effector], limbs: Sequence[Limb] = ()) -> bool:
    """Whether somebody is given a place of the pelvis, and nothing is asked but that and places of these limbs: not
    even which way to face."""
    only_places = all(e.form == POINT for e in effectors if e.is_active)
    return only_places and moves_pelvis_alone(skeleton, effectors, limbs)


def is_lifted_with_hand_held(skeleton: Skeleton, effectors: Sequence[Effector]) -> bool:
    """Whether somebody is lifted so while an arm is held, and nothing else."""
    return is_lifted(skeleton, effectors, ARMS) and not is_lifted(skeleton, effectors)


def facing_as(base: Pose, proposal: Pose) -> Pose:
    """The proposal turned about the vertical through its pelvis, to where the base pose faces."""
    was, said = (pose.rotations[0, [2, 0], 0].astype(np.float64) for pose in (base, proposal))  # z and x of the hips
    if min(np.linalg.norm(was), np.linalg.norm(said)) < LEVEL_ENOUGH:
        return proposal
    rotations = np.array(proposal.rotations)
    rotations[0] = from_rotation_vector((atan2(was[1], was[0]) - atan2(said[1], said[0])) * UP) @ rotations[0]
    return Pose(proposal.root_position, rotations)


def with_trunk_as_posed(
    skeleton: Skeleton, effectors: tuple[Effector, ...], base: Pose, proposal: Pose, sits: bool = False
) -> Pose:
    """The proposal with the base pose's trunk and arms, on the seat of somebody who sits.

    sits: whether there is a seat that somebody sits on, or gets up from.
    """
    seat = seat_of(skeleton, effectors)
    rig, said = rig_of(skeleton), forward_kinematics(skeleton, proposal)
    before = forward_kinematics(skeleton, base)
    was = base.rotations[0].astype(np.float64)
    turn, root = was, proposal.root_position.astype(np.float64)
    if seat is not None:
        turn = rotation_between(was @ seat.normal, -seat.facing) @ was
        root = seat.target - turn @ seat.offset
    rotations = np.array(base.rotations, np.float64)
    rotations[0] = turn
    strict = strict_places(skeleton, effectors)
    pelvis = strict[0].target.astype(np.float64) if 0 in strict else root
    ankles: list[Array] = []
    for leg in LEGS:
        line = joints_with(rig, leg.joints)
        hip, ankle = joints_with(rig, [leg.root, leg.end])
        placed = [e for e in effectors if e.is_active and isinstance(e, PointEffector) and e.holds_joint]
        there = next((e.target for e in placed if skeleton.index(e.joint) == ankle), None)
        asked = said.positions[ankle] if there is None else there
        ankles.append(np.asarray(asked, np.float64))
        way = turn.T @ (asked - root) - was.T @ (before.positions[ankle] - before.positions[0])
        near, far = LEG_AS_POSED
        goes = float(np.linalg.norm(way if sits or seat is not None else ALONG * (turn @ way)))
        share = 1.0 - eased((goes - near) / (far - near))
        own = proposal.rotations[list(line)].astype(np.float64)
        own[0] = turn.T @ said.rotations[hip]
        likely = interpolate(own, rotations[list(line)], share)
        if sits and seat is None and there is not None:
            likely = reaching(skeleton, line, likely, turn.T @ (asked - pelvis))
        rotations[list(line)] = likely
    lying = {skeleton.index(e.joint) for e in effectors if e.is_active and isinstance(e, Contact)}
    free = [arm for arm in ARMS if not lying.intersection(joints_with(rig, arm.joints))]
    made = Pose(root.astype(np.float32), rotations.astype(np.float32))
    stood = 1.0 - how_bent_in(skeleton, base)  # the arms of somebody who sat are as they were posed
    return _with_hands_above_thighs(skeleton, made, ankles, free, stood)


def reaching(
    skeleton: Skeleton, line: Sequence[int], turns: NDArray[np.floating], ankle: NDArray[np.floating]
) -> Array:
    """(L, 3, 3) the turns of a leg's joints with the knee bent, and the thigh turned, as the ankle is asked for.

    Otherwise somebody who gets up would be held back by thighs and knees that are to stay as in sitting. line: the
    joints, from the hip. turns: (L, 3, 3). ankle: (3,) metres, from the pelvis and as it sees it.
    """
    hip, thigh, shin = (skeleton.offsets[j].astype(np.float64) for j in line[:3])
    above, below = float(np.linalg.norm(thigh)), float(np.linalg.norm(shin))
    way, made = ankle - hip, np.array(turns, np.float64)
    length = float(np.clip(np.linalg.norm(way), abs(above - below), above + below))
    along = made[1] @ shin
    axis = np.cross(thigh, along)
    size = float(np.linalg.norm(axis))
    axis = axis / size if size > STRAIGHT * above * below else made[1][:, 0]
    cosines = thigh @ along, (length**2 - above**2 - below**2) / 2.0
    now, then = np.arccos(np.clip(np.array(cosines) / (above * below), -1.0, 1.0))
    made[1] = from_rotation_vector((then - now) * axis) @ made[1]
    made[0] = rotation_between(made[0] @ (thigh + made[1] @ shin), way) @ made[0]
    return made


@memoised(16, by_identity=True)  # a base pose stays for many solves
def how_bent_in(skeleton: Skeleton, base: Pose) -> float:
    """`how_bent`, of the legs of a base pose."""
    return how_bent(skeleton, forward_kinematics(skeleton, base).positions)


def how_bent(skeleton: Skeleton, places: NDArray[np.floating], ankles: Sequence[Array] | None = None) -> float:
    """How far legs are bent, from 0 as in standing to 1 as on a chair.

    places: (J, 3) metres. ankles: (3,) each, where they are to be, the left one first.
    """
    rig, heights = rig_of(skeleton), list[float]()
    for at, leg in enumerate(LEGS):
        hip, knee, end = places[list(joints_with(rig, [leg.root, leg.hinge, leg.end]))].astype(np.float64).tolist()
        ankle = end if ankles is None else ankles[at]
        heights.append((hip[1] - float(ankle[1])) / (dist(hip, knee) + dist(knee, end)))
    stands, sits = HEIGHTS
    return eased((stands - float(np.mean(heights))) / (stands - sits))


def _with_hands_above_thighs(
    skeleton: Skeleton, pose: Pose, ankles: Sequence[Array], arms: Sequence[Limb], most: float
) -> Pose:
    """The pose with elbows bent ahead as far as hands would be lower, and by and by less as the legs stretch.

    ankles: (3,) each, metres, the left one first. arms: those that lie on nothing. most: the share of the way that they
    bend, at most.
    """
    rig, world = rig_of(skeleton), forward_kinematics(skeleton, pose)
    places = world.positions.astype(np.float64)
    hips = places[list(joints_with(rig, [leg.root for leg in LEGS]))]
    share = most * how_bent(skeleton, places, ankles)
    ahead = np.cross(hips[0] - hips[1], UP) * [1.0, 0.0, 1.0]
    length = float(np.linalg.norm(ahead))
    if share <= 0.0 or length < 1e-6:
        return pose
    rotations = np.array(pose.rotations, np.float64)
    for arm in arms:
        shoulder, elbow, wrist = joints_with(rig, [arm.root, arm.hinge, arm.end])
        forearm = places[wrist] - places[elbow]
        reach = float(np.linalg.norm(forearm))
        rise = min((hips[:, 1].mean() - places[elbow, 1]) / reach + ABOVE_HIPS, 0.0)  # no higher than the elbow
        if forearm[1] / reach >= rise:
            continue
        way = np.sqrt(1.0 - rise**2) * ahead / length + rise * UP
        over = world.rotations[shoulder].astype(np.float64)
        bent = over.T @ rotation_between(forearm, way) @ over @ rotations[elbow]
        rotations[elbow] = interpolate(rotations[elbow], bent, share)
    return Pose(pose.root_position, rotations.astype(np.float32))
