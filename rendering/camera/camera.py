"""The camera as a value: an orbit camera for work, and the look through a photo's own camera.

World: right-handed, Y up, metres. Camera frame: x right, y up, looking along -z. Matrices are row-major numpy arrays
that act on column vectors, in OpenGL's clip convention (z from -1 to 1). Pixels have their origin at the top left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Triple = tuple[float, float, float]

FAR_PLANE = 400.0


class Camera(Protocol):
    """What a view needs from a camera."""

    @property
    def rotation(self) -> Array:
        """(3, 3) R_world_camera: columns right, up, back."""
        ...

    @property
    def eye(self) -> Array:
        """(3,) metres, where the camera stands."""
        ...

    def projection_matrix(self, width: float, height: float) -> Array:
        """(4, 4) camera frame to clip space, for a picture of that size in pixels."""
        ...


@dataclass(frozen=True)
class OrbitCamera:
    """A turntable about `target`. Lengths in metres, angles in radians.

    yaw: 0 stands in front of a figure that faces +Z, positive moves towards +X. pitch: positive stands above.
    fov_y: the picture's full height as an angle; orthographic pictures show the same height at the target.
    temporary: of an orthographic camera: it looks from a side, and returns to perspective once it is turned away.
    """

    target: Triple = (0.0, 0.9, 0.0)
    distance: float = 4.2
    yaw: float = 0.45
    pitch: float = 0.12
    fov_y: float = float(np.radians(32.0))
    orthographic: bool = False
    temporary: bool = False

    @cached_property
    def rotation(self) -> Array:
        """(3, 3) R_world_camera: columns right, up, back."""
        sy, cy, sp, cp = np.sin(self.yaw), np.cos(self.yaw), np.sin(self.pitch), np.cos(self.pitch)
        return _kept(np.array([[cy, -sy * sp, sy * cp], [0.0, cp, sp], [-sy, -cy * sp, cy * cp]]))

    @cached_property
    def eye(self) -> Array:
        """(3,) metres, where the camera stands."""
        return _kept(np.asarray(self.target) + self.distance * self.rotation[:, 2])

    def projection_matrix(self, width: float, height: float) -> Array:
        """(4, 4) camera frame to clip space."""
        half = np.tan(self.fov_y / 2)
        aspect = width / height
        if self.orthographic:
            h = half * self.distance
            depth = self.distance + FAR_PLANE / 4
            return np.diag([1 / (h * aspect), 1 / h, -1 / depth, 1.0])
        near = min(max(0.02, self.distance * 0.02), 0.2)
        h = near * half
        return frustum((-h * aspect, h * aspect), (-h, h), near, FAR_PLANE)


class PhotoCamera(Protocol):
    """A photo's camera, as the document keeps it. The lens is in pixels of the photo."""

    @property
    def position(self) -> NDArray[np.floating]:
        """(3,) metres, where the camera stands."""
        ...

    @property
    def rotation(self) -> NDArray[np.floating]:
        """(3, 3) R_world_camera: columns right, up, back."""
        ...

    @property
    def focal_px(self) -> float:
        """Focal length, pixels."""
        ...

    @property
    def principal_px(self) -> tuple[float, float]:
        """Where the optical axis meets the photo, pixels from the top left."""
        ...

    @property
    def image_size(self) -> tuple[int, int]:
        """Width and height, pixels."""
        ...


@dataclass(frozen=True)
class PhotoView:
    """A look through a photo's camera.

    In a view of another shape the photo is fitted whole and centred (letterbox), then magnified by `zoom` about the
    middle of the view and moved by `shift`, a share of the fitted photo's size, right and down. `halved`: it is fitted
    into the right half of the view, or the lower half if it is larger there, and its copy has the other half.
    """

    lens: PhotoCamera
    zoom: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    halved: bool = False

    @property
    def rotation(self) -> Array:
        """(3, 3) R_world_camera: columns right, up, back."""
        return np.asarray(self.lens.rotation, dtype=np.float64)

    @property
    def eye(self) -> Array:
        """(3,) metres, where the camera stands."""
        return np.asarray(self.lens.position, dtype=np.float64)

    def image_rect(self, width: float, height: float) -> tuple[float, float, float]:
        """Left, top and pixels per photo pixel of the photo in a view of that size."""
        w, h = self.lens.image_size
        fit, x, y = self.fitted(width, height)
        scale = fit * self.zoom
        return x - scale * w / 2 + self.shift[0] * w * fit, y - scale * h / 2 + self.shift[1] * h * fit, scale

    def fitted(self, width: float, height: float) -> tuple[float, float, float]:
        """Pixels per photo pixel, and where the photo's middle is, before it is magnified and moved."""
        w, h = self.lens.image_size
        if not self.halved:
            return min(width / w, height / h), width / 2, height / 2
        stacked = self.is_stacked(width, height)
        across, down = (1, 2) if stacked else (2, 1)
        fit = 0.97 * min(width / (across * w), height / (down * h))
        aside = 0.51 * fit  # half the gap between the two is a hundredth of the photo
        return fit, width / 2 + aside * w * (not stacked), height / 2 + aside * h * stacked

    def across(self, share: float, width: float, height: float) -> float:
        """The view's pixel, from the left, at which this share of the photo's width, 0..1, lies to the left."""
        left, _, scale = self.image_rect(width, height)
        return left + share * self.lens.image_size[0] * scale

    def is_stacked(self, width: float, height: float) -> bool:
        """Whether photo and copy come out larger one below the other than side by side, in a view of that size."""
        w, h = self.lens.image_size
        return min(width / w, height / (2 * h)) > min(width / (2 * w), height / h)

    def projection_matrix(self, width: float, height: float) -> Array:
        """(4, 4) camera frame to clip space, off-centre as the lens is."""
        left, top, scale = self.image_rect(width, height)
        focal = self.lens.focal_px * scale
        cx, cy = left + self.lens.principal_px[0] * scale, top + self.lens.principal_px[1] * scale
        near = 0.05
        k = near / focal
        return frustum((-cx * k, (width - cx) * k), ((cy - height) * k, cy * k), near, FAR_PLANE)


