"""What draws the images of one film, or the parts of one picture, alike whatever becomes of the view meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import Camera
from rendering.items.frame import Frame, picture_frame
from rendering.scene.theme import Theme
from rendering.scene.values import Scene


@dataclass(frozen=True)
class Pen:
    """grab: draws a frame of a scene. size: (width, height) pixels. lines, transparent: see `picture_frame`."""

    grab: Callable[[Scene, Frame], NDArray[np.uint8]]
    theme: Theme
    size: tuple[int, int]
    lines: float
    transparent: bool

    def __call__(self, scene: Scene, camera: Camera, rows: slice | None = None) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 RGBA of a scene as a camera sees it. rows: see `Frame`; H is then their number."""
        frame = picture_frame(camera, self.size, self.theme, self.transparent, self.lines)
        return self.grab(scene, frame if rows is None else replace(frame, rows=rows))
