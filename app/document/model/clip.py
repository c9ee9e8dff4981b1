"""A clip: what a character does over time, as keys over an optional source motion. A still pose is a clip of one key.

What is shown at a frame: a key is shown at its frame as it is. What lies between keys is an in-between (`between.py`):
the source motion with what the keys add, or the way from key to key where there is none. The base pose of a frame
without a key is the source motion; the nearest key (the earlier of two) lends it effectors and preservation, each
target moved to where its joint is, so that nothing pulls.

Keys and source are kept in the clip's own space; its placement carries them into the world when they are read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, product
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.document.model.placement import HERE, Placement
from app.document.model.spans import Span
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.hands import HandMotion, Hands
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.errors import PoserError
from solver.kinematics.pose import Motion, Pose
from solver.rig.contacts import FootContact, foot_contacts_of
from solver.rig.roles import LEGS
from solver.size_limits import FARTHEST_M, FARTHEST_ROOT_M, MAX_FRAMES
from solver.values import FloatArray, read_only

EMPTY: Mapping[str, Any] = MappingProxyType({})
STILL_FPS = 30.0
MOST_STRIDE = 10.0


@dataclass(frozen=True)
class Preserve:
    """Base-pose preservation. place: joints that keep their global position; shape: joints that keep their local
    orientation. strength, shape_strength: 0..1, how firmly places and how firmly shapes are kept.
    """

    strength: float = 1.0
    place: frozenset[str] = frozenset()
    shape: frozenset[str] = frozenset()
    shape_strength: float = 1.0


SOLVED, JOINTS = "solver", "joints"
WAYS = (SOLVED, JOINTS)
LONGEST_EASE_S = 60.0


@dataclass(frozen=True)
class InBetween:
    """How the frames between keys come about.

    by: "solver": effectors go along curves and every frame is solved; "joints": the joints' rotations do. ease_s:
    seconds over which what a key adds to a source motion fades where no other key adds anything. contacts: whether feet
    that are planted in the source motion stay planted in what is solved. free_left, free_right: the first frames of
    those contacts of either foot that are let go all the same. steps: whether feet that stand at two keys in different
    places step from one to the other, without a source motion; else they slide.
    """

    by: str = SOLVED
    ease_s: float = 0.5
    contacts: bool = False
    free_left: tuple[int, ...] = ()
    free_right: tuple[int, ...] = ()
    steps: bool = True

    def holds(self, contact: FootContact) -> bool:
        """Whether a foot that is planted in the source motion is to stay planted."""
        free = self.free_left if contact.foot == LEGS[0].tip else self.free_right
        return self.contacts and contact.first not in free


@dataclass(frozen=True)
class Key:
    """What was posed at one frame. hands: how the fingers are held there; None at rest.

    extra: keys of a newer or foreign file, kept.
    """

    frame: int
    pose: Pose
    base_pose: Pose
    effectors: tuple[Effector, ...] = ()
    preserve: Preserve = Preserve()
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    hands: Hands | None = None


@dataclass(frozen=True)
class SourceMotion:
    """A motion as it came from a file. shape: of the body that it was fitted to, whatever shape is shown now.

    hands: how the fingers are held beneath the keys, one way or frame by frame; None at rest. stride: how far its path
    over the floor is scaled about where it begins; 1 as it came. recorded: whether it was recorded here instead, from
    trackers or another stream, so that no file has it. footings: where feet are planted, of a motion that was cut or
    whose speed was changed; None: where they are found in it. ValueError where the hands have other frames than the
    motion, and for an impossible stride or footing.
    """

    motion: Motion
    shape: BodyShape
    hands: Hands | HandMotion | None = None
    stride: float = 1.0
    recorded: bool = False
    footings: tuple[FootContact, ...] | None = None

    def __post_init__(self) -> None:
        moving = self.moving_hands
        if moving is not None and len(moving) != len(self.motion):
            raise ValueError(f"the fingers have {len(moving)} frames, the motion {len(self.motion)}")
        if not 0.0 <= self.stride <= MOST_STRIDE:
            raise ValueError(f"a stride is 0 to {MOST_STRIDE:g}, not {self.stride}")
        if any(not 0 <= each.first <= each.last < len(self.motion) for each in self.footings or ()):
            raise ValueError("feet are planted within the motion")

    @property
    def moving_hands(self) -> HandMotion | None:
        """The hands frame by frame; None where they are held one way."""
        return self.hands if isinstance(self.hands, HandMotion) else None

    def hands_at(self, frame: int) -> Hands | None:
        """How the fingers are held at a frame; None at rest."""
        return self.hands.at(frame) if isinstance(self.hands, HandMotion) else self.hands

    def held(self, hands: Hands | HandMotion | None) -> SourceMotion:
        """This motion with the fingers held another way; contacts already found stay known."""
        return self._knowing(replace(self, hands=hands), "_contacts", "path", "corners")

    def strided(self, stride: float) -> SourceMotion:
        """This motion with another stride; contacts already found stay known, as they are found in it as it came."""
        return self if stride == self.stride else self._knowing(replace(self, stride=stride), "_contacts")

    def _knowing(self, other: SourceMotion, *names: str) -> SourceMotion:
        other.__dict__.update({name: self.__dict__[name] for name in names if name in self.__dict__})
        return other

    @property
    def knows_contacts(self) -> bool:
        """Whether `contacts` answers at once; for a long motion it takes seconds."""
        return self.footings is not None or "_contacts" in self.__dict__

    def contacts(self, body: str) -> tuple[FootContact, ...]:
        """Where feet are planted in it as it came, on that body; found once for each source."""
        if self.footings is not None:
            return self.footings
        if "_contacts" not in self.__dict__:
            self.__dict__["_contacts"] = foot_contacts_of(load_body(body).skeleton(self.shape), self.motion)
        found: tuple[FootContact, ...] = self.__dict__["_contacts"]
        return found

    @cached_property
    def path(self) -> FloatArray:
        """(F, 3) metres, where its root goes with its stride; the motion's own array where that is 1."""
        roots = self.motion.root_positions
        if self.stride == 1.0:
            return roots
        path, start = roots.astype(np.float64), roots[0, [0, 2]].astype(np.float64)
        path[:, [0, 2]] = start + self.stride * (path[:, [0, 2]] - start)
        scaled = path.astype(np.float32)
        read_only(scaled)
        return scaled

    @cached_property
    def corners(self) -> NDArray[np.floating]:
        """(8, 3) metres, the corners of the box within which its root moves."""
        roots = self.path
        return np.array(list(product(*zip(roots.min(axis=0), roots.max(axis=0), strict=True))))


