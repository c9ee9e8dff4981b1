"""Where the target of an effector may come from anew before each solve.

An effector's `target` is always plain numbers: what solvers see, what is drawn, and what stays when its source is gone
or not known to this version. `resolve.resolved` is the one place where a source becomes such numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.values import ArrayValue, FloatArray, frozen_array

NO_OFFSET = frozen_array(np.zeros(3), (3,), "offset")
NO_TURN = frozen_array(np.eye(3), (3, 3), "turn")


@dataclass(frozen=True, eq=False)
class JointSource(ArrayValue):
    """A joint of a character, by their names in the document; also of the effector's own.

    offset: (3,) metres in that joint's frame, from the joint to the target. turn: (3, 3) R_joint_target, for effectors
    that turn; its Y axis is the normal of what a contact lies on.
    """

    character: str
    joint: str
    offset: FloatArray = field(default_factory=lambda: NO_OFFSET)
    turn: FloatArray = field(default_factory=lambda: NO_TURN)

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", frozen_array(self.offset, (3,), "offset"))
        object.__setattr__(self, "turn", frozen_array(self.turn, (3, 3), "turn"))


@dataclass(frozen=True)
class RaySource:
    """The point `distance` metres along the ray through a pixel (x, y) of a photo, from its camera.

    photo: its number among the document's photos.
    """

    pixel: tuple[float, float]
    distance: float
    photo: int = 0

    def __post_init__(self) -> None:
        if not self.distance > 0.0:
            raise ValueError(f"a point in front of a camera has a positive distance, not {self.distance}")


@dataclass(frozen=True)
class StreamSource:
    """The newest sample of a stream, such as a tracker's, by the stream's name."""

    stream: str


@dataclass(frozen=True)
class FloorSource:
    """The floor below the target: the plane y = 0, which faces up."""


@dataclass(frozen=True, eq=False)
class SkinSource(ArrayValue):
    """A point of a character's skin, also of the effector's own: it goes along with that body's pose and shape.

    character: by its id. triangle: its number among the body's faces. shares: (3,) of the triangle's corners, sum 1.
    lift: metres from the skin to the target, outward, as over the hollow of a palm. spot: what the skin there is called
    on the screen, such as "left hip"; "" if it has no name.
    """

    character: str
    triangle: int
    shares: FloatArray
    lift: float = 0.0
    spot: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", frozen_array(self.shares, (3,), "shares"))
        if self.triangle < 0:
            raise ValueError(f"a triangle has a number of 0 or more, not {self.triangle}")


@dataclass(frozen=True, eq=False)
class PropSource(ArrayValue):
    """A point of a prop, by the prop's id: it goes along as the prop is moved, turned and resized.

    place: (3,) from the prop's middle along its axes, as shares of its size: a face is at ±0.5. normal: (3,) the
    surface's normal along those axes if each side measured 1 m; zeros where it has none.
    """

    prop: str
    place: FloatArray
    normal: FloatArray = field(default_factory=lambda: NO_OFFSET)

    def __post_init__(self) -> None:
        for name in ("place", "normal"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), (3,), name))


@dataclass(frozen=True)
class UnknownSource:
    """A source of a newer version's file: its target stays where the file has it. json: the object, kept as it is."""

    json: Mapping[str, Any] = field(default_factory=dict)


Tie = JointSource | SkinSource  # what goes along with a character
Surface = FloorSource | SkinSource | PropSource  # what skin may lie on
Source = JointSource | RaySource | StreamSource | Surface | UnknownSource


def is_on_prop(source: Source | None, id: str) -> bool:
    """Whether a target comes from that prop."""
    return isinstance(source, PropSource) and source.prop == id
