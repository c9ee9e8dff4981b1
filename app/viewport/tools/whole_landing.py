"""Dragging whole people onto props, or back to the floor: who sits comes to sit there, others stand or lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.combine import chain, on_character
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.model.placement import Placement
from app.document.posing.contact_patches import UP, contact_of, patches_of, place_of_patch
from app.document.posing.holds.feet_too_far import HIGH
from app.document.posing.placing import brought, lowest_skin
from app.document.posing.rest.borne import with_feet_down
from app.document.posing.rest.new_seat import needs_a_seat
from app.viewport.tools.root_drag import RootGrab
from app.viewport.tools.surface_drag import LEVEL, NOTHING, Landing, Spot, floor_along, on_prop
from rendering.camera.camera import View
from rendering.scene.values import Scene
from solver.contact.patches import Patch
from solver.effectors.sources import PropSource
from solver.rig.rig import rig_of

if TYPE_CHECKING:
    from rendering.scene.props import DrawnProp

Array = NDArray[np.floating]
STEP, TREAD = 0.3, 0.02  # metres up from a side to what can be stood on at its top, and in from its edge
RISES = 0.05  # metres that a seat is higher than where somebody sat, up to which feet stay down
OFF_FLOOR = 0.02  # metres from which somebody counts as above the floor, to be put back onto it


def whole_landed(document: Document, grab: RootGrab, view: View, scene: Scene, pixel: Array) -> Landing | None:
    """What a drag of whole people onto a prop, or back to the floor, makes: the one whose handle is held comes to sit
    there if they are posed so, else their lowest skin comes to lie there. None if they are on the floor and stay there.
    """
    origin, direction = view.ray(pixel)
    depth, props = floor_along(origin, direction), _staying(scene, grab)
    spot = on_prop(document, origin, direction, props, depth)
    if spot is not None and spot.normal[1] < LEVEL:
        spot = _step_above(document, props, spot)
        depth = np.inf
    if grab.turning:
        return None
    first = grab.people[0]
    if spot is not None:
        assert isinstance(spot.source, PropSource)
        place, onto = spot.place, document.prop(spot.source.prop).name
        if (seat := patches_of(first).get("seat")) is not None and needs_a_seat(first):
            return Landing("", f"Sit {first.name} on {onto}", seated(grab, seat, spot), solves=True)
    elif np.isfinite(depth) and lowest_skin(first) > OFF_FLOOR:
        place, onto = origin + depth * direction, "the floor"
    else:
        return None
    shift = place - np.array([grab.place[0], lowest_skin(first), grab.place[2]])
    return Landing("", f"Put {grab.who} on {onto}", grab.placed_by(shift))


def why_not_whole(document: Document, grab: RootGrab, view: View, scene: Scene, pixel: Array) -> str:
    """Why `whole_landed` finds nothing under a pixel, for the user who drags there."""
    origin, direction = view.ray(pixel)
    depth = floor_along(origin, direction)
    if np.isfinite(depth) and on_prop(document, origin, direction, _staying(scene, grab), depth) is None:
        return f"{grab.who}: on the floor already"
    return NOTHING.format("stand on", "the floor or the top of a prop")


def seated(grab: RootGrab, seat: Patch, spot: Spot) -> Edit:
    """Bring people along with the first of them, whose seat comes to be held on the spot. Feet stay on the floor, or
    come down to it, at the frame looked at alone, and the others stay as high as they are; from a high seat, where feet
    would go through its edge, they hang as posed, and all come up."""
    first = grab.people[0]
    root = first.pose.root_position.astype(np.float64)
    shift = spot.place - root - Placement(grab.spun).rigid.turn @ (place_of_patch(first, seat) - root)
    up = shift * UP
    contact = replace(contact_of(seat, spot.place, spot.normal), source=spot.source)

    def on_its_feet(now: Character) -> Character:
        return with_feet_down(now, brought(now, up, whole=len(now.clip) == 1), float(up[1]), ())

    if up[1] > RISES and spot.place[1] > HIGH * rig_of(skeleton_of(first)).leg_length:
        placed = grab.placed_by(shift)
    else:
        placed = grab.placed_by(shift - up, on_character(first.id, on_its_feet))
    return chain(placed, edits.hold(first.id, contact))


def _staying(scene: Scene, grab: RootGrab) -> list[DrawnProp]:
    """The props that people who are moved can come to stand on: not those that they carry."""
    carried = {("prop", each.what.id) for way in grab.ways[:1] for each in way.contacts.carried}
    return [prop for prop in scene.props if prop.id not in carried]


def _step_above(document: Document, props: Sequence[DrawnProp], riser: Spot) -> Spot | None:
    """What people can stand on at the top of a side, no further up than a step."""
    above = riser.place - TREAD * riser.normal + STEP * UP
    spot = on_prop(document, above, -UP, props, STEP)
    return spot if spot is not None and spot.normal[1] >= LEVEL else None
