"""How deep bodies pass through themselves, and what preventing it costs: the same problems without and with it.

Head, pelvis and feet are asked to be where a recorded pose has them, the hands at places drawn around its trunk: many
of them are within the body or on its other side.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.body.body import Body
from solver.contact.floor_points import floor_points
from solver.contact.obstacles import Obstacles
from solver.contact.solid_body import solid_body
from solver.effectors.kinds import Position
from solver.effectors.residual_kernels import Rows
from solver.evaluation.poses import TruePose
from solver.evaluation.standing.skin_intersection import self_intersection_depth
from solver.evaluation.trials import problem_of
from solver.ik.kernel_arrays import rows_of, strengths_of
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.rig.roles import ARMS, LEGS, Role

HELD = (Role.PELVIS, Role.HEAD, *(leg.end for leg in LEGS))
AROUND = ((-0.3, -0.45, -0.15), (0.3, 0.45, 0.4))  # metres about the chest, to its left, up and ahead
VISIBLE, MET = 0.01, 0.001  # metres: skin deeper than this is counted; an effector no further off is met
Pair = tuple[float, float]


@dataclass(frozen=True)
class SolidBodyRow:
    """The problems of one solver, without and with a solid body, in that order.

    depth, worst: metres that skin is within other parts of the body, the mean and the maximum over poses. visible:
    share of poses where that is more than 1 cm. held: metres by which head, pelvis and feet are off, the 95th
    percentile. hands: likewise for hands whose places can be reached and are not within the body. reachable: how many
    those are. took: milliseconds of processor time, the median and the 95th percentile.
    """

    problems: int
    depth: Pair
    worst: Pair
    visible: Pair
    held: Pair
    hands: Pair
    reachable: int
    took: tuple[Pair, Pair]


@dataclass(frozen=True)
class _Measured:
    depth: float
    held: list[float]
    hands: list[float]
    took: float


def compare_solid_body(
    poses: Sequence[TruePose],
    solver: Solver,
    body: Body,
    seed: int = 0,
    floor: bool = False,
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> SolidBodyRow:
    """Measure one solver on these poses. floor: on a solid floor, each time."""
    measured: list[tuple[_Measured, _Measured]] = []
    for number, problem in enumerate(_problems(poses, body, seed, floor)):
        solid = replace(problem, obstacles=Obstacles(solid_body(body, problem.shape)))
        if not number:
            solver.solve(solid)  # the first solve loads and compiles
        free, kept = _timed(problem, solver), _timed(solid, solver)
        reached = _reached(solid, free[0])
        measured.append((_measured(problem, free, reached, body), _measured(problem, kept, reached, body)))
        tell(f"solid body {solver.spec.id}", number + 1, len(poses))
    return _row(measured)


def _problems(poses: Sequence[TruePose], body: Body, seed: int, floor: bool) -> Iterator[IKProblem]:
    for truth in poses:
        rig, rng = body.rig(truth.shape), np.random.default_rng([seed, truth.number])
        joints = forward_kinematics(truth.skeleton, truth.pose)
        chest = rig.index(Role.SPINE3)
        wrists = [rig.name(arm.end) for arm in ARMS]
        drawn = rng.uniform(*AROUND, (len(wrists), 3)) @ joints.rotations[chest].T + joints.positions[chest]
        held = [Position(rig.name(role), joints.positions[rig.index(role)]) for role in HELD]
        asked = (*map(Position, wrists, drawn.astype(np.float32)), *held)
        problem = replace(problem_of(truth, asked), body=body.id)
        yield replace(problem, floor=floor_points(body, truth.shape)) if floor else problem


def _timed(problem: IKProblem, solver: Solver) -> tuple[IKSolution, float]:
    started = time.process_time()
    solution = solver.solve(problem)
    return solution, 1e3 * (time.process_time() - started)


def _reached(solid: IKProblem, free: IKSolution) -> list[int]:
    """Indices of the hands that can be where they are asked to be: a body that may pass through itself gets them there,
    and there they are not within its trunk."""
    assert solid.obstacles is not None
    rows: Rows = rows_of(solid.skeleton, solid.effectors)
    within = solid.obstacles.raised(rows, strengths_of(solid.effectors), solid.skeleton, free.pose).which
    return [i for i in range(len(ARMS)) if free.residuals[i].value < MET and i not in within]


def _measured(problem: IKProblem, solved: tuple[IKSolution, float], reached: list[int], body: Body) -> _Measured:
    solution, took = solved
    off = [residual.value for residual in solution.residuals]
    depth = self_intersection_depth(body, problem.shape, solution.pose)
    return _Measured(depth, off[len(ARMS) :], [off[i] for i in reached], took)


def _row(measured: Sequence[tuple[_Measured, _Measured]]) -> SolidBodyRow:
    def both(of: Callable[[list[_Measured]], float]) -> Pair:
        return of([one[0] for one in measured]), of([one[1] for one in measured])

    def upper(values: Sequence[float]) -> float:
        return float(np.percentile(values, 95)) if len(values) else 0.0

    took = [both(lambda some, share=share: float(np.percentile([m.took for m in some], share))) for share in (50, 95)]  # type: ignore[misc]
    return SolidBodyRow(
        len(measured),
        both(lambda some: float(np.mean([m.depth for m in some]))),
        both(lambda some: max(m.depth for m in some)),
        both(lambda some: float(np.mean([m.depth > VISIBLE for m in some]))),
        both(lambda some: upper([v for m in some for v in m.held])),
        both(lambda some: upper([v for m in some for v in m.hands])),
        sum(len(one[0].hands) for one in measured),
        ((took[0][0], took[1][0]), (took[0][1], took[1][1])),
    )
