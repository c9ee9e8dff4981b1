"""How figures look and how they are lit: chosen by name, independent of what they do."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rendering.scene.theme import Rgb

LIT = ("clay", "suit")
LOOKS = (*LIT, "flat", "line", "silhouette")
KEY_TURN, KEY_HEIGHT = -40.0, 42.0  # degrees: from the viewer's left, and above
RIM_TURN, RIM_HEIGHT = 178.0, 22.0  # degrees: round from the key light, and above
HIGHEST = 89.0  # degrees: straight above and below the turn is undefined


@dataclass(frozen=True)
class Lighting:
    """A set-up of lights, linear colours. key, rim: the two lamps. wrap: 0..1, how far round the key light reaches.

    above, below, front, back, near, far: what comes from all sides, as a box around the figure: from straight above
    and below, from the viewer, from behind, from the key light's side and from the other one.
    """

    key: Rgb
    rim: Rgb
    wrap: float
    above: Rgb
    below: Rgb
    front: Rgb
    back: Rgb
    near: Rgb
    far: Rgb


def _even(strength: float) -> Rgb:
    return strength, strength, strength


# Each side of the box differs in value, so that a form's top, front and side planes are told apart in shadow too.
STUDIO = Lighting(
    key=(1.16, 1.06, 0.95),
    rim=(0.30, 0.36, 0.48),
    wrap=0.12,
    above=(0.27, 0.29, 0.32),
    below=(0.10, 0.085, 0.08),
    front=(0.175, 0.173, 0.175),
    back=(0.13, 0.15, 0.18),
    near=(0.21, 0.20, 0.195),
    far=(0.085, 0.097, 0.12),
)
LIGHTINGS: dict[str, Lighting] = {
    "studio": STUDIO,
    "grey": Lighting(
        key=_even(1.06), rim=_even(0.24), wrap=0.12, above=_even(0.29), below=_even(0.09), front=_even(0.175),
        back=_even(0.15), near=_even(0.21), far=_even(0.095),
    ),
    "warm": Lighting(
        key=(1.36, 1.00, 0.66), rim=(0.22, 0.28, 0.44), wrap=0.14, above=(0.25, 0.22, 0.22), below=(0.15, 0.09, 0.06),
        front=(0.195, 0.155, 0.13), back=(0.12, 0.13, 0.17), near=(0.24, 0.18, 0.13), far=(0.08, 0.09, 0.135),
    ),
    "rim": Lighting(
        key=(0.30, 0.30, 0.32), rim=(1.35, 1.42, 1.55), wrap=0.10, above=(0.12, 0.13, 0.15), below=(0.035, 0.035, 0.04),
        front=(0.07, 0.07, 0.08), back=(0.16, 0.18, 0.21), near=(0.08, 0.08, 0.09), far=(0.06, 0.07, 0.085),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Style:
    """look: one of LOOKS. light: one of LIGHTINGS. turn, height: degrees, from where the key light comes.

    Lights stand still for the viewer: turn 0 is the viewer's own side, positive to the right; height 0 is level.
    """

    look: str = "suit"
    light: str = "studio"
    turn: float = KEY_TURN
    height: float = KEY_HEIGHT

    def __post_init__(self) -> None:
        if self.look not in LOOKS:
            raise ValueError(f"there is no look “{self.look}”; looks are {', '.join(LOOKS)}")
        if self.light not in LIGHTINGS:
            raise ValueError(f"there is no light set-up “{self.light}”; set-ups are {', '.join(LIGHTINGS)}")

    @property
    def is_lit(self) -> bool:
        """Whether lights show in this look."""
        return self.look in LIT

    @property
    def lighting(self) -> Lighting:
        """The set-up."""
        return LIGHTINGS[self.light]

    def aimed(self, turn: float, height: float) -> Style:
        """With the key light from there, degrees; any turn, and a height kept just short of straight up or down."""
        return replace(self, turn=(turn + 180.0) % 360.0 - 180.0, height=min(max(height, -HIGHEST), HIGHEST))


PLAIN = Style()
CLAY = Style("clay")


def direction(turn: float, height: float, rotation: NDArray[np.floating]) -> NDArray[np.float32]:
    """(3,) unit vector to a light, world. turn, height: degrees, see `Style`. rotation: (3, 3), the camera's."""
    right, _, back = axes(rotation)
    a, e = np.radians(turn), np.radians(height)
    up = np.array([0.0, 1.0, 0.0])
    return np.asarray(np.cos(e) * (np.sin(a) * right + np.cos(a) * back) + np.sin(e) * up, np.float32)


def axes(rotation: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The viewer's right, up and back, level with the floor: three (3,) unit vectors, world."""
    (x, _, z), up = np.asarray(rotation, np.float64)[:, 0], np.array([0.0, 1.0, 0.0])
    back = np.array([-z, 0.0, x])  # right x up
    length = float(np.linalg.norm(back))
    if length < 1e-6:  # the picture lies on its side: there is no level right
        right, back = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        return right, up, back
    return np.array([x / length, 0.0, z / length]), up, back / length
