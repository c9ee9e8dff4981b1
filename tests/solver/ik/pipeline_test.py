"""A solver is a spec and a proposer; what follows the proposal, and what is remembered, is the pipeline's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import FIVE, body_skeleton, difference, masks, natural, position, problem
from made_up_solvers import LEAN, LEANING, LOYAL, MIRRORED, SIDE, Leaning, Loyal
from rig_samples import rig_of_many_joints

from solver.errors import PoserError, UnsupportedEffector
from solver.ik.exact import refine, refine_batch
from solver.ik.memory import FRESH, AtPose, ChosenPose, SolverMemory, WarmStart
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.ik.solver import Continuity, Proposal, ProposalRequest, Proposer, SolverSpec
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import geodesic_angle
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver

BASE = natural()
REST = rest_pose(body_skeleton())


def raised(base: Pose = BASE, height: float = 0.3) -> IKProblem:
    """The left hand is asked for higher up, the feet stay."""
    hand = position(BASE, "left_wrist", [0.0, height, 0.2])
    return problem([hand, position(BASE, "left_ankle"), position(BASE, "right_ankle")], base)


def test_a_proposer_is_given_what_it_wanted_to_remember() -> None:
    solver = Solver(LOYAL, Loyal())
    first = solver.solve(raised(BASE))
    loyal, anew = solver.solve(raised(REST), first.memory), solver.solve(raised(REST))
    assert difference(loyal.pose, first.pose) < 0.05
    assert difference(anew.pose, first.pose) > 0.2


def test_what_one_solver_remembers_is_no_more_than_a_pose_to_another() -> None:
    shown = Solver(LOYAL, Loyal()).solve(raised(REST))
    other = Solver(replace(LOYAL, id="another"), Loyal())
    assert other.solve(raised(), shown.memory).pose == other.solve(raised(), AtPose(shown.pose)).pose


@pytest.mark.parametrize(
    "memory",
    [AtPose(BASE), ChosenPose(BASE, ()), SolverMemory("dls", WarmStart(BASE))],
    ids=["at pose", "chosen", "own"],
)
def test_memories_of_a_skeleton_with_other_joints_count_for_nothing(memory: AtPose | ChosenPose | SolverMemory) -> None:
    assert memory.warm_start_for("dls", 23) == WarmStart()
    assert memory.warm_start_for("dls", 24).pose == BASE


def test_a_fresh_memory_takes_the_pose_that_is_shown_and_the_others_keep_theirs() -> None:
    assert FRESH.with_default_pose(BASE) == AtPose(BASE)
    for memory in (AtPose(REST), ChosenPose(REST, ()), SolverMemory("dls", WarmStart(REST))):
        assert memory.with_default_pose(BASE) == memory
    assert SolverMemory("dls", WarmStart(proposer_memory=3)).with_default_pose(BASE) == SolverMemory(
        "dls", WarmStart(BASE, proposer_memory=3)
    )


def test_without_an_exact_stage_the_proposal_is_the_answer() -> None:
    solver = Solver(replace(LEANING, exact=False), Leaning())
    asked = raised()
    solution = solver.solve(asked, options={LEAN.id: 20.0})
    assert solution.pose == solver.propose(asked, {LEAN.id: 20.0})
    assert solution.residuals == residuals(asked.skeleton, solution.pose, asked.effectors)
    assert solution.iterations == 0


def test_options_reach_the_proposer() -> None:
    solver = Solver(LEANING, Leaning())
    upright, ahead = solver.propose(raised()), solver.propose(raised(), {LEAN.id: 20.0})
    assert upright == BASE
    assert ahead != upright
    assert solver.propose(raised(), {LEAN.id: -20.0}) == solver.propose(raised(), {LEAN.id: 20.0, MIRRORED.id: True})
    assert solver.propose(raised(), {LEAN.id: 20.0, SIDE.id: "aside"}) != ahead


def test_the_proposal_alone_is_shown_and_the_exact_stage_goes_on_from_where_it_was_left() -> None:
    solver = Solver(LEANING, Leaning())
    exact = solver.solve(raised())
    alone = solver.solve(raised(), exact.memory, {PROPOSAL_ALONE.id: True})
    assert alone.pose == BASE
    assert alone.residuals[0].value > 0.1
    assert solver.solve(raised(), alone.memory).pose == solver.solve(raised(), exact.memory).pose


def test_a_switch_that_a_solver_does_not_declare_changes_nothing() -> None:
    solver = load_solver("dls")
    assert solver.solve(raised(), options={PROPOSAL_ALONE.id: True}).residuals[0].state == "met"


def test_a_spec_says_whether_the_exact_stage_applies_the_masks_again() -> None:
    kept = replace(raised(height=0.6), preserve_orientation=masks(left_shoulder=1.0, left_elbow=1.0))
    turned = []
    for again in (True, False):
        spec = replace(LOYAL, preserves_again=again)
        pose = Solver(spec, Loyal()).solve(kept).pose
        shoulder = body_skeleton().index("left_shoulder")
        turned.append(np.abs(pose.rotations[shoulder] - BASE.rotations[shoulder]).max())
    assert turned[0] < 0.5 * turned[1]


def test_a_spec_says_how_a_solve_goes_on_from_the_pose_shown() -> None:
    shown = AtPose(REST)
    poses = {
        kind: Solver(replace(LOYAL, continuity=kind), Loyal()).solve(raised(), shown).pose
        for kind in (Continuity.NONE, Continuity.FROM_SHOWN)
    }
    assert poses[Continuity.NONE] == Solver(LOYAL, Loyal()).solve(raised()).pose
    assert difference(poses[Continuity.FROM_SHOWN], REST) < difference(poses[Continuity.NONE], REST)


class OnlyTall(Proposer[None]):
    """Refuses whatever stands low."""

    def propose(self, request: ProposalRequest[None]) -> Proposal[None]:
        return Proposal(request.problem.base_pose)

    def accepts(self, problem: IKProblem) -> str:
        return "" if problem.base_pose.root_position[1] > 0.5 else "It stands too low."


def test_a_problem_is_refused_with_the_reason_of_the_spec_or_of_the_proposer() -> None:
    spec = SolverSpec("tall", "Tall", "", frozenset({"position"}), body="giant")
    solver = Solver(spec, OnlyTall())
    assert solver.accepts(raised()) == ""
    assert "trained on the body “giant”" in solver.accepts(replace(raised(), body="dwarf"))
    low = replace(raised(), base_pose=Pose(np.zeros(3), BASE.rotations))
    assert solver.accepts(low) == "It stands too low."
    with pytest.raises(PoserError, match="too low"):
        solver.solve(low)
    with pytest.raises(PoserError, match="giant"):
        solver.propose(replace(raised(), body="dwarf"))


def test_a_kind_that_the_spec_does_not_take_is_named_with_those_that_it_takes() -> None:
    solver = Solver(replace(LOYAL, effector_kinds=frozenset({"rotation"})), Loyal())
    refusal = solver.accepts(raised())
    assert refusal.index("position") < refusal.index("rotation"), "what it does not take, then what it does"
    with pytest.raises(UnsupportedEffector, match="position"):
        solver.solve(raised())
    off = tuple(replace(effector, enabled=False) for effector in raised().effectors)
    assert solver.accepts(replace(raised(), effectors=off)) == ""


def test_without_anything_to_keep_it_makes_no_difference_whether_masks_are_applied_again() -> None:
    again, once = (Solver(replace(LOYAL, preserves_again=which), Loyal()).solve(raised()) for which in (True, False))
    assert again.pose == once.pose


def test_a_proposal_on_a_rig_of_another_kind_is_the_rigs_pose() -> None:
    rig = rig_of_many_joints(52)
    base = natural_pose(rig)
    upright = Solver(LEANING, Leaning()).propose(IKProblem.without_masks(rig, (), base))
    ahead = Solver(LEANING, Leaning()).propose(IKProblem.without_masks(rig, (), base), {LEAN.id: 20.0})
    assert difference(upright, base) < 1e-6
    turned = np.degrees(geodesic_angle(ahead.rotations, base.rotations))
    assert turned[0] == pytest.approx(20.0, abs=0.01)
    assert turned[1:].max() < 0.01


def test_a_problem_whose_base_pose_is_of_another_skeleton_is_refused() -> None:
    with pytest.raises(ValueError, match="the base pose has 3 joints, the skeleton 24"):
        IKProblem.without_masks(body_skeleton(), (), Pose(np.zeros(3), np.tile(np.eye(3), (3, 1, 1))))


@pytest.mark.parametrize("many", [3, 12])
def test_many_sets_of_effectors_are_met_as_each_alone(many: int) -> None:
    asked = [raised(height=0.02 * number).effectors for number in range(many)]
    poses = refine_batch(body_skeleton(), asked, [BASE] * many)
    for effectors, pose in zip(asked, poses, strict=True):
        assert difference(pose, refine(problem(effectors), BASE).pose) < 0.02
        assert {residual.state for residual in residuals(body_skeleton(), pose, effectors)} == {"met"}


def test_many_problems_are_proposed_in_their_order() -> None:
    problems = [raised(base) for base in (BASE, REST)]
    assert Solver(LEANING, Leaning()).propose_batch(problems) == [BASE, REST]


def test_a_problem_without_masks_keeps_nothing() -> None:
    free = IKProblem.without_masks(body_skeleton(), [position(BASE, joint) for joint in FIVE], BASE, body="anny")
    assert not free.preserve_position.any()
    assert not free.preserve_orientation.any()
    assert len(free.effectors) == 5
    assert free.body == "anny"


HANDS = replace(LOYAL, id="hands", title="Hands", placeable_roles=frozenset({Role.LEFT_WRIST, Role.RIGHT_WRIST}))


def test_a_solver_that_places_two_joints_names_them_where_another_is_asked_for() -> None:
    assert HANDS.accepts(problem([position(BASE, "left_wrist")])) == ""
    asked = problem([position(BASE, "left_wrist"), position(BASE, "head")])
    assert HANDS.accepts(asked) == "Hands takes no position effector on the head: it places wrists only."
    with pytest.raises(PoserError, match="position effector on the head"):
        Solver(HANDS, Loyal()).solve(asked)


def test_a_skeleton_without_the_joints_that_a_solver_places_is_left_to_its_proposer() -> None:
    spec = replace(HANDS, placeable_roles=frozenset({Role.LEFT_WRIST, Role.LEFT_THUMB1}))
    assert spec.accepts(problem([position(BASE, "head")])) == ""


def test_a_solver_without_a_model_has_no_size() -> None:
    assert Solver(LOYAL, Loyal()).size_bytes == 0
    assert load_solver("smplik").size_bytes > 1_000_000


def test_again_about_the_same_proposal_asks_nobody_and_meets_what_has_moved_a_little() -> None:
    asked: list[ProposalRequest] = []

    class Counting(Leaning):
        def propose(self, request: ProposalRequest) -> Proposal:
            asked.append(request)
            return super().propose(request)

    solver = Solver(LEANING, Counting())
    first = solver.solve(raised())
    count = len(asked)
    moved = raised(height=0.305)
    again = solver.solve_reusing_proposal(moved, first)
    assert len(asked) == count
    assert again.residuals[0].state == "met"
    assert difference(again.pose, first.pose) < 0.05
    assert again.memory.warm_start_for(LEANING.id, 24).last_solve is not None


def test_again_is_a_solve_where_nothing_is_known_of_a_proposal() -> None:
    solver, network = Solver(LOYAL, Loyal()), load_solver("smplik")
    first = solver.solve(raised())
    other = replace(first, memory=AtPose(first.pose))
    assert solver.solve_reusing_proposal(raised(), other).pose == solver.solve(raised(), other.memory).pose
    alone = {PROPOSAL_ALONE.id: True}
    before = network.solve(raised())
    assert (
        network.solve_reusing_proposal(raised(), before, alone).pose
        == network.solve(raised(), before.memory, alone).pose
    )
