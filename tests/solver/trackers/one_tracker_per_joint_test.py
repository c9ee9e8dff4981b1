"""A joint has one tracker: the one that is heard, unless the user put a silent one there."""

from solver.trackers.attachment import Attachment, one_tracker_per_joint

WEAR = {"old": Attachment("left_wrist"), "new": Attachment("left_wrist"), "head": Attachment("head")}


def test_a_silent_tracker_leaves_its_joint_to_one_that_is_heard():
    attachments = one_tracker_per_joint(WEAR, {"new", "head"}, by_hand=())
    assert {name: worn.joint for name, worn in attachments.items()} == {"old": "", "new": "left_wrist", "head": "head"}


def test_a_silent_tracker_keeps_a_joint_that_no_other_has():
    assert one_tracker_per_joint(WEAR, {"new"}, by_hand=())["head"].joint == "head"


def test_a_silent_tracker_stays_where_the_user_put_it():
    assert one_tracker_per_joint(WEAR, {"new", "head"}, by_hand={"old"})["old"].joint == "left_wrist"
