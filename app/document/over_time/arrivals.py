"""Walks at one end of which somebody turns, sits down or gets up: the rest of the way they walk as anybody does.

By the keys alone they would do it all along the way: go sideways half way, or with their knees bent ever more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import Key
from app.document.over_time.body.body_ways import UP, BodyWay, turn_of
from app.document.over_time.body.turned_walks import TurningFeet, TurningStep, turning
from app.document.over_time.body.walks import LEVEL_M, STILL, paces_of, wider
from app.document.over_time.swings import Swing, swing_of
from solver.kinematics.curves import curve_through, each_eased, rotation_curve_through
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import heading
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

# Lengths of the leg that hips go down or up at least, beside the feet, of those who sit down or get up.
LOWER = 0.15
FAR, APART = 0.55, 0.4  # legs that they go at least; and by which feet are wider apart at most, else it is a lunge
ACROSS = 0.75  # legs that a step is long at most of those who turn on the way, and head across it
EVENLY = 0.7  # of a step's length in time, how much is the same for all of them; the rest goes by how far the body goes
SITS, SITS_S = 0.35, 0.9  # of the time, and seconds, that it takes at most


class Arrival(NamedTuple):
    """turns, sits: 1 if somebody turns, sits down at the end of the way; -1 if they turn, get up at its start; else 0.
    first: the index in `LEGS` of the foot that steps first, if they do not turn; aside: whether they go sideways."""

    turns: int
    sits: int
    first: int
    aside: bool


def sits_where(rig: Rig, ends: Array, before: NDArray[np.floating], after: NDArray[np.floating]) -> int:
    """1 if somebody sits down at the end of the way, -1 if they get up at its start; 0 if neither, or if they hardly
    walk. ends: (2, 3) metres of the pelvis. before, after: (2, 3) metres of both ankles, likewise."""
    down, leg = float(ends[0, 1] - ends[1, 1] + (after - before)[:, 1].mean()), rig.leg_length
    far = np.linalg.norm(after.mean(axis=0) - before.mean(axis=0))
    wider = np.linalg.norm(after[0] - after[1]) - np.linalg.norm(before[0] - before[1])
    return int(np.sign(down)) if abs(down) > LOWER * leg and far > FAR * leg and abs(wider) < APART * leg else 0


def walk_with_arrival(
    rig: Rig,
    keys: Sequence[Key],
    ends: tuple[Key, Key],
    worlds: tuple[WorldJoints, WorldJoints],
    arrival: Arrival,
    way: BodyWay,
    fps: float,
) -> tuple[list[Swing], BodyWay | None]:
    """The steps between two of `keys`, and how the body goes; a glide where there is no time for them, or the ground is
    not level."""
    ankles = [rig.joint(leg.end) for leg in LEGS]
    before, after = (world.positions[ankles].astype(np.float64) for world in worlds)
    turn = turn_of(np.stack([world.rotations[0] for world in worlds]).astype(np.float64))
    feet = TurningFeet(np.stack([before.mean(axis=0), after.mean(axis=0)]), turn)
    if abs(after[:, 1] - before[:, 1]).max() > LEVEL_M:
        return [], None
    far = np.full(len(LEGS), float(np.linalg.norm(feet.middles[1] - feet.middles[0])))
    paces = paces_of(rig.leg_length)
    gap, beside = ends[1].frame - ends[0].frame, float(np.linalg.norm(before[0] - before[1]) / 2.0 / far[0])
    sits = min(SITS, SITS_S * fps / gap) if arrival.sits else 0.0
    for (reach, _, least_s, overlap), on_the_way in [*product(paces[:-1], (False, True)), (paces[-1], True)]:
        parts = far[0] / ((min(reach, ACROSS) if on_the_way else reach) * rig.leg_length)
        steps = turning(parts, arrival.turns, turn, arrival.first, arrival.aside, beside if on_the_way else None)
        still, shares = STILL / len(steps), _done(steps)[:, 0]
        at = still + (1.0 - 2.0 * still) * (EVENLY * np.linspace(0.0, 1.0, len(shares)) + (1.0 - EVENLY) * shares)
        times = at * (1.0 - sits) + (sits if arrival.sits < 0 else 0.0)
        if (times[-1] - times[0]) * gap >= len(steps) * least_s * fps:
            swings = [
                swing_of(
                    rig, step.leg, ends, far, after - before, fps, step.end - step.start, wider(time, overlap), True
                )._replace(turn=step.turn, pivot=feet)
                for step, time in zip(steps, pairwise(times.tolist()), strict=True)
            ]
            return swings, _body(way, steps, times, keys, feet, sits * arrival.sits)
    return [], None


def _done(steps: Sequence[TurningStep]) -> Array:
    """(S + 1, 2) how much of its way and of its turn the body has done before the steps and at the end of each."""
    done, values = np.zeros((2, 2)), [np.zeros(2)]
    for step in steps:
        done[step.leg] = step.end, done[step.leg, 1] + step.turn
        values.append(done.mean(axis=0))
    return np.array(values)


def _body(
    way: BodyWay, steps: Sequence[TurningStep], times: Array, keys: Sequence[Key], feet: TurningFeet, sits: float
) -> BodyWay:
    """The way of a body that is over the middle of where its feet are as each comes down. times: shares of the time, of
    the first step's beginning and of all ends. sits: the share in which it sits down after that, or gets up before it
    if negative."""
    frames = np.arange(way.first, way.last + 1)
    shares = np.linspace(0.0, 1.0, len(frames))
    gone, round_ = np.maximum.accumulate(
        curve_through(times, _done(steps), shares.clip(times[0], times[-1])).clip(0.0, 1.0)
    ).T
    seated = gone
    if sits:
        half = (times[1] - times[0]) / 2.0  # half a step before the feet are there
        low, high = (times[-1] - half, 1.0) if sits > 0.0 else (0.0, times[0] + half)
        seated = each_eased((shares - low) / (high - low)).astype(np.float64)
    at = [key.frame for key in keys]
    roots = curve_through(at, np.stack([key.pose.root_position for key in keys]), frames)
    facing = rotation_curve_through(at, np.stack([key.pose.rotations[:1] for key in keys]), frames)[:, 0]
    yaws = np.array([np.arctan2(*heading(each)[[0, 2], 2]) for each in facing])
    more = (yaws[0] + round_ * feet.turn - yaws + np.pi) % (2.0 * np.pi) - np.pi
    off, last = way.ends - feet.middles
    last = from_rotation_vector(-feet.turn * UP) @ last
    over = (
        from_rotation_vector(np.multiply.outer(round_ * feet.turn, UP))
        @ (off + seated[:, None] * (last - off))[..., None]
    )
    there = feet.middles[0] + gone[:, None] * (feet.middles[1] - feet.middles[0]) + over[..., 0]
    return way._replace(gone=gone, turned=round_, besides=there - roots, yaws=more)
