"""How fingers are held at the frames of a clip: keys hold them as they hold poses, and between keys they move likewise.

Fingers have the same curves as joints (`between.py`), apart from them: over a source motion a key may add something to
the pose and nothing to the fingers, or the other way round. One way of holding them at all keys, and beneath them, is
that way at every frame, as the very same object.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from app.document.model.between import Frames, Read, gap_at, gaps_of, layered
from app.document.model.clip import Clip, Key
from solver.body.hands import HandMotion, Hands, hands_at_rest
from solver.kinematics.pose import Pose, Poses
from solver.memoise import memoised_on_value
from solver.values import FloatArray

NOWHERE = np.zeros(3, np.float32)
SAME = 1e-6  # of an entry of a rotation


class _Fingers(NamedTuple):
    """clip: one whose poses have the fingers as joints. read: the fingers beneath its keys; None without a source."""

    clip: Clip
    read: Read | None


def hands_at(clip: Clip, frame: int) -> Hands | None:
    """How the fingers are held at a frame of the clip; None at rest."""
    fingers = _fingers(clip)
    if fingers is None:
        return clip.keys[0].hands
    key = clip.key(frame)
    if key is not None:
        return key.hands
    gap = gap_at(fingers.clip, frame, fingers.read)
    if not gap.first <= frame <= gap.last:
        return clip.nearest(frame).hands if clip.source is None else clip.source.hands_at(frame)
    turns = layered(fingers.clip, gap, np.array([frame]), fingers.read).rotations[0]
    near = clip.nearest(frame).hands
    return near if np.abs(turns - _turns(near)).max() < SAME else Hands(turns)


def hands_beneath(clip: Clip, frame: int) -> Hands | None:
    """How the source motion holds the fingers at a frame; None at rest, or where there is no source motion."""
    return None if clip.source is None else clip.source.hands_at(frame)


def hands_move(clip: Clip) -> bool:
    """Whether the fingers are held differently at different frames."""
    return _fingers(clip) is not None


def hands_at_frames(clip: Clip) -> FloatArray:
    """(F, 30, 3, 3), the fingers at every frame of the clip, in the order of `FINGER_JOINTS`."""
    fingers, every = _fingers(clip), np.arange(len(clip))
    if fingers is None:
        return np.broadcast_to(_turns(clip.keys[0].hands), (len(clip), *hands_at_rest().rotations.shape))
    if fingers.read is not None:
        turns = np.array(fingers.read(every).rotations)
    else:
        turns = np.stack([fingers.clip.nearest(frame).pose.rotations for frame in every.tolist()])
    for gap in gaps_of(fingers.clip, fingers.read):
        turns[gap.frames] = layered(fingers.clip, gap, gap.frames, fingers.read).rotations
    for key in fingers.clip.keys:
        turns[key.frame] = key.pose.rotations
    return turns


def added_at(clip: Clip, key: Key, frame: int, onto: Clip | None = None) -> Hands | None:
    """How a key of the clip holds the fingers once moved to another frame, of the same clip or of one with another
    source motion: what it adds to the source motion goes along."""
    here, there = hands_beneath(clip, key.frame), hands_beneath(onto or clip, frame)
    if here == there:
        return key.hands
    if key.hands == here:
        return there
    turned = _turns(there) @ np.swapaxes(_turns(here), -1, -2) @ _turns(key.hands)
    return Hands(turned.astype(np.float32))


@memoised_on_value
def _fingers(clip: Clip) -> _Fingers | None:
    """None where the fingers are held one way at all frames."""
    first, source = clip.keys[0].hands, clip.source
    beneath = first if source is None else source.hands
    if all(other is first or other == first for other in (beneath, *(key.hands for key in clip.keys))):
        return None
    keys = tuple(replace(key, pose=pose, base_pose=pose) for key in clip.keys for pose in [_pose(key.hands)])
    return _Fingers(replace(clip, keys=keys, solved=()), None if source is None else _reader(source.hands))


def _reader(hands: Hands | HandMotion | None) -> Read:
    def read(frames: Frames) -> Poses:
        if isinstance(hands, HandMotion):
            turns = hands.turns(frames)
        else:
            turns = np.broadcast_to(_turns(hands), (len(frames), *hands_at_rest().rotations.shape))
        return Poses(np.zeros((len(frames), 3), np.float32), turns)

    return read


def _pose(hands: Hands | None) -> Pose:
    return Pose(NOWHERE, _turns(hands))


def _turns(hands: Hands | None) -> FloatArray:
    return (hands or hands_at_rest()).rotations
