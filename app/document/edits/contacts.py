"""Edits of contacts: hold a patch of skin on a surface, or let it go. Each function returns an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from math import inf

from app.document.edits.effectors import begun_as_posed, in_hand, is_at_face, make_loose, on_effector, on_every_effector
from app.document.edits.prop_keys import carried_at_frame
from app.document.model.combine import chain, on_character, on_prop
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.posing.fitting_effectors import with_ids
from app.document.posing.hold_table import PALMS, CommonHold
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector, PointEffector, TurnEffector
from solver.effectors.sources import JointSource, PropSource, Source, Tie, is_on_prop
from solver.errors import PoserError

CLASP, AT_EASE = "grip_thick", "relaxed"
PRESSED = ("", 0.0)  # flat on what a palm lies on
ON_FLESH = ("cupped", 0.25)  # fingers follow what is slightly round and do not sink into it


def hold(character_id: str, contact: Contact, instead_of: str = "") -> Edit:
    """Hold a patch on a surface, in place of the effector with the id `instead_of`, if given.

    Without it, the contact replaces those that hold its joint otherwise. An effector that turns that joint strictly
    becomes loose, for the surface says how it is turned; so does one that holds the hand or the toes beyond it, or that
    a photo left at its elbow or knee, or the foot of its leg where that cannot stay, unless it is pinned.
    """

    def change(character: Character) -> Character:
        from app.document.posing.holds.given_up_feet import given_up_for  # not needed to show the window

        (beyond, bend), lifted = _of_limb(character, contact), given_up_for(character, contact)
        if instead_of:
            gone = [e.id for e in character.effectors if e.id == instead_of]
        else:
            gone = [e.id for e in character.effectors if _holds(e, contact)]
        held = contact if contact.id or not gone else replace(contact, id=gone[0])
        effectors: list[Effector] = []
        for effector in character.effectors:
            if gone and effector.id == gone[0]:
                effectors.append(held)
            elif effector.id in lifted:
                effectors.append(replace(effector, loose=True))
            elif effector.id not in gone:
                effectors.append(_loosened(effector, contact, beyond, bend))
        changed = replace(character, effectors=in_hand(with_ids((*effectors, *(() if gone else (held,))))))
        return begun_as_posed(character, changed)

    return on_character(character_id, change)


def let_go(character_id: str, ids: Iterable[str]) -> Edit:
    """Release contacts: each becomes a position effector that holds its joint where it is, and a hand that was closed
    around something opens, or it would hook itself there.

    PoserError for an effector of another kind.
    """
    chosen = tuple(ids)
    return on_character(character_id, lambda character: released(character, chosen))


def released(character: Character, ids: Iterable[str]) -> Character:
    """The character without those contacts, as `let_go` leaves it."""
    from app.document.posing.contact_patches import let_go_of  # not needed to show the window

    new: dict[str, Effector] = {}
    for id in ids:
        effector = character.effector(id)
        if not isinstance(effector, Contact):
            raise PoserError(f"A {effector.spec.title.lower()} effector holds on to nothing.")
        new[id] = let_go_of(character, effector)
        if effector.around:
            character = _with_hand(character, effector.patch, AT_EASE)
    return replace(character, effectors=in_hand(new.get(e.id, e) for e in character.effectors))


def open_hand(character_id: str, patch: str) -> Edit:
    """Straighten the fingers of a hand whose palm comes to lie on something flat; nothing changes for other patches or
    for bodies without fingers."""

    return on_character(character_id, lambda c: _with_hand(c, patch) if patch in PALMS else c)


def lay_hand(character_id: str, patch: str) -> Edit:
    """Bend the fingers of a hand whose palm comes to lie on somebody, as flesh is round; else as `open_hand`."""
    return on_character(character_id, lambda c: _with_hand(c, patch, *ON_FLESH) if patch in PALMS else c)


def clasp(character_id: str, patch: str) -> Edit:
    """Bend the fingers of a hand around another hand, which comes palm to palm with it."""
    return on_character(character_id, lambda c: _with_hand(c, patch, CLASP))


def close_hand(character_id: str, contact: Contact) -> Edit:
    """Close the fingers of a hand around the prop that a contact holds in it. Nothing changes for other contacts, or
    where a pin turns the hand so that a stick would not go through it."""

    def edit(document: Document) -> Document:
        if not contact.around or not isinstance(contact.source, PropSource):
            return document
        from app.document.model.prop_spots import grasp_of  # not needed to show the window, nor is the other
        from app.document.posing.holds.shaped_hands import with_hand_closed

        grasp = grasp_of(document.prop(contact.source.prop))
        straight = grasp is not None and grasp.axis is not None
        if straight and not contact.lies_flat:
            return document
        return on_character(character_id, lambda character: with_hand_closed(character, contact, straight))(document)

    return edit


def lean_in_hand(start: Character, id: str) -> Edit:
    """Have what somebody's hand is around lean in it as where it is taken now. start: the person as the drag began. id:
    the hand's contact."""

    def edit(document: Document) -> Document:
        from app.document.model.figure import skeleton_of  # only once something is taken off a face
        from app.document.posing.holds.tilted_grips import leant
        from solver.rig.rig import rig_of

        hand = start.effector(id)
        if not (isinstance(hand, Contact) and isinstance(hand.source, PropSource) and hand.lies_flat):
            return document
        leaning = leant(start, rig_of(skeleton_of(start)), hand, document.prop(hand.source.prop))
        document = on_effector(start.id, id, lambda _: leaning)(document)
        return close_hand(start.id, leaning)(document)

    return edit


