"""A prop over time: keys that say where it is at their frames. A prop without a clip is at one place throughout.

At a key's frame it is exactly where the key says. Between keys its place follows the curve that targets of effectors
follow, its turn the smooth way that joints take; before the first key and after the last it stays. What somebody
carries between two keys goes a way of its own there, found from theirs (`CarriedWay`). Keys are in the world: a prop is
moved, not carried by a placement.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import EMPTY, STILL_FPS
from app.document.model.spans import SpanInputs
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import nearest_rotation
from solver.size_limits import FARTHEST_M, MAX_FRAMES
from solver.values import ArrayValue, FloatArray, frozen_array

STAYS_M, STAYS = 1e-4, 1e-4  # metres, and entries of a turn: what is moved by less stays where it is
_READ = "_read"  # beside a clip's fields: the frame read last, and where the prop is there


def slot_of(prop_id: str) -> str:
    """What a prop's frame goes by in `Document.frames`; people's frames go by their ids."""
    return f"prop {prop_id}"


class Spot(NamedTuple):
    """Where a prop is. place: (3,) metres, the middle of its base. turn: (3, 3) R_world_prop."""

    place: FloatArray
    turn: FloatArray


@dataclass(frozen=True, eq=False)
class PropKey(ArrayValue):
    """Where a prop is at one frame; see `Spot`. extra: keys of a newer or foreign file, kept."""

    frame: int
    place: FloatArray
    turn: FloatArray
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", frozen_array(self.place, (3,), "place"))
        object.__setattr__(self, "turn", frozen_array(self.turn, (3, 3), "turn"))
        if np.abs(self.place).max() > FARTHEST_M:
            raise ValueError(f"a prop is within {FARTHEST_M / 1e3:,.0f} km of the origin")

    def stays_until(self, later: PropKey) -> bool:
        """Whether the prop is at the same place at a later key, and turned the same way."""
        same_place = np.abs(self.place - later.place).max() <= STAYS_M
        return bool(same_place and np.abs(self.turn - later.turn).max() <= STAYS)

    @property
    def spot(self) -> Spot:
        """Where the prop is there."""
        return Spot(self.place, self.turn)


class Throw(NamedTuple):
    """How hands go as they throw something. speed: (3,) m/s. arm: (3,) metres from the shoulder to the hand then."""

    speed: NDArray[np.float64]
    arm: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CarriedWay:
    """Where a prop goes between two keys at which the same person carries it, or as it is thrown. first: that of the
    first place.

    places: (N, 3) metres. turns: (N, 3, 3) R_world_prop. keys: the prop's own two before it and two behind it, None
    where there are no more; with others it is not shown. made_of: what else it depends on.
    throw: how it is thrown; None if it is carried.
    """

    first: int
    places: NDArray[np.float64]
    turns: NDArray[np.float64]
    keys: tuple[PropKey | None, ...]
    made_of: SpanInputs
    throw: Throw | None = None

    def of(self, frames: NDArray[np.integer]) -> tuple[NDArray[np.bool_], NDArray[np.integer]]:
        """Which of some frames are within it, and which of its places those have."""
        inside = (frames >= self.first) & (frames < self.first + len(self.places))
        return inside, frames[inside] - self.first


@dataclass(frozen=True)
class PropClip:
    """keys: in the order of their frames, at least one. fps: frames a second. frames: how many it has at least; a key
    beyond makes it longer. extra: keys of a newer or foreign file. ways: of what is carried between keys, found from
    who carries it; not saved. ValueError for an impossible clip."""

    keys: tuple[PropKey, ...]
    fps: float = STILL_FPS
    frames: int = 1
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    ways: tuple[CarriedWay, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        frames = [key.frame for key in self.keys]
        if not frames:
            raise ValueError("the clip of a prop needs at least one key")
        if frames[0] < 0 or any(b <= a for a, b in pairwise(frames)):
            raise ValueError("keys must be in the order of their frames, one at each")
        if not 1 <= len(self) <= MAX_FRAMES:
            raise ValueError(f"a clip has 1 to {MAX_FRAMES:,} frames")

    def __len__(self) -> int:
        return max(self.keys[-1].frame + 1, self.frames)

    def key(self, frame: int) -> PropKey | None:
        """The key at a frame, if there is one."""
        place = bisect_left(self.keys, frame, key=lambda key: key.frame)
        return self.keys[place] if place < len(self.keys) and self.keys[place].frame == frame else None

    def frame_at(self, time_s: float) -> int:
        """The frame nearest to a time in seconds; the first or the last where the clip does not reach it."""
        return self.within(round(time_s * self.fps))

    def within(self, frame: int) -> int:
        """The frame, or the first or the last one where it is outside."""
        return min(max(frame, 0), len(self) - 1)

    def at(self, frame: int) -> Spot:
        """Where the prop is at a frame; the same object when asked again for it."""
        key = self.key(frame)
        if key is not None:
            return key.spot
        read: tuple[int, Spot] | None = self.__dict__.get(_READ)
        if read is None or read[0] != frame:
            places, turns = self.over(np.array([frame]))
            spot = Spot(frozen_array(places[0], (3,), "place"), frozen_array(turns[0], (3, 3), "turn"))
            read = self.__dict__[_READ] = (frame, spot)
        return read[1]

    def over(self, frames: NDArray[np.integer]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where the prop is at frames (N,): places (N, 3) metres and turns (N, 3, 3) R_world_prop."""
        times = [key.frame for key in self.keys]
        places = curve_through(times, np.stack([key.place for key in self.keys]), frames)
        turns = rotation_curve_through(times, np.stack([key.turn for key in self.keys]), frames)
        for way in self.ways:
            if all(a is b for a, b in zip(way.keys, self.around(way.first), strict=True)):
                inside, own = way.of(frames)
                places[inside], turns[inside] = way.places[own], way.turns[own]
        return places.astype(np.float64), turns.astype(np.float64)

    def around(self, frame: int) -> tuple[PropKey | None, ...]:
        """The two keys before a frame without a key and the two behind it, None where there are no more."""
        place, keys = bisect_left(self.keys, frame, key=lambda key: key.frame), self.keys
        before, behind = (None, None, *keys[max(place - 2, 0) : place]), (*keys[place : place + 2], None, None)
        return (*before[-2:], *behind[:2])

    def with_key(self, key: PropKey) -> PropClip:
        """The clip with that key, in place of another one at its frame."""
        others = (other for other in self.keys if other.frame != key.frame)
        return self.with_keys((*others, key))

    def with_keys(self, keys: Iterable[PropKey]) -> PropClip:
        """The clip with these keys, in any order, and as long as it is."""
        return replace(self, keys=tuple(sorted(keys, key=lambda key: key.frame)), frames=len(self))

    def carried(self, way: RigidMotion) -> PropClip:
        """Moved and turned as a whole."""

        def there(key: PropKey) -> PropKey:
            turn = nearest_rotation(way.rotations(key.turn)) if way.turns else key.turn
            return replace(key, place=way.points(key.place.astype(np.float64)), turn=turn)

        return self._each(there)

    def pushed(self, eye: NDArray[np.float64], times: float) -> PropClip:
        """So many times as far from `eye` (3,) metres."""
        return self._each(lambda key: replace(key, place=(eye + times * (key.place - eye)).astype(np.float32)))

    def _each(self, change: Callable[[PropKey], PropKey]) -> PropClip:
        return replace(self, keys=tuple(map(change, self.keys)))


def changed_frames(before: PropClip | None, after: PropClip | None) -> frozenset[int]:
    """The frames at which a prop has another key than before, or one of the two has none."""
    then, now = ({key.frame: key for key in clip.keys} if clip is not None else {} for clip in (before, after))
    return frozenset(frame for frame in then.keys() | now.keys() if then.get(frame) is not now.get(frame))
