"""Whether arms alone bring hands to what they take, so that trunk and legs stay as they are posed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.posing.fingertips import holds_finger
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of, tied_groups
from app.document.posing.touched_surfaces import props_of
from solver.body.hands import hands_at_rest
from solver.effectors.contact import Contact
from solver.effectors.resolve import props_under
from solver.ik.multi_solve.only_limb import LimbHold, only_arms
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

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


def arms_on_props(document: Document, ids: Collection[str]) -> dict[str, LimbHold]:
    """By their ids, what stays of people as props are moved that they hold with nothing but their arms; the rest
    follows once these do not reach.

    People who are solved together with others, or who ask anything else of the props, are left out.
    """
    held: dict[str, LimbHold] = {}
    for person, *others in tied_groups(document.characters):
        on_them = [e for e in person.effectors if not props_under([e]).isdisjoint(ids)]
        if others or not on_them or not all(isinstance(e, Contact) for e in on_them):
            continue
        hold = only_arms(skeleton_of(person), person.pose, [e.joint for e in on_them])
        if not any(e.joint in hold.frozen for e in on_them):
            held[person.id] = replace(hold, gives_way=True, asked=tuple(on_them))
    return held


def arms_on_moved_props(began: Document, before: Document, after: Document) -> dict[str, LimbHold]:
    """As `arms_on_props`, from where people were as a step began, of props that it has moved, turned or resized.

    began, before, after: the document then, and before and after the step's newest edit, unsolved; all seen at the same
    frames. Whoever the step has changed other than by solves is left out.
    """
    moved = _moved(began, after) | _moved(before, after)
    held = arms_on_props(began, moved) if moved else {}
    return {id: hold for id, hold in held.items() if _is_left_alone(id, began, before, after)}


def arms_of_hands(
    began: Document, before: Document, after: Document, slots: Collection[tuple[str, int]]
) -> dict[tuple[str, int], LimbHold]:
    """What stays of people, by id and frame, whose hands a step holds another way and of whom it changes nothing else:
    at the floor, arms alone raise hands by what the fingers need.

    began, before, after: the document as the step began, and before and after its newest edit, unsolved. slots: of whom
    and when this is to be solved. Whoever is asked to keep a finger in place is left out, as the body helps there.
    """
    held: dict[tuple[str, int], LimbHold] = {}
    known = {actor.id for actor in began.actors} & {actor.id for actor in before.actors}
    for id, frame in slots:
        if id not in known:
            continue
        first, was, now = (document.actor(id).at(frame) for document in (began, before, after))
        if was.hands == now.hands or was.pose != now.pose or _asked(first) != _asked(now) or holds_finger(now):
            continue
        skeleton = skeleton_of(now)
        sides = [(person.hands or hands_at_rest()).rotations.reshape(len(ARMS), -1) for person in (first, now)]
        bent = (sides[0] != sides[1]).any(axis=1)
        wrists = rig_of(skeleton).names_of(arm.end for arm, is_bent in zip(ARMS, bent, strict=True) if is_bent)
        held[id, frame] = only_arms(skeleton, first.pose, wrists)
    return held


def _moved(before: Document, after: Document) -> set[str]:
    old = {prop.id: prop for prop in before.props}
    return {prop.id for prop in after.props if prop.id in old and prop.frame != old[prop.id].frame}


def _is_left_alone(id: str, began: Document, before: Document, after: Document) -> bool:
    """Whether somebody is asked the same as when the step began, and the newest edit has left the pose as it was."""
    was, now = (next((c for c in document.characters if c.id == id), None) for document in (before, after))
    if was is None or now is None:
        return False
    return was.pose == now.pose and _asked(began.character(id)) == _asked(now)


def _asked(person: Character) -> tuple[object, ...]:
    """What decides on a pose, without what solves find anew: targets with a source, and those of loose effectors."""
    effectors = tuple(
        (e.id, e.kind, e.joint, e.tolerance, e.pinned, e.is_active, e.source, [] if found else e.target.tolist())
        for e in person.effectors
        for found in [e.source is not None or e.loose]
    )
    how = person.solver, person.solver_options, person.preserve, person.base_pose
    return person.body, person.shape, *how, effectors
