"""People tied to somebody or to a prop that moves get as many frames: one pose cannot keep up with a motion. Who has
frames, and rides at the last key, gets as many as what they ride on."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from app.document.model.actor import Actor
from app.document.model.clip import Clip
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.model.prop_clip import PropClip, slot_of
from solver.effectors.resolve import props_under, tied_figures
from solver.size_limits import MAX_FRAMES


class _Other(NamedTuple):
    """Somebody or a prop with frames. slot: of its frame."""

    slot: str
    clip: Clip | PropClip


def with_matching_frames(edit: Edit) -> Edit:
    """The edit, after which no still person is tied to somebody or a prop with frames, as far as it changed the clip of
    either.

    Their only pose becomes a key: at the frame looked at if the edit posed them, else where the other one has a key
    that is not looked at, so that a pose made at the frame looked at becomes a key beside it.
    """

    def then(document: Document) -> Document:
        after = edit(document)
        while (pair := _left_behind(document, after)) is not None:
            after = _with_as_many(document, after, *pair)
        return after

    return then


def _left_behind(before: Document, after: Document) -> tuple[Actor, _Other] | None:
    """Somebody who is still and tied to somebody or a prop with frames, and that other one, the longest there is, if
    the clip of either has changed. None where there is nobody like that."""
    moving = _clips(after)
    if not any(len(clip) > 1 for clip in moving.values()) or _same(before, after):
        return None
    clips, was = _clips(before), {actor.id: actor for actor in before.actors}
    for actor in after.actors:
        if actor.clip.source is not None:
            continue
        effectors = actor.clip.keys[-1].effectors
        slots = tied_figures(effectors) | set(map(slot_of, props_under(effectors)))
        tied = [slot for slot in sorted(slots & moving.keys()) if len(moving[slot]) > 1]
        still, old = len(actor.clip) == 1, was.get(actor.id)
        if not still:  # who is cut short by hand stays so
            tied = [slot for slot in tied if _falls_short(after, actor, slot)]
            tied = [slot for slot in tied if old is None or not _falls_short(before, old, slot)]
        changed = old is None or (old.clip is not actor.clip if still else old.clip.keys is not actor.clip.keys)
        if tied and (changed or any(clips.get(slot) is not moving[slot] for slot in tied)):
            slot = max(tied, key=lambda each: (len(moving[each]) - 1) / moving[each].fps)
            return actor, _Other(slot, moving[slot])
    return None


def _falls_short(document: Document, actor: Actor, slot: str) -> bool:
    """Whether an actor rides at the last key on what that frame is of, and has fewer frames than that."""
    other = _clips(document).get(slot)
    return other is not None and _lasts(other, actor.clip) > len(actor.clip) and _rides(document, actor, slot)


def _lasts(other: Clip | PropClip, clip: Clip) -> int:
    """How many frames a clip has that lasts as long as another one, or as many as it may have."""
    return min(round((len(other) - 1) / other.fps * clip.fps) + 1, MAX_FRAMES)


def _rides(document: Document, actor: Actor, slot: str) -> bool:
    """Whether what that frame is of, a prop or somebody, bears an actor at the last key."""
    from app.document.posing.rest.borne import borne_by, sits_on_lap  # only once somebody holds on to what moves

    person = replace(actor).at(actor.clip.keys[-1].frame)
    props = [prop for prop in document.props if prop.slot == slot]
    return sits_on_lap(person, slot) or any(borne_by(person, prop) for prop in props)


def _clips(document: Document) -> dict[str, Clip | PropClip]:
    props = {prop.slot: prop.clip for prop in document.props if prop.clip is not None}
    return {actor.id: actor.clip for actor in document.actors} | props


def _same(before: Document, after: Document) -> bool:
    return before.actors is after.actors and before.props is after.props


def _with_as_many(before: Document, after: Document, actor: Actor, other: _Other) -> Document:
    """The document in which `actor` has as many frames as `other`."""
    if len(actor.clip) > 1:
        clip = replace(actor.clip, frames=_lasts(other.clip, actor.clip))
        return replace(after, actors=tuple(replace(e, clip=clip) if e is actor else e for e in after.actors))
    now = after.frames.get(other.slot, 0)
    untouched = any(old.clip is actor.clip for old in before.actors)
    at = next((key.frame for key in other.clip.keys if key.frame != now), 0) if untouched else now
    keys = (replace(actor.clip.keys[0], frame=at),)
    clip = replace(actor.clip, keys=keys, fps=other.clip.fps, frames=len(other.clip))
    actors = tuple(replace(each, clip=clip) if each is actor else each for each in after.actors)
    return replace(after, actors=actors, frames={**after.frames, actor.id: now})
