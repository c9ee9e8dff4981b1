"""Packets of trackers, damaged on purpose: from the network anything may come."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

from fuzz_mutations import mutated_bytes
from vmc_samples import bundle, figure_frame, message, sender_time, tracker, transform

VALID = (
    *figure_frame(),
    tracker("LHR-FFFA0142"),
    transform("/VMC/Ext/Hmd/Pos/Local", "head", (0.1, 1.6, 0.2), (0.0, 0.6, 0.0, 0.8)),
    bundle(*(tracker(name) for name in ("head", "left_controller", "right_controller", "hip")), sender_time(1.0)),
    bundle(bundle(bundle(tracker("deep")), sender_time(2.0))),
    message("/VMC/Ext/OK", "iiii", 1, 3, 0, 1),
    message("/VMC/Ext/Blend/Val", "sf", "Joy", 0.5),
)
ODD_BYTES = tuple(struct.pack(">f", number) for number in (float("nan"), float("inf"), 1e30, -1e-40, 2000.0, 1.05)) + (
    b"\xff\xff\xff\xfc", b"\x80\0\0\0", b"\0\0\0\0", b"#bun", b"/VMC", b",sff", b",[[[",
)  # fmt: skip


def damaged_packets(rng: random.Random, count: int) -> Iterator[bytes]:
    """Valid packets with damage, numbers and sizes exchanged for odd ones, valid ones as they are, and plain noise."""
    for _ in range(count):
        packet, how = rng.choice(VALID), rng.random()
        if how < 0.45:
            yield mutated_bytes(rng, packet)
        elif how < 0.8:
            for _ in range(rng.choice((1, 1, 2, 5))):
                at = 4 * rng.randrange(len(packet) // 4)
                packet = packet[:at] + rng.choice(ODD_BYTES) + packet[at + 4 :]
            yield packet
        elif how < 0.9:
            yield packet
        else:
            yield rng.choice((b"", b"#bundle\0", b"/VMC/Ext/Tra/Pos\0\0\0\0")) + rng.randbytes(rng.randrange(200))
