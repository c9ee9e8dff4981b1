"""Hands of somebody who sits, of which nothing is asked, lean to where they are proposed: on thighs, a wheel or a box.

A trunk that leans would take them along, over whatever they rest on, and they would slip off or past it all at once.
The lean is soft: trunks go where they are pulled, and arms that are too short for it follow. Once the seat is let go
of, the body goes on from the pose shown, hands with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.stance.idle_limbs import idle_limbs
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, Role

HELD = Strength(20.0, 2.0)
AT_HEAD = (0.25, 0.35)  # metres from the head: up to the first a hand is at the chin, and both arms go with it


def hand_leans(skeleton: Skeleton, effectors: Sequence[Effector], proposal: Pose) -> tuple[Lean, ...]:
    """Of each wrist of whose arm nothing is asked, to its place in the proposal of somebody who sits; the less, the
    nearer a hand is to the head, on which both arms then rest."""
    rig, places = rig_of(skeleton), forward_kinematics(skeleton, proposal).positions
    idle = {line[-1] for line in idle_limbs(skeleton, effectors)}
    arms = [joints_with(rig, arm.joints) for arm in ARMS if not rig.lacking(arm.joints)]
    wrists = [line[-2] for line in arms if line[-1] in idle]
    near = places[list(joints_with(rig, [Role.HEAD]))][:, None] - places[[line[-2] for line in arms]]
    share = eased_between(float(np.linalg.norm(near, axis=2).min(initial=1.0)), *AT_HEAD)
    strength = HELD.times(share)
    return tuple(Lean(Position(skeleton.names[j], places[j]), strength) for j in wrists) if share > 0.0 else ()
