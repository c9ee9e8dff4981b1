"""The exact stage: from a proposal to the pose that meets the effectors and otherwise stays near the proposal.

What pulls, from the strongest:
- pins: met far below a millimetre wherever bones can reach, whatever else asks;
- effectors: their pull falls by powers of ten with the tolerance, and grows no further once the error exceeds what the
  tolerance allows. So a target out of reach straightens the arm but neither drags planted feet along nor contorts;
- joint limits: soft, a few degrees give way under a full pull. A base pose beyond a limit moves that limit;
- preserved places and orientations of the base pose: below the effectors of tolerance 0, with the square of the mask;
- the proposal (for the classical solver the base pose): light, each joint as stiff as motion capture says that it is
  steady. Arms move first, then the spine, then the root. It is absolute, so a drag there and back leaves no trace;
- the natural mean pose, on joints that have left the proposal far behind, so that nothing moves by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.ik.effectors import Effector
from solver.ik.exact_kernels import solve_arrays
from solver.ik.packing import body_of, rows_of, tree_of
from solver.ik.problem import IKProblem, IKSolution, Residual
from solver.ik.residuals import allowed_error, residuals, state_of
from solver.kinematics.pose import Pose
from solver.values import ArrayValue

Array = NDArray[np.float64]

MAX_ITERATIONS = 60
SETTLED = 1e-4  # radians or metres: steps below it end the search
PIN_WEIGHT = {"position": 3e7, "rotation": 1e7, "lookat": 1e7}
PIN_KNEE = {"position": 3e-3, "rotation": 3e-3, "lookat": 3e-3}
FIRM_WEIGHT = {"position": 1e6, "rotation": 3e4, "lookat": 3e4}
DECADES = {"position": 7.0, "rotation": 6.0, "lookat": 6.0}  # by which tolerance 1 pulls less than tolerance 0


@dataclass(frozen=True)
class Pulls:
    """Strengths of what is not an effector, in units where a firm position effector is 1e6 per m².

    anchor: to the proposal, times each joint's measured stiffness. mean: to the natural pose. limits: per rad² beyond a
    joint's range. root: the anchor's hold on the root, per m². orientation, place: of a preserved joint at mask 1.
    """

    anchor: float = 0.1
    mean: float = 0.05
    limits: float = 5e3
    root: float = 400.0
    orientation: float = 2e4
    place: float = 1e4


@dataclass(frozen=True, eq=False)
class ExactState(ArrayValue):
    """Where the next solve starts: near the pose of this one. root: (3,) metres. rotations: (J, 3, 3)."""

    root: Array
    rotations: Array


def strengths_of(effectors: Sequence[Effector]) -> tuple[Array, Array]:
    """Weights and knees (E,) of effectors: energy w e² / 2 up to an error near the knee, in proportion to e beyond."""
    weights, knees = np.empty(len(effectors)), np.empty(len(effectors))
    for i, effector in enumerate(effectors):
        kind = effector.kind
        if effector.pinned:
            weights[i], knees[i] = PIN_WEIGHT[kind], PIN_KNEE[kind]
        else:
            weights[i] = FIRM_WEIGHT[kind] * 10.0 ** (-DECADES[kind] * effector.tolerance)
            knees[i] = allowed_error(kind, effector.tolerance)
    return weights, knees


def refine(
    problem: IKProblem, proposal: Pose, state: ExactState | None = None, pulls: Pulls | None = None
) -> IKSolution:
    """The pose that meets the problem's effectors and stays near `proposal`; starts at `state`, else at `proposal`.

    Without an enabled effector the proposal itself is the answer.
    """
    started = perf_counter()
    active = tuple(e for e in problem.effectors if e.enabled)
    if not active:
        left = residuals(problem.skeleton, proposal, problem.effectors)
        return IKSolution(proposal, state_at(proposal), left, 0, perf_counter() - started)
    if state is None or len(state.rotations) != len(problem.skeleton):
        state = state_at(proposal)
    pose, after, errors, iterations = _descend(problem, active, proposal, state, pulls or Pulls())
    left = _residuals(problem, pose, active, errors)
    return IKSolution(pose, after, left, iterations, perf_counter() - started)


def state_at(pose: Pose) -> ExactState:
    """The state that makes the next solve start from `pose`."""
    return _frozen_state(pose.root_position.astype(np.float64), pose.rotations.astype(np.float64))


def _frozen_state(root: Array, rotations: Array) -> ExactState:
    root.flags.writeable = rotations.flags.writeable = False
    return ExactState(root, rotations)


def _descend(
    problem: IKProblem, active: Sequence[Effector], proposal: Pose, state: ExactState, pulls: Pulls
) -> tuple[Pose, ExactState, Array, int]:
    joints = len(problem.skeleton)
    root, local = np.empty(3), np.empty((joints, 3, 3))
    soft_root, soft, errors = np.empty(3), np.empty((joints, 3, 3)), np.empty(len(active))
    iterations = solve_arrays(
        *tree_of(problem.skeleton), *body_of(problem.skeleton.names),
        proposal.root_position, proposal.rotations, problem.base_pose.root_position, problem.base_pose.rotations,
        problem.preserve_position, problem.preserve_orientation,
        pulls.anchor, pulls.mean, pulls.limits, pulls.root, pulls.orientation, pulls.place,
        *rows_of(problem.skeleton, active), *strengths_of(active), MAX_ITERATIONS, SETTLED,
        state.root, state.rotations, root, local, soft_root, soft, errors,
    )  # fmt: skip
    return Pose(root, local), _frozen_state(soft_root, soft), errors, int(iterations)


def _residuals(problem: IKProblem, pose: Pose, active: Sequence[Effector], errors: Array) -> tuple[Residual, ...]:
    if len(active) < len(problem.effectors):
        return residuals(problem.skeleton, pose, problem.effectors)
    return tuple(Residual(v, state_of(e, v)) for e, v in zip(active, errors.tolist(), strict=True))
