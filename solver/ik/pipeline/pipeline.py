"""A solver at work: the proposer, then continuity, then the exact stage, as its spec declares. Composed only here."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Generic, TypeVar, cast

from solver.ik.asked_instead import as_it_goes
from solver.ik.exact import FEW
from solver.ik.memory import FRESH, Memory, SettledMemory, SolverMemory, WarmStart
from solver.ik.options import NO_OPTIONS, PROPOSAL_ALONE, Options
from solver.ik.pipeline import masks
from solver.ik.pipeline.flat_patches import solve_calmly
from solver.ik.pipeline.led import MISSED_MORE, led_little_by_little
from solver.ik.pipeline.merged import memory_unbent, with_merged_unbent
from solver.ik.pipeline.one_solve import asked_of, proposed, proposed_before
from solver.ik.pipeline.proposals import Proposals
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.ik.rig_adapter import adapter_for
from solver.ik.solution import IKSolution, missed
from solver.ik.solver import Continuity, ProposalRequest, Proposer, SolverSpec
from solver.ik.stance.idle_upper_body import head_turned, with_head_as_posed
from solver.ik.stance.seated import sits_by
from solver.ik.standing_stage import solve_with_standing, told_on_floor
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.rig.fewer_joints import unbent
from solver.values import changed

SETTLING = 5  # solves after somebody has sat down, at most
AT_REST_M = 1e-3  # metres that a joint moves in one of them: less, and the body is at rest

M = TypeVar("M")  # what the proposer remembers


class Solver(Generic[M]):
    """Completes poses. Pure: what it remembers comes in and goes out as a frozen `Memory`."""

    def __init__(self, spec: SolverSpec, proposer: Proposer[M]) -> None:
        self.spec = spec
        self._proposals = Proposals(spec, proposer)

    def solve(self, problem: IKProblem, memory: Memory = FRESH, options: Options = NO_OPTIONS) -> IKSolution:
        """The pose for `problem`; with the memory of the previous solution it goes on from there.

        Raises UnsupportedEffector for an enabled effector of a kind that `spec` does not take, PoserError for another
        reason of `accepts`.
        """
        rigged = adapter_for(problem)
        if rigged:
            return rigged.rig_solution(self.solve(rigged.solver_problem, memory.for_solver_rig(rigged), options))
        problem, memory = with_merged_unbent(problem), memory_unbent(problem.skeleton, memory)
        if not self._goes_on_exactly(options):
            return self._as_proposed(problem, memory, options)
        start = memory.warm_start_for(self.spec.id, len(problem.skeleton))
        found = solve_calmly(problem, memory, start, lambda asked, known: self._solved(asked, known, options))
        return told_on_floor(problem, found)

    def _as_proposed(self, problem: IKProblem, memory: Memory, options: Options) -> IKSolution:
        """The proposal alone. An exact stage that is skipped goes on later from where it was left."""
        started = perf_counter()
        self._proposals.refuse(problem)
        start = cast(WarmStart[M], memory.warm_start_for(self.spec.id, len(problem.skeleton)))
        answer = self._proposals.answer(ProposalRequest(problem, options, start.proposer_memory))
        after = start if self.spec.exact else WarmStart(answer.pose)
        left = residuals(problem.skeleton, answer.pose, problem.effectors)
        own = SolverMemory(self.spec.id, after._replace(proposer_memory=answer.memory))
        return IKSolution(answer.pose, own, left, 0, perf_counter() - started)

    def _solved(self, problem: IKProblem, memory: Memory, options: Options) -> IKSolution:
        """The pose that meets what is asked."""
        started = perf_counter()
        self._proposals.refuse(problem)
        start = cast(WarmStart[M], memory.warm_start_for(self.spec.id, len(problem.skeleton)))
        if not isinstance(memory, SettledMemory):
            start = start.unpinned
        sat = sits_by(problem.skeleton, start.asked, "") if start.last_solve is None else start.last_solve.seat
        seat = sits_by(problem.skeleton, problem.effectors, sat)
        sits_down = bool(seat) and not sat
        settles = sits_down and start.pose is not None and problem.step_s == 0.0
        if sits_down and start.asked_before:
            start = start._replace(pose=None, last_solve=None)  # who sits down is no longer to look as they stood
        asked = asked_of(problem, seat)
        start = start.chosen_as_asked(asked.first)
        solve = proposed(self._proposals, asked, start, options, started)
        if (not seat and problem.stance is None) or self.spec.continuity is Continuity.NONE:
            return solve.found(start)
        first = solve.asked.first
        solution = led_little_by_little(self.spec.id, problem, first, start, options, solve.found, bool(seat))
        solution = changed(solution, elapsed_s=perf_counter() - started)
        return self._at_rest(problem, solution, options) if settles else solution

    def _at_rest(self, problem: IKProblem, found: IKSolution, options: Options) -> IKSolution:
        """The pose of somebody who has just sat down, solved on until it stays: a search past skin may end while a hand
        still slides on a thigh, and would take that up in the first step of a drag."""
        found = self._with_head_as_posed(problem, found, options)
        left, moved = SETTLING, float("inf")
        while left and moved >= AT_REST_M:
            again = self.solve(problem, found.memory, options)
            moved = float(apart(problem.skeleton, found.pose, again.pose).max())
            found, left = changed(again, elapsed_s=found.elapsed_s + again.elapsed_s), left - 1
        return found

    def _with_head_as_posed(self, problem: IKProblem, found: IKSolution, options: Options) -> IKSolution:
        """What was found; where a hand has pushed the head aside, what a search finds from where the head is as posed,
        if that keeps it nearer and meets all as well."""
        skeleton, base = problem.skeleton, problem.base_pose
        begin = with_head_as_posed(skeleton, problem.effectors, base, found.pose)
        start = found.memory.warm_start_for(self.spec.id, len(skeleton))
        if begin is None or start.last_solve is None:
            return found
        again = self.solve(problem, SolverMemory(self.spec.id, start.at(begin)), options)
        nearer = head_turned(skeleton, base, again.pose) < 0.5 * head_turned(skeleton, base, found.pose)
        taken = again if nearer and missed(problem, again) <= missed(problem, found) + MISSED_MORE else found
        return changed(taken, elapsed_s=found.elapsed_s + again.elapsed_s)

    def solve_reusing_proposal(
        self, problem: IKProblem, before: IKSolution, options: Options = NO_OPTIONS
    ) -> IKSolution:
        """The pose for a problem whose targets have hardly moved since `before`, about the same proposal.

        The proposer is not asked again if an exact stage follows it. Raises what `solve` raises.
        """
        start = cast(WarmStart[M], before.memory.warm_start_for(self.spec.id, len(problem.skeleton)))
        last = start.last_solve
        if last is None or adapter_for(problem) or not self._goes_on_exactly(options):
            return self.solve(problem, before.memory, options)
        started = perf_counter()
        problem = with_merged_unbent(problem)
        self._proposals.refuse(problem)
        asked = asked_of(problem, sits_by(problem.skeleton, problem.effectors, last.seat))
        found = proposed_before(self.spec, asked, last, start, started).found_about(last, start)
        return told_on_floor(problem, found)

    def propose(self, problem: IKProblem, options: Options = NO_OPTIONS) -> Pose:
        """The proposal alone, without the stages after it. Raises what `solve` raises."""
        return self._proposals.one(problem, options)

    def propose_batch(
        self, problems: Sequence[IKProblem], options: Options = NO_OPTIONS, roughly: bool = False
    ) -> list[Pose]:
        """The proposals alone for many problems, in order. roughly: whether less accurate ones will do."""
        return self._proposals.batch(problems, options, roughly)

    def propose_over_base(self, problems: Sequence[IKProblem], options: Options = NO_OPTIONS) -> list[Pose]:
        """Proposals laid over the base poses of many problems, in order (`Proposals.over_base`)."""
        return self._proposals.over_base(problems, options)

    def finish(
        self, problems: Sequence[IKProblem], proposals: Sequence[Pose], options: Options = NO_OPTIONS
    ) -> list[Pose]:
        """The exact stage about given proposals, and standing, for many problems, each on its own; the proposals
        themselves if no exact stage follows.

        Searches start at the proposals and look no further. Runs on two threads if there are many problems.
        """
        if not self._goes_on_exactly(options):
            return list(proposals)

        def one(i: int) -> Pose:
            problem, proposal = problems[i], proposals[i]
            rigged = adapter_for(problem)
            inner, inside = (rigged.solver_problem, rigged.solver_pose(proposal)) if rigged else (problem, proposal)
            assert inside is not None
            inner, inside = as_it_goes(with_merged_unbent(inner)), unbent(inner.skeleton, inside)
            _, found = masks.solved_with_masks(
                self.spec,
                inner,
                inside,
                lambda asked: solve_with_standing(asked, inside),
                lambda refined: refined.residuals,
            )
            return rigged.rig_pose(found.pose) if rigged else found.pose

        if len(problems) < FEW:
            return [one(i) for i in range(len(problems))]
        with ThreadPoolExecutor(2) as pool:  # the compiled part runs without Python's lock
            return list(pool.map(one, range(len(problems))))

    def exact_problem(self, problem: IKProblem) -> IKProblem:
        """The problem as the exact stage is given it: if the proposer has heeded the masks, only what holds still."""
        return masks.exact_problem(self.spec, problem)

    def accepts(self, problem: IKProblem) -> str:
        """Why it cannot solve the problem, one sentence; "" if it can."""
        return self._proposals.accepts(problem)

    @property
    def size_bytes(self) -> int:
        """The size of the model that proposes; 0 without one."""
        return self._proposals.size_bytes

    def shows_proposal_alone(self, options: Options) -> bool:
        """Whether the user has asked to see the proposal without the stages after it."""
        return PROPOSAL_ALONE in self.spec.options and PROPOSAL_ALONE.of(options)

    def _goes_on_exactly(self, options: Options) -> bool:
        """Whether the exact stage follows the proposal."""
        return self.spec.exact and not self.shows_proposal_alone(options)
