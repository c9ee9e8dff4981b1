"""The pinhole camera: one value for a photo's fit, the document, files and the view."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.values import ArrayValue, FloatArray, frozen_array

Array = NDArray[np.float64]
EYE_M = 1.6  # how high a camera is taken to be held if nothing tells
NEAREST = 1e-9  # metres: anything no further than this in front of the camera is not in its picture


@dataclass(frozen=True, eq=False)
class PinholeCamera(ArrayValue):
    """Where a camera stands, and its lens. position: (3,) metres. rotation: (3, 3) R_world_camera.

    The camera's frame: x right, y up, it looks along -z. focal_px and principal_px: in pixels of a picture of
    `image_size` (width, height), whose origin is at the top left.
    """

    position: FloatArray
    rotation: FloatArray
    focal_px: float
    principal_px: tuple[float, float]
    image_size: tuple[int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", frozen_array(self.position, (3,), "camera position"))
        object.__setattr__(self, "rotation", frozen_array(self.rotation, (3, 3), "camera rotation"))

    def in_frame(self, points: ArrayLike) -> Array:
        """Points (..., 3) of the world in the camera's frame, metres."""
        return (np.asarray(points, dtype=np.float64) - self.position) @ self.rotation.astype(np.float64)

    def pixels(self, in_frame: ArrayLike) -> Array:
        """(..., 2) where points (..., 3) of the camera's frame are in the picture; NaN behind the camera."""
        p = np.asarray(in_frame, dtype=np.float64)
        depth = np.where(-p[..., 2:] > NEAREST, -p[..., 2:], np.nan)
        return self.focal_px * p[..., :2] * [1.0, -1.0] / depth + self.principal_px

    def project(self, points: ArrayLike) -> Array:
        """(..., 2) where points (..., 3) of the world are in the picture; NaN behind the camera."""
        return self.pixels(self.in_frame(points))

    def resized(self, size: tuple[int, int]) -> PinholeCamera:
        """The camera of the same picture scaled to another size (width, height); its lens is in pixels of that size.

        Proportions may be another by what was rounded: the longer side counts.
        """
        scale = max(size) / max(self.image_size)
        x, y = self.principal_px
        return replace(self, focal_px=self.focal_px * scale, principal_px=(x * scale, y * scale), image_size=size)

    def ray(self, pixel: tuple[float, float]) -> tuple[Array, Array]:
        """The origin of the ray through a pixel, (3,) metres, and its unit direction, (3,), in the world."""
        x, y = (np.asarray(pixel, dtype=np.float64) - self.principal_px) / self.focal_px
        direction = self.rotation.astype(np.float64) @ [x, -y, -1.0]
        return self.position.astype(np.float64), direction / np.linalg.norm(direction)


def level_camera(focal_px: float, image_size: tuple[int, int]) -> PinholeCamera:
    """A camera at eye height above the origin that looks straight ahead. image_size: (width, height) pixels."""
    middle = (image_size[0] / 2, image_size[1] / 2)
    return PinholeCamera(np.array([0, EYE_M, 0], np.float32), np.eye(3, dtype=np.float32), focal_px, middle, image_size)
