"""What edits of keys have in common, be they a person's or a prop's: which keys there are, and where copies of them go.

Frames are counted from 0; messages count from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from solver.errors import PoserError
from solver.size_limits import MAX_FRAMES

FASTEST = 1000.0  # frames a second


class Framed(Protocol):
    """A key."""

    @property
    def frame(self) -> int:
        """Where it is."""
        ...


K = TypeVar("K", bound=Framed)
Carry = Callable[[K, int], K]  # a key as it is at another frame


def keys_at(name: str, keys: Sequence[K], frames: Iterable[int]) -> Mapping[int, K]:
    """By frame, the keys at these frames; PoserError where there is none. name: whose they are, for the message."""
    there, found = {key.frame: key for key in keys}, dict[int, K]()
    for frame in frames:
        if frame not in there:
            raise PoserError(f"“{name}” has no key at frame {frame + 1:,}.")
        found[frame] = there[frame]
    return found


def check_frames(name: str, count: int, frames: Iterable[int]) -> None:
    """PoserError for a frame outside a clip of `count` frames."""
    for frame in frames:
        if not 0 <= frame < count:
            raise PoserError(
                f"Frame {frame + 1:,} is outside the clip of “{name}”, which has {count:,} "
                f"{'frame' if count == 1 else 'frames'}. Keep keys within it, or make it longer."
            )


def with_copies(keys: Sequence[K], chosen: Mapping[int, K], by: int, keep: bool, carry: Carry[K]) -> tuple[K, ...]:
    """All keys with copies of those chosen so many frames on. keep: whether the originals stay. A copy that lands on a
    key takes its place."""
    after = {key.frame: key for key in keys if keep or key.frame not in chosen}
    return joined(after.values(), (carry(key, frame + by) for frame, key in chosen.items()))


def joined(keys: Iterable[K], more: Iterable[K]) -> tuple[K, ...]:
    """The keys in the order of their frames; at one frame, the one that came last."""
    all = {key.frame: key for each in (keys, more) for key in each}
    return tuple(all[frame] for frame in sorted(all))


def at_speed(keys: Iterable[K], count: int, frames: int, carry: Carry[K]) -> tuple[K, ...]:
    """The keys of a clip of `count` frames when it goes over in so many instead; of those that come to one frame, the
    last. PoserError for an impossible number of frames."""
    if not 2 <= frames <= MAX_FRAMES:
        raise PoserError(f"A motion has 2 to {MAX_FRAMES:,} frames, not {frames:,}.")
    return joined((), (carry(key, frame_at_speed(key.frame, count, frames)) for key in keys))


def frame_at_speed(frame: int, count: int, frames: int) -> int:
    """Where a frame of a clip of `count` frames, two or more, is when that goes over in so many instead."""
    return round(frame * (frames - 1) / (count - 1))


def check_rate(fps: float) -> None:
    """PoserError for an impossible number of frames a second."""
    if not 0 < fps <= FASTEST:
        raise PoserError(f"A motion has up to {FASTEST:g} frames a second, not {fps:g}.")


def check_length(frames: int, last: int) -> None:
    """PoserError for an impossible number of frames, or one that would cut off the key at frame `last`."""
    if not 1 <= frames <= MAX_FRAMES:
        raise PoserError(f"A motion has 1 to {MAX_FRAMES:,} frames, not {frames:,}.")
    if frames <= last:
        raise PoserError(
            f"There is a key at frame {last + 1:,}. Move or delete it first, or keep at least that many frames."
        )
