"""What keeps a solver steady: a solve goes on from the pose shown, and what was met stays met.

How it goes on is said by the kinds of continuity. Here is what holds for each of them: effectors that are lost are
pinned, a search that gets stuck begins anew, and idle limbs are not thrown about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from solver.effectors.contact import Contact
from solver.effectors.sources import Tie
from solver.ik.anchor import anchor, distance_moved, effector_key, effectors_at_pose, hardly_moved
from solver.ik.continuity_kinds import CONTINUE, ContinuedSolve, Propose, contact_was_released, search_anew
from solver.ik.exact import refine
from solver.ik.held_effectors import (
    AS_WELL,
    holds_seat,
    lost_effectors,
    pinning_helps,
    with_pinned,
    with_pinned_seat_rocking,
)
from solver.ik.kernel_arrays import rows_of, strengths_of
from solver.ik.memory import WarmStart, state_at
from solver.ik.preserve_modes import limb_of
from solver.ik.problem import IKProblem, asks_alike
from solver.ik.solver import Continuity
from solver.ik.stance.idle_limbs import (
    idle_arm_leans,
    idle_limbs,
    is_on_feet,
    keeps_idle_limbs_nearer,
    with_idle_limbs_as_shown,
)
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.values import changed

if TYPE_CHECKING:
    from solver.contact.obstacles import Obstacles

GONE_M = 0.03  # metres that holding a seat, tilted just as it lies, may take a joint from where it is shown
STUCK = 0.01  # metres or radians that strict effectors are off in all, and by which another start has to be better
CAUGHT_M = 0.05  # metres that a contact is off skin, beyond which it is caught rather than on its way there
TRIED_M = 0.02  # metres that effectors move before another start, which was no better, is tried again

M = TypeVar("M")  # what the proposer remembers


def continue_solve(
    kind: Continuity, problem: IKProblem, proposed: Pose, start: WarmStart, propose: Propose, begins_anew: bool = True
) -> ContinuedSolve:
    """The exact stage about what was proposed, going on from `start` as that kind of continuity does.

    Strict effectors that were met and have not been moved since stay met, wherever bones and pins allow it. A search
    that gets stuck begins anew, as a body that jumps once is better than a handle that does not follow. When a contact
    comes off, the body goes on from the pose shown, or a hand would turn, and its owner lean, all at once.

    begins_anew: whether a search that gets stuck may do so.
    """
    restarted = start
    if start.last_solve is not None and start.pose is not None and contact_was_released(start.last_solve, problem):
        restarted = _restart_as_chosen(problem, start, start.pose)

    def hold(some: frozenset[int]) -> ContinuedSolve:
        firmly = CONTINUE[kind](with_pinned(problem, some), proposed, restarted, propose)
        shown = start.pose if holds_seat(problem, some) else None
        if shown is None or (gone := _gone(problem, shown, firmly)) <= GONE_M:
            return firmly
        rocking = CONTINUE[kind](with_pinned_seat_rocking(problem, some), proposed, restarted, propose)
        return rocking._replace(rocks=True) if _gone(problem, shown, rocking) < gone else firmly

    if known := _still_pinned(problem, start):
        found = hold(known)
        held = known | lost_effectors(problem, found.refined.residuals, start)
        if held > known:
            found = hold(held)
        return _with_held(found, problem, held)
    found = CONTINUE[kind](problem, proposed, restarted, propose)
    if begins_anew:
        found = _begun_anew(kind, problem, proposed, start, found)
    found = _with_idle_limbs_near(problem, start, found)
    held = lost_effectors(problem, found.refined.residuals, start)
    if not held:
        return found
    again = hold(held)
    if more := lost_effectors(problem, again.refined.residuals, start) - held:  # another one is lost in their place
        every = held | more
        both = hold(every)
        if pinning_helps(problem, every, both.refined.residuals, found.refined.residuals):
            return _with_held(both, problem, every, found.last_solve.tried)
    if not pinning_helps(problem, held, again.refined.residuals, found.refined.residuals):
        return found
    return _with_held(again, problem, held, found.last_solve.tried)


def _gone(problem: IKProblem, shown: Pose, found: ContinuedSolve) -> float:
    """Metres by which the joint that moves most is elsewhere than shown."""
    return float(apart(problem.skeleton, shown, found.refined.pose).max())


def _with_held(
    found: ContinuedSolve, problem: IKProblem, held: frozenset[int], tried: IKProblem | None = None
) -> ContinuedSolve:
    """What was found with these effectors pinned, as the answer to the problem in which they are not."""
    missed = any(left.state == "unreachable" for left in found.refined.residuals)
    pinned = frozenset(effector_key(problem.effectors[i]) for i in held if missed)
    last = found.last_solve._replace(effectors=problem.effectors, tried=tried, pinned=pinned)
    return found._replace(last_solve=last, held=held)


def _still_pinned(problem: IKProblem, start: WarmStart) -> frozenset[int]:
    """What had to be pinned in the round before, by index."""
    last = start.last_solve
    if last is None or not last.pinned:
        return frozenset()
    then = {effector_key(e): e for e in last.effectors}
    return frozenset(
        i
        for i, e in enumerate(problem.effectors)
        if effector_key(e) in last.pinned and np.array_equal(e.target, then[effector_key(e)].target)
    )


def _begun_anew(
    kind: Continuity, problem: IKProblem, proposed: Pose, start: WarmStart, found: ContinuedSolve
) -> ContinuedSolve:
    """The search from the proposal, if what was found is stuck and that search is better; else what was found.

    If it was no better a moment ago, and effectors have hardly moved since, it is not tried. Nor is it while a solid
    body has a target within it: a hand stays on the side that it has slid to. Contacts have ways around of their own,
    but for hands that are caught on their way to skin.
    """
    last = start.last_solve
    if last is None or not _may_be_stuck(kind, problem):
        return found
    off = _strict_error(problem, found)
    if off <= STUCK or (problem.obstacles is not None and _is_kept_out(problem, problem.obstacles, found)):
        return found
    tried = last.tried
    if tried is None or not _is_tried_again(tried, problem):
        anew = search_anew(problem, proposed)
        if _strict_error(problem, anew) < off - STUCK:
            return _with_free_joints_as_shown(problem, proposed, last.pose, found, anew)
        tried = changed(problem, obstacles=None)  # not compared, and large
    return found._replace(last_solve=found.last_solve._replace(tried=tried))


def _with_free_joints_as_shown(
    problem: IKProblem, proposed: Pose, shown: Pose, found: ContinuedSolve, anew: ContinuedSolve
) -> ContinuedSolve:
    """What was found anew with limbs and trunk as shown of which no place is asked, if all is met as well that way.

    It is held to what was proposed before; of who stands, where that draws it back to where the search got stuck, to
    itself.
    """
    skeleton = problem.skeleton
    asked = {skeleton.index(e.joint) for e in problem.effectors if e.is_active and e.is_strict}
    moves = sorted({0}.union(*(limb_of(skeleton, j) for j in asked if j)))
    rotations = shown.rotations.copy()
    rotations[moves] = anew.refined.pose.rotations[moves]
    mixed = Pose(anew.refined.pose.root_position, rotations)
    most = _strict_error(problem, anew) + AS_WELL
    kept = _searched_from(mixed, problem, found)
    if _strict_error(problem, kept) <= most:
        return kept
    if not is_on_feet(skeleton, problem.base_pose):
        return anew
    own = refine(problem, mixed, state_at(mixed))
    held = anchor(mixed, proposed, problem.effectors)
    last = found.last_solve._replace(exact=own.state, pose=own.pose, proposal=mixed, anchor=held)
    kept = found._replace(refined=own, last_solve=last)
    return kept if _strict_error(problem, kept) <= most else anew


def _with_idle_limbs_near(problem: IKProblem, start: WarmStart, found: ContinuedSolve) -> ContinuedSolve:
    """What was found; where a small step of a drag throws limbs about of which nothing is asked, the search once more
    with these as they are shown, or else led from there a little of the way, if they then stay nearer and all is met
    as well."""
    last, shown = start.last_solve, start.pose
    if last is None or shown is None or problem.step_s > 0.0 or problem.frozen or last.base != problem.base_pose:
        return found
    if not idle_limbs(problem.skeleton, problem.effectors) or not hardly_moved(last.effectors, problem.effectors):
        return found
    begin = with_idle_limbs_as_shown(problem.skeleton, problem.effectors, found.refined.pose, shown)
    if begin is None:
        return found
    leans = idle_arm_leans(problem.skeleton, problem.effectors, found.refined.pose, shown)
    for led in ((), leans) if leans else ((),):  # where they cannot stay
        near = _searched_from(begin, changed(problem, leans=problem.leans + led), found)
        poses = near.refined.pose, found.refined.pose
        nearer = keeps_idle_limbs_nearer(problem.skeleton, problem.effectors, *poses, shown)
        if nearer and _strict_error(problem, near) <= _strict_error(problem, found) + AS_WELL:
            return near
    return found


def _searched_from(pose: Pose, problem: IKProblem, found: ContinuedSolve) -> ContinuedSolve:
    """What was found, searched once more from a pose."""
    near = refine(problem, found.last_solve.proposal, state_at(pose))
    return found._replace(refined=near, last_solve=found.last_solve._replace(exact=near.state, pose=near.pose))


def _is_kept_out(problem: IKProblem, obstacles: Obstacles, found: ContinuedSolve) -> bool:
    """Whether something lies on a surface, or a strict place is within what the body may not enter, or barred by the
    other leg; not for a hand that is far off the skin that it should lie on, as one caught behind the own shoulder."""
    asked = [e for e in problem.effectors if e.is_active]
    told = zip(problem.effectors, found.refined.residuals, strict=True)
    contacts = [(e, left.value) for e, left in told if isinstance(e, Contact) and e.is_active]
    caught = any(isinstance(e.source, Tie) and off > CAUGHT_M for e, off in contacts)
    if contacts and (problem.frozen or not caught):  # an arm that moves alone begins where it hangs
        return True
    strict = [e for e in asked if e.tolerance == 0.0]
    rows = rows_of(problem.skeleton, strict)
    raised = obstacles.raised(rows, strengths_of(strict), problem.skeleton, found.refined.pose, shown=True)
    return bool(raised.which)


def _is_tried_again(tried: IKProblem, problem: IKProblem) -> bool:
    """Whether a problem differs from one tried before in nothing but where its targets are, and in that hardly."""
    if not asks_alike(tried, problem):
        return False
    moved = [pair for pair in zip(tried.effectors, problem.effectors, strict=True) if pair[0] is not pair[1]]
    return distance_moved([one for one, _ in moved], [other for _, other in moved]) < TRIED_M


def _may_be_stuck(kind: Continuity, problem: IKProblem) -> bool:
    """Whether a search that starts where an earlier one was left may be stuck there. In motion the next frame is
    another chance."""
    return kind is not Continuity.NONE and problem.step_s == 0


def _restart_as_chosen(problem: IKProblem, start: WarmStart[M], shown: Pose) -> WarmStart[M]:
    """The start as if the user had chosen the pose shown: the search starts there, and an anchor keeps it."""
    return start._replace(chosen_for=effectors_at_pose(problem.skeleton, shown, problem.effectors), last_solve=None)


def _strict_error(problem: IKProblem, found: ContinuedSolve) -> float:
    """How far strict effectors are off, all together: metres or radians."""
    told = zip(problem.effectors, found.refined.residuals, strict=True)
    return sum(left.value for effector, left in told if effector.is_active and effector.tolerance == 0.0)
