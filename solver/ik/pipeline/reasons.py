"""Why an effector cannot be met: out of reach, or something in the way; found by solving again without each in turn.

It costs some dozens of solves, so it is for a pose at rest, never for a frame of a drag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.asked_instead import lies_on_floor, presses_on_thing
from solver.ik.exact import PULLS, refine
from solver.ik.memory import state_at
from solver.ik.pipeline.tilts import tilt_reason, tilted_of
from solver.ik.preserve_modes import LEAST, limb_of
from solver.ik.problem import Cause, IKProblem, Reason, Residual
from solver.ik.rig_adapter import RigAdapter, adapter_for
from solver.ik.standing_stage import gives_way, solve_with_standing
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of

MOST_TRIED = 12  # effectors, and kept joints, left out one at a time: the nearest
MOST_EFFECTORS = 100  # with more, a single solve takes too long
ROUNDING = 1e-4  # metres
NO_BEARERS: Mapping[int, str] = MappingProxyType({})


class _Stopped(Exception):
    """Something more urgent has to be done."""


def reasons(
    problem: IKProblem,
    pose: Pose,
    residuals: Sequence[Residual],
    stop: Callable[[], bool] = lambda: False,
    bearers: Mapping[int, str] = NO_BEARERS,
) -> tuple[Reason | None, ...] | None:
    """Why each effector of a solved problem is not reachable, or lies tilted; None if neither, or if there are too many
    effectors to find out.

    pose, residuals: the solution. stop: asked before each solve; when it returns true the answer is None. bearers: of
    effectors that lie on the body itself, by index, the joint whose skin they lie on; rigs of other kinds heed none.
    """
    rigged = adapter_for(problem)
    if rigged:
        return _on_rig(rigged, pose, residuals, stop)
    missed = [i for i, residual in enumerate(residuals) if residual.state == "unreachable"]
    tilted = tilted_of(problem.skeleton, pose, problem.effectors)
    if not (missed or tilted) or len(problem.effectors) > MOST_EFFECTORS:
        return (None,) * len(residuals)
    trials = _Trials(problem, pose, frozenset(missed), stop, len(problem.effectors))

    def reason(i: int) -> Reason | None:
        if i in missed:
            return _reason(_with_bearer(trials, bearers[i]) if i in bearers else trials, i)
        return tilt_reason(problem, pose, i, trials.go_on) if i in tilted else None

    try:
        return tuple(map(reason, range(len(residuals))))
    except _Stopped:
        return None


def _with_bearer(trials: _Trials, joint: str) -> _Trials:
    """The trials with a joint that stays where it is: what lies on its skin rides on it, and a search that could move
    the one to the place where the other one was would find a way that there is not."""
    problem, world = trials.problem, forward_kinematics(trials.problem.skeleton, trials.pose)
    stays = (kind.on(problem.skeleton, joint, world) for kind in (Position, Rotation))
    return replace(trials, problem=replace(problem, effectors=(*problem.effectors, *stays)), done={})


def _on_rig(
    rigged: RigAdapter, pose: Pose, residuals: Sequence[Residual], stop: Callable[[], bool]
) -> tuple[Reason | None, ...] | None:
    """The reasons of a problem on a rig of another kind, joints by the rig's names."""
    asking = [i for i, effector in enumerate(rigged.problem.effectors) if effector.is_active]
    found = reasons(rigged.solver_problem, rigged.movable.reduced(pose), [residuals[i] for i in asking], stop)
    if found is None:
        return None
    by_effector = dict(zip(asking, found, strict=True))
    told = (by_effector.get(i) for i in range(len(residuals)))
    return tuple(r and replace(r, joint=_named(rigged, r.joint), other=_named(rigged, r.other)) for r in told)


def _named(rigged: RigAdapter, joint: str) -> str:
    return rigged.rig_joint_name(joint) if joint else ""


