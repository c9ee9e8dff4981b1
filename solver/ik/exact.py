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
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_kernels import NO_GROUND, Ground
from solver.contact.solid_kernels import NO_SOLIDS, Solids
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.facing import with_facing
from solver.effectors.form_ids import POINT
from solver.effectors.placement import placed
from solver.effectors.residual_kernels import Rows
from solver.ik.frozen import Frozen, frozen_of
from solver.ik.held_effectors import bends_trunk_last, grips, holds_bent_limb, lifted_off
from solver.ik.kernel_arrays import (
    frozen_pose,
    frozen_state,
    joint_model_of,
    plain_pose,
    recorded_joint_model_of,
    room_for,
    rows_of,
    tree_of,
    trunks_of,
    with_leans,
    with_spine_near,
)
from solver.ik.kernels.exact_kernels import STRICT, StayNear, solve_from_python
from solver.ik.kernels.prior_kernels import JointModel, Pulls
from solver.ik.memory import ExactState, state_at, with_turns_of
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve import held_stiffness, turned_to_base, with_place_rows, without_masks
from solver.ik.preserve_modes import posed_joints
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import largest_miss, residuals, row_errors, state_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.fk_kernels import PlainPose
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart, far_apart
from solver.kinematics.skeleton import Skeleton

Array = NDArray[np.float64]

MAX_ITERATIONS = 40
BATCH_ITERATIONS = 25  # of one problem among many, and from another start
FEW = 8  # problems that are not worth a second thread
NEARLY = 3.0  # times as far as counts as met: for a smaller miss, another start has hardly ever done better
SOON, NOT_FAR = 35, 10.0  # iterations and times as far: nor has it for such a miss, where the search has ended as soon
BETTER = 0.98  # another start is taken if it leaves less than this share of the energy
SAME_START = 0.1  # radians or metres: a start this near to another one leads to the same pose
SETTLED = 3e-4  # radians or metres: steps below it end the search
ROUGH_ITERATIONS, ROUGHLY_SETTLED = 12, 5e-3  # likewise, where a rough answer will do
CAUGHT = 0.03  # metres further from a strict place than the answer: there a search did not end by itself
SLIPPED = 0.01  # metres by which a grip is missed before the trunk gives way more readily
SLIGHTLY, SWINGS = 0.01, 0.25  # metres: for a hold that is missed by less, nobody goes so far through things
PULLS = Pulls()


class Refined(NamedTuple):
    """The exact stage's answer. state: where its next search starts. residuals: one for each effector, in order."""

    pose: Pose
    state: ExactState
    residuals: tuple[Residual, ...]
    iterations: int
    elapsed_s: float


def strengths_of(effectors: Sequence[Effector]) -> Array:
    """(E, 3): weight, knee and fading of each effector's pull, see minimise_kernels."""
    return np.array([e.spec.strength(e.pinned, e.tolerance) for e in effectors]).reshape(-1, 3)


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


def _searched(problem: IKProblem, proposal: Pose, state: ExactState | None, pulls: Pulls) -> tuple[_Descent, bool]:
    """What is found, with all iterations, and whether its residuals are those of the problem's effectors."""
    active = tuple(e for e in problem.effectors if e.is_active)
    still, proposal = frozen_of(problem), turned_to_base(problem, proposal)
    if still:
        active, proposal = still.movable(active), still.pose(proposal)
    if not active and not problem.leans and not problem.is_entered_by(proposal):
        return _Descent(proposal, state_at(proposal), (), 0, 0.0), False
    gripping = any(bends_trunk_last(e, problem) for e in active)
    model_of = recorded_joint_model_of if problem.step_s > 0.0 else joint_model_of
    stiff = _Stiff(pulls, trunks_of(problem.skeleton)[0] if gripping else model_of(problem.skeleton))
    best = _found(problem, active, proposal, state, stiff)
    if gripping and not (still and still.trunk_stays) and _grip_off(problem, active, best) > SLIPPED:
        best = _bent(problem, active, proposal, state, stiff, best)
    return best, len(active) == len(problem.effectors) and not best.raised


def _bent(
    problem: IKProblem,
    active: Sequence[Effector],
    proposal: Pose,
    state: ExactState | None,
    stiff: _Stiff,
    kept: _Descent,
) -> _Descent:
    """What is found with the firmest trunk that meets the grips, so that a body that begins to bend does so little by
    little; else what comes nearest; `kept` if nothing is nearer by enough. Half of the trunks where nothing grips."""
    best, iterations, step = kept, kept.iterations, 1 if any(map(grips, active)) else 2
    least = max(_grip_off(problem, active, kept) - SLIPPED, SLIPPED)
    for model in trunks_of(problem.skeleton)[step::step]:
        found = _found(problem, active, proposal, state, stiff._replace(model=model))
        iterations += found.iterations
        off = _grip_off(problem, active, found)
        if off <= least:
            best, least = found, off
        if off <= SLIPPED:
            break
    return best._replace(iterations=iterations)


