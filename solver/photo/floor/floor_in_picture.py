"""The floor in a picture: its lines, the spot below a pixel, and how high above a spot something shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.camera import PinholeCamera

Array = NDArray[np.float64]
NEAR = 0.2  # metres in front of the camera, from which a piece of a line is drawn


def floor_point_at(camera: PinholeCamera, pixel: tuple[float, float]) -> Array | None:
    """(3,) where the floor is in the picture at a pixel, metres; None above the horizon."""
    eye, way = camera.ray(pixel)
    return eye - way * eye[1] / way[1] if way[1] < -1e-6 and eye[1] > 0 else None


def height_at(camera: PinholeCamera, spot: ArrayLike, row: float) -> float | None:
    """The height above a spot (3,) of the floor that shows at a row of the picture, pixels from its top.

    None if no height does.
    """
    foot, up = camera.in_frame(spot), camera.rotation.astype(np.float64)[1]  # up in the camera's frame
    slope = (camera.principal_px[1] - row) / camera.focal_px
    along = up[1] + slope * up[2]
    if abs(along) < 1e-9:
        return None
    height = float(-(foot[1] + slope * foot[2]) / along)
    return height if foot[2] + height * up[2] < 0 else None


def floor_lines(camera: PinholeCamera, about: ArrayLike, reach: int) -> tuple[Array, Array]:
    """The lines of the floor at whole metres, cut into pieces of a metre, as the picture has them.

    about: (3,) the middle, metres. reach: metres to either side. Returns (N, 2, 2) ends in pixels and (N,) metres from
    the camera; what is behind the camera is left out.
    """
    x0, z0 = (round(float(np.asarray(about)[axis])) for axis in (0, 2))
    steps = np.arange(-reach, reach + 1)
    x, z = np.meshgrid(x0 + steps, z0 + steps, indexing="ij")
    places = np.stack([x, np.zeros(x.shape), z], axis=-1).astype(np.float64)
    seen = camera.in_frame(places)
    pixels = camera.pixels(seen)
    ends, depths = [], []
    for first, second in (((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
                          ((slice(None), slice(None, -1)), (slice(None), slice(1, None)))):  # fmt: skip
        ahead = (seen[first][..., 2] < -NEAR) & (seen[second][..., 2] < -NEAR)
        ends.append(np.stack([pixels[first], pixels[second]], axis=-2)[ahead])
        depths.append(np.linalg.norm((seen[first] + seen[second])[ahead] / 2, axis=-1))
    return np.concatenate(ends), np.concatenate(depths)
