"""Dragging onto surfaces: what lies under the pointer, and the contact with it that the dragged limb gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.model.prop import KINDS
from app.document.model.prop_spots import grasp_of, nearest_on, spot_of
from app.document.posing.contact_patches import UP, contact_of, laid_patch, on_skin, own_limb, patches_of, patches_on
from app.document.posing.holds.flat_grips import is_flat
from app.document.posing.holds.grasping import hand_around
from app.document.posing.holds.over_own_skin import hold_over_own_skin
from app.look.wording import joint_title, surface_text
from app.viewport.tools.drags import Grab
from rendering.camera.camera import View
from rendering.picking.skin_picking import hit_skin
from rendering.scene.values import Figure, Scene
from solver.contact.patches import Patch
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.sources import FloorSource, PropSource, SkinSource, Surface
from solver.ik.multi_solve.only_limb import LimbHold
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

if TYPE_CHECKING:
    from rendering.scene.props import DrawnProp

Array = NDArray[np.floating]
LEVEL = 0.7  # of a surface's normal upwards, from which people can stand on it
SAT_ON = 1.4  # lengths of the own leg above the floor: higher than hips are in those who stand
ALONG_FLOOR = 0.05  # of a line of sight, up or down, below which the floor is seen as a line
NEAR_FLOOR = 0.12  # metres above that line at which a foot counts as on it; likewise tops of props, and below
FARTHEST = 1.6  # metres from the pelvis over the floor: nobody touches things further away without a step
NOTHING = "Nothing there to {}: point at {}"
IN_SIGHT = 50.0  # likewise, nobody looks at things further away
FAR_OFF = 20.0  # likewise, a floor further away counts as nothing there
ASIDE = np.array([[r * np.cos(a), r * np.sin(a)] for r in (3.0, 6.0) for a in np.arange(8) * np.pi / 4])  # pixels

ON_HAND = 0.05  # metres from what a hand is around, seen from here, within which the pointer is on the hand
EDGE = 2 * ASIDE  # likewise, from where a hand that is led over skin does not leave it


@dataclass(frozen=True, eq=False)
class Spot:
    """A place on a surface. place: (3,) metres. normal: (3,) outward. source: what it goes along with."""

    place: Array
    normal: Array
    source: Surface


@dataclass(frozen=True, eq=False)
class Landing:
    """What a drag onto a surface makes. patch: the one that touches, "" if whole people are put down. text: the undo
    step's name. edit: what it does to the document. hold: what stays meanwhile. solves: whether bodies follow it, where
    a drag alone would not have them do so."""

    patch: str
    text: str
    edit: Edit
    hold: LimbHold | None = None
    solves: bool = False


def landed(
    document: Document, active: Character, grab: Grab, patch: str, view: View, scene: Scene, pixel: Array,
    on_own: bool = False,
) -> Landing | None:  # fmt: skip
    """What a drag of a joint or a look makes on the surface under a pixel; None where there is nothing to lie on.

    patch: the one already touching in this drag; "" for none. on_own: whether it goes on over the person's own skin; it
    stays on that a little beyond its edge, unless what is there is nearer.
    """
    if (still := _on_held(document, active, grab, view, pixel)) is not None:
        return landing(document, active, grab.lead, still, patch or grab.patch, grab.first)
    reach = IN_SIGHT if isinstance(grab.lead, AimEffector) else FARTHEST
    spot = spot_under(document, active, grab.lead.joint, view, scene, pixel, reach)
    if not isinstance(grab.lead, AimEffector):
        top = _top_at_its_depth(document, active, grab.lead.joint, view, scene, pixel)
        spot = top if top is not None and _stands_for(top, spot) else spot
        spot = spot and _beside_limb(document, active, grab.lead.joint, spot, view, pixel)
    if on_own and (spot is None or not _is_on(spot, active)):
        near = (spot_under(document, active, grab.lead.joint, view, scene, pixel + by, reach) for by in EDGE)
        own = next((each for each in near if each is not None and _is_on(each, active)), None)
        if own is not None and (spot is None or _is_behind(spot, own, view, pixel)):
            spot = own
    return None if spot is None else landing(document, active, grab.lead, spot, patch or grab.patch, grab.first)


def _on_held(document: Document, active: Character, grab: Grab, view: View, pixel: Array) -> Spot | None:
    """The place under the pointer of what the dragged hand is around, as long as the pointer is on that hand: what is
    seen behind it, such as a chin behind a telephone, is not where it is dragged to. None further away."""
    now = next((e for e in active.effectors if e.id == grab.lead.id), None)
    if not (isinstance(now, Contact) and now.around and isinstance(now.source, PropSource)):
        return None
    at = now.target.astype(np.float64)
    if float(np.linalg.norm(view.project(at) - pixel)) * view.metres_per_pixel(at) > ON_HAND:
        return None
    origin, direction = view.ray(pixel)
    source, place, normal = nearest_on(document.prop(now.source.prop), origin + (at - origin) @ direction * direction)
    return Spot(place, normal, source)


def landing(
    document: Document, active: Character, lead: Effector, spot: Spot, patch: str = "", first: tuple[Edit, ...] = ()
) -> Landing | None:
    """What a drag of `lead` onto a spot makes; None if its joint has no patch.

    patch: the one already touching in this drag; "" to find the one that faces the surface. first: edits that create
    the effector.
    """
    if isinstance(lead, AimEffector):
        return _looking(document, active, lead, spot, first)
    first = (edits.unclasp(active.id, lead.joint, spot.source), *first)  # before it lets go itself
    around = _around(document, active, lead, spot)
    if around is not None:
        text = f"Hold {surface_text(around, active.id, document.names)}"
        grasp = edits.take_in_hand(active.id, around, instead_of=lead.id)
        return Landing(around.patch, text, edits.chain(*first, grasp))
    known = {} if _sits_elsewhere(active, lead, patch, spot) else patches_of(active)
    chosen: Patch | None = known.get(patch) or laid_patch(active, lead.joint, spot.source, spot.normal)
    if chosen is not None and (_is_sat_on(active, lead, spot) or _steps_onto(active, lead, spot)):
        chosen = patches_on(active, lead.joint)[0]
    if chosen is None:
        return None
    contact = replace(contact_of(chosen, spot.place, spot.normal, like=lead), source=spot.source)
    steps = [*first, edits.hold(active.id, contact, instead_of=lead.id)]
    if _is_flat(document, spot.source):
        steps.append(edits.open_hand(active.id, chosen.name))
    elif isinstance(spot.source, SkinSource):
        steps.append(edits.lay_hand(active.id, chosen.name))
    text = f"Hold {chosen.row.words} {surface_text(contact, active.id, document.names)}"
    return Landing(contact.patch, text, edits.chain(*steps), hold_over_own_skin(active, contact))


def _sits_elsewhere(active: Character, lead: Effector, patch: str, spot: Spot) -> bool:
    """Whether a pelvis lies on a surface by a patch that was chosen for another side of it: whoever leans on the front
    of a box sits down as the pointer comes to its top."""
    lies = _lies_elsewhere(active, lead, spot)
    return lies is not None and lies.patch == patch and lies.joint == skeleton_of(active).names[0]


def _steps_onto(active: Character, lead: Effector, spot: Spot) -> bool:
    """Whether a foot that lay on the side of something comes to what is level: it stands on its sole there, by whatever
    it touched the side."""
    lies, rig = _lies_elsewhere(active, lead, spot), rig_of(skeleton_of(active))
    feet = [leg.end for leg in LEGS]
    return lies is not None and float(spot.normal[1]) > LEVEL and rig.role_of(lies.joint) in feet


def _lies_elsewhere(active: Character, lead: Effector, spot: Spot) -> Contact | None:
    """The contact that lies on another side of something than the spot, of somebody who is dragged; None otherwise."""
    lies = next((e for e in active.effectors if e.id == lead.id and isinstance(e, Contact)), None)
    return lies if lies is not None and bool(lies.facing @ spot.normal < LEVEL) else None


def _is_sat_on(active: Character, lead: Effector, spot: Spot) -> bool:
    """Whether a pelvis is dragged onto somebody else so high up that its owner does not lean on them but sits, as on
    shoulders, however steep the skin is there."""
    if not isinstance(spot.source, SkinSource) or _is_on(spot, active) or lead.joint != skeleton_of(active).names[0]:
        return False
    return float(spot.place[1]) > SAT_ON * rig_of(skeleton_of(active)).leg_length


def _looking(document: Document, active: Character, lead: AimEffector, spot: Spot, first: tuple[Edit, ...]) -> Landing:
    """A look at the spot, going along with what the spot is on."""
    look = replace(lead.touched(), target=np.asarray(spot.place, np.float32), source=spot.source)
    onto = edits.on_effector(active.id, lead.id, lambda now: replace(look, pinned=now.pinned, enabled=now.enabled))
    text = f"Look {surface_text(look, active.id, document.names)}"
    return Landing("", text, edits.chain(*first, onto))


def why_not(active: Character, grab: Grab, view: View, pixel: Array) -> str:
    """Why `landed` finds nothing under a pixel, for the user who drags there."""
    origin, direction = view.ray(pixel)
    depth = floor_along(origin, direction)
    looks = isinstance(grab.lead, AimEffector)
    if not looks and not patches_on(active, grab.lead.joint):
        return f"No skin of the {joint_title(grab.lead.joint).lower()} can be held on anything"
    what = "look at" if looks else "touch"
    away = np.inf
    if np.isfinite(depth):
        away = float(np.linalg.norm((origin + depth * direction - active.pose.root_position)[[0, 2]]))
    if away > FAR_OFF:
        return NOTHING.format(what, "the floor, a prop or a body")
    return f"The floor there is {away:.1f} m away, too far to {what}: point nearer, or look from higher up"


def spot_under(
    document: Document, active: Character, joint: str, view: View, scene: Scene, pixel: Array, reach: float = FARTHEST
) -> Spot | None:
    """The nearest surface under a pixel that a joint of the active person can be held on: skin other than that of the
    joint's own limb, a prop, or the floor; None over nothing.

    reach: metres from the pelvis over the floor, up to which the floor counts.
    """
    origin, direction = view.ray(pixel)
    nearest, on_body = floor_along(origin, direction), None
    for figure in scene.figures:
        character = _owner(document, figure)
        if character is None:
            continue
        own = own_limb(active, joint) if character.id == active.id else frozenset()
        touched = hit_skin(origin, direction, figure, own)
        if touched is not None and touched.depth < nearest:
            nearest, on_body = touched.depth, (character, touched.place, own)
    spot = on_prop(document, origin, direction, scene.props, nearest)
    spot = spot or _beside_pointer(document, active, joint, view, scene, pixel, nearest)
    if spot is not None:
        return spot
    if on_body is not None:
        source, at, normal = on_skin(*on_body)
        return Spot(at, normal, source)
    if np.isfinite(nearest):
        on_floor = (origin + nearest * direction) * (1.0 - UP)
        if np.linalg.norm((on_floor - active.pose.root_position)[[0, 2]]) <= reach:
            return Spot(on_floor, UP, FloorSource())
    elif abs(direction[1]) > ALONG_FLOOR:
        return None
    return _floor_at_its_depth(active, joint, origin, direction)


def _beside_limb(document: Document, active: Character, joint: str, spot: Spot, view: View, pixel: Array) -> Spot:
    """The spot, or one on the broad side of the wall that it is the far narrow end of; see `broad_side`."""
    if not isinstance(spot.source, PropSource):
        return spot
    from app.viewport.tools.narrow_faces import broad_side  # only once there is a prop

    limb = joints_of(active).positions[skeleton_of(active).index(joint)]
    found = broad_side(document.prop(spot.source.prop), spot.place, spot.normal, limb, view, pixel)
    return spot if found is None else Spot(found[1], found[2], found[0])


def _is_behind(spot: Spot, other: Spot, view: View, pixel: Array) -> bool:
    """Whether a spot under a pixel is further away than another one near there."""
    return bool((spot.place - other.place) @ view.ray(pixel)[1] > 0.0)


def _is_on(spot: Spot, person: Character) -> bool:
    return isinstance(spot.source, SkinSource) and spot.source.character == person.id


def _around(document: Document, active: Character, lead: Effector, spot: Spot) -> Contact | None:
    """The hand of `lead` around what the spot is on; None if a hand cannot close around that."""
    if not isinstance(spot.source, PropSource):
        return None
    return hand_around(active, document.prop(spot.source.prop), lead.joint, spot.source, like=lead)


def floor_along(origin: Array, direction: Array) -> float:
    """Metres along a ray to the floor seen from above; inf if it does not get there."""
    return float(-origin[1] / direction[1]) if origin[1] > 0.0 and direction[1] < -1e-6 else np.inf


def _floor_at_its_depth(active: Character, joint: str, origin: Array, direction: Array) -> Spot | None:
    """The floor below the pointer, as far away as the joint, if the floor is seen so flat that a pixel is metres of it;
    None if the pointer is above that floor."""
    at = _at_its_depth(active, joint, origin, direction)
    near = at[1] < NEAR_FLOOR if abs(direction[1]) <= ALONG_FLOOR else abs(at[1]) < NEAR_FLOOR
    return Spot(at * (1.0 - UP), UP, FloorSource()) if near else None


def _top_at_its_depth(
    document: Document, active: Character, joint: str, view: View, scene: Scene, pixel: Array
) -> Spot | None:
    """The top of a prop near the pointer, as far away as the joint, where tops are seen as lines: who is dragged onto a
    seat in a view from the side sits on it, and is not held beside its edge. None if there is none."""
    origin, direction = view.ray(pixel)
    if abs(direction[1]) > ALONG_FLOOR:
        return None
    above = _at_its_depth(active, joint, origin, direction) + NEAR_FLOOR * UP
    spot = on_prop(document, above, -UP, scene.props, 2.0 * NEAR_FLOOR)
    return spot if spot is not None and spot.normal[1] >= LEVEL else None


def _stands_for(top: Spot, seen: Spot | None) -> bool:
    """Whether the top of a prop is meant rather than what the pointer meets: nothing, the floor, or the prop's side."""
    if seen is None or isinstance(seen.source, FloorSource):
        return True
    one, other = seen.source, top.source
    return isinstance(one, PropSource) and isinstance(other, PropSource) and one.prop == other.prop


