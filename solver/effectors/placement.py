"""Where a body stands and faces, as far as its effectors say: one rigid motion of a whole pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector, TurnEffector
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import nearest_rotation
from solver.kinematics.skeleton import Skeleton

UPRIGHT = 0.05  # m²: how much evidence from effectors it takes to tilt the body
FACING = 0.005  # m²: and how much to turn it about the vertical
TURN = 0.02  # m²: how much evidence one rotation effector is for the whole body's turn


def placed(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> Pose:
    """`pose` moved and turned as one piece so that it lies best over the effectors' targets.

    Points are laid over each other (Kabsch), turns count as hints of the body's turn; where they say little, the body
    stays upright and keeps its facing. Without a point it stays in place.
    """
    index, joints = skeleton.index, forward_kinematics(skeleton, pose)
    world = joints.rotations
    root, local = pose.root_position.astype(np.float64), pose.rotations.astype(np.float64)
    active = [e for e in effectors if e.is_active]
    placing = [e for e in active if isinstance(e, PointEffector)]
    have = np.array([e.held_at(skeleton, joints) for e in placing], dtype=np.float64)
    want = np.array([e.target for e in placing], dtype=np.float64)
    evidence = np.diag([FACING, UPRIGHT, FACING])
    if len(have):
        middle, aim = have.mean(axis=0), want.mean(axis=0)
        evidence += (want - aim).T @ (have - middle)
    for effector in active:
        if isinstance(effector, TurnEffector):
            evidence += TURN * effector.target.astype(np.float64) @ world[index(effector.joint)].T
    turn = nearest_rotation(evidence)
    if len(have):
        root = turn @ (root - middle) + aim
    local[0] = turn @ local[0]
    return Pose(root.astype(np.float32), local.astype(np.float32))
