"""Poses of the library on other builds than the one that they were made on."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of
from app.document.posing.create import new_character
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, fitted_body_id, load_body
from solver.body.floor import lowest_point
from solver.body.hands import skin_with
from solver.contact.intersections import Skinned, intersections
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import joint_limits
from solver.resources import resource_folder
from solver.rig.fewer_joints import MERGEABLE
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

MEAN = BodyShape()


def on(body: str, pose: str, shape: BodyShape = MEAN) -> Character:
    """Somebody with that body in a pose of the library."""
    content = poses_of(entry_of(resource_folder("assets", "poses") / f"{pose}.json"))
    person = new_character(Document(), body=body, shape=shape)
    taken = take_pose(person.id, content, Taking())(Document().with_characters((person,)))
    return taken.characters[0]


@pytest.mark.slow
def test_hands_that_are_on_the_floor_are_so_on_a_body_with_short_arms_and_a_large_head() -> None:
    person = on("anny:chibi", "Crawling/Downward dog")
    body, rest = body_of(person), skin_with(body_of(person), person.shape, person.hands)
    rig = rig_of(body.skeleton(person.shape))
    for arm in ARMS:
        hand = (body.weights[:, [rig.joint(arm.end), rig.joint(arm.tip)]].sum(axis=1) > 0.5).nonzero()[0].astype("i4")
        assert 0.0 <= lowest_point(body, person.shape, person.pose, hand, rest) < 0.03
    assert abs(lowest_point(body, person.shape, person.pose, rest=rest)) < 0.005


@pytest.mark.slow
def test_hands_on_hips_are_not_in_the_belly_of_a_child() -> None:
    person = on("anny:child", "Standing/Hands on hips")
    ((_, depths),) = intersections([Skinned(body_of(person), person.shape, person.pose, person.hands)], floor=False)
    assert depths.max() < 0.012


@pytest.mark.slow
@pytest.mark.parametrize("pose", ["Crawling/Bear crawl", "Lying/Sleep on the side"])
def test_whoever_lacks_joints_that_a_pose_bends_is_on_the_floor_and_not_below(pose: str) -> None:
    joints = load_body(DEFAULT_BODY).skeleton(BodyShape()).rest_positions
    person = on(fitted_body_id(joints - joints[0], BodyShape(), merged=MERGEABLE), pose)
    rest = skin_with(body_of(person), person.shape, person.hands)
    assert abs(lowest_point(body_of(person), person.shape, person.pose, rest=rest)) < 0.002, "it was 15 mm below"


@pytest.mark.slow
def test_joints_of_a_short_person_are_turned_by_rotations() -> None:
    """Rounding grew from step to step: hands on the floor were turned by none, and frames between keys failed."""
    short = BodyShape(np.array([-3.0] + [0.0] * 9, np.float32), "female")
    turns = on("anny", "Sitting on the floor/Sit, hands behind", short).pose.rotations
    assert np.abs(turns @ np.swapaxes(turns, -1, -2) - np.eye(3)).max() < 1e-5


@pytest.mark.slow
def test_arms_too_short_for_a_cartwheel_do_not_twist_beyond_their_range() -> None:
    person = on("anny:chibi", "Tumbling/Cartwheel")
    limits = joint_limits(body_of(person).skeleton(person.shape).names)
    assert np.degrees(limits.excess(person.pose.rotations)).max() < 3.5


@pytest.mark.slow
def test_palms_that_are_together_above_a_large_head_stay_so_as_arms_leave_it() -> None:
    content = poses_of(entry_of(resource_folder("assets", "poses") / "Standing/Balance like a tree.json"))
    person, file = on("anny:chibi", "Standing/Balance like a tree"), content.people[0]
    rig = rig_of(body_of(person).skeleton(person.shape))
    turns = [
        forward_kinematics(rig, pose).rotations[[rig.joint(arm.end) for arm in ARMS]]
        for pose in (file.pose, person.pose)
    ]
    was, now = (left.T @ right for left, right in turns)
    assert np.trace(was.T @ now) > 1.0 + 2.0 * np.cos(np.radians(10.0))
