"""DragPoser's poses of a motion, averaged with those of a solver that sees each frame by itself.

The search loses what its latent space cannot hold, the other solver forgets the past: they err in different ways, and
the mean of both is nearer to the truth than either. The exact stage that follows meets the sensors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solver.effectors.kinds import Position
from solver.errors import InputRefused
from solver.ik.options import PROPOSAL_ALONE, Options
from solver.ik.problem import IKProblem
from solver.ik.solver import Proposal, ProposalRequest, Proposer
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import pose_between
from solver.solvers.catalog import DRAGPOSER_SEARCH
from solver.solvers.latent.dragposer import LOWER, DragPoser, DragPoserMemory
from solver.solvers.latent.dragposer import dragposer as search
from solver.solvers.learned.heading_average import HeadingAverage
from solver.solvers.learned.shipped import smplik

FEWEST = 3  # sensors: with fewer it has not been measured
# Share of the other's pose: while the pose that a motion began with still tells something, and later on, by how many
# joints have sensors: the fewer, the longer that pose tells more than they do.
AT_FIRST, LATER, LATER_S = {3: 0.15, 4: 0.15, 5: 0.3}, {3: 0.8, 4: 0.65, 5: 0.7}, 2.0
# At first, if a motion began with a pose that tells nothing: with no sensor below the waist, with only six places.
UPPER, PLACES, MANY = 0.5, 0.85, 6
CONFIRMED = 0.1  # metres and radians, on average: a pose farther from the sensors tells nothing
SIDES = 2  # from which the other solver is asked


class EnsembleMemory(NamedTuple):
    """search: what the search remembers. seconds: for how long the motion has gone on, None before it begins.
    confirmed: whether the sensors confirmed the pose that it began with."""

    search: DragPoserMemory | None
    seconds: float | None
    confirmed: bool = True


class Ensemble(Proposer[EnsembleMemory]):
    """The search, averaged with another proposer's poses in motions. If the sensors do not confirm the pose that a
    motion begins with, the search begins with the other's: from a stance it takes long to find that somebody sits."""

    def __init__(self, search: DragPoser, other: Proposer[None]) -> None:
        self._search, self._other = search, other

    def accepts(self, problem: IKProblem) -> str:
        """Why one of the two does not fit the skeleton; "" if both do."""
        return self._search.accepts(problem) or self._other.accepts(problem)

    def propose(self, request: ProposalRequest[EnsembleMemory]) -> Proposal[EnsembleMemory]:
        """The mean of both poses, and what the search remembers of its own."""
        problem, before = request.problem, request.memory or EnsembleMemory(None, None)
        averaged = is_averaged(problem, request.options)
        other = self._other.propose(ProposalRequest(problem)).pose if averaged else None
        begins = before.seconds is None
        confirmed = problem.step_s <= 0 or base_pose_is_confirmed(problem) if begins else before.confirmed
        sought = replace(problem, base_pose=other) if begins and not confirmed and other is not None else problem
        pose, memory = self._search.propose(ProposalRequest(sought, request.options, before.search))
        if problem.step_s <= 0:
            return Proposal(pose, EnsembleMemory(memory, None))
        seconds = before.seconds or 0.0
        if other is not None:
            pose = pose_between(pose, other, blend_share(problem, seconds, confirmed))
        return Proposal(pose, EnsembleMemory(memory, seconds + problem.step_s, confirmed))


def is_averaged(problem: IKProblem, options: Options) -> bool:
    """Whether a pose is averaged: in a motion, with enough sensors, and if no option of the search is set, as the other
    solver does not heed them."""
    if PROPOSAL_ALONE.of(options) or any(option.of(options) != option.default for option in DRAGPOSER_SEARCH):
        return False
    return problem.step_s > 0 and _sensors(problem) >= FEWEST


def base_pose_is_confirmed(problem: IKProblem) -> bool:
    """Whether the base pose is one that the sensors confirm, such as the pose of the frame before."""
    joints = forward_kinematics(problem.skeleton, problem.base_pose)
    missed = [effector.residual(problem.skeleton, joints) for effector in problem.effectors if effector.is_active]
    return not missed or float(np.mean(missed)) < CONFIRMED


def blend_share(problem: IKProblem, seconds: float, confirmed: bool) -> float:
    """How far the mean is on the way to the other solver's pose, 0 to 1. seconds, confirmed: the motion's, as in
    `EnsembleMemory`."""
    count = _sensors(problem)
    sensors = min(max(count, min(LATER)), max(LATER))
    first, later = AT_FIRST[sensors], LATER[sensors]
    if not confirmed:
        first = _share_unconfirmed(problem, count, later)
    return first + min(seconds / LATER_S, 1.0) * (later - first)


def _share_unconfirmed(problem: IKProblem, sensors: int, later: float) -> float:
    """The share at first if a motion began with a pose that tells nothing."""
    asked = [effector for effector in problem.effectors if effector.is_active]
    if not any(effector.joint in LOWER for effector in asked):
        return UPPER
    places = all(effector.kind == Position.kind for effector in asked)
    return PLACES if places and sensors >= MANY else later


def _sensors(problem: IKProblem) -> int:
    """How many joints have an effector that asks for something."""
    return len({effector.joint for effector in problem.effectors if effector.is_active})


def dragposer() -> Proposer[EnsembleMemory] | Proposer[DragPoserMemory]:
    """DragPoser with SMPL-IK beside it, or alone if SMPL-IK's weights are missing.

    Raises InputRefused if DragPoser's own are missing or not those of our body.
    """
    alone = search()
    try:
        return Ensemble(alone, HeadingAverage(smplik(), SIDES))
    except InputRefused:
        return alone
