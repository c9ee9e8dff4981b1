"""The exact stage: from a proposal to the pose that meets the effectors and otherwise stays near the proposal.

What pulls, from the strongest:
- pins: met far below a millimetre wherever bones can reach, whatever else asks;
- effectors: stiffness and the hardest pull both fall by powers of ten with the tolerance. A firm one is stiff near its
  target and pulls a little less the further away it is: out of reach, the arm goes straight, planted feet stay;
- joint limits: soft, two degrees give way under a firm pull. A base pose beyond a limit moves that limit;
- preserved places and orientations of the base pose, with the square of the mask. A joint that an effector has given a
  place frees its limb from keeping its own;
- the proposal (for the classical solver the base pose): light, each joint as stiff as motion capture says that it is
  steady. Arms move first, then the spine, then the root. It is absolute, so a drag there and back leaves no trace;
- the natural mean pose, on joints that have left the proposal far behind, so that nothing moves by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.effectors import Effector
from solver.ik.exact_kernels import solve_arrays
from solver.ik.packing import body_of, rows_of, tree_of
from solver.ik.placement import placed
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve import held_stiffness, with_places
from solver.ik.problem import IKProblem, IKSolution, Residual
from solver.ik.residuals import residuals, state_of
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.values import ArrayValue, FloatArray

Array = NDArray[np.float64]

MAX_ITERATIONS = 40
BATCH_ITERATIONS = 25  # of one problem among many, and from another start
FEW = 8  # problems that are not worth a second thread
BETTER = 0.98  # another start is taken when it leaves less than this share of the energy
SAME_START = 0.1  # radians or metres: a start as near to the first one leads to where that led
SETTLED = 3e-4  # radians or metres: steps below it end the search
PIN_WEIGHT = {"position": 3e7, "rotation": 1e7, "lookat": 1e7}
PIN_FORCE = {"position": 5e3, "rotation": 2e3, "lookat": 2e3}  # the hardest pull, however far the target
FIRM_WEIGHT = {"position": 1e6, "rotation": 3e4, "lookat": 3e4}
FIRM_FORCE = {"position": 400.0, "rotation": 20.0, "lookat": 20.0}
WEIGHT_DECADES = {"position": 7.0, "rotation": 6.0, "lookat": 6.0}  # by which tolerance 1 is less than tolerance 0
FORCE_DECADES = 2.5
FIRM_FADING = 0.8  # the pull of a target far out of reach fades
PIN_FADING = 0.5  # a pin's does not: two that contradict each other end in the middle


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
    orientation: float = 5e3
    place: float = 1e4

    @cached_property
    def numbers(self) -> Array:
        """(4,) as the compiled search takes them: anchor, mean, limits, root."""
        return np.array([self.anchor, self.mean, self.limits, self.anchor * self.root])


USUAL = Pulls()


@dataclass(frozen=True, eq=False)
class ExactState(ArrayValue):
    """Where the next solve starts: near the pose of this one. root: (3,) metres. rotations: (J, 3, 3)."""

    root: FloatArray
    rotations: FloatArray


def strengths_of(effectors: Sequence[Effector]) -> Array:
    """(E, 3): weight, knee and fading of each effector's pull, see minimise_kernels."""
    return np.array([_strength(e.kind, e.pinned, e.tolerance) for e in effectors]).reshape(-1, 3)


@lru_cache(maxsize=1024)
def _strength(kind: str, pinned: bool, tolerance: float) -> tuple[float, float, float]:
    if pinned:
        return PIN_WEIGHT[kind], PIN_FORCE[kind] / PIN_WEIGHT[kind], PIN_FADING
    weight = FIRM_WEIGHT[kind] * 10.0 ** (-WEIGHT_DECADES[kind] * tolerance)
    return weight, FIRM_FORCE[kind] * 10.0 ** (-FORCE_DECADES * tolerance) / weight, FIRM_FADING


