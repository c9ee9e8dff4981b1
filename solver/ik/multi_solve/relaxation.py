"""How far ties of a figure to its own body go in a round, as told by how their targets answered in the round before.

A hand that goes all the way to its own belly may push it away, and swing about it for ever. If it goes half the way,
one on a shin that stays takes five rounds. As in Aitken's relaxation, it goes to where it would meet its target if that
went on as it did in the last round; not beyond where the target is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT

LEAST = 0.5  # of the usual share, which is gone in any case
STEPPED = 1e-4  # metres: after a shorter step, nothing is told by where a target has gone


class LastRound(NamedTuple):
    """What an effector was asked, in the round before last and in the last one; sought: what its source asked for then,
    before it went only part of that way."""

    before: Effector
    asked: Effector
    sought: Effector


def share_of_way(usual: float, last: LastRound | None, now: Effector) -> float:
    """The share 0..1 of the way from where an effector was asked last to `now` that it goes.

    usual: the share where nothing tells it. last: None if there were no such rounds.
    """
    if last is None or now.form != POINT:
        return usual
    step = last.asked.target.astype(np.float64) - last.before.target
    if np.linalg.norm(step) < STEPPED:
        return usual
    answered = float((now.target - last.sought.target) @ step) / float(step @ step)
    return float(np.clip(1.0 / max(1.0 - answered, 1.0), LEAST * usual, 1.0))
