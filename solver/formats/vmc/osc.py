"""OSC packets taken apart: bundles within bundles into the bytes of single messages, whatever the bytes are.

python-osc reads the messages, but does not take packets apart here: it never returns from a bundle with an element of
negative size, and one nested deeply enough overflows its stack.
"""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

MAX_DEPTH = 8  # of bundles in bundles; VMC's own sender nests two
_BUNDLE = b"#bundle\0"
_HEAD = len(_BUNDLE) + 8  # and a time tag, which is ignored: what comes is meant for now
_SIZE = Struct(">i")


class Parts(NamedTuple):
    """messages: the bytes of each message, in order. malformed: bundles that could not be read, or not to the end."""

    messages: list[bytes]
    malformed: int


def take_apart(packet: bytes) -> Parts:
    """The messages of a packet, those of a damaged bundle up to the damage. Never raises."""
    messages: list[bytes] = []
    return Parts(messages, _walk(packet, 0, messages))


def _walk(data: bytes, depth: int, messages: list[bytes]) -> int:
    """Collect the messages of a message or bundle; how many bundles in it are malformed."""
    if data.startswith(b"/"):
        messages.append(data)
        return 0
    if not data.startswith(_BUNDLE) or len(data) < _HEAD or depth == MAX_DEPTH:
        return 1
    at, malformed = _HEAD, 0
    while at < len(data):
        if len(data) - at < _SIZE.size:
            return malformed + 1
        (size,) = _SIZE.unpack_from(data, at)
        at += _SIZE.size
        if size <= 0 or size % 4 or size > len(data) - at:
            return malformed + 1
        malformed += _walk(data[at : at + size], depth + 1, messages)
        at += size
    return malformed
