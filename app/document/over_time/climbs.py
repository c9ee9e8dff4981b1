"""Walks between two keys over ground that is not level: onto a box, up stairs, and down again.

Each foot comes down on what lies below its place, moved a little along the way where it would stand over an edge, and
swings over what is in between. Steps are shorter where the ground goes up or down. The hips stay low until the foot
ahead stands higher, and then rise with it; going down, they sink before the foot ahead comes down.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import Key
from app.document.over_time.body.body_ways import BodyWay, Pivot
from app.document.over_time.body.walks import STILL, Landing, Pace, walk, wider
from app.document.over_time.ground import Ground
from app.document.over_time.swings import Swing, height_shares, levels_done, place_on, swing_of
from solver.kinematics.curves import curve_through
from solver.kinematics.fk import WorldJoints
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
Worlds = tuple[WorldJoints, WorldJoints]

SAMPLES = 241  # of the way, at which the ground is looked at
EDGE_M, RISE_M = 0.04, 0.35  # metres up or down at once that are an edge; as much as that takes a whole step more
ALONG, ACROSS = (-0.45, 0.0, 0.4, 0.75, 1.0, 1.7), (-0.35, 0.0, 0.35)  # of ankle to ball: points of a sole
BALL = 4  # of `ALONG`
MOVES_M, FLAT_M = 0.3, 0.012  # metres that a foot is moved at most to stand; that what is below its sole differs by
# Metres that toes are rather before an edge up, so that foot and shin come over it, if that is so many times as high;
# and metres that a foot would rather be moved than stand nearer than each of them.
BEFORE_M, HIGH, NEARER_M = (0.06, 0.12, 0.18), 2.0, 0.09
OVERHANGS_M = 0.3  # metres that a foot would rather be moved than stand with none of its sole but the ball on something
HIGHEST = 0.65  # lengths of the leg that a foot goes up or down in one step at most
CLEARS_M, MOST_M = 0.02, 0.4  # metres that a foot swings above what is below it, and that it is lifted at most
# Shares of a step's time in which the foot goes along and up or down; and how many metres of those it would rather be
# hurried over than be lifted by one.
ALONG_TIMES, UPRIGHT_TIMES, LIFTS = (1.0, 0.95, 0.9, 0.8, 0.7), (1.0, 0.9, 0.8, 0.65, 0.5), 5.0
HALFWAY = 0.5, 0.35  # of one step up, and down, how much lower the hips are than over the higher foot half way
MEANWHILE = 0.05  # of one step up, how much higher the hips are than over the lower foot as the other lands


class Soles(NamedTuple):
    """The soles at both keys. points: (2 keys, 2 legs, P, 3) metres. levels: (2 keys, 2 legs) metres of the ground
    below. most: metres that ground is high at most."""

    points: Array
    levels: Array
    most: float
    ground: Ground
    pivot: Pivot | None

    def below(self, leg: int, shares: Array) -> Array:
        """(N, P) metres of the ground below the points of a sole, with shares (N,) of its way done."""
        one, other = self.points[:, leg]
        way = [place_on(self.pivot, a, b, shares, shares) for a, b in zip(one, other, strict=True)]
        found = self.ground.heights(np.stack(way, axis=1).reshape(-1, 3), self.most)
        return found.reshape(len(shares), -1)


def soles_at(rig: Rig, worlds: Worlds, ground: Ground, pivot: Pivot | None) -> Soles:
    """The soles of both feet at both keys, standing on the ground."""
    points, levels = np.zeros((2, len(LEGS), len(ALONG) * len(ACROSS), 3)), np.zeros((2, len(LEGS)))
    for at, world in enumerate(worlds):
        for number, leg in enumerate(LEGS):
            ankle, ball = (world.positions[rig.joint(role)].astype(np.float64) for role in (leg.end, leg.tip))
            ahead = (ball - ankle) * [1.0, 0.0, 1.0]
            aside = np.array([ahead[2], 0.0, -ahead[0]])
            points[at, number] = [ankle + along * ahead + across * aside for along in ALONG for across in ACROSS]
            levels[at, number] = ground.heights(points[at, number], float(ball[1])).max()
    return Soles(points, levels, float(levels.max()), ground, pivot)


def climb(
    rig: Rig,
    keys: Sequence[Key],
    ends: tuple[Key, Key],
    worlds: Worlds,
    first: tuple[int, bool],
    way: BodyWay,
    ground: Ground,
    fps: float,
    paces: Sequence[Pace],
) -> tuple[list[Swing], BodyWay | None]:
    """The steps between two of `keys`, and how the body goes; none where there is no time for them, or no way up or
    down. first: the index in `LEGS` of the foot that steps first, and whether they go sideways. paces: see `PACES`."""
    soles, gap = soles_at(rig, worlds, ground, way.pivot), ends[1].frame - ends[0].frame
    ankles = [rig.joint(leg.end) for leg in LEGS]
    ways = worlds[1].positions[ankles].astype(np.float64) - worlds[0].positions[ankles]
    far = np.linalg.norm(ways[:, [0, 2]], axis=1)
    longest = float(far.max()) * (way.pivot.longer if way.pivot else 1.0)
    for reach, _, least_s, overlap in paces:
        effort = _effort(soles, longest / (reach * rig.leg_length))
        steps = walk(first[0], float(effort[-1]), first[1])
        if (1.0 - 2.0 * STILL / len(steps)) * gap < len(steps) * least_s * fps:
            continue
        landed = _landed(soles, steps, effort, longest, HIGHEST * rig.leg_length)
        if landed is None:
            return [], None
        steps, levels = landed
        still = STILL / len(steps)
        times = np.linspace(still, 1.0 - still, len(steps) + 1)
        swings = []
        for step, level, time in zip(steps, levels, pairwise(times.tolist()), strict=True):
            part = step.end - step.start
            made = swing_of(rig, step.leg, ends, far, ways * [1, 0, 1], fps, part, wider(time, overlap), True)
            swings.append(_cleared(made._replace(pivot=way.pivot, levels=level), soles, step, level[0], longest * part))
        return swings, _body(way, steps, levels, swings, times, keys, soles)
    return [], None


def _effort(soles: Soles, steps: float) -> Array:
    """(S,) steps that the way takes up to each of its samples, in sum; on level ground `steps`."""
    shares = np.linspace(0.0, 1.0, SAMPLES)
    under = np.mean([soles.below(leg, shares)[:, len(ACROSS) * BALL + 1] for leg in range(len(LEGS))], axis=0)
    rises = np.abs(np.diff(under))
    each = steps / (SAMPLES - 1) + np.where(rises > EDGE_M, np.minimum(rises / RISE_M, 1.0), 0.0)
    return np.append(0.0, np.cumsum(each))


def _landed(
    soles: Soles, steps: Sequence[Landing], effort: Array, far: float, highest: float
) -> tuple[list[Landing], list[tuple[float, float]]] | None:
    """The steps as their feet come down on the ground, and how high each one's foot stands before and after it, in
    metres; None if one would be higher than `highest`. far: metres of the way."""
    samples = np.linspace(0.0, 1.0, SAMPLES)
    done, stands = [0.0, 0.0], soles.levels[0].tolist()
    made, levels = list[Landing](), list[tuple[float, float]]()
    for step in steps:
        end, level = 1.0, float(soles.levels[1, step.leg])
        if step.end < 1.0:
            planned = float(np.interp(step.end * effort[-1], effort, samples))
            end, level = _footfall(soles, step.leg, planned, done[step.leg], far, stands[1 - step.leg], highest)
        if abs(level - stands[1 - step.leg]) > highest:
            return None
        made.append(Landing(step.leg, done[step.leg], end))
        levels.append((stands[step.leg], level))
        done[step.leg], stands[step.leg] = end, level
    return made, levels


def _footfall(
    soles: Soles, leg: int, planned: float, done: float, far: float, other: float, highest: float
) -> tuple[float, float]:
    """Where a foot comes down near where it is planned to, as a share of its way, and how high. other: metres that the
    other foot stands at."""
    shares = planned + np.arange(-MOVES_M, MOVES_M + 0.005, 0.01) / far
    shares = np.append(shares[(shares > done) & (shares < 1.0)], planned)
    below = soles.below(leg, shares)
    tops = below.max(axis=1)
    bears = below > tops[:, None] - FLAT_M
    on_ball = bears[:, BALL * len(ACROSS) : (BALL + 1) * len(ACROSS)].all(axis=1)
    costs = np.abs(shares - planned) * far + OVERHANGS_M * (1.0 - bears.mean(axis=1)) + 10.0 * ~on_ball
    for before in BEFORE_M:
        ahead = soles.below(leg, np.minimum(shares + before / far, 1.0)).max(axis=1)
        costs += NEARER_M * (ahead > tops + HIGH * before)
    costs += 10.0 * (np.abs(tops - other) > highest)
    best = int(costs.argmin())
    return float(shares[best]), float(tops[best])


def _cleared(swing: Swing, soles: Soles, step: Landing, stands: float, far: float) -> Swing:
    """The step with its foot lifted as high as it takes to swing over what is in between, going along later than up, or
    down later than along, as is least abrupt. stands: metres of the ground before it. far: metres that it goes."""
    times, made = np.linspace(0.0, 1.0, 41)[4:-4], dict[float, Swing]()
    frames = swing.start + times * (swing.end - swing.start)
    for along in ALONG_TIMES:
        hasty = swing._replace(along=along)
        under = soles.below(swing.leg, step.start + (step.end - step.start) * hasty.gone(frames)).max(axis=1)
        for upright in UPRIGHT_TIMES:
            level = stands + levels_done([hasty._replace(upright=upright)], frames)
            lacks = np.where(under > level + 1e-3, under + CLEARS_M - level, 0.0) / height_shares(times)
            height = min(max(swing.height, float(lacks.max())), MOST_M)
            jolt = far / along**2 + abs(swing.rise) / upright**2 + LIFTS * height
            made[jolt] = hasty._replace(upright=upright, height=height)
    return made[min(made)]


def _body(
    way: BodyWay,
    steps: Sequence[Landing],
    levels: Sequence[tuple[float, float]],
    swings: Sequence[Swing],
    times: Array,
    keys: Sequence[Key],
    soles: Soles,
) -> BodyWay:
    """The way of a body that is over the middle of where its feet are as each comes down, as high as these allow."""
    frames = np.arange(way.first, way.last + 1)
    shares, done = np.linspace(0.0, 1.0, len(frames)), np.zeros(2)
    values, stands = [0.0], soles.levels[0].copy()
    at, heights = [float(way.first)], [float(stands.mean())]
    for step, (before, level), swing in zip(steps, levels, swings, strict=True):
        at += [(swing.start + swing.end) / 2.0, swing.end]
        bears = float(stands[1 - step.leg])
        heights.append(bears - max(HALFWAY[0] * (bears - before), HALFWAY[1] * (bears - level), 0.0))
        stands[step.leg], done[step.leg] = level, step.end
        heights.append(float(stands.min() + MEANWHILE * max(level - bears, 0.0)))
        values.append(float(done.mean()))
    at[-1], heights[-1] = float(way.last), float(stands.mean())
    within = shares.clip(times[0], times[-1])
    gone = np.maximum.accumulate(curve_through(times, np.array(values), within).clip(0.0, 1.0))
    roots = curve_through([key.frame for key in keys], np.stack([key.pose.root_position for key in keys]), frames)
    there = way.ends[0] + gone[:, None] * (way.ends[1] - way.ends[0])
    raised = way.ends[:, 1] - [heights[0], heights[-1]]
    there[:, 1] = curve_through(at, np.array(heights), frames) + raised[0] + gone * (raised[1] - raised[0])
    return way._replace(gone=gone, besides=there - roots)
