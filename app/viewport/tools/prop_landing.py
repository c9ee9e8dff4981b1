"""Dragging props onto other props, or back to the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.edits.world_contacts import carried_by
from app.document.model.document import Document
from app.document.model.identity import name_or_count
from app.document.posing.rest.borne import borne_by
from app.viewport.prop_place import landing_under
from app.viewport.tools.prop_drag import PropGrab
from app.viewport.tools.surface_drag import Landing
from rendering.camera.camera import View
from rendering.scene.values import Scene


def put_down(document: Document, grab: object, view: View, scene: Scene, pixel: tuple[float, float]) -> Landing | None:
    """What a drag of props makes on the prop or the floor under a pixel: the lowest point of the one held comes to lie
    there, and not on what its sitters carry. None for other drags, and for those that turn or scale."""
    if not isinstance(grab, PropGrab) or grab.tool != "move":
        return None
    moved = (grab.start, *grab.others)
    ids = {prop.id for prop in moved}
    bears = [prop for prop in document.props if prop.id in ids]
    sitters = [person.id for person in document.characters if any(borne_by(person, prop) for prop in bears)]
    gone = {("prop", id) for id in (*ids, *(prop.id for prop, _ in carried_by(document, sitters)))}
    others = replace(scene, figures=(), props=tuple(drawn for drawn in scene.props if drawn.id not in gone))
    there = landing_under(document, view, pixel, others)
    start = grab.start
    low = float(start.frame.points(start.surface.vertices)[:, 1].min())
    shift = there.place - np.array([start.place[0], low, start.place[2]])
    return Landing("", f"Put {name_or_count(moved, 'props')} on {there.onto}", grab.placed_by(shift))
