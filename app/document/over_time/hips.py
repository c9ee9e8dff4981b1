"""Hips of people who walk: over the foot that stands, and a little lower while the feet are apart.

With each step the hips sway to the foot that carries the body meanwhile. Sideways that is along the way: they go a
little slower while the foot ahead swings, and faster while the other one follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.document.over_time.body.body_ways import UP, BodyWay
from app.document.over_time.swings import Swing, place_on
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import heading
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
Curve = tuple[Array, Array]
Worlds = tuple[WorldJoints, WorldJoints]

APART, PASSING = 1.2, 0.4  # of what legs that do not stretch would lower the hips by: feet apart, and side by side
LISTS, TURNS = np.radians([4.0, 7.0])  # hips are down over the foot that swings; and turn with it in long steps
SIDES = (-1.0, 1.0)  # of `LEGS`: which way hips are down and turned with each
MOST_LOWER = 0.08  # lengths of the leg that they are lower at most
TOGETHER = 0.6  # of how low they are as feet come down furthest apart, how low they are at least as any comes down
SWAY, ALONG = 0.14, 0.12  # of the way to the foot that stands: which hips go aside to it, and go as they walk sideways


def with_hips(rig: Rig, way: BodyWay, steps: Sequence[Swing], worlds: Worlds) -> BodyWay:
    """The way with hips that sway and sink as the steps go, in order of time, if the feet roll, or go up or down; else
    flat feet would hold them back. Who jumps has their way already. worlds: the joints at both keys."""
    if any((step.roll is None and step.levels is None) or step.path is not None for step in steps):
        return way
    return way._replace(
        lower=_dips(rig, way, steps),
        sways=_sways(rig, way, steps, worlds),
        tilts=(_lists(way, steps, worlds), _turns(rig, way, steps, worlds)),
    )


def _dips(rig: Rig, way: BodyWay, steps: Sequence[Swing]) -> Curve:
    """(K,) frames, and (K,) metres by which the hips are lower there: as feet come down, and between that."""
    far, leg = float(np.linalg.norm((way.ends[1] - way.ends[0])[[0, 2]])), rig.leg_length
    landings, done, lower = [step.end for step in steps[:-1]], [0.0, 0.0], list[float]()
    for step, share in zip(steps, way.done(np.array(landings)).tolist(), strict=False):
        done[step.leg] += step.part
        ahead = min(far * max(abs(each - share) for each in done), leg / 2.0)
        lower.append(min(leg - float(np.sqrt(leg**2 - ahead**2)), MOST_LOWER * leg))
    lower = [max(each, TOGETHER * max(lower)) for each in lower]
    passing = [(one + other) / 2.0 for one, other in pairwise(landings)]
    middles = [PASSING * min(one, other) for one, other in pairwise(lower)]
    frames = np.array([way.first, *landings, way.last, *passing], np.float64)
    values, order = np.array([0.0, *(APART * each for each in lower), 0.0, *middles]), np.argsort(frames)
    return frames[order], values[order]


def _sways(rig: Rig, way: BodyWay, steps: Sequence[Swing], worlds: Worlds) -> Curve:
    """(K,) frames, and (K, 3) metres that the hips have gone aside to the other foot half way through each step."""
    ankles = [rig.joint(leg.end) for leg in LEGS]
    starts, ends = (world.positions[ankles].astype(np.float64) for world in worlds)
    times, moved, done = _middles(steps), list[Array](), np.zeros((2, 2))
    ahead = (way.ends[1] - way.ends[0]) / max(float(np.linalg.norm(way.ends[1] - way.ends[0])), 1e-6)
    for step, share, axis in zip(steps, way.done(times).tolist(), _headings(way, worlds, times)[:, :, 0], strict=True):
        stands = 1 - step.leg
        pelvis = place_on(way.pivot, way.ends[0], way.ends[1], np.array([share]), np.zeros(1))[0]
        foot = place_on(step.pivot, starts[stands], ends[stands], *done[stands][:, None])[0]
        sideways = min(float(ahead @ axis) ** 2, 1.0)
        moved.append((SWAY + sideways * (ALONG - SWAY)) * float((foot - pelvis) @ axis) * axis)
        done[step.leg] += step.part, step.turn
    return _from_rest(way, times, moved)


def _lists(way: BodyWay, steps: Sequence[Swing], worlds: Worlds) -> Curve:
    """(K,) frames, and (K, 3) rotation vectors by which the hips are down over the foot that swings."""
    times = _middles(steps)
    ahead = _headings(way, worlds, times)[:, :, 2]
    return _from_rest(way, times, [SIDES[step.leg] * LISTS * axis for step, axis in zip(steps, ahead, strict=True)])


def _turns(rig: Rig, way: BodyWay, steps: Sequence[Swing], worlds: Worlds) -> Curve:
    """(K,) frames, and (K, 3) rotation vectors by which the hips are turned with the leg that comes down, ahead or
    back, as it does."""
    times = np.array([step.end for step in steps[:-1]])
    ahead = _headings(way, worlds, times)[:, :, 2] @ ((way.ends[1] - way.ends[0]) / rig.leg_length)
    amounts = [TURNS * float(np.tanh(step.part * far)) for step, far in zip(steps, ahead.tolist(), strict=False)]
    return _from_rest(way, times, [SIDES[s.leg] * amount * UP for s, amount in zip(steps, amounts, strict=False)])


def _middles(steps: Sequence[Swing]) -> Array:
    """(K,) frames at which the steps are half done."""
    return np.array([(step.start + step.end) / 2.0 for step in steps])


def _from_rest(way: BodyWay, times: Array, values: Sequence[Array]) -> Curve:
    """The curve with nothing at either key."""
    nothing = np.zeros(3)
    return np.array([way.first, *times, way.last], np.float64), np.array([nothing, *values, nothing])


def _headings(way: BodyWay, worlds: Worlds, times: Array) -> Array:
    """(K, 3, 3) level turns that head as the pelvis does at some frames."""
    one, other = (heading(world.rotations[0].astype(np.float64)) for world in worlds)
    turned = float(np.arctan2(np.cross(one[:, 2], other[:, 2])[1], one[:, 2] @ other[:, 2]))
    return np.asarray(from_rotation_vector(np.multiply.outer(way.turns_done(times) * turned, UP)) @ one)
