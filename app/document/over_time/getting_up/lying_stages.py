"""The stages in which people turn over where they lie, and get to their knees from there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.document.over_time.getting_up.routes import Low
from app.document.over_time.getting_up.stage_poses import Frame, Stays
from app.document.over_time.getting_up.stages import (
    ALL_FOURS,
    BELLY_Z,
    FLOOR,
    FROM_BACK,
    FROM_BELLY,
    FROM_KNEES,
    FROM_ONE_KNEE,
    FROM_SEAT,
    HANDS_SET,
    KNEES_Z,
    LIES,
    LIFTS,
    PROPS,
    STEPS_OUT,
    Held,
    Stage,
)
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]
Way = Mapping[Stage, Frame]  # the stages in turn, and where each is

FACES = 0.6  # upward share of the front of somebody on the back; below that they lie on the side
AHEAD = (
    0.2  # cosine between how somebody faces on the knees and where their feet are as they lie, from which they sit up
)
ROLLS_M = 0.2  # metres that the hips go aside from the back to the side, and from there to the belly
NEARER_M, CLOSE_M = 0.15, 0.6  # metres that stages are nearer to the knees than the seat; that knees are near it
STEPS_M, FARTHEST_M = 0.08, 0.7  # metres that knees come one by one from where they lie; that they come at all
ROLLS_BACK_M = 0.06  # metres that a knee rolls back as the thigh comes up off the floor
LEAST_M, HALF = 1e-3, np.radians(170.0)  # metres and radians, from which on a side is clear
LEVEL, UP = np.array([1.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])

# As in `stages`, but 0 are the hips: X is along the body to the head, Z to where somebody faces on the side. The first
# side is the one that they lie on then.
KNEE_UP = Stage(
    "draws a knee up", Held(0.0, FLOOR, 0.0, (-84.0, 0.0, 88.0)), (-84.0, 0.0, 88.0),
    (Held(-0.80, 0.06, 0.14, None, 0.2), Held(-0.50, 0.07, -0.10, None, 0.1)),
    (None, Held(-0.25, 0.40, -0.04, None, 0.3)),
    (Held(0.42, FLOOR, 0.56, None, 0.2), Held(0.20, 0.30, 0.10, None, 0.2)),
    seconds=0.7, needed=2,
)  # fmt: skip
ON_SIDE = Stage(
    "rolls onto the side", Held(0.0, FLOOR, 0.0, (6.0, 0.0, 84.0)), (6.0, 0.0, 82.0),
    (Held(-0.78, 0.07, 0.02, None, 0.2), Held(-0.46, 0.10, 0.32, None, 0.2)),
    (Held(-0.40, 0.09, 0.06, None, 0.3), Held(-0.10, 0.09, 0.36, None, 0.2)),
    (Held(0.60, FLOOR, 0.34, None, 0.2), Held(0.38, FLOOR, 0.34, None, 0.1)),
    seconds=0.8, needed=3,
)  # fmt: skip

OVER_SIDE = ON_SIDE._replace(hands=(Held(0.76, FLOOR, 0.30, None, 0.2), ON_SIDE.hands[1]))
ROLLS_ON = Stage(
    "rolls on to the belly", Held(0.0, FLOOR, 0.0, (48.0, 0.0, 86.0)), (48.0, 0.0, 86.0),
    (Held(-0.80, 0.07, -0.02, None, 0.2), Held(-0.70, 0.08, 0.24, None, 0.2)),
    (None, Held(-0.32, 0.08, 0.25, None, 0.2)),
    (Held(0.76, FLOOR, 0.30, None, 0.2), Held(0.40, FLOOR, 0.36, None, 0.1)),
    seconds=0.5, needed=2,
)  # fmt: skip
# Stages from the back to the belly; shares of the way, and of the turn about the vertical, which takes all of the time.
OVER = {KNEE_UP: (0.05, 0.2), OVER_SIDE: (0.5, 0.52), ROLLS_ON: (0.75, 0.72)}
_SET = Held(PROPS[0].x, FLOOR, 0.20, PROPS[0].turn), Held(PROPS[1].x, FLOOR, 0.20, PROPS[1].turn)
SETS_HANDS = HANDS_SET._replace(hands=_SET, seconds=0.75)
PUSHES_UP = ALL_FOURS._replace(seconds=1.2)
STEPS_UP = Stage(
    "brings a knee up", Held(0.0, 0.37, -0.38, (66.0, 0.0, 0.0), 0.1), (70.0, 0.0, 0.0),
    (LIES._replace(z=-0.60, loose=0.5), LIES._replace(x=-LIES.x, z=-1.0, loose=0.5)), ALL_FOURS.knees, ALL_FOURS.hands,
    seconds=0.6, needed=1, stays_knees=(0, 1), stays_hands=(0, 1),
)  # fmt: skip
STEPS_BACK = STEPS_OUT._replace(seconds=0.5, needed=4)  # from one knee onto both


def over(rig: Rig, one: tuple[WorldJoints, Low], other: tuple[WorldJoints, Low]) -> Way | None:
    """The stages in which somebody turns over, and where they are; None if they do not. one: their joints on the back
    or the side, and how they are down there. other: likewise, as they lie on the side or the belly."""
    (lay, low), (then, lies) = one, other
    on_side, to_side = (float(world.rotations[0][1, 2]) < FACES for world in (lay, then))
    hips = [np.asarray(world.positions[0] * LEVEL, np.float64) for world in (lay, then)]
    heads = [_towards_head(rig, world) for world in (lay, then)]
    if low.stages is not FROM_BACK:
        return None
    if lies.stages is FROM_BACK and to_side and not on_side:
        return {KNEE_UP: _rolling(rig, hips[0], heads[0], _lower(then))}
    if lies.stages is not FROM_BELLY:
        return None
    first = _lower(lay) if on_side else int(float((hips[1] - hips[0]) @ np.cross(heads[0], UP)) < -LEAST_M)
    turn, way = _turned(heads[0], heads[1], first), {ROLLS_ON: (0.5, 0.5)} if on_side else OVER
    return {
        stage: _rolling(rig, hips[0] + gone * (hips[1] - hips[0]), _about(heads[0], turned * turn), first)
        for stage, (gone, turned) in way.items()
    }


def onto_knees(rig: Rig, one: tuple[WorldJoints, Low], other: Low) -> Way | None:
    """The stages in which somebody who lies or sits gets to the knees, and where they are; None if they do not.

    one: their joints and how they are down. other: how they are on the knees. Who comes to face where the feet are sits
    up; who faces where the head is turns over.
    """
    world, low = one
    if other.stages not in (FROM_KNEES, FROM_ONE_KNEE):
        return None
    if low.stages is FROM_BELLY:
        return _pushed_up(rig, world, low.frame, other.frame)
    if low.stages not in (FROM_BACK, FROM_SEAT):
        return None
    if low.stages is FROM_SEAT or np.cos(low.frame.yaw - other.frame.yaw) > AHEAD:
        frame = _nearer(low.frame, other.frame)
        stages = low.stages[: low.stages.index(LIFTS) + 3]
        if other.stages is FROM_KNEES:
            stages += (STEPS_BACK,)
        return dict.fromkeys(stages, frame._replace(first=other.frame.first))
    head, side = _towards_head(rig, world), float(world.rotations[0][1, 2]) < FACES
    first = _lower(world) if side else 0
    frame = _rolling(rig, np.asarray(world.positions[0] * LEVEL, np.float64), head, first)
    rolled = frame._replace(origin=frame.origin + ROLLS_M * _facing(frame))
    way = {} if side else {KNEE_UP: frame}
    return {**way, ON_SIDE: rolled, ALL_FOURS: other.frame}


def knees_in(way: Way, stage: Stage, rig: Rig, lies: WorldJoints, kneels: WorldJoints) -> Stays:
    """Where the knees bear in a stage of the way from the belly to the knees: one after the other, or both at once if
    they are near, they come from where they lie to where they kneel; nothing on other ways."""
    if SETS_HANDS not in way:
        return {}
    first, there = LEGS[way[stage].first].hinge, STEPS_UP not in way
    return {
        leg.hinge: (world.positions[joint].astype(np.float64), world.rotations[joint].astype(np.float64))
        for leg in LEGS
        for joint in [rig.joint(leg.hinge)]
        for world in [kneels if there or (stage is STEPS_UP and leg.hinge == first) else lies]
    }


def _pushed_up(rig: Rig, lies: WorldJoints, frame: Frame, kneels: Frame) -> Way | None:
    """The way from the belly over hands and knees, the knees where they lie unless they kneel close to there."""
    knees = np.mean([lies.positions[rig.joint(leg.hinge)] for leg in LEGS], axis=0).astype(np.float64)
    frame = frame._replace(first=kneels.first)
    lain, fours = (
        frame._replace(origin=frame.origin + (place - frame.place(0.0, 0.0, z)) * LEVEL)
        for place, z in ((lies.positions[0].astype(np.float64), BELLY_Z), (knees, KNEES_Z + ROLLS_BACK_M))
    )
    off = kneels.origin - fours.origin
    far = float(np.linalg.norm(off)) / frame.scale
    turn = (kneels.yaw - frame.yaw + np.pi) % (2.0 * np.pi) - np.pi
    if far > FARTHEST_M or np.cos(turn) < -AHEAD:
        return None
    if far < STEPS_M and np.cos(turn) > FACES:
        return {SETS_HANDS: lain, PUSHES_UP: kneels}
    return {
        SETS_HANDS: lain,
        PUSHES_UP: fours,
        STEPS_UP: fours._replace(origin=fours.origin + 0.5 * off, yaw=frame.yaw + 0.5 * turn),
    }


def _nearer(frame: Frame, knees: Frame) -> Frame:
    """The frame of a seat, nearer to that of the knees that somebody gets onto."""
    off = knees.origin - frame.origin
    far = max(float(np.linalg.norm(off)), 1e-9)
    return frame._replace(origin=frame.origin + min(NEARER_M, far) / far * off) if far < CLOSE_M else frame


def _rolling(rig: Rig, hips: Array, head: Array, first: int) -> Frame:
    """The frame of who rolls onto their first side, with hips (3,) metres and the head along (3,)."""
    out = np.cross(head, UP) * (1.0 - 2.0 * first)
    return Frame.of(rig, hips, float(np.arctan2(out[0], out[2])), first)


def _lower(world: WorldJoints) -> int:
    """The side that somebody lies on, as an index of `LEGS`."""
    return int(world.rotations[0][1, 0] > 0.0)


def _facing(frame: Frame) -> Array:
    return np.array([np.sin(frame.yaw), 0.0, np.cos(frame.yaw)])


def _towards_head(rig: Rig, world: WorldJoints) -> Array:
    """(3,) level, of unit length."""
    way = (world.positions[rig.joint(Role.NECK)] - world.positions[0]) * LEVEL
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-9), np.float64)


def _turned(one: Array, other: Array, first: int) -> float:
    """Radians about the vertical from one level way to another; half a turn goes to where the first side is."""
    turn = float(np.arctan2(np.cross(one, other)[1], one @ other))
    return turn if abs(turn) < HALF else abs(turn) * (2.0 * first - 1.0)


def _about(way: Array, angle: float) -> Array:
    """(3,) a way turned by radians about the vertical."""
    return np.asarray(from_rotation_vector(angle * UP) @ way)
