"""From the VMC protocol's messages, in our world, to packets for UDP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

from solver.formats.vmc.messages import LOCAL, STATUS_ADDRESS, TIME_ADDRESS, Message, SenderTime, Status
from solver.formats.vmc.unity import to_unity

MOST_BYTES = 1200  # of a packet, so that networks pass it on in one piece
_OVERHEAD = 16  # bytes of a bundle, and four for each of its messages


def encode(messages: Iterable[Message]) -> list[bytes]:
    """The messages in their order, in bundles of at most `MOST_BYTES` each."""
    packets: list[bytes] = []
    waiting: list[OscMessage] = []
    size = _OVERHEAD
    for message in map(_encoded, messages):
        if waiting and size + 4 + message.size > MOST_BYTES:
            packets.append(_bundle(waiting))
            waiting, size = [], _OVERHEAD
        waiting.append(message)
        size += 4 + message.size
    return [*packets, _bundle(waiting)] if waiting else packets


def _bundle(messages: Sequence[OscMessage]) -> bytes:
    bundle = OscBundleBuilder(IMMEDIATELY)
    for message in messages:
        bundle.add_content(message)
    return bundle.build().dgram


def _encoded(message: Message) -> OscMessage:
    if isinstance(message, Status):
        said = (message.calibration, message.mode, None if message.tracking is None else int(message.tracking))
        return _message(STATUS_ADDRESS, [], [], [int(message.loaded), *_until_none(said)])
    if isinstance(message, SenderTime):
        return _message(TIME_ADDRESS, [], [message.time_s])
    place, turn = to_unity(message.position, message.rotation)
    numbers = [*place.tolist(), *turn.tolist()]
    if message.scale is not None and message.offset is not None:
        x, y, z = message.offset.tolist()
        numbers += [*message.scale.tolist(), -x, y, z]
    return _message(message.kind.value + LOCAL * message.local, [message.name], numbers)


def _message(address: str, texts: Sequence[str], numbers: Sequence[float], whole: Sequence[int] = ()) -> OscMessage:
    builder = OscMessageBuilder(address)
    for text in texts:
        builder.add_arg(text, OscMessageBuilder.ARG_TYPE_STRING)
    for number in numbers:
        builder.add_arg(number, OscMessageBuilder.ARG_TYPE_FLOAT)
    for number in whole:
        builder.add_arg(number, OscMessageBuilder.ARG_TYPE_INT)
    return builder.build()


def _until_none(values: Iterable[int | None]) -> list[int]:
    """The values before the first that is not given: the protocol adds them one after another."""
    found: list[int] = []
    for value in values:
        if value is None:
            break
        found.append(value)
    return found
