"""What a solver's proposer says: asked, for one problem or many, in the skeleton that it knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from solver.errors import PoserError, UnsupportedEffector
from solver.ik.anchor import anchor, effectors_at_pose
from solver.ik.frozen import frozen_of
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pipeline.masks import prepared
from solver.ik.pipeline.merged import with_merged_unbent
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for, with_carried_at_rest
from solver.ik.solver import Proposal, ProposalRequest, Proposer, SolverSpec
from solver.kinematics.pose import Pose
from solver.rig.fewer_joints import unbent
from solver.values import changed

M = TypeVar("M")  # what the proposer remembers


class Proposals(Generic[M]):
    """The proposals of one solver, on any rig. Pure."""

    def __init__(self, spec: SolverSpec, proposer: Proposer[M]) -> None:
        self.spec = spec
        self._proposer = proposer

    def answer(self, request: ProposalRequest[M]) -> Proposal[M]:
        """What is proposed on our own rig, with what it lacks unbent and what holds still as it is."""
        answer = self._proposer.propose(request)
        skeleton = request.problem.skeleton
        pose, still = unbent(skeleton, with_carried_at_rest(skeleton, answer.pose)), frozen_of(request.problem)
        pose = still.pose(pose) if still else pose
        return answer if pose is answer.pose else answer._replace(pose=pose)

    def one(self, problem: IKProblem, options: Options = NO_OPTIONS) -> Pose:
        """The proposal for a problem. Raises what `refuse` raises."""
        rigged = adapter_for(problem)
        if rigged:
            return rigged.rig_pose(self.one(rigged.solver_problem, options))
        self.refuse(problem)
        return self.answer(ProposalRequest(with_merged_unbent(problem), options)).pose

    def batch(self, problems: Sequence[IKProblem], options: Options = NO_OPTIONS, roughly: bool = False) -> list[Pose]:
        """The proposals for many problems, in order. roughly: whether less accurate ones will do."""
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

    def over_base(self, problems: Sequence[IKProblem], options: Options = NO_OPTIONS) -> list[Pose]:
        """Proposals laid over the base poses of many problems, in order.

        Each is the base pose plus the difference of two proposals, for the problem's effectors and for the base pose's
        own, the less of it the further these are apart. If nothing is asked to move it is the base pose.
        """
        problems = [with_merged_unbent(problem) for problem in problems]
        own = [
            changed(problem, effectors=effectors_at_pose(problem.skeleton, problem.base_pose, problem.effectors))
            for problem in problems
        ]
        said = self.batch([*problems, *own], options)
        return [
            prepared(
                self.spec,
                problem,
                anchor(problem.base_pose, at_base, still.effectors).applied_to(pose, problem.effectors),
            )
            for problem, still, pose, at_base in zip(problems, own, said[: len(own)], said[len(own) :], strict=True)
        ]

    def accepts(self, problem: IKProblem) -> str:
        """Why there is none for the problem, one sentence; "" if there is."""
        rigged = adapter_for(problem)
        return self.spec.accepts(problem) or self._proposer.accepts(rigged.solver_problem if rigged else problem)

    def refuse(self, problem: IKProblem) -> None:
        """Raises UnsupportedEffector for an enabled effector of a kind that `spec` does not take, PoserError for
        another reason of `accepts`; the problem is of our own rig."""
        reason = self.spec.accepts(problem) or self._proposer.accepts(problem)
        if not reason:
            return
        for effector in problem.effectors:
            if effector.is_active and not self.spec.takes(effector.kind):
                raise UnsupportedEffector(self.spec.id, effector.kind, self.spec.kinds)
        raise PoserError(reason)

    @property
    def size_bytes(self) -> int:
        """The size of the model that proposes; 0 without one."""
        return self._proposer.size_bytes