def refine(
    problem: IKProblem, proposal: Pose, state: ExactState | None = None, pulls: Pulls | None = None
) -> IKSolution:
    """The pose that meets the problem's effectors and stays near `proposal`; starts at `state`, else at `proposal`.

    Where that leaves an effector unmet and there is no state, the natural pose laid over the effectors has a try.
    Without an enabled effector the proposal itself is the answer.
    """
    started = perf_counter()
    active = tuple(e for e in problem.effectors if e.asks)
    if not active:
        left = residuals(problem.skeleton, proposal, problem.effectors)
        return IKSolution(proposal, state_at(proposal), left, 0, perf_counter() - started)
    cold = state is None or len(state.rotations) != len(problem.skeleton)
    pulls = pulls or USUAL
    best = _descend(problem, active, proposal, state_at(proposal) if state is None or cold else state, pulls)
    iterations = best.iterations
    if cold and best.missed:
        start = placed(problem.skeleton, natural_pose(problem.skeleton), active)
        if not _near(start, proposal):
            other = _descend(problem, active, proposal, state_at(start), pulls, BATCH_ITERATIONS)
            iterations += other.iterations
            best = other if other.energy < BETTER * best.energy else best
    all_on = len(active) == len(problem.effectors)
    left = best.residuals if all_on else residuals(problem.skeleton, best.pose, problem.effectors)
    return IKSolution(best.pose, best.state, left, iterations, perf_counter() - started)


def refine_batch(
    skeleton: Skeleton, effectors: Sequence[Sequence[Effector]], proposals: Sequence[Pose], pulls: Pulls | None = None
) -> tuple[Pose, ...]:
    """The same for many sets of enabled effectors, with a proposal for each set.

    Starts at the proposals and looks no further. Runs on two threads where there are many sets.
    """
    pulls, count = pulls or USUAL, len(effectors)
    tree, body = tree_of(skeleton), body_of(skeleton.names)
    strengths = [strengths_of(some) for some in effectors]
    rows = [rows_of(skeleton, some) for some in effectors]

    def solve(i: int) -> Pose:
        root, local = _plain(proposals[i].root_position), _plain(proposals[i].rotations)
        soft_root, soft = np.empty(3), np.empty(local.shape)
        solve_arrays(
            *tree, *body, root.copy(), local.copy(), local.copy(), np.zeros(len(skeleton)), pulls.numbers,
            *rows[i], strengths[i], BATCH_ITERATIONS, SETTLED,
            root, local, soft_root, soft, np.empty(len(strengths[i])),
        )  # fmt: skip
        return Pose(_frozen(root), _frozen(local))

    if count < FEW:
        return tuple(map(solve, range(count)))
    with ThreadPoolExecutor(2) as pool:  # the compiled part runs without Python's lock
        return tuple(pool.map(solve, range(count)))


class _Descent(NamedTuple):
    pose: Pose
    state: ExactState
    residuals: tuple[Residual, ...]
    iterations: int
    energy: float

    @property
    def missed(self) -> bool:
        """Whether an effector is further off than it allows."""
        return any(residual.state == "unreachable" for residual in self.residuals)


def state_at(pose: Pose) -> ExactState:
    """The state that makes the next solve start from `pose`."""
    return ExactState(pose.root_position, pose.rotations)


def _plain(array: FloatArray) -> Array:
    """A copy of the one kind that is compiled for: float64, writeable, rows in order."""
    return array.astype(np.float64, order="C")


def _frozen(array: Array) -> FloatArray:
    single = array.astype(np.float32)
    single.flags.writeable = False
    return single


def _descend(
    problem: IKProblem,
    active: Sequence[Effector],
    proposal: Pose,
    state: ExactState,
    pulls: Pulls,
    most: int = MAX_ITERATIONS,
) -> _Descent:
    root, local = _plain(state.root), _plain(state.rotations)
    soft_root, soft, count = np.empty(3), np.empty(local.shape), len(active)
    rows, strengths = rows_of(problem.skeleton, active), strengths_of(active)
    rows, strengths = with_places(problem, rows, strengths, pulls.place)
    errors = np.empty(len(strengths))
    iterations, energy = solve_arrays(
        *tree_of(problem.skeleton), *body_of(problem.skeleton.names),
        _plain(proposal.root_position), _plain(proposal.rotations), _plain(problem.base_pose.rotations),
        held_stiffness(problem, pulls.orientation), pulls.numbers, *rows, strengths, most, SETTLED,
        root, local, soft_root, soft, errors,
    )  # fmt: skip
    after = ExactState(_frozen(soft_root), _frozen(soft))
    left = tuple(Residual(v, state_of(e, v)) for e, v in zip(active, errors[:count].tolist(), strict=True))
    return _Descent(Pose(_frozen(root), _frozen(local)), after, left, iterations, energy)


def _near(a: Pose, b: Pose) -> bool:
    shift = np.abs(a.root_position - b.root_position).max()
    return bool(max(shift, np.abs(a.rotations - b.rotations).max()) < SAME_START)
