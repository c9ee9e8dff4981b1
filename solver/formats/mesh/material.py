"""The plain material of exported figures."""

from __future__ import annotations

ROUGHNESS = 0.8


def linear(color: str) -> list[float]:
    """A colour "#rrggbb", which is as displayed (sRGB), in linear light, as glTF has it."""
    shown = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shown]
