"""How much is kept of the base pose: the four modes in which SKEL-IK is measured, as presets; all between is allowed.

SKEL-IK, section 5.1. Beware of the paper's names: its C_FK is *keep place*, its C_IK is *keep shape*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.values import FloatArray

LEAST = 1e-3  # masks below it are none


@dataclass(frozen=True)
class PreserveMode:
    """A preset. place, shape: in [0, 1], how firmly all joints keep their global position and local orientation."""

    id: str
    title: str
    summary: str
    place: float
    shape: float

    def masks(self, skeleton: Skeleton, effectors: Iterable[Effector] = ()) -> tuple[FloatArray, FloatArray]:
        """preserve_position and preserve_orientation of an `IKProblem`, (J,) each.

        A joint of which an effector asks something keeps neither (equation 7 leaves constrained joints out).
        """
        free = [skeleton.index(effector.joint) for effector in effectors if effector.is_active]
        masks = np.full((2, len(skeleton)), [[self.place], [self.shape]], np.float32)
        masks[:, free] = 0.0
        return masks[0], masks[1]


GLOBAL = PreserveMode("global", "Global", "Keeps nothing: the whole body may answer to a change.", 0.0, 0.0)
LOCAL = PreserveMode("local", "Local", "Keeps the place and the shape of what is not posed.", 1.0, 1.0)
PLACE_FREEZE = PreserveMode("place_freeze", "Place freeze", "Keeps what is not posed where it is in space.", 1.0, 0.0)
POSE_FREEZE = PreserveMode("pose_freeze", "Pose freeze", "Keeps the shape of what is not posed.", 0.0, 1.0)
PRESERVE_MODES: tuple[PreserveMode, ...] = (GLOBAL, LOCAL, PLACE_FREEZE, POSE_FREEZE)


def posed_joints(skeleton: Skeleton, effectors: Sequence[Effector]) -> list[int]:
    """What effectors pose: the limb of each joint that is given a place, and each joint that anything is asked of."""
    posed: set[int] = set()
    for effector in effectors:
        if effector.is_active:
            joint = skeleton.index(effector.joint)
            posed |= {joint, *(limb_of(skeleton, joint) if effector.form == POINT else ())}
    return sorted(posed)


def limb_of(skeleton: Skeleton, joint: int) -> list[int]:
    """The joint and its neighbours up and down the tree as far as it does not branch."""
    return _limbs(skeleton)[joint]


@memoised_on_value
def _limbs(skeleton: Skeleton) -> tuple[list[int], ...]:
    return tuple(_line_of(skeleton, joint) for joint in range(len(skeleton)))


def _line_of(skeleton: Skeleton, joint: int) -> list[int]:
    limb, j = [joint], skeleton.parents[joint]
    while j >= 0 and len(skeleton.children(j)) == 1:
        limb.append(j)
        j = skeleton.parents[j]
    children = skeleton.children(joint)
    while len(children) == 1:
        limb.append(children[0])
        children = skeleton.children(children[0])
    return limb
