"""People tied to somebody who moves get as many frames: one pose cannot keep up with a motion."""

from __future__ import annotations

from dataclasses import replace

from app.document.model.actor import Actor
from app.document.model.document import Document
from app.document.model.history import Edit
from solver.effectors.resolve import tied_figures


def with_matching_frames(edit: Edit) -> Edit:
    """The edit, after which no still person is tied to somebody with frames, as far as it changed the clip of either.

    Their only pose becomes a key: at the frame looked at if the edit posed them, else where the other one has a key
    that is not looked at, so that a pose made at the frame looked at becomes a key beside it.
    """

    def then(document: Document) -> Document:
        after = edit(document)
        while (pair := _left_behind(document, after)) is not None:
            after = _with_as_many(document, after, *pair)
        return after

    return then


def _left_behind(before: Document, after: Document) -> tuple[Actor, Actor] | None:
    """Somebody who is still and tied to somebody with frames, and that other person, the longest there is, if the clip
    of either has changed. None where there is nobody like that."""
    moving = {actor.id: actor for actor in after.actors if len(actor.clip) > 1}
    if not moving or before.actors is after.actors:
        return None
    clips = {actor.id: actor.clip for actor in before.actors}
    for actor in after.actors:
        if len(actor.clip) > 1 or actor.clip.source is not None:
            continue
        tied = [moving[id] for id in sorted(tied_figures(actor.clip.keys[0].effectors) & moving.keys())]
        if tied and any(clips.get(each.id) is not each.clip for each in (actor, *tied)):
            return actor, max(tied, key=lambda other: (len(other.clip) - 1) / other.clip.fps)
    return None


def _with_as_many(before: Document, after: Document, actor: Actor, other: Actor) -> Document:
    """The document in which `actor` has as many frames as `other`."""
    now = after.frames.get(other.id, 0)
    untouched = any(old.clip is actor.clip for old in before.actors)
    at = next((key.frame for key in other.clip.keys if key.frame != now), 0) if untouched else now
    keys = (replace(actor.clip.keys[0], frame=at),)
    clip = replace(actor.clip, keys=keys, fps=other.clip.fps, frames=len(other.clip))
    actors = tuple(replace(each, clip=clip) if each is actor else each for each in after.actors)
    return replace(after, actors=actors, frames={**after.frames, actor.id: now})
