"""What a curve is, and what can be drawn as curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SPEED, FEET, PLACE, MISS = "speed", "feet", "place", "miss"
SHOWN = (SPEED, FEET, PLACE, MISS)


class CurveRequest(NamedTuple):
    """What to draw. what: one of SHOWN. joint: the one whose speed is shown. effector: the id of the one followed."""

    what: str = SPEED
    joint: str = ""
    effector: str = ""


@dataclass(frozen=True, eq=False)
class Line:
    """One curve over the F frames of a clip.

    after: (F,) of the motion as shown. before: (F,) of what it is compared with, None if there is nothing. NaN where
    there is nothing to say.
    """

    name: str
    after: Array
    before: Array | None = None


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of one unit. spans: (line, first frame, last frame) where something holds, such as a foot on the floor.

    names: what `before` and `after` are called where both are shown.
    lacks: why there is nothing to draw, and what to do, in a sentence; "" where there is something.
    """

    unit: str = ""
    lines: tuple[Line, ...] = ()
    spans: tuple[tuple[int, int, int], ...] = ()
    names: tuple[str, str] = ("before", "after")
    lacks: str = ""
