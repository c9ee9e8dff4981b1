"""Six poses as recipes: the drags, keys and menu commands that make each from a person who stands."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt

from solver.rig.roles import Role

Vector = tuple[float, float, float]
PROP = "prop"  # dragged instead of a joint: the prop that was added last
ROOT = "root"  # clicked: the cross on the floor below the person
TIP = "turn x"  # dragged: the ring about the person's left axis, which shows once that cross was clicked
NO_KEYS = Qt.KeyboardModifier.NoModifier


@dataclass(frozen=True)
class Drag:
    """A drag of a joint, or of its handle where it has one, by metres in the view.

    says: what the manual says about it. kind: of the handle. axis: a key struck during the drag that keeps it to an
    axis. typed: a number typed during it and confirmed with Return. onto: S is held at the end, so that the part comes
    onto the surface under the pointer.
    """

    says: str
    role: str
    by: Vector
    axis: Qt.Key | None = None
    kind: str = "position"
    typed: str = ""
    onto: bool = False


@dataclass(frozen=True)
class Click:
    """A click in the view, on a joint, its handle, or the cross below the person."""

    says: str
    role: str


@dataclass(frozen=True)
class Press:
    """A key over the view."""

    says: str
    key: Qt.Key
    keys: Qt.KeyboardModifier = NO_KEYS


@dataclass(frozen=True)
class Choose:
    """A command chosen from the menu bar with the mouse: its menu is opened, and it is clicked there."""

    says: str
    menu: str
    title: str


Action = Drag | Click | Press | Choose


@dataclass(frozen=True)
class Recipe:
    """A pose: how many actions it may take, and those that make it. yaw: where the picture is taken from, radians."""

    title: str
    most: int
    actions: tuple[Action, ...]
    yaw: float = 0.9


SIDE = Press("`3`: look from the right.", Qt.Key.Key_3)

RECIPES = {
    "stride": Recipe(
        "Stride",
        8,
        (
            SIDE,
            Drag("Drag the left ankle forward.", Role.LEFT_ANKLE, (0.0, 0.0, 0.40)),
            Drag("Drag the right ankle back and up, onto its ball.", Role.RIGHT_ANKLE, (0.0, 0.07, -0.42)),
            Drag("Drag the right wrist forward.", Role.RIGHT_WRIST, (0.0, 0.10, 0.42)),
            Drag("Drag the left wrist back.", Role.LEFT_WRIST, (0.0, 0.06, -0.28)),
            Drag("Drag the head up: the trunk stands upright.", Role.HEAD, (0.0, 0.05, -0.04)),
        ),
    ),
    "sit": Recipe(
        "Sitting",
        6,
        (
            Choose("Menu *Add*: a box.", "Add", "Box"),
            Drag("Drag the box behind the person.", PROP, (-0.6, 0.0, -0.46)),
            Drag(
                "Drag the pelvis onto the top of the box, with `S` held at the end.",
                Role.PELVIS,
                (0.011, -0.481, -0.274),
                onto=True,
            ),
            Drag("Drag the left wrist onto the thigh, with `S`.", Role.LEFT_WRIST, (-0.08, -0.089, 0.08), onto=True),
            Drag("Drag the right wrist onto the thigh, with `S`.", Role.RIGHT_WRIST, (0.066, -0.096, 0.069), onto=True),
        ),
    ),
    "kneel": Recipe(
        "Kneeling",
        8,
        (
            SIDE,
            Drag("Drag the left ankle back and up, onto its ball.", Role.LEFT_ANKLE, (0.0, 0.12, -0.42)),
            Drag("Drag the right ankle forward.", Role.RIGHT_ANKLE, (0.0, 0.0, 0.25)),
            Press("`Alt+Z`: go back to the previous view.", Qt.Key.Key_Z, Qt.KeyboardModifier.AltModifier),
            Drag("Drag the left knee onto the floor, with `S`.", Role.LEFT_KNEE, (0.002, -0.445, 0.035), onto=True),
            Drag(
                "Drag the right wrist onto the raised knee, with `S`.",
                Role.RIGHT_WRIST,
                (0.091, -0.142, 0.044),
                onto=True,
            ),
        ),
    ),
    "kick": Recipe(
        "Kick",
        8,
        (
            SIDE,
            Drag("Drag an ankle forward and up.", Role.RIGHT_ANKLE, (0.0, 0.80, 0.80)),
            Drag("Drag the head back: the trunk leans against the leg.", Role.HEAD, (0.0, 0.0, -0.12)),
            Drag("Drag the left wrist forward.", Role.LEFT_WRIST, (0.0, 0.06, 0.08)),
            Drag("Drag the right wrist back.", Role.RIGHT_WRIST, (0.0, 0.0, -0.16)),
        ),
    ),
    "lie": Recipe(
        "Lying on the back",
        5,
        (
            Click("Click the cross below the person: arrows and rings appear.", ROOT),
            Drag("Drag the red ring and type −90.", TIP, (0.0, 0.0, -0.1), typed="-90"),
        ),
    ),
    "hips": Recipe(
        "Hands on hips",
        6,
        (Choose("*Contact › Hands on hips*.", "Contact", "Hands on hips"),),
        0.35,
    ),
}
