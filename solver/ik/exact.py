"""The exact stage: from a proposal to the pose that meets the effectors and otherwise stays near the proposal.

What pulls, from the strongest:
- pins: met far below a millimetre wherever bones can reach, whatever else asks;
- effectors: stiffness and the hardest pull both fall by powers of ten with the tolerance. A firm one is stiff near its
  target and pulls a little less the further away it is: out of reach, the arm goes straight, planted feet stay;
- a solid floor, and what a body may not pass through: they push the skin out, harder than anything that is asked;
- joint limits (knees: straight, but in time): soft, by two degrees under a firm pull. A base pose beyond one moves it;
- preserved places and orientations of the base pose, by powers of ten with the mask. A joint that an effector has given
  a place frees its limb from keeping its own. Where they keep a pin from its target, the pose found gives way to it;
- the proposal (for the classical solver the base pose): light, each joint as stiff as it is steady in motion capture.
  Arms move first, then the spine, then the root; spine and root are stiffer still while a hand grips something that it
  can reach that way. It is absolute, so a drag there and back leaves no trace;
- the natural mean pose, on joints that have left the proposal far behind, except a base pose's spine, which would snap.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import NamedTuple

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.facing import with_facing
from solver.effectors.placement import placed
from solver.ik.descent import (
    BATCH_ITERATIONS,
    SAME_START,
    SETTLED,
    Descent,
    Stiff,
    contact_off,
    descend,
    gets_nearer,
)
from solver.ik.frozen import frozen_of
from solver.ik.held_effectors import bend_trunk_last, bends_trunk_last, grips, supple_wrists
from solver.ik.kernel_arrays import (
    frozen_pose,
    joint_model_of,
    plain_pose,
    recorded_joint_model_of,
    room_for,
    rows_of,
    strengths_of,
    tree_of,
    trunks_of,
    with_supple_joints,
)
from solver.ik.kernels.exact_kernels import StayNear, solve_from_python
from solver.ik.kernels.prior_kernels import Pulls
from solver.ik.memory import ExactState, state_at
from solver.ik.passing import through_things
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve import turned_to_base, without_masks
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import largest_miss, residuals
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import far_apart
from solver.kinematics.skeleton import Skeleton

FEW = 8  # problems that are not worth a second thread
NEARLY = 3.0  # times as far as counts as met: for a smaller miss, another start has hardly ever done better
SOON, NOT_FAR = 35, 10.0  # iterations and times as far: nor has it for such a miss, where the search has ended as soon
BETTER = 0.98  # another start is taken if it leaves less than this share of the energy
ROUGH_ITERATIONS, ROUGHLY_SETTLED = 12, 5e-3  # likewise, where a rough answer will do
SLIPPED = 0.01  # metres by which a grip is missed before the trunk gives way more readily
PULLS = Pulls()


class Refined(NamedTuple):
    """The exact stage's answer. state: where its next search starts. residuals: one for each effector, in order."""

    pose: Pose
    state: ExactState
    residuals: tuple[Residual, ...]
    iterations: int
    elapsed_s: float


def refine(problem: IKProblem, proposal: Pose, state: ExactState | None = None, pulls: Pulls = PULLS) -> Refined:
    """The pose that meets the problem's effectors and stays near `proposal`; starts at `state`, else at `proposal`.

    If there is no state and that leaves an effector off by more than 1 cm, or 3 mm after a long search, the natural
    pose laid over the effectors is tried too. A target within a solid body that has since moved away is asked for once
    more, where it is. Without an enabled effector on a joint that can move, the proposal itself is the answer. What is
    frozen stays as in the base pose in any case.
    """
    started = perf_counter()
    best, all_on = _searched(problem, proposal, state, pulls)
    left = best.residuals if all_on else residuals(problem.skeleton, best.pose, problem.effectors)
    return Refined(best.pose, best.state, left, best.iterations, perf_counter() - started)


