"""Where the targets of a figure's own ties go: in a drag on as in its last step, in a round as the last one tells.

A hand on a thigh has to know where the thigh will be before its owner is solved. What carries the thigh tells only half
of it: with a knee on the floor, it turns about the knee. From one step to the next it goes on in the same way.

A hand that goes all the way to its own belly may push it away, and swing about it for ever. If it goes half the way,
one on a shin that stays takes five rounds. As in Aitken's relaxation, it goes to where it would meet its target if that
went on as it did in the last round; not beyond where the target is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.effectors.sources import Tie
from solver.ik.memory import Memory, SettledMemory, TieMotion
from solver.ik.multi_solve.drag_return import dragged_ways
from solver.kinematics.rigid_motion import RigidMotion

TIMES = 2.0  # as long as the last step at most, or what is true of that one may not be of this one
LEVER = 3.0  # times as far as what is dragged: a target that has gone further has jumped
STEP = 0.05  # metres that a target goes on at most
LEAST = 0.5  # of the usual share of a round's way, which is gone in any case
STEPPED = 1e-4  # metres: after a shorter round, nothing is told by where a target has gone


def tie_motion_of(id: str, memory: Memory, effectors: tuple[Effector, ...]) -> TieMotion | None:
    """How what is asked now has moved since the memory; None where not just one effector has been dragged."""
    ways = dragged_ways(memory, effectors)
    if len(ways) != 1 or not isinstance(memory, SettledMemory):
        return None
    ((dragged, by),) = ways.items()
    then = {e.id: e.target for e in memory.record.problem.effectors if _is_own(id, e)}
    moved = {e.id: e.target - then[e.id] for e in effectors if _is_own(id, e) and e.id in then}
    return TieMotion(dragged, by, moved) if moved else None


def with_targets_going_on(
    id: str, effectors: tuple[Effector, ...], carried: tuple[Effector, ...], memory: Memory
) -> tuple[Effector, ...]:
    """A figure's resolved effectors, the targets of its own ties where they come to be if they go on as they went;
    where nothing tells that, as `carried` has them."""
    motion = memory.tie_motion if isinstance(memory, SettledMemory) else None
    way = None if motion is None else dragged_ways(memory, effectors).get(motion.dragged)
    if motion is None or way is None:
        return carried
    length = float(np.linalg.norm(motion.by))
    times = float(motion.by @ way) / length**2
    if abs(times) > TIMES or np.linalg.norm(way - times * motion.by) > abs(times) * length:
        return carried

    def there(effector: Effector, carried: Effector) -> Effector:
        gone = motion.ways.get(effector.id) if _is_own(id, effector) else None
        if gone is None or np.linalg.norm(gone) > LEVER * length or np.linalg.norm(times * gone) > STEP:
            return carried
        return effector.moved_by(RigidMotion.move(times * gone))

    return tuple(map(there, effectors, carried))


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


def _is_own(id: str, effector: Effector) -> bool:
    return effector.is_active and isinstance(effector.source, Tie) and effector.source.character == id
