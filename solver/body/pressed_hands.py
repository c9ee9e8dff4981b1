"""Hands pressed on something flat: fingers straight, and the thumb beside the palm, not below it."""

from __future__ import annotations

import numpy as np

from solver.body.body import Body
from solver.body.fingers import hands_of, hinges_of
from solver.body.hands import Hands
from solver.memoise import memoised

_ANGLES = ((-45, 6, 4, 0), (5, -2, 0, 0), (6, 0, 0, 0), (6, -3, 0, 0), (5, -7, 0, 0))  # as in `hand_presets`


@memoised(4)
def pressed_hands(body: Body) -> Hands:
    """Both hands pressed on something flat, on a body's hinges."""
    angles = np.array(_ANGLES, np.float64)
    return hands_of(np.stack([angles, angles]), hinges_of(body))
