"""From a UDP packet to the VMC protocol's messages, in our world. What is wrong is counted and left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from pythonosc.osc_message import OscMessage, ParseError

from solver.formats.vmc.messages import (
    DEVICES,
    LOCAL,
    STATUS_ADDRESS,
    TIME_ADDRESS,
    Kind,
    Message,
    SenderTime,
    Status,
    Transform,
)
from solver.formats.vmc.osc import take_apart
from solver.formats.vmc.unity import from_unity
from solver.values import FloatArray

FARTHEST_M = 1000.0  # from the origin: nobody is tracked beyond
UNIT_RANGE = (0.9, 1.1)  # lengths of a quaternion that may be rounding; with any other it is not a rotation
SCALE_RANGE = (1e-3, 1e3)
MAX_NAME = 100  # characters
MAX_MESSAGE = 1024  # bytes; the longest valid message, with a name of that length, has fewer
_PREFIX = b"/VMC/Ext/"
_NUMBERS = b"[fdih]"  # some senders write whole numbers as such
_ADDRESSES = {kind.value: (kind, False) for kind in Kind} | {kind.value + LOCAL: (kind, True) for kind in DEVICES}
# The argument types that an address may come with. Later versions of the protocol have more after these.
_TYPES: dict[bytes, re.Pattern[bytes]] = {
    **{address.encode(): re.compile(rb",s(%s{7,})\0" % _NUMBERS) for address in _ADDRESSES},
    STATUS_ADDRESS.encode(): re.compile(rb",(i+)\0"),
    TIME_ADDRESS.encode(): re.compile(rb",(%s+)\0" % _NUMBERS),
}


@dataclass(frozen=True)
class Decoded:
    """What a packet says, in order, and how many of its parts were left out.

    malformed: not OSC, or not the arguments that the protocol gives the address. refused: impossible numbers (not
    finite, too far away, no rotation) or a name that cannot be shown. ignored: messages that mean nothing here, such as
    those of faces and cameras.
    """

    messages: tuple[Message, ...] = ()
    malformed: int = 0
    refused: int = 0
    ignored: int = 0


class _Raw(NamedTuple):
    """A transform's message before it is converted. numbers: at least position and quaternion, as the sender has."""

    kind: Kind
    name: str
    local: bool
    numbers: list[float]


def decode(packet: bytes) -> Decoded:
    """The messages of a packet. Never raises, whatever the bytes are."""
    parts, malformed = take_apart(packet)
    read: list[_Raw | Status | SenderTime] = []
    refused = ignored = 0
    for part in parts:
        address = part[: part.find(b"\0")] if part.startswith(_PREFIX) else b""
        if address not in _TYPES:
            ignored += 1
            continue
        message = _arguments(part, address)
        if message is None:
            malformed += 1
            continue
        found = _read(address.decode("ascii"), message)
        if found is None:
            refused += 1
        else:
            read.append(found)
    return Decoded(_converted(read), malformed, refused, ignored)


def _arguments(part: bytes, address: bytes) -> list[Any] | None:
    """A message's arguments; None if their types are not the protocol's, or bytes are missing or left over."""
    start = _padded(len(address))
    types = _TYPES[address].match(part, start)
    if types is None or len(part) > MAX_MESSAGE:
        return None
    try:
        arguments = OscMessage(part).params
        text = arguments[0].encode() if isinstance(arguments[0], str) else None
    except (ParseError, UnicodeError):
        return None
    # python-osc fills up a last number that was cut off.
    size = start + _padded(types.end() - 1 - start) + (0 if text is None else _padded(len(text)))
    size += sum(8 if letter in b"dh" else 4 for letter in types[1])
    return arguments if size == len(part) else None


def _padded(length: int) -> int:
    """The bytes that a text of that length takes, with at least one zero after it, up to a multiple of four."""
    return length + 4 - length % 4


def _read(address: str, arguments: list[Any]) -> _Raw | Status | SenderTime | None:
    """The message of an address; None if its numbers are impossible."""
    if address == STATUS_ADDRESS:
        loaded, calibration, mode, tracking, *_ = (*arguments, None, None, None)
        return Status(bool(loaded), calibration, mode, None if tracking is None else bool(tracking))
    if address == TIME_ADDRESS:
        return SenderTime(float(arguments[0])) if np.isfinite(arguments[0]) else None
    kind, local = _ADDRESSES[address]
    name, numbers = arguments[0], [float(number) for number in arguments[1:14]]
    named = len(name) <= MAX_NAME and name.isprintable()
    return _Raw(kind, name, local, numbers) if named and _can_be(numbers) else None


def _can_be(numbers: list[float]) -> bool:
    """Whether position and quaternion are possible, and scale and offset, if they are there. False for NaN."""
    x, y, z, *_ = numbers
    length = sum(number * number for number in numbers[3:7]) ** 0.5
    near = max(abs(x), abs(y), abs(z)) <= FARTHEST_M and x + y + z == x + y + z
    right = near and UNIT_RANGE[0] <= length <= UNIT_RANGE[1]
    if len(numbers) < 13:
        return right
    scales = all(SCALE_RANGE[0] <= number <= SCALE_RANGE[1] for number in numbers[7:10])
    return right and scales and all(abs(number) <= FARTHEST_M for number in numbers[10:13])


def _converted(read: list[_Raw | Status | SenderTime]) -> tuple[Message, ...]:
    """All transforms brought into our world at once: one by one, that would take longer than all the rest."""
    raw = [message for message in read if isinstance(message, _Raw)]
    if not raw:
        return tuple(message for message in read if not isinstance(message, _Raw))
    numbers = np.array([message.numbers[:7] for message in raw])
    frames = iter(zip(*from_unity(numbers[:, :3], numbers[:, 3:]), strict=True))
    return tuple(_transform(m, *next(frames)) if isinstance(m, _Raw) else m for m in read)


def _transform(raw: _Raw, position: FloatArray, rotation: FloatArray) -> Transform:
    if raw.kind is not Kind.ROOT or len(raw.numbers) < 13:
        return Transform(raw.kind, raw.name, position, rotation, raw.local)
    scale, offset = np.array(raw.numbers[7:10], np.float32), np.array(raw.numbers[10:13], np.float32) * (-1, 1, 1)
    return Transform(raw.kind, raw.name, position, rotation, raw.local, scale, offset.astype(np.float32))
