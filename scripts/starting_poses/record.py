"""What a starting pose is made from: where its hips, feet and hands are and how they are turned, and where it looks.

Lengths in metres, angles in degrees, for the average neutral body (1.70 m); +X is to the left, +Z ahead. A turn's pitch
leans forward, its yaw turns to the left, its roll leans to the left. Where a height is FLOOR, the skin there lies on
the floor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import from_rotation_vector

FLOOR = None
Triple = tuple[float, float, float]
Height = float | None
ANKLE, BALL, HEEL = 0.075, np.array([0.0, -0.075, 0.135]), np.array([0.0, -0.075, -0.045])  # from the ankle at rest
SIDES = ("left", "right")
WAYS = {
    "left": (1, 0, 0), "right": (-1, 0, 0), "up": (0, 1, 0), "down": (0, -1, 0), "ahead": (0, 0, 1), "back": (0, 0, -1),
}  # fmt: skip
Way = str | Triple


class Turn(NamedTuple):
    """A turn in the world, degrees: yaw last, so that pitch and roll are seen from the person."""

    pitch: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0

    @property
    def matrix(self) -> NDArray[np.float64]:
        """(3, 3) R_world_joint."""
        pitch, yaw, roll = np.radians(self)
        about = [from_rotation_vector(v) for v in ([0, yaw, 0], [pitch, 0, 0], [0, 0, -roll])]
        return np.asarray(about[0] @ about[1] @ about[2])


class Held(NamedTuple):
    """A joint at a place, FLOOR for the height at which its skin lies on the floor. matrix: how it is turned.

    loose: 0..1, how freely the place may be missed; free: the same for the turn.
    """

    x: float
    y: Height
    z: float
    matrix: NDArray[np.float64] | None = None
    loose: float = 0.0
    free: float = 0.1
    toes: NDArray[np.float64] | None = None  # how the toes are turned, if they bend


def hips(x: float, y: Height, z: float, pitch: float = 0.0, yaw: float = 0.0, roll: float = 0.0) -> Held:
    """The pelvis."""
    return Held(x, y, z, Turn(pitch, yaw, roll).matrix, free=0.05)


def flat(x: float, z: float, yaw: float = 0.0) -> Held:
    """A foot flat on the floor. x, z: of the ankle. yaw: where its toes point."""
    return Held(x, ANKLE, z, Turn(yaw=yaw).matrix)


def ball(x: float, z: float, yaw: float = 0.0, lift: float = 30.0) -> Held:
    """A foot on its ball, the heel raised by `lift` degrees about it. x, z: of the ankle if it were flat."""
    level = Turn(yaw=yaw).matrix
    turn = Turn(lift, yaw).matrix
    at = np.array([x, ANKLE, z]) + level @ BALL - turn @ BALL
    return _held_at(at, turn)._replace(toes=level)


def heel(x: float, z: float, yaw: float = 0.0, lift: float = 20.0) -> Held:
    """A foot on its heel, the toes raised. x, z: of the ankle if it were flat."""
    turn = Turn(-lift, yaw).matrix
    at = np.array([x, ANKLE, z]) + Turn(yaw=yaw).matrix @ HEEL - turn @ HEEL
    return _held_at(at, turn)


def foot(x: float, y: Height, z: float, pitch: float = 0.0, yaw: float = 0.0, roll: float = 0.0) -> Held:
    """A foot anywhere: the ankle, and how it is turned; pitch points the toes down."""
    return Held(x, y, z, Turn(pitch, yaw, roll).matrix, free=0.15)


def laid(x: float, y: Height, z: float, toes: Way, sole: Way) -> Held:
    """A foot anywhere, such as on its edge, given by where its toes point and its sole faces."""
    ahead, up = _way(toes), -_way(sole)
    across = np.cross(up, ahead)
    across /= np.linalg.norm(across)
    ahead /= np.linalg.norm(ahead)
    return Held(x, y, z, np.stack([across, np.cross(ahead, across), ahead], axis=1), free=0.15)


def hand(
    x: float,
    y: Height,
    z: float,
    fingers: Way | None = None,
    palm: Way | None = None,
    side: str = "left",
    loose: float = 0.0,
    free: float = 0.15,
) -> Held:
    """A wrist, where the fingers point and where the palm faces; without them the wrist is left alone."""
    if fingers is None or palm is None:
        return Held(x, y, z, None, loose)
    along, up = _way(fingers), -_way(palm)
    along = along if side == "left" else -along
    across = np.cross(along, up)
    across /= np.linalg.norm(across)
    along /= np.linalg.norm(along)
    return Held(x, y, z, np.stack([along, np.cross(across, along), across], axis=1), loose, free)


def right_hand(
    x: float, y: Height, z: float, fingers: Way | None = None, palm: Way | None = None, **how: float
) -> Held:
    """A right wrist; see `hand`."""
    return hand(x, y, z, fingers, palm, "right", **how)


def spot(x: float, y: Height, z: float, loose: float = 0.4) -> Held:
    """A knee, an elbow, the head or the chest somewhere near there."""
    return Held(x, y, z, None, loose)


def mirrored(held: Held) -> Held:
    """The mirror image, for the other side."""

    def seen(matrix: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        flip = np.diag([-1.0, 1.0, 1.0])
        return None if matrix is None else flip @ matrix @ flip

    return held._replace(x=-held.x, matrix=seen(held.matrix), toes=seen(held.toes))


def both(part: str, left: Held) -> dict[str, Any]:
    """A part of the left side and its counterpart on the right, each a Held: arguments for `pose` and `one`."""
    return {f"{side}_{part}": held for side, held in zip(SIDES, (left, mirrored(left)), strict=True)}


class Hold(NamedTuple):
    """A patch of skin on the other person of a pose of two. onto: one of their patches, which goes along with its
    joint; else the patch lies on their skin nearest to `at`, seen from the person who holds, or to where it is.
    bent: how far the fingers are on the way from pressed flat to cupped; None if they are as the figure says.
    """

    patch: str
    onto: str = ""
    at: Triple | None = None
    bent: float | None = None


@dataclass(frozen=True)
class Figure:
    """One person of a pose, seen in their own space. parts: by “hips”, “left_hand” and so on; see PARTS in solve.py.

    chest, head: turns in the world. look: a point. x, z, yaw: where they stand, for two together. lift: metres of the
    lowest point above the floor. solver: the one that proposes. tilt: degrees by which the natural pose is tilted to
    start with, -90 on the back. fingers: ids of hand presets, left and right. solid: metres between skin and other skin
    of the same person, so that they keep apart on other bodies too; None if one may pass through the other. holds: of
    two together, what this one lies on the other with.
    """

    parts: Mapping[str, Held]
    chest: Turn | None = None
    head: Turn | None = None
    look: Triple | None = None
    x: float = 0.0
    z: float = 0.0
    yaw: float = 0.0
    lift: float = 0.0
    solver: str = "smplik"
    tilt: float = 0.0
    chest_free: float = 0.15
    fingers: tuple[str, str] = ("relaxed", "relaxed")
    solid: float | None = None
    holds: tuple[Hold, ...] = ()


@dataclass(frozen=True)
class Record:
    """A starting pose of one person or of several."""

    name: str
    folder: str
    tags: tuple[str, ...]
    figures: tuple[Figure, ...] = field(default_factory=tuple)


def pose(
    name: str,
    folder: str,
    tags: str,
    chest: Triple | Turn | None = None,
    head: Triple | Turn | None = None,
    look: Triple | None = None,
    lift: float = 0.0,
    solver: str = "smplik",
    tilt: float = 0.0,
    chest_free: float = 0.15,
    fingers: str = "relaxed",
    solid: float | None = None,
    **parts: Held,
) -> Record:
    """A record of one person. tags: words separated by spaces. fingers: an id for both hands, or one for each."""
    figure = one(chest, head, look, 0.0, 0.0, 0.0, lift, solver, tilt, chest_free, fingers, solid, (), **parts)
    return Record(name, folder, tuple(tags.split()), (figure,))


def one(
    chest: Triple | Turn | None = None,
    head: Triple | Turn | None = None,
    look: Triple | None = None,
    x: float = 0.0,
    z: float = 0.0,
    yaw: float = 0.0,
    lift: float = 0.0,
    solver: str = "smplik",
    tilt: float = 0.0,
    chest_free: float = 0.15,
    fingers: str = "relaxed",
    solid: float | None = None,
    holds: tuple[Hold, ...] = (),
    **parts: Held,
) -> Figure:
    """One person."""
    held = fingers.split()
    return Figure(
        parts,
        Turn(*chest) if chest else None,
        Turn(*head) if head else None,
        look,
        x,
        z,
        yaw,
        lift,
        solver,
        tilt,
        chest_free,
        (held[0], held[-1]),
        solid,
        holds,
    )


def _held_at(place: NDArray[np.float64], turn: NDArray[np.float64]) -> Held:
    x, y, z = map(float, place)
    return Held(x, y, z, turn)


def _way(way: Way) -> NDArray[np.float64]:
    if not isinstance(way, str):
        return np.asarray(way, np.float64)
    return np.sum([WAYS[each] for each in way.split()], axis=0).astype(np.float64)
