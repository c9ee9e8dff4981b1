"""People whose hand is stuck on themselves as it is dragged: a search anew finds a way past, and they go over to it."""

from __future__ import annotations

from collections.abc import Callable

from solver.effectors.form_ids import POINT
from solver.ik.memory import Destination, SolverMemory, WarmStart
from solver.ik.pipeline.led_joints import GOES_M, THROWN
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals, with_states_of
from solver.ik.solution import IKSolution, missed
from solver.ik.stance.idle_limbs import arms_of
from solver.ik.stance.leans import joints_asked
from solver.kinematics.pose import pose_between
from solver.kinematics.pose_distance import apart
from solver.values import changed

STUCK_M = 0.03  # metres by which a hand is missed at least that is stuck, and that a search anew comes nearer at least

SHORTER = 0.95  # a little more, so that two tries or three will do


def past_what_it_is_stuck_at(
    problem: IKProblem, start: WarmStart, found: IKSolution, whole: Callable[[WarmStart], IKSolution]
) -> IKSolution | None:
    """What a search finds that begins anew, at what is proposed, where one that goes on leaves a dragged hand far
    off, as on a leg that it lies on; None where it is left as far off, or nearly."""
    last, asked = start.last_solve, joints_asked(problem.skeleton, problem.effectors, POINT)
    if last is None or last.base != problem.base_pose or problem.step_s > 0.0 or problem.frozen:
        return None
    if all(asked.isdisjoint(arm) for arm in arms_of(problem.skeleton)) or missed(problem, found) <= STUCK_M:
        return None
    anew = whole(start._replace(pose=None, last_solve=None))
    return anew if missed(problem, anew) <= missed(problem, found) - STUCK_M else None


def gone_over(solver: str, problem: IKProblem, start: WarmStart, going: Destination, moved_m: float) -> IKSolution:
    """The answer with the body a part of the way from the pose shown to where it goes: no joint further than one may go
    that is led, through what is in the way.

    moved_m: metres by which what is asked moved.
    """
    found, shown = going.found, start.pose
    assert shown is not None
    goes, share = THROWN * (GOES_M + moved_m), 1.0
    while (way := float(apart(problem.skeleton, shown, pose := pose_between(shown, found.pose, share)).max())) > goes:
        share *= SHORTER * goes / way  # joints go on arcs
    left = with_states_of(residuals(problem.skeleton, pose, problem.effectors), found.residuals)
    there = found.memory.warm_start_for(solver, len(problem.skeleton)).at(pose)
    assert there.last_solve is not None
    on_the_way = there._replace(last_solve=there.last_solve._replace(goes_to=going))
    return changed(found, pose=pose, residuals=left, memory=SolverMemory(solver, on_the_way))
