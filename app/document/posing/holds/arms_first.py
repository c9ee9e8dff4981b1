"""Whether arms alone bring hands to what they take, so that trunk and legs stay as they are posed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from app.document.model.document import Document
from app.document.posing.solving import skeleton_of
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of, tied_groups
from app.document.posing.touched_surfaces import props_of
from solver.effectors.contact import Contact
from solver.effectors.sources import is_on_prop
from solver.ik.multi_solve.only_limb import LimbHold, only_arms

MET = 1e-3  # metres or radians


def arms_suffice(document: Document, id: str, patches: Collection[str]) -> LimbHold | None:
    """What stays while the arms that these patches of skin are on bring them alone to what their contacts lie on.

    document: with these contacts, not solved yet. patches: as in `Contact.patch`. None if a patch is on no arm or stays
    more than a millimetre off, or if others are solved together with the person.
    """
    person = document.character(id)
    taken = [e for e in person.effectors if isinstance(e, Contact) and e.patch in patches]
    hold = only_arms(skeleton_of(person), person.pose, [contact.joint for contact in taken])
    if not taken or any(contact.joint in hold.frozen for contact in taken):
        return None
    group = next(group for group in tied_groups(document.characters) if person in group)
    if len(group) > 1:
        return None
    cameras = tuple(photo.camera for photo in document.photos)
    around, props = surroundings_of(document, group), props_of(document)
    solution = answers_of(group, {}, cameras, holds={id: hold}, surroundings=around, props=props)[id].solution
    off = dict(zip((e.id for e in person.effectors), solution.residuals, strict=True))
    return hold if all(off[contact.id].value <= MET for contact in taken) else None


def arms_on_prop(document: Document, id: str) -> dict[str, LimbHold]:
    """By their ids, what stays of people as a prop is moved that they hold with nothing but their arms; the rest
    follows once these do not reach.

    People who are solved together with others, or who ask anything else of the prop, are left out.
    """
    held: dict[str, LimbHold] = {}
    for person, *others in tied_groups(document.characters):
        on_it = [e for e in person.effectors if e.is_active and is_on_prop(e.source, id)]
        if others or not on_it or not all(isinstance(e, Contact) for e in on_it):
            continue
        hold = only_arms(skeleton_of(person), person.pose, [e.joint for e in on_it])
        if not any(e.joint in hold.frozen for e in on_it):
            held[person.id] = replace(hold, gives_way=True)
    return held
