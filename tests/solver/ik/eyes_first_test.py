"""A look with a tolerance: eyes turn first, the head by what is left; a strict one is met by the head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, position

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.eyes import eyes_of
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.memory import AtPose
from solver.ik.problem import IKProblem
from solver.ik.solution import IKSolution
from solver.ik.stance.soft_look import FIRST, eye_angle
from solver.ik.stance.stance import Stance
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.rotations import geodesic_angle
from solver.solvers.catalog import load_solver

SKELETON, BASE, SOFT = body_skeleton(), natural(), Stance(soft_look=True)
HEAD = SKELETON.index("head")
AT_REST = forward_kinematics(SKELETON, BASE)


def target(yaw: float, up: float = 0.0) -> np.ndarray:
    """(3,) 1.5 m from the head, so many degrees to its left and up."""
    y, u = np.radians(yaw), np.radians(up)
    ahead = AT_REST.rotations[HEAD] @ np.array([np.sin(y) * np.cos(u), np.sin(u), np.cos(y) * np.cos(u)])
    return (AT_REST.positions[HEAD] + 1.5 * ahead).astype(np.float32)


def looked(
    yaw: float, stance: Stance | None = SOFT, up: float = 0.0, also: Sequence[Effector] = (), **options: object
) -> IKSolution:
    effectors = [position(BASE, f"{side}_ankle") for side in ("left", "right")]
    look = LookAt("head", target(yaw, up), **options)  # type: ignore[arg-type]
    problem = IKProblem.without_masks(SKELETON, [*effectors, look, *also], BASE, body="anny")
    return load_solver("dls").solve(replace(problem, stance=stance), AtPose(BASE))


def head_turned(found: IKSolution) -> float:
    """Degrees from rest."""
    turned = forward_kinematics(SKELETON, found.pose).rotations[HEAD]
    return float(np.degrees(geodesic_angle(turned, AT_REST.rotations[HEAD])))


def eyes_miss(found: IKSolution, yaw: float) -> float:
    """Degrees between where the left eye looks and the target."""
    eyes = eyes_of(load_body("anny"), BodyShape())
    assert eyes is not None
    ball = eyes.posed(skinning_matrices(SKELETON, found.pose)[HEAD], target(yaw))[0]
    asked, ahead = target(yaw) - ball[:, 3], ball[:, 2]
    return float(np.degrees(np.arccos(min(asked @ ahead / np.linalg.norm(asked) / np.linalg.norm(ahead), 1.0))))


@pytest.mark.parametrize("yaw", [12, 40, -70])
def test_with_a_tolerance_eyes_look_first_and_the_head_turns_by_what_is_left(yaw: float) -> None:
    found = [looked(yaw, tolerance=tolerance) for tolerance in (0.0, 0.5, 0.8)]
    turned = [head_turned(one) for one in found]
    assert turned[0] > turned[1] + 2.0 > turned[2] + 4.0, "the looser, the less the head turns"
    assert turned[2] > abs(yaw) - 24.0
    assert max(eyes_miss(one, yaw) for one in found) < 1.0, "and the eyes do the rest"
    assert [one.residuals[-1].state for one in found] == ["met", "tolerated", "tolerated"]


@pytest.mark.parametrize("strict", [{"tolerance": 0.0}, {"tolerance": 0.8, "pinned": True}])
def test_a_strict_look_is_met_by_the_head(strict: dict[str, object]) -> None:
    assert looked(50, **strict).residuals[-1].state == "met"


def test_a_head_that_turns_further_never_turns_back_and_eyes_never_do_more_than_they_may() -> None:
    angles = np.radians(np.arange(0.0, 90.0, 0.5))
    head = np.array([angle - eye_angle(angle, FIRST) for angle in angles])
    assert head[0] == 0.0
    assert (np.diff(head) > 0.0).all()
    assert (angles - head < FIRST).all()
    assert head[10] < 0.2 * angles[10], "at five degrees eyes do nearly all"


def test_a_look_that_the_eyes_get_to_is_tolerated_though_the_head_leaves_more_than_a_little() -> None:
    left = looked(120, up=-30).residuals[-1]
    assert np.radians(30.5) < left.value < np.radians(35.0)
    assert left.state == "tolerated"
    assert looked(120, up=50).residuals[-1].state == "unreachable", "lids are in the way"


def test_a_hand_that_points_past_its_target_has_no_eyes_and_misses_it() -> None:
    wrist = SKELETON.index("left_wrist")
    at, turn = AT_REST.positions[wrist], AT_REST.rotations[wrist]
    aside = turn @ np.array([np.sin(0.35), 0.0, np.cos(0.35)])
    stiff = [Rotation("left_wrist", turn, pinned=True), Position("left_wrist", at, pinned=True)]
    hand = looked(0, also=[*stiff, LookAt("left_wrist", at + aside)]).residuals[-1]
    assert hand.value == pytest.approx(0.35, abs=0.1), "far less than eyes would do for a head"
    assert hand.state == "unreachable"
