"""Sixteen ways to hold a hand that artists ask for."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from solver.body.body import Body
from solver.body.fingers import hands_of, hinges_of
from solver.body.hands import Hands, relaxed_hands
from solver.memoise import memoised

Angles = tuple[float, float, float, float]  # of a finger, degrees, see `solver.body.fingers`


@dataclass(frozen=True)
class HandPreset:
    """A way to hold a hand. fingers: from the thumb to the little finger; none for the one of `relaxed_hands`."""

    id: str
    title: str
    fingers: tuple[Angles, ...] = ()


_FOLDED = ((82, -4, 104, 66), (86, 0, 106, 66), (88, -6, 106, 64), (88, -10, 104, 62))  # the four of a fist
_POSED: dict[str, tuple[Angles, ...]] = {
    "Relaxed": (),
    "Flat": ((-20, -36, 4, 0), (0, -9, 0, 0), (0, 0, 0, 0), (0, -9, 0, 0), (0, -17, 0, 0)),
    "Spread": ((-25, 10, 4, 0), (-4, 15, 0, 0), (-4, 2, 0, 0), (-4, 11, 0, 0), (-4, 18, 0, 0)),
    "Cupped": ((26, -24, 16, 14), (40, -9, 20, 10), (44, 0, 22, 10), (46, -9, 24, 12), (48, -16, 26, 14)),
    "Fist": ((22, -7, 44, 66), *_FOLDED),
    "Loose fist": ((5, -17, 28, 34), (52, -4, 74, 36), (58, 0, 80, 40), (62, -6, 84, 42), (64, -10, 84, 42)),
    "Point": ((19, -13, 42, 60), (4, 0, 4, 2), *_FOLDED[1:]),
    "Thumbs up": ((-46, 16, -2, -10), *_FOLDED),
    "Peace": ((26, -25, 41, 57), (0, 12, 2, 0), (0, -10, 2, 0), (84, -6, 104, 62), (86, -10, 104, 60)),
    "OK": ((18, -5, 30, 30), (56, -5, 61, 32), (18, 0, 14, 6), (8, 2, 10, 4), (-2, 8, 8, 2)),
    "Pinch": ((22, -13, 19, 20), (58, -4, 48, 25), (50, 0, 52, 28), (48, -5, 52, 28), (44, -8, 48, 26)),
    "Claw": ((0, 8, 20, 50), (-8, 8, 70, 50), (-8, 0, 74, 52), (-8, 6, 74, 52), (-8, 12, 70, 50)),
    "Grip thick": ((30, -2, 24, 30), (44, -2, 46, 28), (46, 0, 48, 30), (48, -4, 50, 30), (50, -7, 50, 30)),
    "Grip thin": ((27, 16, 42, 80), (68, -4, 82, 44), (72, 0, 86, 46), (76, -6, 88, 46), (78, -10, 86, 46)),
    "Holding a phone": ((18, 8, 8, 4), (20, -4, 30, 14), (32, 0, 40, 24), (38, -5, 46, 28), (42, -9, 48, 30)),
    "Holding a cup": ((34, 6, 16, 16), (34, -7, 32, 18), (36, 0, 34, 20), (38, -7, 36, 20), (40, -13, 38, 22)),
}
HAND_PRESETS = MappingProxyType(
    {
        id: HandPreset(id, title, fingers)
        for title, fingers in _POSED.items()
        for id in [title.lower().replace(" ", "_")]
    }
)


@memoised(64)
def preset_hands(id: str, body: Body) -> Hands:
    """Both hands held as a preset says, on a body's hinges. KeyError for another id."""
    angles = np.array(HAND_PRESETS[id].fingers)
    return hands_of(np.stack([angles, angles]), hinges_of(body)) if len(angles) else relaxed_hands()
