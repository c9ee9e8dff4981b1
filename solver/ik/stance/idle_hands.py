"""Hands of somebody who sits, of which nothing is asked, lean to where they are proposed: on thighs, a wheel or a box.

A trunk that leans would take them along, over whatever they rest on, and they would slip off or over it all at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.stance.idle_limbs import idle_limbs
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS
import os
HELD = Strength(*map(float, os.environ.get("HELD", "10,3").split(",")))


def hand_leans(skeleton: Skeleton, effectors: Sequence[Effector], proposal: Pose, share: float) -> tuple[Lean, ...]:
    """Of each wrist whose arm nothing is asked of, to its place in the proposal. share: how firmly, 0..1."""
    if share <= 0.0:
        return ()
    ends = {line[-1] for line in idle_limbs(skeleton, effectors)}
    rig = rig_of(skeleton)
    lines = [joints_with(rig, arm.joints) for arm in ARMS if not rig.lacking(arm.joints)]
    places = forward_kinematics(skeleton, proposal).positions
    wrists = [joints_with(rig, [arm.end])[0] for arm, line in zip(ARMS, lines) if line[-1] in ends]
    return tuple(Lean(Position(skeleton.names[j], places[j]), HELD.times(share)) for j in wrists)
