from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.errors import UnknownName
from solver.evaluation.contestants import Contestant, Contestants, contestants_of
from solver.evaluation.evaluate import Settings, able_to, evaluate
from solver.evaluation.pictures.sweep import MIXES, draw_on_joints, sweep
from solver.evaluation.protocols import PROTOCOLS
from solver.evaluation.trial_arrays import Answers, answers_of, figures_of, trial_arrays_of
from solver.formats.bvh.write import write_bvh
from solver.ik.pose_prior import natural_pose
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import SOLVERS
from tests.solver.evaluation_samples import BODY, SKELETON, standing, true_poses, write_clips

POSES = true_poses(4, seed=9)
POSES = (standing(POSES[0]), *POSES[1:])
COURSE = trial_arrays_of(tuple(PROTOCOLS["R"].trials(POSES)), BODY)
TIMES = ("solve_ms_p50", "solve_ms_p95")


def moved(pose: Pose, metres: tuple[float, float, float]) -> Pose:
    return Pose(pose.root_position + np.float32(metres), pose.rotations)


def figures(poses: list[Pose], seconds: float = 1.0) -> dict[str, float]:
    return figures_of(COURSE, Answers(tuple(poses), np.full(len(poses), seconds)), BODY)


def test_the_truth_itself_has_no_error() -> None:
    found = figures([trial.truth.pose for trial in COURSE.trials])
    assert all(value < 0.01 for name, value in found.items() if name not in (*TIMES, "foot_mm", "penetration_mm"))


def test_a_shifted_body_is_off_by_the_shift_but_not_once_aligned() -> None:
    found = figures([moved(trial.truth.pose, (0.03, 0.0, 0.04)) for trial in COURSE.trials], seconds=0.002)
    assert found["mpjpe_mm"] == pytest.approx(50.0, abs=1e-3)
    assert found["effector_mm"] == pytest.approx(50.0, abs=1e-3)
    assert found["effector_p95_mm"] == pytest.approx(50.0, abs=1e-3)
    assert found["l2_root"] == pytest.approx(0.0025, abs=1e-6)
    assert found["pa_mpjpe_mm"] < 1e-2
    assert found["ge_rad"] < 1e-3
    assert found["effector_deg"] < 0.05
    assert found["lookat_deg"] > 0.1
    assert found["solve_ms_p95"] == pytest.approx(2.0)


def test_feet_are_measured_against_the_floor_where_the_truth_stands_on_it() -> None:
    assert COURSE.stands[:7].all()
    assert not COURSE.stands[7:].any()
    true = figures([trial.truth.pose for trial in COURSE.trials])
    sunk = figures([moved(trial.truth.pose, (0, -0.1, 0)) for trial in COURSE.trials])
    risen = figures([moved(trial.truth.pose, (0, 0.1, 0)) for trial in COURSE.trials])
    assert true["foot_mm"] == pytest.approx(0.0, abs=1e-3)
    assert sunk["penetration_mm"] == pytest.approx(100.0, abs=1e-3)
    assert risen["penetration_mm"] == 0.0
    assert risen["foot_mm"] == pytest.approx(100.0, abs=1e-3)


def test_solvers_that_propose_have_a_row_alone_too() -> None:
    names = [row.name for row in contestants_of("all").contestants]
    assert len(names) == len(set(names))
    assert {"dls", "fabrik", "fabrik:raw", "ccd", "ccd:raw"} <= set(names)
    assert "dls:raw" not in names


def test_rows_can_be_named_and_unknown_ones_are_refused() -> None:
    assert [row.name for row in contestants_of("ccd:raw, dls").contestants] == ["ccd:raw", "dls"]
    with pytest.raises(UnknownName, match="“dls:raw”"):
        contestants_of("dls:raw")
    with pytest.raises(UnknownName, match="“nobody”"):
        contestants_of("nobody")


def test_the_exact_stage_follows_unless_the_row_is_raw() -> None:
    problem = next(PROTOCOLS["F"].trials(POSES[:1])).problem
    for row in contestants_of("fabrik,fabrik:raw,ccd,ccd:raw").contestants:
        same = row.solve(problem) == row_of_solver(row.name).propose(problem)  # type: ignore[attr-defined]
        assert same == row.name.endswith(":raw")


def row_of_solver(name: str) -> object:
    from solver.solvers.catalog import load_solver

    return load_solver(name.removesuffix(":raw"))


def test_a_solver_that_lacks_a_kind_of_effector_is_left_out_with_the_reason() -> None:
    some = Contestant("some", frozenset({"position"}), lambda problem: problem.base_pose)
    field = Contestants((some, *contestants_of("dls").contestants), {"absent": "its weights are missing"})
    able, left_out = able_to(PROTOCOLS["R"], field)
    assert [row.name for row in able] == ["dls"]
    assert left_out == {
        "absent": "its weights are missing",
        "some": "It does not take lookat, rotation effectors.",
    }
    able, left_out = able_to(PROTOCOLS["F"], field)
    assert [row.name for row in able] == ["some", "dls"]


