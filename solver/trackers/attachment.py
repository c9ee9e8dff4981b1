"""How trackers are attached to joints, their calibration, and the effectors that their readings give."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.forms import NO_OFFSET
from solver.effectors.kinds import Position, Rotation
from solver.effectors.sources import NO_TURN
from solver.trackers.sample import Reading
from solver.values import ArrayValue, FloatArray, frozen_array


@dataclass(frozen=True)
class Attachment:
    """Where a tracker sits. joint: its name, "" for a tracker that nobody wears. position, rotation: what is used."""

    joint: str
    position: bool = True
    rotation: bool = True


Attachments = Mapping[str, Attachment]  # by the trackers' names


@dataclass(frozen=True, eq=False)
class Mount(ArrayValue):
    """How a tracker sits on its joint. offset: (3,) metres from the joint, in its frame, on our body. turn: (3, 3)
    R_joint_tracker."""

    offset: FloatArray = field(default_factory=lambda: NO_OFFSET)
    turn: FloatArray = field(default_factory=lambda: NO_TURN)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", frozen_array(self.offset, (3,), "offset"))
        object.__setattr__(self, "turn", frozen_array(self.turn, (3, 3), "turn"))


NO_MOUNT_OFFSET = Mount()


@dataclass(frozen=True)
class Calibration:
    """How the trackers' world becomes ours. mounts: by the trackers' names; any other sits on its joint itself.

    scale: what places are multiplied by, our body's height divided by the wearer's. height_m: the wearer's, 0 if it is
    unknown. stance: what the wearer stood in, "" if nobody was measured.
    """

    mounts: Mapping[str, Mount] = field(default_factory=dict)
    scale: float = 1.0
    height_m: float = 0.0
    stance: str = ""


UNCALIBRATED = Calibration()


def one_tracker_per_joint(attachments: Attachments, heard: Collection[str], by_hand: Collection[str]) -> Attachments:
    """Take silent trackers off joints that have one that is heard, unless they were put there by hand.

    heard, by_hand: names of trackers.
    """
    taken = {each.joint for name, each in attachments.items() if name in heard}
    gone = {name for name, each in attachments.items() if name not in heard and each.joint in taken} - set(by_hand)
    return {name: replace(each, joint="") if name in gone else each for name, each in attachments.items()}


def effectors_of(
    readings: Mapping[str, Reading], attachments: Attachments, calibration: Calibration
) -> tuple[Effector, ...]:
    """What the trackers ask of a pose, as effectors of tolerance 0; if several are on a joint, the first one counts.

    Readings are finite and rotations are rotations: see `solver.trackers.outlier_filter`.
    """
    found: dict[tuple[str, str], Effector] = {}
    for name, worn in attachments.items():
        reading = readings.get(name)
        if reading is None or not worn.joint:
            continue
        mount = calibration.mounts.get(name, NO_MOUNT_OFFSET)
        turn = None if reading.rotation is None else reading.rotation @ mount.turn.T
        if worn.position and reading.position is not None:
            place = _place(worn.joint, calibration.scale * reading.position, turn, mount)
            found.setdefault((worn.joint, Position.kind), place)
        if worn.rotation and turn is not None:
            found.setdefault((worn.joint, Rotation.kind), Rotation(worn.joint, turn.astype(np.float32)))
    return tuple(found.values())


def _place(joint: str, place: NDArray[np.floating], turn: NDArray[np.floating] | None, mount: Mount) -> Position:
    """Where the joint is, if that is known; else where the point that the tracker sits on is."""
    if turn is None:
        return Position(joint, np.asarray(place, np.float32), mount.offset)
    return Position(joint, np.asarray(place - turn @ mount.offset, np.float32))
