"""What brings a body's weight over its support: the trunk moves along the floor, and limbs stand meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.contact.weight_shift import Balancing
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT, TURN
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.leans import Lean, Strength, joints_asked, joints_with
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import nearest_rotation
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS, Role

CARRIES = (Role.PELVIS, Role.SPINE3)  # most of the weight goes with them
# No harder than effectors pull when out of reach, else an arm that goes straight would let go of its target.
STRICTLY, MILDLY = Strength(300.0, 10.0), Strength(60.0, 5.0)
STANDS, KEEPS_TURN = Strength(3e4, 200.0), Strength(1e3, 20.0)


def trunk_leans(
    skeleton: Skeleton,
    effectors: Sequence[Effector],
    world: WorldJoints,
    balancing: Balancing,
    by: NDArray[np.float64],
) -> tuple[Lean, ...]:
    """The trunk's places moved along the floor, except a part of it that lies there or has been given a place. by: (2,)
    metres, x and z."""
    placed, bears = joints_asked(skeleton, effectors, POINT), balancing.weights_borne(world)
    strength = STRICTLY if balancing.strict else MILDLY
    shift = np.array([by[0], 0.0, by[1]], np.float32)
    return tuple(
        Lean(Position(skeleton.names[j], world.positions[j] + shift), strength.times(1.0 - bears.get(j, 0.0)))
        for j in joints_with(rig_of(skeleton), CARRIES)
        if j not in placed and bears.get(j, 0.0) < 1.0
    )


def support_leans(
    skeleton: Skeleton, effectors: Sequence[Effector], world: WorldJoints, balancing: Balancing
) -> tuple[Lean, ...]:
    """Hands, feet and knees on the floor where they are and turned as they are, as far as they bear and nothing else is
    asked of them."""
    placed, turned = (joints_asked(skeleton, effectors, form) for form in (POINT, TURN))
    limbs = joints_with(rig_of(skeleton), [role for limb in LIMBS for role in limb.joints])
    leans = []
    for j, bears in balancing.weights_borne(world).items():
        share = max(0.0, 2.0 * bears - 1.0)  # a shin beside a foot is near the floor as well, and has to turn
        if share <= 0.0:
            continue
        if j in limbs and j not in placed:
            leans.append(Lean(Position(skeleton.names[j], world.positions[j]), STANDS.times(share)))
        if j in limbs and j not in turned:
            turn = nearest_rotation(world.rotations[j]).astype(np.float32)
            leans.append(Lean(Rotation(skeleton.names[j], turn), KEEPS_TURN.times(share)))
    return tuple(leans)
