"""From messages to samples: what belongs to one moment, though the protocol may spread it over several packets.

A sender says each thing once for each of its frames. So a frame ends when something is said again, and at the
message of the sender's time, which most senders have last. A sender with neither falls silent: the receiver then
calls `end`. How long a silence has to be for that depends on the sender, see `ends_itself`.
"""

from __future__ import annotations

from collections.abc import Iterable

from solver.formats.vmc.bones import Bones
from solver.formats.vmc.messages import DEVICES, Kind, Message, SenderTime, Status, Transform
from solver.rig.roles import Role
from solver.trackers.sample import BONE_PREFIX, Reading, TrackerSample

HEADSET_NAME = Role.HEAD.value  # there is only one, and this says more than its serial number
MOST_TRANSFORMS = 128  # of one frame: with more, a sender must be making up names
PROMPT_S = 0.005  # a sender's time that comes within this belongs to the frame before it, a later one to the next
SURE = 3  # frames that are enough to tell how a sender ends them

_Key = tuple[Kind, bool, str]


class FrameGrouping:
    """Groups what one sender says. status: what it last said of itself."""

    def __init__(self) -> None:
        self.status: Status | None = None
        self._bones = Bones()
        self._said: dict[_Key, Transform] = {}
        self._time_s = 0.0
        self._promptly = 0  # frames that ended with the sender's time, less those that did not; within 0 to SURE

    @property
    def ends_itself(self) -> bool:
        """Whether the sender has been seen to end its frames with its time: then a short silence is only a busy
        machine's, between two packets of one frame."""
        return self._promptly > 0

    @property
    def last_s(self) -> float | None:
        """When something was last said of the frame that has not ended; None if there is none."""
        return self._time_s if self._said else None

    def take(self, messages: Iterable[Message], time_s: float) -> list[TrackerSample]:
        """The samples of the frames that end with these messages. time_s: when they came, by the receiver's clock."""
        ended: list[TrackerSample] = []
        for message in messages:
            if isinstance(message, Status):
                self._take_status(message)
                continue
            if isinstance(message, SenderTime):
                ended += self._ended(promptly=time_s - self._time_s < PROMPT_S)
                continue
            key = message.kind, message.local, message.name
            if key in self._said or len(self._said) >= MOST_TRANSFORMS:
                ended += self.end()
            self._said[key], self._time_s = message, time_s
        return ended

    def end(self) -> list[TrackerSample]:
        """End the frame, of which no more is to come; its sample, or none if nothing is in it."""
        return self._ended(promptly=False)

    def _ended(self, promptly: bool) -> list[TrackerSample]:
        if self._said:
            self._promptly = min(self._promptly + 1, SURE) if promptly else max(self._promptly - 1, 0)
        said, self._said = self._said, {}
        for message in said.values():
            if message.kind not in DEVICES:
                self._bones.take(message)
        # What is given in the room's own metres comes last and stays.
        devices = sorted((m for m in said.values() if m.kind in DEVICES), key=lambda message: message.local)
        readings = {
            _name(device): Reading(device.position, device.rotation, held=device.kind is Kind.CONTROLLER)
            for device in devices
        }
        bones = self._bones.readings(name for kind, _, name in said if kind is Kind.BONE)
        readings |= {BONE_PREFIX + bone: reading for bone, reading in bones.items()}
        return [TrackerSample(self._time_s, readings)] if readings else []

    def _take_status(self, status: Status) -> None:
        if not status.loaded:
            self._bones.forget()
        self.status = status


def _name(device: Transform) -> str:
    """A device's name; without a serial number, what kind it is."""
    return HEADSET_NAME if device.kind is Kind.HEADSET else device.name or device.kind.name.lower()
