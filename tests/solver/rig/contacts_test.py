"""Planted feet, found by height and speed."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.kinematics.pose import Motion, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.contacts import FootContact, foot_contacts_of
from solver.rig.roles import Role

BODY = load_body("anny").skeleton(BodyShape())
LEFT, RIGHT = Role.LEFT_FOOT, Role.RIGHT_FOOT


def motion(heights: list[float], ways: list[float] | None = None, fps: float = 30.0) -> Motion:
    """Somebody in rest pose who is so many metres above the floor in each frame, and so far along it."""
    rest = rest_pose(BODY)
    roots = np.tile(np.array(rest.root_position, np.float64), (len(heights), 1))
    roots[:, 1] += heights
    roots[:, 2] += ways or 0.0
    return Motion(roots, np.repeat(rest.rotations[None], len(heights), axis=0), fps)


def test_a_standing_person_has_both_feet_planted_from_first_to_last() -> None:
    assert foot_contacts_of(BODY, motion([0.0] * 40)) == (FootContact(LEFT, 0, 39), FootContact(RIGHT, 0, 39))


def test_a_leaping_person_has_none_in_the_air() -> None:
    leap = [0.0] * 30 + [0.3] * 30 + [0.0] * 30
    left = [c for c in foot_contacts_of(BODY, motion(leap)) if c.foot == LEFT]
    assert [(c.first, c.last) for c in left] == [(0, 28), (61, 89)]


def test_a_foot_that_slides_fast_is_not_planted_and_one_that_creeps_is() -> None:
    fast = (np.arange(60) / 30.0).tolist()
    assert foot_contacts_of(BODY, motion([0.0] * 60, fast)) == ()
    slow = (np.arange(60) / 300.0).tolist()
    assert len(foot_contacts_of(BODY, motion([0.0] * 60, slow))) == 2


def test_the_floor_is_where_the_feet_are_lowest() -> None:
    assert foot_contacts_of(BODY, motion([5.0] * 40)) == foot_contacts_of(BODY, motion([0.0] * 40))


def test_what_counts_is_time_not_frames() -> None:
    quick = foot_contacts_of(BODY, motion([0.0] * 120 + [0.3] * 120 + [0.0] * 120, fps=120.0))
    assert [(c.first, c.last) for c in quick if c.foot == LEFT] == [(0, 118), (241, 359)]


def test_a_short_hole_is_closed_and_a_short_touch_left_out() -> None:
    hole = [0.0] * 240
    hole[100:103] = [0.06] * 3
    assert [(c.first, c.last) for c in foot_contacts_of(BODY, motion(hole, fps=240.0)) if c.foot == LEFT] == [(0, 239)]
    touch = [0.3] * 100
    touch[50] = 0.0
    touch += [0.0] * 30
    left = [c for c in foot_contacts_of(BODY, motion(touch)) if c.foot == LEFT]
    assert [(c.first, c.last) for c in left] == [(101, 129)]


def test_one_lifted_foot_leaves_the_other_planted() -> None:
    standing = motion([0.0] * 60)
    rotations = np.array(standing.rotations)
    hip = BODY.names.index("left_hip")
    rotations[20:40, hip] = rotations[20:40, hip] @ from_rotation_vector([-0.8, 0, 0])
    found = foot_contacts_of(BODY, Motion(standing.root_positions, rotations, 30.0))
    assert [(c.foot, c.first, c.last) for c in found] == [(LEFT, 0, 18), (LEFT, 41, 59), (RIGHT, 0, 59)]


@pytest.mark.parametrize("frames", [1, 2])
def test_a_motion_of_a_frame_or_two_has_none(frames: int) -> None:
    assert foot_contacts_of(BODY, motion([0.0] * frames)) == ()


def test_a_skeleton_without_feet_has_none() -> None:
    pole = Skeleton(("base", "tip"), (-1, 0), np.float32([[0, 0, 0], [0, 1, 0]]))
    still = Motion(np.zeros((40, 3)), np.tile(np.eye(3), (40, 2, 1, 1)))
    assert foot_contacts_of(pole, still) == ()
