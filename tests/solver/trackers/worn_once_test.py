"""A joint has one tracker: the one that is heard, unless the user put a silent one there."""

from solver.trackers.wear import Worn, worn_once

WEAR = {"old": Worn("left_wrist"), "new": Worn("left_wrist"), "head": Worn("head")}


def test_a_silent_tracker_leaves_its_joint_to_one_that_is_heard():
    wear = worn_once(WEAR, {"new", "head"}, by_hand=())
    assert {name: worn.joint for name, worn in wear.items()} == {"old": "", "new": "left_wrist", "head": "head"}


def test_a_silent_tracker_keeps_a_joint_that_no_other_has():
    assert worn_once(WEAR, {"new"}, by_hand=())["head"].joint == "head"


def test_a_silent_tracker_stays_where_the_user_put_it():
    assert worn_once(WEAR, {"new", "head"}, by_hand={"old"})["old"].joint == "left_wrist"
