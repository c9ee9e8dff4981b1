"""The edit that puts down what somebody holds: onto what lies beneath it, with the hand that holds it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from app.document.edits.contacts import close_hand, off_face
from app.document.edits.prop_keys import carried_at_frame
from app.document.edits.world_contacts import carried_by
from app.document.model.combine import chain, on_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.posing.brought.to_read import not_reading
from app.document.posing.contact_patches import let_go_of
from app.document.posing.holds.hands_put_down import falls_to, hands_aslant, hands_from_above, hands_on
from app.document.posing.holds.set_down import set_down
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of, tied_groups
from app.document.posing.touched_surfaces import props_of
from solver.effectors.contact import Contact
from solver.effectors.sources import is_on_prop
from solver.errors import PoserError
from solver.ik.multi_solve.only_limb import LimbHold, only_arms
from solver.rig.rig import rig_of
from solver.rig.roles import SPINE, Role

MET = 0.004  # metres that a hand may be off the thing: less shows nowhere
UPRIGHT = 0.4  # how firmly trunk and pelvis keep their turns while knees bend
TILTED = np.radians(8.0)  # beyond which fingers of a hand are in what it lies on


class _Solved(NamedTuple):
    """tilt: radians that a hand is turned from flat on the thing, at most."""

    document: Document
    tilt: float


def things_to_put_down(document: Document, id: str, effectors: Collection[str] = ()) -> tuple[Prop, ...]:
    """What somebody holds in a hand, or off the floor between both palms, and that is not locked: what the effectors
    with these ids hold, if they hold any of it, else all."""
    person = document.character(id)
    carried = tuple(prop for prop, _ in carried_by(document, [id]))
    chosen = [e for e in person.effectors if e.id in effectors]
    return tuple(prop for prop in carried if any(is_on_prop(e.source, prop.id) for e in chosen)) or carried


def put_down(id: str, props: Iterable[str]) -> Edit:
    """Stand props that somebody holds, by their ids, on what lies beneath each; arm and body reach down with it.

    The hands stay on them as they are, but hold them no longer, and who has read them looks at them no longer; in a
    motion they do so at this key still, so that both come there together. PoserError where nothing level is beneath, or
    where the person does not reach there.
    """
    wanted = tuple(props)

    def edit(document: Document) -> Document:
        for prop in wanted:
            document = _put_down(document, id, document.prop(prop))
        return document

    return edit


def _put_down(document: Document, id: str, prop: Prop) -> Document:
    hands = hands_on(document.character(id), prop)
    by, falls = np.mean([hand.target for hand in hands], axis=0), falls_to(document.character(id), hands)
    placed = set_down(document, prop, by, falls)
    if placed is None:
        raise PoserError(f"Nothing level and free lies beneath {prop.name}. Hold it above a free place first.")
    put = on_prop(prop.id, lambda now: replace(now, place=placed.place, turn=placed.turn))
    document = carried_at_frame(prop, id, put)(off_face(document, prop.id))
    there = document.with_character(hands_from_above(document.character(id), placed))
    reached = _reached(there, id, prop, placed)
    if reached is None:
        name = document.character(id).name
        raise PoserError(f"{name} cannot reach down far enough to put {prop.name} there. Bring {name} nearer first.")
    person = reached.character(id)
    if len(person.clip) > 1:
        return reached
    free = {hand.id: let_go_of(person, hand) for hand in hands_on(person, prop)}
    person = replace(person, effectors=tuple(free.get(e.id, e) for e in person.effectors))
    return reached.with_character(not_reading(person, prop.id))


def _reached(there: Document, id: str, prop: Prop, placed: Prop) -> Document | None:
    """The document solved for somebody's hands on a prop that is put down: by the arms alone if these lay the hands on
    it flat, else with hands aslant, or by the whole body; None where they do not get there."""
    person = there.character(id)
    arms = only_arms(skeleton_of(person), person.pose, [hand.joint for hand in hands_on(person, prop)])
    found = [_solved_there(there, id, prop, arms)]
    if found[0] is None and (leaning := hands_aslant(person, placed)):
        there = _with_hands(there, id, leaning)
        found.append(_solved_there(there, id, prop, arms))
    upright = _upright(there.character(id), prop)
    for stays in (upright, None) if upright is not None else (None,):
        if all(each is None or each.tilt > TILTED for each in found):
            found.append(_solved_there(there, id, prop, stays))
    best = min((each for each in found if each is not None), key=lambda each: max(each.tilt, TILTED), default=None)
    return None if best is None else best.document


def _upright(person: Character, prop: Prop) -> LimbHold | None:
    """What stays as palms go down on something with the whole body: how trunk and pelvis are turned, softly, so that
    knees bend as well; None for hands that are around it, for which the trunk is firm anyway."""
    if any(hand.around for hand in hands_on(person, prop)):
        return None
    trunk = rig_of(skeleton_of(person)).names_of((Role.PELVIS, *SPINE))
    return LimbHold("body", person.pose, frozenset(), last=frozenset(trunk), bends_last=UPRIGHT)


def _with_hands(document: Document, id: str, hands: Sequence[Contact]) -> Document:
    """The document with these contacts in place of somebody's of the same ids, and the fingers closed for them."""
    person, anew = document.character(id), {hand.id: hand for hand in hands}
    document = document.with_character(replace(person, effectors=tuple(anew.get(e.id, e) for e in person.effectors)))
    return chain(*(close_hand(id, hand) for hand in hands))(document)


def _solved_there(document: Document, id: str, prop: Prop, stays: LimbHold | None) -> _Solved | None:
    """The document solved for hands on a prop; None where they do not get there. stays: what of their owner does."""
    person = document.character(id)
    hands = hands_on(person, prop)
    group = next(group for group in tied_groups(document.characters) if person in group)
    holds = {} if stays is None else {id: stays}
    cameras = tuple(photo.camera for photo in document.photos)
    around, props = surroundings_of(document, group), props_of(document)
    answers = answers_of(group, {}, cameras, holds=holds, surroundings=around, props=props)
    ids, told = {hand.id for hand in hands}, zip(answers[id].effectors, answers[id].solution.residuals, strict=True)
    if any(left.value > MET for e, left in told if e.id in ids):
        return None
    for each in group:
        document = document.with_character(with_solution(each, answers[each.id].solution, answers[each.id].effectors))
    person = document.character(id)
    return _Solved(document, max(_tilt(person, hand) for hand in hands_on(person, prop)))


def _tilt(person: Character, hand: Contact) -> float:
    """Radians that a palm is turned from flat on what it lies on; none for a hand that is around it."""
    if hand.around or not hand.lies_flat:
        return 0.0
    outward = joints_of(person).rotations[skeleton_of(person).index(hand.joint)] @ hand.normal
    return float(np.arccos(np.clip(-(outward @ hand.facing), -1.0, 1.0)))
