"""How people stand at frames between keys: on the keys' floor, with feet that stand as they do at the keys, and over a
recorded motion only as far as the keys change a foot.

Keys are shown as posed, also with a hand in a thigh. Bodies that were pushed out of themselves beside them leapt there,
and came out on another side at each frame; so they may be as deep as their keys are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import FootShape
from solver.effectors.forms import PointEffector, TurnEffector
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for
from solver.ik.stance.footing import MOVED_M, TURNED
from solver.kinematics.curves import curve_through, each_eased, eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.values import changed

Array = NDArray[np.float64]
Frames = NDArray[np.int64]

RISES_S = 0.1  # seconds on each side of a pose with skin in the floor, in which the floor comes up to its true height
LIFTS_S = 0.3  # seconds before a foot leaves the floor, in which it comes to stand there ever less; likewise afterwards


class Standing(NamedTuple):
    """How the poses that frames lie between stand. knots: (K,) their frames. depths: (K,) metres of each one's skin
    that is in the floor. shares: (K, F) how much each foot stands of its own accord. fps: frames a second.
    """

    knots: Frames
    depths: Array
    shares: Array
    fps: float

    @classmethod
    def of(
        cls, knots: Frames, problems: Sequence[IKProblem], poses: Sequence[Pose], fps: float, recorded: bool
    ) -> Standing:
        """How some poses stand. problems: of their frames. recorded: whether the base poses are a motion's: feet where
        the motion has them stay as they are in it."""
        pairs = [as_solvers_see(problem, pose) for problem, pose in zip(problems, poses, strict=True)]
        depths = np.array([depth_of(problem, pose) for problem, pose in pairs])
        return cls(knots, depths, np.array([own_footing(*pair, recorded) for pair in pairs]), fps)

    def between(
        self, problems: Sequence[IKProblem], frames: Frames, others: Callable[[Frames], Sequence[IKProblem]]
    ) -> list[IKProblem]:
        """The problems of frames in a row, as solved about proposals that include the keys' own departures. others: the
        problems of any frames."""
        depths = self.depths_at(frames)
        shares = curve_through(self.knots, self.shares, frames) * self._down(problems, frames, others)
        return [standing_at(*each) for each in zip(problems, depths.tolist(), shares, strict=True)]

    def _down(
        self, problems: Sequence[IKProblem], frames: Frames, others: Callable[[Frames], Sequence[IKProblem]]
    ) -> Array:
        """(N, F) how much of each foot's standing is left at some frames, 0..1: ever less towards a frame at which it
        is off the floor, all of it at a key. One that rises fast would flip off its toes in one frame."""
        lifts = max(1.0, LIFTS_S * self.fps)
        margin = int(np.ceil(lifts))
        before, after = frames[0] - np.arange(margin, 0, -1), frames[-1] + 1 + np.arange(margin)
        wide = np.concatenate([before, frames, after])
        down = np.array([feet_down(each) for each in (*others(before), *problems, *others(after))])
        away = each_eased(np.abs(frames[:, None] - wide[None, :]) / lifts)
        left = np.maximum(down[None], away[..., None]).min(axis=1)
        rises = max(1.0, RISES_S * self.fps)
        from_key = each_eased(np.abs(frames[:, None] - self.knots[None, :]).min(axis=1) / rises)
        return np.asarray(1.0 - (1.0 - left) * from_key[:, None])

    def depths_at(self, frames: Frames) -> Array:
        """(N,) metres by which the floor is lower at some frames.

        A pose with skin in the floor is shown as it is. Frames beside it come up little by little, without a jump.
        """
        away = np.abs(frames[:, None] - self.knots[None, :]) / max(1.0, RISES_S * self.fps)
        return np.asarray((self.depths * each_eased(1.0 - away)).max(axis=1))


def as_solvers_see(problem: IKProblem, pose: Pose) -> tuple[IKProblem, Pose]:
    """A problem and a pose as solvers see them: floor and stance are given in solvers' joints."""
    rigged = adapter_for(problem)
    return (rigged.solver_problem, rigged.movable.reduced(pose)) if rigged else (problem, pose)


def depth_of(problem: IKProblem, pose: Pose) -> float:
    """Metres by which a pose's skin is in the problem's floor; 0 if none is, or the floor is not solid."""
    if problem.floor is None:
        return 0.0
    return max(0.0, -problem.floor.lowest(forward_kinematics(problem.skeleton, pose)) - problem.floor.ground.gives)


