"""The nodes of a glTF file: which hangs from which, and where they stand, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import from_quaternion_xyzw

Array = NDArray[np.float64]
MAX_NODES = 20_000
REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}


def node_parents(nodes: Sequence[Mapping[str, Any]]) -> list[int]:
    """Each node's parent, -1 for a root; ValueError if nodes form a ring."""
    if len(nodes) > MAX_NODES:
        raise ValueError(f"more than {MAX_NODES:,} nodes")
    parents = [-1] * len(nodes)
    for place, node in enumerate(nodes):
        for child in node.get("children", []):
            if parents[child] >= 0 or child < 0:
                raise ValueError(f"node {child} hangs from two others")
            parents[child] = place
    parents_first(parents)
    return parents


def parents_first(parents: Sequence[int]) -> list[int]:
    """All indices, parents first."""
    children: dict[int, list[int]] = {}
    for place, parent in enumerate(parents):
        children.setdefault(parent, []).append(place)
    order = list(children.get(-1, []))
    for place in order:  # which grows during the loop
        order += children.get(place, [])
    if len(order) != len(parents):
        raise ValueError("nodes hang in a ring")
    return order


def way_up(place: int, parents: Sequence[int]) -> list[int]:
    """The node, its parent, and so on to the root."""
    way = [place]
    while parents[way[-1]] >= 0:
        way.append(parents[way[-1]])
    return way


class StandingNodes:
    """Where a file's nodes stand over some frames, worked out as they are asked for.

    curves: for each node what moves: "translation", "rotation" (xyzw) or "scale" -> (F, 3 or 4). above: (4, 4), how
    the file's world stands in the one that is asked about.
    """

    def __init__(
        self,
        nodes: Sequence[Mapping[str, Any]],
        parents: Sequence[int],
        curves: Mapping[int, Mapping[str, Array]],
        frames: int = 1,
        above: Array | None = None,
    ) -> None:
        self.parents, self.frames = parents, frames
        self.above = np.eye(4) if above is None else above
        self._nodes, self._curves = nodes, curves
        self._world: dict[int, Array] = {}

    def world(self, place: int) -> Array:
        """(F, 4, 4) in the file's world."""
        for node in reversed(way_up(place, self.parents)):
            if node not in self._world:
                parent = self.parents[node]
                self._world[node] = (self.above if parent < 0 else self._world[parent]) @ self._local(node)
        return self._world[place]

    def _local(self, place: int) -> Array:
        node, moving = self._nodes[place], self._curves.get(place, {})
        local = np.tile(np.eye(4), (self.frames, 1, 1))
        if "matrix" in node and not moving:
            local[:] = np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
            return local
        part = {
            path: moving.get(path, np.array(node.get(path, rest), dtype=np.float64).reshape(1, len(rest)))
            for path, rest in REST.items()
        }
        local[:, :3, :3] = from_quaternion_xyzw(part["rotation"]) * part["scale"][:, None, :]
        local[:, :3, 3] = part["translation"]
        return local
