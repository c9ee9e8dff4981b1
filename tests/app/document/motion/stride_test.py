"""The stride of a motion: its path goes with the legs, and as far as the user asks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only, whole_motion
from motion_samples import raised, walker

from app.document import edits
from app.document.curves.skate import skate_curves
from app.document.exchange.export import export_bvh
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.stride import stride_of
from app.document.over_time.in_betweens import completed, missing
from app.document.over_time.source_motion import source_motion
from app.document.posing.create import new_document
from app.document.posing.reshape import resized
from app.document.scene_file.io import read_scene_text, scene_text
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused, PoserError
from solver.formats.bvh.motion import to_motion
from solver.formats.bvh.read import read_bvh
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

SCENE = Path("/scenes/scene.json")


def of_height(deviations: float) -> BodyShape:
    return BodyShape(np.float32([deviations] + [0] * 9))


def walk(frames: int = 60) -> Motion:
    """A walk whose lower foot stays where it came down."""
    rocking = walker(frames).actor("c1").clip.source
    assert rocking is not None
    skeleton = load_body("anny").skeleton(BodyShape())
    turns, roots = np.array(rocking.motion.rotations), np.array(rocking.motion.root_positions)
    swing = 0.45 * np.sin(np.linspace(0, 4 * np.pi, frames))
    for leg, sign in zip(LEGS, (1, -1), strict=True):
        c, s = np.cos(sign * swing), np.sin(sign * swing)
        turn = np.zeros((frames, 3, 3))
        turn[:, 0, 0], turn[:, 1, 1], turn[:, 2, 2], turn[:, 1, 2], turn[:, 2, 1] = 1, c, c, -s, s
        turns[:, skeleton.index(leg.root)] = turn
        turns[:, skeleton.index(leg.hinge)] = np.eye(3)
    world = forward_kinematics_batch(skeleton.parents, skeleton.offsets, np.zeros((frames, 3), np.float32), turns)
    balls = world.positions[:, [skeleton.index(leg.tip) for leg in LEGS]]
    lower = balls[..., 1].argmin(axis=1)
    roots[0] = 0.0
    for frame in range(1, frames):
        foot = lower[frame - 1]
        roots[frame] = roots[frame - 1] - (balls[frame, foot] - balls[frame - 1, foot])
    roots[:, 1] = -balls[..., 1].min(axis=1)
    return Motion(roots, turns, 30.0)


@pytest.fixture(scope="module", name="walking")
def _walking() -> Document:
    return edits.import_motion("c1", walk())(new_document())


def slides(document: Document) -> float:
    """The mean speed in m/s of soles that are on the floor."""
    return float(np.nanmean([line.after for line in skate_curves(document.actor("c1")).lines]))


def way(document: Document) -> np.ndarray:
    """(3,) metres from the first frame's pelvis to the last one's."""
    roots = whole_motion(only(document)).root_positions
    return np.asarray(roots[-1] - roots[0], np.float64)


def legs(document: Document) -> float:
    return rig_of(skeleton_of(only(document))).leg_length


def stride(document: Document) -> float:
    return stride_of(document.actor("c1"))


@pytest.mark.parametrize("height", [-4.0, 4.0])
def test_planted_feet_slide_no_faster_on_a_short_or_a_tall_body_than_as_recorded(
    walking: Document, height: float
) -> None:
    source = walking.actor("c1").clip.source
    other = edits.set_shape("c1", of_height(height))(walking)
    actor = other.actor("c1")
    assert actor.clip.source is not None
    as_it_came = replace(actor, clip=replace(actor.clip, source=source))
    assert slides(other) < 1.3 * slides(walking) * legs(other) / legs(walking)
    assert slides(replace(other, actors=(as_it_came,))) > 1.5 * slides(other)
    assert way(other)[2] / way(walking)[2] == pytest.approx(legs(other) / legs(walking), abs=1e-4)
    assert stride(other) == 1.0


def test_a_childs_height_scales_its_steps_as_well(walking: Document) -> None:
    child = edits.set_body("c1", "anny:child", BodyShape())(walking)
    smaller = edits.set_shape("c1", of_height(-3.0))(child)
    assert way(smaller)[2] / way(walking)[2] == pytest.approx(legs(smaller) / legs(walking), abs=1e-3)
    adult = edits.set_body("c1", "anny", BodyShape())(smaller)
    assert way(adult) == pytest.approx(way(walking), abs=1e-4)


def test_a_body_that_changes_and_changes_back_leaves_no_trace(walking: Document) -> None:
    keyed = edits.set_key("c1", 30)(walking)
    there = edits.chain(*(edits.set_beta("c1", 0, height) for height in (0.7, 2.1, 3.3)))(keyed)
    back = edits.set_beta("c1", 0, 0.0)(there)
    assert back.actor("c1").clip.source == keyed.actor("c1").clip.source
    assert whole_motion(only(back)).root_positions == pytest.approx(whole_motion(only(keyed)).root_positions, abs=1e-6)


def test_the_stride_that_was_asked_for_is_kept_in_another_body(walking: Document) -> None:
    half = edits.set_stride("c1", 0.5)(walking)
    assert way(half)[2] == pytest.approx(0.5 * way(walking)[2], abs=1e-5)
    tall = edits.set_shape("c1", of_height(3.0))(half)
    assert stride(tall) == 0.5
    assert way(tall)[2] == pytest.approx(0.5 * way(walking)[2] * legs(tall) / legs(walking), abs=1e-4)
    child = edits.set_body("c1", "anny:child", BodyShape())(tall)
    assert stride(child) == 0.5
    assert way(child)[2] == pytest.approx(0.5 * way(walking)[2] * legs(child) / legs(walking), abs=1e-4)


def test_with_no_stride_somebody_walks_on_the_spot_as_high_as_before(walking: Document) -> None:
    before, after = (whole_motion(only(each)).root_positions for each in (walking, edits.set_stride("c1", 0)(walking)))
    assert np.ptp(after[:, [0, 2]], axis=0) == pytest.approx([0, 0])
    assert np.array_equal(after[:, 1], before[:, 1])


@pytest.mark.parametrize("change", ["stride", "stature"])
def test_keys_add_to_the_motion_what_they_added_before(walking: Document, change: str) -> None:
    keyed = raised(edits.set_key("c1", 45)(walking).at_frame("c1", 30))
    edit = edits.set_stride("c1", 1.6) if change == "stride" else edits.set_shape("c1", of_height(2.0))
    after = edit(keyed)
    for frame, adds in ((30, True), (45, False)):
        departs = []
        for document in (keyed, after):
            actor = document.actor("c1")
            source, shown = source_motion(actor), actor.at(frame)
            assert source is not None
            departs.append(shown.pose.root_position - source.root_positions[frame])
            wrist = next(e for e in shown.effectors if (e.joint, e.kind) == ("left_wrist", "position"))
            skeleton = skeleton_of(shown)
            there = forward_kinematics(skeleton, shown.pose).positions[skeleton.index("left_wrist")]
            assert wrist.target == pytest.approx(there, abs=2e-3), "the target goes along"  # type: ignore[attr-defined]
        assert departs[1][[0, 2]] == pytest.approx(departs[0][[0, 2]], abs=1e-4)
        if not adds:
            assert departs[1] == pytest.approx(np.zeros(3), abs=1e-5)
    assert [(g.first, g.last) for g in missing(after.actor("c1"))] == [
        (g.first, g.last) for g in missing(keyed.actor("c1"))
    ]


def test_in_betweens_solved_for_another_stride_are_not_shown(walking: Document) -> None:
    solved = completed(raised(walking.at_frame("c1", 30)).actor("c1"))
    assert not missing(solved)
    document = replace(walking, actors=(solved,))
    assert missing(edits.set_stride("c1", 1.2)(document).actor("c1"))


@pytest.mark.slow
def test_planted_feet_are_those_of_the_recording_and_are_held_where_the_stride_has_them(walking: Document) -> None:
    source = walking.actor("c1").clip.source
    assert source is not None
    found = source.contacts("anny")
    assert found
    held = edits.chain(edits.set_in_between("c1", contacts=True), edits.set_stride("c1", 1.3))(walking)
    after = held.actor("c1").clip.source
    assert after is not None
    assert after.knows_contacts, "a long motion is not searched again at each step of the slider"
    assert after.contacts("anny") == found
    contact = next(each for each in found if 31 <= each.first < each.last < 45)

    def strays(document: Document) -> float:
        """Metres by which the ball of that foot goes astray in the contact."""
        actor = completed(raised(document.at_frame("c1", 30)).actor("c1"))
        skeleton, motion = skeleton_of(only(document)), actor.motion()
        assert motion is not None
        world = forward_kinematics_batch(skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations)
        ball = world.positions[contact.first : contact.last + 1, skeleton.index(contact.foot)]
        return float(np.linalg.norm(np.ptp(ball[:, [0, 2]], axis=0)))

    assert strays(held) < 0.03
    assert strays(edits.set_in_between("c1", contacts=False)(held)) > 0.1


def test_the_motion_that_is_exported_is_the_one_that_is_seen(walking: Document, tmp_path: Path) -> None:
    other = edits.chain(edits.set_shape("c1", of_height(3.0)), edits.set_stride("c1", 0.7))(walking)
    export_bvh(tmp_path / "out.bvh", other.characters, whole_motion=True)
    written, _ = to_motion(read_bvh(tmp_path / "out.bvh"), skeleton_of(only(other)))
    assert written.root_positions == pytest.approx(whole_motion(only(other)).root_positions, abs=1e-4)
    assert way(other)[2] == pytest.approx(0.7 * way(walking)[2] * legs(other) / legs(walking), abs=1e-4)


def test_a_scene_keeps_the_stride_and_one_without_it_opens_as_it_was_saved(walking: Document) -> None:
    tall = edits.chain(edits.set_shape("c1", of_height(3.0)), edits.set_stride("c1", 0.8))(walking)
    text = scene_text(tall, SCENE)
    assert read_scene_text(text, SCENE) == tall
    data = json.loads(text)
    assert data["characters"][0]["clip"]["source"].pop("stride") == pytest.approx(tall.actor("c1").clip.source.stride)  # type: ignore[union-attr]
    data["characters"][0]["clip"]["keys"][0]["pose"]["root_position"] = [0, 1, 0]
    older = read_scene_text(json.dumps(data), SCENE)
    assert way(older)[2] == pytest.approx(way(walking)[2], abs=1e-4), "the path as it came, which slides"
    assert stride(older) == pytest.approx(legs(walking) / legs(older), abs=1e-4)
    assert '"stride"' not in scene_text(walking, SCENE)
    mended = edits.set_shape("c1", of_height(2.0))(older)
    assert stride(mended) == 1.0, "with the next change of the body its path goes with the legs"


@pytest.mark.parametrize("value", [-0.1, 11, "far"])
def test_a_scene_with_an_impossible_stride_is_refused_with_its_place(walking: Document, value: object) -> None:
    data = json.loads(scene_text(walking, SCENE))
    data["characters"][0]["clip"]["source"]["stride"] = value
    with pytest.raises(InputRefused, match="stride"):
        read_scene_text(json.dumps(data), SCENE)


def test_a_stride_is_refused_that_nobody_has_or_that_leads_out_of_the_scene(walking: Document) -> None:
    for impossible in (-0.01, 3.01):
        with pytest.raises(PoserError, match="A stride is"):
            edits.set_stride("c1", impossible)(walking)
    motion = walk(2)
    far = Motion(motion.root_positions + np.float32([[0, 0, 0], [6e5, 0, 0]]), motion.rotations)
    document = edits.import_motion("c1", far)(new_document())
    with pytest.raises(PoserError, match="Keep it nearer"):
        edits.set_stride("c1", 2.0)(document)


def test_a_person_resized_about_the_pelvis_in_mid_walk_stays_there(walking: Document) -> None:
    person = only(edits.place_together([only(walking)], (1.0, 0, -2), 0.7)(walking).at_frame("c1", 40))
    after = resized(person, of_height(3.0))
    assert after.pose.root_position[[0, 2]] == pytest.approx(person.pose.root_position[[0, 2]], abs=1e-5)
    assert after.clip.source is not None
    assert after.clip.source.stride > 1.1


def test_an_impossible_stride_is_refused() -> None:
    source = walker(10).actor("c1").clip.source
    assert source is not None
    with pytest.raises(ValueError, match="a stride is 0 to 10, not -1"):
        replace(source, stride=-1.0)