def regrasped(document: Document, was: Prop) -> Document:
    """The document with hands around a prop held off its axis by its present radius; see `grasping.regrasped`."""
    from app.document.posing.holds.grasping import regrasped as around  # not needed to show the window

    prop = document.prop(was.id)
    return on_every_effector(document, lambda owner, effector: around(document.character(owner), was, prop, effector))


def take_hold(character_id: str, common: CommonHold) -> Edit:
    """Make the contacts of a common hold, with the nearest other person if it takes two. Whoever held hands with a hand
    that goes elsewhere lets go of it. Whose arm is too short for the other one steps up to them, clear of all.

    PoserError where there is nobody else, or a body lacks the skin for it.
    """

    def edit(document: Document) -> Document:
        # only once one is taken
        from app.document.posing.holds.common_holds import contacts_of, nearest_other, with_arms_at_start

        character = document.character(character_id)
        if common.brings and (brought := _brought_to_face(document, character_id, common)) is not None:
            return brought
        if common.needs_thing:
            raise PoserError(f"“{common.title}” needs something in a hand. Drag a hand onto a prop with S first.")
        other = nearest_other(character, document.characters)
        if common.needs_two and other is None:
            raise PoserError(f"“{common.title}” needs two people. Add another one first.")
        for (patch, _), held in zip_longest(common.pairs, common.hands, fillvalue=PRESSED):
            if held != PRESSED or patch in PALMS:
                character = _with_hand(character, patch, *held)
        character = with_arms_at_start(common, character)
        document = document.with_character(character)
        contacts = contacts_of(common, character, other)
        if not contacts:
            raise PoserError(f"“{common.title}” is not possible with this body: it lacks the skin for it.")
        if common.needs_two and other is not None:  # which palm is nearest is known only now
            document = _stepped_up(document, character_id, contacts)
            bent = clasp if common.mutual else open_hand
            document = chain(*(bent(id, contact.patch) for id, contact in contacts))(document)
            contacts = contacts_of(common, document.character(character_id), document.character(other.id))
        taken = [chain(_taken_over(id, contact), hold(id, contact)) for id, contact in contacts]
        return chain(*_unclasped(document, contacts), *taken)(document)

    return edit


def _brought_to_face(document: Document, id: str, common: CommonHold) -> Document | None:
    """The document with what a hand is around at mouth or ear, or before the eyes; None where hands are empty."""
    from app.document.posing.brought.at_face import brought_to_face  # only once such a hold is taken

    if (found := brought_to_face(document, id, common)) is None:
        return None
    person, prop, contact = found
    put = on_prop(prop.id, lambda now: replace(now, place=prop.place, turn=prop.turn))
    carried = carried_at_frame(document.prop(prop.id), id, put)
    leant = {e.id for e in document.character(id).effectors if isinstance(e, Contact) and e.tilt}
    hands = (e for e in person.effectors if isinstance(e, Contact) and is_on_prop(e.source, prop.id) and e.id in leant)
    closed = (close_hand(id, hand) for hand in hands)
    kept = () if contact is None else (hold(id, contact),)
    return chain(carried, *kept, *closed)(off_face(document.with_character(person), prop.id))


