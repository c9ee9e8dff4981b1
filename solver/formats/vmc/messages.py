"""The messages of the VMC protocol that are read and written, as values in our world."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from solver.values import FloatArray

LOCAL = "/Local"  # after the address of a device that is given in the room's own metres
STATUS_ADDRESS = "/VMC/Ext/OK"
TIME_ADDRESS = "/VMC/Ext/T"
ROOT_NAME = "root"


class Kind(Enum):
    """What a transform belongs to; the value is the address of its message."""

    ROOT = "/VMC/Ext/Root/Pos"
    BONE = "/VMC/Ext/Bone/Pos"
    HEADSET = "/VMC/Ext/Hmd/Pos"
    CONTROLLER = "/VMC/Ext/Con/Pos"
    TRACKER = "/VMC/Ext/Tra/Pos"


DEVICES = (Kind.HEADSET, Kind.CONTROLLER, Kind.TRACKER)


@dataclass(frozen=True, eq=False)
class Transform:
    """Where something is, in our world: right-handed, Y up, metres.

    kind and name: what it belongs to. position: (3,). rotation: (3, 3). For the root and devices in the world; for a
    bone relative to its parent. local: for a device, in the room's own metres and not scaled to the sender's figure.
    scale, offset: (3,) each, for a root that says how the room became the figure's world: room * scale + offset.
    """

    kind: Kind
    name: str
    position: FloatArray
    rotation: FloatArray
    local: bool = False
    scale: FloatArray | None = None
    offset: FloatArray | None = None


@dataclass(frozen=True)
class Status:
    """The sender's state. None for what it does not say.

    loaded: whether it has a figure, without which it sends no bones. calibration: 0 not done, 1 waiting, 2 running,
    3 done. mode: of the calibration. tracking: whether it sees its devices.
    """

    loaded: bool
    calibration: int | None = None
    mode: int | None = None
    tracking: bool | None = None


@dataclass(frozen=True)
class SenderTime:
    """The sender's own clock, in seconds; sent once for each frame."""

    time_s: float


Message = Transform | Status | SenderTime
