"""The viewport's colours for the dark and the light theme."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Theme:
    """Colours as "#rrggbb". Handle colours name states; they keep their contrast on both backgrounds."""

    name: str
    background_top: str
    background_bottom: str
    floor: str
    grid: str
    grid_strength: float
    outline: str
    met: str
    tolerated: str
    unreachable: str
    warning: str  # for skin that is where it cannot be
    disabled: str
    joint: str
    selected: str  # of props and dots of joints
    highlight: str
    shadow: float
    floor_edge: str  # beside lines that lie on the floor
    floor_lit: str  # such a line under the pointer
    floor_ink: float  # how much of that it has at rest, so that a light colour shows on a light floor
    axis_x: str = "#ef5a63"
    axis_y: str = "#7cc24a"
    axis_z: str = "#4c8df6"


DARK = Theme(
    name="dark",
    background_top="#3d4753",
    background_bottom="#20262e",
    floor="#4a5561",
    grid="#93a4b5",
    grid_strength=0.30,
    outline="#10151b",
    met="#37d3a6",
    tolerated="#ffb84d",
    unreachable="#ff5a62",
    warning="#f2402e",
    disabled="#9aa4af",
    joint="#d8e2ec",
    selected="#8ab8ff",
    highlight="#ffffff",
    shadow=0.62,
    floor_edge="#10151b",
    floor_lit="#ffffff",
    floor_ink=0.0,
)
LIGHT = Theme(
    name="light",
    background_top="#e9eef3",
    background_bottom="#c3ccd6",
    floor="#f2f5f8",
    grid="#5f7183",
    grid_strength=0.34,
    outline="#1b2530",
    met="#12b48a",
    tolerated="#f59a1b",
    unreachable="#e5384a",
    warning="#e0301e",
    disabled="#7b8794",
    joint="#f4f7fa",
    selected="#1f5fd0",
    highlight="#ffffff",
    shadow=0.42,
    floor_edge="#ffffff",
    floor_lit="#1b2530",
    floor_ink=0.3,
)
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}


@lru_cache(maxsize=256)
def rgb(color: str) -> Rgb:
    """A "#rrggbb" colour as red, green and blue in [0, 1], as displayed."""
    value = color.lstrip("#")
    if len(value) != 6:
        raise ValueError(f"a colour is written #rrggbb, not “{color}”")
    return int(value[0:2], 16) / 255, int(value[2:4], 16) / 255, int(value[4:6], 16) / 255


def linear(color: str) -> Rgb:
    """A "#rrggbb" colour in linear light; the shaders use a display gamma of 2."""
    r, g, b = rgb(color)
    return r * r, g * g, b * b


def mixed(a: Rgb, b: Rgb, share: float) -> Rgb:
    """Two colours mixed, with this share of the second."""
    red, green, blue = (x + (y - x) * share for x, y in zip(a, b, strict=True))
    return red, green, blue
