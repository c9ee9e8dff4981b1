"""Reading BVH files of any origin: the hierarchy, the channels and the frames as the file has them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.formats.bvh_frames import read_frames
from solver.formats.bvh_hierarchy import BvhJoint, HierarchyReader
from solver.formats.reading import MEBIBYTE, read_text

MAX_BYTES = 512 * MEBIBYTE


@dataclass(frozen=True, eq=False)
class BvhFile:
    """What a BVH file says, unconverted.

    joints: in file order, parents first. frame_time: seconds. values: (F, C) float64, all channels of all joints in
    file order, positions in the file's unit and angles in degrees. notes: what was missing and how it was filled in.
    """

    source: str
    joints: tuple[BvhJoint, ...]
    frame_time: float
    values: NDArray[np.float64]
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Joint names in file order; they may repeat."""
        return tuple(joint.name for joint in self.joints)

    @property
    def parents(self) -> tuple[int, ...]:
        """Parent indices in file order, -1 for a root."""
        return tuple(joint.parent for joint in self.joints)

    @property
    def fps(self) -> float:
        """Frames a second; a whole number where the file's few decimals mean one (0.033333 means 30)."""
        fps = 1.0 / self.frame_time
        return float(round(fps)) if abs(fps - round(fps)) < 1e-4 * fps else fps

    @cached_property
    def first_channels(self) -> tuple[int, ...]:
        """For each joint the column of its first channel in `values`."""
        counts = [len(joint.channels) for joint in self.joints]
        return tuple(int(c) for c in np.cumsum([0, *counts])[:-1])

    @cached_property
    def rest_positions(self) -> NDArray[np.float64]:
        """(J, 3) joint positions with every rotation zero, in the file's unit."""
        positions = np.array([joint.offset for joint in self.joints])
        for j, joint in enumerate(self.joints):
            if joint.parent >= 0:
                positions[j] += positions[joint.parent]
        return positions

    def __len__(self) -> int:
        return len(self.values)


def parse_bvh(text: str, source: object) -> BvhFile:
    """BVH text to its content; InputRefused names the line and the reason otherwise."""
    if not text.strip():
        raise InputRefused(source, "is empty", "Choose another file")
    reader = HierarchyReader(text, source)
    joints = reader.read()
    channels = sum(len(joint.channels) for joint in joints)
    if channels == 0:
        raise InputRefused(source, "no joint has channels, so nothing moves", "Export the file again")
    frames = read_frames(text, reader.position, channels, source)
    return BvhFile(str(source), tuple(joints), frames.frame_time, frames.values, frames.notes)


def read_bvh(path: str | os.PathLike[str]) -> BvhFile:
    """Read and parse a BVH file; InputRefused otherwise."""
    return parse_bvh(read_text(path, MAX_BYTES), path)
