"""Contacts made without a pointer, and kept while people are moved: each call is one step of the session."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.posing.placing import above_floor
from app.look.wording import held_title, surface_text
from app.services.session import MOMENT_S, Session
from app.services.view_state import moving_people, moving_props
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.sources import FloorSource, PropSource, SkinSource, Tie
from solver.errors import PoserError

if TYPE_CHECKING:
    from app.document.edits.world_contacts import WorldContacts
    from app.document.model.prop import Prop
    from app.services.settings import SettingsStore
    from solver.ik.multi_solve.only_limb import LimbHold

Held = tuple[str, Effector | None]  # a joint, and the effector there that a contact may replace


def touchable(session: Session) -> list[Held]:
    """The selected joints and the joints of selected effectors that hold a place."""
    chosen = [(e.joint, e) for e in session.selected_effectors if isinstance(e, PointEffector)]
    taken = {joint for joint, _ in chosen}
    return [*chosen, *((joint, None) for joint in sorted(session.view.joints - taken))]


def hold_joints(session: Session, held: Sequence[Held], floor: bool = False) -> None:
    """Hold joints of the active person on the surface nearest to each, or on the floor, and select them."""
    from app.document.posing.holds.nearest_surface import held_here, resting_on_floor  # not needed to show the window

    session.settle(MOMENT_S)
    active = session.active
    if active is None or not held:
        return
    people = [c for c in session.document.characters if c.visible]
    props = [prop for prop in session.document.props if prop.visible]
    steps: list[Edit] = []
    made: list[Contact] = []
    for joint, was in held:
        like = active.effector(was.id) if was is not None else None  # where it is by now
        contact = resting_on_floor(active, joint, like) if floor else held_here(active, joint, people, props, like)
        if contact is None:
            session.refused.emit(f"No patch of skin is known on the {joint.replace('_', ' ')}. Choose another joint.")
            return
        made.append(contact)
        if contact.around:
            steps.append(edits.take_in_hand(active.id, contact, like.id if like is not None else ""))
            continue
        steps.append(edits.hold(active.id, contact, like.id if like is not None else ""))
        if isinstance(contact.source, FloorSource):
            steps.append(edits.open_hand(active.id, contact.patch))
        elif isinstance(contact.source, SkinSource):
            steps.append(edits.lay_hand(active.id, contact.patch))
    one = f"{held_title(made[0]).lower()} {surface_text(made[0], active.id, session.document.names)}"
    text = f"Hold {one if len(made) == 1 else f'{len(made)} patches'}"
    patches, taking = {contact.patch for contact in made}, edits.chain(*steps)
    if (
        session.edit(text, taking, solve=True, hold=_arms_first(session, taking, patches))
        and session.active is not None
    ):
        now = [e.id for e in session.active.effectors if isinstance(e, Contact) and e.patch in patches]
        session.select(active.id, now)


def _arms_first(session: Session, taking: Edit, patches: Collection[str]) -> LimbHold | None:
    """What stays, as the arms alone can do it; None if they cannot, or where that cannot be found out at once."""
    if session.view.symmetry or not session.service.awake:
        return None
    from app.document.posing.holds.arms_first import arms_suffice  # not needed to show the window

    try:
        return arms_suffice(taking(session.document), session.view.character, patches)
    except PoserError:  # the edit itself tells why it is refused
        return None


def choose_patch(session: Session, id: str, patch: str) -> None:
    """Touch the surface that a contact of the active person lies on, by its id, with another patch of its joint."""
    from app.document.posing.contact_patches import with_patch  # not needed to show the window

    session.settle(MOMENT_S)
    active = session.active
    contact = active.effector(id) if active is not None else None
    if active is not None and isinstance(contact, Contact):
        other = with_patch(active, contact, patch)
        session.edit(f"Hold {held_title(other).lower()}", edits.hold(active.id, other, contact.id), solve=True)


def let_go_of(session: Session, ids: Sequence[str]) -> None:
    """Let go of contacts of the active person."""
    active = session.active
    if active is None or not ids:
        return
    what = held_title(active.effector(ids[0])).lower() if len(ids) == 1 else f"{len(ids)} contacts"
    session.edit(f"Let go of {what}", edits.let_go(active.id, ids), solve=True)


def prop_in_hand(document: Document, effectors: Sequence[Effector]) -> Prop | None:
    """The one prop that all these hands are around, and that goes where they go: it is not locked; None for none."""
    ids = {
        e.source.prop
        if isinstance(e, Contact) and e.around and e.is_active and isinstance(e.source, PropSource)
        else ""
        for e in effectors
    }
    found = next((prop for prop in document.props if ids == {prop.id}), None)
    return None if found is None or found.locked else found


def contacts_with_world(
    document: Document, moving: Sequence[str], carry: bool = True, props: Sequence[Prop] = ()
) -> WorldContacts | None:
    """The contacts that whole people who are moved, by their ids, have with what stays, and what they take along; None
    if there is neither. carry: whether what they carry moves with them. props: what does in any case."""
    if not props and not any(isinstance(e, Contact) for c in document.characters for e in c.effectors):
        return None
    from app.document.edits.world_contacts import world_contacts  # only once somebody holds on to something

    return world_contacts(document, moving, carry, props) or None


def with_people_on(moved: Edit, besides: str = "", keys_alone: bool = False) -> Edit:
    """`moved`, an edit of where props are, with the people whom they bear; see `world_contacts.with_borne`."""

    def edit(document: Document) -> Document:
        keys = (key for actor in document.actors for key in actor.clip.keys)
        if not any(isinstance(e.source, PropSource) for key in keys for e in key.effectors):
            return moved(document)
        from app.document.edits.world_contacts import with_borne  # only once somebody is on a prop

        return with_borne(moved, besides, keys_alone)(document)

    return edit


def are_aimed_at(document: Document, moving: Sequence[str], contacts: WorldContacts | None = None) -> bool:
    """Whether somebody else looks at whole people who are moved, by their ids, or at what they carry, or follows them
    by anything but a contact, and so has to be solved with them."""
    going = {*moving, *(each.what.id for each in contacts.carried)} if contacts is not None else {*moving}

    def goes(source: object) -> bool:
        on_person = isinstance(source, Tie) and source.character in going
        return on_person or (isinstance(source, PropSource) and source.prop in going)

    return any(
        e.is_active and not isinstance(e, Contact) and goes(e.source)
        for c in document.characters
        if c.id not in going
        for e in c.effectors
    )


def pushed_along(document: Document, id: str, props: Sequence[Prop]) -> tuple[Prop, ...]:
    """The props that go along as somebody is pushed along the line of sight: these, and what they carry."""
    from app.document.edits.world_contacts import carried_by  # only once somebody is pushed

    taken = {prop.id for prop in props}
    return (*props, *(prop for prop, _ in carried_by(document, [id]) if prop.id not in taken))


def are_touched(document: Document, props: Sequence[Prop], besides: str) -> bool:
    """Whether anybody besides that person, by their id, is in contact with these props or follows them otherwise, and
    so has to be solved with them."""
    others = (e for c in document.characters if c.id != besides for e in c.effectors if e.is_active)
    ids = {prop.id for prop in props}
    return bool(ids) and any(isinstance(e.source, PropSource) and e.source.prop in ids for e in others)


def holds_on(settings: SettingsStore | None) -> bool:
    """Whether contacts of people being moved hold on at first."""
    return settings is None or settings.values.moved_contacts == "hold"


@dataclass(frozen=True, eq=False)
class MovedPeople:
    """Whole people being moved, the active one first, as they were when it began. contacts: with what stays, and what
    they take along; None for neither. hold: whether those contacts hold on. aimed_at: whether others look at them, or
    follow them otherwise."""

    people: tuple[Character, ...]
    contacts: WorldContacts | None
    hold: bool
    aimed_at: bool

    @property
    def solves(self) -> bool:
        """Whether bodies follow contacts that hold on, or others follow these people; else all move as one."""
        return self.aimed_at or self.holds_on

    @property
    def holds_on(self) -> bool:
        """Whether there are contacts with what stays, and they hold on."""
        return self.hold and self.contacts is not None and len(self.contacts) > 0

    def by(self, shift: NDArray[np.floating], angle: float = 0.0) -> Edit:
        """Turned by radians about the vertical through their middle and moved by (3,) metres, as a drag of the root
        handle does."""
        if not self.holds_on:
            shift = above_floor(self.people, shift)
        if self.contacts is None:
            return edits.place_together(self.people, shift, angle)
        from app.document.edits.world_contacts import moved_on  # only once somebody holds on to something

        return moved_on(self.people, self.contacts, shift, self.hold, angle)


def people_to_move(session: Session, settings: SettingsStore | None) -> MovedPeople:
    """The selected people from how they are now, once a solve under way is done; selected props go along."""
    session.settle(MOMENT_S)
    document, people = session.document, moving_people(session.view, session.document)
    ids, hold = [person.id for person in people], holds_on(settings)
    contacts = contacts_with_world(document, ids, props=moving_props(document, session.view))
    return MovedPeople(people, contacts, hold, are_aimed_at(document, ids, contacts))


def move_people(
    session: Session, text: str, people: Sequence[Character], shift: NDArray[np.floating], *,
    props: Sequence[Prop] = (), hold: bool = True, key: object = None,
) -> bool:  # fmt: skip
    """Move whole people by (3,) metres from where they are; what they carry goes along, and so do `props`.

    hold: whether their contacts with what stays hold on, or let go. key: of the undo step that this may go on.
    """
    document, ids = session.document, [person.id for person in people]
    contacts = contacts_with_world(document, ids, props=props)
    held = contacts is not None and len(contacts) > 0 and hold
    if not held:
        shift = above_floor(people, shift)
    follow = held or are_aimed_at(document, ids, contacts)
    if contacts is None:
        return session.edit(text, edits.move_characters(ids, shift), key, solve=follow)
    from app.document.edits.world_contacts import moved_on  # only once somebody holds on to something

    return session.edit(text, moved_on(people, contacts, shift, hold), key, solve=follow)


def place_people(session: Session, text: str, people: Sequence[Character], placed: Edit) -> bool:
    """Do an edit that moves whole people from where they are; their contacts with what stays hold on, and
    what they carry goes along."""
    moving = [person.id for person in people]
    contacts = contacts_with_world(session.document, moving)
    if contacts is None:
        return session.edit(text, placed, solve=are_aimed_at(session.document, moving))
    from app.document.edits.world_contacts import holding_on  # only once somebody holds on to something

    follow = len(contacts) > 0 or are_aimed_at(session.document, moving, contacts)
    return session.edit(text, holding_on(people, contacts, placed), solve=follow)
