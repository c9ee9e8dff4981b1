"""Limbs of which nothing is asked."""

from __future__ import annotations

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import Position
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for
from solver.ik.stance.idle_limbs import idle_limbs, with_idle_arms_as_posed
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import rest_pose


def test_an_arm_that_is_dragged_by_a_finger_of_the_users_own_rig_is_not_idle() -> None:
    rig = load_body("anny").whole_rig(BodyShape())
    pose, free = rest_pose(rig), np.zeros(len(rig), np.float32)
    world = forward_kinematics(rig, pose)
    asked = tuple(Position.on(rig, joint, world) for joint in ("left_index3", "right_wrist"))
    rigged = adapter_for(IKProblem(rig, BodyShape(), asked, pose, free, free))
    assert rigged is not None
    inner = rigged.solver_problem
    skeleton, proposal = inner.skeleton, natural_pose(inner.skeleton)
    ends = {skeleton.names[line[-1]] for line in idle_limbs(skeleton, inner.effectors)}
    assert ends == {"left_foot", "right_foot"}
    assert with_idle_arms_as_posed(skeleton, inner.effectors, inner.base_pose, proposal) is proposal
