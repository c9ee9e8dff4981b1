"""What a joint has to reach is told from where it is, in the frame in which its own rotation acts."""

from __future__ import annotations

import torch
from torch import Tensor

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.constrained_fk import PosedJoints
from solver.networks.geometry import forward_kinematics, matrices_from_6d
from solver.networks.joint_constraints import JointConstraints
from solver.networks.skeletal.reach_features import descendants, reach_features
from solver.rig.roles import SMPL_ROLES, Role

JOINTS = 22
PARENTS = SMPL_PARENTS[:JOINTS]
HIP, KNEE, ANKLE, WRIST = (
    SMPL_ROLES.index(role) for role in (Role.LEFT_HIP, Role.LEFT_KNEE, Role.LEFT_ANKLE, Role.RIGHT_WRIST)
)


def posed(seed: int = 0) -> PosedJoints:
    generator = torch.Generator().manual_seed(seed)
    columns = torch.tensor([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]) + 0.4 * torch.randn(1, JOINTS, 6, generator=generator)
    local = matrices_from_6d(columns)
    offsets = 0.2 * torch.randn(1, JOINTS, 3, generator=generator)
    positions, world = forward_kinematics(PARENTS, offsets, torch.zeros(1, 3), local)
    return PosedJoints(positions, world, local)


def placed(joint: int, place: Tensor, strict: float = 1.0) -> JointConstraints:
    blank = torch.zeros(1, JOINTS, 3)
    places, asked, strictness = blank.clone(), blank.clone(), blank.clone()
    places[:, joint] = place
    asked[:, joint, 0], strictness[:, joint, 0] = 1.0, strict
    return JointConstraints(places, torch.zeros(1, JOINTS, 6), torch.zeros(1, JOINTS, 6), asked, strictness)


def told(carried: PosedJoints, asked: JointConstraints) -> Tensor:
    return reach_features(carried, asked, PARENTS, descendants(PARENTS))[0]


def test_a_hip_sees_where_its_ankle_is_and_where_it_ought_to_be() -> None:
    carried, there = posed(), torch.tensor([0.3, 0.1, 0.4])
    frame = carried.world[0, PARENTS[HIP]]
    hip, ankle = carried.positions[0, HIP], carried.positions[0, ANKLE]
    expected = torch.cat([frame.T @ (ankle - hip), frame.T @ (there - hip), torch.ones(1)])
    torch.testing.assert_close(told(carried, placed(ANKLE, there))[HIP], expected)


def test_a_joint_with_nothing_asked_below_it_is_told_nothing() -> None:
    found = told(posed(), placed(ANKLE, torch.ones(3)))
    assert not found[[ANKLE, WRIST]].any(), "an ankle's own place is told elsewhere"
    assert found[[0, HIP, KNEE], -1].tolist() == [1.0, 1.0, 1.0]


def test_what_may_be_missed_altogether_is_not_told() -> None:
    assert not told(posed(), placed(ANKLE, torch.ones(3), strict=0.0)).any()


def test_turning_everything_changes_nothing_below_the_root() -> None:
    carried, there = posed(), torch.tensor([0.3, 0.1, 0.4])
    turn = matrices_from_6d(torch.tensor([0.6, 0.0, -0.8, 0.0, 1.0, 0.0]))
    turned = PosedJoints(carried.positions @ turn.T, turn @ carried.world, carried.local)
    one, other = told(carried, placed(ANKLE, there)), told(turned, placed(ANKLE, turn @ there))
    torch.testing.assert_close(one[1:], other[1:], atol=1e-5, rtol=1e-4)
