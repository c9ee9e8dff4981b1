"""What is shown between keys, by the way of the joints."""

from __future__ import annotations

import numpy as np
import pytest
from document_samples import only, random_pose, whole_motion
from motion_samples import raised, strolling, walker

from app.document import edits
from app.document.model.between import gap_at, pose_at
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from solver.body.body import BodyShape
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import SMPL_JOINTS

WRIST = SMPL_JOINTS.index("left_wrist")


def raised_at(*frames: int) -> Document:
    document = edits.set_in_between("c1", by="joints")(walker())
    for frame in frames:
        document = raised(document.at_frame("c1", frame))
    return document


@pytest.fixture(scope="module", name="one")
def _one() -> Document:
    return raised_at(30)


@pytest.fixture(scope="module", name="two")
def _two() -> Document:
    return raised_at(5, 50)


@pytest.fixture(scope="module", name="keyed")
def _keyed() -> Document:
    """Keys at 3, 10 and 24 of 30 frames, without a motion."""
    document, rng = edits.set_clip_length("c1", 30)(new_document()), np.random.default_rng(3)
    for frame in (3, 10, 24):
        document = edits.set_pose("c1", random_pose(rng, 0.3))(document.at_frame("c1", frame))
    return edits.delete_keys("c1", [0])(document)


def heights_added(document: Document) -> np.ndarray:
    """(F,) metres by which the left wrist is higher than in the source motion."""
    source = only(document).clip.source
    assert source is not None
    result = []
    for frame in range(len(source.motion)):
        shown = only(document.at_frame("c1", frame))
        was = only(edits.set_pose("c1", source.motion.pose(frame))(document))
        result.append(joints_of(shown).positions[WRIST][1] - joints_of(was).positions[WRIST][1])
    return np.array(result)


def test_an_edited_frame_no_longer_pops_when_played(one: Document) -> None:
    added = heights_added(one)
    assert added[30] == pytest.approx(0.3, abs=0.02)
    assert added[[15, 45]] == pytest.approx([0, 0], abs=1e-6)
    assert (added[16:45] > 0).all()
    assert np.abs(np.diff(added)).max() < 0.05, "it would have been 0.3 from one frame to the next"
    assert np.abs(np.diff(added, 2)).max() < 0.02


def test_between_two_keys_that_add_something_it_does_not_fade(two: Document) -> None:
    added = heights_added(two)
    assert (added[5:51] > 0.2).all()
    assert added[0] == 0, "the key there adds nothing"


def test_what_a_key_adds_fades_over_as_many_frames_as_is_said(one: Document) -> None:
    quick = edits.set_in_between("c1", ease_s=0.2)(one)
    assert only(quick).clip.ease == 6
    added = heights_added(quick)
    assert (added[25:36] > 0).all()
    assert not added[:25].any()
    assert not added[36:].any()
    at_once = edits.set_in_between("c1", ease_s=0.0)(one)
    assert np.flatnonzero(heights_added(at_once)).tolist() == [30]
    slow = edits.set_in_between("c1", ease_s=60.0)(one)
    assert np.flatnonzero(heights_added(slow) == 0).tolist() == [0], "the first key adds nothing"


def test_at_another_rate_it_fades_over_the_same_time() -> None:
    motion = strolling(200)
    fast = edits.import_motion("c1", type(motion)(motion.root_positions, motion.rotations, 120.0))(new_document())
    clip = only(raised(fast.at_frame("c1", 100))).clip
    assert clip.ease == 60
    gap = gap_at(clip, 99)
    assert (gap.first, gap.last) == (41, 99)


def test_a_frame_outside_the_clip_shows_its_end(one: Document, keyed: Document) -> None:
    clip = only(one).clip
    assert clip.source is not None
    assert pose_at(clip, -5) == pose_at(clip, 0)
    assert pose_at(clip, 999) == clip.source.motion.pose(59)
    clip = only(keyed).clip
    assert pose_at(clip, 0) is clip.keys[0].pose
    assert pose_at(clip, 29) is clip.keys[-1].pose


def test_the_clip_alone_and_the_character_say_the_same(one: Document, two: Document, keyed: Document) -> None:
    for document in (one, two, keyed):
        for frame in (0, 4, 20, 29):
            assert pose_at(only(document).clip, frame) == only(document.at_frame("c1", frame)).pose


def test_the_whole_motion_is_what_is_shown_frame_by_frame(one: Document, two: Document, keyed: Document) -> None:
    tall = edits.set_shape("c1", BodyShape(np.float32([2.0] + [0] * 9)))(one)
    for document in (one, two, keyed, edits.move_character("c1", (1, 0, 2))(tall)):
        motion = whole_motion(only(document))
        for frame in (0, 3, 7, 17, 24, 28, len(motion) - 1):
            shown = only(document.at_frame("c1", frame)).pose
            assert motion.root_positions[frame] == pytest.approx(shown.root_position, abs=1e-6)
            assert motion.rotations[frame] == pytest.approx(shown.rotations, abs=1e-6)


def test_without_a_motion_every_joint_goes_smoothly_from_key_to_key(keyed: Document) -> None:
    motion = whole_motion(only(keyed))
    steps = geodesic_angle(motion.rotations[:-1], motion.rotations[1:])
    assert not steps[:3].any()
    assert not steps[24:].any(), "before the first key and behind the last it rests"
    mean = steps.mean(axis=1)
    assert max(mean[3], mean[23]) < 0.5 * mean.max(), "it sets off and arrives slowly"
    assert np.abs(np.diff(mean)).max() < 0.5 * mean.max()
    for key in only(keyed).clip.keys:
        assert motion.pose(key.frame) == key.pose


def test_two_keys_alike_hold_still(keyed: Document) -> None:
    held = edits.copy_keys("c1", [10], 20)(keyed)
    poses = [only(held.at_frame("c1", frame)).pose for frame in range(10, 21)]
    assert all(pose == poses[0] for pose in poses)


def test_an_in_between_frame_has_the_source_as_its_base_and_nothing_pulls(one: Document) -> None:
    shown = only(one.at_frame("c1", 25))
    assert shown.clip.source is not None
    assert shown.base_pose == shown.clip.source.motion.pose(25)
    assert shown.pose != shown.base_pose
    wrist = next(e for e in shown.effectors if e.joint == "left_wrist")
    assert wrist.target == pytest.approx(joints_of(shown).positions[WRIST], abs=1e-5)  # type: ignore[attr-defined]


def test_a_single_key_without_a_motion_is_there_at_every_frame() -> None:
    document = edits.set_clip_length("c1", 10)(new_document())
    assert only(document.at_frame("c1", 9)).pose is only(document).pose
    assert isinstance(pose_at(only(document).clip, 4), Pose)
