"""Edits of props. Each function returns an edit: a pure function from document to document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.edits.contacts import close_hand, hold, off_face, regrasped
from app.document.edits.effectors import bring_home
from app.document.edits.prop_keys import carried_at_frame
from app.document.model.combine import chain, on_character, on_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.model.identity import checked_color, free_ids, free_prop_name, typed_name
from app.document.model.prop import KINDS, Prop
from app.document.posing.sources import character_with_resolved_targets
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.errors import PoserError
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import nearest_rotation, rotation_between

if TYPE_CHECKING:
    from app.document.edits.room import Seen

PERSON_M = 0.35  # metres around a pelvis that a standing body takes up
JOINT_M = 0.12  # metres around every other joint, such as the foot of somebody who sits
FLAT_M = 0.05  # metres of height below which people stand on it
ON_FLOOR_M = 1e-3  # metres up to which a place counts as on the floor
TOUCH_M = 1e-4  # metres by which boxes may overlap
FARTHER_M = 1.5  # than the nearest free place, metres, a prop may come to be seen better
APART_M = 0.01  # metres from which two hands around a prop say how it lies

Array = NDArray[np.float64]


def new_prop(document: Document, kind: str, place: ArrayLike = (0.0, 0.0, 0.0), seen: Seen | None = None) -> Prop:
    """A prop of a kind in its usual size, standing on the floor at the free place nearest to (3,) metres; with `seen`,
    at one near that where it is seen as well as can be."""
    title, size = KINDS[kind].title, KINDS[kind].size
    prop = Prop(next_prop_id(document), free_prop_name(document, title), kind, np.array(size))
    return placed_free(document, prop, place, seen)


def put_down(document: Document, prop: Prop, wish: ArrayLike) -> Prop:
    """The prop standing at (3,) metres if that is above the floor, on something; else on the floor as `placed_free`."""
    place = np.asarray(wish, np.float32)
    return replace(prop, place=place) if place[1] > ON_FLOOR_M else placed_free(document, prop, place)


def placed_free(document: Document, prop: Prop, wish: ArrayLike, seen: Seen | None = None) -> Prop:
    """The prop on the floor at the place nearest to (3,) metres where it is neither in a person nor in another prop.

    seen: see `room.Seen`; of places not much farther than the nearest one, the prop comes where it is seen best.
    """
    x, _, z = np.asarray(wish, np.float64)
    wished = replace(prop, place=np.array([x, 0.0, z]))
    if prop.size[1] <= FLAT_M:
        return wished
    from app.document.edits.room import ways_over_floor  # not needed to show the window

    ways = ways_over_floor()
    ways = ways[~_in_the_way(document, wished, ways)]
    if seen is not None and len(ways):
        near = ways[np.linalg.norm(ways, axis=1) <= np.linalg.norm(ways[0]) + FARTHER_M]
        ways = near[np.argsort(-seen(wished.corners.astype(np.float64), near), kind="stable")]
    return wished.moved(ways[0]) if len(ways) and ways[0].any() else wished


def next_prop_id(document: Document) -> str:
    """An id that no prop of the document has."""
    return next(free_ids("p", (prop.id for prop in document.props)))


def add_prop(prop: Prop) -> Edit:
    """Add a prop; refuses an id that is taken."""

    def edit(document: Document) -> Document:
        if any(p.id == prop.id for p in document.props):
            raise PoserError(f"There is already a prop with the id “{prop.id}”.")
        return replace(document, props=(*document.props, prop))

    return edit


def remove_prop(id: str) -> Edit:
    """Take a prop out; whatever was in contact with it stays in place."""

    def edit(document: Document) -> Document:
        from app.document.edits.contacts import without_prop

        document.prop(id)
        left = replace(document, props=tuple(prop for prop in document.props if prop.id != id))
        return without_prop(left, id)

    return edit


def put_prop(prop: Prop) -> Edit:
    """Put a prop where a drag has brought it, as large as the drag has made it; there and back leaves no trace, only
    that it is taken off a mouth or an ear that it was held to."""
    return _off_face(prop.id, _put(prop))


def carry_to(wanted: Prop) -> Edit:
    """Take a prop that a hand holds to where it is wanted, or as far as what is in its way lets it."""

    def edit(document: Document) -> Document:
        from app.document.posing.holds.held_off import held_off  # only once a hand carries something

        return put_prop(held_off(document, wanted))(document)

    return edit


def take_in_hand(character_id: str, contact: Contact, instead_of: str = "") -> Edit:
    """Have a hand close around the prop that a contact holds in it, in place of the effector with the id `instead_of`,
    if given; a flat one that lies on something comes up by as much as the hand needs room beneath."""

    def edit(document: Document) -> Document:
        from app.document.posing.holds.taken_up import taken_up  # only once a hand takes something

        found = taken_up(document, document.character(character_id), contact)
        held = contact if found is None else found.hand
        after = chain(hold(character_id, held, instead_of), close_hand(character_id, held))(document)
        if found is None:
            return after
        there = found.prop
        put = on_prop(there.id, lambda now: replace(now, place=there.place, turn=there.turn))
        return carried_at_frame(document.prop(there.id), character_id, put)(after)

    return edit


def carry_by(id: str, shift: ArrayLike) -> Edit:
    """Take a prop that a hand holds on by (3,) metres, or as far as what is in its way lets it."""
    return lambda document: carry_to(document.prop(id).moved(shift))(document)


def _off_face(id: str, edit: Edit) -> Edit:
    """An edit of where a prop is, which takes it off a mouth or an ear."""
    return lambda document: edit(off_face(document, id, everywhere=document.prop(id).clip is None))


def _put(prop: Prop) -> Edit:
    def edit(document: Document) -> Document:
        clip = document.keyed(prop).clip  # from the clip as the drag began
        put = on_prop(prop.id, lambda now: replace(now, place=prop.place, turn=prop.turn, size=prop.size, clip=clip))
        return _regrasped(prop.id, put)(document)

    return edit


def carry_prop(prop: Prop, way: RigidMotion, whole: bool) -> Edit:
    """Put a prop where it is carried from how it was. whole: throughout its clip, if it has one, or at its frame."""
    carried = prop.carried(way)
    if prop.clip is None or not whole:
        return _put(carried)
    clip = prop.clip.carried(way)
    return on_prop(prop.id, lambda now: replace(now, clip=clip, place=carried.place, turn=carried.turn))


def push_prop(start: Prop, eye: ArrayLike, times: float) -> Edit:
    """Put a prop, from what it was at the start, so many times as far from `eye` (3,) metres, and make it as much
    larger; hands stay around it."""
    there = start.pushed(eye, times)

    def put(now: Prop) -> Prop:
        return replace(now, place=there.place, turn=there.turn, size=there.size, clip=there.clip)

    return _regrasped(start.id, on_prop(start.id, put))


def bring_held_home(character_id: str, ids: Iterable[str]) -> Edit:
    """As `edits.bring_home`, but a prop that hands are around comes along to where they are, unless it is locked. With
    two hands it lies along the line between them, and they take it where they are. A prop without keys comes along at
    this frame alone, as where it is carried."""
    wanted = tuple(ids)

    def edit(document: Document) -> Document:
        held: dict[str, list[str]] = {}
        for id in wanted:
            contact = document.character(character_id).effector(id)
            source = contact.source if isinstance(contact, Contact) and contact.around else None
            if isinstance(source, PropSource) and not document.prop(source.prop).locked:
                held.setdefault(source.prop, []).append(id)
            else:
                document = bring_home(character_id, [id])(document)
        for prop, hands in held.items():
            bring = partial(_brought_home, character_id=character_id, prop_id=prop, ids=hands)
            document = carried_at_frame(document.prop(prop), character_id, bring)(document)
        return document

    return edit


def _brought_home(document: Document, character_id: str, prop_id: str, ids: Sequence[str]) -> Document:
    """A prop, and the contacts of hands around it, where the hands are."""
    prop, character = document.prop(prop_id), document.character(character_id)
    character = character_with_resolved_targets(document, character)
    skeleton, world = skeleton_of(character), joints_of(character)
    hands = [hand for hand in map(character.effector, ids) if isinstance(hand, Contact)]
    held = [hand.at_pose(skeleton, world) for hand in hands]
    now, there = (np.array([hand.target for hand in each], np.float64) for each in (hands, held))
    line = now[-1] - now[0]
    slides = len(hands) > 1 and float(np.linalg.norm(line)) > APART_M
    if slides:
        turn = rotation_between(line, there[-1] - there[0])
    else:
        turn = rotation_between(hands[0].facing, held[0].facing) if hands[0].lies_flat else np.eye(3)
    place = there.mean(axis=0) + turn @ (prop.place - now.mean(axis=0))
    turned = nearest_rotation(turn @ prop.turn).astype(np.float32)
    brought = replace(prop, place=np.asarray(place, np.float32), turn=turned)
    if slides:
        held = [_at_home(hand, brought) for hand in held]
    home = {hand.id: hand for hand in held}

    def with_hands(person: Character) -> Character:
        return replace(person, effectors=tuple(home.get(e.id, e) for e in person.effectors))

    return chain(put_prop(brought), on_character(character_id, with_hands))(document)


def _at_home(hand: Contact, prop: Prop) -> Contact:
    """The contact of a hand that holds the prop where the hand now is."""
    place = prop.frame.own(hand.target) - (0.0, 0.5, 0.0)
    return replace(hand, source=replace(hand.source, place=place.astype(np.float32)))  # type: ignore[type-var]


def move_prop(id: str, shift: ArrayLike) -> Edit:
    """Move a prop by (3,) metres."""
    return _off_face(id, on_prop(id, lambda prop: prop.moved(shift)))


def set_prop_place(id: str, place: ArrayLike) -> Edit:
    """Put the middle of a prop's base at (3,) metres."""
    return _off_face(id, on_prop(id, lambda prop: replace(prop, place=np.asarray(place, np.float64))))


