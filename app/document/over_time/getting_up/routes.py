"""Which stages lead up from how somebody is down on the floor, where they are, and which of them there is time for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.over_time.getting_up.stage_poses import Frame
from app.document.over_time.getting_up.stages import (
    BELLY_Z,
    ESSENTIAL,
    FROM_BACK,
    FROM_BELLY,
    FROM_HANDS,
    FROM_KNEES,
    FROM_ONE_KNEE,
    FROM_SEAT,
    KNEES_Z,
    SEAT_Z,
    UNDER,
    Stage,
)
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import interpolate
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]

LOW = 0.32  # legs that a pelvis is high at most of who sits or lies
LEANS = 0.5  # upward share of a trunk that does not lie
KNEELS, KNEE_DOWN = 0.75, 0.17  # legs that a pelvis is high at most of who kneels, and a knee that is on the floor
UP, SOLE_UP = 0.7, 0.85  # legs that a pelvis is high at least of who stands; upward share of a foot that stands
HIGH_UP = 0.25  # legs that the ankles are high at most of who stands on the floor
SIDE = 0.6  # upward share of somebody's front, below which they lie on the side
HANDS_M = 0.14  # metres that wrists are high at most of who is on hands and knees
NEARER_M = 0.15  # metres that the stages are nearer to where somebody stands than they lie, at most
LIMBS_M_S = 1.4  # metres a second that limbs go beside the pelvis from stage to stage, where there is time for that


class Low(NamedTuple):
    """Somebody who is down on the floor. stages: those of getting up from there. frame: where these are."""

    stages: tuple[Stage, ...]
    frame: Frame


def stands(rig: Rig, world: WorldJoints) -> bool:
    """Whether somebody stands on both feet on the floor."""
    leg = rig.leg_length
    ankles = [rig.joint(each.end) for each in LEGS]
    level = all(world.rotations[ankle][1, 1] > SOLE_UP for ankle in ankles)
    return bool(level and world.positions[0, 1] > UP * leg and world.positions[ankles, 1].max() < HIGH_UP * leg)


def upright(rig: Rig, world: WorldJoints) -> bool:
    """Whether the trunk of somebody does not lie."""
    trunk = world.positions[rig.joint(Role.NECK)] - world.positions[0]
    return bool(trunk[1] > LEANS * np.linalg.norm(trunk))


def down(rig: Rig, world: WorldJoints, feet: Array) -> Low | None:
    """How somebody is down on the floor; None if they are not. feet: (2, 3) metres, where the ankles are to stand."""
    leg, places, turns = rig.leg_length, world.positions.astype(np.float64), world.rotations.astype(np.float64)
    trunk = places[rig.joint(Role.NECK)] - places[0]
    trunk /= max(float(np.linalg.norm(trunk)), 1e-9)
    front, height = turns[0, :, 2], float(places[0, 1])
    knees = places[[rig.joint(each.hinge) for each in LEGS]]
    wrists = np.array([places[rig.joint(role), 1] for role in (Role.LEFT_WRIST, Role.RIGHT_WRIST)])
    if height > KNEELS * leg or height < 0.0:
        return None
    if trunk[1] > LEANS and height < LOW * leg and knees[:, 1].min() > -0.1:
        if _sits_on_heels(rig, places, leg):
            return _kneeling(rig, places, front, feet)
        return _low(rig, FROM_SEAT, front, places[0], SEAT_Z, feet)
    if trunk[1] > LEANS:
        return _kneeling(rig, places, front, feet) if knees[:, 1].min() < KNEE_DOWN * leg else None
    if height < LOW * leg:
        if front[1] < -SIDE:
            return _low(rig, FROM_BELLY, trunk, places[0], BELLY_Z, feet)
        ahead, first = -trunk, None
        if front[1] < SIDE:
            ahead, first = front - trunk, int(turns[0, 1, 0] < 0.0)
        return _low(rig, FROM_BACK, ahead, places[0], SEAT_Z, feet, first)
    if front[1] < -SIDE and wrists.max() < HANDS_M and knees[:, 1].min() < KNEE_DOWN * leg:
        return _low(rig, FROM_HANDS, trunk, knees.mean(axis=0), KNEES_Z, feet, nearer=0.0)
    return None


def _sits_on_heels(rig: Rig, places: Array, leg: float) -> bool:
    ankles = places[[rig.joint(each.end) for each in LEGS]]
    knees = places[[rig.joint(each.hinge) for each in LEGS]]
    low = max(float(knees[:, 1].max()), float(ankles[:, 1].max())) < KNEE_DOWN * leg
    folded = np.linalg.norm((ankles - places[0])[:, [0, 2]], axis=1).max() < 0.35 * leg
    return bool(low and folded and np.linalg.norm((knees - places[0])[:, [0, 2]], axis=1).min() > 0.3 * leg)


def _kneeling(rig: Rig, places: Array, front: Array, feet: Array) -> Low:
    knees = np.array([places[rig.joint(each.hinge)] for each in LEGS])
    if knees[:, 1].max() > 0.35 * rig.leg_length:  # one foot is ahead already
        first = int(knees[:, 1].argmax())
        ankle = places[rig.joint(LEGS[first].end)]
        return Low(FROM_ONE_KNEE, _at(rig, ankle, front, UNDER.x, UNDER.z, first))
    first = _ahead(feet, front)
    return Low(FROM_KNEES, _at(rig, knees.mean(axis=0), front, 0.0, KNEES_Z, first))


def _low(
    rig: Rig,
    stages: tuple[Stage, ...],
    ahead: Array,
    place: Array,
    z: float,
    feet: Array,
    first: int | None = None,
    nearer: float = NEARER_M,
) -> Low:
    first = _ahead(feet, ahead) if first is None else first
    frame = _at(rig, place, ahead, 0.0, z, first)
    off = (feet.mean(axis=0) - frame.place(0.0, 0.0, 0.0)) * [1.0, 0.0, 1.0]
    far = max(float(np.linalg.norm(off)), 1e-9)
    return Low(stages, frame._replace(origin=frame.origin + min(nearer, far) / far * off))


def _at(rig: Rig, place: Array, ahead: Array, x: float, z: float, first: int) -> Frame:
    """The frame that faces `ahead` and in which a place (3,) metres is at x and z."""
    made = Frame.of(rig, np.zeros(3), float(np.arctan2(ahead[0], ahead[2])), first)
    return made._replace(origin=(place - made.place(x, 0.0, z)) * [1.0, 0.0, 1.0])


def _ahead(feet: Array, ahead: Array) -> int:
    """The foot that is further ahead where somebody stands; the left one of two side by side."""
    return int((feet[1] - feet[0]) @ (ahead * [1.0, 0.0, 1.0]) > 0.08)


def in_time(stages: Sequence[tuple[int, float]], frames: int, fps: float, least_s: float, hurry: float) -> list[int]:
    """Which of some stages are gone through where there are so many frames. stages: how needed each is, and seconds it
    takes; the last is the goal. least_s: seconds that each takes at least. hurry: how much shorter than it should."""
    kept = list(range(len(stages)))
    while len(kept) > 1:
        seconds = sum(stages[each][1] for each in kept)
        if frames >= hurry * seconds * fps and frames >= len(kept) * least_s * fps:
            return kept
        least = min(kept[:-1], key=lambda each: stages[each][0])
        if stages[least][0] >= ESSENTIAL:
            return kept[-1:]
        kept.remove(least)
    return kept


def limbs_s(rig: Rig, poses: Sequence[Pose]) -> Array:
    """(N - 1,) seconds that limbs need from each of N poses to the next, as far as they go beside the pelvis."""
    found = []
    for one, other in pairwise(poses):
        turns = interpolate(one.rotations, other.rotations, 0.5).astype(np.float32)
        halfway = Pose((one.root_position + other.root_position) / 2.0, turns)
        places = [forward_kinematics(rig, pose).positions for pose in (one, halfway, other)]
        beside = [each - each[:1] for each in places]
        ways = sum(np.linalg.norm(b - a, axis=1) for a, b in pairwise(beside))
        found.append(float(np.max(ways)) / LIMBS_M_S)
    return np.array(found)
