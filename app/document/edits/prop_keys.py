"""Edits of a prop's keys. Each function returns an edit, one undo step. Frames are counted from 0.

A prop without keys stands still; its first key makes it one that moves, and without its last key it stands still again,
where it was seen last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

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
from app.document.model.clip import STILL_FPS
from app.document.model.combine import on_prop
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip, PropKey

STAYS = 1e-6  # metres, or entries of a turn: a prop that is brought back leaves no trace


def animate_prop(id: str, frames: int, fps: float = STILL_FPS) -> Edit:
    """Let a prop that stands still begin to move: its first frame gets a key of where it is, as a person has one."""
    return set_prop_key(id, 0, frames, fps)


def set_prop_key(id: str, frame: int, frames: int = 1, fps: float = STILL_FPS) -> Edit:
    """Make a key of where a prop is shown at a frame that has none; nothing is seen to change there.

    frames, fps: of the clip that a prop which stands still then gets.
    """

    def change(prop: Prop) -> Prop:
        if prop.clip is None:
            check_frames(prop.name, max(frames, frame + 1), [frame])
            return replace(prop, clip=PropClip((prop.key_at(frame),), fps, max(frames, frame + 1)))
        check_frames(prop.name, len(prop.clip), [frame])
        if prop.clip.key(frame) is not None:
            return prop
        return replace(prop, clip=prop.clip.with_key(prop.at(frame).key_at(frame)))

    return on_prop(id, change)


def carried_at_frame(prop: Prop, bearer: str, edit: Edit) -> Edit:
    """`edit`, which takes a prop along with somebody who carries it; one that stood still goes there at this frame.

    It begins to move then, as the person does by being posed there: it has a key where it is, and stays where it was at
    the keys that the person has before and after that. Without it, the person would reach for it at all of these. If
    there are none, it is there throughout. prop: as it was before. bearer: the person's id.
    """
    if prop.clip is not None:
        return edit

    def begin(document: Document) -> Document:
        after, person, now = edit(document), document.character(bearer), document.prop(prop.id)
        there = after.prop(prop.id)
        frames = [key.frame for key in person.clip.keys]
        kept = [*[f for f in frames if f < person.frame][-1:], *[f for f in frames if f > person.frame][:1]]
        gone = max(np.abs(there.place - prop.place).max(), np.abs(there.turn - prop.turn).max())
        if not kept or gone < STAYS:
            return after
        stays = PropClip(
            tuple(_same_key(now.clip, prop.key_at(frame)) for frame in kept), person.clip.fps, len(person.clip)
        )
        moves = replace(there, clip=stays.with_key(there.key_at(person.frame)))
        props = tuple(moves if each.id == prop.id else each for each in after.props)
        return replace(after, props=props, frames={**after.frames, prop.slot: person.frame})

    return begin


def _same_key(clip: PropClip | None, key: PropKey) -> PropKey:
    """The clip's own key, if it has that very one."""
    known = clip.key(key.frame) if clip is not None else None
    return known if known is not None and known == key else key


def move_prop_keys(id: str, frames: Iterable[int], by: int, start: PropClip | None = None) -> Edit:
    """Move the keys at `frames` by a number of frames. Where a key lands on another one, the moved one wins.

    start: the clip when a drag began; keys that were only passed over come back. PoserError for a frame without a key,
    or where a key would leave the clip.
    """
    chosen = tuple(frames)
    return _on_keys(id, lambda prop, clip: _with_copies(prop, start or clip, chosen, by, keep=False), start)


def copy_prop_keys(id: str, frames: Iterable[int], to: int) -> Edit:
    """Copy the keys at `frames`: the first of them to frame `to`, the others at the same distances behind it.

    Where a copy lands on a key, the copy wins.
    """
    chosen = tuple(frames)
    by = to - min(chosen, default=to)
    return _on_keys(id, lambda prop, clip: _with_copies(prop, clip, chosen, by, keep=True))


def paste_prop_keys(id: str, keys: Iterable[PropKey], to: int) -> Edit:
    """Put in copies of keys that some prop has or had: the first at frame `to`, the others at the same distances behind
    it; those beyond the end are left out."""
    copied = tuple(keys)

    def change(prop: Prop, clip: PropClip) -> PropClip:
        by = to - min((key.frame for key in copied), default=to)
        kept = [key for key in copied if key.frame + by < len(clip)]
        check_frames(prop.name, len(clip), [key.frame + by for key in kept])
        return clip.with_keys(joined(clip.keys, (_carried(key, key.frame + by) for key in kept))) if kept else clip

    return _on_keys(id, change)


def delete_prop_keys(id: str, frames: Iterable[int]) -> Edit:
    """Take keys away; a prop that has none left stands still where it is seen. PoserError for a frame without a key."""
    chosen = frozenset(frames)

    def change(prop: Prop, clip: PropClip) -> PropClip | None:
        gone = keys_at(prop.name, clip.keys, sorted(chosen))
        left = tuple(key for key in clip.keys if key.frame not in gone)
        return clip if not gone else clip.with_keys(left) if left else None

    return _on_keys(id, change)


def set_prop_clip_length(id: str, frames: int) -> Edit:
    """Give a prop's clip its number of frames. PoserError where a key would be cut off."""

    def change(prop: Prop, clip: PropClip) -> PropClip:
        if frames == len(clip):
            return clip
        check_length(frames, clip.keys[-1].frame)
        return replace(clip, frames=frames)

    return _on_keys(id, change)


def set_prop_clip_rate(id: str, fps: float) -> Edit:
    """Give a prop's clip another rate, frames a second; keys stay on their frames. PoserError for an impossible one."""

    def change(prop: Prop, clip: PropClip) -> PropClip:
        if fps == clip.fps:
            return clip
        check_rate(fps)
        return replace(clip, fps=float(fps))

    return _on_keys(id, change)


def set_prop_speed(id: str, frames: int) -> Edit:
    """Let a prop's clip go over in another number of frames at its rate, each key at the nearest one; the moment that
    is looked at stays the same. PoserError for an impossible number of frames."""

    def change(prop: Prop, clip: PropClip) -> PropClip:
        if frames == len(clip) or len(clip) == 1:
            return clip
        return replace(clip, keys=at_speed(clip.keys, len(clip), frames, _carried), frames=frames)

    def edit(document: Document) -> Document:
        before, after = document.prop(id), _on_keys(id, change)(document)
        if before.clip is None or after is document:
            return document
        frame = frame_at_speed(document.frames.get(before.slot, 0), len(before.clip), frames)
        return after.at({**after.frames, before.slot: frame})

    return edit


def _on_keys(id: str, change: Callable[[Prop, PropClip], PropClip | None], start: PropClip | None = None) -> Edit:
    """The edit that changes a prop's clip; one that stands still has no key that could be meant."""

    def on(prop: Prop) -> Prop:
        clip = prop.clip or start
        if clip is None:
            keys_at(prop.name, (), [0])
            return prop
        after = change(prop, clip)
        return prop if after is prop.clip else replace(prop, clip=after)

    return on_prop(id, on)


def _with_copies(prop: Prop, clip: PropClip, frames: Iterable[int], by: int, keep: bool) -> PropClip:
    chosen = keys_at(prop.name, clip.keys, frames)
    check_frames(prop.name, len(clip), [frame + by for frame in chosen])
    return clip.with_keys(with_copies(clip.keys, chosen, by, keep, _carried)) if chosen and by else clip


def _carried(key: PropKey, frame: int) -> PropKey:
    return replace(key, frame=frame)
