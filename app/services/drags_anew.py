"""Drags that begin anew on another surface, where the person goes on from where they are shown; and drags of props,
whose people hold what they would had it been done at once."""

from __future__ import annotations

from dataclasses import replace

from app.document import edits
from app.document.model.actor import Actor
from app.document.model.clip import Key
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.services.session import Session
from solver.effectors.contact import Contact


def shown_on(session: Session, shown: Character) -> Edit:
    """The edit that shows a person where they were shown as a drag begins anew, which has just been cancelled.

    The next solve begins where the drag began, so that no earlier solve enters into what it finds, and leads them there
    from where they are shown. shown: as they were before the drag was cancelled.
    """
    begins = next((each for each in session.document.characters if each.id == shown.id), None)
    if begins is None or begins.frame != shown.frame or begins.pose == shown.pose:
        return edits.chain()
    session.findings.begin_anew(begins, shown.pose)
    return edits.show_pose(shown.id, shown.pose)


def holding_as_at_once(session: Session, step: object, edit: Edit) -> Edit:
    """An edit in a drag of props, after which people hold what they would had it been done at once: feet that left the
    floor on its way hold on to it again. Poses are as the way has made them. step: the merge key of the drag."""
    begun = session.history.before_step(step)

    def then(now: Document) -> Document:
        after = edit(now)
        if begun is None or not any(map(_has_let_go, begun.actors, after.actors)):
            return after
        at_once = edit(replace(now, actors=begun.actors, props=begun.props))
        return replace(after, actors=tuple(map(_holding, after.actors, at_once.actors)))

    return then


def _has_let_go(before: Actor, after: Actor) -> bool:
    """Whether contacts that keys had before are none any more."""
    there = {key.frame: _contacts(key) for key in after.clip.keys}
    return any(not _contacts(key) <= there.get(key.frame, frozenset()) for key in before.clip.keys)


def _holding(actor: Actor, at_once: Actor) -> Actor:
    """The actor with the effectors of keys that have more contacts in the other one."""
    if actor.id != at_once.id or not _has_let_go(at_once, actor):
        return actor
    way, back, clip = at_once.clip.placement, actor.clip.placement.inverse, actor.clip
    for key in clip.keys:
        there = at_once.clip.key(key.frame)
        if there is not None and _contacts(there) > _contacts(key):
            clip = clip.with_key(replace(key, effectors=tuple(back.effector(way.effector(e)) for e in there.effectors)))
    return replace(actor, clip=clip)


def _contacts(key: Key) -> frozenset[str]:
    return frozenset(e.id for e in key.effectors if isinstance(e, Contact))
