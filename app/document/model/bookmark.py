"""A view to come back to: where a scene is looked at from, kept in the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.document.model.clip import EMPTY

SLOTS = (2, 4, 6, 8)  # numbers of bookmarks, which are their keys: the odd digits look from fixed sides
NEAREST_M, FARTHEST_M = 0.01, 1000.0  # of the camera from what it turns about
LEAST_FOV, MOST_FOV = 0.01, 3.1  # radians


@dataclass(frozen=True)
class Bookmark:
    """A camera that turns about a target. slot: one of `SLOTS`. target: metres. distance: metres from it.

    yaw, pitch, fov_y: radians, as in rendering.camera. flat: whether the projection is parallel. extra: keys of a newer
    file, kept for the next save. ValueError for impossible values.
    """

    slot: int
    target: tuple[float, float, float]
    distance: float
    yaw: float
    pitch: float
    fov_y: float
    flat: bool = False
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    def __post_init__(self) -> None:
        if self.slot not in SLOTS:
            raise ValueError(f"a bookmark's number is one of {', '.join(map(str, SLOTS))}, not {self.slot}")
        x, y, z = (float(np.float32(value)) for value in self.target)
        object.__setattr__(self, "target", (x, y, z))