def own_footing(problem: IKProblem, pose: Pose, recorded: bool) -> Array:
    """(F,) how much each foot of a key stands of its own accord, 0..1; empty if feet may hover.

    recorded: whether its base pose is a motion's; then only as far as the foot differs from the motion's.
    """
    feet = problem.stance.feet if problem.stance else None
    if feet is None:
        return np.zeros(0)
    there, beneath = (forward_kinematics(problem.skeleton, each) for each in (pose, problem.base_pose))
    shares = []
    for shape in feet.shapes:
        place, before = (world.positions[shape.ankle].astype(np.float64) for world in (there, beneath))
        turn, was = (world.rotations[shape.ankle].astype(np.float64) for world in (there, beneath))
        away = max(float(np.linalg.norm(place - before)) / MOVED_M, float(geodesic_angle(turn, was)) / TURNED)
        own = shape.standing(place, turn, there.rotations[shape.ball].astype(np.float64))
        shares.append(own * eased(away) if recorded else own)
    return np.array(shares)


def feet_down(problem: IKProblem) -> Array:
    """(F,) how far each foot is on the floor where it is asked to be, else where the base pose has it, 0..1; 1 where
    that does not decide how it stands; the less, the less of how it stands counts. Empty if feet may hover."""
    problem, pose = as_solvers_see(problem, problem.base_pose)
    feet = problem.stance.feet if problem.stance else None
    if feet is None:
        return np.zeros(0)
    world = forward_kinematics(problem.skeleton, pose)
    down = [1.0 if stand != "auto" else _down(problem, shape, world) for shape, stand, _ in feet.each()]
    return np.array(down) * (feet.shares or 1.0)


def _down(problem: IKProblem, shape: FootShape, world: WorldJoints) -> float:
    own = [e for e in problem.effectors if e.is_active and e.joint == problem.skeleton.names[shape.ankle]]
    placed = (e.target for e in own if isinstance(e, PointEffector) and e.holds_joint)
    turned = (e.target for e in own if isinstance(e, TurnEffector))
    place = next(placed, world.positions[shape.ankle]).astype(np.float64)
    turn = next(turned, world.rotations[shape.ankle]).astype(np.float64)
    footing = shape.footing(place, turn, turn, "auto", True)
    return footing.down if footing is not None else 0.0


def standing_at(problem: IKProblem, depth: float, shares: Array) -> IKProblem:
    """A problem over a floor that is `depth` lower, its feet standing by their `shares`, (F,).

    People who move are in balance by moving, which no single frame shows: the weight goes as it goes from key to key.
    Trunks that turn after a look do so in the proposals already.
    """
    if problem.floor is not None and depth > 0.0:
        problem = replace(problem, floor=problem.floor.lowered(depth))
    if problem.stance is None:
        return problem
    stance = replace(problem.stance, after_looks=False, balancing=None)
    if stance.feet is not None:
        stance = replace(stance, feet=replace(stance.feet, shares=tuple(shares.tolist())))
    return replace(problem, stance=stance)


def depths_within(problems: Sequence[IKProblem], poses: Sequence[Pose]) -> Array | None:
    """(K, P, J) metres that each of K poses has each ball of a solid body within each of its joints, beyond what its
    problem allows; None if none is, or may be anyhow."""
    depths = []
    for problem, pose in (as_solvers_see(*pair) for pair in zip(problems, poses, strict=True)):
        if problem.obstacles is None or not problem.obstacles.avoids_itself:
            return None
        depths.append(problem.obstacles.own_depths(forward_kinematics(problem.skeleton, pose)))
    return np.stack(depths) if any(each.any() for each in depths) else None


def as_deep_as_keys(
    problems: Sequence[IKProblem], frames: Frames, knots: Frames, depths: Array | None
) -> list[IKProblem]:
    """The problems of some frames, whose bodies may be as deep within themselves as the keys on both sides are, along a
    curve. depths: of the `knots`."""
    if depths is None:
        return list(problems)
    return [_deeper(*each) for each in zip(problems, curve_through(knots, depths, frames), strict=True)]


def as_deep_as(problems: Sequence[IKProblem], poses: Sequence[Pose]) -> list[IKProblem]:
    """Problems whose bodies may be as deep within themselves as these poses are, one for each."""
    more = depths_within(problems, poses)
    return list(problems) if more is None else [_deeper(*each) for each in zip(problems, more, strict=True)]


def _deeper(problem: IKProblem, by: Array) -> IKProblem:
    if problem.obstacles is None or not by.any():
        return problem
    before = problem.obstacles.deeper
    return replace(problem, obstacles=changed(problem.obstacles, deeper=by if before is None else before + by))
