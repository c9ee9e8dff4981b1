"""Drags of tied figures that return to where they started: the body is back in the pose it had there.

Every round of such a solve goes on from the pose shown, so the result would depend on the path of the drag. On the way
back the search therefore starts at a blend with the pose in which the drag started, with more of it the nearer the
targets are to where they were. The way out is not affected.
"""

from __future__ import annotations

import numpy as np

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.ik.anchor import anchor_between, anchor_toward, effector_key, effectors_at_pose
from solver.ik.memory import AtPose, DragStart, LastSolve, Memory, SettledMemory, SolveRecord, SolverMemory, state_at
from solver.ik.options import Options
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.pose_distance import apart
from solver.memoise import memoised
from solver.values import FloatArray, changed

NEAR_START_M = 0.1  # metres from where a drag started within which its first pose is blended in
HOME_BY = 1.5  # of a figure tied to nothing also further out, by a metre for so many that it is off that pose
SAME_SPOT_M, SAME_WAY = 1e-3, 0.05  # metres on the skin, and radians
MOVED_M = 1e-6  # metres; a smaller change of a target is not a drag
DraggedEffectors = dict[tuple[str, str], Effector]


def memory_as_shown(memory: Memory, problem: IKProblem, shown: Pose, solver: object, options: Options) -> SettledMemory:
    """The memory of a pose shown that no solve is known of, as if one had found it for what was asked there; where
    that is not known, for what the pose does."""
    asked = memory.asked if isinstance(memory, AtPose) else ()
    effectors = asked or effectors_at_pose(problem.skeleton, shown, problem.effectors)
    record = SolveRecord(changed(problem, effectors=effectors, obstacles=None), options, solver, shown)
    return SettledMemory(memory.with_default_pose(shown), record, (), rests=False)


def drag_start_of(
    memory: Memory, problem: IKProblem, solver: object, effectors: tuple[Effector, ...]
) -> DragStart | None:
    """The start of the drag that leads to these targets from what a figure was asked before; None where nothing has
    been dragged yet. The drag goes on for as long as nothing else is dragged, and the solver and base pose stay.
    """
    if not isinstance(memory, SettledMemory) or not _is_same_setup(memory, problem, solver):
        return None
    skeleton = problem.skeleton
    before, now = _dragged_effectors(memory.record.problem.effectors), _dragged_effectors(effectors)
    drag_start = memory.drag_start
    moved = {key for key, e in now.items() if key not in before or not _is_unmoved(before[key], e)}
    if drag_start is not None and moved <= _dragged_effectors(drag_start.dragged).keys() <= now.keys():
        return drag_start._replace(went_far=drag_start.went_far or _distance_dragged(drag_start, now) > NEAR_START_M)
    if not moved:
        return None
    world = forward_kinematics(skeleton, memory.record.pose)
    return DragStart(
        changed(memory, drag_start=None), tuple(now[key].at_pose(skeleton, world) for key in sorted(moved))
    )


def drag_start_after(
    memory: Memory, problem: IKProblem, solver: object, effectors: tuple[Effector, ...], found: Memory
) -> DragStart | None:
    """As `drag_start_of`, once a step of the drag has been solved; with the anchor that was found for a pose that no
    solve was known of, or that more had held until then. found: what the step's solve left behind."""
    begun = drag_start_of(memory, problem, solver, effectors)
    if begun is None:
        return None
    inner = begun.settled.inner
    unknown = isinstance(inner, AtPose) or (isinstance(inner, SolverMemory) and inner.warm_start.last_solve is None)
    return with_first_solve(begun, changed(problem, effectors=effectors), found) if unknown else begun


def with_first_solve(begun: DragStart, problem: IKProblem, found: Memory) -> DragStart:
    """The start of a drag with the anchor that its first solve found for it. found: what that solve left behind."""
    last = found.warm_start.last_solve if isinstance(found, SolverMemory) else None
    if not isinstance(found, SolverMemory) or last is None:
        return begun
    pose = begun.pose
    effectors = effectors_at_pose(problem.skeleton, pose, problem.effectors)
    first = LastSolve(state_at(pose), effectors, last.base, pose, pose, last.anchor, seat=last.seat)
    start = found.warm_start._replace(pose=pose, last_solve=first)
    return begun._replace(settled=changed(begun.settled, inner=SolverMemory(found.solver, start)))


def effectors_dragged(memory: Memory, problem: IKProblem) -> frozenset[str]:
    """The ids of what is dragged in this step: of what asks strictly with a target of its own, and has moved since."""
    return frozenset(dragged_ways(memory, problem.effectors))


def dragged_ways(memory: Memory, effectors: tuple[Effector, ...]) -> dict[str, FloatArray]:
    """By how much the target of what is dragged has moved in this step, by id."""
    if not isinstance(memory, SettledMemory):
        return {}
    before, now = (_dragged_effectors(each) for each in (memory.record.problem.effectors, effectors))
    moved = {key: e for key, e in now.items() if key in before and not _is_unmoved(before[key], e)}
    return {key[0]: e.target - before[key].target for key, e in moved.items()}


def blend_to_drag_start(
    memory: Memory, problem: IKProblem, solver: object, shown: Pose
) -> tuple[SettledMemory, Pose] | None:
    """The memory and the pose shown that a figure's solve goes on from on the way back, both blended with where the
    drag started; None where they stay as they are, and until the drag has been far."""
    drag_start = drag_start_of(memory, problem, solver, problem.effectors)
    if drag_start is None or not drag_start.went_far or not isinstance(memory, SettledMemory):
        return None
    return blended_with(drag_start, memory, problem, shown)


