"""A BVH file's content as the file has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.hierarchy import BvhJoint
from solver.formats.told import Told
from solver.rig.joint_recognition import JointMap, JointsUnknown, joint_map_of, recognise_joints

HALF_A_DECIMAL = 0.51e-6  # seconds: half a unit of the last of the six decimals that files have


@dataclass(frozen=True, eq=False)
class BvhFile:
    """What a BVH file says, unconverted.

    joints: in file order, parents first. frame_time: seconds. values: (F, C) float64, all channels of all joints in
    file order, positions in the file's unit and angles in degrees. notes: what was missing and how it was filled in.
    given: which of our joints its joints are, our joint name -> index, if somebody said so. places: where its joints
    stand in the whole file (of a glTF file: its nodes), if it is a part of it. person, told: of a GLB file of this
    program, what its person is called, and their body.
    """

    source: str
    joints: tuple[BvhJoint, ...]
    frame_time: float
    values: NDArray[np.float64]
    notes: tuple[str, ...] = ()
    given: Mapping[str, int] | None = None
    places: tuple[int, ...] | None = None
    person: str = ""
    told: Told | None = None

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
        """Frames a second; a whole number if the file's few decimals mean one (0.033333 means 30)."""
        fps = 1.0 / self.frame_time
        whole = round(fps)
        near = whole and abs(1.0 / whole - self.frame_time) < max(1e-4 * self.frame_time, HALF_A_DECIMAL)
        return float(whole) if near else fps

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

    @cached_property
    def joint_map(self) -> JointMap:
        """Which of our joints its joints are; BvhJointsUnknown if too few can be recognised."""
        if self.given is not None:
            return joint_map_of(self.names, self.parents, self.given)
        try:
            return recognise_joints(self.names, self.parents, self.source, self.rest_positions)
        except JointsUnknown as error:
            raise BvhJointsUnknown(self, error) from None

    def __len__(self) -> int:
        return len(self.values)


class BvhJointsUnknown(JointsUnknown):
    """Too few joints of a file were recognised to pose a body. bvh: the file."""

    def __init__(self, bvh: BvhFile, error: JointsUnknown) -> None:
        super().__init__(error.source, error.reason, error.way_out)
        self.bvh = bvh