def set_prop_on_floor(id: str) -> Edit:
    """Raise or lower a prop until its lowest point is on the floor."""

    def grounded(prop: Prop) -> Prop:
        lowest = float(prop.frame.points(prop.surface.vertices)[:, 1].min())
        return prop if abs(lowest) < 1e-5 else prop.moved((0.0, -lowest, 0.0))

    return _off_face(id, on_prop(id, grounded))


def set_prop_turn(id: str, turn: ArrayLike) -> Edit:
    """Turn a prop to (3, 3) R_world_prop about the middle of its base, whose place stays as the panel says it."""
    return _off_face(id, on_prop(id, lambda prop: replace(prop, turn=nearest_rotation(np.asarray(turn, np.float64)))))


def set_prop_size(id: str, size: ArrayLike) -> Edit:
    """Give a prop another size, (3,) metres; its base stays, a round one stays round, hands stay around it."""
    return _regrasped(id, on_prop(id, lambda prop: prop.sized(size)))


def place_props(first: str, others: Iterable[str], place: ArrayLike) -> Edit:
    """Put the middle of the first prop's base at (3,) metres, and move the others by as much."""

    def edit(document: Document) -> Document:
        shift = np.asarray(place, np.float64) - document.prop(first).place
        return chain(set_prop_place(first, place), *(move_prop(id, shift) for id in others))(document)

    return edit