def _found(
    problem: IKProblem, active: Sequence[Effector], proposal: Pose, state: ExactState | None, stiff: _Stiff
) -> _Descent:
    cold = state is None or len(state.rotations) != len(problem.skeleton)
    shown = None if state is None or cold else Pose(state.root, state.rotations)
    best = _descend(problem, active, proposal, state_at(shown or proposal), stiff, shown=shown)
    iterations, out = best.iterations, _out_of_body(problem, active, best)
    if out:
        again = _descend(problem, active, proposal, best.state, stiff, BATCH_ITERATIONS, best.pose)
        iterations += again.iterations
        best = again if again.misses.isdisjoint(out) and again.misses <= best.misses else best
    if problem.obstacles is not None and (best.missed if cold else _contact_off(active, best)):
        best, more = _through(problem, active, proposal, best, stiff, shown)
        iterations += more
        if _contact_off(active, best):  # searches end early; one that starts at the answer may get further
            again = _descend(problem, active, proposal, state_at(best.pose), stiff)
            iterations += again.iterations
            best = again if again.misses < best.misses else best
    if cold and _may_be_stuck(active, best, iterations):
        start = placed(problem.skeleton, natural_pose(problem.skeleton), active)
        if far_apart(start, proposal) >= SAME_START:
            other = _descend(problem, active, proposal, state_at(start), stiff, BATCH_ITERATIONS, known=best.state)
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


class _Stiff(NamedTuple):
    """What pulls beside the effectors, and how stiff joints are."""

    pulls: Pulls
    model: JointModel


class _Descent(NamedTuple):
    pose: Pose
    state: ExactState
    residuals: tuple[Residual, ...]
    iterations: int
    energy: float
    raised: frozenset[int] = frozenset()  # effectors whose residuals are those of places above the ones asked for

    @property
    def misses(self) -> frozenset[int]:
        """The effectors that are missed by more than they allow, by index."""
        return frozenset(e for e, residual in enumerate(self.residuals) if residual.state == "unreachable")

    @property
    def missed(self) -> bool:
        """Whether an effector is missed by more than it allows."""
        return any(residual.state == "unreachable" for residual in self.residuals)


def _descend(
    problem: IKProblem,
    active: Sequence[Effector],
    proposal: Pose,
    state: ExactState,
    stiff: _Stiff,
    most: int = MAX_ITERATIONS,
    trunk: Pose | None = None,
    shown: Pose | None = None,
    known: ExactState | None = None,
) -> _Descent:
    """trunk: the pose that says what is within the body; without one, the pose shown a moment ago does (`shown`), or
    else the proposal. known: where another search has ended; one that ends there too has infinite energy.
    """
    still, pulls, base = frozen_of(problem), stiff.pulls, problem.base_pose
    pose = plain_pose(still.state(state) if still else state)
    soft, count = plain_pose(known) if known else room_for(pose), len(active)
    asked = with_facing(active, rows_of(problem.skeleton, active), strengths_of(active))
    rows, strengths = with_place_rows(problem, *asked, pulls.place)
    raised: tuple[int, ...] = ()
    if problem.floor is not None:
        rows, strengths, raised = problem.floor.raised(rows, strengths, problem.skeleton, trunk or proposal, base)
    if problem.obstacles is not None:
        within = trunk or shown or proposal
        rows, strengths, which = problem.obstacles.raised(rows, strengths, problem.skeleton, within, shown is not None)
        raised += which
    rows, strengths = with_leans(problem.skeleton, problem.leans, rows, strengths)
    hold = held_stiffness(problem, pulls.orientation)
    pressed = problem.obstacles is not None or any(isinstance(effector, Contact) for effector in active)
    pressed = pressed and not holds_bent_limb(active)
    if pressed or problem.step_s > 0:  # skin that is pressed upon is not out of reach, and motions have their own pace
        pulls = pulls._replace(calm=1.0)
    if still:
        (rows, strengths), hold, pulls = still.with_rows(rows, strengths), still.stiffness(hold), still.pulls(pulls)
    stay = StayNear(plain_pose(proposal), base.rotations.astype(np.float64, order="C"), hold)
    model, errors = with_spine_near(problem.skeleton, stiff.model, proposal, base), np.empty(len(strengths))
    iterations, energy = solve_from_python(
        tree_of(problem.skeleton), model, stay, pulls, rows, strengths, most, SETTLED, pose, soft, errors,
        _ground_of(problem, still), _solids_of(problem, still),
    )  # fmt: skip
    left = tuple(Residual(v, state_of(e, v)) for e, v in zip(active, errors[:count].tolist(), strict=True))
    over = frozenset(e for e in raised if e < count)
    if over:  # another start would not bring them below the floor
        left = tuple(Residual(one.value, "tolerated") if e in over else one for e, one in enumerate(left))
    found = frozen_pose(pose)
    caught = shown is not None and _was_caught(problem, rows, strengths, soft, found, errors)
    after = state_at(found) if caught else frozen_state(soft)
    return _Descent(still.pose(found) if still else found, after, left, iterations, energy, over)