def off_face(document: Document, id: str, everywhere: bool = False) -> Document:
    """The document with a prop that somebody has in their hand at mouth or ear taken off there, by its id: at the frame
    shown, or everywhere, as one without keys goes away at all frames."""
    if everywhere:
        return on_every_effector(document, lambda _, e: None if is_at_face(e, id) else e)

    def change(character: Character) -> Character:
        left = tuple(e for e in character.effectors if not is_at_face(e, id))
        return character if len(left) == len(character.effectors) else replace(character, effectors=left)

    return chain(*(on_character(c.id, change) for c in document.characters))(document)


def bring_nearer(character_id: str, contact_id: str, at_feet: Iterable[str]) -> Edit:
    """Bring somebody to a contact that their feet keep them from: they come to stand before a prop where there is room,
    or where there is only room for their legs, as between a chair and its table; who sits in the base pose has the feet
    as far ahead of the seat as there. Where legs do not reach from there to the seat, and before somebody's shoulders,
    the effectors at their feet, by id, become loose."""
    loosened = make_loose(character_id, at_feet)

    def edit(document: Document) -> Document:
        from app.document.edits.clear_place import first_clear_way  # only once it is asked for
        from app.document.posing.holds.feet_too_far import ways_before
        from app.document.posing.placing import moved
        from app.document.posing.rest.as_posed import ways_as_posed

        character = document.character(character_id)
        contact = next(e for e in character.effectors if e.id == contact_id)
        prop = document.prop(contact.source.prop) if isinstance(contact.source, PropSource) else None
        if prop is None:
            return loosened(document)
        seat, before = float(contact.target[1]), tuple(ways_before(character, contact.target, prop))
        for side in before:
            ways, shins = ways_as_posed(side.turned, contact.target)
            if (way := first_clear_way(document, side.turned, ways, shins)) is not None:
                return document.with_character(moved(side.turned, way))
        for below in (inf, seat):
            for side in before:
                if (way := first_clear_way(document, side.turned, side.near, below)) is not None:
                    return document.with_character(moved(side.turned, way))
        for side in sorted(before, key=lambda each: each.edge):  # where knees get over it, if anywhere
            if (way := first_clear_way(document, side.turned, side.farther)) is not None:
                return loosened(document.with_character(moved(side.turned, way)))
        return loosened(document)

    return edit


def _stepped_up(document: Document, id: str, contacts: list[tuple[str, Contact]]) -> Document:
    """The document with somebody nearer to what their hand takes, if it is out of reach."""
    from app.document.edits.clear_place import placed_clear  # only once a hold takes two
    from app.document.posing.holds.within_reach import way_to_reach
    from app.document.posing.placing import place_of

    way, character = way_to_reach(document, id, contacts), document.character(id)
    if not way.any():
        return document
    x, z = place_of(character)
    return document.with_character(placed_clear(document, character, (x + float(way[0]), z + float(way[2]))))


def unclasp(character_id: str, joint: str, onto: Source | None) -> Edit:
    """Have others let go of a hand that they hold and that holds them, as it goes onto something else.

    onto: what it goes onto; who is held there by that very hand goes on holding it.
    """

    def edit(document: Document) -> Document:
        stays = (onto.character, onto.joint) if isinstance(onto, JointSource) else None
        return chain(*(_out_of_hand(*each) for each in _clasps(document, character_id, joint)
                       if (each[0], each[1].joint) != stays))(document)  # fmt: skip

    return edit


def _unclasped(document: Document, contacts: Iterable[tuple[str, Contact]]) -> Iterator[Edit]:
    """Edits that free hands of others which hold these hands and are held by them, unless they are held anew."""
    again = {(id, contact.joint) for id, contact in contacts}
    for id, joint in again:
        for other, partner in _clasps(document, id, joint):
            if (other, partner.joint) not in again:
                yield _out_of_hand(other, partner)


