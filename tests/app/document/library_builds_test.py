"""Poses of the library on other builds than the one that they were made on."""

from __future__ import annotations

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
from solver.resources import resource_folder
from solver.rig.fewer_joints import MERGEABLE
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS


def on(body: str, pose: str) -> Character:
    """Somebody of the mean build of a body in a pose of the library."""
    content = poses_of(entry_of(resource_folder("assets", "poses") / f"{pose}.json"))
    person = new_character(Document(), body=body, shape=BodyShape())
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
