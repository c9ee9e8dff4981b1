"""What a BVH file's channels mean: joint rotations and positions in the file's own world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.file import BvhFile
from solver.kinematics.rotations import from_euler

Array = NDArray[np.floating]


class BvhWorld:
    """World rotations and positions of a file's joints over some frames, worked out as they are asked for."""

    def __init__(self, bvh: BvhFile, frames: slice) -> None:
        self._bvh, self._values = bvh, bvh.values[frames]
        self._rotations: dict[int, Array] = {}
        self._positions: dict[int, Array] = {}

    def __len__(self) -> int:
        return len(self._values)

    def rotation(self, joint: int) -> Array:
        """(F, 3, 3), R_world_joint."""
        for j in self._to_fill(joint, self._rotations):
            parent = self._bvh.joints[j].parent
            turns = any(channel.endswith("rotation") for channel in self._bvh.joints[j].channels)
            if parent >= 0 and not turns:
                self._rotations[j] = self._rotations[parent]
            else:
                local = self.local(j)
                self._rotations[j] = local if parent < 0 else self._rotations[parent] @ local
        return self._rotations[joint]

    def position(self, joint: int) -> Array:
        """(F, 3) in the file's unit."""
        for j in self._to_fill(joint, self._positions):
            offset, parent = self.offset(j), self._bvh.joints[j].parent
            if parent >= 0:
                offset = self._positions[parent] + np.einsum("fik,fk->fi", self.rotation(parent), offset)
            self._positions[j] = offset
        return self._positions[joint]

    def _to_fill(self, joint: int, known: dict[int, Array]) -> list[int]:
        way: list[int] = []
        while joint >= 0 and joint not in known:
            way.append(joint)
            joint = self._bvh.joints[joint].parent
        return way[::-1]

    def local(self, joint: int) -> Array:
        """(F, 3, 3), R_parent_joint."""
        order, columns = "", []
        for column, channel in self._channels(joint):
            if channel.endswith("rotation"):
                order += channel[0]
                columns.append(self._values[:, column])
        # An axis without a channel does not turn, so it may stand anywhere in the order.
        for axis in "XYZ":
            if axis not in order:
                order += axis
                columns.append(np.zeros(len(self)))
        return from_euler(order, np.radians(np.stack(columns, axis=-1)))

    def offset(self, joint: int) -> Array:
        """(F, 3) from the parent, in its frame; of a root from the origin."""
        offset = np.tile(np.array(self._bvh.joints[joint].offset), (len(self), 1))
        moving = {c[0]: self._values[:, i] for i, c in self._channels(joint) if c.endswith("position")}
        # Position channels replace the OFFSET. Some programs write zeros there for joints that keep it.
        if self._bvh.joints[joint].parent >= 0 and not any(values.any() for values in moving.values()):
            return offset
        for axis, values in moving.items():
            offset[:, "XYZ".index(axis)] = values
        return offset

    def _channels(self, joint: int) -> list[tuple[int, str]]:
        first = self._bvh.first_channels[joint]
        return list(enumerate(self._bvh.joints[joint].channels, first))
