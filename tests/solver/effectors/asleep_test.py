"""An effector of a newer version: nothing that happens to the body or to the scene changes it."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, difference, natural, position, problem

from solver.effectors.asleep import AsleepEffector, is_asleep
from solver.effectors.kinds import Position, kind_of, kinds
from solver.effectors.sources import StreamSource
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.pose import rest_pose
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver

SKELETON, BASE = body_skeleton(), natural()
HERE, THERE = forward_kinematics(SKELETON, BASE), forward_kinematics(SKELETON, rest_pose(SKELETON))
WISH = {"type": "wish", "joint": "left_wrist", "strength": 3, "of": [1, {"deep": None}]}


def asleep(joint: str = "left_wrist") -> AsleepEffector:
    return AsleepEffector(joint, [1.0, 2.0, 3.0], unknown="wish", json=WISH)  # type: ignore[arg-type]


def test_whatever_it_was_made_with_it_asks_for_nothing() -> None:
    effector = AsleepEffector(
        "head", [9, 9, 9], tolerance=0.7, pinned=True, loose=True, source=StreamSource("tracker"), json=WISH
    )  # type: ignore[arg-type]
    assert not effector.is_active
    assert not effector.enabled
    assert not effector.pinned
    assert effector.source is None
    assert not effector.target.any()


def test_it_says_that_it_holds_no_joint_though_it_names_one() -> None:
    assert not asleep().holds_joint
    assert Position("left_wrist", [0, 0, 0]).holds_joint


@pytest.mark.parametrize(
    "done",
    [
        lambda e: e.at_pose(SKELETON, THERE, HERE),
        lambda e: e.moved_by(RigidMotion(from_rotation_vector([0, 1, 0]), np.ones(3))),
        lambda e: e.mirrored(BODY_PLANE, "right_wrist"),
        lambda e: e.on_joint("bone.01", np.eye(3, dtype=np.float32)),
        lambda e: e.partway_from(asleep("head"), 0.25),
    ],
    ids=["taken to a pose", "carried", "mirrored", "on another rig", "eased"],
)
def test_nothing_that_is_done_with_effectors_changes_it(done) -> None:
    effector = asleep()
    after = done(effector)
    assert after == effector
    assert after.json == WISH


def test_it_is_no_kind_that_anybody_could_choose() -> None:
    assert "asleep" not in [kind.id for kind in kinds()]
    assert kind_of("asleep") is None


def test_only_it_is_asleep() -> None:
    assert is_asleep(asleep())
    assert not is_asleep(Position("head", [0, 0, 0], enabled=False))


def test_a_solve_passes_it_by_and_says_that_it_is_off() -> None:
    asked = [position(BASE, "right_wrist", (0, 0.2, 0.1)), position(BASE, "left_ankle")]
    solver = load_solver("dls")
    with_it, without = solver.solve(problem([asleep(), *asked])), solver.solve(problem(asked))
    assert difference(with_it.pose, without.pose) < 1e-6
    assert [residual.state for residual in with_it.residuals] == ["disabled", "met", "met"]


def test_alone_it_leaves_the_base_pose() -> None:
    assert load_solver("dls").solve(problem([asleep()])).pose == BASE
