"""A solver at work: the proposer, then continuity, then the exact stage, as its spec declares. Composed only here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Generic, TypeVar, cast

from solver.effectors.effector import Effector
from solver.errors import PoserError, UnsupportedEffector
from solver.ik.anchor import anchor, effectors_at_pose
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
from solver.ik.exact import FEW, refined_pose
from solver.ik.fixed import with_fixed
from solver.ik.frozen import frozen_of
from solver.ik.kept_places import bring_ends_home, free_limbs, kept_place_leans
from solver.ik.memory import FRESH, Memory, SettledMemory, SolverMemory, WarmStart
from solver.ik.options import NO_OPTIONS, PROPOSAL_ALONE, Options
from solver.ik.pipeline.flat_patches import solve_calmly
from solver.ik.pipeline.led import MISSED_MORE, led_little_by_little
from solver.ik.pipeline.merged import memory_unbent, with_merged_unbent
from solver.ik.preserve import held_still, proposed_place_leans, with_soft_masks, without_masks
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import residuals
from solver.ik.rig_adapter import adapter_for, with_carried_at_rest
from solver.ik.solution import IKSolution, missed
from solver.ik.solver import Continuity, Proposal, ProposalRequest, Proposer, SolverSpec
from solver.ik.stance.idle_upper_body import head_turned, with_head_as_posed
from solver.ik.stance.leans import Lean
from solver.ik.stance.seated import sits_by
from solver.ik.standing_stage import before_standing, solve_with_standing, told_on_floor, with_standing_and_pins
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.rig.fewer_joints import unbent
from solver.values import changed

SETTLING = 5  # solves after somebody has sat down, at most
AT_REST_M = 1e-3  # metres that a joint moves in one of them: less, and the body is at rest

M = TypeVar("M")  # what the proposer remembers
Found = TypeVar("Found")  # what the exact stage answers


class Solver(Generic[M]):
    """Completes poses. Pure: what it remembers comes in and goes out as a frozen `Memory`."""

    def __init__(self, spec: SolverSpec, proposer: Proposer[M]) -> None:
        self.spec = spec
        self._proposer = proposer

    def solve(self, problem: IKProblem, memory: Memory = FRESH, options: Options = NO_OPTIONS) -> IKSolution:
        """The pose for `problem`; with the memory of the previous solution it goes on from there.

        Raises UnsupportedEffector for an enabled effector of a kind that `spec` does not take, PoserError for another
        reason of `accepts`.
        """
        rigged = adapter_for(problem)
        if rigged:
            return rigged.rig_solution(self.solve(rigged.solver_problem, memory.for_solver_rig(rigged), options))
        problem, memory = with_merged_unbent(problem), memory_unbent(problem.skeleton, memory)
        if not self.spec.exact or self.shows_proposal_alone(options):
            return self._solved(problem, memory, options)
        start = memory.warm_start_for(self.spec.id, len(problem.skeleton))
        found = solve_calmly(problem, memory, start, lambda asked, known: self._solved(asked, known, options))
        return told_on_floor(problem, found)

    def _solved(self, problem: IKProblem, memory: Memory, options: Options) -> IKSolution:
        """The pose that meets what is asked."""
        started = perf_counter()
        self._refuse(problem)
        given, alone = problem, not self.spec.exact or self.shows_proposal_alone(options)
        start = cast(WarmStart[M], memory.warm_start_for(self.spec.id, len(problem.skeleton)))
        if not isinstance(memory, SettledMemory):
            start = start.unpinned
        before = sits_by(problem.skeleton, start.asked, "") if start.last_solve is None else start.last_solve.seat
        seat = sits_by(problem.skeleton, problem.effectors, before)
        problem = problem if alone else as_it_goes(problem)
        down = with_trunk_down(problem)
        lies, problem = down is not problem, down
        sits_down = seat and not before and start.pose is not None and problem.step_s == 0.0
        if seat and not before and start.asked_before:
            start = start._replace(pose=None, last_solve=None)  # who sits down is no longer to look as they stood
        first = problem if alone else before_standing(problem)
        start = start.chosen_as_asked(first)
        request = ProposalRequest(first if alone else as_proposed(first), options, start.proposer_memory)
        answer = self._proposal(request)
        if alone:
            left = residuals(problem.skeleton, answer.pose, problem.effectors)
            # An exact stage that is skipped now goes on later from where it was left.
            after = (
                start._replace(proposer_memory=answer.memory)
                if self.spec.exact
                else WarmStart(answer.pose, proposer_memory=answer.memory)
            )
            return IKSolution(answer.pose, SolverMemory(self.spec.id, after), left, 0, perf_counter() - started)

        def propose(effectors: tuple[Effector, ...]) -> Pose:
            asked = changed(problem, effectors=effectors)
            said = self._proposal(request._replace(problem=as_proposed(asked))).pose
            return self._prepared_down(asked, said, bool(seat))

        proposal = self._prepared_down(first, answer.pose, bool(seat))
        asked_before = () if start.last_solve is None else start.last_solve.effectors
        idle = idle_limb_leans(
            problem, proposal, lambda: held_to_shown(first, proposal, start, propose), start.pose, asked_before
        )
        if idle:
            problem, first = (changed(one, leans=idle + one.leans) for one in (problem, first))

        def whole(begin: WarmStart[M], leans: tuple[Lean, ...] = (), through: bool = False) -> IKSolution:
            def go_on(asked: IKProblem) -> ContinuedSolve:
                # A trunk that lies gives way where a handle is missed; elsewhere limbs would be thrown about.
                return continue_solve(self.spec.continuity, asked, proposal, begin, propose, begins_anew=not lies)

            asked, before = (changed(one, leans=leans + one.leans) if leans else one for one in (problem, first))
            if through:
                asked, before = (changed(one, obstacles=None) for one in (asked, before))
            exact, found = self._finished(before, proposal, go_on, _continued_residuals)
            weaker = trunk_given_way(asked, found.refined.residuals)
            if weaker is not None:
                asked = weaker
                exact, found = self._finished(before_standing(asked), proposal, go_on, _continued_residuals)
            return self._after_standing(asked, given.effectors, exact, found, answer.memory, started, seat)

        if (not seat and problem.stance is None) or self.spec.continuity is Continuity.NONE:
            return whole(start)
        solution = led_little_by_little(self.spec.id, given, first, start, options, whole, bool(seat))
        solution = changed(solution, elapsed_s=perf_counter() - started)
        return self._at_rest(given, solution, options) if sits_down else solution

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
        rigged = adapter_for(problem)
        start = before.memory.warm_start_for(self.spec.id, len(problem.skeleton))
        if rigged or start.last_solve is None or not self.spec.exact or self.shows_proposal_alone(options):
            return self.solve(problem, before.memory, options)
        started = perf_counter()
        problem = with_merged_unbent(problem)
        self._refuse(problem)
        wanted = problem.effectors
        last_solve = start.last_solve
        seat = sits_by(problem.skeleton, problem.effectors, last_solve.seat)
        problem = with_trunk_down(as_it_goes(problem))
        said, was = last_solve.proposal, (last_solve.pose, last_solve.effectors)
        idle = () if seat else idle_limb_leans(problem, said, lambda: said, *was)
        problem = changed(problem, leans=idle + problem.leans) if idle else problem
        first = before_standing(problem)
        plain = start._replace(last_solve=last_solve._replace(anchor=None))  # its anchor is in its proposal already

        def go_on(asked: IKProblem) -> ContinuedSolve:
            return continue_solve(
                self.spec.continuity, asked, last_solve.proposal, plain, lambda effectors: last_solve.proposal
            )

        exact, found = self._finished(first, last_solve.proposal, go_on, _continued_residuals)
        if found.last_solve.anchor is None:
            found = found._replace(last_solve=found.last_solve._replace(anchor=last_solve.anchor))
        memory = cast(M | None, start.proposer_memory)
        told = changed(problem, effectors=wanted)
        return told_on_floor(told, self._after_standing(problem, wanted, exact, found, memory, started, seat))

    def _after_standing(
        self,
        problem: IKProblem,
        wanted: tuple[Effector, ...],
        exact: IKProblem,
        found: ContinuedSolve,
        memory: M | None,
        started: float,
        seat: str,
    ) -> IKSolution:
        refined, last_solve, held, rocks = found
        last_solve = last_solve._replace(seat=seat)
        if problem.stance is not None:
            refined = with_standing_and_pins(
                changed(exact, effectors=problem.effectors), held, refined, last_solve.proposal, rocks
            )
        if wanted is not problem.effectors:
            refined = refined._replace(residuals=told_of(problem, wanted, refined))
        own = SolverMemory(self.spec.id, WarmStart(refined.pose, last_solve=last_solve, proposer_memory=memory))
        return IKSolution(refined.pose, own, refined.residuals, refined.iterations, perf_counter() - started)

    def propose(self, problem: IKProblem, options: Options = NO_OPTIONS) -> Pose:
        """The proposal alone, without the stages after it."""
        rigged = adapter_for(problem)
        if rigged:
            return rigged.rig_pose(self.propose(rigged.solver_problem, options))
        self._refuse(problem)
        return self._proposal(ProposalRequest(with_merged_unbent(problem), options)).pose

    def propose_batch(
        self, problems: Sequence[IKProblem], options: Options = NO_OPTIONS, roughly: bool = False
    ) -> list[Pose]:
        """The proposals alone for many problems, in order. roughly: whether less accurate ones will do."""
        rigged = [adapter_for(problem) for problem in problems]
        inner = [
            rig.solver_problem if rig else with_merged_unbent(problem)
            for rig, problem in zip(rigged, problems, strict=True)
        ]
        answers = self._proposer.propose_batch(
            [ProposalRequest(problem, options, roughly=roughly) for problem in inner]
        )
        said = [unbent(one.skeleton, answer.pose) for one, answer in zip(inner, answers, strict=True)]
        return [rig.rig_pose(pose) if rig else pose for rig, pose in zip(rigged, said, strict=True)]

    def propose_over_base(self, problems: Sequence[IKProblem], options: Options = NO_OPTIONS) -> list[Pose]:
        """Proposals laid over the base poses of many problems, in order.

        Each is the base pose plus the difference of two proposals, for the problem's effectors and for the base pose's
        own, the less of it the further these are apart. If nothing is asked to move it is the base pose.
        """
        problems = [with_merged_unbent(problem) for problem in problems]
        own = [
            changed(problem, effectors=effectors_at_pose(problem.skeleton, problem.base_pose, problem.effectors))
            for problem in problems
        ]
        answers = self.propose_batch([*problems, *own], options)
        return [
            self._prepared(
                problem, anchor(problem.base_pose, at_base, still.effectors).applied_to(pose, problem.effectors)
            )
            for problem, still, pose, at_base in zip(
                problems, own, answers[: len(own)], answers[len(own) :], strict=True
            )
        ]

    def finish(
        self, problems: Sequence[IKProblem], proposals: Sequence[Pose], options: Options = NO_OPTIONS
    ) -> list[Pose]:
        """The exact stage about given proposals, and standing, for many problems, each on its own; the proposals
        themselves if no exact stage follows.

        Searches start at the proposals and look no further. Runs on two threads if there are many problems.
        """
        if not self.spec.exact or self.shows_proposal_alone(options):
            return list(proposals)

        def one(i: int) -> Pose:
            problem, proposal = problems[i], proposals[i]
            rigged = adapter_for(problem)
            inner, inside = (rigged.solver_problem, rigged.solver_pose(proposal)) if rigged else (problem, proposal)
            assert inside is not None
            inner, inside = as_it_goes(with_merged_unbent(inner)), unbent(inner.skeleton, inside)
            _, found = self._finished(
                inner, inside, lambda asked: solve_with_standing(asked, inside), lambda refined: refined.residuals
            )
            return rigged.rig_pose(found.pose) if rigged else found.pose

        if len(problems) < FEW:
            return [one(i) for i in range(len(problems))]
        with ThreadPoolExecutor(2) as pool:  # the compiled part runs without Python's lock
            return list(pool.map(one, range(len(problems))))

    def exact_problem(self, problem: IKProblem) -> IKProblem:
        """The problem as the exact stage is given it: if the proposer has heeded the masks, only what holds still."""
        return problem if self.spec.preserves_again else with_soft_masks(problem)

    def _finished(
        self,
        problem: IKProblem,
        proposal: Pose,
        solve: Callable[[IKProblem], Found],
        left: Callable[[Found], Sequence[Residual]],
    ) -> tuple[IKProblem, Found]:
        """The problem that the exact stage was given in the end, and the answer: after a proposer that has heeded the
        masks, what nothing moves stays as it is, and kept ends stay in their places.

        solve: the exact stage. left: an answer's residuals.
        """
        exact = self.exact_problem(problem)
        if not self.spec.holds_kept or not problem.has_masks:
            return exact, solve(exact)
        return with_fixed(
            problem, free_limbs(problem, exact, proposal), kept_place_leans(problem, proposal), solve, left
        )

    def _prepared(self, problem: IKProblem, pose: Pose) -> Pose:
        """A proposal as continuity and the exact stage are given it: what holds still stays, as no mask will keep it.

        What it keeps in place stays there while joints are brought within their limits, and ends come home.
        """
        if self.spec.preserves_again:
            return pose
        said = held_still(problem, _within_limits(problem, pose))
        return bring_ends_home(problem, said) if self.spec.holds_kept else said

    def _prepared_down(self, problem: IKProblem, pose: Pose, sits: bool) -> Pose:
        """As `_prepared`, with idle head, arms and trunk where people have them (`proposed_down`)."""
        return unbent(problem.skeleton, proposed_down(problem, self._prepared(problem, pose), sits))

    def _proposal(self, request: ProposalRequest[M]) -> Proposal[M]:
        answer = self._proposer.propose(request)
        skeleton = request.problem.skeleton
        pose, still = unbent(skeleton, with_carried_at_rest(skeleton, answer.pose)), frozen_of(request.problem)
        pose = still.pose(pose) if still else pose
        return answer if pose is answer.pose else answer._replace(pose=pose)

    def accepts(self, problem: IKProblem) -> str:
        """Why it cannot solve the problem, one sentence; "" if it can."""
        rigged = adapter_for(problem)
        return self.spec.accepts(problem) or self._proposer.accepts(rigged.solver_problem if rigged else problem)

    @property
    def size_bytes(self) -> int:
        """The size of the model that proposes; 0 without one."""
        return self._proposer.size_bytes

    def shows_proposal_alone(self, options: Options) -> bool:
        """Whether the user has asked to see the proposal without the stages after it."""
        return PROPOSAL_ALONE in self.spec.options and PROPOSAL_ALONE.of(options)

    def _refuse(self, problem: IKProblem) -> None:
        reason = self.spec.accepts(problem) or self._proposer.accepts(problem)
        if not reason:
            return
        for effector in problem.effectors:
            if effector.is_active and not self.spec.takes(effector.kind):
                raise UnsupportedEffector(self.spec.id, effector.kind, self.spec.kinds)
        raise PoserError(reason)


def _continued_residuals(found: ContinuedSolve) -> Sequence[Residual]:
    return found.refined.residuals


def _within_limits(problem: IKProblem, pose: Pose) -> Pose:
    """A proposal that heeds the masks, brought within the limits of joints while the places that it keeps are held.

    A network that keeps places may turn joints further than people can, and the exact stage, which turns them back one
    by one, would lose those places. Its effectors stay where the proposal has them. Itself if no place is kept.
    """
    leans = () if problem.frozen else proposed_place_leans(problem, pose)
    if not leans:
        return pose
    there = effectors_at_pose(problem.skeleton, pose, problem.effectors)
    alone = changed(without_masks(problem), effectors=there, leans=leans, floor=None, obstacles=None, stance=None)
    return refined_pose(alone, pose)
