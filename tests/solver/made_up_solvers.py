"""Solvers of the tests' own: one that remembers, one with options of every type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from solver.ik.options import PROPOSAL_ALONE, Choice, Number, Switch
from solver.ik.solver import Continuity, Proposal, ProposalRequest, Proposer, SolverSpec
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import SOLVERS

LEAN = Number("lean", "Lean", low=-45.0, high=45.0, default=0.0, decimals=1, unit="°", tip="How far it leans")
MIRRORED = Switch("mirrored", "Other way round")
PACE_M_S = 2.0
SIDE = Choice("side", "Leans", (("ahead", "Ahead"), ("aside", "Aside")), default="ahead")


class Loyal(Proposer[Pose]):
    """Proposes the base pose of the first problem that it was asked, for as long as it remembers that."""

    def propose(self, request: ProposalRequest[Pose]) -> Proposal[Pose]:
        pose = request.problem.base_pose if request.memory is None else request.memory
        return Proposal(pose, pose)


class Leaning(Proposer[None]):
    """Proposes the base pose, leaning as its options say."""

    def propose(self, request: ProposalRequest[None]) -> Proposal[None]:
        base, angle = request.problem.base_pose, np.radians(LEAN.of(request.options))
        if angle == 0.0:
            return Proposal(base)
        turn = [angle, 0.0, 0.0] if SIDE.of(request.options) == "ahead" else [0.0, 0.0, angle]
        rotations = np.array(base.rotations)
        rotations[0] = from_rotation_vector(np.negative(turn) if MIRRORED.of(request.options) else turn) @ rotations[0]
        return Proposal(Pose(base.root_position, rotations))


class Pacing(Proposer[None]):
    """Proposes the base pose as high above the floor as it rises in the time since the pose before."""

    def propose(self, request: ProposalRequest[None]) -> Proposal[None]:
        base = request.problem.base_pose
        return Proposal(Pose(np.float32([0.0, PACE_M_S * request.problem.step_s, 0.0]), base.rotations))


PACED = SolverSpec("paced", "Paced", "made_up_solvers:Pacing", summary="Made up: rises with time.", exact=False)
LOYAL = SolverSpec("loyal", "Loyal", "made_up_solvers:Loyal", summary="Made up: remembers.")
LEANING = SolverSpec(
    "leaning",
    "Leaning",
    "made_up_solvers:Leaning",
    summary="Made up: leans.",
    options=(PROPOSAL_ALONE, LEAN, MIRRORED, SIDE),
    continuity=Continuity.FROM_SHOWN,
)
MADE_UP = (LOYAL, LEANING)


@contextmanager
def registered(*specs: SolverSpec) -> Iterator[None]:
    """The specs are in the catalogue as long as this lasts."""
    for spec in specs:
        SOLVERS.register(spec)
    try:
        yield
    finally:
        for spec in specs:
            SOLVERS.remove(spec.id)