def refined_pose(problem: IKProblem, proposal: Pose, state: ExactState | None = None) -> Pose:
    """The pose that `refine` finds, found more quickly because nothing is measured."""
    return _searched(problem, proposal, state, PULLS)[0].pose


def _searched(problem: IKProblem, proposal: Pose, state: ExactState | None, pulls: Pulls) -> tuple[Descent, bool]:
    """What is found, with all iterations, and whether its residuals are those of the problem's effectors."""
    active = tuple(e for e in problem.effectors if e.is_active)
    still, proposal = frozen_of(problem), turned_to_base(problem, proposal)
    if still:
        active, proposal = still.movable(active), still.pose(proposal)
    if not active and not problem.leans and not problem.is_entered_by(proposal):
        return Descent(proposal, state_at(proposal), (), 0, 0.0), False
    gripping = bend_trunk_last(active, problem)
    model_of = recorded_joint_model_of if problem.step_s > 0.0 else joint_model_of
    model = trunks_of(problem.skeleton)[0] if gripping else model_of(problem.skeleton)
    stiff = Stiff(pulls, with_supple_joints(problem.skeleton, model, supple_wrists(active)))
    best = _found(problem, active, proposal, state, stiff)
    if gripping and not (still and still.trunk_stays) and _grip_off(problem, active, best) > SLIPPED:
        best = _bent(problem, active, proposal, state, stiff, best)
    return best, len(active) == len(problem.effectors) and not best.raised


def _bent(
    problem: IKProblem,
    active: Sequence[Effector],
    proposal: Pose,
    state: ExactState | None,
    stiff: Stiff,
    kept: Descent,
) -> Descent:
    """What is found with the firmest trunk that meets the grips, so that a body that begins to bend does so little by
    little; else what comes nearest; `kept` if nothing is nearer by enough. Half of the trunks where nothing grips."""
    best, iterations, step = kept, kept.iterations, 1 if any(map(grips, active)) else 2
    least = max(_grip_off(problem, active, kept) - SLIPPED, SLIPPED)
    wrists = supple_wrists(active)
    for trunk in trunks_of(problem.skeleton)[step::step]:
        model = with_supple_joints(problem.skeleton, trunk, wrists)
        found = _found(problem, active, proposal, state, stiff._replace(model=model))
        iterations += found.iterations
        off = _grip_off(problem, active, found)
        if off <= least:
            best, least = found, off
        if off <= SLIPPED:
            break
    return best._replace(iterations=iterations)


def _found(
    problem: IKProblem, active: Sequence[Effector], proposal: Pose, state: ExactState | None, stiff: Stiff
) -> Descent:
    cold = state is None or len(state.rotations) != len(problem.skeleton)
    shown = None if state is None or cold else Pose(state.root, state.rotations)
    best = descend(problem, active, proposal, state_at(shown or proposal), stiff, shown=shown)
    iterations, out = best.iterations, _out_of_body(problem, active, best)
    if out:
        again = descend(problem, active, proposal, best.state, stiff, BATCH_ITERATIONS, best.pose)
        iterations += again.iterations
        best = again if again.misses.isdisjoint(out) and again.misses <= best.misses else best
    if problem.obstacles is not None and (best.missed if cold else contact_off(active, best)):
        best, more = through_things(
            problem, active, proposal, best, stiff, shown, 0 if cold or state is None else state.way
        )
        iterations += more
        if contact_off(active, best):  # searches end early; one that starts at the answer may get further
            again = descend(problem, active, proposal, state_at(best.pose), stiff)
            iterations += again.iterations
            best = again if gets_nearer(again, best) else best
    if cold and _may_be_stuck(active, best, iterations):
        start = placed(problem.skeleton, natural_pose(problem.skeleton), active)
        if far_apart(start, proposal) >= SAME_START:
            other = descend(problem, active, proposal, state_at(start), stiff, BATCH_ITERATIONS, known=best.state)
            iterations += other.iterations
            best = other if other.energy < BETTER * best.energy else best
    if problem.has_masks and _misses_pin(active, best):
        best = _let_go(without_masks(problem), active, best, stiff)
        iterations += best.iterations
    return best._replace(iterations=iterations)


