"""Hanging hands that have come down to the floor stay where they are on it, from one small step of a drag to the next.

An arm that hangs from a trunk which is bent down to the legs is longer than it has room for, and lies folded on the
floor. Nothing says how, and with each centimetre that the trunk goes it slid into another fold: by up to 15 cm.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.effectors.kinds import Position
from solver.ik.stance.idle_limbs import arms_of
from solver.ik.stance.leans import Lean, Strength
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

DOWN_M = (0.1, 0.15)  # of the lower one of wrist and hand above the floor: up to the first it rests there
SMALL_M = (0.05, 0.15)  # metres that what is asked moves: up to the first, a hand that rests stays where it is
RESTING = Strength(100.0, 7.0)


def resting_hand_leans(skeleton: Skeleton, hanging: Sequence[Lean], shown: Pose, moved_m: float) -> tuple[Lean, ...]:
    """Leans of the wrist, to where it is shown, of each arm that leans to hang and has come down to the floor.

    hanging: leans of the shoulders of arms. moved_m: metres by which what is asked has moved since that pose.
    """
    near = 1.0 - eased_between(moved_m, *SMALL_M)
    hang = {skeleton.index(lean.effector.joint) for lean in hanging} if near > 0.0 else set[int]()
    leans = list[Lean]()
    for line in arms_of(skeleton) if hang else ():
        if line[-4] not in hang:
            continue
        places, wrist = forward_kinematics(skeleton, shown).positions, line[-2]
        share = near * (1.0 - eased_between(float(places[line[-2:], 1].min()), *DOWN_M))
        if share > 0.0:
            leans.append(Lean(Position(skeleton.names[wrist], places[wrist].astype(np.float32)), RESTING.times(share)))
    return tuple(leans)