def _was_caught(problem: IKProblem, rows: Rows, strengths: Array, soft: PlainPose, found: Pose, errors: Array) -> bool:
    """Whether skin caught a search, which ended there, on its way to a strict place that the correction after it came
    much nearer to.

    In a drag, the next would be caught again, and fall ever further behind, until no correction made up for it.
    """
    solid = problem.floor is not None or problem.obstacles is not None
    if not solid or far_apart(ended := frozen_pose(soft), found) < SAME_START:
        return False
    nearer = row_errors(problem.skeleton, ended, rows) - errors
    return bool(((nearer > CAUGHT) & (rows.kinds == POINT) & (strengths[:, 0] >= STRICT)).any())


def _may_be_stuck(effectors: Sequence[Effector], found: _Descent, iterations: int) -> bool:
    """Whether another start may do better: an effector is missed by far, or by a little after a long search."""
    told = zip(effectors, found.residuals, strict=True)
    off = max((left.value / e.spec.met for e, left in told if left.state == "unreachable"), default=0.0)
    return off > NEARLY and (off > NOT_FAR or iterations > SOON)


def _grip_off(problem: IKProblem, effectors: Sequence[Effector], found: _Descent) -> float:
    """Metres by which the grip is missed that is missed most."""
    return largest_miss(effectors, found.residuals, lambda e: bends_trunk_last(e, problem))


def _ground_of(problem: IKProblem, still: Frozen | None) -> Ground:
    if problem.floor is None:
        return NO_GROUND
    return (problem.floor.without(still.fixed) if still else problem.floor).ground


def _solids_of(problem: IKProblem, still: Frozen | None) -> Solids:
    if problem.obstacles is None:
        return NO_SOLIDS
    return problem.obstacles.without(still.fixed) if still else problem.obstacles.solids


def _out_of_body(problem: IKProblem, active: Sequence[Effector], found: _Descent) -> frozenset[int]:
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


def _through(
    problem: IKProblem, active: Sequence[Effector], proposal: Pose, kept: _Descent, stiff: _Stiff, shown: Pose | None
) -> tuple[_Descent, int]:
    """From where the body would go if it could pass through everything, out of what it is in there; the better of that
    and `kept`, and iterations used. If contacts are missed all the same, the body may pass through what they lie
    on: far only if they are missed by more than `SLIGHTLY`; not with arms of which nothing is asked, which start as
    shown and come out on the same side; and not with limbs that lie there, which would come out on the far side:
    that search goes on from `kept`, and at last from where they are lifted off that thing."""
    assert problem.obstacles is not None
    free = _descend(replace(problem, obstacles=None), active, proposal, kept.state, stiff, BATCH_ITERATIONS)
    best, count, start = kept, free.iterations, free.state
    if not free.misses < kept.misses:
        return kept, count
    firm, softer = problem.obstacles, problem.obstacles.with_soft_touches
    arms = firm.body.arms.difference(posed_joints(problem.skeleton, active))
    if arms and shown is not None:
        start = with_turns_of(start, arms, shown)
    passed = softer.without_supports_except(arms)
    first: ExactState | None = start  # without one, a search that comes to it again from further above
    searches = [(obstacles, first) for obstacles in dict.fromkeys((firm, softer, passed))]
    if firm.lying_limbs:
        beside = softer.without_supports_except(arms | firm.lying_limbs)
        searches += [(softer, kept.state), (beside, kept.state), (firm, None)]
    for obstacles, state in searches:
        above = lifted_off(active, best.misses)
        begin = state or _descend(problem, above, proposal, kept.state, stiff, BATCH_ITERATIONS).state
        found = _descend(replace(problem, obstacles=obstacles), active, proposal, begin, stiff, BATCH_ITERATIONS)
        count += found.iterations
        if state is None and _contact_off(active, found):
            break
        if obstacles is passed and firm.comes_through(forward_kinematics(problem.skeleton, found.pose)):
            continue
        nearly = obstacles not in (firm, softer) and not firm.support_people and _contact_off(active, best) < SLIGHTLY
        if nearly and apart(problem.skeleton, best.pose, found.pose).max() > SWINGS:
            break
        best = found if found.misses < best.misses else best
        if obstacles is passed or not _contact_off(active, best):
            break
    return best, count


def _let_go(free: IKProblem, active: Sequence[Effector], kept: _Descent, stiff: _Stiff) -> _Descent:
    """From the pose that keeps what it can to the nearest one that meets the pins; `free` keeps nothing else."""
    best = _descend(free, active, kept.pose, state_at(kept.pose), stiff)
    if not _misses_pin(active, best):
        return best
    start = state_at(placed(free.skeleton, natural_pose(free.skeleton), active))
    other = _descend(free, active, kept.pose, start, stiff)
    best, other = (other, best) if other.energy < BETTER * best.energy else (best, other)
    return best._replace(iterations=best.iterations + other.iterations)


def _contact_off(effectors: Sequence[Effector], found: _Descent) -> float:
    return largest_miss(effectors, found.residuals, lambda e: isinstance(e, Contact))


def _misses_pin(effectors: Sequence[Effector], found: _Descent) -> bool:
    return found.missed and any(
        e.pinned and residual.state == "unreachable" for e, residual in zip(effectors, found.residuals, strict=True)
    )
