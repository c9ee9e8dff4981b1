"""A protocol's problems with their true poses as arrays, and what one contestant makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.floor import STANDS_WITHIN, lowest_sole_point
from solver.effectors.kinds import Position, kinds
from solver.evaluation import metrics
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.contestants import Contestant
from solver.evaluation.posture import POSTURES, posture_of
from solver.evaluation.trials import Trial
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.rig import rig_of

Array = NDArray[np.floating]

WARM_UPS = 3  # solves that are not timed
FEW_CLIPS = 5  # too few to tell how much clips differ


@dataclass(frozen=True)
class TrialArrays:
    """T trials. positions (T, 22, 3) metres and local (T, 22, 3, 3): the truth. stands: (T,) whether its soles are on
    the floor. postures: (T,) indices into POSTURES."""

    trials: tuple[Trial, ...]
    positions: Array
    local: Array
    stands: NDArray[np.bool_]
    postures: NDArray[np.int64]

    def only(self, chosen: NDArray[np.int64]) -> TrialArrays:
        """The trials at these indices."""
        trials = tuple(self.trials[i] for i in chosen)
        truth = self.positions[chosen], self.local[chosen]
        return TrialArrays(trials, *truth, self.stands[chosen], self.postures[chosen])

    @property
    def groups(self) -> list[str] | list[int]:
        """The group of correlated trials that each belongs to: by clip, or by pose if there are few clips."""
        clips = [trial.truth.clip for trial in self.trials]
        return clips if len(set(clips)) >= FEW_CLIPS else [trial.truth.number for trial in self.trials]

    @property
    def poses(self) -> int:
        """How many poses the trials come from."""
        return len({trial.truth.number for trial in self.trials})

    @property
    def standing(self) -> int:
        """How many of the poses stand on the floor."""
        return len({trial.truth.number for trial, stands in zip(self.trials, self.stands, strict=True) if stands})


def trial_arrays_of(trials: tuple[Trial, ...], body: Body) -> TrialArrays:
    """The trials with their truth, each true pose measured once."""
    known: dict[int, tuple[Array, Array, bool, int]] = {}
    for trial in trials:
        truth = trial.truth
        if truth.number not in known:
            standing = abs(lowest_sole_point(body, truth.shape, truth.pose)) <= STANDS_WITHIN
            everywhere = forward_kinematics(truth.skeleton, truth.pose).positions
            posture = POSTURES.index(posture_of(rig_of(truth.skeleton), everywhere))
            known[truth.number] = *joints_of(trial, truth.pose), standing, posture
    rows = [known[trial.truth.number] for trial in trials]
    places, local, stands, postures = (np.array(part) for part in zip(*rows, strict=True))
    return TrialArrays(trials, places, local, stands, postures)


def joints_of(trial: Trial, pose: Pose) -> tuple[Array, Array]:
    """Positions (22, 3) and local rotations (22, 3, 3) of the body joints of a pose on the trial's skeleton."""
    skeleton = trial.truth.skeleton
    index = [skeleton.index(name) for name in BODY_JOINTS]
    return forward_kinematics(skeleton, pose).positions[index], pose.rotations[index]


@dataclass(frozen=True)
class Answers:
    """A contestant's poses for some arrays and the seconds that each took, (T,)."""

    poses: tuple[Pose, ...]
    seconds: Array

    def only(self, chosen: NDArray[np.int64]) -> Answers:
        """The answers to the trials at these indices."""
        return Answers(tuple(self.poses[i] for i in chosen), self.seconds[chosen])


def answers_of(contestant: Contestant, arrays: TrialArrays, tick: Callable[[int], None] = lambda done: None) -> Answers:
    """Let the contestant solve every problem, one at a time; the first few are solved once untimed as a warm-up.

    tick: called after each problem with how many are done.
    """
    for trial in arrays.trials[:WARM_UPS]:
        contestant.solve(trial.problem)
    poses, seconds = [], []
    for done, trial in enumerate(arrays.trials, start=1):
        started = perf_counter()
        pose = contestant.solve(trial.problem)
        seconds.append(perf_counter() - started)
        poses.append(pose)
        tick(done)
    return Answers(tuple(poses), np.array(seconds))


def figures_of(arrays: TrialArrays, answers: Answers, body: Body, interval: bool = False) -> dict[str, float]:
    """The benchmark's metrics by name; metrics with nothing to measure are absent.

    interval: with the confidence interval of the mean position error, over clips, or over poses if there are few clips.
    """
    positions, local = answered_joints(arrays, answers)
    errors = metrics.pose_errors(positions, local, arrays.positions, arrays.local)
    means = {name: float(values.mean()) for name, values in errors.items()}
    return {
        **means,
        **({"mpjpe_ci_mm": metrics.half_interval(errors["mpjpe_mm"], arrays.groups)} if interval else {}),
        "l2_root": float(metrics.l2_root(positions, arrays.positions).mean()),
        "l2_joints": float(metrics.l2_joints(positions, arrays.positions).mean()),
        "geo": means["ge_rad"],
        **effector_figures(arrays, answers),
        **_floor_figures(arrays, answers, body),
        **time_figures(answers),
    }


def answered_joints(arrays: TrialArrays, answers: Answers) -> tuple[Array, Array]:
    """Positions (T, 22, 3) and local rotations (T, 22, 3, 3) of the body joints of the answers, float64."""
    pairs = [joints_of(trial, pose) for trial, pose in zip(arrays.trials, answers.poses, strict=True)]
    positions, local = (np.array(part, dtype=np.float64) for part in zip(*pairs, strict=True))
    return positions, local


def time_figures(answers: Answers) -> dict[str, float]:
    """Median and 95th percentile of the solve times, milliseconds."""
    return {f"solve_ms_p{share}": float(1e3 * np.percentile(answers.seconds, share)) for share in (50, 95)}


def effector_figures(arrays: TrialArrays, answers: Answers) -> dict[str, float]:
    """How far the effectors that were given are missed, by kind: means, and the 95th percentile of positions."""
    off: dict[str, list[float]] = {kind.id: [] for kind in kinds()}
    for trial, pose in zip(arrays.trials, answers.poses, strict=True):
        effectors = trial.problem.effectors
        for effector, value in zip(effectors, effector_errors(trial.truth.skeleton, pose, effectors), strict=True):
            off[effector.kind].append(effector.spec.unit.to_small_unit(value))
    figures = {kind.figure: float(np.mean(off[kind.id])) for kind in kinds() if kind.figure and off[kind.id]}
    if off[Position.kind]:
        figures["effector_p95_mm"] = float(np.percentile(off[Position.kind], 95))
    return figures


def _floor_figures(arrays: TrialArrays, answers: Answers, body: Body) -> dict[str, float]:
    heights = [
        metrics.MILLIMETRES * lowest_sole_point(body, trial.truth.shape, pose)
        for trial, pose, stands in zip(arrays.trials, answers.poses, arrays.stands, strict=True)
        if stands
    ]
    if not heights:
        return {}
    return {
        "foot_mm": float(np.mean(np.abs(heights))),
        "penetration_mm": float(np.mean(np.maximum(0.0, -np.array(heights)))),
    }
