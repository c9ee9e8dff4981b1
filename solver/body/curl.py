"""Curl and spread: a few numbers from 0 to 1 by which fingers are bent, and what a number does to each joint.

The nearest number is read off any hand, and setting it keeps how the hand differs from that: a claw that is curled
further stays a claw, and is a fist when it is curled all the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.body.finger_chain import Array
from solver.body.fingers import ASIDE, FIRST, HIGHEST, LAST, LOWEST, MIDDLE

FOUR = (1, 2, 3, 4)  # all but the thumb


@dataclass(frozen=True)
class FingerTravel:
    """A way in which fingers move. law: (5, 4) degrees at 1; at 0 they are 0. least: the lowest number."""

    law: Array
    least: float

    def of(self, angles: Array, sides: Sequence[int], fingers: Sequence[int]) -> float:
        """The number for these fingers together, from angles (2, 5, 4); the mean of the sides."""
        law = self.law[list(fingers)]
        found = [np.sum(angles[side][list(fingers)] * law) / np.sum(law**2) for side in sides]
        return float(np.clip(np.mean(found), self.least, 1.0))

    def to(self, angles: Array, sides: Sequence[int], fingers: Sequence[int], number: float) -> Array:
        """(2, 5, 4) degrees with these fingers moved to a number, within what joints reach."""
        some, number = list(fingers), float(np.clip(number, self.least, 1.0))
        law, moved = self.law[some], np.array(angles)
        for side in sides:
            was = self.of(angles, [side], fingers)
            end = 1.0 if number > was else self.least
            kept = (end - number) / (end - was) if number != was else 1.0
            apart = angles[side][some] - was * law
            moved[side][some] = np.where(law != 0, number * law + kept * apart, angles[side][some])
        return np.clip(moved, LOWEST, HIGHEST)


def _law(**degrees: Sequence[float]) -> Array:
    """(5, 4) of five numbers for each joint."""
    law = np.zeros((5, 4))
    for name, of_fingers in degrees.items():
        law[:, {"first": FIRST, "aside": ASIDE, "middle": MIDDLE, "last": LAST}[name]] = of_fingers
    return law


CURL = FingerTravel(_law(first=(0, 85, 87, 88, 88), middle=(50, 104, 106, 106, 104), last=(70, 66, 66, 64, 62)), -0.2)
SPREAD = FingerTravel(_law(aside=HIGHEST[:, ASIDE]), -0.8)
ACROSS = FingerTravel(_law(first=(HIGHEST[0, FIRST], 0, 0, 0, 0)), -1.0)
# All four spread; the middle one stays.
FAN = FingerTravel(_law(aside=(0, 16, 0, 13, 22)), -0.8)
