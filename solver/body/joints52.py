"""SMPL-H's 52 joints: the 22 of the body, then 15 of each hand; and how they fold into SMPL's 24."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS

BODY_22 = SMPL_JOINTS[:22]
_FINGERS = ("index", "middle", "pinky", "ring", "thumb")

JOINTS_52: tuple[str, ...] = (
    *BODY_22,
    *(f"{side}_{finger}{i}" for side in ("left", "right") for finger in _FINGERS for i in (1, 2, 3)),
)
PARENTS_52: tuple[int, ...] = (
    *SMPL_PARENTS[:22],
    *(
        (SMPL_JOINTS.index(f"{side}_wrist") if i == 0 else 22 + 15 * s + 3 * f + i - 1)
        for s, side in enumerate(("left", "right"))
        for f in range(5)
        for i in range(3)
    ),
)
# SMPL's left_hand and right_hand stand at the middle finger's knuckle.
HAND_JOINTS: tuple[int, int] = (JOINTS_52.index("left_middle1"), JOINTS_52.index("right_middle1"))
JOINTS_24_OF_52: tuple[int, ...] = (*range(22), *HAND_JOINTS)


def fold_weights(weights: NDArray[np.floating], hands: tuple[slice, slice]) -> NDArray[np.floating]:
    """(V, J) weights of a model with fingers -> (V, 24): the body's 22, then each hand's fingers as one joint.

    hands: the columns of the left and of the right hand's finger joints.
    """
    fingers = [weights[:, hand].sum(axis=1, keepdims=True) for hand in hands]
    return np.concatenate([weights[:, :22], *fingers], axis=1)
