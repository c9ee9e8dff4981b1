"""What keeps a solver steady: how a solve goes on from the pose shown, by what earlier solves left behind.

Where proposals know nothing of the past, each is held to what was shown: near the effectors of then it is taken with
the difference that there was (see `anchor`). Where a network jumps from one likely pose to another, the pose shown
moves over to it little by little, or stays if the drag turns back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from solver.effectors.effector import Effector
from solver.ik.anchor import FADE_M, anchor, none_left, way
from solver.ik.exact import Refined, refine
from solver.ik.memory import Start, Trail, state_at
from solver.ik.problem import IKProblem
from solver.ik.solver import Continuity
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import Skeleton

FAR = 5.0  # times FADE_M: nothing is left
JUMP = np.radians(10.0)  # more than this, and `RATE` for the way, is no following but a jump
RATE = np.radians(1200.0)  # per metre
AS_WELL = 2e-3  # metres or radians

Propose = Callable[[tuple[Effector, ...]], Pose]  # the proposal for the problem with other effectors


class Followed(NamedTuple):
    """The exact stage's answer, and what the next solve goes on from."""

    refined: Refined
    trail: Trail


def follow(kind: Continuity, problem: IKProblem, said: Pose, start: Start, propose: Propose) -> Followed:
    """The exact stage about the proposal `said`, going on from `start` in the way of that kind."""
    return _FOLLOW[kind](problem, said, start, propose)


def _each_for_itself(problem: IKProblem, said: Pose, start: Start, propose: Propose) -> Followed:
    refined = refine(problem, said)
    return Followed(refined, Trail(refined.state, problem.effectors, problem.base_pose, said, refined.pose))


def _from_base(problem: IKProblem, said: Pose, start: Start, propose: Propose) -> Followed:
    """The search starts where it was left. A chosen pose is kept by an anchor for as long as the base pose stays."""
    exact, held = None, None
    if start.trail is not None:
        exact = start.trail.exact
        held = start.trail.anchor
        if held is not None and start.trail.base != problem.base_pose:
            held = None
    elif start.pose is not None:
        exact = state_at(start.pose)
        held = anchor(start.pose, said, start.chosen_for) if start.chosen_for is not None else None
    proposal = held.near(said, problem.effectors) if held else said
    refined = refine(problem, proposal, exact)
    return Followed(refined, Trail(refined.state, problem.effectors, problem.base_pose, proposal, refined.pose, held))


def _from_shown(problem: IKProblem, said: Pose, start: Start, propose: Propose) -> Followed:
    """The proposal is held to the pose shown, and neither it nor the answer may jump where effectors hardly move."""
    known = _known(problem, start, propose)
    if known is None:
        return _each_for_itself(problem, said, start, propose)
    proposal, held, asked = said, known.anchor, problem.effectors
    gone = way(known.effectors, asked)
    calm = none_left(known.effectors, asked)
    if held:
        proposal = held.near(said, asked)
    if calm and jumps(known.proposal, proposal, gone):
        proposal, held = known.proposal, anchor(known.proposal, said, asked)
    refined = refine(problem, proposal, known.exact)
    if calm and jumps(known.pose, refined.pose, gone):
        other = refine(problem, known.pose, state_at(known.pose))
        if turn(known.pose, other.pose) < turn(known.pose, refined.pose) and _as_well_met(other, refined):
            refined, proposal, held = other, known.pose, anchor(known.pose, said, asked)
    return Followed(refined, Trail(refined.state, asked, problem.base_pose, proposal, refined.pose, held))


def _known(problem: IKProblem, start: Start, propose: Propose) -> Trail | None:
    """What is known of the pose shown; None if that is useless: there is none, or it is far from the targets."""
    if not any(e.asks for e in problem.effectors):
        return None
    if start.trail is not None:
        return start.trail
    if start.pose is None:
        return None
    there = taken_from(problem.skeleton, start.pose, problem.effectors)
    if way(there, problem.effectors) > FAR * FADE_M:
        return None
    held = anchor(start.pose, propose(there), there)
    return Trail(state_at(start.pose), there, problem.base_pose, start.pose, start.pose, held)


_FOLLOW = {
    Continuity.NONE: _each_for_itself,
    Continuity.FROM_BASE: _from_base,
    Continuity.FROM_SHOWN: _from_shown,
}


def jumps(before: Pose, after: Pose, way_m: float) -> bool:
    """Whether a joint turns more than the effectors' way explains."""
    return turn(before, after) > JUMP + RATE * way_m


def turn(a: Pose, b: Pose) -> float:
    """Radians, by which the joint that turns most turns from one pose to the other."""
    return float(geodesic_angle(a.rotations, b.rotations).max())


def taken_from(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> tuple[Effector, ...]:
    """The effectors with their targets where `pose` has them."""
    world = forward_kinematics(skeleton, pose)
    return tuple(effector.at(skeleton, world) for effector in effectors)


def _as_well_met(one: Refined, other: Refined) -> bool:
    """Whether no effector is further off than in the other answer."""
    pairs = zip(one.residuals, other.residuals, strict=True)
    return all(mine.value <= theirs.value + AS_WELL for mine, theirs in pairs)