@dataclass(frozen=True)
class View:
    """A camera and the picture's size in pixels: all that projecting, picking and dragging need."""

    camera: Camera
    width: float
    height: float
    view_matrix: Array = field(init=False, repr=False, compare=False)
    projection_matrix: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rotation, eye = np.asarray(self.camera.rotation, dtype=np.float64), self.camera.eye
        matrix = np.eye(4)
        matrix[:3, :3] = rotation.T
        matrix[:3, 3] = -rotation.T @ eye
        object.__setattr__(self, "view_matrix", matrix)
        object.__setattr__(self, "projection_matrix", self.camera.projection_matrix(self.width, self.height))

    def project(self, points: ArrayLike) -> Array:
        """(..., 3) metres -> (..., 2) pixels; NaN behind the camera."""
        return self.project_with_depth(points)[..., :2]

    def project_with_depth(self, points: ArrayLike) -> Array:
        """(..., 3) metres -> (..., 3): pixels, and metres in front of the camera; pixels NaN behind it."""
        p = np.asarray(points, dtype=np.float64)
        camera = p @ self.view_matrix[:3, :3].T + self.view_matrix[:3, 3]
        clip = camera @ self.projection_matrix[:, :3].T + self.projection_matrix[:, 3]
        w = np.where(clip[..., 3] > 1e-9, clip[..., 3], np.nan)
        x = (clip[..., 0] / w + 1) * self.width / 2
        y = (1 - clip[..., 1] / w) * self.height / 2
        return np.stack([x, y, -camera[..., 2]], axis=-1)

    def shows(self, point: ArrayLike) -> bool:
        """Whether a point (3,) is within the picture."""
        x, y = self.project(point)
        return bool(0 <= x <= self.width and 0 <= y <= self.height)  # NaN behind the camera

    def ray(self, pixel: ArrayLike) -> tuple[Array, Array]:
        """Origin (3,) and unit direction (3,) of the ray through a pixel, in the world."""
        x, y = np.asarray(pixel, dtype=np.float64)
        nx, ny = 2 * x / self.width - 1, 1 - 2 * y / self.height
        p, rotation = self.projection_matrix, np.asarray(self.camera.rotation)
        if p[3, 3] == 0.0:  # perspective
            direction = rotation @ np.array([(nx + p[0, 2]) / p[0, 0], (ny + p[1, 2]) / p[1, 1], -1.0])
            return self.camera.eye, direction / np.linalg.norm(direction)
        start = self.camera.eye + rotation @ np.array([nx / p[0, 0], ny / p[1, 1], 0.0])
        return start, -rotation[:, 2]

    def metres_per_pixel(self, point: ArrayLike) -> float:
        """How long a pixel is at the depth of a point."""
        p = self.projection_matrix
        if p[3, 3] != 0.0:
            return float(2 / (p[1, 1] * self.height))
        depth = float(self.camera.rotation[:, 2] @ (self.camera.eye - np.asarray(point, dtype=np.float64)))
        return 2 * max(abs(depth), 1e-4) / (p[1, 1] * self.height)


def frustum(horizontal: tuple[float, float], vertical: tuple[float, float], near: float, far: float) -> Array:
    """(4, 4) OpenGL perspective matrix of a possibly off-centre frustum; its window at the near plane."""
    (left, right), (bottom, top) = horizontal, vertical
    m = np.zeros((4, 4))
    m[0, 0], m[0, 2] = 2 * near / (right - left), (right + left) / (right - left)
    m[1, 1], m[1, 2] = 2 * near / (top - bottom), (top + bottom) / (top - bottom)
    m[2, 2], m[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
    m[3, 2] = -1.0
    return m


def _kept(array: Array) -> Array:
    """The array itself, made read-only, since a camera hands it out to all callers."""
    array.flags.writeable = False
    return array
