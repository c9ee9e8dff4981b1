"""Fades in the targets of trackers that arrive: from where the joint is shown to where the tracker is.

The same goes for those that the body would leap away from, or back to: see `leaping_effectors`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.kinds import Rotation
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.trackers.transition import FASTEST, SHORTEST_S, STEEPEST

Key = tuple[str, str]  # joint and kind
LEVER_M = 0.4  # metres from a joint to the flesh that its turn moves


@dataclass(frozen=True)
class _TargetOffset:
    """How far from its reading its target begins. by: (3,) metres or a rotation vector. Times in seconds."""

    by: NDArray[np.floating]
    began_s: float
    lasts_s: float


class TargetFadeIn:
    """Fades in trackers that arrive, so that they pull no joint faster than FASTEST."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._offsets: dict[Key, _TargetOffset] = {}

    def clear(self) -> None:
        """Fade in nothing any more: every tracker counts where its reading has it."""
        self._offsets.clear()

    def faded_in(
        self, effectors: tuple[Effector, ...], came: Collection[Key], shown: WorldJoints, began_s: float, now_s: float
    ) -> tuple[Effector, ...]:
        """The effectors with targets as far faded in as they are now. came: those that arrive now, and begin where the
        pose shown has their joints."""
        for effector in effectors:
            key = effector.joint, effector.kind
            if key in came:
                by = self._apart(effector, shown)
                far = float(np.linalg.norm(by)) * (LEVER_M if isinstance(effector, Rotation) else 1.0)
                self._offsets[key] = _TargetOffset(by, began_s, max(SHORTEST_S, STEEPEST * far / FASTEST))
        there = {(effector.joint, effector.kind) for effector in effectors}
        self._offsets = {k: a for k, a in self._offsets.items() if k in there and now_s < a.began_s + a.lasts_s}
        return tuple(self._drawn(effector, now_s) for effector in effectors)

    def _apart(self, effector: Effector, shown: WorldJoints) -> NDArray[np.floating]:
        held = effector.at_pose(self._skeleton, shown)
        if isinstance(effector, Rotation):
            return np.asarray(to_rotation_vector(held.target @ effector.target.T))
        return np.asarray(held.target - effector.target)

    def _drawn(self, effector: Effector, now_s: float) -> Effector:
        away = self._offsets.get((effector.joint, effector.kind))
        if away is None:
            return effector
        left = (1.0 - min(max((now_s - away.began_s) / away.lasts_s, 0.0), 1.0)) ** 2
        if isinstance(effector, Rotation):
            return replace(effector, target=(from_rotation_vector(left * away.by) @ effector.target).astype(np.float32))
        return replace(effector, target=(effector.target + left * away.by).astype(np.float32))


def leaping_effectors(
    skeleton: Skeleton,
    before: Iterable[Effector],
    effectors: Iterable[Effector],
    shown: WorldJoints,
    pose: WorldJoints,
    step_s: float,
) -> frozenset[Key]:
    """The effectors whose joint would go further than their target, by more than FASTEST allows in a step.

    This happens when the body can no longer meet a tracker, such as one turned as no ankle turns, or can meet it again.
    before: what was asked for the pose shown. step_s: seconds.
    """
    last = {(effector.joint, effector.kind): effector for effector in before}
    found = set()
    for effector in effectors:
        key = effector.joint, effector.kind
        if key in last:
            goes = effector.at_pose(skeleton, shown).distance_from(effector.at_pose(skeleton, pose))
            if goes - effector.distance_from(last[key]) > FASTEST * step_s:
                found.add(key)
    return frozenset(found)
