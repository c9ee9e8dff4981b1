"""One solve: what a body is asked, what was proposed for it, and the stages that make a pose of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Generic, NamedTuple, TypeVar

from solver.effectors.effector import Effector
from solver.ik.asked_instead import (
    as_it_goes,
    as_proposed,
    idle_limb_leans,
    proposed_down,
    told_of,
    trunk_given_way,
    with_trunk_down,
)
from solver.ik.continuity import continue_solve
from solver.ik.continuity_kinds import ContinuedSolve, held_to_shown
from solver.ik.memory import LastSolve, SolverMemory, WarmStart
from solver.ik.options import Options
from solver.ik.pipeline.masks import prepared, solved_with_masks
from solver.ik.pipeline.proposals import Proposals
from solver.ik.problem import IKProblem, Residual
from solver.ik.solution import IKSolution
from solver.ik.solver import ProposalRequest, SolverSpec
from solver.ik.stance.leans import Lean
from solver.ik.standing_stage import before_standing, with_standing_and_pins
from solver.kinematics.pose import Pose
from solver.rig.fewer_joints import unbent
from solver.values import changed

M = TypeVar("M")  # what the proposer remembers
Propose = Callable[[tuple[Effector, ...]], Pose]  # a proposal for other effectors


class Asked(NamedTuple):
    """What is asked of a body: the user's problem as `given`, and in its place what the body can do.

    whole: as it goes, and as it lies. first: of that, what is solved before the body stands. lies: whether its trunk is
    on a solid floor. seat: id of what somebody sits or gets up by; "" if they do neither.
    """

    given: IKProblem
    whole: IKProblem
    first: IKProblem
    lies: bool
    seat: str

    def with_leans(self, leans: tuple[Lean, ...]) -> Asked:
        """What is asked, with these leans before all others."""
        if not leans:
            return self
        whole, first = (changed(one, leans=leans + one.leans) for one in (self.whole, self.first))
        return self._replace(whole=whole, first=first)

    def through_things(self) -> Asked:
        """What is asked, with nothing in the way."""
        whole, first = (changed(one, obstacles=None) for one in (self.whole, self.first))
        return self._replace(whole=whole, first=first)


def asked_of(given: IKProblem, seat: str) -> Asked:
    """What a problem asks of the body. seat: as `Asked` has it."""
    goes = as_it_goes(given)
    whole = with_trunk_down(goes)
    return Asked(given, whole, before_standing(whole), whole is not goes, seat)


class OneSolve(NamedTuple, Generic[M]):
    """A solve with its proposal at hand. propose: what is proposed for other effectors. remembered: what the proposer
    asked to remember. started: by `perf_counter`."""

    spec: SolverSpec
    asked: Asked
    proposal: Pose
    propose: Propose
    remembered: M | None
    started: float

    def found(self, start: WarmStart[M], leans: tuple[Lean, ...] = (), through: bool = False) -> IKSolution:
        """What is found from a start, with leans if need be. through: whether nothing is in the way."""
        asked = self.asked.with_leans(leans)
        return self._replace(asked=asked.through_things() if through else asked)._found(start)

    def _found(self, start: WarmStart[M]) -> IKSolution:
        # A trunk that lies gives way where a handle is missed; elsewhere limbs would be thrown about.
        exact, found = self._continued(start, begins_anew=not self.asked.lies)
        weaker = trunk_given_way(self.asked.whole, found.refined.residuals)
        if weaker is None:
            return self._stood(exact, found)
        gives = self._replace(asked=self.asked._replace(whole=weaker, first=before_standing(weaker)))
        return gives._stood(*gives._continued(start, begins_anew=not self.asked.lies))

    def found_about(self, last: LastSolve, start: WarmStart[M]) -> IKSolution:
        """What is found about the proposal of the last solve, for targets that have hardly moved since."""
        plain = start._replace(last_solve=last._replace(anchor=None))  # its anchor is in its proposal already
        exact, found = self._continued(plain)
        if found.last_solve.anchor is None:
            found = found._replace(last_solve=found.last_solve._replace(anchor=last.anchor))
        return self._stood(exact, found)

    def _continued(self, start: WarmStart[M], begins_anew: bool = True) -> tuple[IKProblem, ContinuedSolve]:
        """The problem that the exact stage was given in the end, and what it found going on from the start."""

        def go_on(exact: IKProblem) -> ContinuedSolve:
            return continue_solve(self.spec.continuity, exact, self.proposal, start, self.propose, begins_anew)

        return solved_with_masks(self.spec, self.asked.first, self.proposal, go_on, _residuals)

    def _stood(self, exact: IKProblem, found: ContinuedSolve) -> IKSolution:
        """The answer once the body stands, with residuals of what the user asks."""
        whole, wanted = self.asked.whole, self.asked.given.effectors
        refined, last_solve, held, rocks = found
        last_solve = last_solve._replace(seat=self.asked.seat)
        if whole.stance is not None:
            asked = changed(exact, effectors=whole.effectors)
            refined = with_standing_and_pins(asked, held, refined, last_solve.proposal, rocks)
        if wanted is not whole.effectors:
            refined = refined._replace(residuals=told_of(whole, wanted, refined))
        after = WarmStart(refined.pose, last_solve=last_solve, proposer_memory=self.remembered)
        memory = SolverMemory(self.spec.id, after)
        return IKSolution(refined.pose, memory, refined.residuals, refined.iterations, perf_counter() - self.started)


def proposed(
    proposals: Proposals[M], asked: Asked, start: WarmStart[M], options: Options, started: float
) -> OneSolve[M]:
    """A solve of what is asked, with what is proposed for it; idle limbs lean to where that has them."""
    request = ProposalRequest(as_proposed(asked.first), options, start.proposer_memory)
    answer = proposals.answer(request)

    def prepare(problem: IKProblem, pose: Pose) -> Pose:
        """A proposal with idle head, arms and trunk where people have them."""
        said = proposed_down(problem, prepared(proposals.spec, problem, pose), bool(asked.seat))
        return unbent(problem.skeleton, said)

    def propose(effectors: tuple[Effector, ...]) -> Pose:
        other = changed(asked.whole, effectors=effectors)
        return prepare(other, proposals.answer(request._replace(problem=as_proposed(other))).pose)

    proposal = prepare(asked.first, answer.pose)
    before = () if start.last_solve is None else start.last_solve.effectors
    idle = idle_limb_leans(
        asked.whole, proposal, lambda: held_to_shown(asked.first, proposal, start, propose), start.pose, before
    )
    return OneSolve(proposals.spec, asked.with_leans(idle), proposal, propose, answer.memory, started)


def proposed_before(
    spec: SolverSpec, asked: Asked, last: LastSolve, start: WarmStart[M], started: float
) -> OneSolve[M]:
    """A solve of what is asked about the proposal of the last solve; idle limbs lean to where that has them."""
    said = last.proposal
    idle = () if asked.seat else idle_limb_leans(asked.whole, said, lambda: said, last.pose, last.effectors)
    return OneSolve(spec, asked.with_leans(idle), said, lambda _: said, start.proposer_memory, started)


def _residuals(found: ContinuedSolve) -> Sequence[Residual]:
    return found.refined.residuals
