"""Dragging onto surfaces: what lies under the pointer, and the contact with it that the limb under the hand gets."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.on_prop import spot_of
from app.document.posing.holding import UP, contact_of, facing_patch, on_skin, own_limb, patches_of
from app.document.posing.holds.grasping import hand_around
from app.look.wording import surface_text
from rendering.camera.camera import View
from rendering.picking.skin_picking import touch_skin
from rendering.scene.values import Figure, Scene
from solver.contact.patches import Patch
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import FloorSource, PropSource, SkinSource, Surface

Array = NDArray[np.floating]
FLAT = ("box", "plane", "stairs", "chair")  # props on which a hand is laid open
FARTHEST = 1.6  # metres from the pelvis over the floor: what is further away nobody touches without a step


@dataclass(frozen=True, eq=False)
class Spot:
    """A place of a surface. place: (3,) metres. normal: (3,) outward. source: what it goes along with."""

    place: Array
    normal: Array
    source: Surface


@dataclass(frozen=True, eq=False)
class Landing:
    """A contact that a drag makes. text: the undo step's name. edit: what it does to the document."""

    contact: Contact
    text: str
    edit: Edit


def landing(
    document: Document, active: Character, lead: Effector, spot: Spot, patch: str = "", first: tuple[Edit, ...] = ()
) -> Landing | None:
    """What a drag of `lead` onto a spot makes; None where its joint has no patch.

    patch: the one that touches already in this drag; "" to find the one that faces the surface. first: edits that bring
    the effector about.
    """
    around = _around(document, active, lead, spot)
    if around is not None:
        text = f"Hold {surface_text(around, active.id, document.names)}"
        grasp = (edits.hold(active.id, around, instead_of=lead.id), edits.close_hand(active.id, around))
        return Landing(around, text, edits.chain(*first, *grasp))
    known = patches_of(active)
    chosen: Patch | None = known.get(patch) or facing_patch(active, lead.joint, spot.normal)
    if chosen is None:
        return None
    contact = replace(contact_of(chosen, spot.place, spot.normal, like=lead), source=spot.source)
    steps = [*first, edits.hold(active.id, contact, instead_of=lead.id)]
    if _is_flat(document, spot.source):
        steps.append(edits.open_hand(active.id, chosen.name))
    text = f"Hold {chosen.row.words} {surface_text(contact, active.id, document.names)}"
    return Landing(contact, text, edits.chain(*steps))


def spot_under(
    document: Document, active: Character, joint: str, view: View, scene: Scene, pixel: Array
) -> Spot | None:
    """The nearest surface under a pixel that a joint of the active person can be held on: skin, all but that of the
    joint's own limb, a prop, or the floor; None over nothing."""
    origin, direction = view.ray(pixel)
    nearest, owner, place = _floor(origin, direction), None, None
    for figure in scene.figures:
        character = _owner(document, figure)
        if character is None:
            continue
        own = own_limb(active, joint) if character.id == active.id else frozenset()
        touched = touch_skin(origin, direction, figure, own)
        if touched is not None and touched.depth < nearest:
            nearest, owner, place = touched.depth, character, touched.place
    on_prop = _on_prop(document, origin, direction, scene, nearest)
    if on_prop is not None:
        return on_prop
    if owner is not None and place is not None:
        own = own_limb(active, joint) if owner.id == active.id else frozenset()
        source, at, normal = on_skin(owner, place, own)
        return Spot(at, normal, source)
    if not np.isfinite(nearest):
        return None
    on_floor = (origin + nearest * direction) * (1.0 - UP)
    if np.linalg.norm((on_floor - active.pose.root_position)[[0, 2]]) > FARTHEST:
        return None
    return Spot(on_floor, UP, FloorSource())


def _around(document: Document, active: Character, lead: Effector, spot: Spot) -> Contact | None:
    """The hand of `lead` around what the spot is on; None where that is nothing to close a hand around."""
    if not isinstance(spot.source, PropSource):
        return None
    return hand_around(active, document.prop(spot.source.prop), lead.joint, spot.source, like=lead)


def _floor(origin: Array, direction: Array) -> float:
    """Metres along a ray to the floor seen from above; inf where it does not come there."""
    return float(-origin[1] / direction[1]) if origin[1] > 0.0 and direction[1] < -1e-6 else np.inf


def _on_prop(document: Document, origin: Array, direction: Array, scene: Scene, nearer: float) -> Spot | None:
    """The first place of a prop on a ray within `nearer` metres; None where there is none."""
    if not scene.props:
        return None
    from rendering.picking.prop_picking import spot_on_prop  # not before there is one

    eye, way = np.asarray(origin, np.float64), np.asarray(direction, np.float64)
    found = [(met, drawn) for drawn in scene.props if (met := spot_on_prop(eye, way, drawn)) is not None]
    met, drawn = min(found, key=lambda pair: pair[0].depth, default=(None, None))
    if met is None or drawn is None or met.depth >= nearer:
        return None
    prop = next(prop for prop in document.props if drawn.id == ("prop", prop.id))
    source, at, outward = spot_of(prop, met.own, met.normal)
    return Spot(at, outward, source)


def _is_flat(document: Document, source: Surface) -> bool:
    """Whether a palm on it is spread, and does not go around it."""
    if isinstance(source, PropSource):
        return document.prop(source.prop).kind in FLAT
    return not isinstance(source, SkinSource)


def _owner(document: Document, figure: Figure) -> Character | None:
    if figure.ghost:
        return None
    return next((character for character in document.characters if character.id == figure.id), None)
