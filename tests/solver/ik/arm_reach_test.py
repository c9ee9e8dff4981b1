"""How far shoulders are drawn along with what hands hold: nothing while arms are bent, then more and more, evenly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.ik.multi_solve.arm_reach import shoulders_drawn
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton

OUT = {"left": np.array([1.0, 0.0, 0.0]), "right": np.array([-1.0, 0.0, 0.0])}


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return load_body(DEFAULT_BODY).skeleton(BodyShape())


def with_bent_elbows(skeleton: Skeleton, degrees: float) -> Pose:
    rotations = np.tile(np.eye(3, dtype=np.float32), (len(skeleton), 1, 1))
    for side, sign in (("left", -1.0), ("right", 1.0)):
        turn = from_rotation_vector(np.array([0.0, sign * np.radians(degrees), 0.0]))
        rotations[skeleton.index(f"{side}_elbow")] = turn
    return Pose(np.array([0.0, 0.9, 0.0], np.float32), rotations)


def palm(skeleton: Skeleton, pose: Pose, side: str) -> Contact:
    made = Contact(f"{side}_wrist", np.zeros(3, np.float32), np.array([0.0, 0.0, 0.0], np.float32))
    return replace(made, id=side).at_pose(skeleton, forward_kinematics(skeleton, pose))


def drawn(skeleton: Skeleton, pose: Pose, ways: dict[str, np.ndarray]) -> Position | None:
    then = {side: palm(skeleton, pose, side) for side in ways}
    now = [replace(palm, target=palm.target + ways[side].astype(np.float32)) for side, palm in then.items()]
    return shoulders_drawn(skeleton, pose, then, now)


def shifts(skeleton: Skeleton, pose: Pose, *sides: str, steps: int = 400) -> np.ndarray:
    """(S,) metres that shoulders go along as hands are drawn outward by a millimetre more each time."""
    gone = []
    for i in range(steps):
        found = drawn(skeleton, pose, {side: 1e-3 * i * OUT[side] for side in sides})
        there = None if found is None else found.held_at(skeleton, forward_kinematics(skeleton, pose))
        gone.append(0.0 if found is None or there is None else float(np.linalg.norm(found.target - there)))
    return np.array(gone)


def test_shoulders_stay_while_the_arm_is_bent_and_go_along_evenly_once_it_is_not(skeleton: Skeleton) -> None:
    gone = shifts(skeleton, with_bent_elbows(skeleton, 100.0), "left")
    faster = np.diff(gone)
    assert np.all(gone[:50] == 0.0)
    assert gone[-1] > 0.1
    assert np.all(faster >= -1e-6), "never back"
    assert faster.max() < 1.01e-3, "nor faster than the hand"
    assert np.abs(np.diff(faster)).max() < 3e-4, "nor all at once"
    assert faster[-1] > 0.9e-3, "an arm that is stretched gives no more"


def test_an_arm_that_is_stretched_at_first_draws_its_shoulder_from_the_start_and_does_not_push_it(
    skeleton: Skeleton,
) -> None:
    straight = with_bent_elbows(skeleton, 0.0)
    assert shifts(skeleton, straight, "left", steps=2).max() == pytest.approx(0.0, abs=1e-3)
    assert shifts(skeleton, straight, "left", steps=60)[-1] > 0.04
    assert drawn(skeleton, straight, {"left": -0.2 * OUT["left"]}) is None


def test_hands_that_are_drawn_apart_leave_the_trunk_between_them(skeleton: Skeleton) -> None:
    pose = with_bent_elbows(skeleton, 30.0)
    one, both = (drawn(skeleton, pose, {side: 0.2 * OUT[side] for side in sides}) for sides in (["left"], OUT))
    assert one is not None
    assert both is not None
    world = forward_kinematics(skeleton, pose)
    assert float((one.target - one.held_at(skeleton, world))[0]) > 0.05
    assert abs(float((both.target - both.held_at(skeleton, world))[0])) < 0.01


def test_the_middle_of_the_shoulders_goes_along_with_both_hands(skeleton: Skeleton) -> None:
    pose, way = with_bent_elbows(skeleton, 30.0), np.array([0.0, 0.0, 0.6])
    both = drawn(skeleton, pose, {"left": way, "right": way})
    assert both is not None
    by = both.target - both.held_at(skeleton, forward_kinematics(skeleton, pose))
    assert both.joint == "spine3"
    assert by[2] > 0.1
    assert abs(float(by[0])) < 0.02
