"""The VMC protocol's packets: what they say, and what is left out of those that are not right."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import pytest
from vmc_samples import NO_TURN, bundle, figure_frame, message, sender_time, text, tracker, transform

from solver.formats.vmc.decode import FARTHEST_M, MAX_NAME, Decoded, decode
from solver.formats.vmc.encode import MOST_BYTES, encode
from solver.formats.vmc.messages import LOCAL, Kind, Message, SenderTime, Status, Transform
from solver.formats.vmc.osc import MAX_DEPTH
from solver.kinematics.rotations import from_rotation_vector

DEVICE = "/VMC/Ext/Tra/Pos"


def only(packet: bytes) -> Transform:
    """The one transform of a packet in which nothing is wrong."""
    found = decode(packet)
    assert (found.malformed, found.refused, found.ignored) == (0, 0, 0)
    (said,) = found.messages
    assert isinstance(said, Transform)
    return said


def left_out(packet: bytes) -> Decoded:
    """What was found in a packet of which nothing is taken."""
    found = decode(packet)
    assert found.messages == ()
    return found


ADDRESSES = {
    "/VMC/Ext/Root/Pos": (Kind.ROOT, False),
    "/VMC/Ext/Bone/Pos": (Kind.BONE, False),
    "/VMC/Ext/Hmd/Pos": (Kind.HEADSET, False),
    "/VMC/Ext/Con/Pos": (Kind.CONTROLLER, False),
    "/VMC/Ext/Tra/Pos": (Kind.TRACKER, False),
    "/VMC/Ext/Hmd/Pos/Local": (Kind.HEADSET, True),
    "/VMC/Ext/Con/Pos/Local": (Kind.CONTROLLER, True),
    "/VMC/Ext/Tra/Pos/Local": (Kind.TRACKER, True),
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_a_transform_is_read(address: str) -> None:
    half = 0.5**0.5
    said = only(transform(address, "name 名", (0.3, 1.2, -0.4), (0.0, half, 0.0, half)))
    assert (said.kind, said.local, said.name) == (*ADDRESSES[address], "name 名")
    assert said.position.tolist() == pytest.approx([-0.3, 1.2, -0.4])
    assert (said.rotation @ (0, 0, 1)).tolist() == pytest.approx([-1, 0, 0], abs=1e-6)
    assert said.scale is None


def test_a_root_may_say_how_the_figure_was_scaled() -> None:
    numbers = (0.0, 0.0, 0.0, *NO_TURN, 1.1, 1.2, 1.3, 0.5, 0.6, 0.7)
    said = only(message("/VMC/Ext/Root/Pos", "s" + "f" * 13, "root", *numbers))
    assert said.scale is not None
    assert said.offset is not None
    assert said.scale.tolist() == pytest.approx([1.1, 1.2, 1.3])
    assert said.offset.tolist() == pytest.approx([-0.5, 0.6, 0.7])


def test_whole_and_double_numbers_are_numbers() -> None:
    said = only(message(DEVICE, "sidhffff", "a", 1, 2.5, 3, *NO_TURN))
    assert said.position.tolist() == [-1.0, 2.5, 3.0]


def test_what_a_later_version_adds_behind_the_numbers_is_passed_over() -> None:
    assert only(message(DEVICE, "sfffffffff", "a", 1.0, 2.0, 3.0, *NO_TURN, 8.0, 9.0)).position.tolist() == [-1, 2, 3]
    assert decode(message("/VMC/Ext/OK", "iiiii", 1, 3, 0, 1, 7)).messages == (Status(True, 3, 0, True),)


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ((0,), Status(False)),
        ((1,), Status(True)),
        ((1, 3, 0), Status(True, 3, 0)),
        ((1, 2, 1, 0), Status(True, 2, 1, False)),
    ],
)
def test_each_versions_status_is_read(values: tuple[int, ...], status: Status) -> None:
    assert decode(message("/VMC/Ext/OK", "i" * len(values), *values)).messages == (status,)


def test_the_messages_of_nested_bundles_come_in_their_order() -> None:
    found = decode(figure_frame(0.25)[1])
    said = [m.name if isinstance(m, Transform) else m for m in found.messages]
    assert said == ["root", "Hips", "Spine", "Head", "LHR-1", "LHR-1", Status(True, 3, 0), SenderTime(0.25)]
    assert (found.malformed, found.refused, found.ignored) == (0, 0, 1), "only the face is passed over"


def test_bundles_are_read_down_to_a_depth_and_no_further() -> None:
    packet = tracker("a")
    for _ in range(MAX_DEPTH):
        packet = bundle(packet)
    assert only(packet).name == "a"
    assert left_out(bundle(packet)).malformed == 1
    for _ in range(3000):
        packet = bundle(packet)
    assert left_out(packet).malformed == 1


@pytest.mark.parametrize("size", [-4, -(2**31), 0, 3, 2**31 - 1])
def test_a_bundle_whose_element_has_an_impossible_size_is_read_up_to_there(size: int) -> None:
    found = decode(bundle(tracker("a")) + struct.pack(">i", size) + tracker("b"))
    assert [m.name for m in found.messages if isinstance(m, Transform)] == ["a"]
    assert found.malformed == 1


MALFORMED = {
    "nothing": b"",
    "not OSC": b"GET / HTTP/1.1\r\n\r\n",
    "a bundle without a time": b"#bundle\0",
    "a bundle that ends in a size": bundle() + b"\0\0",
    "no arguments": text(DEVICE) + text(","),
    "no types": text(DEVICE),
    "too few numbers": message(DEVICE, "sffffff", "a", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "a number in place of the name": message(DEVICE, "ffffffff", *(0.0,) * 8),
    "a text in place of a number": message(DEVICE, "ssffffff", "a", "b", *(0.0,) * 6),
    "a type that OSC does not have": message(DEVICE, "sfffffff", "a", *(0.0,) * 7).replace(b",sf", b",s?"),
    "a name that is not UTF-8": tracker("abc").replace(b"abc", b"\xff\xfe\xfd"),
    "the last number cut off": tracker("a")[:-4],
    "half a number cut off": tracker("a")[:-2],
    "bytes left over": tracker("a") + b"\0\0\0\0",
    "a status without a number": text("/VMC/Ext/OK") + text(","),
    "a status in words": message("/VMC/Ext/OK", "s", "yes"),
    "a time in words": message("/VMC/Ext/T", "s", "now"),
    "longer than any name": tracker("a" * 2000),
    "sixty thousand numbers": text(DEVICE) + text(",s" + "f" * 60_000) + b"\0" * 4,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_not_the_protocol_is_counted_as_malformed(name: str) -> None:
    found = left_out(MALFORMED[name])
    assert (found.malformed, found.refused, found.ignored) == (1, 0, 0)


NAN, INFINITE = float("nan"), float("inf")
REFUSED = {
    "a place that is not a number": transform(DEVICE, "a", (NAN, 0.0, 0.0)),
    "another place that is not a number": transform(DEVICE, "a", (0.0, 0.0, NAN)),
    "an infinite place": transform(DEVICE, "a", (0.0, -INFINITE, 0.0)),
    "a place too far away": transform(DEVICE, "a", (0.0, FARTHEST_M * 1.01, 0.0)),
    "a place that only a double can say": message(DEVICE, "sdffffff", "a", 1e300, 0.0, 0.0, *NO_TURN),
    "a quaternion of length 0": transform(DEVICE, "a", turn=(0.0, 0.0, 0.0, 0.0)),
    "a quaternion far from length 1": transform(DEVICE, "a", turn=(0.0, 0.0, 0.0, 1.2)),
    "a quaternion that is not a number": transform(DEVICE, "a", turn=(NAN, 0.0, 0.0, 1.0)),
    "an infinite quaternion": transform(DEVICE, "a", turn=(0.0, INFINITE, 0.0, 1.0)),
    "a quaternion that overflows": message(DEVICE, "sfffdddd", "a", 0.0, 0.0, 0.0, 1e200, 1e200, 0.0, 1.0),
    "a long name": tracker("a" * (MAX_NAME + 1)),
    "a name with a line end": tracker("a\nb"),
    "a scale of 0": message("/VMC/Ext/Root/Pos", "s" + "f" * 13, "root", 0.0, 0.0, 0.0, *NO_TURN, *(0.0,) * 6),
    "an infinite offset": message(
        "/VMC/Ext/Root/Pos", "s" + "f" * 13, "root", 0.0, 0.0, 0.0, *NO_TURN, 1.0, 1.0, 1.0, 0.0, INFINITE, 0.0
    ),
    "a time that is not a number": sender_time(NAN),
}


@pytest.mark.parametrize("name", REFUSED)
def test_numbers_that_cannot_be_are_refused(name: str) -> None:
    found = left_out(REFUSED[name])
    assert (found.malformed, found.refused, found.ignored) == (0, 1, 0)


def test_a_wrong_message_takes_none_of_its_neighbours_along() -> None:
    wrong = (*MALFORMED.values(), *REFUSED.values())
    for part in (part for part in wrong if part.startswith(b"/") and len(part) % 4 == 0):
        found = decode(bundle(tracker("a"), part, tracker("b")))
        assert [m.name for m in found.messages if isinstance(m, Transform)] == ["a", "b"]
        assert found.malformed + found.refused == 1


def test_a_quaternion_that_is_nearly_of_length_1_is_a_rotation() -> None:
    said = only(transform(DEVICE, "a", turn=(0.0, 0.0, 0.67, 0.67)))
    assert np.abs(said.rotation @ said.rotation.T - np.eye(3)).max() < 1e-6


@pytest.mark.parametrize("address", ["/VMC/Ext/Blend/Val", "/VMC/Ext/Cam", "/VMC/Ext/Tra/Po?", "/other", "/"])
def test_other_addresses_are_passed_over(address: str) -> None:
    found = left_out(message(address, "sf", "a", 1.0))
    assert (found.malformed, found.refused, found.ignored) == (0, 0, 1)


def transforms(random: np.random.Generator, count: int) -> list[Transform]:
    """Transforms of every kind, anywhere."""
    kinds = [*ADDRESSES.values()]
    made = []
    for number in range(count):
        kind, local = kinds[number % len(kinds)]
        place, turn = random.normal(size=3) * 3, from_rotation_vector(random.normal(size=3) * 2)
        extra = (
            (np.float32([1, 2, 3]), np.float32([4, 5, 6])) if number % 3 == 0 and kind is Kind.ROOT else (None, None)
        )
        made.append(Transform(kind, f"name {number}", np.float32(place), np.float32(turn), local, *extra))
    return made


def same(mine: Message, theirs: Message) -> bool:
    """Whether two messages say the same, as far as quaternions in single precision are exact."""
    if not isinstance(mine, Transform) or not isinstance(theirs, Transform):
        return mine == theirs
    if (mine.kind, mine.name, mine.local) != (theirs.kind, theirs.name, theirs.local):
        return False
    arrays = [(getattr(mine, name), getattr(theirs, name)) for name in ("position", "rotation", "scale", "offset")]
    return all(a is b is None or np.allclose(a, b, rtol=0, atol=1e-6) for a, b in arrays)


def test_what_is_written_is_read_again() -> None:
    made: Sequence[Message] = [
        *transforms(np.random.default_rng(0), 200), Status(False), Status(True, 3, 1), Status(True, 1, 2, False),
        SenderTime(12.5),
    ]  # fmt: skip
    packets = encode(made)
    assert len(packets) > 10
    assert max(map(len, packets)) <= MOST_BYTES
    back = [decode(packet) for packet in packets]
    assert all((found.malformed, found.refused, found.ignored) == (0, 0, 0) for found in back)
    read = [said for found in back for said in found.messages]
    assert all(same(mine, theirs) for mine, theirs in zip(made, read, strict=True))


def test_nothing_to_write_is_no_packet() -> None:
    assert encode([]) == []


def test_devices_in_the_rooms_metres_have_addresses_of_their_own() -> None:
    (packet,) = encode([Transform(Kind.TRACKER, "a", np.zeros(3, np.float32), np.eye(3, dtype=np.float32), True)])
    assert (Kind.TRACKER.value + LOCAL).encode() in packet