def refine_batch(
    skeleton: Skeleton, effectors: Sequence[Sequence[Effector]], proposals: Sequence[Pose], roughly: bool = False
) -> tuple[Pose, ...]:
    """As `refine`, for many sets of enabled effectors with a proposal for each set.

    Starts at the proposals and looks no further; on two threads if there are many. roughly: millimetres off will do.
    """
    count, tree, model = len(effectors), tree_of(skeleton), joint_model_of(skeleton)
    hold = np.zeros(len(skeleton))
    posed = [with_facing(some, rows_of(skeleton, some), strengths_of(some)) for some in effectors]
    rows, strengths = [each[0] for each in posed], [each[1] for each in posed]
    most, settled = (ROUGH_ITERATIONS, ROUGHLY_SETTLED) if roughly else (BATCH_ITERATIONS, SETTLED)
    pulls = PULLS._replace(calm=1.0) if roughly else PULLS

    def solve(i: int) -> Pose:
        proposal, pose = plain_pose(proposals[i]), plain_pose(proposals[i])
        solve_from_python(
            tree, model, StayNear(proposal, proposal.local, hold), pulls, rows[i], strengths[i], most, settled,
            pose, room_for(pose), np.empty(len(strengths[i])),
        )  # fmt: skip
        return frozen_pose(pose)

    if count < FEW:
        return tuple(map(solve, range(count)))
    with ThreadPoolExecutor(2) as pool:  # the compiled part runs without Python's lock
        return tuple(pool.map(solve, range(count)))


def _may_be_stuck(effectors: Sequence[Effector], found: Descent, iterations: int) -> bool:
    """Whether another start may do better: an effector is missed by far, or by a little after a long search."""
    told = zip(effectors, found.residuals, strict=True)
    off = max((left.value / e.spec.met for e, left in told if left.state == "unreachable"), default=0.0)
    return off > NEARLY and (off > NOT_FAR or iterations > SOON)


def _grip_off(problem: IKProblem, effectors: Sequence[Effector], found: Descent) -> float:
    """Metres by which the grip is missed that is missed most."""
    return largest_miss(effectors, found.residuals, lambda e: bends_trunk_last(e, problem))


def _out_of_body(problem: IKProblem, active: Sequence[Effector], found: Descent) -> frozenset[int]:
    """Effectors that were taken to be within the body, and are not within it where its trunk has come to be."""
    if not found.raised or problem.obstacles is None or not problem.obstacles.avoids_itself:
        return frozenset()
    raised, poses = sorted(found.raised), (found.pose, problem.base_pose)
    rows, strengths = rows_of(problem.skeleton, [active[e] for e in raised]), strengths_of([active[e] for e in raised])
    left = set(range(len(raised)))
    if problem.floor is not None:
        left.difference_update(problem.floor.raised(rows, strengths, problem.skeleton, *poses).which)
    if left:
        left.difference_update(problem.obstacles.raised(rows, strengths, problem.skeleton, found.pose, True).which)
    return frozenset(raised[e] for e in left)


def _let_go(free: IKProblem, active: Sequence[Effector], kept: Descent, stiff: Stiff) -> Descent:
    """From the pose that keeps what it can to the nearest one that meets the pins; `free` keeps nothing else."""
    best = descend(free, active, kept.pose, state_at(kept.pose), stiff)
    if not _misses_pin(active, best):
        return best
    start = state_at(placed(free.skeleton, natural_pose(free.skeleton), active))
    other = descend(free, active, kept.pose, start, stiff)
    best, other = (other, best) if other.energy < BETTER * best.energy else (best, other)
    return best._replace(iterations=best.iterations + other.iterations)


def _misses_pin(effectors: Sequence[Effector], found: Descent) -> bool:
    return found.missed and any(
        e.pinned and residual.state == "unreachable" for e, residual in zip(effectors, found.residuals, strict=True)
    )
