"""From a character to what its solver is asked, and the answer back into the character."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from app.document.loose import settled
from app.document.state import Character
from solver.body.body import Body
from solver.body.catalog import load_body
from solver.ik.catalog import SOLVERS, Able, able_solver, refusal_of
from solver.ik.problem import IKProblem, IKSolution, Reason
from solver.ik.solver import Proposer
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.skeleton import Skeleton
from solver.values import FloatArray


def body_of(character: Character) -> Body:
    """The character's body model, loaded at first use."""
    return load_body(character.body)


def skeleton_of(character: Character) -> Skeleton:
    """The character's skeleton in its present shape."""
    return body_of(character).skeleton(character.shape)


def joints_of(character: Character) -> WorldJoints:
    """Where the character's joints are now: positions (J, 3) metres, rotations (J, 3, 3) R_world_joint."""
    return forward_kinematics(skeleton_of(character), character.pose)


def problem_of(character: Character) -> IKProblem:
    """What the solver is asked for this character: its effectors, base pose and preservation."""
    skeleton = skeleton_of(character)
    preserve = character.preserve
    return IKProblem(
        skeleton=skeleton,
        shape=character.shape,
        effectors=character.effectors,
        base_pose=character.base_pose,
        preserve_position=_mask(skeleton, preserve.place, preserve.strength),
        preserve_orientation=_mask(skeleton, preserve.shape, preserve.strength),
    )


def start_of(character: Character) -> Any:
    """What the next solve goes on from: the state of the last one, else the pose shown (a file was opened)."""
    return character.pose if character.solver_state is None else character.solver_state


def with_solution(character: Character, solution: IKSolution) -> Character:
    """The character in the solved pose, with what the solver remembers and how well each effector is met.

    Loose effectors go along.
    """
    return replace(
        character,
        pose=solution.pose,
        effectors=settled(character.effectors, skeleton_of(character), character.pose, solution.pose),
        solver_state=solution.state,
        residuals=solution.residuals,
        elapsed_s=solution.elapsed_s,
    )


def able_of(character: Character) -> Able:
    """The character's solver, or who stands in for it and why. Raises UnknownName for a solver that is not there."""
    return able_solver(character.solver, character.body)


def solution_of(character: Character) -> IKSolution:
    """What the character's solver answers, or its network alone for a character that is shown raw.

    It goes on from its last solve, else from the pose it is in. Raises UnknownName for a solver that is not there,
    UnsupportedEffector for one that lacks an effector kind.
    """
    solver, problem, start = able_of(character).solver, problem_of(character), start_of(character)
    if character.raw and solver.spec.learned and isinstance(solver, Proposer):
        return _proposed(solver, problem, start)
    return solver.solve(problem, start)


def is_raw(character: Character) -> bool:
    """Whether the pose is what a network says alone: not with a classical solver, nor with one that stands in."""
    learned = SOLVERS[character.solver].learned and not refusal_of(character.solver, character.body)
    return character.raw and learned


def can_have_other(character: Character | None) -> bool:
    """Whether it makes sense to look for another pose: something is asked for, and the exact stage is at work."""
    if character is None or not any(e.asks for e in character.effectors):
        return False
    return not is_raw(character)


def other_of(character: Character, cancelled: Callable[[], bool]) -> IKSolution | None:
    """Another pose that meets the character's effectors as well; None where there is none. Again: the next one.

    cancelled: asked now and then; the search ends where it says so.
    """
    from solver.ik.other import other_solution

    return other_solution(problem_of(character), able_of(character).solver, character.pose, cancelled)


def reasons_of(character: Character, stop: Callable[[], bool]) -> tuple[Reason | None, ...] | None:
    """Why effectors of the solved character are not reachable; see `solver.ik.reasons.reasons`."""
    from solver.ik.reasons import reasons

    return reasons(problem_of(character), character.pose, character.residuals, stop)


def solved(character: Character) -> Character:
    """The character after its solver has run, here and now."""
    return with_solution(character, solution_of(character))


def _proposed(solver: Proposer, problem: IKProblem, start: Any) -> IKSolution:
    """The proposal as it is. What was remembered stays, so that the exact stage goes on from where it was left."""
    from solver.ik.residuals import residuals

    started = perf_counter()
    pose = solver.propose(problem)
    left = residuals(problem.skeleton, pose, problem.effectors)
    return IKSolution(pose, start, left, 0, perf_counter() - started)


def _mask(skeleton: Skeleton, joints: frozenset[str], strength: float) -> FloatArray:
    mask = np.zeros(len(skeleton), dtype=np.float32)
    for name in joints:
        mask[skeleton.index(name)] = strength
    return mask