@dataclass(frozen=True)
class _Without:
    """What one trial leaves out: effectors by index, kept joints by index, joint limits, a solid floor, that the
    body is solid to itself, and what stands around."""

    effectors: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    limits: bool = False
    floor: bool = False
    body: bool = False
    things: bool = False


@dataclass(eq=False)
class _Trials:
    """Solutions of a problem with something left out, each found once for all effectors. missed: those to be met. own:
    how many of the problem's effectors are the person's; what follows only stays."""

    problem: IKProblem
    pose: Pose
    missed: frozenset[int]
    stop: Callable[[], bool]
    own: int
    done: dict[_Without, tuple[frozenset[int], ...]] = field(default_factory=dict)

    def others_missed(self, effector: int, without: _Without) -> int | None:
        """With those left out, how many others are still missed if the effector is met; None if it is not.

        It must not be met at the cost of another effector that was met before: that does not help.
        """
        if without not in self.done:
            self.done[without] = tuple(self._missed(without))
        return min((len(left) for left in self.done[without] if left <= self.missed - {effector}), default=None)

    def go_on(self) -> None:
        """Raises _Stopped if something more urgent has to be done."""
        if self.stop():
            raise _Stopped

    def _missed(self, without: _Without) -> Iterator[frozenset[int]]:
        whole, joints = self.problem, list(without.kept)
        masks = [mask.copy() for mask in (whole.preserve_position, whole.preserve_orientation)]
        for mask in masks:
            mask[joints] = 0.0
        effectors = tuple(
            replace(e, enabled=False) if i in without.effectors else e for i, e in enumerate(whole.effectors)
        )
        problem = replace(
            whole,
            effectors=effectors,
            preserve_position=masks[0],
            preserve_orientation=masks[1],
            floor=None if without.floor else whole.floor,
            obstacles=whole.obstacles.leaving_out(without.body, without.things) if whole.obstacles else None,
        )
        pulls = PULLS._replace(limits=0.0) if without.limits else PULLS
        for start in (state_at(self.pose), None):
            self.go_on()
            found = refine(problem, whole.base_pose, start, pulls).residuals
            left = frozenset(i for i, residual in enumerate(found) if residual.state == "unreachable")
            yield left
            if not left:
                return


def _reason(trials: _Trials, i: int) -> Reason | None:
    problem = trials.problem
    effector = problem.effectors[i]
    if lies_on_floor(problem, effector):
        return Reason(Cause.FLOOR)
    if presses_on_thing(problem, effector):
        return Reason(Cause.PROP)
    others_missed = trials.others_missed(i, _Without())
    if others_missed == 0:
        # This solver does not get there, but it can be reached; a look, in a way that people do not turn.
        if gives_way(problem, effector):
            return Reason(Cause.LIMITS)
        if len(problem.effectors) > trials.own:
            return Reason(Cause.RIDES)
        return Reason(Cause.STANDING if _is_missed_standing(trials, i) else Cause.WAY)
    if _too_far(problem, i):
        return Reason(Cause.OUT_OF_REACH)

    def helps(without: _Without) -> int | None:
        """How many others it leaves missed; None if it is no better than leaving nothing out."""
        left = trials.others_missed(i, without)
        return left if left is not None and (others_missed is None or left < others_missed) else None

    if problem.floor is not None and helps(_Without(floor=True)) is not None:
        return Reason(Cause.FLOOR)
    if problem.obstacles is not None:
        if helps(_Without(body=True)) is not None:
            return Reason(Cause.BODY)
        if problem.obstacles.has_surroundings and helps(_Without(things=True)) is not None:
            return Reason(Cause.PROP)
    others = [k for k, other in enumerate(problem.effectors[: trials.own]) if k != i and other.is_active]
    near = list(_nearest(problem.skeleton, effector, others, [problem.effectors[k].joint for k in others]))
    found = {k: left for k in near if (left := helps(_Without(effectors=frozenset({k})))) is not None}
    if found:
        other = problem.effectors[min(found, key=lambda k: found[k])]
        return Reason(Cause.EFFECTOR, other.joint, other.kind)
    together = [] if _too_far(problem, i, softly=True) else [problem.effectors[k].joint for k in near]
    for joint, counterpart in _pairs(problem.skeleton, together):
        sides = frozenset(k for k in others if problem.effectors[k].joint in (joint, counterpart))
        if helps(_Without(effectors=sides)) is not None:
            return Reason(Cause.EFFECTOR, joint, other=counterpart)
    kept = np.flatnonzero(np.maximum(problem.preserve_position, problem.preserve_orientation) > LEAST).tolist()
    for j in _nearest(problem.skeleton, effector, kept, [problem.skeleton.names[j] for j in kept]):
        if helps(_Without(kept=frozenset({j}))) is not None:
            return Reason(Cause.KEPT, problem.skeleton.names[j])
    if kept and helps(_Without(kept=frozenset(kept))) is not None:
        return Reason(Cause.KEPT)
    if helps(_Without(limits=True)) is not None:
        return Reason(Cause.LIMITS)
    if isinstance(effector, PointEffector):
        return Reason(Cause.OUT_OF_REACH)
    return Reason(Cause.SEVERAL if others or kept else Cause.LIMITS)


