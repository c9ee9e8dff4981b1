"""A recorded motion that is cut, or goes faster or slower: what it has planted, its keys and its fingers go along."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only
from motion_samples import raised, strolling, walker
from timeline_driver import gliding

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.clip import Clip, SourceMotion
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.finger_curve import hands_at
from app.document.over_time.retiming.cut import trimmed_to
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import read_scene_text, scene_text
from solver.body.hands import HandMotion
from solver.body.whole_rig import FINGER_JOINTS
from solver.errors import InputRefused, PoserError
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import geodesic_angle
from solver.rig.contacts import FootContact, foot_contacts_of
from solver.rig.roles import LEGS

FRAMES, FPS = 61, 30.0


def clip_in(document: Document) -> Clip:
    return document.actor("c1").clip


def source_in(document: Document) -> SourceMotion:
    source = clip_in(document).source
    assert source is not None
    return source


def jumper() -> Document:
    """Somebody who stands, jumps and stands again."""
    document = new_document()
    pose = only(document).pose
    roots = np.tile(pose.root_position, (91, 1))
    roots[30:60, 1] += np.sin(np.linspace(0, np.pi, 30)) * 0.3
    motion = Motion(roots, np.broadcast_to(pose.rotations, (91, 24, 3, 3)), FPS)
    return edits.import_motion("c1", motion)(document)


def found_anew(document: Document) -> tuple[FootContact, ...]:
    return foot_contacts_of(skeleton_of(only(document)), source_in(document).motion)


def reopened(document: Document) -> Document:
    return read_scene_text(scene_text(document, Path()), Path("scene.json"))


def test_at_half_the_speed_recorded_frames_stay_and_the_new_ones_lie_halfway_between() -> None:
    before = walker(FRAMES)
    after = edits.set_speed("c1", 2 * FRAMES - 1)(before)
    was, now = source_in(before).motion, source_in(after).motion
    assert (len(clip_in(after)), now.fps) == (121, FPS)
    assert np.array_equal(now.rotations[::2], was.rotations)
    assert np.array_equal(now.root_positions[::2], was.root_positions)
    ways = geodesic_angle(now.rotations[:-1], now.rotations[1:])
    whole = geodesic_angle(was.rotations[:-1], was.rotations[1:])
    assert ways[::2] + ways[1::2] == pytest.approx(whole, abs=2e-3), "no joint makes a detour"


def test_a_slowed_walk_goes_on_evenly_from_its_first_frame_to_its_last() -> None:
    slow = source_in(edits.set_speed("c1", 4 * FRAMES - 3)(walker(FRAMES)))
    steps = np.diff(slow.motion.root_positions[:, 2])
    assert steps == pytest.approx(2.0 / (4 * (FRAMES - 1)), rel=1e-3)


@pytest.mark.parametrize("times", [0.5, 3.0])
def test_a_foot_planted_in_the_recording_is_planted_at_another_speed(times: float) -> None:
    before = jumper()
    after = edits.set_speed("c1", round(90 / times) + 1)(before)
    was, now = (source_in(each).contacts("anny") for each in (before, after))
    assert [each.foot for each in now] == [each.foot for each in was]
    assert len(was) == 4
    for a, b in zip(was, now, strict=True):
        assert (b.first * times, b.last * times) == pytest.approx((a.first, a.last), abs=times)


def test_speed_neither_plants_feet_that_slid_nor_loses_those_that_crept() -> None:
    slow = edits.set_speed("c1", 10 * FRAMES - 9)(walker(FRAMES))
    assert found_anew(slow), "by their speed they would be taken for planted"
    assert source_in(slow).contacts("anny") == ()
    document = new_document()
    creeping = edits.import_motion("c1", gliding(only(document), 121))(document)
    fast = edits.set_speed("c1", 31)(creeping)
    assert not found_anew(fast), "by their speed they would be missed"
    assert source_in(fast).contacts("anny") == tuple(FootContact(leg.tip, 0, 30) for leg in LEGS)


def test_a_foot_that_was_let_go_stays_so_at_another_speed_and_in_a_mirror() -> None:
    held = edits.set_in_between("c1", contacts=True)(jumper())
    last = source_in(held).contacts("anny")[1]
    free = edits.switch_contact("c1", last.foot, last.first)(held)
    after = edits.set_speed("c1", 46)(free)
    kept = [clip_in(after).between.holds(each) for each in source_in(after).contacts("anny")]
    assert kept == [True, False, True, True]
    seen = edits.mirror_pose("c1")(after)
    kept = [clip_in(seen).between.holds(each) for each in source_in(seen).contacts("anny")]
    assert kept == [True, True, True, False], "it is the other foot now"


def test_what_was_planted_is_in_the_scene_file_and_a_file_without_it_finds_it_anew() -> None:
    fast = edits.set_speed("c1", 31)(edits.import_motion("c1", gliding(only(new_document()), 121))(new_document()))
    assert source_in(reopened(fast)).footings == source_in(fast).footings
    assert clip_in(reopened(fast)) == clip_in(fast)
    assert "planted_left" not in scene_text(jumper(), Path())
    written = json.loads(scene_text(fast, Path()))
    source = written["characters"][0]["clip"]["source"]
    del source["planted_left"], source["planted_right"]
    assert source_in(read_scene_text(json.dumps(written), Path("scene.json"))).footings is None
    for bad in ([[5, 2]], [[0, 31]], [[0, 9], [9, 12]]):
        source["planted_left"] = bad
        with pytest.raises(InputRefused, match="planted_left"):
            read_scene_text(json.dumps(written), Path("scene.json"))


def test_keys_go_along_and_add_what_they_added() -> None:
    document = edits.set_key("c1", 17)(raised(walker(FRAMES).at_frame("c1", 30)))
    fast = edits.set_speed("c1", 41)(document)
    assert [key.frame for key in clip_in(fast).keys] == [0, 11, 20]
    for frame, was in ((20, 30), (11, 17)):
        shift = [each.actor("c1").at(at).pose.rotations[16] @ source_in(each).motion.rotations[at][16].T
                 for each, at in ((document, was), (fast, frame))]  # fmt: skip
        assert float(geodesic_angle(*shift)) < 1e-3
    assert clip_in(fast).keys[0].pose == source_in(fast).motion.pose(0), "one that adds nothing still adds nothing"


def test_keys_without_a_recording_and_those_of_a_prop_move_apart() -> None:
    document = edits.set_key("c1", 20)(edits.set_clip_length("c1", 41)(new_document())).at_frame("c1", 20)
    slow = edits.set_speed("c1", 81)(document)
    assert ([key.frame for key in clip_in(slow).keys], len(clip_in(slow))) == ([0, 40], 81)
    assert only(slow).frame == 40, "the same moment is looked at"
    box = edits.chain(edits.add_prop(new_prop(document, "box")), edits.animate_prop("p1", 41))(document)
    box = edits.set_prop_key("p1", 20)(box)
    slow = edits.set_prop_speed("p1", 81)(box)
    clip = slow.prop("p1").clip
    assert clip is not None
    assert ([key.frame for key in clip.keys], len(clip)) == ([0, 40], 81)
    assert clip_in(slow) == clip_in(box), "the person's keys stay"


def test_moving_fingers_go_at_the_new_speed() -> None:
    vectors = np.zeros((FRAMES, len(FINGER_JOINTS), 3), np.float32)
    vectors[:, 0, 2] = np.linspace(0, 0.6, FRAMES)
    before = edits.import_motion("c1", strolling(FRAMES), hands=HandMotion(vectors))(new_document())
    slow = clip_in(edits.set_speed("c1", 2 * FRAMES - 1)(before))
    turns = [hands_at(clip_in(before), frame).rotations[0] for frame in (30, 31)]  # type: ignore[union-attr]
    half = hands_at(slow, 61).rotations[0]  # type: ignore[union-attr]
    assert [float(geodesic_angle(half, turn)) for turn in turns] == pytest.approx([0.005, 0.005], abs=1e-4)


def test_a_cut_shows_the_same_frames_with_the_keys_within_it() -> None:
    document = raised(raised(walker(FRAMES).at_frame("c1", 12)).at_frame("c1", 40))
    document = edits.set_in_between("c1", by="joints")(document)
    cut = trimmed_to(document, 20 / FPS, 55 / FPS)
    assert (len(clip_in(cut)), [key.frame for key in clip_in(cut).keys]) == (36, [0, 20, 35][: len(clip_in(cut).keys)])
    assert cut.frames["c1"] == 20, "the same moment is looked at"
    for frame in (0, 20, 30, 35):
        was, now = (each.actor("c1").at(at).pose for each, at in ((document, 20 + frame), (cut, frame)))
        assert float(geodesic_angle(was.rotations, now.rotations).max()) < 0.1
        assert now.root_position == pytest.approx(was.root_position, abs=5e-4)
    assert cut.actor("c1").at(0).pose == document.actor("c1").at(20).pose


def test_keys_without_a_recording_are_cut_where_nothing_is_seen_to_change() -> None:
    document = edits.set_in_between("c1", by="joints")(edits.set_clip_length("c1", 41)(new_document()))
    document = raised(document.at_frame("c1", 30))
    cut = trimmed_to(document, 10 / FPS, 20 / FPS)
    assert [key.frame for key in clip_in(cut).keys] == [0, 10]
    for frame in (0, 10):
        assert cut.actor("c1").at(frame).pose == document.actor("c1").at(10 + frame).pose
    after = trimmed_to(document, 35 / FPS, 1e6)
    assert [key.frame for key in clip_in(after).keys] == [0]
    assert after.actor("c1").at(5).pose == document.actor("c1").at(40).pose


def test_a_cut_walk_with_a_stride_of_its_own_stays_on_its_path_and_on_its_feet() -> None:
    document = edits.set_stride("c1", 0.5)(walker(FRAMES))
    cut = trimmed_to(document, 20 / FPS, 1e6)
    assert source_in(cut).path == pytest.approx(source_in(document).path[20:], abs=1e-5)
    held = trimmed_to(jumper(), 10 / FPS, 80 / FPS)
    assert [each[1:] for each in source_in(held).contacts("anny")] == [
        (max(each.first, 10) - 10, min(each.last, 80) - 10) for each in source_in(jumper()).contacts("anny")
    ]


def test_a_cut_takes_everybody_and_every_prop_and_whoever_ended_before_stays_at_their_last_frame() -> None:
    alone = walker(FRAMES)
    document = edits.chain(
        edits.add_character(new_character(alone)), edits.set_clip_length("c2", 11),
        edits.add_prop(new_prop(alone, "box")), edits.animate_prop("p1", FRAMES),
    )(alone)  # fmt: skip
    document = edits.set_prop_key("p1", 40)(document.at({"prop p1": 40}))
    cut = trimmed_to(document, 20 / FPS, 50 / FPS)
    assert [len(actor.clip) for actor in cut.actors] == [31, 1]
    clip = cut.prop("p1").clip
    assert clip is not None
    assert (len(clip), [key.frame for key in clip.keys]) == (31, [0, 20])
    assert trimmed_to(cut, 0.0, 30 / FPS).actors == cut.actors, "all there is stays as it is"


@pytest.mark.parametrize("frames", [1, 0, 10**7])
def test_a_speed_that_is_none_is_refused_and_somebody_still_stays(frames: int) -> None:
    with pytest.raises(PoserError, match="A motion has 2 to"):
        edits.set_speed("c1", frames)(walker(FRAMES))
    still = new_document()
    assert edits.set_speed("c1", 30)(still) is still


def test_footings_outside_the_motion_are_none() -> None:
    source = source_in(walker(FRAMES))
    with pytest.raises(ValueError, match="within the motion"):
        replace(source, footings=(FootContact(LEGS[0].tip, 0, FRAMES),))
