"""The nodes of a glTF file: which hangs from which, and where they stand, frame by frame."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
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


def with_all_above(places: Iterable[int], parents: Sequence[int]) -> set[int]:
    """The nodes, their parents, and so on to the roots."""
    found: set[int] = set()
    for place in places:
        node = place
        while node >= 0 and node not in found:
            found.add(node)
            node = parents[node]
    return found


def next_above(places: Collection[int], parents: Sequence[int]) -> dict[int, int]:
    """For each of some nodes the next of them above it, -1 where there is none."""
    known = dict.fromkeys(places, -1)
    found = {-1: -1}  # for each node on the way: itself where it is one of them, else the next above
    for place in places:
        way, node = [], parents[place]
        while node not in found and node not in known:
            way.append(node)
            node = parents[node]
        known[place] = node if node in known else found[node]
        found.update(dict.fromkeys(way, known[place]))
    return known


class StandingNodes:
    """Where a file's nodes stand over some frames, worked out as they are asked for.

    order: all of them, parents first.

    curves: for each node what moves: "translation", "rotation" (xyzw) or "scale" -> (F, 3 or 4). above: (4, 4), how
    the file's world stands in the one that is asked about.
    """

    def __init__(
        self,
        nodes: Sequence[Mapping[str, Any]],
        parents: Sequence[int],
        curves: Mapping[int, Mapping[str, NDArray[np.floating]]],
        frames: int = 1,
        above: NDArray[np.floating] | None = None,
    ) -> None:
        self.parents, self.frames = parents, frames
        self.above = np.eye(4) if above is None else above
        self.order = parents_first(parents)
        self._nodes, self._curves = nodes, curves
        self._world: dict[int, Array] = {}

    def world(self, place: int) -> Array:
        """(F, 4, 4) in the file's world."""
        way, node = [], place
        while node >= 0 and node not in self._world:
            way.append(node)
            node = self.parents[node]
        for node in reversed(way):
            parent = self.parents[node]
            self._world[node] = (self.above if parent < 0 else self._world[parent]) @ self._local(node)
        return self._world[place]

    def _local(self, place: int) -> Array:
        """(F, 4, 4) in the space of its parent."""
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
