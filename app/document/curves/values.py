"""What a curve is, and what can be drawn as curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SPEED, FEET, PLACE, MISS = "speed", "feet", "place", "miss"
SHOWN = (SPEED, FEET, PLACE, MISS)


class Wanted(NamedTuple):
    """What is to be drawn. what: one of SHOWN. joint: whose speed. effector: the id of the one that is followed."""

    what: str = SPEED
    joint: str = ""
    effector: str = ""


@dataclass(frozen=True, eq=False)
class Line:
    """One curve over the F frames of a clip.

    after: (F,) as the motion is shown, before: (F,) as what it is compared with is, None without that; NaN where there
    is nothing to say.
    """

    name: str
    after: Array
    before: Array | None = None


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of one unit. spans: which line, from which frame to which, where something holds, as a foot on the floor.

    names: what `before` and `after` are called where they are told apart.
    lacks: a sentence that says why there is nothing to draw, and what to do; "" where there is something.
    """

    unit: str = ""
    lines: tuple[Line, ...] = ()
    spans: tuple[tuple[int, int, int], ...] = ()
    names: tuple[str, str] = ("before", "after")
    lacks: str = ""
