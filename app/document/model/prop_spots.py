"""Where props can be touched and held: places on their surface, and what a hand can close around in them: the middle
of a ball, or an axis through a stick, a cylinder or a bar."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.prop import KINDS, Prop
from solver.effectors.sources import PropSource

Array = NDArray[np.float64]
SpotOnProp = tuple[PropSource, Array, Array]  # the source, where it is now, and its normal there, in the world
UPRIGHT = 1  # the own axis about which sticks and cylinders are round
SQUARE = 1.6  # a bar's larger thickness to its smaller, at most: a board is held otherwise
LONG = 2.0  # its length to its thickness, at least
ROUND = 0.6  # a bar's radius as a share of its side: between that of faces and that of edges, where skin gives way


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


class Grasp(NamedTuple):
    """axis: the number of the own axis that goes through the hand, None for a ball, held any way. radius: metres."""

    axis: int | None
    radius: float


def grasp_of(prop: Prop) -> Grasp | None:
    """What a hand closes around, however thick; None for what is neither round nor a bar."""
    kind = KINDS[prop.kind]
    if kind.is_round:
        return Grasp(UPRIGHT if kind.has_axis else None, float(prop.size[0]) / 2.0)
    if prop.kind != "box":
        return None
    order = np.argsort(prop.size)
    thin, thick, long = (float(side) for side in prop.size[order])
    if thick > SQUARE * thin or long < LONG * thick:
        return None
    return Grasp(int(order[2]), ROUND * (thin + thick) / 2.0)
