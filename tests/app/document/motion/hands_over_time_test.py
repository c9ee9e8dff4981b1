"""Fingers over time: keys hold them as they hold poses, and between keys they go joint by joint."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only
from motion_samples import raised, strolling, walker

from app.document import edits
from app.document.model.actor import actor_of
from app.document.model.clip import SourceMotion
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of
from app.document.model.finger_curve import added_at, hands_at, hands_at_frames, hands_move
from app.document.model.hand_effectors import places_of
from app.document.model.history import History
from app.document.over_time.departures import carried_key
from app.document.over_time.in_betweens import completed, missing
from app.document.over_time.source_motion import source_moment
from app.document.posing.contact_patches import patches_of
from app.document.posing.create import new_document
from app.document.posing.fingertips import finger_effector, finger_name
from app.document.posing.mirroring import mirrored
from app.document.scene_file.io import load_scene, save_scene, scene_text
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.finger_chain import FINGER_POINTS, fingers_in_world
from solver.body.hand_presets import preset_hands
from solver.body.hands import HandMotion, Hands, hands_at_rest, hands_or_motion, relaxed_hands
from solver.effectors.contact import Contact
from solver.errors import InputRefused
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, to_rotation_vector

BODY = load_body("anny")
FIST, FLAT = preset_hands("fist", BODY), preset_hands("flat", BODY)
FRAMES = 60
EASE = 15  # half a second


def still() -> Document:
    """Somebody with sixty frames and no motion."""
    return edits.set_clip_length("c1", FRAMES)(new_document())


def held(document: Document, hands: Hands, *frames: int) -> Document:
    for frame in frames:
        document = edits.set_hands("c1", hands)(document.at_frame("c1", frame))
    return document


def shown(document: Document, frame: int) -> Hands:
    hands = document.at_frame("c1", frame).character("c1").hands
    assert hands is not None
    return hands


def apart(one: Hands, other: Hands) -> np.ndarray:
    """(30,) radians between finger joints."""
    return np.asarray(geodesic_angle(one.rotations, other.rotations))


def keyed(document: Document) -> list[int]:
    return [key.frame for key in only(document).clip.keys]


def moving(frames: int = FRAMES) -> HandMotion:
    """Fingers that close over the whole motion, from relaxed to a fist."""
    return HandMotion(
        np.stack([to_rotation_vector(relaxed_hands().mixed(FIST, t).rotations) for t in np.linspace(0, 1, frames)])
    )


def fingering() -> Document:
    """Somebody who strolls and closes their fists meanwhile."""
    return edits.import_motion("c1", strolling(FRAMES), hands=moving())(new_document())


def test_a_fist_at_one_frame_and_an_open_hand_at_another_are_keys_there() -> None:
    document = held(held(still(), FIST, 10), FLAT, 30)
    assert keyed(document) == [0, 10, 30]
    assert shown(document, 0) == relaxed_hands()
    assert shown(document, 10) == FIST
    assert shown(document, 30) == FLAT
    assert shown(document, 59) == FLAT, "behind the last key they stay"


def test_between_two_keys_every_joint_goes_the_short_way() -> None:
    document = held(held(still(), FIST, 10), FLAT, 30)
    whole = apart(FIST, FLAT)
    for frame in (14, 20, 26):
        way = apart(FIST, shown(document, frame)) + apart(shown(document, frame), FLAT)
        assert way == pytest.approx(whole, abs=1e-3)
    middle = apart(FIST, shown(document, 20))
    assert middle == pytest.approx(whole / 2, abs=0.12)
    assert apart(FIST, shown(document, 11)).max() < 0.05, "at rest at the keys"


def test_hands_held_alike_at_two_keys_stay_so_in_between_as_the_very_same_value() -> None:
    document = held(still(), FIST, 10, 30)
    assert shown(document, 20) is shown(document, 10)
    walk = held(walker(FRAMES), FIST, 10, 30)
    assert shown(walk, 20) == FIST
    assert not hands_move(only(still()).clip)
    assert shown(still(), 33) is shown(still(), 0)


def test_changing_the_fingers_leaves_poses_and_other_keys_alone() -> None:
    before = held(raised(still().at_frame("c1", 40)), FIST, 10)
    after = held(before, FLAT, 40)
    assert shown(after, 10) == FIST
    for frame in (0, 10, 40):
        assert only(after.at_frame("c1", frame)).pose == only(before.at_frame("c1", frame)).pose
    assert edits.set_hands("c1", FLAT)(after) is after
    assert only(after).clip.key(40).pose is only(before).clip.key(40).pose  # type: ignore[union-attr]


def test_over_a_motion_a_fist_fades_within_half_a_second_and_not_towards_another_one() -> None:
    one = held(walker(FRAMES), FIST, 30)
    assert shown(one, 30) == FIST
    assert shown(one, 30 - EASE) == shown(one, 30 + EASE) == relaxed_hands()
    assert 0.1 < apart(shown(one, 24), FIST).max() < apart(relaxed_hands(), FIST).max()
    two = held(held(walker(120), FIST, 30), FIST, 100)
    assert apart(shown(two, 65), FIST).max() < 1e-3
    assert keyed(one) == [0, 30]


def test_what_a_key_adds_to_the_pose_does_not_end_what_another_adds_to_the_fingers() -> None:
    document = raised(held(walker(FRAMES), FIST, 20).at_frame("c1", 26))
    assert apart(shown(document, 26), FIST).max() > 0.1
    assert shown(document, 26) != relaxed_hands()
    assert shown(document, 45) == relaxed_hands()


def test_a_key_lends_the_fingers_of_its_frame_to_a_pose_set_between() -> None:
    document = held(held(still(), FIST, 10), FLAT, 30)
    there = shown(document, 20)
    posed = raised(document.at_frame("c1", 20))
    assert shown(posed, 20) == there
    assert shown(edits.set_key("c1", 20)(document), 20) == there


def test_fingers_of_a_motion_move_with_it_and_a_key_adds_to_them() -> None:
    document = fingering()
    assert shown(document, 0) == moving().at(0)
    assert shown(document, 40) == moving().at(40)
    assert hands_move(only(document).clip)
    added = held(document, FLAT, 30)
    assert shown(added, 30) == FLAT
    assert shown(added, 50) == moving().at(50)
    after = added.actor("c1")
    assert source_moment(after, 30)[1] == moving().at(30)  # type: ignore[index]
    assert source_moment(still().actor("c1"), 3) is None


def test_every_frame_at_once_is_every_frame_one_by_one() -> None:
    for document in (still(), held(held(still(), FIST, 10), FLAT, 30), held(fingering(), FLAT, 20),
                     held(walker(FRAMES), FIST, 30)):  # fmt: skip
        every = hands_at_frames(only(document).clip)
        assert every.shape == (FRAMES, 30, 3, 3)
        for frame in range(0, FRAMES, 7):
            assert every[frame] == pytest.approx(shown(document, frame).rotations, abs=1e-6)


def test_hands_that_nobody_said_anything_of_are_at_rest_at_every_frame() -> None:
    document = still()
    clip = only(document).clip
    bare = document.with_character(replace(only(document), hands=None))
    assert hands_at(only(bare).clip, 20) is None
    closed = held(bare, FIST, 20)
    assert apart(shown(closed, 10), hands_at_rest()).max() > 0.05
    assert hands_at_frames(only(bare).clip)[5] == pytest.approx(hands_at_rest().rotations)
    assert clip.keys[0].hands == relaxed_hands()


def test_a_moved_key_takes_along_what_it_adds_to_the_fingers() -> None:
    walk = held(walker(FRAMES), FIST, 20)
    assert shown(edits.move_keys("c1", [20], 20)(walk), 40) == FIST
    document = held(fingering(), FLAT, 20)
    clip = only(document).clip
    key = clip.key(20)
    assert key is not None
    along = added_at(clip, key, 40)
    assert along is not None
    turn = np.swapaxes(moving().at(20).rotations, -1, -2) @ FLAT.rotations
    assert np.swapaxes(moving().at(40).rotations, -1, -2) @ along.rotations == pytest.approx(turn, abs=1e-5)
    assert carried_key(document.actor("c1"), key, 40).hands == along
    nothing = only(fingering()).clip
    assert added_at(nothing, nothing.keys[0], 40) == moving().at(40)


def test_one_way_for_all_frames_takes_keys_and_motion_and_is_one_step() -> None:
    history = History(held(fingering(), FLAT, 30))
    history.apply("All", edits.hold_hands_throughout("c1"))
    document = history.document
    assert not hands_move(only(document).clip)
    assert [shown(document, frame) for frame in (0, 30, 59)] == [FLAT, FLAT, FLAT]
    assert edits.hold_hands_throughout("c1")(document) is document
    history.undo()
    assert shown(history.document, 59) == moving().at(59)
    stays = held(still(), FIST, 10)
    assert only(edits.hold_hands_throughout("c1")(stays.at_frame("c1", 0))).clip.keys[1].hands == relaxed_hands()


def test_what_is_known_of_planted_feet_stays_known_when_fingers_are_held_throughout() -> None:
    document = fingering()
    source = only(document).clip.source
    assert source is not None
    found = source.contacts("anny")
    after = only(edits.hold_hands_throughout("c1")(document)).clip.source
    assert after is not None
    assert after.knows_contacts
    assert after.contacts("anny") is found
    assert not source.held(None).held(FIST).moving_hands


def test_fingers_of_another_number_of_frames_are_no_source() -> None:
    with pytest.raises(ValueError, match="10 frames, the motion 60"):
        SourceMotion(strolling(FRAMES), BodyShape(), moving(10))


def test_hands_that_hardly_move_are_held_one_way() -> None:
    tremble = np.repeat(FIST.rotations[None], 5, axis=0)
    assert hands_or_motion(tremble) == FIST
    over = hands_or_motion(np.stack([FIST.rotations, FLAT.rotations]))
    assert isinstance(over, HandMotion)
    assert apart(over.at(1), FLAT).max() < 1e-3
    assert len(over) == 2


def test_the_mirror_exchanges_hands_at_every_frame() -> None:
    left = relaxed_hands().mixed(FIST, 1.0, (0,))
    document = held(still(), left, 20)
    seen = document.with_character(mirrored(only(document)))
    assert shown(seen, 20) == left.mirrored()
    assert shown(seen, 0) == relaxed_hands().mirrored()
    walk = only(fingering())
    other = actor_of(mirrored(walk))
    assert apart(other.at(40).hands, moving().at(40).mirrored()).max() < 1e-3  # type: ignore[arg-type]


def test_a_removed_key_gives_the_fingers_of_before_back() -> None:
    document = held(held(still(), FIST, 10), FLAT, 30)
    assert shown(edits.remove_key("c1")(document), 30) == FIST


def test_an_effector_on_a_fingertip_holds_it_at_every_frame() -> None:
    document = still()
    tip = finger_effector(only(document), "left_index_tip")
    document = document.with_character(replace(only(document), effectors=(*only(document).effectors, tip)))
    document = held(document, FIST, 20)
    for frame in (0, 7, 13, 20, 40):
        character = only(document.at_frame("c1", frame))
        assert finger_name(character, character.effectors[-1]) == "left_index_tip"
    throughout = edits.hold_hands_throughout("c1")(document)
    for key in only(throughout).clip.keys:
        character = only(throughout.at_frame("c1", key.frame))
        assert finger_name(character, character.effectors[-1]) == "left_index_tip"
    solved = only(edits.move_keys("c1", [20], 5)(document).at_frame("c1", 25))
    assert finger_name(solved, solved.effectors[-1]) == "left_index_tip"


def test_a_contact_lies_on_the_palm_as_the_fingers_of_the_frame_make_it() -> None:
    document = still()
    palm = patches_of(only(document))["left_palm"]
    contact = Contact("left_wrist", np.zeros(3, np.float32), offset=palm.middle, normal=palm.normal, patch=palm.name)
    document = document.with_character(replace(only(document), effectors=(contact,)))
    document = held(document, FIST, 20)
    for frame in (0, 10, 20):
        character = only(document.at_frame("c1", frame))
        (effector,) = character.effectors
        assert effector.offset == pytest.approx(patches_of(character)["left_palm"].middle, abs=1e-6)  # type: ignore[attr-defined]
    offsets = [only(document.at_frame("c1", frame)).effectors[0].offset for frame in (0, 20)]  # type: ignore[attr-defined]
    assert np.linalg.norm(offsets[0] - offsets[1]) > 1e-3


def test_a_scene_keeps_fingers_over_time(tmp_path: Path) -> None:
    for name, document in (("keys", held(held(still(), FIST, 10), FLAT, 30)), ("motion", held(fingering(), FLAT, 30)),
                           ("walk", held(walker(FRAMES), FIST, 30))):  # fmt: skip
        save_scene(tmp_path / f"{name}.json", document)
        again = load_scene(tmp_path / f"{name}.json")
        assert again == document
        for frame in (0, 5, 10, 22, 30, 59):
            assert apart(shown(again, frame), shown(document, frame)).max() < 1e-6


def test_hands_held_one_way_are_written_once_for_the_person(tmp_path: Path) -> None:
    document = held(edits.set_key("c1", 20)(still()), FIST, 0)
    document = edits.hold_hands_throughout("c1")(document.at_frame("c1", 0))
    save_scene(tmp_path / "one.json", document)
    content = json.loads((tmp_path / "one.json").read_text())["characters"][0]
    assert content["hands"]
    assert not any("hands" in key for key in content["clip"]["keys"])
    assert load_scene(tmp_path / "one.json") == document


def test_a_key_at_rest_says_so_where_the_person_is_not(tmp_path: Path) -> None:
    document = still()
    document = document.with_character(replace(only(document.at_frame("c1", 20)), hands=None))
    save_scene(tmp_path / "rest.json", document)
    assert json.loads((tmp_path / "rest.json").read_text())["characters"][0]["clip"]["keys"][1]["hands"] == {}
    assert shown(load_scene(tmp_path / "rest.json"), 20) == hands_at_rest()


def test_fingers_of_a_motion_that_are_damaged_are_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "motion.json"
    document = edits.import_motion("c1", strolling(5), hands=HandMotion(np.full((5, 30, 3), 40.0)))(new_document())
    file.write_text(scene_text(document, tmp_path))
    with pytest.raises(InputRefused, match="source.hands"):
        load_scene(file)


def test_somebody_of_another_shape_keeps_their_fingers_at_every_frame() -> None:
    document = held(held(still(), FIST, 10), FLAT, 30)
    tall = edits.set_beta("c1", 0, 2.0)(document)
    assert shown(tall, 10) == FIST
    assert shown(tall, 20) == shown(document, 20)
    assert body_of(only(tall)).id == BODY.id


def test_a_turn_of_fingers_reads_as_it_was_written() -> None:
    vectors = np.zeros((2, 30, 3), np.float32)
    vectors[1, 4, 2] = -1.0
    motion = HandMotion(vectors)
    assert motion.at(1).rotations[4] == pytest.approx(np.asarray(from_rotation_vector(np.array([0, 0, -1.0]))))
    assert motion.mirrored().mirrored() == motion


def solved_wave() -> Document:
    """A walk with a wrist raised at two keys, its frames between them solved."""
    walk = edits.set_solver_option("c1", "solid_floor", False)(walker(FRAMES))
    document = raised(raised(walk.at_frame("c1", 20)).at_frame("c1", 40))
    return replace(document, actors=(completed(document.actor("c1")),))


def test_fingers_leave_the_solved_frames_between_keys_as_they_are() -> None:
    document = solved_wave()
    assert not missing(document.actor("c1"))
    bent = held(document, FIST, 20)
    assert not missing(bent.actor("c1"))
    assert only(bent.at_frame("c1", 30)).pose == only(document.at_frame("c1", 30)).pose
    assert missing(raised(bent).actor("c1"))


@pytest.mark.slow
def test_fingers_count_for_frames_solved_over_a_solid_floor() -> None:
    document = edits.set_solver_option("c1", "solid_floor", True)(solved_wave())
    document = replace(document, actors=(completed(document.actor("c1")),))
    bent = held(document, FIST, 20)
    assert missing(bent.actor("c1"))
    assert not missing(completed(bent.actor("c1")))


def test_a_fingertip_is_where_its_track_has_it_while_the_finger_bends() -> None:
    document = still()
    tip = finger_effector(only(document), "left_index_tip")
    start = only(document)
    document = document.with_character(replace(start, effectors=(replace(tip, pinned=True),)))
    document = held(document, FIST, 12)
    document = edits.solve("c1")(document)
    document = replace(document, actors=(completed(document.actor("c1")),))
    where = FINGER_POINTS["left_index_tip"]
    for frame in (0, 4, 8, 12):
        character = only(document.at_frame("c1", frame))
        places = fingers_in_world(BODY, character.shape, shown(document, frame), joints_of(character))
        assert np.linalg.norm(places[where.side, where.finger, where.point] - tip.target) < 2e-3


def test_a_body_without_finger_joints_has_no_places_of_fingers() -> None:
    class Bare:
        genders = BODY.genders

        def whole_rig(self, shape: BodyShape) -> object:
            return BODY.skeleton(shape)

    assert np.isnan(places_of(Bare(), BodyShape(), FIST)).all()  # type: ignore[arg-type]
