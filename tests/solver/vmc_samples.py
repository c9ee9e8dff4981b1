"""OSC packets as other programs send them, spelled byte by byte, so that they do not come from our own writer."""

from __future__ import annotations

import struct

BONE = "/VMC/Ext/Bone/Pos"
NO_TURN = (0.0, 0.0, 0.0, 1.0)


def text(value: str) -> bytes:
    data = value.encode()
    return data + b"\0" * (4 - len(data) % 4)


def message(address: str, types: str, *values: object) -> bytes:
    """An OSC message; types as in its type tag: s, i, h, f, d."""
    data = text(address) + text("," + types)
    for kind, value in zip(types, values, strict=True):
        data += text(str(value)) if kind == "s" else struct.pack(">" + {"h": "q"}.get(kind, kind), value)
    return data


def bundle(*parts: bytes) -> bytes:
    return b"#bundle\0" + struct.pack(">Q", 1) + b"".join(struct.pack(">i", len(part)) + part for part in parts)


def transform(
    address: str, name: str, place: tuple[float, ...] = (0.0, 1.0, 0.0), turn: tuple[float, ...] = NO_TURN
) -> bytes:
    return message(address, "sfffffff", name, *place, *turn)


def tracker(name: str, x: float = 0.0) -> bytes:
    return transform("/VMC/Ext/Tra/Pos", name, (x, 1.0, 0.0))


def sender_time(seconds: float = 0.0) -> bytes:
    return message("/VMC/Ext/T", "f", seconds)


def figure_frame(x: float = 0.1) -> list[bytes]:
    """One frame as Virtual Motion Capture sends it: bones in bundles of their own, then all the rest."""
    arms = [
        transform("/VMC/Ext/Bone/Pos", bone, (x, 0.0, 0.0)) for bone in ("LeftHand", "LeftLowerArm", "LeftUpperArm")
    ]
    trunk = [transform("/VMC/Ext/Bone/Pos", bone, (0.0, 0.2, 0.0)) for bone in ("Hips", "Spine", "Head")]
    root = message("/VMC/Ext/Root/Pos", "sfffffffffffff", "root", 0.0, 0.0, 0.0, *NO_TURN, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    rest = [
        root,
        bundle(*trunk),
        transform("/VMC/Ext/Hmd/Pos", "LHR-1", (x, 1.7, 0.0)),
        transform("/VMC/Ext/Hmd/Pos/Local", "LHR-1", (x, 1.6, 0.0)),
        message("/VMC/Ext/Blend/Val", "sf", "Joy", 0.5),
        message("/VMC/Ext/OK", "iii", 1, 3, 0),
        sender_time(x),
    ]
    return [bundle(*arms), bundle(*rest)]
