"""The messages of the VMC protocol that are read and written, as values in our world."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from solver.values import FloatArray

LOCAL = "/Local"  # behind the address of a device that is told in the room's own metres
STATUS_ADDRESS = "/VMC/Ext/OK"
TIME_ADDRESS = "/VMC/Ext/T"
ROOT_NAME = "root"


class Kind(Enum):
    """What a transform is of; the value is the address of its message."""

    ROOT = "/VMC/Ext/Root/Pos"
    BONE = "/VMC/Ext/Bone/Pos"
    HEADSET = "/VMC/Ext/Hmd/Pos"
    CONTROLLER = "/VMC/Ext/Con/Pos"
    TRACKER = "/VMC/Ext/Tra/Pos"


DEVICES = (Kind.HEADSET, Kind.CONTROLLER, Kind.TRACKER)


@dataclass(frozen=True, eq=False)
class Transform:
    """Where something is, in our world: right-handed, Y up, metres.

    kind and name: what it is of. position: (3,). rotation: (3, 3). Of the root and of devices in the world; of a bone
    relative to its parent. local: of a device, told in the room's own metres and not scaled to the sender's figure.
    scale, offset: (3,) each, of a root that says how the room became the figure's world: room * scale + offset.
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
    """How the sender is. None for what it does not say.

    loaded: whether it has a figure, without which it sends no bones. calibration: 0 not done, 1 waiting, 2 going on,
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
