"""A protocol's problems with their true poses as arrays, and what one contestant makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.floor import STANDS_WITHIN, lowest_sole_point
from solver.evaluation import metrics
from solver.evaluation.contestants import Contestant
from solver.evaluation.protocols import Trial
from solver.evaluation.zones import BODY_JOINTS
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose

Array = NDArray[np.floating]

WARM_UPS = 3  # solves that are not timed
_NAMES = {"position": "effector_mm", "rotation": "effector_deg", "lookat": "lookat_deg"}


@dataclass(frozen=True)
class Course:
    """T trials. positions (T, 22, 3) metres and local (T, 22, 3, 3): the truth. stands: (T,) whether it stands on the
    floor with its soles."""

    trials: tuple[Trial, ...]
    positions: Array
    local: Array
    stands: NDArray[np.bool_]


def course_of(trials: tuple[Trial, ...], body: Body) -> Course:
    """The trials with their truth, each true pose measured once."""
    known: dict[int, tuple[Array, Array, bool]] = {}
    for trial in trials:
        truth = trial.truth
        if truth.number not in known:
            standing = abs(lowest_sole_point(body, truth.shape, truth.pose)) <= STANDS_WITHIN
            known[truth.number] = *joints_of(trial, truth.pose), standing
    rows = [known[trial.truth.number] for trial in trials]
    places, local, stands = (np.array(part) for part in zip(*rows, strict=True))
    return Course(trials, places, local, stands)


def joints_of(trial: Trial, pose: Pose) -> tuple[Array, Array]:
    """Positions (22, 3) and local rotations (22, 3, 3) of the body joints of a pose on the trial's skeleton."""
    skeleton = trial.truth.skeleton
    index = [skeleton.index(name) for name in BODY_JOINTS]
    return forward_kinematics(skeleton, pose).positions[index], pose.rotations[index]


@dataclass(frozen=True)
class Answers:
    """A contestant's poses for a course and the seconds that each took, (T,)."""

    poses: tuple[Pose, ...]
    seconds: Array


def answers_of(contestant: Contestant, course: Course, tick: Callable[[int], None] = lambda done: None) -> Answers:
    """Let the contestant solve every problem, one at a time; the first few are solved once more before the clock runs.

    tick: told after each problem how many are done.
    """
    for trial in course.trials[:WARM_UPS]:
        contestant.solve(trial.problem)
    poses, seconds = [], []
    for done, trial in enumerate(course.trials, start=1):
        started = perf_counter()
        pose = contestant.solve(trial.problem)
        seconds.append(perf_counter() - started)
        poses.append(pose)
        tick(done)
    return Answers(tuple(poses), np.array(seconds))


def figures_of(course: Course, answers: Answers, body: Body) -> dict[str, float]:
    """The benchmark's metrics by name; one that there is nothing to measure for is absent."""
    pairs = [joints_of(trial, pose) for trial, pose in zip(course.trials, answers.poses, strict=True)]
    positions, local = (np.array(part, dtype=np.float64) for part in zip(*pairs, strict=True))
    errors = metrics.pose_errors(positions, local, course.positions, course.local)
    means = {name: float(values.mean()) for name, values in errors.items()}
    return {
        **means,
        "l2_root": float(metrics.l2_root(positions, course.positions).mean()),
        "l2_joints": float(metrics.l2_joints(positions, course.positions).mean()),
        "geo": means["ge_rad"],
        **_effector_figures(course, answers),
        **_floor_figures(course, answers, body),
        "solve_ms_p50": float(1e3 * np.percentile(answers.seconds, 50)),
        "solve_ms_p95": float(1e3 * np.percentile(answers.seconds, 95)),
    }


def _effector_figures(course: Course, answers: Answers) -> dict[str, float]:
    off: dict[str, list[float]] = {kind: [] for kind in _NAMES}
    for trial, pose in zip(course.trials, answers.poses, strict=True):
        effectors = trial.problem.effectors
        for effector, value in zip(effectors, effector_errors(trial.truth.skeleton, pose, effectors), strict=True):
            off[effector.kind].append(metrics.MILLIMETRES * value if effector.kind == "position" else np.degrees(value))
    figures = {name: float(np.mean(off[kind])) for kind, name in _NAMES.items() if off[kind]}
    if off["position"]:
        figures["effector_p95_mm"] = float(np.percentile(off["position"], 95))
    return figures


def _floor_figures(course: Course, answers: Answers, body: Body) -> dict[str, float]:
    heights = [
        metrics.MILLIMETRES * lowest_sole_point(body, trial.truth.shape, pose)
        for trial, pose, stands in zip(course.trials, answers.poses, course.stands, strict=True)
        if stands
    ]
    if not heights:
        return {}
    return {
        "foot_mm": float(np.mean(np.abs(heights))),
        "penetration_mm": float(np.mean(np.maximum(0.0, -np.array(heights)))),
    }
