"""The data that a run trains on."""

from __future__ import annotations

from typing import NamedTuple

from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData


class TrainingData(NamedTuple):
    """Poses, and the tree and bones of their joints."""

    data: PoseData
    parents: tuple[int, ...]
    bodies: ShapedBodies

    def to(self, device: object) -> TrainingData:
        """This data with its bones on a torch device."""
        return self._replace(bodies=ShapedBodies(*(t.to(device) for t in self.bodies)))  # type: ignore[call-overload]
