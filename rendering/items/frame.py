"""What every item knows about the picture being drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import Camera, OrbitCamera, View
from rendering.scene.theme import Theme


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture. view: in logical pixels. pixel_ratio: device pixels per logical one.

    transparent: nothing but the figures, on alpha 0. quick: lit by vertex, for a software renderer in motion. rows:
    those drawn now of a picture that is drawn in parts, from above; None for all.
    """

    view: View
    theme: Theme
    pixel_ratio: float = 1.0
    transparent: bool = False
    quick: bool = False
    rows: slice | None = None

    @property
    def device_size(self) -> tuple[int, int]:
        """Width and height in device pixels."""
        return max(1, round(self.view.width * self.pixel_ratio)), max(1, round(self.view.height * self.pixel_ratio))

    @property
    def drawn_size(self) -> tuple[int, int]:
        """Width and height in device pixels of what is drawn of it."""
        width, height = self.device_size
        return (width, height) if self.rows is None else (width, self.rows.stop - self.rows.start)

    @property
    def below(self) -> int:
        """How many rows are under those that are drawn."""
        return 0 if self.rows is None else int(self.device_size[1] - self.rows.stop)

    @cached_property
    def view_projection(self) -> NDArray[np.float32]:
        """(4, 4) world to clip space."""
        return (self.view.projection_matrix @ self.view.view_matrix).astype(np.float32)

    @cached_property
    def eye(self) -> NDArray[np.float32]:
        """(3,) the camera's place; for a parallel projection, far back along the view."""
        camera = self.view.camera
        eye = camera.eye
        if isinstance(camera, OrbitCamera) and camera.orthographic:
            eye = eye + camera.rotation[:, 2] * 1e3
        return eye.astype(np.float32)

    @property
    def above_floor(self) -> bool:
        """Whether the view shows the floor's upper side."""
        return bool(self.eye[1] > 0.0)


def picture_frame(
    camera: Camera, size: tuple[int, int], theme: Theme, transparent: bool = False, lines: float = 1.0
) -> Frame:
    """The frame of a picture of (width, height) pixels. lines: how many times as wide outlines and edges are as in a
    view of as many logical pixels."""
    return Frame(View(camera, size[0] / lines, size[1] / lines), theme, lines, transparent)
