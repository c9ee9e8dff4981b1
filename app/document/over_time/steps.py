"""Feet that stand at both of two keys, in different places, step from one place to the other.

Between keys a foot's path would be straight, along the floor. People lift a foot that they put elsewhere: it stays
where it stands, swings over, and stays where it comes to stand. One foot steps half way between the keys; of two, the
one that is behind steps first, and sideways the one on that side. Where they go further than a step goes, they glide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.model.clip import Key
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource, Tie
from solver.ik.problem import IKProblem
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LEGS, Limb

Array = NDArray[np.float64]

LEAST_M = 0.05  # metres over the floor that a foot goes at least to step
STRIDE, EACH = 1.0, 0.55  # lengths of the leg that one foot goes at most, and each of two, to step
LIFT, MOST_LIFT_M, OVER = 0.25, 0.12, 0.35  # of that way it is lifted; metres at most; and of what it goes up or down
STEP_S, HASTY_S = 0.8, 0.3  # seconds that a step takes at most, and each of two at least; sooner, and feet glide
FIRST, SECOND = 0.3, 0.7  # of the time between two keys, at which the first and the second of two steps are half done
BOTH = 0.4  # of that time, which each of two steps takes at most
LOW_M, LEVEL = 0.06, 0.85  # a ball of a foot that stands is lower, in metres, and its sole faces down, as a cosine
BESIDE_M = 0.08  # metres that one foot is ahead of the other at most where both stand side by side
UP = np.array([0.0, 1.0, 0.0])
_HIPS, _ANKLES = tuple(leg.root for leg in LEGS), tuple(leg.end for leg in LEGS)


class Swing(NamedTuple):
    """One step. joints: those of the foot. start, end: frames between which the foot swings. first, last: the frames of
    the keys. height: metres that it is lifted. leg: its index in `LEGS`."""

    joints: frozenset[str]
    start: float
    end: float
    first: int
    last: int
    height: float
    leg: int

    def shares(self, frames: Frames) -> Array:
        """(N,) how much of the step is done at some frames, 0..1."""
        return np.clip((frames - self.start) / (self.end - self.start), 0.0, 1.0)


class Steps(NamedTuple):
    """The steps between some keys in a row, without a motion beneath."""

    swings: tuple[Swing, ...]

    @classmethod
    def between(cls, skeleton: Skeleton, keys: Sequence[Key], fps: float) -> Steps:
        """Those between keys in order of time."""
        rig = rig_of(skeleton)
        if any(rig.lacking([leg.end, leg.tip]) for leg in LEGS):
            return cls(())
        worlds = [forward_kinematics(skeleton, key.pose) for key in keys]
        found = list[Swing]()
        for (one, before), (other, after) in pairwise(zip(keys, worlds, strict=True)):
            found += _steps(rig, one, other, before, after, fps)
        return cls(tuple(found))

    def along(self, joint: str, times: Sequence[int], targets: Array, way: Array, frames: Frames) -> Array:
        """The way (N, 3) of what is asked of a joint, stepping where its foot does.

        targets: (K, 3) metres, at `times`.
        """
        made, known = np.array(way, np.float64), list(times)
        for swing in self.swings:
            if joint not in swing.joints or swing.first not in known or swing.last not in known:
                continue
            inside = (frames > swing.first) & (frames < swing.last)
            done = swing.shares(frames[inside])
            start, end = (targets[known.index(frame)].astype(np.float64) for frame in (swing.first, swing.last))
            lifted = swing.height * np.sin(np.pi * done) ** 2
            made[inside] = start + _eased(done)[:, None] * (end - start) + lifted[:, None] * UP
        return made

    def standing(self, frame: int) -> tuple[float, ...] | None:
        """How much of each foot's standing is left at a frame, 0..1; None if no foot steps then."""
        left = [1.0] * len(LEGS)
        for swing in self.swings:
            if swing.start < frame < swing.end:
                done = float(swing.shares(np.array([frame]))[0])
                left[swing.leg] = max(1.0 - 2.0 * float(np.sin(np.pi * done)) ** 2, 0.0)
        return tuple(left) if min(left) < 1.0 else None


NO_STEPS = Steps(())


