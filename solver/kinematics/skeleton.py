"""The skeleton: joint names, parents and rest offsets; and SMPL's 24 joints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.errors import UnknownName
from solver.values import ArrayValue, FloatArray, frozen_array

SMPL_JOINTS: tuple[str, ...] = (
    "pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle",
    "spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head", "left_shoulder",
    "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hand", "right_hand",
)  # fmt: skip
SMPL_PARENTS: tuple[int, ...] = (
    -1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19, 20, 21,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Skeleton(ArrayValue):
    """A tree of J joints in rest pose (T-pose, Y up, facing +Z, left at +X).

    names: J joint names. parents: J indices, parents[j] < j, -1 for the root (joint 0 alone).
    offsets: (J, 3) metres, rest position relative to the parent; offsets[0] is the root's own rest position.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", frozen_array(self.offsets, (len(self.names), 3), "offsets"))
        if len(set(self.names)) != len(self.names):
            raise ValueError("joint names repeat")
        if len(self.parents) != len(self.names) or self.parents[0] != -1:
            raise ValueError("parents must name one parent for each joint, -1 for the first")
        if any(not 0 <= p < j for j, p in enumerate(self.parents) if j > 0):
            raise ValueError("every joint's parent must come before it")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """The joint's index; UnknownName lists the joints otherwise."""
        try:
            return self._indices[name]
        except KeyError:
            raise UnknownName("joint", name, self.names) from None

    def children(self, joint: int) -> tuple[int, ...]:
        """Indices of the joint's direct children."""
        return self._children[joint]

    @cached_property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """parents (J,) and offsets (J, 3) as compiled code takes them; not to be written to."""
        return np.array(self.parents, np.int64), self.offsets.astype(np.float64)

    @property
    def rest_frames(self) -> FloatArray | None:
        """(J, 3, 3) R_world_joint of the rest pose; None if every joint has the world's axes, as here."""
        return None

    @cached_property
    def rest_positions(self) -> FloatArray:
        """(J, 3) metres, joint positions of the rest pose."""
        positions, frames = np.array(self.offsets), self.rest_frames
        for j, p in enumerate(self.parents):
            if p >= 0:
                positions[j] = positions[p] + (positions[j] if frames is None else frames[p] @ positions[j])
        return frozen_array(positions, (len(self), 3), "rest positions")

    @cached_property
    def _indices(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.names)}

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(c for c, p in enumerate(self.parents) if p == j) for j in range(len(self)))
