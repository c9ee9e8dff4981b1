"""Who lies or sits on a bed, a box or a chair: how they do, and over which of its edges they get up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.placement import Placement
from app.document.model.prop import KINDS, Prop
from app.document.over_time.getting_up.stage_poses import Frame
from solver.contact.solids import Solid
from solver.ik.limp.beneath import heights_beneath
from solver.kinematics.fk import WorldJoints
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]

TOPS = (
    0.25,
    0.75,
)  # lengths of the leg that a thing is high, over whose edge people get up with their feet on the floor
ON = 0.32  # lengths of the leg that a pelvis is above what somebody lies or sits on, at most
UPRIGHT, FACE_UP = 0.5, 0.6  # upward share of a trunk that does not lie; of the front of who lies on the back
HANGS = 0.12  # lengths of the leg that the ankles of who sits on an edge are below it at least
FARTHEST_M, STEP_M, ASIDE_M = 1.1, 0.02, 0.12  # metres that an edge is looked for; and to both sides, too
CLEAR_M, ROOM_M = 0.08, (0.08, 0.5)  # metres that what is before an edge is high at most, and how far before it
LEVEL_M, SUNK_M = 0.03, 0.06  # metres that a top is uneven at most, and that skin is in it at most
TURNED = 0.6  # cosine between how who sits faces and where an edge does, at least
# How many metres further an edge may be that faces where somebody stands, and one along which the trunk lies.
TOWARDS_M, ALONG_M = 0.5, 0.8
ACROSS = 0.75  # sine of the angle between an edge and the trunk of who lies across it


class Thing(NamedTuple):
    """What may be lain or sat on. solids: of all of it. yaw: radians that its sides are turned; None if it is round."""

    solids: tuple[Solid, ...]
    yaw: float | None


class Posture(Enum):
    """How somebody is on a thing."""

    BACK = auto()
    BELLY = auto()
    SIDE = auto()
    LEGS_UP = auto()  # sitting with the legs on it
    SITS = auto()  # with the legs over its edge


class Seated(NamedTuple):
    """Somebody on a thing. thing: its index. top: metres that it is high there. ahead: (3,) level, where the head of
    who lies is, where the legs of who sits with them up are not, and where who sits faces."""

    posture: Posture
    thing: int
    top: float
    ahead: Array


def things_of(actor: Actor, props: Sequence[Prop], lift: Placement) -> tuple[Thing, ...]:
    """Props as things in the space of the actor's clip, raised by `lift`."""
    into = lift.rigid.turn @ actor.clip.placement.inverse.rigid.turn
    made = []
    for prop in props:
        solids = tuple(
            replace(
                solid,
                place=lift.points(actor.clip.placement.inverse.points(solid.place.astype(np.float64))),
                turn=(into @ solid.turn).astype(np.float32),
            )
            for solid in prop.solids()
        )
        ahead = into @ prop.turn[:, 2]
        if solids:
            made.append(Thing(solids, None if KINDS[prop.kind].is_round else float(np.arctan2(ahead[0], ahead[2]))))
    return tuple(made)


def seated(rig: Rig, world: WorldJoints, things: Sequence[Thing]) -> Seated | None:
    """How somebody is on one of the things, if they are, and can get up over its edge with their feet on the floor."""
    leg, places, turns = rig.leg_length, world.positions.astype(np.float64), world.rotations.astype(np.float64)
    tops = [float(heights_beneath(thing.solids, places[:1])[0]) for thing in things]
    if not tops or not TOPS[0] * leg < max(tops) < TOPS[1] * leg:
        return None
    which, top = int(np.argmax(tops)), max(tops)
    if not 0.0 < places[0, 1] - top < ON * leg:
        return None
    trunk, front = places[rig.joint(Role.NECK)] - places[0], turns[0, :, 2]
    ankles = places[[rig.joint(each.end) for each in LEGS]]
    if trunk[1] > UPRIGHT * np.linalg.norm(trunk):
        if ankles[:, 1].max() < top - HANGS * leg:
            return Seated(Posture.SITS, which, top, _level(front))
        knees = places[[rig.joint(each.hinge) for each in LEGS]]
        apart = np.linalg.norm((ankles - places[0])[:, [0, 2]], axis=1).max()
        if ankles[:, 1].min() < top or (apart < 0.35 * leg and knees[:, 1].max() < places[0, 1]):
            return None  # one leg over the edge, or on the heels
        return Seated(Posture.LEGS_UP, which, top, _level(places[0] - ankles.mean(axis=0)))
    posture = Posture.BELLY if front[1] < -FACE_UP else Posture.BACK if front[1] > FACE_UP else Posture.SIDE
    return Seated(posture, which, top, _level(trunk))


