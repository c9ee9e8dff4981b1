"""A clip over time: what is shown at a frame, where an edit goes, and what stays when a character is moved, turned,
mirrored or given another shape."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from math import pi
from pathlib import Path

import numpy as np
import pytest
from copies import copy_of
from document_samples import document_of, only, random_pose, whole_motion
from hypothesis import given, settings
from hypothesis import strategies as st
from motion_samples import raised, strolling, walker

from app.document import edits
from app.document.exchange.export import export_bvh
from app.document.model.actor import actor_of
from app.document.model.clip import Clip, Key, SourceMotion, still
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.model.placement import HERE, Placement
from app.document.over_time.in_betweens import document_completed
from app.document.posing.create import new_character, new_document
from app.document.posing.fitting_effectors import following
from app.document.scene_file.io import load_scene, save_scene
from solver.body.body import BodyShape
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import PoserError
from solver.formats.bvh.read import read_bvh, to_motion
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.size_limits import FARTHEST_M


@pytest.fixture(scope="module", name="walker")
def _walker() -> Document:
    return walker()


def test_a_still_pose_is_a_clip_with_one_key() -> None:
    (actor,) = new_document().actors
    assert len(actor.clip) == len(actor.clip.keys) == 1
    assert actor.motion() is None
    assert actor.at(7) is actor.at(0), "there is no other frame"


def test_another_pose_leaves_what_a_moved_person_is_asked_for_the_very_same() -> None:
    document = edits.move_character("c1", (1.0, 0.0, 0.5))(new_document())
    before = only(document)
    assert before.clip.placement != HERE
    poses = [random_pose(np.random.default_rng(seed)) for seed in range(2)]
    after, later = (only(document.with_character(replace(before, pose=pose))) for pose in poses)
    assert after.pose != before.pose
    assert after.effectors is before.effectors, "so that neither solver nor panels need to compare them"
    assert later.base_pose is after.base_pose, "so that solvers need not find out about it again"


def test_a_frame_without_a_key_shows_the_source_motion_and_nothing_pulls(walker: Document) -> None:
    shown = only(walker.at_frame("c1", 25))
    motion = shown.clip.source
    assert motion is not None
    assert shown.pose == shown.base_pose == motion.motion.pose(25)
    joints, skeleton = joints_of(shown), skeleton_of(shown)
    for effector in shown.effectors:
        j = skeleton.index(effector.joint)
        if isinstance(effector, Position):
            assert effector.target == pytest.approx(joints.positions[j], abs=1e-5)
        elif isinstance(effector, Rotation):
            assert effector.target == pytest.approx(joints.rotations[j], abs=1e-5)
        elif isinstance(effector, LookAt):
            way = effector.target - joints.positions[j]
            assert way / np.linalg.norm(way) == pytest.approx(joints.rotations[j] @ effector.local_axis, abs=1e-4)


def test_an_edit_makes_a_key_at_the_frame_looked_at_which_fades_over_the_frames_about_it(walker: Document) -> None:
    before = [only(walker.at_frame("c1", frame)).pose for frame in range(60)]
    after = raised(walker.at_frame("c1", 20))
    assert [key.frame for key in only(after).clip.keys] == [0, 20]
    assert only(after).clip.ease == 15
    for frame in range(60):
        same = only(after.at_frame("c1", frame)).pose == before[frame]
        assert same == (abs(frame - 20) >= 15)


def test_what_was_edited_is_there_again_after_looking_elsewhere(walker: Document) -> None:
    after = raised(walker.at_frame("c1", 1))
    there = only(after)
    for frame in (40, 0, 59):
        assert only(after.at_frame("c1", frame)).frame == frame
    again = only(after.at_frame("c1", 40).at_frame("c1", 1))
    assert again == there
    assert again.effectors == there.effectors


def test_the_nearest_key_lends_effectors_and_what_is_kept(walker: Document) -> None:
    knee = Position("left_knee", (0.1, 0.5, 0.5), tolerance=0.3, id="knee")
    document = edits.chain(edits.add_effector("c1", knee), edits.keep_place("c1", ["head"], True))(
        walker.at_frame("c1", 40)
    )
    near, far = only(document.at_frame("c1", 30)), only(document.at_frame("c1", 10))
    assert near.effector("knee").tolerance == 0.3
    assert near.preserve.place == {"head"}
    assert "knee" not in {e.id for e in far.effectors}
    assert only(document.at_frame("c1", 20)).preserve.place == frozenset(), "of two as near the earlier one"


def test_without_its_key_a_frame_shows_the_motion_again(walker: Document) -> None:
    document = edits.remove_key("c1")(raised(walker.at_frame("c1", 20)))
    assert document == walker
    assert only(document).pose == only(walker.at_frame("c1", 20)).pose
    with pytest.raises(PoserError, match="Frame 21 has no key"):
        edits.remove_key("c1")(document)
    with pytest.raises(PoserError, match="at least one"):
        edits.remove_key("c1")(walker)


def test_looking_at_another_frame_changes_nothing(walker: Document) -> None:
    elsewhere = walker.at_frame("c1", 33)
    assert elsewhere == walker
    assert elsewhere.actors is walker.actors
    assert elsewhere.at_frame("c1", 33) is elsewhere
    assert only(elsewhere.at_frame("c1", 999)).frame == elsewhere.at_frame("c1", 999).frames["c1"] == 59
    assert only(elsewhere.at_frame("c1", -3)).frame == 0


@pytest.mark.parametrize(
    ("edit", "point"),
    [
        (edits.move_character("c1", (1.0, 0.5, -2.0)), lambda p, c: p + np.float32([1.0, 0.5, -2.0])),
        (
            edits.turn_character("c1", 1.2),
            lambda p, c: c + (p - c) @ from_rotation_vector([0.0, 1.2, 0.0]).T,
        ),
    ],
    ids=["moved", "turned"],
)
def test_a_moved_or_turned_character_takes_all_frames_and_keys_along(
    walker: Document, edit: Edit, point: object
) -> None:
    before = raised(walker.at_frame("c1", 20))
    centre = only(before).pose.root_position.astype(np.float64)
    after = edit(before)
    assert only(after).clip.source is only(before).clip.source, "the motion is not copied"
    assert only(after).clip.keys is only(before).clip.keys
    for frame in (0, 20, 45):
        old, new = only(before.at_frame("c1", frame)), only(after.at_frame("c1", frame))
        wanted = point(joints_of(old).positions, centre)  # type: ignore[operator]
        assert joints_of(new).positions == pytest.approx(wanted, abs=1e-5)
        for a, b in zip(old.effectors, new.effectors, strict=True):
            if isinstance(a, Position | LookAt):
                assert b.target == pytest.approx(point(a.target, centre), abs=1e-5)  # type: ignore[attr-defined, operator]


def test_a_way_there_and_back_leaves_no_trace(walker: Document) -> None:
    document = edits.chain(*(edits.turn_character("c1", pi / 2) for _ in range(4)))(walker)
    assert only(document).pose.root_position == pytest.approx(only(walker).pose.root_position, abs=1e-6)
    start = only(walker)
    away = edits.place_together([start], (1, 0, 1), 0.7)(walker)
    assert edits.place_together([start], (0, 0, 0), 0.0)(away) == walker


def test_an_edit_of_a_character_that_was_moved_keeps_what_it_did_not_touch_to_the_last_digit(walker: Document) -> None:
    placed = edits.chain(edits.turn_character("c1", 0.8), edits.move_character("c1", (2, 0, 1)))(walker)
    key = only(placed).clip.key(0)
    assert key is not None
    wrist = next(e for e in only(placed).effectors if e.joint == "left_wrist")
    after = edits.set_tolerance("c1", wrist.id, 0.4)(placed)
    again = only(after).clip.key(0)
    assert again is not None
    assert again.pose is key.pose
    assert again.base_pose is key.base_pose
    assert [a is b for a, b in zip(again.effectors, key.effectors, strict=True)].count(False) == 1


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_a_pose_set_after_any_move_is_read_as_it_was_set(seed: int) -> None:
    rng = np.random.default_rng(seed)
    document = edits.chain(
        edits.move_character("c1", rng.normal(0, 5, 3)), edits.turn_character("c1", rng.normal(0, 3))
    )(new_document())
    pose = random_pose(rng)
    after = only(edits.set_pose("c1", pose)(document))
    assert after.pose.root_position == pytest.approx(pose.root_position, abs=1e-5)
    assert after.pose.rotations == pytest.approx(pose.rotations, abs=1e-6)
    assert after.base_pose == after.pose


@given(st.floats(-10, 10), st.lists(st.floats(-100, 100), min_size=3, max_size=3))
def test_a_placement_and_its_inverse_give_everything_back(turn: float, shift: list[float]) -> None:
    place = Placement(turn).moved(shift)
    assert -pi <= place.turn <= pi
    points = np.random.default_rng(0).normal(0, 1, (5, 3))
    assert place.inverse.points(place.points(points)) == pytest.approx(points, abs=1e-9)
    look = LookAt("head", (1, 2, 3), id="e1")
    assert place.inverse.effector(place.effector(look)).target == pytest.approx(look.target, abs=1e-4)  # type: ignore[attr-defined]


def test_the_whole_motion_holds_the_edited_keys(walker: Document, tmp_path: Path) -> None:
    after = edits.move_character("c1", (1.0, 0.0, 0.0))(raised(walker.at_frame("c1", 20)).at_frame("c1", 5))
    after = document_completed(after)
    motion = whole_motion(only(after))
    for frame in (0, 5, 20, 59):
        assert motion.pose(frame) == only(after.at_frame("c1", frame)).pose
    (file,) = export_bvh(tmp_path / "walk.bvh", [only(after)], whole_motion=True)
    read, _ = to_motion(read_bvh(file), skeleton_of(only(after)))
    wrist = SMPL_JOINTS.index("left_wrist")
    for frame in (20, 21):
        pose = Pose(read.root_positions[frame], read.rotations[frame])
        shown = only(after.at_frame("c1", frame))
        exported = joints_of(replace(shown, pose=pose)).positions
        assert exported[wrist] == pytest.approx(joints_of(shown).positions[wrist], abs=1e-3)
    (file,) = export_bvh(tmp_path / "one.bvh", [only(after)])
    assert "Frames: 1\n" in file.read_text()


def test_a_saved_scene_holds_every_key_the_place_and_the_shape_of_the_motion(walker: Document, tmp_path: Path) -> None:
    document = raised(raised(walker.at_frame("c1", 20)).at_frame("c1", 45))
    changes = (
        edits.move_character("c1", (1.0, 0.2, -3.0)),
        edits.turn_character("c1", 2.0),
        edits.set_shape("c1", BodyShape(np.float32([2.0] + [0] * 9))),
    )
    document = edits.chain(*changes)(document).at_frame("c1", 7)
    save_scene(tmp_path / "scene.json", document)
    again = load_scene(tmp_path / "scene.json")
    assert again == document
    assert [key.frame for key in only(again).clip.keys] == [0, 20, 45]
    assert again.frames["c1"] == 7
    for frame in (0, 20, 33, 45):
        assert only(again.at_frame("c1", frame)) == only(document.at_frame("c1", frame))


def test_an_untouched_motion_is_handed_out_as_it_is(walker: Document) -> None:
    source = only(walker).clip.source
    assert source is not None
    assert whole_motion(only(walker)) is source.motion


def test_mirrored_about_the_frame_looked_at_every_frame_is_mirrored(walker: Document) -> None:
    before = edits.move_character("c1", (1, 0, 1))(raised(walker.at_frame("c1", 20)))
    after = edits.mirror_pose("c1")(before)
    assert only(after).pose.root_position == pytest.approx(only(before).pose.root_position, abs=1e-5)
    left, right = SMPL_JOINTS.index("left_ankle"), SMPL_JOINTS.index("right_ankle")
    for frame in (20, 45):
        old, new = joints_of(only(before.at_frame("c1", frame))), joints_of(only(after.at_frame("c1", frame)))
        assert new.positions[right][1] == pytest.approx(old.positions[left][1], abs=2e-3)
    twice = edits.mirror_pose("c1")(after)
    assert whole_motion(only(twice)).root_positions == pytest.approx(
        whole_motion(only(before)).root_positions, abs=1e-5
    )


def test_a_copy_of_somebody_walks_beside_and_shares_the_motion(walker: Document) -> None:
    document = raised(walker.at_frame("c1", 20))
    copy = copy_of(document, "c1")
    both = edits.add_character(copy)(document)
    assert both.frames["c2"] == 20
    one, other = both.actors
    assert other.clip.source is one.clip.source
    for frame in (0, 20, 50):
        old, new = one.at(frame), other.at(frame)
        way = new.pose.root_position - old.pose.root_position
        assert np.hypot(way[0], way[2]) > 0.8
        assert new.pose.rotations == pytest.approx(old.pose.rotations, abs=1e-6)


def test_nobody_is_moved_beyond_what_a_scene_can_hold(walker: Document) -> None:
    with pytest.raises(PoserError, match="from the origin"):
        edits.move_character("c1", (FARTHEST_M, 0, 0))(walker)


def test_a_clip_that_cannot_be_is_refused() -> None:
    pose = new_document().characters[0].pose
    first, motion = Key(0, pose, pose), strolling(3)
    for make in (
        lambda: Clip(()),
        lambda: Clip((Key(3, pose, pose), first)),
        lambda: Clip((first, first)),
        lambda: Clip((Key(-1, pose, pose),)),
        lambda: Clip((Key(3, pose, pose),), SourceMotion(motion, BodyShape())),
        lambda: Clip((first,), SourceMotion(motion, BodyShape()), fps=60.0),
    ):
        with pytest.raises(ValueError, match="key"):
            make()


def test_without_a_motion_the_pose_goes_from_key_to_key() -> None:
    (actor,) = new_document().actors
    pose = random_pose(np.random.default_rng(0))
    actor = replace(actor, clip=actor.clip.with_key(Key(10, pose, pose)))
    assert len(actor.clip) == 11
    assert actor.at(99).pose == pose
    turned = [geodesic_angle(actor.at(0).pose.rotations, actor.at(f).pose.rotations).mean() for f in range(11)]
    assert (np.diff(turned) > 0).all()
    assert actor.at(7).frame == 7


def test_a_character_that_says_what_its_clip_says_sets_no_key(walker: Document) -> None:
    shown = only(walker.at_frame("c1", 12))
    assert actor_of(shown).clip is shown.clip
    renamed = walker.with_character(replace(shown, name="Anna"))
    assert only(renamed).clip is shown.clip
    assert renamed.actors[0].identity.name == "Anna"


def test_an_unchanged_person_stays_the_same_actor() -> None:
    document = new_document()
    document = edits.add_character(new_character(document))(document)
    after = document.with_characters((replace(document.characters[0], name="Anna"), document.characters[1]))
    assert after.actors[1] is document.actors[1]
    assert edits.remove_character("c1")(document).actors == (document.actors[1],)


def test_further_photos_stay_when_the_first_is_replaced_or_removed() -> None:
    from document_samples import random_photo

    rng = np.random.default_rng(0)
    one, two, three = (random_photo(rng, f"/photos/{name}.jpg") for name in "abc")
    document = edits.chain(edits.add_photo(one), edits.add_photo(two))(Document())
    assert (document.photo, document.photos) == (one, (one, two))
    assert edits.set_photo(three)(document).photos == (three, two)
    assert edits.set_photo(None)(document).photos == (two,)
    assert edits.set_photo_opacity(0.5)(document).photos[1] is two


def test_another_of_the_photos_comes_to_the_front_and_the_others_follow_in_their_order() -> None:
    from document_samples import random_photo

    rng = np.random.default_rng(0)
    one, two, three = (random_photo(rng, f"/photos/{name}.jpg") for name in "abc")
    document = Document(photos=(one, two, three))
    assert edits.choose_photo(1)(document).photos == (two, three, one)
    assert edits.choose_photo(0)(document) is document
    with pytest.raises(PoserError, match="3 photos, and none at place 4"):
        edits.choose_photo(3)(document)


@pytest.mark.slow
def test_many_moves_of_a_long_motion_take_no_memory() -> None:
    long = strolling(60)
    motion = Motion(np.tile(long.root_positions, (84, 1))[:5000], np.tile(long.rotations, (84, 1, 1, 1))[:5000])
    document = edits.import_motion("c1", motion)(new_document())
    start = only(document)

    def moved(document: Document) -> Document:
        for step in range(200):
            document = edits.place_together([start], (0.001 * step, 0, 0), 0.001 * step)(document)
        return document

    document = moved(document)  # Python keeps some thousand tuples for later, which are no part of it
    tracemalloc.start()
    moved(document)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5e5, "one copy of the motion alone is 4 MB"
    assert only(document).pose.root_position[0] == pytest.approx(start.pose.root_position[0] + 0.199, abs=1e-5)


def test_a_new_character_can_be_put_together_from_a_clip() -> None:
    pose = new_document().characters[0].pose
    character = Character(id="c9", name="Nine", pose=pose, base_pose=pose, clip=still(pose, pose))
    document = document_of(following(character, pose))
    assert only(document).clip.placement == HERE
    assert only(document).pose is pose


def test_poses_at_some_frames_are_those_of_the_whole_motion() -> None:
    document = walker(60)
    for frame in (20, 40):
        document = raised(document.at_frame("c1", frame))
    actor = document.actor("c1")
    motion = actor.motion()
    assert motion is not None
    for frames in ([0, 2], [20, 21, 55], [59]):
        roots, rotations = actor.poses(np.array(frames))
        some = actor.clip.placement.motion(Motion(roots, rotations, motion.fps))
        assert np.array_equal(some.root_positions, motion.root_positions[frames])
        assert np.array_equal(some.rotations, motion.rotations[frames])
