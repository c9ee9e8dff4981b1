"""In-betweens: what a clip shows at the frames without a key.

Over a source motion keys are a layer: each adds something to its frame, and between two keys what they add follows a
smooth curve. Towards a key that adds nothing, and before the first key and behind the last, it fades over `Clip.ease`
frames. Without a source motion the pose itself follows a curve from key to key; before the first key and behind the
last it stays.

Here joints follow curves, which needs nothing but the clip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import Clip, Key
from solver.effectors.sources import PropSource, Tie
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.pose import Pose, Poses

NOTHING = 1e-4  # metres or entries of a matrix: a key that differs less from its source adds nothing

Frames = NDArray[np.int64]


Read = Callable[[Frames], Poses]  # the source motion at these frames, as the body at hand has it


class Gap(NamedTuple):
    """The frames between two keys, or before the first, or behind the last.

    keys: the two before it and the two behind it, None where there are no more. first, last: the range of its frames
    at which its keys show; empty if last is below first.
    """

    keys: tuple[Key | None, Key | None, Key | None, Key | None]
    first: int
    last: int

    @property
    def frames(self) -> Frames:
        """The frames at which its keys show."""
        return np.arange(self.first, self.last + 1)


class Knot(NamedTuple):
    """A point that a curve goes through: at a key, or where nothing is added any more (key None)."""

    frame: int
    key: Key | None


def source_of(clip: Clip) -> Read:
    """Reads a clip's source motion on the body that it came on; the clip must have one."""
    assert clip.source is not None
    path, rotations = clip.source.path, clip.source.motion.rotations
    return lambda frames: Poses(path[frames], rotations[frames])


def pose_at(clip: Clip, frame: int, read: Read | None = None) -> Pose:
    """What is shown at a frame, in the clip's own space, as far as the clip alone says: a key's pose, else the source
    motion with what the keys add to it, else the way from key to key.

    A frame outside the clip is taken as the nearest one in it. read: the source motion as the body at hand has it.
    """
    frame = min(max(frame, 0), len(clip) - 1)
    key = clip.key(frame)
    if key is not None:
        return key.pose
    gap = gap_at(clip, frame, read)
    if gap.first <= frame <= gap.last:
        return _only(layered(clip, gap, np.array([frame]), read))
    if clip.source is None:
        return clip.nearest(frame).pose
    return _only((read or source_of(clip))(np.array([frame])))


def gap_at(clip: Clip, frame: int, read: Read | None = None) -> Gap:
    """The gap that a frame without a key is in."""
    keys = clip.around(frame)
    adds = (False, False) if clip.source is None else _adds(clip, keys[1:3], read)
    return _gap(clip, keys, *adds)


def gaps_of(clip: Clip, read: Read | None = None) -> list[Gap]:
    """The gaps in which keys show, in order."""
    keys = (None, None, *clip.keys, None, None)
    adds = [False] * len(keys) if clip.source is None else _adds(clip, keys, read)
    gaps = (_gap(clip, keys[i - 1 : i + 3], adds[i], adds[i + 1]) for i in range(1, len(keys) - 2))  # type: ignore[arg-type]
    return [gap for gap in gaps if gap.first <= gap.last]


def _gap(clip: Clip, keys: tuple[Key | None, Key | None, Key | None, Key | None], adds_a: bool, adds_b: bool) -> Gap:
    _, a, b, _ = keys
    start, end = (a.frame + 1 if a else 0), (b.frame - 1 if b else len(clip) - 1)
    if clip.source is None:
        return Gap(keys, start, end if a and b and (a.pose != b.pose or _holds(a, b)) else start - 1)
    if not (adds_a or adds_b):
        return Gap(keys, start, start - 1)
    first = start if adds_a else max(start, end + 2 - clip.ease)
    last = end if adds_b else min(end, start - 2 + clip.ease)
    return Gap(keys, first, last)


def _holds(first: Key, last: Key) -> bool:
    """Whether something at both of two keys goes along with another person or a prop, which may move between them."""
    return all(
        any(isinstance(e.source, Tie | PropSource) and e.is_active for e in key.effectors) for key in (last, first)
    )


def knots_of(clip: Clip, gap: Gap, read: Read | None = None) -> list[Knot]:
    """What the curves of a gap go through, in order of time: its keys, and over a source motion the frames where what
    they add has faded."""
    keys = [key for key in gap.keys if key is not None]
    if clip.source is None:
        return [Knot(key.frame, key) for key in keys]
    adds, ease = [False, *_adds(clip, keys, read), False], clip.ease
    frames = [-np.inf, *(key.frame for key in keys), np.inf]
    knots: list[Knot] = []
    for place, key in enumerate(keys, start=1):
        if adds[place] and not adds[place - 1] and key.frame - frames[place - 1] > ease:
            knots.append(Knot(key.frame - ease, None))
        knots.append(Knot(key.frame, key))
        if adds[place] and not adds[place + 1] and frames[place + 1] - key.frame > ease:
            knots.append(Knot(key.frame + ease, None))
    return knots


def layered(clip: Clip, gap: Gap, frames: Frames, read: Read | None = None) -> Poses:
    """The poses of frames in a gap by the curves of the joints alone."""
    knots = knots_of(clip, gap, read)
    times = [knot.frame for knot in knots]
    if clip.source is None:
        poses = [knot.key.pose for knot in knots if knot.key is not None]
        roots, rotations = Poses.of(poses)
        return _single(curve_through(times, roots, frames), rotation_curve_through(times, rotations, frames))
    read = read or source_of(clip)
    keyed = [place for place, knot in enumerate(knots) if knot.key is not None]
    roots, rotations = Poses.of([knot.key.pose for knot in knots if knot.key is not None])
    below, under = read(np.array([times[place] for place in keyed])), read(frames)
    moved, turned = np.zeros((len(knots), 3)), np.tile(np.eye(3), (len(knots), rotations.shape[1], 1, 1))
    moved[keyed] = roots.astype(np.float64) - below.roots
    turned[keyed] = np.swapaxes(below.rotations, -1, -2).astype(np.float64) @ rotations
    return _single(
        under.roots + curve_through(times, moved, frames),
        under.rotations @ rotation_curve_through(times, turned, frames),
    )


def _adds(clip: Clip, keys: Sequence[Key | None], read: Read | None) -> list[bool]:
    """For each key, whether it adds something to the source motion; where there is none, no key does."""
    there = [key for key in keys if key is not None]
    below = (read or source_of(clip))(np.array([key.frame for key in there]))
    roots, rotations = Poses.of([key.pose for key in there])
    far = np.maximum(np.abs(roots - below.roots).max(axis=1), np.abs(rotations - below.rotations).max(axis=(1, 2, 3)))
    found = iter((far > NOTHING).tolist())
    return [key is not None and next(found) for key in keys]


def _single(roots: NDArray[np.float64], rotations: NDArray[np.float64]) -> Poses:
    return Poses(roots.astype(np.float32), rotations.astype(np.float32))


def _only(poses: Poses) -> Pose:
    return poses.each()[0]