def shared_top(worlds: Sequence[WorldJoints], skins: Sequence[Array], things: Sequence[Thing]) -> float:
    """Metres that a thing is high on whose level top somebody is at two keys, as on a bed; 0.0 if there is none.
    worlds: their joints. skins: (N, 3) metres of points of the skin of seat and thighs."""
    for thing in things:
        hips = np.array([world.positions[0] for world in worlds], np.float64)
        low, high = (float(each) for each in np.sort(heights_beneath(thing.solids, hips))[[0, -1]])
        if low > LEVEL_M and high - low < LEVEL_M and all(skin[:, 1].min() > low - SUNK_M for skin in skins):
            return high
    return 0.0


def edge_of(rig: Rig, world: WorldJoints, on: Seated, things: Sequence[Thing], towards: Array) -> Frame | None:
    """The frame on the edge over which somebody gets up, its Z away from the thing, the first side where the head is;
    None if there is no room before any. towards: (3,) metres, where they stand or sit then."""
    place = world.positions[0].astype(np.float64)
    thing, solids = things[on.thing], tuple(solid for each in things for solid in each.solids)
    facing = float(np.arctan2(on.ahead[0], on.ahead[2]))
    yaws = [facing] if thing.yaw is None else [thing.yaw + quarter * np.pi / 2 for quarter in range(4)]
    best: tuple[float, Frame] | None = None
    for yaw in yaws:
        out, left = np.array([np.sin(yaw), 0.0, np.cos(yaw)]), np.array([np.cos(yaw), 0.0, -np.sin(yaw)])
        off = float(on.ahead @ out)
        if (off < TURNED) if on.posture is Posture.SITS else (off > ACROSS):
            continue
        far = _to_edge(solids, place, out, left, on.top)
        if far is None:
            continue
        way = _level(towards - place)
        cost = far - TOWARDS_M * float(way @ out) + ALONG_M * abs(off) * (on.posture is not Posture.SITS)
        origin = (place + far * out) * [1.0, 0.0, 1.0] + [0.0, on.top, 0.0]
        if best is None or cost < best[0]:
            best = cost, Frame.of(rig, origin, yaw, 0)._replace(origin=origin)
    return None if best is None else with_head_beside(best[1], on)


def with_head_beside(frame: Frame, on: Seated) -> Frame:
    """The frame with its first side where the head of somebody is who lies there."""
    left = float(on.ahead @ [np.cos(frame.yaw), 0.0, -np.sin(frame.yaw)])
    return frame._replace(first=int(left < 0.0))


def _to_edge(solids: Sequence[Solid], place: Array, out: Array, left: Array, top: float) -> float | None:
    """Metres from a place on a thing, level, to its edge along `out`; None if there is none, or no room before it."""
    ways = np.arange(0.0, FARTHEST_M + ROOM_M[1] + STEP_M, STEP_M)
    aside = np.array([-ASIDE_M, 0.0, ASIDE_M])
    points = place + ways[:, None, None] * out + aside[None, :, None] * left
    points[..., 1] = top + LEVEL_M
    heights = heights_beneath(solids, points.reshape(-1, 3)).reshape(points.shape[:-1])
    on = np.abs(heights - top) < LEVEL_M
    off = np.flatnonzero(~on[:, 1])
    if not len(off) or ways[off[0]] > FARTHEST_M:
        return None
    far = float(ways[off[0]])
    before = (ways >= far + ROOM_M[0]) & (ways <= far + ROOM_M[1])
    return far if heights[before].max() < CLEAR_M else None


def _level(way: Array) -> Array:
    flat = np.asarray(way, np.float64) * [1.0, 0.0, 1.0]
    return flat / max(float(np.linalg.norm(flat)), 1e-9)
