"""Where something that is let go of over the view lands: on top of what is seen there, or on the floor."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Document
from app.document.model.on_prop import spot_of
from app.document.posing.holding import on_skin
from app.viewport.prop_place import floor_under
from rendering.camera.camera import View
from rendering.picking.picking import Hit, pick
from rendering.picking.prop_picking import spot_on_prop
from rendering.scene.values import Scene

LEVEL = 0.7  # of a surface's normal upwards, from which on something stands on it
FLOOR = "the floor"
Array = NDArray[np.float64]


class Landing(NamedTuple):
    """place: (3,) metres. onto: what is there, by its name."""

    place: Array
    onto: str


def landing_under(document: Document, view: View, pixel: tuple[float, float], scene: Scene) -> Landing:
    """Where something lands under a pixel: on a prop or a person whose top is seen there, below one whose side is, and
    else on the floor, as `floor_under`. document: of which the scene is."""
    bare = replace(scene, handles=(), joints=(), gizmo=None, root=None, roots=())
    hit = pick(view, bare, pixel)
    found = _surface(document, view, pixel, bare, hit) if hit is not None else None
    if found is not None and found[1][1] >= LEVEL:
        return Landing(np.asarray(found[0], np.float64), found[2])
    return Landing(floor_under(view, pixel, bare), FLOOR)


def _surface(
    document: Document, view: View, pixel: tuple[float, float], scene: Scene, hit: Hit
) -> tuple[Array, Array, str] | None:
    """The place, the normal there, both (3,), and whose it is."""
    if hit.kind == "prop":
        prop = next(prop for prop in document.props if hit.id == ("prop", prop.id))
        origin, direction = (np.asarray(part, np.float64) for part in view.ray(pixel))
        met = spot_on_prop(origin, direction, next(drawn for drawn in scene.props if drawn.id == hit.id))
        if met is not None:
            _, at, outward = spot_of(prop, met.own, met.normal)
            return at, outward, prop.name
    if hit.kind == "figure" and hit.place is not None:
        for character in document.characters:
            if character.id == hit.id:
                _, skin, facing = on_skin(character, hit.place)
                return skin.astype(np.float64), facing.astype(np.float64), character.name
    return None
