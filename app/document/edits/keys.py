"""Edits of a clip's keys, its length and what lies between keys. Each function returns an edit, one undo step.

Frames are counted from 0, as everywhere but in the interface and in messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from app.document.edits.key_frames import (
    at_speed,
    check_frames,
    check_length,
    check_rate,
    frame_at_speed,
    joined,
    keys_at,
    with_copies,
)  # fmt: skip
from app.document.model.actor import Actor, actor_of, with_clip
from app.document.model.character import Character
from app.document.model.clip import LONGEST_EASE_S, WAYS, Clip, InBetween, Key
from app.document.model.combine import chain, on_character
from app.document.model.document import Document
from app.document.model.history import Edit
from solver.errors import PoserError, UnknownName
from solver.rig.roles import LEGS
from solver.sentences import counted, percent

MOST_SHARE = 3.0  # of the stride that the legs ask for


def set_key(character_id: str, frame: int) -> Edit:
    """Make a key of what is shown at a frame that has none; nothing is seen to change there. Who rides on a prop gets
    it where they ride, though that frame may not be solved yet."""

    def change(actor: Actor) -> Clip:
        _check_frames(actor, [frame])
        return actor.clip if actor.clip.key(frame) else _lasting(actor.clip).with_key(actor.key_at(frame))

    return chain(at_ride(character_id, frame), _on_clip(character_id, change))


def at_ride(character_id: str, frame: int) -> Edit:
    """Show somebody who rides on a prop where they ride at a frame, though that is not solved yet."""

    def edit(document: Document) -> Document:
        if all(prop.clip is None for prop in document.props):
            return document
        from app.document.over_time.in_betweens import with_frame_ridden  # only once something moves

        return with_frame_ridden(document, character_id, frame)

    return edit


def move_keys(character_id: str, frames: Iterable[int], by: int, start: Clip | None = None) -> Edit:
    """Move the keys at `frames` by a number of frames. Where a key lands on another one, the moved one wins.

    Over a source motion what a key adds goes along: it adds the same at its new frame, and has to be solved there.
    start: the clip when a drag began; keys that were only passed over come back. PoserError for a frame without a key,
    or where a key would leave the clip.
    """
    chosen = tuple(frames)

    def change(actor: Actor) -> Clip:
        actor = actor if start is None else replace(actor, clip=start)
        return _with_copies(actor, chosen, by, keep=False)

    return _on_clip(character_id, change)


def copy_keys(character_id: str, frames: Iterable[int], to: int) -> Edit:
    """Copy the keys at `frames`: the first of them to frame `to`, the others at the same distances behind it.

    Where a copy lands on a key, the copy wins. Otherwise as `move_keys`.
    """
    chosen = tuple(frames)
    return _on_clip(character_id, lambda actor: _with_copies(actor, chosen, to - min(chosen, default=to), keep=True))


def paste_keys(character_id: str, keys: Iterable[Key], to: int) -> Edit:
    """Put in copies of keys that the character has or had: the first at frame `to`, the others at the same distances
    behind it; those beyond the end are left out. What they hold on to and is gone since is not held on to again.
    Otherwise as `copy_keys`."""
    from app.document.edits.contacts import without_gone  # not needed to show the window, nor is the other
    from app.document.over_time.departures import carried_key

    copied = tuple(keys)

    def change(actor: Actor) -> Clip:
        by = to - min((key.frame for key in copied), default=to)
        if actor.clip.source is not None and any(key.frame >= len(actor.clip) for key in copied):
            raise PoserError(f"The motion of “{actor.identity.name}” was replaced after these keys were copied.")
        kept = [key for key in copied if key.frame + by < len(actor.clip)]
        _check_frames(actor, [key.frame + by for key in kept])
        pasted = (carried_key(actor, key, key.frame + by) for key in kept)
        return replace(_lasting(actor.clip), keys=joined(actor.clip.keys, pasted)) if kept else actor.clip

    paste = _on_clip(character_id, change)
    return lambda document: without_gone(paste(document))


def delete_keys(character_id: str, frames: Iterable[int]) -> Edit:
    """Take keys away. PoserError for a frame without a key, and where no key would be left."""
    chosen = frozenset(frames)

    def change(actor: Actor) -> Clip:
        clip = actor.clip
        gone = _keys_at(actor, chosen)
        if len(gone) == len(clip.keys):
            raise PoserError("A motion keeps at least one key. Leave one, or remove the motion.")
        return replace(_lasting(clip), keys=tuple(key for key in clip.keys if key.frame not in gone)) if gone else clip

    return _on_clip(character_id, change)


def set_clip_length(character_id: str, frames: int) -> Edit:
    """Give a clip without a source motion its number of frames; a source of one frame is a pose, which its key holds.
    PoserError where a key would be cut off, or for a motion, which is as long as it is."""

    def change(actor: Actor) -> Clip:
        clip, last = actor.clip, actor.clip.keys[-1].frame
        if frames == len(clip):
            return clip
        if clip.source is not None and len(clip) > 1:
            frames_now = counted(len(clip), "frame")
            raise PoserError(f"The motion of “{actor.identity.name}” has {frames_now}, which cannot be changed.")
        check_length(frames, last)
        return replace(clip, source=None, frames=frames)

    return _on_clip(character_id, change)


def set_clip_rate(character_id: str, fps: float) -> Edit:
    """Give a clip without a source motion another rate, frames a second; keys stay on their frames, so everything goes
    faster or slower. PoserError for a motion, which has its own, and for an impossible rate."""

    def change(actor: Actor) -> Clip:
        clip = actor.clip
        if fps == clip.fps:
            return clip
        if clip.source is not None:
            rate_now = f"{counted(clip.fps, 'frame')} a second"
            raise PoserError(f"The motion of “{actor.identity.name}” has {rate_now}, which cannot be changed.")
        check_rate(fps)
        return replace(clip, fps=float(fps))

    return _on_clip(character_id, change)


def set_speed(character_id: str, frames: int) -> Edit:
    """Let a clip go over in another number of frames at its rate, faster or slower. A source motion is read anew, and
    what it has planted stays planted; keys add what they added, each at the nearest frame; the moment that is looked at
    stays the same. Somebody still stays so. PoserError for an impossible number of frames."""
    from app.document.over_time.departures import carried_key  # not needed to show the window, nor is the other
    from app.document.over_time.retiming.retimed import between_at, even_times, footings_at, source_at

    def on(character: Character) -> Character:
        actor, clip, count = actor_of(character), character.clip, len(character.clip)
        if count in (frames, 1):
            return character
        keys = at_speed(clip.keys, count, frames, lambda key, frame: replace(key, frame=frame))
        after = replace(clip, keys=keys, frames=frames, source=None, solved=())
        if clip.source is not None:
            times = even_times(count, frames)
            footings = footings_at(clip.source.contacts(actor.build.body), times)
            source, between = source_at(clip.source, times, footings), between_at(clip.between, footings)
            after = replace(after, source=source, between=between, frames=clip.frames)
            onto = replace(actor, clip=after)
            keys = at_speed(clip.keys, count, frames, lambda key, frame: carried_key(actor, key, frame, onto))
            after = replace(after, keys=keys)
        return with_clip(character, after.within_bounds(), frame_at_speed(character.frame, count, frames))

    return on_character(character_id, on)


def set_in_between(
    character_id: str,
    by: str | None = None,
    ease_s: float | None = None,
    contacts: bool | None = None,
    steps: bool | None = None,
) -> Edit:
    """Say how the frames between keys come about; None leaves a setting as it is. See `InBetween`."""

    def change(actor: Actor) -> Clip:
        if by is not None and by not in WAYS:
            raise UnknownName("way between keys", by, WAYS)
        if ease_s is not None and not 0 <= ease_s <= LONGEST_EASE_S:
            raise PoserError(f"What a key adds fades over 0 to {LONGEST_EASE_S:g} seconds, not {ease_s:g}.")
        now = actor.clip.between
        between = InBetween(
            now.by if by is None else by,
            now.ease_s if ease_s is None else float(ease_s),
            now.contacts if contacts is None else bool(contacts),
            *((now.free_left, now.free_right) if contacts is None else ((), ())),
            now.steps if steps is None else bool(steps),
        )
        return actor.clip if between == now else replace(actor.clip, between=between)

    return _on_clip(character_id, change)


def set_stride(character_id: str, stride: float) -> Edit:
    """Let a motion go farther or less far over the floor, about where it begins: 1 is as recorded, in proportion to the
    legs; 0 stays on the spot. Keys add what they added. PoserError for a stride outside 0 to `MOST_SHARE`."""

    from app.document.model.stride import with_stride  # not needed to show the window

    def change(actor: Actor) -> Clip:
        if not 0 <= stride <= MOST_SHARE:
            raise PoserError(f"A stride is 0 to {percent(MOST_SHARE)}, not {percent(stride)}.")
        return actor.clip if actor.clip.source is None else with_stride(actor, float(stride))

    return _on_clip(character_id, change)


def switch_contact(character_id: str, foot: str, first: int) -> Edit:
    """Hold one foot that the source motion has planted from that frame on, or let it go if it is held; others stay as
    they are. foot: the role of its ball."""

    def change(actor: Actor) -> Clip:
        clip = actor.clip
        every = clip.source.contacts(actor.build.body) if clip.source is not None else ()
        if not any((each.foot, each.first) == (foot, first) for each in every):
            return clip
        free = {(each.foot, each.first) for each in every if not clip.between.holds(each)} ^ {(foot, first)}
        held = len(free) < len(every)
        left, right = (tuple(sorted(at for tip, at in free if held and tip == leg.tip)) for leg in LEGS)
        between = replace(clip.between, contacts=held, free_left=left, free_right=right)
        return replace(clip, between=between)

    return _on_clip(character_id, change)


def _on_clip(character_id: str, change: Callable[[Actor], Clip]) -> Edit:
    """The edit that changes a clip; the frame looked at stays the same, as far as there is one."""

    def on(character: Character) -> Character:
        clip = change(actor_of(character))
        return character if clip is character.clip else with_clip(character, clip, character.frame)

    return on_character(character_id, on)


def _with_copies(actor: Actor, frames: Iterable[int], by: int, keep: bool) -> Clip:
    from app.document.over_time.departures import carried_key  # not needed to show the window

    chosen = _keys_at(actor, frames)
    _check_frames(actor, [frame + by for frame in chosen])
    if not chosen or not by:
        return actor.clip
    keys = with_copies(actor.clip.keys, chosen, by, keep, partial(carried_key, actor))
    return replace(_lasting(actor.clip), keys=keys)


def _keys_at(actor: Actor, frames: Iterable[int]) -> Mapping[int, Key]:
    return keys_at(actor.identity.name, actor.clip.keys, frames)


def _check_frames(actor: Actor, frames: Iterable[int]) -> None:
    check_frames(actor.identity.name, len(actor.clip), frames)


def _lasting(clip: Clip) -> Clip:
    """The clip with its present length, whatever becomes of its last key."""
    return clip if clip.source is not None or clip.frames == len(clip) else replace(clip, frames=len(clip))
