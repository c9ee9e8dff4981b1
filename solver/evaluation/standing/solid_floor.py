"""How deep skin is in the floor, and what a solid floor costs: the same problems solved without one and with one.

Recorded poses are first set onto the floor by their lowest skin, which the recording's own floor and our body's build
would otherwise leave above or below it. Effectors ask for what the pose has; those places are above the floor, so a
perfect solver would need no floor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.body.body import Body
from solver.body.floor import lowest_point, posed_vertices
from solver.contact.floor_points import floor_points
from solver.evaluation.poses import TruePose
from solver.evaluation.posture import POSTURES, Posture, posture_of
from solver.evaluation.trials import Protocol, Trial
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.rig import rig_of

Measured = tuple[list[float], list[float], list[float]]  # lowest skin, errors of strict effectors, milliseconds
SUNK = 0.005  # metres: skin further below the floor than this is counted


@dataclass(frozen=True)
class SolidFloorRow:
    """The problems of one posture class and solver, without and with a solid floor, in that order.

    lowest, worst: height of the lowest skin above the floor, the median and the minimum, metres. sunk: share of
    poses with skin more than 5 mm below it. missed: mean metres, or radians, of strict effectors' errors, the 95th
    percentile. took: milliseconds, the median and the 95th percentile.
    """

    posture: str
    problems: int
    lowest: tuple[float, float]
    worst: tuple[float, float]
    sunk: tuple[float, float]
    missed: tuple[float, float]
    took: tuple[tuple[float, float], tuple[float, float]]


def by_posture(
    poses: Sequence[TruePose],
    protocol: Protocol,
    solver: Solver,
    body: Body,
    most: int | None = None,
    seed: int = 0,
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Iterator[SolidFloorRow]:
    """One row for each posture class that occurs, then one for all. most: problems of each class, the first ones."""
    classes: dict[Posture, list[Trial]] = {posture: [] for posture in POSTURES}
    for trial in protocol.trials(tuple(standing(truth, body) for truth in poses), seed):
        truth = trial.truth
        posture = posture_of(rig_of(truth.skeleton), forward_kinematics(truth.skeleton, truth.pose).positions)
        if most is None or len(classes[posture]) < most:
            classes[posture].append(trial)
    total, every = sum(map(len, classes.values())), list[tuple[Measured, Measured]]()
    for trial in next(filter(None, classes.values()), [])[:1]:
        _measured(trial, solver, body)  # the first solve loads and compiles
    for posture, trials in classes.items():
        measured = []
        for trial in trials:
            measured.append(_measured(trial, solver, body))
            tell(f"floor {solver.spec.id}", len(every) + len(measured), total)
        every += measured
        if measured:
            yield _row(posture.value, measured)
    if every:
        yield _row("all", every)


def standing(truth: TruePose, body: Body) -> TruePose:
    """The pose raised or lowered until its lowest skin is at the floor."""
    lowest = lowest_point(body, truth.shape, truth.pose)
    root = truth.pose.root_position - np.array([0.0, lowest, 0.0], np.float32)
    return replace(truth, pose=Pose(root, truth.pose.rotations))


def _measured(trial: Trial, solver: Solver, body: Body) -> tuple[Measured, Measured]:
    problem, truth = replace(trial.problem, body=body.id), trial.truth
    solid = replace(problem, floor=floor_points(body, truth.shape))
    return _solved(problem, solver, body), _solved(solid, solver, body)


def _solved(problem: IKProblem, solver: Solver, body: Body) -> Measured:
    started = time.process_time()
    solution = solver.solve(problem)
    took = 1e3 * (time.process_time() - started)
    strict = [r.value for e, r in zip(problem.effectors, solution.residuals, strict=True) if e.tolerance == 0.0]
    skin = posed_vertices(body, problem.shape, solution.pose)
    return [float(skin[:, 1].min())], strict, [took]


def _row(name: str, measured: Sequence[tuple[Measured, Measured]]) -> SolidFloorRow:
    def both(of: Callable[[np.ndarray], float], part: int) -> tuple[float, float]:
        without, solid = (of(np.array([v for one in measured for v in one[k][part]])) for k in (0, 1))
        return without, solid

    def upper(values: np.ndarray) -> float:
        return float(np.percentile(values, 95)) if len(values) else 0.0

    median, most = both(lambda v: float(np.median(v)), 2), both(upper, 2)
    return SolidFloorRow(
        name,
        len(measured),
        both(lambda v: float(np.median(v)), 0),
        both(lambda v: float(v.min()), 0),
        both(lambda v: float((v < -SUNK).mean()), 0),
        both(upper, 1),
        ((median[0], most[0]), (median[1], most[1])),
    )