def turn_props(first: str, others: Iterable[str], turn: ArrayLike) -> Edit:
    """Turn the first prop to (3, 3) R_world_prop and the others by as much, each about the middle of its own base."""
    exact = nearest_rotation(np.asarray(turn, np.float64))

    def edit(document: Document) -> Document:
        by = exact @ document.prop(first).turn.T
        return chain(set_prop_turn(first, exact), *(set_prop_turn(id, by @ document.prop(id).turn) for id in others))(
            document
        )

    return edit


def size_props(ids: Iterable[str], axis: int, metres: float) -> Edit:
    """Give props the same size along one of their own axes; as `set_prop_size`."""

    def sized(id: str) -> Edit:
        def edit(document: Document) -> Document:
            size = document.prop(id).size.astype(np.float64)
            size[axis] = metres
            return set_prop_size(id, size)(document)

        return edit

    return chain(*map(sized, ids))


def rename_prop(id: str, name: str) -> Edit:
    """Give a prop a name; surrounding blanks are dropped, and an empty name changes nothing."""
    wanted = typed_name(name)

    def edit(document: Document) -> Document:
        if not wanted:
            return document
        return on_prop(id, lambda p: replace(p, name=free_prop_name(document, wanted, besides=id)))(document)

    return edit


def set_prop_color(id: str, color: str) -> Edit:
    """Give a prop its colour, "#rrggbb"."""
    checked = checked_color(color)
    return on_prop(id, lambda prop: replace(prop, color=checked))


def set_prop_visible(id: str, visible: bool) -> Edit:
    """Show or hide a prop."""
    return on_prop(id, lambda prop: replace(prop, visible=bool(visible)))


def set_prop_locked(id: str, locked: bool) -> Edit:
    """Lock a prop against selection in the view, or free it."""
    return on_prop(id, lambda prop: replace(prop, locked=bool(locked)))


def _regrasped(id: str, sized: Edit) -> Edit:
    """An edit that may give a prop another size and lets hands around it stay around it."""
    return lambda document: regrasped(sized(document), document.prop(id))


def _in_the_way(document: Document, prop: Prop, ways: Array) -> NDArray[np.bool_]:
    """(W,) whether, seen from above, the box around the prop, moved each way, meets somebody's or another prop's; flat
    ones do not count."""
    taken = [_footprint(other) for other in document.props if other.id != prop.id and other.size[1] > FLAT_M]
    for character in document.characters:
        joints = joints_of(character).positions[:, [0, 2]].astype(np.float64)
        around = np.array([PERSON_M, *(JOINT_M,) * (len(joints) - 1)])[:, None]  # the pelvis comes first
        taken += zip(joints - around, joints + around, strict=True)
    from app.document.edits.room import boxes_meet

    return boxes_meet(ways[:, [0, 2]], [_footprint(prop)], taken, TOUCH_M)


def _footprint(prop: Prop) -> tuple[Array, Array]:
    corners = prop.corners[:, [0, 2]]
    return corners.min(axis=0), corners.max(axis=0)