def stepping(problem: IKProblem, left: tuple[float, ...]) -> IKProblem:
    """A problem with that much left of how each foot stands, 0..1, as some of them step."""
    stance = problem.stance
    if stance is None or stance.feet is None or len(stance.feet.shapes) != len(left):
        return problem
    return replace(problem, stance=replace(stance, feet=replace(stance.feet, shares=left)))


def _steps(rig: Rig, one: Key, other: Key, before: WorldJoints, after: WorldJoints, fps: float) -> list[Swing]:
    """The steps from one key to the next."""
    ankles = [rig.joint(leg.end) for leg in LEGS]
    ways = after.positions[ankles].astype(np.float64) - before.positions[ankles]
    far = np.linalg.norm(ways[:, [0, 2]], axis=1)
    far[[_rides(rig, leg, one, other) for leg in LEGS]] = 0.0
    most_m = (STRIDE if far.min() <= LEAST_M else EACH) * rig.leg_length
    if not LEAST_M < far.max() <= most_m:
        return []
    if not all(_stands(rig, leg, *at) for leg in LEGS for at in ((one, before), (other, after))):
        return []
    gap = other.frame - one.frame
    if far.min() <= LEAST_M:
        order, middles, most = [int(np.argmax(far))], [0.5], 1.0
    else:
        first = _first(rig, before.positions.astype(np.float64), ways.sum(axis=0))
        order, middles, most = [first, 1 - first], [FIRST, SECOND], BOTH
    if most < 1.0 and most * gap < HASTY_S * fps:
        return []
    half = min(STEP_S * fps, most * gap) / 2
    made = []
    for leg, middle in zip(order, middles, strict=True):
        joints = frozenset(rig.names_of((LEGS[leg].end, LEGS[leg].tip)))
        height = min(LIFT * float(far[leg]), MOST_LIFT_M) + OVER * abs(float(ways[leg, 1]))
        at = one.frame + middle * gap
        made.append(Swing(joints, at - half, at + half, one.frame, other.frame, height, leg))
    return made


def _first(rig: Rig, places: Array, heading: Array) -> int:
    """The index in `LEGS` of the foot that steps first. places: (J, 3) metres; heading: (3,) metres, both ways in sum.

    Feet side by side: the one on the side that they go to. The other one would have to come past it, and legs cross.
    """
    hips, ankles = (places[[rig.joint(role) for role in roles]] for roles in (_HIPS, _ANKLES))
    ahead = np.cross(hips[0] - hips[1], UP)
    ahead /= max(float(np.linalg.norm(ahead)), 1e-9)
    aside, on = float(heading @ np.cross(UP, ahead)), float(heading @ ahead)
    lead = float((ankles[0] - ankles[1]) @ ahead) * np.sign(on)
    if abs(on) > abs(aside) and abs(lead) > BESIDE_M:
        return int(lead > 0.0)
    return int(aside < 0.0)


def _stands(rig: Rig, leg: Limb, key: Key, world: WorldJoints) -> bool:
    """Whether a foot stands at a key, by its pose or on what a contact holds it on."""
    ankle, ball = rig.joint(leg.end), rig.joint(leg.tip)
    if world.rotations[ankle][1, 1] < LEVEL:
        return False
    if held := _contacts(rig, leg, key):
        return not any(isinstance(contact.source, Tie) for contact in held)
    return bool(world.positions[ball][1] < LOW_M)


def _rides(rig: Rig, leg: Limb, one: Key, other: Key) -> bool:
    """Whether both keys hold a foot at one place of a prop: as that moves, the foot goes along and stays on it."""
    before, after = ([contact.source for contact in _contacts(rig, leg, key)] for key in (one, other))
    return any(isinstance(source, PropSource) and source in after for source in before)


def _contacts(rig: Rig, leg: Limb, key: Key) -> list[Contact]:
    """Those that hold a foot at a key."""
    foot = rig.joint(leg.end), rig.joint(leg.tip)
    return [e for e in key.effectors if isinstance(e, Contact) and e.is_active and rig.index(e.joint) in foot]


def _eased(share: Array) -> Array:
    """From 0 to 1, at rest at both ends."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
