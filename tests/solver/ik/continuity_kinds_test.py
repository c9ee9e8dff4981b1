"""How a solve goes on from the pose shown: it follows what is asked, and neither proposal nor search makes it jump."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from ik_samples import FEET, body_skeleton, difference, largest_turn, natural, place, position, problem

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.ik.anchor import JUMP, RATE, TURNS_ROUND, without_jump
from solver.ik.continuity import STUCK, continue_solve
from solver.ik.continuity_kinds import ContinuedSolve, held_to_shown
from solver.ik.exact import Refined, refine
from solver.ik.held_effectors import AS_WELL
from solver.ik.memory import FRESH, ChosenPose, ExactState, LastSolve, Memory, SolverMemory, WarmStart, state_at
from solver.ik.multi_solve.other_solutions import other_solution
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.solver import Continuity, Proposal, ProposalRequest, Proposer, SolverSpec
from solver.kinematics.pose import Pose, pose_moved, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver

BASE = natural()
REST = rest_pose(body_skeleton())
STEP_M = 0.004


class Fickle(Proposer[None]):
    """Two minds about the elbow, as networks are: it points down, or out as soon as the wrist is 20 cm higher."""

    def propose(self, request: ProposalRequest[None]) -> Proposal[None]:
        (wrist,) = (e for e in request.problem.effectors if e.joint == "left_wrist")
        base = request.problem.base_pose
        if wrist.target[1] < place(BASE, "left_wrist")[1] + 0.2:
            return Proposal(base)
        rotations, shoulder = np.array(base.rotations), body_skeleton().index("left_shoulder")
        rotations[shoulder] = rotations[shoulder] @ from_rotation_vector([1.2, 0.0, 0.0])
        return Proposal(Pose(base.root_position, rotations))


def fickle(kind: Continuity) -> Solver[None]:
    return Solver(SolverSpec("fickle", "Fickle", "", continuity=kind), Fickle())


def asked(height: float, base: Pose = BASE) -> IKProblem:
    """The left wrist this much higher and in front, and the feet held."""
    feet: list[Effector] = [position(BASE, foot) for foot in FEET]
    return problem([position(BASE, "left_wrist", (0.0, height, 0.2)), *feet], base)


def dragged(solver: Solver[None]) -> list[Pose]:
    """The poses of a drag in small steps past where the proposal changes."""
    poses: list[Pose] = []
    memory: Memory = FRESH
    for step in range(40):
        solution = solver.solve(asked(0.12 + STEP_M * step), memory)
        assert [residual.state for residual in solution.residuals] == ["met"] * 3
        poses.append(solution.pose)
        memory = solution.memory
    return poses


def steps(poses: list[Pose]) -> list[float]:
    """Degrees that the joint that turns most turns in each step."""
    return [largest_turn(a, b) for a, b in pairwise(poses)]


def test_a_proposal_that_jumps_while_the_wrist_hardly_moves_is_not_followed_at_once() -> None:
    allowed = np.degrees(JUMP + RATE * STEP_M)
    assert max(steps(dragged(fickle(Continuity.NONE)))) > 1.5 * allowed
    assert max(steps(dragged(fickle(Continuity.FROM_SHOWN)))) < allowed


def test_a_proposal_that_turns_round_is_followed_no_faster_than_hands_go() -> None:
    def turned(angle: float) -> Pose:
        rotations = np.array(BASE.rotations)
        rotations[0] = from_rotation_vector(np.float32([0.0, angle, 0.0])) @ rotations[0]
        return Pose(BASE.root_position, rotations)

    before = turned(3.0)
    slower = without_jump(before, turned(3.5), STEP_M)  # across half a turn
    assert largest_turn(before, slower) == pytest.approx(np.degrees(TURNS_ROUND * STEP_M), abs=0.01)
    assert largest_turn(slower, turned(3.5)) < largest_turn(before, turned(3.5))
    near = turned(3.001)
    assert without_jump(before, near, STEP_M) is near
    assert without_jump(before, turned(3.1), 0.0).rotations[0] == pytest.approx(turned(3.1).rotations[0])


def elsewhere() -> tuple[IKProblem, Pose, Pose]:
    """A problem, the pose that the search leads to, and another one that meets it as well."""
    whole = asked(0.3)
    solver = load_solver("dls")
    found = solver.solve(whole).pose
    other = other_solution(whole, solver, found)
    assert other is not None
    assert largest_turn(found, other.pose) > 20.0
    return whole, found, other.pose


def gone_on(whole: IKProblem, searched_at: Pose, shown: Pose) -> ContinuedSolve:
    """Going on from `shown`, of which the search was left at `searched_at`; nothing has moved."""
    trail = LastSolve(state_at(searched_at), whole.effectors, whole.base_pose, BASE, shown)
    return continue_solve(
        Continuity.FROM_SHOWN, whole, BASE, WarmStart(shown, last_solve=trail), lambda effectors: BASE
    )


def test_where_the_search_would_end_in_another_pose_the_one_shown_stays_if_it_does_as_well() -> None:
    whole, found, shown = elsewhere()
    after = gone_on(whole, found, shown)
    assert largest_turn(after.refined.pose, shown) < 3.0
    assert max(residual.value for residual in after.refined.residuals) < AS_WELL
    again = continue_solve(
        Continuity.FROM_SHOWN, whole, BASE, WarmStart(shown, last_solve=after.last_solve), lambda effectors: BASE
    )
    assert largest_turn(again.refined.pose, after.refined.pose) < 0.5, "and the next solve goes on from there"


def test_a_pose_shown_from_which_effectors_would_be_missed_does_not_stay() -> None:
    whole, found, _ = elsewhere()
    away = Pose(found.root_position + np.float32([40.0, 0.0, 0.0]), REST.rotations)
    assert max(residual.value for residual in refine(whole, away, state_at(away)).residuals) > 1.0
    after = gone_on(whole, found, away)
    assert max(residual.value for residual in after.refined.residuals) < AS_WELL
    assert largest_turn(after.refined.pose, found) < 3.0


def test_a_search_that_is_stuck_on_the_way_back_starts_again() -> None:
    solver, memory = load_solver("dls"), FRESH
    way = 0.9 * np.array([-0.95, 0.02, 0.3]) / np.linalg.norm([-0.95, 0.02, 0.3])
    for part in (*np.linspace(0.0, 1.0, 31).tolist(), *np.linspace(1.0, 0.0, 31).tolist()[1:]):
        elbow = position(BASE, "left_elbow", tuple(part * way))
        found = solver.solve(problem([elbow, *(position(BASE, foot) for foot in FEET)], BASE), memory)
        memory: Memory = found.memory
        if part < 0.5:
            assert found.residuals[0].state == "met", "it was up to half a metre off, back at where it had been"


def test_a_drag_out_of_reach_is_searched_from_the_proposal_every_two_centimetres_and_not_in_each_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anew, off, found = list[int](), list[float](), list[float]()
    for every in (False, True):
        if every:
            monkeypatch.setattr("solver.ik.continuity.TRIED_M", 0.0)
        solver, memory = load_solver("dls"), FRESH
        searched = list[Pose]()

        def counted(
            problem: IKProblem, proposal: Pose, state: ExactState | None = None, searched: list[Pose] = searched
        ) -> Refined:
            searched.extend([] if state else [proposal])
            return refine(problem, proposal, state)

        monkeypatch.setattr("solver.ik.continuity_kinds.refine", counted)
        held = [position(BASE, joint) for joint in ("left_elbow", "neck", "head", "pelvis", "right_wrist", *FEET)]
        off = []
        for step in range(40):
            wrist = position(BASE, "left_wrist", (0.0, 0.4 + 0.005 * step, 0.4))
            answer = solver.solve(problem([wrist, *held], BASE), memory)
            memory: Memory = answer.memory
            off.append(sum(residual.value for residual in answer.residuals))
        anew.append(len(searched))
        found = found or off
    assert anew[1] >= 39, "each step is out of reach"
    assert anew[0] <= 12
    assert np.abs(np.subtract(found, off)).max() < STUCK, "and all are as well met"


def test_out_of_reach_another_start_is_tried_anew_once_something_else_is_asked_or_more_firmly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anew = list[Pose]()

    def counted(problem: IKProblem, proposal: Pose, state: ExactState | None = None) -> Refined:
        anew.extend([] if state else [proposal])
        return refine(problem, proposal, state)

    monkeypatch.setattr("solver.ik.continuity_kinds.refine", counted)
    solver, memory, searches = load_solver("dls"), FRESH, list[int]()
    asks: list[Effector] = [position(BASE, "left_wrist", (0.0, 3.0, 0.2)), *(position(BASE, foot) for foot in FEET)]
    right, pinned = position(BASE, "right_wrist"), [replace(asks[0], pinned=True), *asks[1:]]
    for effectors in (asks, asks, asks, [*asks, right], [*asks, right], asks, asks, pinned):
        anew.clear()
        memory: Memory = solver.solve(problem(effectors), memory).memory
        searches.append(len(anew))
    assert searches == [1, 1, 0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize(("kind", "step_s"), [(Continuity.NONE, 0.0), (Continuity.IN_MOTION, 0.02)])
def test_a_search_that_starts_again_each_time_is_not_made_twice_for_a_handle_out_of_reach(
    kind: Continuity, step_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    far, made = replace(asked(3.0), step_s=step_s), list[Pose]()

    def counted(problem: IKProblem, proposal: Pose, state: ExactState | None = None) -> Refined:
        made.append(proposal)
        return refine(problem, proposal, state)

    monkeypatch.setattr("solver.ik.continuity_kinds.refine", counted)
    first = fickle(kind).solve(far)
    again = fickle(kind).solve(far, first.memory)
    assert again.residuals[0].value > 1.0
    assert len(made) == 2


def test_a_pose_that_was_chosen_stays_with_the_base_pose_for_which_it_was() -> None:
    whole, found, chosen = elsewhere()
    solver = load_solver("dls")
    kept = solver.solve(whole, ChosenPose(chosen, whole.effectors))
    assert largest_turn(kept.pose, chosen) < 0.5 * largest_turn(kept.pose, found)
    again = solver.solve(whole, kept.memory)
    assert largest_turn(again.pose, kept.pose) < 0.5
    other_base = replace(whole, base_pose=REST)
    assert isinstance(kept.memory, SolverMemory)
    let_go = solver.solve(other_base, kept.memory)
    forgotten = SolverMemory(
        "dls", kept.memory.warm_start._replace(last_solve=kept.memory.warm_start.last_solve._replace(anchor=None))
    )
    assert difference(let_go.pose, solver.solve(other_base, forgotten).pose) == 0.0


def test_in_motion_the_search_starts_at_the_proposal_and_a_still_pose_is_held_to_the_one_shown() -> None:
    whole, _, shown = elsewhere()

    def after(kind: Continuity, step_s: float) -> Pose:
        trail = LastSolve(state_at(shown), whole.effectors, whole.base_pose, BASE, shown)
        problem = replace(whole, step_s=step_s)
        return continue_solve(
            kind, problem, BASE, WarmStart(shown, last_solve=trail), lambda effectors: BASE
        ).refined.pose

    assert after(Continuity.IN_MOTION, 1 / 30) == after(Continuity.NONE, 0.0)
    assert after(Continuity.IN_MOTION, 0.0) == after(Continuity.FROM_SHOWN, 0.0)
    assert after(Continuity.IN_MOTION, 1 / 30) != after(Continuity.IN_MOTION, 0.0)


def test_as_a_contact_comes_off_its_owner_is_held_to_the_pose_shown() -> None:
    wrist = position(BASE, "left_wrist")
    lay = LastSolve(state_at(BASE), (Contact("left_wrist", wrist.target), position(BASE, FEET[0])), BASE, BASE, BASE)
    start = WarmStart(BASE, last_solve=lay)
    off, still = problem([wrist, position(BASE, FEET[0])], BASE), problem(list(lay.effectors), BASE)
    assert held_to_shown(off, REST, start, lambda effectors: REST) is BASE
    assert held_to_shown(still, REST, start, lambda effectors: REST) is REST, "nothing has come off"


def test_as_a_handle_is_new_the_last_proposal_counts() -> None:
    feet = tuple(position(BASE, foot) for foot in FEET)
    start = WarmStart(BASE, last_solve=LastSolve(state_at(BASE), feet, BASE, REST, BASE))
    asked = problem([*feet, position(BASE, "left_wrist")], BASE)
    assert held_to_shown(asked, BASE, start, lambda effectors: BASE) is REST


def test_as_a_drag_begins_a_proposal_is_held_as_the_first_solve_holds_it() -> None:
    there = [*(position(BASE, foot) for foot in FEET), position(BASE, "left_wrist")]
    asked = problem([*there[:-1], replace(there[-1], target=there[-1].target + np.float32(0.2))], BASE)
    shown, moved = WarmStart(BASE), pose_moved(REST, np.array([0.0, 0.1, 0.0]))
    held = held_to_shown(asked, moved, shown, lambda effectors: REST)
    found = continue_solve(Continuity.FROM_SHOWN, asked, moved, shown, lambda effectors: REST)
    assert held == found.last_solve.proposal
    assert difference(held, BASE) > 0.01, "it goes on from there"
    assert held_to_shown(asked, BASE, shown, lambda effectors: BASE) is BASE
    assert held_to_shown(asked, REST, WarmStart(None), lambda effectors: REST) is REST