def _is_missed_standing(trials: _Trials, i: int) -> bool:
    """Whether an effector is missed for how people stand, sit and look, as it is met without."""
    if trials.problem.stance is None:
        return False
    trials.go_on()
    found = solve_with_standing(trials.problem, trials.problem.base_pose, state_at(trials.pose))
    return found.residuals[i].state == "unreachable"


def _too_far(problem: IKProblem, i: int, softly: bool = False) -> bool:
    """Whether a place that is held elsewhere in the body is further away than the bones between would be, stretched.

    Of two such places the one that was moved further from the base pose is out of reach; the other one is only pulled.
    softly: whether places count that are not held strictly.
    """
    skeleton, effector = problem.skeleton, problem.effectors[i]
    if not isinstance(effector, PointEffector):
        return False
    limb = {skeleton.names[j] for j in limb_of(skeleton, skeleton.index(effector.joint))}
    base = forward_kinematics(skeleton, problem.base_pose)

    def moved(one: PointEffector) -> float:
        return float(np.linalg.norm(one.target - one.held_at(skeleton, base)))

    def longest(other: PointEffector) -> float:
        offsets = sum(float(np.linalg.norm(one.offset)) for one in (effector, other))
        return _way(skeleton, effector.joint, other.joint) + offsets + ROUNDING

    return any(
        np.linalg.norm(effector.target - other.target) > longest(other)
        for other in problem.effectors
        if isinstance(other, PointEffector) and other.is_active and (softly or other.is_strict)
        if other.joint not in limb and moved(other) <= moved(effector)
    )


def _pairs(skeleton: Skeleton, joints: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Those of the joints that are each other's counterparts, in pairs, in their order."""
    rig, told = rig_of(skeleton), set[str]()
    for joint in joints:
        counterpart = rig.mirrored_name(joint)
        if counterpart != joint and counterpart in joints and counterpart not in told:
            yield joint, counterpart
        told.add(joint)


def _nearest(skeleton: Skeleton, effector: Effector, items: Sequence[int], joints: Sequence[str]) -> Iterator[int]:
    """Those items whose joints are nearest to the effector's along the bones, in that order."""
    ways = [_way(skeleton, effector.joint, joint) for joint in joints]
    return (items[k] for k in np.argsort(ways, kind="stable")[:MOST_TRIED])


def _way(skeleton: Skeleton, a: str, b: str) -> float:
    """Metres from joint to joint along the bones."""
    lines = []
    for name in (a, b):
        j, line = skeleton.index(name), []
        while j >= 0:
            line.append(j)
            j = skeleton.parents[j]
        lines.append(line)
    apart = set(lines[0]) ^ set(lines[1])
    return float(sum(np.linalg.norm(skeleton.offsets[j]) for j in apart))