@dataclass(frozen=True)
class Clip:
    """keys: in the order of their frames, at least one. fps: frames a second, the source's where there is one.

    frames: how many frames it has at least; a source motion has its own number, and keys beyond make it longer.
    between: how the frames between keys come about. extra: keys of a newer or foreign file, kept for the next save.
    solved: in-betweens as they were solved, shown where they still belong; they are solved again where missing, so
    clips that differ in nothing else are equal. ValueError for an impossible clip.
    """

    keys: tuple[Key, ...]
    source: SourceMotion | None = None
    placement: Placement = HERE
    fps: float = STILL_FPS
    frames: int = 1
    between: InBetween = InBetween()
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    solved: tuple[Span, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        frames = [key.frame for key in self.keys]
        if not frames:
            raise ValueError("a clip needs at least one key")
        if frames[0] < 0 or any(b <= a for a, b in pairwise(frames)):
            raise ValueError("keys must be in the order of their frames, one at each")
        if self.source is not None and (frames[-1] >= len(self.source.motion) or self.fps != self.source.motion.fps):
            raise ValueError("keys must lie within the source motion and share its rate")
        if not 1 <= len(self) <= MAX_FRAMES:
            raise ValueError(f"a clip has 1 to {MAX_FRAMES:,} frames")

    def __len__(self) -> int:
        return len(self.source.motion) if self.source is not None else max(self.keys[-1].frame + 1, self.frames)

    @property
    def ease(self) -> int:
        """Frames over which what a key adds fades: `between.ease_s` at the clip's rate, at least one."""
        return max(1, round(min(self.between.ease_s * self.fps, MAX_FRAMES)))

    def key(self, frame: int) -> Key | None:
        """The key at a frame, if there is one."""
        place = self._place(frame)
        return self.keys[place] if place < len(self.keys) and self.keys[place].frame == frame else None

    def keys_from(self, first: int, last: int) -> tuple[Key, ...]:
        """The keys at frames from the first to the last."""
        return self.keys[self._place(first) : self._place(last + 1)]

    def around(self, frame: int) -> tuple[Key | None, Key | None, Key | None, Key | None]:
        """The two keys before a frame without a key and the two behind it, in order; None where there are no more."""
        place, keys = self._place(frame), self.keys
        before, behind = (None, None, *keys[max(0, place - 2) : place]), (*keys[place : place + 2], None, None)
        return before[-2], before[-1], behind[0], behind[1]

    def _place(self, frame: int) -> int:
        return bisect_left(self.keys, frame, key=lambda key: key.frame)

    def nearest(self, frame: int) -> Key:
        """The key nearest to a frame, the earlier of two."""
        return min(self.keys, key=lambda key: (abs(key.frame - frame), key.frame))

    def with_key(self, key: Key) -> Clip:
        """The clip with that key, in place of another one at its frame."""
        others = (other for other in self.keys if other.frame != key.frame)
        return replace(self, keys=tuple(sorted((*others, key), key=lambda each: each.frame)))

    def without_key(self, frame: int) -> Clip:
        """The clip without its key at a frame. PoserError if there is none, or no other key."""
        others = tuple(key for key in self.keys if key.frame != frame)
        if not others or len(others) == len(self.keys):
            raise PoserError(f"Frame {frame + 1} has no key that could be removed; a motion keeps at least one.")
        return replace(self, keys=others)

    def placed(self, placement: Placement) -> Clip:
        """The clip at another place; nothing of it is copied. PoserError beyond what a scene can hold."""
        return self if self.placement == placement else replace(self, placement=placement).within_bounds()

    def within_bounds(self) -> Clip:
        """The clip itself. PoserError if it reaches beyond what a scene can hold."""
        placement = self.placement
        points = [p.root_position for key in self.keys for p in (key.pose, key.base_pose)]
        points += [e.target for key in self.keys for e in key.effectors if not isinstance(e, TurnEffector)]
        too_far = _farthest(placement, np.array(points)) > FARTHEST_M
        if too_far or (self.source is not None and _farthest(placement, self.source.corners) > FARTHEST_ROOT_M):
            raise PoserError(f"That would be about {FARTHEST_M / 1e3:,.0f} km from the origin. Keep it nearer.")
        return self


def _farthest(placement: Placement, points: NDArray[np.floating]) -> float:
    return float(np.abs(placement.points(points)).max())


def still(pose: Pose, base_pose: Pose, effectors: tuple[Effector, ...] = (), preserve: Preserve | None = None) -> Clip:
    """The clip that holds one pose."""
    return Clip((Key(0, pose, base_pose, effectors, preserve or Preserve()),))