def _at_its_depth(active: Character, joint: str, origin: Array, direction: Array) -> Array:
    """(3,) metres on a line of sight, as far away over the floor as a joint."""
    here = joints_of(active).positions[skeleton_of(active).index(joint)]
    level = direction * (1.0 - UP)
    return np.asarray(origin + float((here - origin) @ level) / max(float(level @ level), 1e-9) * direction)


def _beside_pointer(
    document: Document, active: Character, joint: str, view: View, scene: Scene, pixel: Array, nearer: float
) -> Spot | None:
    """A place on a thing that a hand can close around, a few pixels beside the pointer and within `nearer` metres: a
    stick is seen so thin that one misses it. None if there is none, or if the joint is no hand's."""
    thin = {("prop", prop.id) for prop in document.props if grasp_of(prop) is not None or is_flat(prop)}
    drawn = [prop for prop in scene.props if prop.id in thin]
    for aside in ASIDE if drawn else ():
        spot = on_prop(document, *view.ray(pixel + aside), drawn, nearer)
        if spot is not None and isinstance(spot.source, PropSource):
            prop = document.prop(spot.source.prop)
            return spot if hand_around(active, prop, joint, spot.source) is not None else None
    return None


def on_prop(
    document: Document, origin: Array, direction: Array, props: Sequence[DrawnProp], nearer: float
) -> Spot | None:
    """The first place on one of the props along a ray within `nearer` metres; None if there is none."""
    if not props:
        return None
    from rendering.picking.prop_picking import spot_on_prop  # only once there is one

    eye, way = np.asarray(origin, np.float64), np.asarray(direction, np.float64)
    found = [(met, drawn) for drawn in props if (met := spot_on_prop(eye, way, drawn)) is not None]
    met, drawn = min(found, key=lambda pair: pair[0].depth, default=(None, None))
    if met is None or drawn is None or met.depth >= nearer:
        return None
    prop = next(prop for prop in document.props if drawn.id == ("prop", prop.id))
    source, at, outward = spot_of(prop, met.own, met.normal)
    return Spot(at, outward, source)


def _is_flat(document: Document, source: Surface) -> bool:
    """Whether a palm on it is spread rather than around it."""
    if isinstance(source, PropSource):
        prop = document.prop(source.prop)
        return prop.mesh is None and not KINDS[prop.kind].is_round
    return not isinstance(source, SkinSource)


def _owner(document: Document, figure: Figure) -> Character | None:
    if figure.ghost:
        return None
    return next((character for character in document.characters if character.id == figure.id), None)
