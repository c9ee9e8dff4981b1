"""Figures that are tied to each other are solved together: each by its own solver, until they meet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, largest_turn, natural, place, position, problem

from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.effectors.resolve import Context, Sample, has_sources, tied_figures
from solver.effectors.sources import JointSource, StreamSource
from solver.evaluation.speed import random_poses
from solver.ik.memory import Memory, SettledMemory
from solver.ik.multi_solve.shared_problem import SharedProblem, TiedFigure
from solver.ik.multi_solve.together import HURRIED, KNEES, solve_together
from solver.ik.options import Options
from solver.ik.problem import IKProblem
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import load_solver

BASE = natural()
FEET = ("left_ankle", "right_ankle")


def at(pose: Pose, place_m: list[float], heading: float = 0.0) -> Pose:
    """The pose turned about the vertical and stood elsewhere; the heights stay."""
    turn = from_rotation_vector([0.0, heading, 0.0])
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ rotations[0]
    return Pose(np.float32([place_m[0], pose.root_position[1], place_m[1]]), rotations)


def tie(pose: Pose, joint: str, character: str, other: str, **options) -> Position:
    return replace(position(pose, joint), source=JointSource(character, other), id=f"{joint}-{other}", **options)


def figure(id: str, pose: Pose, effectors: list[Effector], solver: str = "dls") -> TiedFigure:
    return TiedFigure(id, problem(effectors, pose), load_solver(solver), pose)


def planted(pose: Pose) -> list[Effector]:
    return [position(pose, foot) for foot in FEET]


def pair(a: Pose, b: Pose, hand: str = "left_wrist", other: str = "right_wrist", solver: str = "dls") -> SharedProblem:
    return SharedProblem(
        (
            figure("a", a, [*planted(a), tie(a, hand, "b", other)], solver),
            figure("b", b, [*planted(b), tie(b, other, "a", hand)], solver),
        )
    )


def gap(answers: dict, hand: str = "left_wrist", other: str = "right_wrist") -> float:
    return float(np.linalg.norm(place(answers["a"].solution.pose, hand) - place(answers["b"].solution.pose, other)))


@pytest.mark.parametrize(("solver", "starts"), [("dls", 50), ("smplik", 50)])
def test_two_hands_tied_to_each_other_meet_from_random_starts(solver: str, starts: int) -> None:
    rng = np.random.default_rng(4)
    poses = random_poses(body_skeleton(), 2 * starts, seed=12)
    far = []
    for start in range(starts):
        a = at(poses[2 * start], [0.0, 0.0], rng.uniform(-0.7, 0.7))
        away = rng.uniform(0.5, 0.9)
        b = at(poses[2 * start + 1], [rng.uniform(-0.3, 0.3), away], np.pi + rng.uniform(-0.7, 0.7))
        answers = solve_together(pair(a, b, solver=solver))
        far.append(gap(answers))
        assert [r.state for r in answers["a"].solution.residuals] == ["met"] * 3
        assert [r.state for r in answers["b"].solution.residuals] == ["met"] * 3
    assert max(far) < 1e-3


def test_they_meet_half_way_where_both_can() -> None:
    a, b = at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.6], np.pi)
    answers = solve_together(pair(a, b))
    middle = (place(a, "left_wrist") + place(b, "right_wrist")) / 2
    for id, joint in (("a", "left_wrist"), ("b", "right_wrist")):
        assert np.linalg.norm(place(answers[id].solution.pose, joint) - middle) < 0.02


def test_a_figure_that_cannot_come_is_met_where_it_is() -> None:
    a, b = at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.7], np.pi)
    shared = pair(a, b)
    held = position(a, "left_wrist", [0.05, 0.1, 0.0], pinned=True)
    first = shared.figures[0]
    stuck = replace(
        first, problem=replace(first.problem, effectors=(*planted(a), held, tie(a, "left_wrist", "b", "right_wrist")))
    )
    answers = solve_together(SharedProblem((stuck, shared.figures[1])))
    assert gap(answers) < 1e-3
    assert np.linalg.norm(place(answers["a"].solution.pose, "left_wrist") - held.target) < 1e-3


def test_a_tie_of_one_side_moves_that_side_alone() -> None:
    a, b = at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.6], np.pi)
    following = figure("a", a, [*planted(a), tie(a, "left_wrist", "b", "right_shoulder")])
    answers = solve_together(SharedProblem((following, figure("b", b, planted(b)))))
    assert gap(answers, other="right_shoulder") < 1e-3
    assert largest_turn(answers["b"].solution.pose, b) < 0.1


def test_a_figure_tied_to_a_tied_figure_ends_at_the_last_one() -> None:
    poses = [at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.6], np.pi), at(BASE, [0.5, 0.3], -np.pi / 2)]
    last = figure("c", poses[2], [*planted(poses[2]), position(poses[2], "left_wrist", [0.0, 0.3, 0.0])])
    following = [
        figure(id, pose, [*planted(pose), tie(pose, "left_wrist", other, "left_wrist")])
        for id, pose, other in (("a", poses[0], "b"), ("b", poses[1], "c"))
    ]
    answers = solve_together(SharedProblem((*following, last)))
    ends = [place(answers[id].solution.pose, "left_wrist") for id in "abc"]
    assert np.linalg.norm(ends[0] - ends[2]) < 2e-3
    alone = solve_together(SharedProblem((last,)))["c"].solution
    assert answers["c"].solution.pose == alone.pose
    assert answers["c"].solution.iterations == alone.iterations, "whose targets stay is not solved again"


def test_figures_that_stand_far_apart_come_nearer_until_the_rounds_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = (replace(BASE, root_position=np.float32([x, 0.9, 0.0])) for x in (-20.0, 20.0))
    shared = SharedProblem(
        (figure("a", a, [tie(a, "head", "b", "head")]), figure("b", b, [tie(b, "head", "a", "head")]))
    )
    assert gap(solve_together(shared), "head", "head") < 1e-3
    left = []
    for rounds in (1, 2):
        monkeypatch.setattr("solver.ik.multi_solve.together.ROUNDS", rounds)
        left.append(gap(solve_together(shared), "head", "head"))
    assert 40.0 > left[0] > left[1]
    assert left[0] > 1.0


def test_targets_come_back_as_plain_numbers_where_the_joints_are_in_the_end() -> None:
    answers = solve_together(pair(at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.7], np.pi)))
    for id, other, joint in (("a", "b", "right_wrist"), ("b", "a", "left_wrist")):
        tied = answers[id].effectors[-1]
        assert tied.target == pytest.approx(place(answers[other].solution.pose, joint), abs=1e-6)
        assert tied.source == JointSource(other, "left_wrist" if other == "a" else "right_wrist")


def test_figures_out_of_each_others_reach_stretch_towards_each_other_and_say_so() -> None:
    a, b = at(BASE, [0.0, 0.0]), at(BASE, [0.0, 6.0], np.pi)
    answers = solve_together(pair(a, b))
    for id in "ab":
        assert answers[id].solution.residuals[-1].state == "unreachable"
        assert np.isfinite(answers[id].solution.pose.rotations).all()
    assert gap(answers) < np.linalg.norm(place(a, "left_wrist") - place(b, "right_wrist")) - 0.5


def test_solving_again_from_what_was_left_moves_nothing() -> None:
    shared = pair(at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.7], np.pi))
    first = solve_together(shared)
    again = solve_together(
        SharedProblem(
            tuple(
                replace(f, shown=first[f.id].solution.pose, memory=first[f.id].solution.memory) for f in shared.figures
            )
        )
    )
    for id in "ab":
        assert largest_turn(first[id].solution.pose, again[id].solution.pose) < 0.5


def test_while_time_passes_nobody_comes_to_rest_though_the_same_is_asked_again() -> None:
    two = pair(at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.7], np.pi))
    for step_s, searches in ((0.0, False), (1 / 30, True)):
        timed = tuple(replace(f, problem=replace(f.problem, step_s=step_s)) for f in two.figures)
        first = solve_together(SharedProblem(timed))
        assert all(isinstance(first[id].solution.memory, SettledMemory) != searches for id in "ab")
        after = (replace(f, shown=first[f.id].solution.pose, memory=first[f.id].solution.memory) for f in timed)
        again = solve_together(SharedProblem(tuple(after)))
        assert all((again[id].solution.iterations > 0) == searches for id in "ab")


def test_a_figure_can_be_tied_to_itself() -> None:
    pose = at(BASE, [0.0, 0.0])
    akimbo = figure("a", pose, [*planted(pose), tie(pose, "left_wrist", "a", "left_hip")])
    solution = solve_together(SharedProblem((akimbo,)))["a"].solution
    assert np.linalg.norm(place(solution.pose, "left_wrist") - place(solution.pose, "left_hip")) < 1e-3
    ties = [tie(pose, "left_wrist", "a", "right_wrist"), tie(pose, "right_wrist", "a", "left_wrist")]
    folded = solve_together(SharedProblem((figure("a", pose, [*planted(pose), *ties]),)))["a"].solution.pose
    assert np.linalg.norm(place(folded, "left_wrist") - place(folded, "right_wrist")) < 1e-3


def test_turns_and_looks_are_tied_as_well() -> None:
    a, b = at(BASE, [0.0, 0.0]), at(BASE, [0.3, 0.9], np.pi)
    world = forward_kinematics(body_skeleton(), a)
    head = body_skeleton().index("head")
    looking = LookAt("head", world.positions[head] + [0, 0, 1], source=JointSource("b", "head"))
    turned = Rotation("left_wrist", np.eye(3), source=JointSource("b", "right_wrist"))
    answers = solve_together(
        SharedProblem((figure("a", a, [*planted(a), looking, turned]), figure("b", b, planted(b))))
    )
    mine, theirs = (forward_kinematics(body_skeleton(), answers[id].solution.pose) for id in "ab")
    away = theirs.positions[head] - mine.positions[head]
    assert np.degrees(np.arccos(mine.rotations[head][:, 2] @ away / np.linalg.norm(away))) < 1.0
    wrists = [w.rotations[body_skeleton().index(n)] for w, n in ((mine, "left_wrist"), (theirs, "right_wrist"))]
    assert np.degrees(geodesic_angle(*wrists)) < 2.0


def test_a_stream_is_a_target_too() -> None:
    tracked = replace(position(BASE, "left_wrist"), source=StreamSource("glove"))
    sample = Sample(place(BASE, "left_wrist") + np.float32([0.1, 0.2, 0.1]))
    shared = SharedProblem((figure("a", BASE, [*planted(BASE), tracked]),), Context(samples={"glove": sample}))
    answer = solve_together(shared)["a"]
    assert answer.effectors[-1].target == pytest.approx(sample.place)
    assert answer.solution.residuals[-1].state == "met"


def test_what_asks_for_nothing_ties_nothing() -> None:
    off = [tie(BASE, "left_wrist", "b", "head", enabled=False), tie(BASE, "right_wrist", "b", "head", loose=True)]
    assert tied_figures(off) == frozenset()
    assert not has_sources(off)
    assert tied_figures([tie(BASE, "left_wrist", "b", "head")]) == {"b"}
    assert has_sources([tie(BASE, "left_wrist", "b", "head")])
    answer = solve_together(SharedProblem((figure("a", BASE, [*planted(BASE), *off]), figure("b", BASE, []))))["a"]
    assert answer.effectors == (*planted(BASE), *off)


def test_without_ties_it_is_each_solvers_own_answer() -> None:
    asked = problem([*planted(BASE), position(BASE, "left_wrist", [0.1, 0.3, 0.2])])
    alone = load_solver("dls").solve(asked, figure("a", BASE, []).memory.with_default_pose(BASE))
    together = solve_together(SharedProblem((TiedFigure("a", asked, load_solver("dls"), BASE),)))["a"].solution
    assert together.pose == alone.pose
    assert [r.state for r in together.residuals] == [r.state for r in alone.residuals]


def test_two_figures_of_one_id_are_refused() -> None:
    one = figure("a", BASE, [])
    with pytest.raises(ValueError, match="same id"):
        SharedProblem((one, one))


def test_each_figure_is_solved_by_its_own_solver_with_its_own_problem() -> None:
    a, b = at(BASE, [0.0, 0.0]), at(BASE, [0.0, 0.6], np.pi)
    shared = SharedProblem((pair(a, b).figures[0], replace(pair(a, b).figures[1], solver=load_solver("smplik"))))
    answers = solve_together(shared)
    assert gap(answers) < 1e-3
    assert isinstance(shared.figures[0].problem, IKProblem)


class Overshooting:
    """Meets a wrist's target, and moves the hips away from where that is: `GAIN` times as far from `AIM`.

    A wrist tied to the hip comes to rest at AIM. Half of the way there in each round is too much, a quarter is not.
    """

    GAIN, AIM = 3.2, place(BASE, "left_hip") + np.float32([0.03, 0.0, 0.0])

    def solve(self, problem: IKProblem, memory: Memory, options: Options) -> IKSolution:
        wrist = next(effector for effector in problem.effectors if effector.joint == "left_wrist")
        away = self.AIM - place(BASE, "left_hip") - self.GAIN * (wrist.target - self.AIM)
        held = [position(BASE, "pelvis", away), Rotation("pelvis", BASE.rotations[0])]
        return load_solver("dls").solve(replace(problem, effectors=(*held, replace(wrist, source=None))), memory)

    def solve_reusing_proposal(self, problem: IKProblem, before: IKSolution, options: Options) -> IKSolution:
        return self.solve(problem, before.memory, options)


def test_whoever_swings_about_a_tie_to_itself_goes_back_to_the_best_and_on_in_smaller_steps() -> None:
    swinging = TiedFigure("a", problem([tie(BASE, "left_wrist", "a", "left_hip")], BASE), Overshooting(), BASE)
    pose = solve_together(SharedProblem((swinging,)))["a"].solution.pose
    assert np.linalg.norm(place(pose, "left_wrist") - place(pose, "left_hip")) < 0.002
    assert np.linalg.norm(place(pose, "left_hip") - Overshooting.AIM) < 0.002


class Staying(Overshooting):
    """As `Overshooting`, with hips that come to one place wherever the wrist goes. solves: how many there were."""

    GAIN, AIM = 0.0, place(BASE, "left_hip") + np.float32([0.08, 0.0, 0.0])

    def __init__(self) -> None:
        self.solves = 0

    def solve(self, problem: IKProblem, memory: Memory, options: Options) -> IKSolution:
        self.solves += 1
        return super().solve(problem, memory, options)


def test_a_hand_goes_all_the_way_to_its_own_hip_as_soon_as_that_has_not_answered_to_a_step() -> None:
    staying = Staying()
    hand = TiedFigure("a", problem([tie(BASE, "left_wrist", "a", "left_hip")], BASE), staying, BASE)
    pose = solve_together(SharedProblem((hand,)))["a"].solution.pose
    assert np.linalg.norm(place(pose, "left_wrist") - place(pose, "left_hip")) < 1e-3
    assert staying.solves == 3


def test_who_is_asked_something_newer_is_solved_in_a_few_rounds_and_goes_on_from_there() -> None:
    class Swinging(Staying):
        GAIN, AIM = Overshooting.GAIN, Overshooting.AIM

    swinging = Swinging()
    hand = TiedFigure("a", problem([tie(BASE, "left_wrist", "a", "left_hip")], BASE), swinging, BASE)
    hasty = solve_together(SharedProblem((hand,)), lambda: True)["a"].solution
    assert swinging.solves == HURRIED
    goes_on = replace(hand, shown=hasty.pose, memory=hasty.memory)
    pose = solve_together(SharedProblem((goes_on,)))["a"].solution.pose
    assert np.linalg.norm(place(pose, "left_wrist") - place(pose, "left_hip")) < 0.002


class Counting:
    """A solver that counts what it is asked."""

    def __init__(self) -> None:
        self.solves = 0
        self._solver = load_solver("dls")

    def solve(self, problem: IKProblem, memory: Memory, options: Options) -> IKSolution:
        self.solves += 1
        return self._solver.solve(problem, memory, options)

    def solve_reusing_proposal(self, problem: IKProblem, before: IKSolution, options: Options) -> IKSolution:
        self.solves += 1
        return self._solver.solve_reusing_proposal(problem, before, options)


@pytest.mark.parametrize(("most", "solves"), [(0.02, 3), (1.0, KNEES)])
def test_effectors_that_change_with_the_pose_are_asked_for_again_until_they_rest_but_not_without_end(
    most: float, solves: int
) -> None:
    hand, counting = position(BASE, "left_wrist"), Counting()

    def further(effectors: tuple[Effector, ...], pose: Pose) -> tuple[Effector, ...]:
        (wrist,) = effectors
        gone = wrist.target[1] - hand.target[1] > most - 1e-4
        return effectors if gone else (replace(wrist, target=wrist.target + np.float32([0.0, 0.01, 0.0])),)

    asked = TiedFigure("a", problem([hand], BASE), counting, BASE, refit=further)
    answer = solve_together(SharedProblem((asked,)))["a"]
    assert counting.solves == solves
    assert answer.effectors[0].target[1] - hand.target[1] == pytest.approx(0.01 * (solves - 1), abs=1e-4)
    assert np.linalg.norm(place(answer.solution.pose, "left_wrist") - answer.effectors[0].target) < 1e-3
