"""The lanes of a timeline from top to bottom, and what the pointer is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.panels.timeline.marks import Marks
from app.panels.timeline.scale import Scale
from app.services.clock import Clock

RANGE, RULER, KEYS, OTHERS, FOOT, SCROLL = 9.0, 21.0, 26.0, 12.0, 6.0, 8.0  # heights in pixels
GRIP, REACH = 6.0, 7.0  # pixels to both sides of a range's end, and of a key
SLACK = 1.5  # likewise, of a foot's bar

Part = Literal["range", "range first", "range last", "ruler", "key", "keys", "foot", "feet", "scroll", ""]


@dataclass(frozen=True)
class Lanes:
    """Where each lane begins, in pixels from the top; a lane of no height is absent."""

    ruler: float
    keys: float
    others: float
    feet: float
    scroll: float
    height: float


@dataclass(frozen=True)
class TimelineHit:
    """What is at a place. frame: of a key, in its own clip; for a foot's bar, its number among the contacts."""

    part: Part = ""
    frame: int = 0


def lanes_of(marks: Marks) -> Lanes:
    """The lanes that these marks need, or those of another person or prop of the scene would."""
    ruler = RANGE
    keys = ruler + RULER
    others = keys + KEYS
    feet = others + (OTHERS if marks.others or marks.room_beside else 0.0)
    scroll = feet + (2 * FOOT + 2 if marks.contacts or marks.room_for_feet else 0.0)
    return Lanes(ruler, keys, others, feet, scroll, scroll + SCROLL)


def hit_test(x: float, y: float, lanes: Lanes, scale: Scale, marks: Marks, clock: Clock) -> TimelineHit:
    """What is at a place of the timeline, in pixels. Of two keys, the nearer one."""
    if y < lanes.ruler:
        first, last = scale.x(clock.first), scale.x(clock.last)
        if abs(x - last) <= GRIP and abs(x - last) <= abs(x - first):
            return TimelineHit("range last")
        if abs(x - first) <= GRIP:
            return TimelineHit("range first")
        return TimelineHit("range" if first < x < last else "ruler")
    if y < lanes.keys:
        return TimelineHit("ruler")
    if y >= lanes.scroll:
        return TimelineHit("scroll" if not scale.whole else "ruler")
    if y >= lanes.feet:
        return _foot(x, int(y >= lanes.feet + FOOT), scale, marks)
    near = min(marks.keys, key=lambda key: abs(scale.x(key[1]) - x), default=None)
    if y < lanes.others and near is not None and abs(scale.x(near[1]) - x) <= REACH:
        return TimelineHit("key", near[0])
    return TimelineHit("keys")


def _foot(x: float, foot: int, scale: Scale, marks: Marks) -> TimelineHit:
    for number, (which, first, last) in enumerate(marks.contacts):
        if which == foot and scale.x(first) - SLACK <= x <= scale.x(last) + SLACK:
            return TimelineHit("foot", number)
    return TimelineHit("feet")
