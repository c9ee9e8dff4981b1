"""A part of what is shown over time as a document of its own: what is written where only a range is asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.actor import Actor
from app.document.model.clip import JOINTS, Clip, InBetween, Key, SourceMotion
from app.document.model.document import Document
from app.document.model.finger_curve import hands_at_frames, hands_move
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip, PropKey
from app.document.over_time.shown_motion import shown_motion
from solver.body.hands import HandMotion, Hands, hands_or_motion
from solver.kinematics.pose import Motion

_ROUNDING = 1e-6  # of a frame


def cut_to(document: Document, first_s: float, last_s: float) -> Document:
    """The document with everybody's and every prop's motion from one moment to another, in seconds, as shown.

    What ends earlier has its last frame only. Everybody is seen at the frame they were at, or at the nearest that is
    left. In-betweens that are still to be solved are solved here.
    """
    clips: dict[str, Clip | PropClip] = {actor.id: actor.clip for actor in document.actors}
    clips |= {prop.slot: prop.clip for prop in document.props if prop.clip is not None}
    part = {slot: _within(len(clip), clip.fps, first_s, last_s) for slot, clip in clips.items()}
    actors = tuple(_actor(actor, document.frames.get(actor.id, 0), *part[actor.id]) for actor in document.actors)
    props = tuple(prop if prop.clip is None else _prop(prop, prop.clip, *part[prop.slot]) for prop in document.props)
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
