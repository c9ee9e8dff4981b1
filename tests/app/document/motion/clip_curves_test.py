"""Curves of motions whose numbers are known: speeds, soles that slide, places and errors, before and after the edit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import only
from motion_samples import raised, walker

from app.document import edits
from app.document.curves.curves import NO_EFFECTOR, NO_MOTION, NOBODY, curves_of, why_no_curves
from app.document.curves.effector import ASKS_NOTHING
from app.document.curves.skate import NO_CONTACT, soles_of
from app.document.curves.values import FEET, MISS, PLACE, SPEED, CurveRequest
from app.document.model.actor import Actor
from app.document.model.between import pose_at
from app.document.model.clip import JOINTS, Key
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.over_time.in_betweens import document_completed
from app.document.over_time.source_motion import source_moment, source_motion, source_pose
from app.document.posing.create import new_document
from solver.effectors.effector import Effector
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose, rest_pose
from solver.rig.rig import rig_of

FPS, FRAMES = 30.0, 60


def gliding(speed_m_s: float, height_m: float = 0.0, frames: int = FRAMES) -> Document:
    """Somebody who stands, as stiff as a post, and is moved along X at a steady speed."""
    pose = only(new_document()).pose
    way = np.arange(frames)[:, None] / FPS * np.array([speed_m_s, 0.0, 0.0]) + np.array([0.0, height_m, 0.0])
    motion = Motion(pose.root_position + way, np.broadcast_to(pose.rotations, (frames, 24, 3, 3)), FPS)
    return edits.import_motion("c1", motion)(new_document())


def moved_at_every_frame(actor: Actor, speed_m_s: float) -> Actor:
    """With a key at each frame, by which the motion glides along X besides."""
    keys = []
    for frame in range(len(actor.clip)):
        key = actor.key_at(frame)
        root = key.pose.root_position + np.float32([speed_m_s * frame / FPS, 0, 0])
        keys.append(Key(frame, Pose(root, key.pose.rotations), key.base_pose))
    return replace(actor, clip=replace(actor.clip, keys=tuple(keys)))


def effector(actor: Actor, joint: str) -> Effector:
    return next(e for e in actor.clip.keys[0].effectors if e.joint == joint and e.kind == "position")


def test_a_joint_that_goes_at_a_steady_speed_shows_that_speed() -> None:
    (line,) = curves_of(gliding(1.2).actor("c1"), CurveRequest(SPEED, joint="head")).lines
    assert line.after == pytest.approx(np.full(FRAMES, 1.2), abs=1e-3)
    assert line.before == pytest.approx(line.after)


def test_speed_is_told_before_the_edit_and_after_it() -> None:
    actor = moved_at_every_frame(gliding(0.5).actor("c1"), 0.4)
    curves = curves_of(actor, CurveRequest(SPEED, joint="pelvis"))
    (line,) = curves.lines
    assert curves.unit == "m/s"
    assert line.before == pytest.approx(np.full(FRAMES, 0.5), abs=1e-3)
    assert line.after == pytest.approx(np.full(FRAMES, 0.9), abs=1e-3)


def test_soles_are_as_high_as_at_rest_however_the_body_is_raised_and_turned_round() -> None:
    person = only(new_document())
    rig, rest = rig_of(skeleton_of(person)), rest_pose(skeleton_of(person))
    round_about = np.diag([-1.0, 1.0, -1.0])
    turns = np.stack([rest.rotations, np.concatenate([round_about[None], rest.rotations[1:]])])
    roots = np.stack([rest.root_position, rest.root_position + np.float32([0.0, 0.25, 0.0])])
    soles = soles_of(rig, Motion(roots, turns.astype(np.float32), FPS), sole_m=-0.9)
    at_rest = rest.root_position[1] - rig.rest_positions[0, 1]
    assert soles.heights == pytest.approx(np.array([[at_rest - 0.9] * 2, [at_rest - 0.65] * 2]), abs=1e-5)


def test_a_foot_that_slides_at_30_cm_a_second_shows_a_skate_of_0_3() -> None:
    curves = curves_of(gliding(0.3).actor("c1"), CurveRequest(FEET))
    assert [line.name for line in curves.lines] == ["Left foot", "Right foot"]
    for line in curves.lines:
        assert line.after == pytest.approx(np.full(FRAMES, 0.3), abs=1e-3)
        assert line.before == pytest.approx(line.after)
    assert curves.spans == ((0, 0, FRAMES - 1), (1, 0, FRAMES - 1))


def test_planted_feet_that_an_edit_lets_slide_show_what_was_still_before() -> None:
    actor = moved_at_every_frame(gliding(0.0).actor("c1"), 0.3)
    for line in curves_of(actor, CurveRequest(FEET)).lines:
        assert line.before == pytest.approx(np.zeros(FRAMES), abs=1e-4)
        assert line.after == pytest.approx(np.full(FRAMES, 0.3), abs=1e-3)


def test_a_walkers_feet_skate_only_while_they_are_on_the_floor() -> None:
    curves = curves_of(walker(90).actor("c1"), CurveRequest(FEET))
    for foot, line in enumerate(curves.lines):
        inside = np.zeros(90, bool)
        for which, first, last in curves.spans:
            inside[first : last + 1] |= which == foot
        assert 0 < inside.sum() < 90
        assert np.isnan(line.after[~inside]).all()
        assert np.isfinite(line.after[inside]).any()


def test_feet_that_an_edit_lifts_off_the_floor_do_not_slide_on_it() -> None:
    actor = gliding(0.0).actor("c1")
    keys = tuple(
        replace(key, pose=Pose(key.pose.root_position + np.float32([0, 0.2, 0]), key.pose.rotations))
        for key in moved_at_every_frame(actor, 0.3).clip.keys
    )
    for line in curves_of(replace(actor, clip=replace(actor.clip, keys=keys)), CurveRequest(FEET)).lines:
        assert np.isnan(line.after).all()


def test_a_person_never_touching_the_floor_has_no_skate_and_is_told_so() -> None:
    assert curves_of(gliding(4.0).actor("c1"), CurveRequest(FEET)).lacks == NO_CONTACT


def test_a_clip_without_a_source_motion_has_an_after_alone() -> None:
    document = edits.set_clip_length("c1", FRAMES)(new_document())
    actor = moved_at_every_frame(document.actor("c1"), 0.3)
    for line in curves_of(actor, CurveRequest(FEET)).lines:
        assert line.before is None
        assert line.after == pytest.approx(np.full(FRAMES, 0.3), abs=1e-3)
    still = curves_of(document.actor("c1"), CurveRequest(SPEED, joint="head")).lines[0]
    assert still.after == pytest.approx(np.zeros(FRAMES))


def test_an_effectors_curves_go_through_its_joints_places_in_the_world() -> None:
    document = edits.move_character("c1", [0.5, 0.0, 0.25])(walker())
    actor = document.actor("c1")
    curves = curves_of(actor, CurveRequest(PLACE, effector=effector(actor, "left_wrist").id))
    assert (curves.unit, [line.name for line in curves.lines]) == ("cm", ["X", "Y", "Z"])
    for frame in (0, 17, 59):
        character = actor.at(frame)
        place = joints_of(character).positions[skeleton_of(character).index("left_wrist")]
        assert [line.after[frame] for line in curves.lines] == pytest.approx(100 * place, abs=1e-2)


@pytest.fixture(scope="module")
def reaching() -> Document:
    """The walker with the left wrist raised at frame 30, and all between solved; loose no more."""
    return document_completed(raised(walker().at({"c1": 30})))


def test_the_error_is_small_after_the_edit_and_as_large_as_the_edit_before_it(reaching: Document) -> None:
    actor = reaching.actor("c1")
    wrist = next(e for e in actor.clip.key(30).effectors if e.joint == "left_wrist")  # type: ignore[union-attr]
    curves = curves_of(actor, CurveRequest(MISS, effector=wrist.id))
    (line,) = curves.lines
    assert curves.unit == "mm"
    pose = source_pose(actor, 30)
    assert pose is not None
    rig = skeleton_of(actor.at(30))
    gone = np.linalg.norm(wrist.target - forward_kinematics(rig, pose).positions[rig.index("left_wrist")])
    assert line.before is not None
    assert line.before[30] == pytest.approx(1000 * gone, abs=0.5)
    assert line.after[30] < 1.0
    between = np.isfinite(line.after)
    assert between[20:40].all()
    assert not between[5], "where nothing is added nothing is asked"
    assert line.after[20:40].max() < 5.0


def test_where_joints_go_along_curves_only_keys_ask(reaching: Document) -> None:
    actor = edits.set_in_between("c1", by=JOINTS)(reaching).actor("c1")
    wrist = next(e for e in actor.clip.key(30).effectors if e.joint == "left_wrist")  # type: ignore[union-attr]
    (line,) = curves_of(actor, CurveRequest(MISS, effector=wrist.id)).lines
    assert np.flatnonzero(np.isfinite(line.after)).tolist() == [30]


def test_turns_are_missed_by_degrees(reaching: Document) -> None:
    actor = reaching.actor("c1")
    turn = next(e for e in actor.clip.keys[0].effectors if e.kind == "rotation" and e.is_active)
    curves = curves_of(actor, CurveRequest(MISS, effector=turn.id))
    assert curves.unit == "°"
    assert curves.lines[0].after[30] < 5.0


def test_keys_alone_are_solved_from_one_to_the_next(reaching: Document) -> None:
    document = edits.set_clip_length("c1", 20)(new_document())
    document = document_completed(raised(document.at({"c1": 19})))
    actor = document.actor("c1")
    wrist = next(e for e in actor.clip.keys[-1].effectors if e.joint == "left_wrist")
    curves = curves_of(actor, CurveRequest(MISS, effector=wrist.id))
    (line,) = curves.lines
    assert curves.names == ("joints", "solved")
    assert line.before is not None
    assert line.before[19] < 1.0
    assert np.isfinite(line.after[1:]).all()
    assert line.after[19] < 1.0


def test_without_a_motion_what_is_solved_is_compared_with_the_way_of_the_joints() -> None:
    document = edits.set_clip_length("c1", 20)(new_document())
    document = document_completed(raised(document.at({"c1": 19})))
    actor = document.actor("c1")
    motion, moment = source_motion(actor), source_moment(actor, 10)
    assert motion is not None
    assert moment is not None
    assert moment[0] == pose_at(actor.clip, 10) == motion.pose(10)
    assert moment[1] == actor.clip.keys[0].hands
    by_joints = edits.set_in_between("c1", by=JOINTS)(document).actor("c1")
    assert by_joints.at(10).pose == moment[0]
    assert source_motion(by_joints) is None, "there is nothing else to compare with"
    assert source_pose(by_joints, 10) is None


def test_what_is_lacking_is_said_in_a_sentence_that_helps() -> None:
    still, moves = new_document().actor("c1"), walker().actor("c1")
    assert why_no_curves(None, CurveRequest()) == NOBODY
    assert why_no_curves(still, CurveRequest(SPEED, joint="head")) == NO_MOTION
    assert why_no_curves(moves, CurveRequest(PLACE)) == NO_EFFECTOR
    assert why_no_curves(moves, CurveRequest(FEET)) == ""
    assert curves_of(moves, CurveRequest(PLACE, effector="gone")).lacks == NO_EFFECTOR
    loose = next(e for e in moves.clip.keys[0].effectors if e.loose)
    assert curves_of(moves, CurveRequest(MISS, effector=loose.id)).lacks == ASKS_NOTHING


def test_somebody_without_a_motion_was_nothing_before_the_edit() -> None:
    actor = new_document().actor("c1")
    assert source_pose(actor, 0) is None
    assert source_motion(actor) is None