def blended_with(
    drag_start: DragStart, memory: SettledMemory, problem: IKProblem, shown: Pose, alone: bool = False
) -> tuple[SettledMemory, Pose] | None:
    """As `blend_to_drag_start`, with a given start, however far the drag has been. alone: whether the figure is tied to
    nothing, so that its targets are known before it is solved. It comes home from further out, and faster at first."""
    now = _distance_dragged(drag_start, _dragged_effectors(problem.effectors))
    off = float(apart(problem.skeleton, shown, drag_start.pose).max()) if alone else 0.0
    near = max(NEAR_START_M, off / HOME_BY)
    if now >= near:
        return None
    before = _distance_dragged(drag_start, _dragged_effectors(memory.record.problem.effectors))
    # A body that is led is led away again in each step: on a straight way home it would still be far off at the end.
    share, inner = blend_share(before, now, near, 2 if alone else 1), memory.inner
    if share <= 0.0:
        return None
    if share >= 1.0:
        return changed(drag_start.settled, drag_start=drag_start), drag_start.pose
    if not isinstance(inner, SolverMemory) or inner.warm_start.last_solve is None:
        return None
    pose = pose_between(shown, drag_start.pose, share)
    asked = problem.effectors if alone else None
    last = _blended_solve(inner.warm_start.last_solve, drag_start.settled.inner, share, asked)
    last = last._replace(exact=state_at(pose), pose=pose)
    start = inner.warm_start._replace(pose=pose, last_solve=last)
    return changed(memory, inner=SolverMemory(inner.solver, start), tie_motion=None), pose


def with_patches_as_then(effectors: tuple[Effector, ...], memory: Memory) -> tuple[Effector, ...]:
    """The effectors, contacts with their patches exactly where they were when the memory's pose was found, if they have
    hardly moved on the skin: a knee that is bent again as it was lies on that spot within half a millimetre."""
    if not isinstance(memory, SettledMemory):
        return effectors
    then = {effector_key(e): e for e in memory.record.problem.effectors if isinstance(e, Contact)}

    def there(effector: Effector) -> Effector:
        was = then.get(effector_key(effector))
        if was is None or not isinstance(effector, Contact) or was.patch != effector.patch:
            return effector
        near = np.abs(was.offset - effector.offset).max() <= SAME_SPOT_M
        near &= bool(np.abs(was.normal - effector.normal).max() <= SAME_WAY)
        return changed(effector, offset=was.offset, normal=was.normal) if near else effector

    return tuple(map(there, effectors))


def _blended_solve(last: LastSolve, first: Memory, share: float, asked: tuple[Effector, ...] | None) -> LastSolve:
    """The last solve with its proposal and its anchor a share of the way to those of the first pose: else the search
    would come back to where the drag started, and what it stays near would not. asked: what the next solve is asked;
    None where ties find their targets anew before."""
    then = first.warm_start.last_solve if isinstance(first, SolverMemory) else None
    if then is None:
        return last
    return last._replace(
        proposal=pose_between(last.proposal, then.proposal, share),
        anchor=anchor_between(last.anchor, then.anchor, share, last.effectors)
        if asked is None
        else anchor_toward(last.anchor, then.anchor, share, then.effectors, asked),
    )


@memoised(16, by_identity=True)  # a step of a drag asks it a dozen times of what is asked now, was before and at first
def _dragged_effectors(effectors: tuple[Effector, ...]) -> DraggedEffectors:
    """What a user drags: effectors that ask strictly, with targets of their own. By id and joint, for a contact that
    comes off becomes another kind."""
    return {(e.id, e.joint): e for e in effectors if e.is_active and e.is_strict and e.source is None}


def _is_unmoved(before: Effector, now: Effector) -> bool:
    return before is now or (type(before) is type(now) and now.distance_from(before) < MOVED_M)


def _is_same_setup(memory: SettledMemory, problem: IKProblem, solver: object) -> bool:
    """Whether the memory is of the same solver, on the same skeleton and with the same base pose."""
    was = memory.record.problem
    return memory.record.solver is solver and was.skeleton == problem.skeleton and was.base_pose == problem.base_pose


def blend_share(before: float, now: float, near: float = NEAR_START_M, power: int = 1) -> float:
    """The share of the way to the first pose of the drag for a step that brings its targets from so many metres off to
    so many: in small steps the body comes as far as in large ones. 0 far from the start, and on the way out.

    near: metres off from which the body comes home, off it by that power of what the targets are off.
    """
    before = min(before, near)
    return 1.0 if now < MOVED_M else 1.0 - (now / before) ** power if now < before else 0.0


def _distance_dragged(drag_start: DragStart, now: DraggedEffectors) -> float:
    """Metres from where the drag started to where what is dragged is now, from where it was asked to be then or from
    where it was, whichever is nearer; infinite where it was not there yet."""
    asked = _dragged_effectors(drag_start.settled.record.problem.effectors)
    dragged = _dragged_effectors(drag_start.dragged)

    def there(key: tuple[str, str], effector: Effector) -> float:
        if key not in now:
            return np.inf
        starts = (effector, *(e for e in (asked.get(key),) if type(e) is type(now[key])))
        return min(now[key].distance_from(e) for e in starts if e is not None)

    return max(there(*each) for each in dragged.items())