def _out_of_hand(id: str, contact: Contact) -> Edit:
    """Let go, and hold the hand at ease."""
    return chain(let_go(id, [contact.id]), on_character(id, partial(_with_hand, patch=contact.patch, preset=AT_EASE)))


def _clasps(document: Document, id: str, joint: str) -> Iterator[tuple[str, Contact]]:
    """Contacts of others on this joint of a person, on whom this joint is held as well."""
    held = [e.source for e in document.character(id).effectors if isinstance(e, Contact) and e.joint == joint]
    on = {(source.character, source.joint) for source in held if isinstance(source, JointSource)}
    for other in document.characters:
        for e in other.effectors:
            back = isinstance(e.source, JointSource) and (e.source.character, e.source.joint) == (id, joint)
            if back and isinstance(e, Contact) and (other.id, e.joint) in on:
                yield other.id, e


def _taken_over(character_id: str, contact: Contact) -> Edit:
    """Let what holds another patch of the joint hold this one: a fist at the chin is not a palm on the hip as well."""

    def change(effector: Effector) -> Effector:
        if isinstance(effector, Contact) and effector.joint == contact.joint:
            return replace(effector, patch=contact.patch)
        return effector

    return on_character(character_id, lambda c: replace(c, effectors=tuple(map(change, c.effectors))))


def without_surface(document: Document, id: str) -> Document:
    """The document with contacts and looks on the skin of a character that is gone left in the air, where they are."""

    def lies(effector: Effector) -> bool:
        source = effector.source
        kind = isinstance(effector, Contact | AimEffector)
        return kind and isinstance(source, Tie) and source.character == id

    return _freed(document, lies)


def without_prop(document: Document, id: str) -> Document:
    """The document with targets on a prop that is gone left in the air, where they are; mouth and ears leave it."""
    return _freed(off_face(document, id, everywhere=True), lambda effector: is_on_prop(effector.source, id))


def without_gone(document: Document) -> Document:
    """The document with targets on people and props that are not there left in the air, where they are."""
    people, props = {each.id for each in document.actors}, {prop.id for prop in document.props}

    def is_gone(source: Source | None) -> bool:
        if isinstance(source, Tie):
            return source.character not in people
        return isinstance(source, PropSource) and source.prop not in props

    return _freed(document, lambda effector: is_gone(effector.source))


def _freed(document: Document, lies: Callable[[Effector], bool]) -> Document:
    return on_every_effector(document, lambda _, e: replace(e, source=None) if lies(e) else e)


def _with_hand(character: Character, patch: str, preset: str = "", share: float = 1.0) -> Character:
    from app.document.posing.holds.shaped_hands import with_hand_held  # not needed to show the window

    return with_hand_held(character, patch, preset, share)


def _holds(effector: Effector, contact: Contact) -> bool:
    """Whether an effector holds the contact's joint or the same patch."""
    if isinstance(effector, Contact):
        return effector.patch == contact.patch
    return isinstance(effector, PointEffector) and effector.joint == contact.joint and effector.holds_joint


def _of_limb(character: Character, contact: Contact) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The contact's joint with the hand or the toes that it carries, and the elbow or knee before it."""
    from app.document.model.figure import skeleton_of  # not needed to show the window, nor are the others
    from solver.rig.rig import rig_of
    from solver.rig.roles import LIMBS

    rig = rig_of(skeleton_of(character))
    role = rig.role_of(contact.joint)
    limbs = [limb for limb in LIMBS if limb.end == role]
    beyond = (contact.joint, *rig.names_of(limb.tip for limb in limbs))
    return beyond, rig.names_of(limb.hinge for limb in limbs)


def _loosened(effector: Effector, contact: Contact, beyond: tuple[str, ...], bend: tuple[str, ...]) -> Effector:
    if effector.estimated and effector.joint in bend and effector.is_active and not effector.pinned:
        return replace(effector, loose=True)
    if isinstance(effector, PointEffector) and not isinstance(effector, Contact):
        given_up = effector.joint in beyond and effector.holds_joint and effector.is_active and not effector.pinned
        return replace(effector, loose=True) if given_up else effector
    strict = effector.tolerance == 0.0 and not effector.pinned and effector.is_active
    if isinstance(effector, TurnEffector) and effector.joint == contact.joint and contact.lies_flat and strict:
        return replace(effector, loose=True)
    return effector
