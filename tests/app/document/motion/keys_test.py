"""Keys of a clip: moved, copied, deleted and set, each in one step, within the clip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import only, random_pose
from motion_samples import raised, strolling, walker

from app.document import edits
from app.document.model.clip import Clip, InBetween, Key
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit, History
from app.document.over_time.in_betweens import completed
from app.document.over_time.planted import lifted_by, missed_by
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import following
from app.document.posing.solving import solved
from app.document.scene_file.io import load_scene, save_scene
from solver.body.body import BodyShape
from solver.effectors.kinds import LookAt, Position
from solver.effectors.sources import JointSource, PropSource
from solver.errors import PoserError, UnknownName
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.contacts import FootContact
from solver.size_limits import MAX_FRAMES

WRIST, ANKLE = SMPL_JOINTS.index("left_wrist"), SMPL_JOINTS.index("left_ankle")


@pytest.fixture(scope="module", name="edited")
def _edited() -> Document:
    """Somebody who walks and raises a hand at frame 20, and higher at frame 30."""
    return raised(raised(walker().at_frame("c1", 20)).at_frame("c1", 30), 0.4)


@pytest.fixture(scope="module", name="keyed")
def _keyed() -> Document:
    """Somebody without a motion who has keys at frames 0, 10 and 24."""
    document, rng = new_document(), np.random.default_rng(3)
    document = edits.set_clip_length("c1", 40)(document)
    for frame in (10, 24):
        document = edits.set_pose("c1", random_pose(rng, 0.3))(document.at_frame("c1", frame))
    return document


def frames_of(document: Document) -> list[int]:
    return [key.frame for key in only(document).clip.keys]


def key_at(document: Document, frame: int) -> Key:
    key = only(document).clip.key(frame)
    assert key is not None
    return key


def added(document: Document, frame: int) -> np.ndarray:
    """How far the left wrist is from where the source motion has it, metres."""
    shown = only(document.at_frame("c1", frame))
    source = joints_of(replace(shown, pose=shown.base_pose)).positions
    return np.asarray(joints_of(shown).positions[WRIST] - source[WRIST])


def test_a_moved_key_adds_to_the_motion_what_it_added_before(edited: Document) -> None:
    after = edits.move_keys("c1", [20], 5)(edited)
    assert frames_of(after) == [0, 25, 30]
    shown, was = only(after.at_frame("c1", 25)), only(edited.at_frame("c1", 20))
    source = shown.clip.source
    assert source is not None
    assert shown.base_pose == source.motion.pose(25)
    for e, before in zip(shown.effectors, was.effectors, strict=True):
        if before.joint == "left_wrist":
            there, here = (joints_of(replace(c, pose=c.base_pose)).positions[WRIST] for c in (shown, was))
            assert e.target - there == pytest.approx(before.target - here, abs=1e-5)
    assert joints_of(solved(shown)).positions[WRIST] - there == pytest.approx(added(edited, 20), abs=2e-3)


def test_a_moved_foot_stands_where_the_motion_has_it_after_the_solve(edited: Document) -> None:
    shown = solved(only(edits.move_keys("c1", [20], 7)(edited).at_frame("c1", 27)))
    source = joints_of(replace(shown, pose=shown.base_pose)).positions[ANKLE]
    assert joints_of(shown).positions[ANKLE] == pytest.approx(source, abs=2e-3)


def test_a_key_moved_there_and_back_is_where_it_was(edited: Document) -> None:
    start = only(edited).clip
    away = edits.move_keys("c1", [20], 10, start=start)(edited)
    assert frames_of(away) == [0, 30], "it has landed on another one and wins"
    assert added(away, 30)[1] == pytest.approx(added(edited, 20)[1], abs=0.1)
    assert edits.move_keys("c1", [20], 0, start=start)(away) == edited, "what was only passed over is there again"
    assert edits.move_keys("c1", [20], 0)(edited) is edited
    assert edits.move_keys("c1", [], 5)(edited) is edited


def test_several_keys_move_together_even_onto_each_other(keyed: Document) -> None:
    after = edits.move_keys("c1", [0, 10, 24], 14)(keyed)
    assert frames_of(after) == [14, 24, 38]
    assert key_at(after, 24).pose == key_at(keyed, 10).pose
    assert key_at(after, 38).pose == key_at(keyed, 24).pose
    assert len(only(after).clip) == 40


def test_the_last_key_moved_forward_leaves_the_clip_as_long_as_it_was(keyed: Document) -> None:
    after = edits.move_keys("c1", [24], -10)(edits.set_clip_length("c1", 25)(keyed))
    assert frames_of(after) == [0, 10, 14]
    assert len(only(after).clip) == 25


def test_a_copied_key_stays_and_is_at_another_frame_too(edited: Document) -> None:
    after = edits.copy_keys("c1", [20, 30], 45)(edited)
    assert frames_of(after) == [0, 20, 30, 45, 55]
    assert added(after, 20) == pytest.approx(added(edited, 20))
    shown = solved(only(after.at_frame("c1", 55)))
    assert added(after.with_character(shown), 55) == pytest.approx(added(edited, 30), abs=2e-3)


def test_a_copy_wins_over_the_key_that_it_lands_on(keyed: Document) -> None:
    after = edits.copy_keys("c1", [10], 24)(keyed)
    assert frames_of(after) == [0, 10, 24]
    assert key_at(after, 24).pose == key_at(after, 10).pose == key_at(keyed, 10).pose


def test_deleted_keys_leave_what_is_shown_without_them(edited: Document) -> None:
    after = edits.delete_keys("c1", [20, 30])(edited)
    assert frames_of(after) == [0]
    source = only(after).clip.source
    assert source is not None
    for frame in (18, 20, 25, 30):
        assert only(after.at_frame("c1", frame)).pose == source.motion.pose(frame)
    assert edits.delete_keys("c1", [])(edited) is edited


def test_a_key_is_set_of_what_is_shown(edited: Document) -> None:
    before = only(edited.at_frame("c1", 25))
    after = edits.set_key("c1", 25)(edited)
    assert frames_of(after) == [0, 20, 25, 30]
    shown = only(after.at_frame("c1", 25))
    assert shown.pose == before.pose
    assert shown.effectors == before.effectors
    assert edits.set_key("c1", 20)(edited) is edited


def test_keys_of_a_moved_and_reshaped_person_are_moved_alike(edited: Document) -> None:
    change = edits.chain(
        edits.set_shape("c1", BodyShape(np.float32([2.0] + [0] * 9))),
        edits.turn_character("c1", 1.0),
        edits.move_character("c1", (3, 0, 1)),
    )
    before = change(edited)
    after = edits.move_keys("c1", [30], 10)(before)
    lifted = np.linalg.norm(added(after, 40)) / np.linalg.norm(added(before, 30))
    assert lifted == pytest.approx(1.0, abs=0.2)
    again = edits.move_keys("c1", [40], -10)(after)
    for now, was in zip(
        only(again.at_frame("c1", 30)).effectors, only(before.at_frame("c1", 30)).effectors, strict=True
    ):
        if not now.loose:
            assert now.target == pytest.approx(was.target, abs=1e-4)  # type: ignore[attr-defined]


def test_a_look_goes_along_with_the_head(edited: Document) -> None:
    look = next(e for e in only(edited).effectors if isinstance(e, LookAt))
    aside = edits.make_strict("c1", [look.id])(edited.at_frame("c1", 20))
    aside = edits.set_target("c1", look.id, look.target + np.float32([0.5, 0, 0]))(aside)
    after = edits.move_keys("c1", [20], 4)(aside)
    shown, was = only(after.at_frame("c1", 24)), only(aside.at_frame("c1", 20))

    def seen_from_the_head(character):  # type: ignore[no-untyped-def]
        joints = joints_of(replace(character, pose=character.base_pose))
        return character.effector(look.id).target - joints.positions[SMPL_JOINTS.index("head")]

    assert seen_from_the_head(shown) == pytest.approx(seen_from_the_head(was), abs=0.05)
    assert skeleton_of(shown).names == SMPL_JOINTS


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (edits.move_keys("c1", [20], 40), "Frame 61 is outside the clip of “Person 1”, which has 60 frames"),
        (edits.move_keys("c1", [0, 20], -1), "Frame 0 is outside"),
        (edits.move_keys("c1", [21], 1), "“Person 1” has no key at frame 22"),
        (edits.copy_keys("c1", [20, 30], 55), "Frame 66 is outside"),
        (edits.copy_keys("c1", [3], 5), "no key at frame 4"),
        (edits.delete_keys("c1", [19]), "no key at frame 20"),
        (edits.delete_keys("c1", [0, 20, 30]), "at least one key"),
        (edits.set_key("c1", 60), "Frame 61 is outside"),
        (edits.set_clip_length("c1", 90), "has 60 frames, which cannot be changed"),
        (edits.set_in_between("c1", ease_s=100.0), "0 to 60 seconds"),
    ],
    ids=range(10),
)
def test_what_lies_outside_the_clip_is_refused(edited: Document, edit: Edit, message: str) -> None:
    with pytest.raises(PoserError, match=message):
        edit(edited)


def test_a_motion_of_one_frame_takes_a_key_nowhere_else() -> None:
    document = edits.import_motion("c1", strolling(1))(new_document())
    with pytest.raises(PoserError, match="which has 1 frame"):
        edits.move_keys("c1", [0], 1)(document)
    with pytest.raises(ValueError, match="at least one frame"):
        Motion(np.zeros((0, 3)), np.zeros((0, 24, 3, 3)))


def test_a_motion_of_one_frame_is_a_pose_that_lasts_as_long_as_is_said() -> None:
    document = edits.import_motion("c1", strolling(1))(new_document())
    clip = only(edits.set_clip_length("c1", 20)(document)).clip
    assert (len(clip), clip.source, clip.keys) == (20, None, only(document).clip.keys)


def test_a_clip_without_a_motion_is_as_long_as_is_said(keyed: Document) -> None:
    assert len(only(keyed).clip) == 40
    assert edits.set_clip_length("c1", 40)(keyed) is keyed
    for frames, message in ((24, "a key at frame 25"), (0, "1 to 200,000"), (MAX_FRAMES + 1, "1 to 200,000")):
        with pytest.raises(PoserError, match=message):
            edits.set_clip_length("c1", frames)(keyed)
    pose = only(keyed).pose
    with pytest.raises(ValueError, match="frames"):
        Clip((Key(0, pose, pose),), frames=MAX_FRAMES + 1)


def test_how_in_betweens_come_about_is_set_in_one_step() -> None:
    document = new_document()
    after = edits.set_in_between("c1", by="joints", ease_s=1.5, contacts=True)(document)
    assert only(after).clip.between == InBetween("joints", 1.5, True)
    assert edits.set_in_between("c1", ease_s=1.5)(after) is after
    with pytest.raises(UnknownName, match="solver, joints"):
        edits.set_in_between("c1", by="magic")(document)


def test_each_edit_of_keys_is_one_step_back(edited: Document) -> None:
    history = History(edited)
    for edit in (
        edits.move_keys("c1", [20], 3),
        edits.copy_keys("c1", [30], 50),
        edits.set_key("c1", 40),
        edits.delete_keys("c1", [30]),
    ):
        history.apply("Keys", edit)
    assert frames_of(history.document) == [0, 23, 40, 50]
    for _ in range(4):
        assert history.undo()
    assert history.document is edited


def test_length_and_in_betweens_are_saved(keyed: Document, tmp_path: object) -> None:
    document = edits.set_in_between("c1", by="joints", contacts=True)(keyed)
    path = tmp_path / "scene.json"  # type: ignore[operator]
    save_scene(path, document)
    assert load_scene(path) == document
    assert len(only(load_scene(path)).clip) == 40


@pytest.fixture
def standing() -> Document:
    """Somebody who stands still in a motion: both feet are planted."""
    pose = only(new_document()).pose
    still = Motion(np.tile(pose.root_position, (30, 1)), np.tile(pose.rotations, (30, 1, 1, 1)), 30.0)
    return edits.import_motion("c1", still)(new_document())


def planted(document: Document) -> tuple[FootContact, ...]:
    source = document.actors[0].clip.source
    assert source is not None
    return source.contacts("anny")


def test_which_planted_feet_are_held_is_saved_and_a_foot_that_is_not_there_changes_nothing(
    standing: Document, tmp_path: object
) -> None:
    every = planted(standing)
    all_held = edits.set_in_between("c1", contacts=True)(standing)
    document = edits.switch_contact("c1", every[0].foot, every[0].first)(all_held)
    between = document.actors[0].clip.between
    assert [between.holds(each) for each in every] == [False] + [True] * (len(every) - 1)
    assert edits.switch_contact("c1", every[0].foot, 10**6)(document) is document
    assert edits.switch_contact("c1", every[0].foot, every[0].first)(document) == all_held
    path = tmp_path / "scene.json"  # type: ignore[operator]
    save_scene(path, document)
    assert load_scene(path) == document
    assert edits.set_in_between("c1", ease_s=1.0)(document).actors[0].clip.between.free_left == between.free_left
    assert edits.set_in_between("c1", contacts=True)(document) == all_held


def test_how_far_planted_feet_are_off_their_places_is_known_where_keys_move_them() -> None:
    pose = only(new_document()).pose
    roots = np.tile(pose.root_position, (90, 1))
    roots[30:60, 1] += 0.3 * np.sin(np.linspace(0, np.pi, 30))
    jump = edits.import_motion("c1", Motion(roots, np.tile(pose.rotations, (90, 1, 1, 1)), 30.0))(new_document())
    held = edits.set_in_between("c1", contacts=True, ease_s=0.2)(jump)
    assert missed_by(held.actors[0]) == {}, "no key moves them"
    aside = replace(pose, root_position=pose.root_position + np.float32([0.2, 0.0, 0.0]))
    pulled = held
    for frame in (10, 75):
        pulled = edits.set_pose("c1", aside)(pulled.at_frame("c1", frame))
    assert missed_by(pulled.actors[0]) == {}, "nothing is solved yet"
    assert max(missed_by(completed(pulled.actors[0])).values()) < 1e-3
    far = missed_by(edits.set_in_between("c1", by="joints")(pulled).actors[0])
    assert set(far) == {*planted(pulled)}
    assert min(far.values()) > 0.05
    in_the_air = edits.set_pose("c1", aside)(held.at_frame("c1", 57))
    moved = missed_by(edits.set_in_between("c1", by="joints")(in_the_air).actors[0])
    assert moved.keys() > lifted_by(in_the_air.actors[0]).keys(), "no key is on them there"


def test_how_far_a_key_lifts_a_planted_foot_is_known_unless_the_foot_is_held_there(standing: Document) -> None:
    held = edits.set_in_between("c1", contacts=True)(standing).at_frame("c1", 10)
    assert lifted_by(held.actors[0]) == {}
    pose = only(held).pose
    up = replace(pose, root_position=pose.root_position + np.float32([0.0, 0.2, 0.0]))
    lifted = edits.set_pose("c1", up)(held)
    assert list(lifted_by(lifted.actors[0]).values()) == pytest.approx([0.2] * len(planted(standing)), abs=0.01)
    for patch in ("left_sole", "right_sole"):
        known = patches_of(only(lifted))[patch]
        lifted = edits.hold("c1", contact_of(known, np.float32([0.0, 0.2, 0.0]), np.float32([0.0, 1.0, 0.0])))(lifted)
    assert max(lifted_by(lifted.actors[0]).values()) < 1e-3, "as on a box"


def test_with_the_last_planted_foot_let_go_none_is_held_any_more(standing: Document) -> None:
    document = edits.set_in_between("c1", contacts=True)(standing)
    assert len(planted(standing)) > 1
    for each in planted(standing):
        assert document.actors[0].clip.between.contacts
        document = edits.switch_contact("c1", each.foot, each.first)(document)
    assert document == standing, "as by the switch for all of them"


def test_nobody_without_a_motion_has_planted_feet_to_switch(keyed: Document) -> None:
    assert edits.switch_contact("c1", "left_foot", 0)(keyed) is keyed


def test_a_pose_pasted_over_a_motion_is_carried_as_a_pose(edited: Document) -> None:
    crouch = following(only(edited.at_frame("c1", 40)), random_pose(np.random.default_rng(5), 0.2))
    pasted = edits.set_pose("c1", crouch.pose)(edited.at_frame("c1", 40))
    after = edits.move_keys("c1", [40], 3)(pasted)
    source = only(after).clip.source
    assert source is not None
    shown, was = only(after.at_frame("c1", 43)), only(pasted.at_frame("c1", 40))
    for character, frame in ((shown, 43), (was, 40)):
        way = character.pose.root_position - source.motion.pose(frame).root_position
        assert way == pytest.approx(was.pose.root_position - source.motion.pose(40).root_position, abs=1e-5)
    assert shown.base_pose == shown.pose


def test_keys_that_were_deleted_can_still_be_pasted_and_add_what_they_added(edited: Document) -> None:
    copied = only(edited).clip.keys[1:]
    without = edits.delete_keys("c1", [20, 30])(edited)
    after = edits.paste_keys("c1", copied, 40)(without)
    assert frames_of(after) == [0, 40, 50]
    shown = solved(only(after.at_frame("c1", 50)))
    assert added(after.with_character(shown), 50) == pytest.approx(added(edited, 30), abs=2e-3)
    assert edits.paste_keys("c1", (), 40)(without) is without


def test_pasted_keys_beyond_the_end_are_left_out_and_the_clip_stays_as_long(keyed: Document) -> None:
    after = edits.paste_keys("c1", only(keyed).clip.keys, 20)(keyed)
    assert frames_of(after) == [0, 10, 20, 24, 30]
    assert len(only(after).clip) == 40
    assert edits.paste_keys("c1", only(keyed).clip.keys, 40)(keyed) is keyed


def test_keys_of_a_motion_that_is_another_one_now_are_not_pasted(edited: Document) -> None:
    copied = only(edited).clip.keys[1:]
    shorter = edits.import_motion("c1", strolling(15))(edited)
    with pytest.raises(PoserError, match="was replaced after these keys were copied"):
        edits.paste_keys("c1", copied, 0)(shorter)


def test_pasted_keys_do_not_hold_on_to_people_and_props_that_have_gone_since_they_were_copied(keyed: Document) -> None:
    here = np.zeros(3, np.float32)
    tied = tuple(
        Position("left_wrist", here, id=source.character, source=source)
        for source in (JointSource("c1", "head"), JointSource("c2", "head"))
    )
    on_box = Position("right_wrist", here, id="box", source=PropSource("p1", here))
    copied = replace(only(keyed).clip.keys[1], effectors=(*tied, on_box))
    after = edits.paste_keys("c1", (copied,), 30)(keyed)
    key = only(after).clip.key(30)
    assert key is not None
    assert {each.id: each.source for each in key.effectors} == {"c1": tied[0].source, "c2": None, "box": None}
