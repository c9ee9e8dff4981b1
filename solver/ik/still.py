"""What holds still: a kept body whose root is asked to stay where the base pose has it, with all limbs that stay, too.

What effectors pose is free to follow them, so masks leave it out, and a network decodes it anew whether anything is
asked to move there or not. A limb whose effectors are all where the base pose has them has nowhere to follow to, and
a trunk that is to be kept, on a pelvis that stays, no reason to sway.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import eased
from solver.effectors.rows import POINT
from solver.ik.continuity import taken_from
from solver.ik.preserve_modes import LEAST, limb_of
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector

FREE_M = 0.05  # metres that an effector is off the base pose, from which on what it poses is free


def held_still(problem: IKProblem, pose: Pose) -> Pose:
    """A proposal of which all that holds still is turned to the base pose, by its share.

    Itself where nothing is to be kept, or nothing is still.
    """
    if not problem.keeps:
        return pose
    shares = still_shares(problem)
    if shares.max() <= LEAST:
        return pose
    base = problem.base_pose
    turns = to_rotation_vector(np.swapaxes(pose.rotations, -1, -2) @ base.rotations)
    rotations = (pose.rotations @ from_rotation_vector(shares[:, None] * turns)).astype(np.float32)
    rotations[shares >= 1.0] = base.rotations[shares >= 1.0]
    shift = np.float32(shares[0]) * (base.root_position - pose.root_position)
    return Pose(pose.root_position + shift, rotations)


def still_shares(problem: IKProblem) -> NDArray[np.float64]:
    """(J,) from 0 to 1, how still each joint is held: never more than the joint that it hangs from.

    What effectors pose is held the less, the further one of them has gone from where the base pose has it; all else
    as firmly as it is to be kept; a root that no effector poses is not.
    """
    skeleton = problem.skeleton
    firm = np.maximum(problem.preserve_position, problem.preserve_orientation).astype(np.float64)
    own, posed = np.array(firm), np.zeros(len(skeleton), bool)
    there = taken_from(skeleton, problem.base_pose, problem.effectors)
    for effector, base in zip(problem.effectors, there, strict=True):
        if effector.asks:
            share = 1.0 - eased(effector.distance_from(base) / FREE_M)
            joint = skeleton.index(effector.joint)
            limb = limb_of(skeleton, joint) if effector.row == POINT else [joint]
            own[limb] = np.where(posed[limb], np.minimum(own[limb], share), share)
            posed[limb] = True
    shares = np.zeros(len(skeleton))
    shares[0] = min(own[0], firm.max()) if posed[0] else 0.0
    for j, above in enumerate(skeleton.parents[1:], start=1):  # parents come first
        shares[j] = min(own[j], shares[above])
    return shares
