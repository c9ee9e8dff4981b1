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
    that turn.
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
class UnknownSource:
    """A source of a newer version's file: its target stays where the file has it. json: the object, kept as it is."""

    json: Mapping[str, Any] = field(default_factory=dict)


Source = JointSource | RaySource | StreamSource | UnknownSource
