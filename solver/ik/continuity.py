"""What keeps a solver calm whose proposals know nothing of the past: what was shown is remembered here.

An anchor holds how a pose that was shown differs from what the solver proposed for the same effectors. Near those
effectors its proposal is taken with that difference, further away with less and less of it. So a drag begins at the
pose that is there (a photo's, a file's), there and back leaves no trace, and where the network jumps from one likely
pose to another, the pose shown goes over to it little by little, or stays if one turns back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.ik.effectors import Effector, LookAt, Position, Rotation
from solver.ik.exact import ExactState, refine, state_at
from solver.ik.problem import IKProblem, IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.values import FloatArray

FADE_M = 0.3  # metres of an effector's way after which a third of the difference is left
ARM_M = 0.3  # by which angles count as metres
FAR = 5.0  # times FADE_M: nothing is left
JUMP = np.radians(10.0)  # more than this, and `RATE` for the way, is no following but a jump
RATE = np.radians(1200.0)  # per metre


@dataclass(frozen=True, eq=False)
class Anchor:
    """A pose shown, seen from what the network said: root (3,) metres, turns (J, 3) rotation vectors; and where."""

    effectors: tuple[Effector, ...]
    root: FloatArray
    turns: FloatArray

    def near(self, said: Pose, effectors: Sequence[Effector]) -> Pose:
        """What the network says of `effectors`, with as much of the difference as is left there."""
        share = np.exp(-way(self.effectors, effectors) / FADE_M)
        rotations = said.rotations @ from_rotation_vector(share * self.turns)
        return Pose(said.root_position + np.float32(share) * self.root, rotations.astype(np.float32))


def anchor(shown: Pose, said: Pose, effectors: Sequence[Effector]) -> Anchor:
    """The anchor at these effectors."""
    turns = to_rotation_vector(np.swapaxes(said.rotations, -1, -2) @ shown.rotations)
    return Anchor(tuple(effectors), shown.root_position - said.root_position, turns.astype(np.float32))


@dataclass(frozen=True)
class Chosen:
    """A state for any solver: the pose shown, which the user chose among others for these effectors."""

    pose: Pose
    effectors: tuple[Effector, ...]


@dataclass(frozen=True)
class Kept:
    """What a solver with an absolute proposal goes on from after a choice. base: the base pose it was made with."""

    exact: ExactState
    anchor: Anchor
    base: Pose


def follow(problem: IKProblem, proposal: Pose, state: Any) -> IKSolution:
    """The exact stage about `proposal`, or as near to a chosen pose as its anchor says; from any of the states."""
    if isinstance(state, Chosen) and len(state.pose.rotations) == len(problem.skeleton):
        state = Kept(state_at(state.pose), anchor(state.pose, proposal, state.effectors), problem.base_pose)
    if isinstance(state, Kept):
        if state.base == problem.base_pose:
            solution = refine(problem, state.anchor.near(proposal, problem.effectors), state.exact)
            return replace(solution, state=replace(state, exact=solution.state))
        state = state.exact
    if isinstance(state, Pose):
        state = state_at(state)
    return refine(problem, proposal, state if isinstance(state, ExactState) else None)


def way(before: Sequence[Effector], after: Sequence[Effector]) -> float:
    """How far the effector that moved most moved, metres; angles as `ARM_M` would carry them. New ones did not move."""
    known = {key(e): e for e in before if e.asks}
    pairs = [(known[key(e)], e) for e in after if e.asks and key(e) in known]
    return max((_moved(a, b) for a, b in pairs), default=0.0)


def none_left(before: Sequence[Effector], after: Sequence[Effector]) -> bool:
    """Whether all that pulled before still does: the body has no reason to fall into another pose."""
    return {key(e) for e in before if e.asks} <= {key(e) for e in after if e.asks}


def jumps(before: Pose, after: Pose, way_m: float) -> bool:
    """Whether a joint turns more than the effectors' way explains."""
    return turn(before, after) > JUMP + RATE * way_m


def turn(a: Pose, b: Pose) -> float:
    """Radians, by which the joint that turns most turns from one pose to the other."""
    return float(geodesic_angle(a.rotations, b.rotations).max())


def taken_from(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> tuple[Effector, ...]:
    """The effectors with their targets where `pose` has them; a look-at's at its distance."""
    at = forward_kinematics(skeleton, pose)
    return tuple(_at(e, at.positions[j], at.rotations[j]) for e in effectors for j in (skeleton.index(e.joint),))


def key(effector: Effector) -> tuple[str, str, str]:
    """What makes it the same effector in two problems."""
    return effector.id, effector.joint, effector.kind


def _at(effector: Effector, place: FloatArray, rotation: FloatArray) -> Effector:
    if isinstance(effector, Rotation):
        return replace(effector, target=rotation)
    if isinstance(effector, LookAt):
        ahead = rotation @ effector.local_axis
        return replace(effector, target=place + np.linalg.norm(effector.target - place) * ahead)
    return replace(effector, target=place)  # type: ignore[call-arg]


def _moved(a: Effector, b: Effector) -> float:
    if isinstance(a, Rotation) and isinstance(b, Rotation):
        return ARM_M * float(geodesic_angle(a.target, b.target))
    shift = float(np.linalg.norm(b.target - a.target))  # type: ignore[attr-defined]
    return shift if isinstance(a, Position) else min(shift, ARM_M * np.pi)
