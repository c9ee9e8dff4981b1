"""A pose that already stands, as one in a file just opened, is told of as its solve would tell of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, position
from rig_samples import body_rig, posed_like, renamed_and_reordered

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.feet import Feet, foot_shapes
from solver.contact.floor_points import floor_points
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.memory import AtPose
from solver.ik.problem import IKProblem
from solver.ik.stance.stance import Stance
from solver.ik.standing_stage import residuals_standing
from solver.kinematics.fk import forward_kinematics
from solver.rig.rig import Rig
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver

BODY, SHAPE, BASE = load_body("anny"), BodyShape(), natural()
AHEAD = np.float32([0, 0, 1])


def told_alike(problem: IKProblem) -> list[str]:
    """The states in which the solve and the pose that it found are told of, the same for both."""
    found = load_solver("dls").solve(problem, AtPose(problem.base_pose))
    told = residuals_standing(problem, found.pose)
    assert [one.state for one in told] == [one.state for one in found.residuals]
    assert [one.value for one in told] == pytest.approx([one.value for one in found.residuals], abs=1e-5)
    return [one.state for one in told]


@pytest.mark.parametrize("rig", [body_rig(), renamed_and_reordered()], ids=["body", "renamed"])
@pytest.mark.parametrize(("yaw", "state"), [(95, "tolerated"), (150, "unreachable")])
def test_a_look_is_tolerated_as_far_as_eyes_go(rig: Rig, yaw: float, state: str) -> None:
    base, head = posed_like(rig, BASE), rig.joint(Role.HEAD)
    at, frames, turned = forward_kinematics(rig, base), rig.rest_frames, np.radians(yaw)
    target = at.positions[head] + 1.5 * np.float32([np.sin(turned), 0.0, np.cos(turned)])
    look = LookAt(rig.name(Role.HEAD), target, AHEAD if frames is None else frames[head].T @ AHEAD)
    feet = [Position(rig.name(role), at.positions[rig.joint(role)]) for role in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE)]
    idle = replace(Position(rig.name(Role.LEFT_WRIST), at.positions[0]), loose=True)
    problem = IKProblem.without_masks(rig, [idle, *feet, look], base, body="anny")
    assert told_alike(replace(problem, stance=Stance(soft_look=True)))[-1] == state


def test_the_soft_turn_of_a_foot_that_rolls_is_tolerated() -> None:
    skeleton, points = body_skeleton(), floor_points(BODY, SHAPE)
    turns = forward_kinematics(skeleton, BASE).rotations
    feet = [
        position(BASE, "left_ankle", (0.0, 0.08, -0.05)),
        position(BASE, "right_ankle"),
        *(Rotation(name, turns[skeleton.index(name)], tolerance=0.2) for name in ("left_ankle", "right_ankle")),
    ]
    problem = IKProblem.without_masks(skeleton, [*feet, position(BASE, "pelvis", (0.0, -0.1, 0.2))], BASE, body="anny")
    stance = Stance(feet=Feet(foot_shapes(points, BODY.rig(SHAPE)), ("auto", "auto")))
    assert "tolerated" in told_alike(replace(problem, stance=stance, floor=points))


@pytest.mark.parametrize(("ball", "state"), [((0.0, 0.05, -0.02), "tolerated"), ((0.2, 0.3, -0.1), "unreachable")])
def test_an_ankle_is_tolerated_where_rolling_takes_it_and_not_where_the_ball_pulls_it_besides(
    ball: tuple[float, float, float], state: str
) -> None:
    """Of a ball that was drawn far up while somebody leant aside, an ankle 19 cm off was said to be tolerated."""
    skeleton, points = body_skeleton(), floor_points(BODY, SHAPE)
    turns = forward_kinematics(skeleton, BASE).rotations
    asked = [
        position(BASE, "left_ankle"),
        position(BASE, "right_ankle"),
        *(Rotation(name, turns[skeleton.index(name)], tolerance=0.2) for name in ("left_ankle", "right_ankle")),
        position(BASE, "head", (-0.24, 0.22, -0.06)),
        position(BASE, "left_foot", ball),
    ]
    problem = IKProblem.without_masks(skeleton, asked, BASE, body="anny")
    stance = Stance(feet=Feet(foot_shapes(points, BODY.rig(SHAPE)), ("auto", "auto")))
    assert told_alike(replace(problem, stance=stance, floor=points))[0] == state