def test_every_problem_is_solved_once_on_the_clock_after_a_warm_up() -> None:
    solved = []

    def solve(problem: object) -> Pose:
        solved.append(problem)
        return POSES[0].pose

    ticks: list[int] = []
    answers = answers_of(Contestant("counting", frozenset(), solve), COURSE, ticks.append)
    count = len(COURSE.trials)
    assert [id(p) for p in solved[-count:]] == [id(t.problem) for t in COURSE.trials]
    assert len(solved) > count
    assert len(answers.seconds) == len(answers.poses) == count
    assert ticks == list(range(1, count + 1))


@pytest.mark.slow
def test_two_runs_give_the_same_figures_except_times(tmp_path: Path) -> None:
    write_clips(tmp_path, {"a": 21})
    settings = Settings(tmp_path, solver="dls,fabrik:raw", max_poses=2, shape="random")
    runs = [evaluate(settings).as_json() for _ in range(2)]
    for run in runs:
        by_class = [rows["figures"] for protocol in PROTOCOLS for rows in run["postures"][protocol].values()]  # type: ignore[index]
        for rows in (*(run[protocol] for protocol in PROTOCOLS), *by_class):
            for row in rows.values():  # type: ignore[attr-defined]
                for name in TIMES:
                    assert row.pop(name) >= 0
    assert runs[0] == runs[1]
    assert set(runs[0]) == {*PROTOCOLS, "postures", "settings"}
    modes = {id: 2 for id in PROTOCOLS if id.startswith(("B:", "N:"))}
    assert runs[0]["settings"]["problems"] == {"R": 14, "Rp": 14, "F": 2, **modes}  # type: ignore[index]


def test_posture_classes_share_the_problems_among_them(tmp_path: Path) -> None:
    write_clips(tmp_path, {"stands": 21})
    on_back = np.tile(natural_pose(SKELETON).rotations, (11, 1, 1, 1))
    on_back[:, 0] = from_rotation_vector([-np.pi / 2, 0, 0])
    write_bvh(tmp_path / "lies.bvh", SKELETON, Motion(np.tile(np.float32([0, 0.15, 0]), (11, 1)), on_back))
    results = evaluate(Settings(tmp_path, solver="dls", protocol="Rp,B:local"))
    for id, metric in (("Rp", "mpjpe_mm"), ("B:local", "kept_m")):
        classes = results.postures[id]
        assert {name: rows.poses for name, rows in classes.items()} == {"standing": 3, "lying on the back": 2}
        assert sum(rows.problems for rows in classes.values()) == results.problems[id]
        shares = [rows.problems * rows.figures["dls"][metric] for rows in classes.values()]
        assert sum(shares) / results.problems[id] == pytest.approx(results.figures[id]["dls"][metric])


def test_several_draws_give_other_effectors_and_an_interval(tmp_path: Path) -> None:
    write_clips(tmp_path, {"a": 31})
    once, twice = (evaluate(Settings(tmp_path, solver="dls", protocol="Rp", draws=draws)) for draws in (1, 2))
    assert (once.problems["Rp"], twice.problems["Rp"]) == (28, 56)
    counts = [sum(rows.poses for rows in results.postures["Rp"].values()) for results in (once, twice)]
    assert counts == [4, 4]
    row, again = (results.figures["Rp"]["dls"] for results in (once, twice))
    assert "mpjpe_ci_mm" not in row
    assert 0 < again["mpjpe_ci_mm"] < again["mpjpe_mm"]
    assert again["mpjpe_mm"] != row["mpjpe_mm"]


def test_the_sweep_gives_so_many_joints_of_each_mix() -> None:
    for kinds, count in ((MIXES["positions"], 4), (MIXES["rotations"], 3), (MIXES["both"], 5)):
        effectors = next(draw_on_joints(count, kinds)(POSES[0], np.random.default_rng(0)))
        given = [e.joint for e in effectors if e.kind == kinds[-1]]
        assert len(set(given)) == len(given) == count
        if kinds == MIXES["rotations"]:
            assert [(e.joint, e.kind) for e in effectors][-1] == ("pelvis", "position")


def test_with_all_joints_given_nothing_is_left_to_guess() -> None:
    points = sweep(contestants_of("dls").contestants, POSES[:1], BODY)
    assert len(points) == len(MIXES) * 9
    full = {p.mix: p for p in points if p.joints == 22}
    assert full["both"].mpjpe_mm < 1.0
    assert full["both"].ge_rad < 0.01
    assert full["positions"].mpjpe_mm < 2.0
    few = {p.mix: p for p in points if p.joints == 1}
    assert all(few[mix].mpjpe_mm > full[mix].mpjpe_mm for mix in MIXES)


def test_every_registered_solver_is_known_to_the_field() -> None:
    field = contestants_of("all")
    ids = {row.name.removesuffix(":raw") for row in field.contestants} | set(field.left_out)
    assert ids == {spec.id for spec in SOLVERS}
