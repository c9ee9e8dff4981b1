"""A part of what is shown over time as a document of its own: as motions alone, for files of other programs, or with
its keys, to go on with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.document.model.actor import Actor
from app.document.model.between import gap_at
from app.document.model.clip import JOINTS, Clip, InBetween, Key, SourceMotion
from app.document.model.document import Document
from app.document.model.finger_curve import hands_at, hands_at_frames, hands_beneath, hands_move
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip, PropKey
from app.document.over_time.retiming.retimed import between_at, footings_at, source_at
from app.document.over_time.shown_motion import shown_motion
from solver.body.hands import HandMotion, Hands, hands_or_motion
from solver.kinematics.pose import Motion

_ROUNDING = 1e-6  # of a frame

OfActor = Callable[[Actor, int, int, int], Actor]  # the frame looked at, the first, the last
OfProp = Callable[[Prop, PropClip, int, int], Prop]


def cut_to(document: Document, first_s: float, last_s: float) -> Document:
    """The document with everybody's and every prop's motion from one moment to another, in seconds, as shown.

    What ends earlier has its last frame only. Everybody is seen at the frame they were at, or at the nearest that is
    left. In-betweens that are still to be solved are solved here.
    """
    return _cut(document, first_s, last_s, _actor, _prop)


def trimmed_to(document: Document, first_s: float, last_s: float) -> Document:
    """The document with what happens from one moment to another, in seconds, with the keys that are there.

    Keys outside go; where they still have an effect at the first or the last frame, that gets a key of what is shown.
    Otherwise as `cut_to`, but nothing is solved.
    """
    return _cut(document, first_s, last_s, _trimmed, _trimmed_prop)


def _cut(document: Document, first_s: float, last_s: float, actor_at: OfActor, prop_at: OfProp) -> Document:
    clips: dict[str, Clip | PropClip] = {actor.id: actor.clip for actor in document.actors}
    clips |= {prop.slot: prop.clip for prop in document.props if prop.clip is not None}
    part = {slot: _within(len(clip), clip.fps, first_s, last_s) for slot, clip in clips.items()}
    actors = tuple(actor_at(actor, document.frames.get(actor.id, 0), *part[actor.id]) for actor in document.actors)
    props = tuple(prop if prop.clip is None else prop_at(prop, prop.clip, *part[prop.slot]) for prop in document.props)
    moved = {slot: max(frame - part[slot][0], 0) for slot, frame in document.frames.items() if slot in part}
    return replace(document, actors=actors, props=props, frames={}).at(moved)


def _within(length: int, fps: float, first_s: float, last_s: float) -> tuple[int, int]:
    """The first and the last frame of a clip within two moments."""
    first = min(max(int(np.ceil(first_s * fps - _ROUNDING)), 0), length - 1)
    return first, min(max(int(last_s * fps + _ROUNDING), first), length - 1)


def _actor(actor: Actor, frame: int, first: int, last: int) -> Actor:
    if len(actor.clip) == 1:
        return actor
    now = actor.at(min(max(frame, first), last))
    key = Key(now.frame - first, now.pose, now.base_pose, now.effectors, now.preserve, hands=now.hands)
    motion = shown_motion(now) if last > first else None
    if motion is None:
        return replace(actor, clip=Clip((replace(key, frame=0),), fps=actor.clip.fps))
    hands: Hands | HandMotion | None = now.hands
    if hands_move(actor.clip):
        hands = hands_or_motion(hands_at_frames(actor.clip)[first : last + 1])
    part = Motion(motion.root_positions[first : last + 1], motion.rotations[first : last + 1], motion.fps)
    source = SourceMotion(part, actor.build.shape, hands)
    return replace(actor, clip=Clip((key,), source, fps=motion.fps, between=InBetween(JOINTS)))


def _prop(prop: Prop, clip: PropClip, first: int, last: int) -> Prop:
    places, turns = clip.over(np.arange(first, last + 1))
    if last == first:
        return replace(prop, clip=None, place=places[0], turn=turns[0])
    spots = zip(places, turns, strict=True)
    return replace(prop, clip=PropClip(tuple(PropKey(i, *spot) for i, spot in enumerate(spots)), clip.fps))


def _trimmed(actor: Actor, _frame: int, first: int, last: int) -> Actor:
    clip, source = actor.clip, actor.clip.source
    if last - first + 1 == len(clip):
        return actor
    if first == last:
        key = replace(actor.key_at(first), frame=0)
        return replace(actor, clip=replace(clip, keys=(key,), source=None, frames=1, solved=()))
    kept = {key.frame: key for key in clip.keys if first <= key.frame <= last}
    for end in (first, last):
        if end not in kept and _moved_by_keys(actor, end):
            kept[end] = actor.key_at(end)
    kept = kept or {first: actor.key_at(first)}
    keys = tuple(replace(kept[frame], frame=frame - first) for frame in sorted(kept))
    part = replace(clip, keys=keys, source=None, frames=last - first + 1, solved=())
    if source is not None:
        times = np.arange(first, last + 1, dtype=np.float64)
        footings = footings_at(source.contacts(actor.build.body), times)
        between = between_at(clip.between, footings)
        part = replace(part, source=source_at(source, times, footings), between=between, frames=1)
    return replace(actor, clip=part)


def _moved_by_keys(actor: Actor, frame: int) -> bool:
    """Whether a frame without a key shows something that keys on one side of it or both have made."""
    clip = actor.clip
    if clip.source is None:
        gap, fingers = gap_at(clip, frame), hands_move(clip)
    else:
        gap, fingers = gap_at(clip, frame, actor.source), hands_at(clip, frame) != hands_beneath(clip, frame)
    return fingers or gap.first <= frame <= gap.last


def _trimmed_prop(prop: Prop, clip: PropClip, first: int, last: int) -> Prop:
    if last - first + 1 == len(clip):
        return prop
    if first == last:
        return _prop(prop, clip, first, last)
    kept = {key.frame: key for key in clip.keys if first <= key.frame <= last}
    for end in (first, last):
        if not kept or clip.keys[0].frame < end < clip.keys[-1].frame:
            kept.setdefault(end, PropKey(end, *clip.at(end)))
    keys = tuple(replace(kept[frame], frame=frame - first) for frame in sorted(kept))
    return replace(prop, clip=replace(clip, keys=keys, frames=last - first + 1))
