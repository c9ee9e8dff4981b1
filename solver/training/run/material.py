"""What a run learns from."""

from __future__ import annotations

from typing import NamedTuple

from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData


class Material(NamedTuple):
    """Poses, and the tree and bones of their joints."""

    data: PoseData
    parents: tuple[int, ...]
    bodies: ShapedBodies

    def to(self, device: object) -> Material:
        """This material with its bones on a torch device."""
        return self._replace(bodies=ShapedBodies(*(t.to(device) for t in self.bodies)))  # type: ignore[call-overload]
