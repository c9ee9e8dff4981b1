"""Places on the surface of props that a contact can lie on."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.prop import Prop
from solver.effectors.sources import PropSource

Array = NDArray[np.float64]
SpotOnProp = tuple[PropSource, Array, Array]  # the source, where it is now, and its normal there, in the world


def spot_of(prop: Prop, own: ArrayLike, normal: ArrayLike) -> SpotOnProp:
    """A place on the surface by its own point (3,) and own normal (3,)."""
    place, facing = np.asarray(own, np.float64), np.asarray(normal, np.float64)
    outward = prop.turn @ (facing / prop.size)
    source = PropSource(prop.id, (place - (0.0, 0.5, 0.0)).astype(np.float32), facing.astype(np.float32))
    return source, prop.frame.points(place), outward / np.linalg.norm(outward)


def nearest_on(prop: Prop, place: ArrayLike) -> SpotOnProp:
    """The point of a prop's surface nearest to `place`, (3,) metres."""
    from trimesh import triangles as geometry  # not needed to show the window

    wanted, corners = np.asarray(place, np.float64), prop.frame.points(prop.surface.vertices)[prop.surface.faces]
    near = geometry.closest_point(corners, np.tile(wanted, (len(corners), 1)))
    face = int(np.argmin(np.linalg.norm(near - wanted, axis=1)))
    shares = geometry.points_to_barycentric(corners[face : face + 1], near[face : face + 1])[0]
    smooth = shares @ np.asarray(prop.surface.normals, np.float64)[prop.surface.faces[face]]
    return spot_of(prop, prop.frame.own(near[face]), smooth / max(float(np.linalg.norm(smooth)), 1e-12))
