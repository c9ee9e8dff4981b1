"""People are led: what a small step of a drag would throw elsewhere goes there over some steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from solver.effectors.contact import Contact
from solver.effectors.forms import PointEffector
from solver.ik.anchor import SMALL_STEP_M, STILL_M, effector_key, nothing_moves, small_step, soft_turns
from solver.ik.continuity_kinds import effectors_there
from solver.ik.memory import Destination, LastSolve, SolverMemory, WarmStart, state_at
from solver.ik.options import Options
from solver.ik.pipeline.led_joints import GOES_BY_ITSELF_M, led_joints
from solver.ik.pipeline.stuck import gone_over, past_what_it_is_stuck_at
from solver.ik.problem import IKProblem
from solver.ik.solution import LATE_M, IKSolution, may_be_led, missed
from solver.ik.stance.idle_limbs import is_on_feet
from solver.ik.stance.leans import Lean, joints_with
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.pose_distance import apart
from solver.kinematics.rotations import angle_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS
from solver.values import changed

MISSED_MORE = 1e-3  # metres or radians: less does not count
GOES_ON_M = 0.02  # metres that what is dragged counts as moved where it rests, and a body that is led goes on
WHILE_LED_M = 0.2  # metres that effectors move at most in a step of somebody who is led
SET_DOWN_M = 0.12  # metres that a leg's patch slides in a move of a pointer; further, it is set down elsewhere
NEARER_M = 0.005  # metres that it has to come nearer to where it goes in each of these
GOES_ANEW_M = 0.02, 0.04, 0.06  # metres that what is dragged counts as moved as a drag begins anew: the least will do
TAKEN_M = 0.03  # metres: a limb that is asked to go further then gets there in one step
BEGINS_M = 0.03  # metres of the way that a search may begin further on

M = TypeVar("M")  # what the proposer remembers
Whole = Callable[..., IKSolution]  # a solve from a start, with leans if need be


def led_little_by_little(
    solver: str, given: IKProblem, first: IKProblem, start: WarmStart[M], options: Options, whole: Whole, sits: bool
) -> IKSolution:
    """What is found for somebody, led there where a small step of a drag would throw them elsewhere. Who is led
    already, and of whom the same is asked again, goes on to where they go.

    sits: whether somebody sits on something. They, and all others who do not stand on their feet, may miss what is
    asked for being led, as what is shown does; so may somebody whose leg slides along a slope.
    """
    rests = sits or not is_on_feet(given.skeleton, given.base_pose)
    if given.seen is not None:
        there = Destination(changed(given, seen=None), options, whole(start), wholly=True)
        begin = there.found.memory.warm_start_for(solver, len(given.skeleton)).at(given.seen)
        return _led_from_seen(solver, first, begin, there, sits, whole)
    last, shown = start.last_solve, start.pose
    going = last.goes_to if last is not None else None
    again = going is not None and going.is_for(given, options)
    if going is None or not again:
        free = whole(start)
        if going is not None and missed(given, free) > MISSED_MORE:  # the body itself may have got stuck on its way
            again_there = whole(going.found.memory.warm_start_for(solver, len(given.skeleton)))
            free = again_there if missed(given, again_there) < missed(given, free) - MISSED_MORE else free
        over = past_what_it_is_stuck_at(given, start, free, whole) if sits else None
        is_led_over = over is not None or (going is not None and going.over)
        going = Destination(given, options, over or free, going is not None and going.wholly, is_led_over)
    moved = _moved_where_led(first, start, going)
    if going.over and moved is not None:
        return gone_over(solver, given, start, going, moved)
    wholly, leans = bool(given.slid) or going.wholly, tuple[Lean, ...]()
    if shown is not None and moved is not None:
        leans = led_joints(given.skeleton, first.effectors, going.found.pose, shown, moved, rests, wholly)
    if shown is None or not leans or (sits and last is None):
        return going.found
    way = float(apart(given.skeleton, shown, going.found.pose).max())
    further = state_at(pose_between(shown, going.found.pose, min(1.0, BEGINS_M / way)))
    on = start if last is None else start._replace(last_solve=last._replace(exact=further))
    # The others where limbs are in each other's way: a jump would go through them as well.
    own = _below_roots(given.skeleton, given.slid)
    beside = tuple(lean for lean in leans if given.skeleton.index(lean.effector.joint) not in own)
    tries = [(start, leans, False), (on, leans, False), (on, leans, True)]
    if own and beside:  # a leg that has to fold otherwise for its patch does so at once
        tries.append((start, beside, False))
    for begin, some, through in tries:
        led = whole(begin, some, through)
        comes_nearer = not again or apart(given.skeleton, led.pose, going.found.pose).max() < way - NEARER_M
        joints = [] if some is leans else [given.skeleton.index(lean.effector.joint) for lean in some]
        if comes_nearer and may_be_led(given, shown, led, going.found, LATE_M if rests or wholly else 0.0, joints):
            gets_there = missed(given, going.found) <= missed(given, led) + MISSED_MORE
            return _with_destination(led, solver, going) if gets_there else led
    return going.found


def _led_from_seen(
    solver: str, first: IKProblem, start: WarmStart, going: Destination, sits: bool, whole: Whole
) -> IKSolution:
    """What is found with somebody led from the pose in which they are seen, as a drag begins anew: what is dragged is
    where it is asked to be at once, and the body comes after; in longer steps where short ones do not reach. Who
    kneels or lies is there at once.

    start: at that pose, with what was found where they go.
    """
    given, shown = going.problem, start.pose
    if shown is None or start.last_solve is None or not (sits or is_on_feet(given.skeleton, given.base_pose)):
        return going.found
    taken = _taken_along(given, shown)
    for goes in GOES_ANEW_M:
        leans = led_joints(given.skeleton, first.effectors, going.found.pose, shown, goes, sits, True, taken)
        if not leans:
            break
        led = whole(start, leans)
        joints = [given.skeleton.index(lean.effector.joint) for lean in leans]
        if may_be_led(given, shown, led, going.found, LATE_M, joints):
            return _with_destination(led, solver, going)
    return going.found


def _taken_along(problem: IKProblem, shown: Pose) -> frozenset[int]:
    """Hinge, end and tip of each limb that is asked to go more than `TAKEN_M` from where it is shown, and so gets there
    in one step."""
    there = forward_kinematics(problem.skeleton, shown)
    asked = [e for e in problem.effectors if isinstance(e, PointEffector) and e.is_active and e.is_strict]
    ways = ((e.joint, float(np.linalg.norm(e.target - e.held_at(problem.skeleton, there)))) for e in asked)
    return _below_roots(problem.skeleton, (joint for joint, way in ways if way > TAKEN_M))


def _below_roots(skeleton: Skeleton, names: Iterable[str]) -> frozenset[int]:
    """Hinge, end and tip of each limb that has one of these joints there."""
    rig, asked = rig_of(skeleton), frozenset(map(skeleton.index, names))
    lines = [joints_with(rig, (limb.hinge, limb.end, limb.tip)) for limb in LIMBS]
    return frozenset(j for line in lines if not asked.isdisjoint(line) for j in line)


def _moved_where_led(problem: IKProblem, start: WarmStart[M], going: Destination) -> float | None:
    """Metres by which what is asked moved, as `_moved` has it, where somebody may be led; None where they are there, or
    where nobody is led."""
    last, shown = start.last_solve, start.pose
    if shown is None or problem.step_s > 0.0 or problem.frozen:
        return None
    if last is None:  # a drag begins from a pose that no solve is known of
        last = LastSolve(state_at(shown), effectors_there(problem, start, shown), problem.base_pose, shown, shown)
    if last.base != problem.base_pose or apart(problem.skeleton, shown, going.found.pose).max() <= GOES_BY_ITSELF_M:
        return None
    return _moved(problem, last, shown)


def _moved(problem: IKProblem, last: LastSolve, shown: Pose) -> float | None:
    """Metres by which a body that is led goes on, or by which what is asked moved in a small step of a drag; else None.

    Of patches that slide along a slope their ways alone count: they, and feet, turn as far as legs turn them. Nor do
    soft turns count beside what is dragged: a foot that leaves the floor turns by far more than it goes.
    """
    is_led, then, now = last.goes_to is not None, last.effectors, problem.effectors
    most_m = WHILE_LED_M if is_led else SMALL_STEP_M
    own = {effector_key(e): e for e in now if e.is_active and e.joint in problem.slid and not e.holds_joint}
    lie = {key: e for key, e in own.items() if isinstance(e, Contact)}
    lay = [e for e in then if isinstance(e, Contact) and e.is_active and effector_key(e) in lie]
    slid = max((e.distance_from(lie[effector_key(e)]) for e in lay), default=0.0)
    if slid >= max(most_m, SET_DOWN_M):
        return None
    ways = [(e.facing.astype(np.float64), lie[effector_key(e)].facing.astype(np.float64)) for e in lay]
    turns = any(angle_between(was, is_now) > 0.0 for was, is_now in ways)
    others = tuple(own.get(effector_key(e), e) for e in then)
    if nothing_moves(others, now):
        return max(slid, GOES_ON_M) if is_led or turns or slid > STILL_M else None
    soft = soft_turns(now)
    turned = tuple(soft.get(effector_key(e), e) if e.is_active else e for e in others)
    others = others if nothing_moves(turned, now) else turned
    moved = small_step(problem.skeleton, others, now, shown, most_m)
    return None if moved is None else max(moved, slid)


def _with_destination(led: IKSolution, solver: str, going: Destination) -> IKSolution:
    """What was found with joints led, which remembers where the body goes."""
    start = led.memory.warm_start_for(solver, len(led.pose.rotations))
    assert start.last_solve is not None
    last = start.last_solve._replace(goes_to=going)
    return changed(led, memory=SolverMemory(solver, start._replace(last_solve=last)))
