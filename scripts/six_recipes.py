"""Six poses as recipes: the drags, keys and menu commands that make each from a person who stands."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt

from solver.rig.roles import Role

Vector = tuple[float, float, float]
PROP = "prop"  # dragged instead of a joint: the prop that was added last
NO_KEYS = Qt.KeyboardModifier.NoModifier


@dataclass(frozen=True)
class Drag:
    """A drag of a joint, or of its handle where it has one, by metres in the view.

    says: what the manual says of it. kind: of the handle. axis: a key struck during the drag that keeps it to an axis.
    """

    says: str
    role: str
    by: Vector
    axis: Qt.Key | None = None
    kind: str = "position"


@dataclass(frozen=True)
class Press:
    """A key over the view."""

    says: str
    key: Qt.Key
    keys: Qt.KeyboardModifier = NO_KEYS


@dataclass(frozen=True)
class Choose:
    """A command chosen from the menu bar by the mouse: its menu is opened, and it is clicked there."""

    says: str
    menu: str
    title: str


Action = Drag | Press | Choose


@dataclass(frozen=True)
class Recipe:
    """A pose: how many actions it may take, and those that make it. yaw: where the picture is taken from, radians."""

    title: str
    most: int
    actions: tuple[Action, ...]
    yaw: float = 0.9


SIDE = Press("`3`: look from the right.", Qt.Key.Key_3)
BOTH = Press("`Shift+M`: both sides do the same.", Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
X, Y, Z = Qt.Key.Key_X, Qt.Key.Key_Y, Qt.Key.Key_Z

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
            Choose("*Add › Add a box*.", "Add", "Add a box"),
            Drag("Drag the box behind the person.", PROP, (-0.6, 0.0, -0.42)),
            SIDE,
            Drag("Drag the pelvis onto the box.", Role.PELVIS, (0.0, -0.41, -0.38)),
            Drag("Drag the right wrist onto the thigh.", Role.RIGHT_WRIST, (0.0, -0.20, 0.04)),
            Drag("Drag the left wrist onto the thigh.", Role.LEFT_WRIST, (0.0, -0.20, 0.04)),
        ),
    ),
    "kneel": Recipe(
        "Kneeling",
        8,
        (
            SIDE,
            Drag("Drag the right ankle back and up, onto its ball.", Role.RIGHT_ANKLE, (0.0, 0.07, -0.5)),
            Drag("Drag the left ankle forward.", Role.LEFT_ANKLE, (0.0, 0.0, 0.3)),
            Drag("Drag the pelvis down.", Role.PELVIS, (0.0, -0.43, -0.05)),
            Drag("Drag the head up and back: the trunk stands upright.", Role.HEAD, (0.0, 0.2, -0.3)),
        ),
    ),
    "kick": Recipe(
        "Kick",
        8,
        (
            SIDE,
            Drag("Drag the right ankle forward and up.", Role.RIGHT_ANKLE, (0.0, 0.84, 0.84)),
            Drag("Drag the head back: the trunk leans against the leg.", Role.HEAD, (0.0, -0.05, -0.22)),
            Drag("Drag the left wrist forward.", Role.LEFT_WRIST, (0.0, 0.25, 0.35)),
            Drag("Drag the right wrist back.", Role.RIGHT_WRIST, (0.0, 0.1, -0.3)),
        ),
    ),
    "lie": Recipe(
        "Lying on the back",
        5,
        (
            SIDE,
            BOTH,
            Drag("Drag the head back and down.", Role.HEAD, (0.0, -1.40, -0.90)),
            Drag("Drag the pelvis down to the floor.", Role.PELVIS, (0.0, -0.80, -0.10)),
            Drag("Drag the right ankle forward.", Role.RIGHT_ANKLE, (0.0, 0.0, 0.60)),
        ),
    ),
    "hips": Recipe(
        "Hands on hips",
        6,
        (
            Choose("*Contact › Hands on hips*.", "Contact", "Hands on hips"),
            Drag("Drag the pelvis to the side, with X held to its axis.", Role.PELVIS, (0.07, 0.0, 0.0), X),
            Drag("Drag the left ankle out.", Role.LEFT_ANKLE, (0.08, 0.0, 0.0), X),
        ),
        0.35,
    ),
}  # fmt: skip
