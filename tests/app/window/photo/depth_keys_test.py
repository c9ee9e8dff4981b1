"""What a photo leaves open, mended by a key: a limb nearer or farther, front or back."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike, until

from app.document import edits
from app.document.model.document import Photo
from app.panels.widgets.notices import reading_ms
from app.window.controls.depth_control import FLIPPED, NO_LIMB, NO_OTHER
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.sighting import SeenPoint, Sighting

pytestmark = pytest.mark.gl

LEFTWARDS = from_rotation_vector([0.0, np.pi / 4, 0.0])
TILT = from_rotation_vector([-0.2, 0.0, 0.0]).astype(np.float32)
CAMERA = PinholeCamera(np.float32([0.3, 1.9, 4.5]), TILT, 900.0, (400.0, 300.0), (800, 600))
BY_SIDE = {
    "head": "head", "left_wrist": "right_wrist", "right_wrist": "left_wrist", "left_elbow": "right_elbow",
    "left_ankle": "right_ankle", "right_ankle": "left_ankle", "right_knee": "left_knee", "left_hip": "right_hip",
}  # fmt: skip
NOWHERE, SHIFT = QPoint(5, 5), Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def bent(editor: Editor) -> Editor:
    """Somebody who holds the left hand forward, seen through a photo's camera."""
    session = editor.session
    hand = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    forward = hand.target + np.float32([-0.1, 0.25, 0.3])
    session.edit("Move", edits.set_target(active(editor).id, hand.id, forward), solve=True)
    settled(session)
    session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    session.set_view(through_photo=True)
    editor.session_view.refresh()
    return editor


def test_d_flips_the_arm_under_the_pointer_which_stays_where_the_photo_has_it(bent: Editor) -> None:
    mouse, before, wrist = ViewMouse(bent), active(bent), place_of(bent, "left_wrist")
    mouse.hover(mouse.place(wrist))
    strike(bent, Qt.Key.Key_D)
    after = place_of(bent, "left_wrist")
    assert np.linalg.norm(after - wrist) > 0.1
    assert np.abs(CAMERA.project(after) - CAMERA.project(wrist)).max() < 1.0
    assert bent.session.history.undo_text == "Flip limb in depth"
    moved = next(e for e in active(bent).effectors if e.joint == "left_wrist")
    assert np.allclose(moved.target, after, atol=1e-3)
    strike(bent, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(bent) == before


def test_the_other_reading_shows_as_a_ghost_while_the_pointer_rests_on_the_arm(bent: Editor) -> None:
    mouse = ViewMouse(bent)
    mouse.hover(mouse.place(place_of(bent, "left_wrist")))
    until(lambda: bent.session.view.reading is not None)
    assert [figure.id[0] for figure in bent.viewport.scene.figures if figure.ghost] == ["reading"]
    shown = bent.session.view.reading
    strike(bent, Qt.Key.Key_D)
    assert active(bent).pose == shown
    mouse.hover(NOWHERE)
    until(lambda: bent.session.view.reading is None)
    assert not [figure for figure in bent.viewport.scene.figures if figure.ghost]


def test_a_selected_joint_is_flipped_where_nothing_is_pointed_at(bent: Editor) -> None:
    bent.session.set_view(hover=None, joints=frozenset({"left_elbow"}))
    wrist = place_of(bent, "left_wrist")
    strike(bent, Qt.Key.Key_D)
    assert np.linalg.norm(place_of(bent, "left_wrist") - wrist) > 0.1


def test_it_says_that_a_flip_does_not_show_through_the_photos_camera(bent: Editor) -> None:
    said: list[str] = []
    bent.depth.said.connect(said.append)
    bent.session.set_view(hover=None, joints=frozenset({"left_elbow"}))
    strike(bent, Qt.Key.Key_D)
    assert said == [FLIPPED]
    strike(bent, Qt.Key.Key_0)
    assert not bent.session.view.through_photo
    strike(bent, Qt.Key.Key_D)
    assert said == [FLIPPED], "from elsewhere it shows"
    assert bent.session.history.undo_text == "Flip limb in depth"


def test_it_says_why_nothing_was_flipped(bent: Editor) -> None:
    said: list[str] = []
    bent.depth.said.connect(said.append)
    bent.session.set_view(hover=None)
    before = bent.session.document
    strike(bent, Qt.Key.Key_D)
    ViewMouse(bent).hover(ViewMouse(bent).place(place_of(bent, "head")))
    strike(bent, Qt.Key.Key_D)
    assert said == [NO_LIMB, NO_LIMB]
    shoulder, elbow, wrist = (place_of(bent, f"left_{joint}") for joint in ("shoulder", "elbow", "wrist"))
    across = np.cross(elbow - shoulder, wrist - elbow)
    eye = (elbow + 5.0 * across / np.linalg.norm(across)).astype(np.float32)
    bent.session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, PinholeCamera(
        eye, np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600)), visible=False)))  # fmt: skip
    bent.session.set_view(hover=None, joints=frozenset({"left_elbow"}))
    strike(bent, Qt.Key.Key_D)
    assert said[2:] == [NO_OTHER]
    assert bent.session.document.characters == before.characters


def test_what_it_says_goes_once_it_is_read_and_at_once_with_the_next_flip(bent: Editor) -> None:
    notices, mouse = bent.window.status.notices, ViewMouse(bent)
    mouse.hover(NOWHERE)
    strike(bent, Qt.Key.Key_D)
    assert notices.shown == NO_LIMB
    strike(bent, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert notices.shown == "", "something was done since"
    strike(bent, Qt.Key.Key_D)
    mouse.hover(mouse.place(place_of(bent, "left_wrist")))
    strike(bent, Qt.Key.Key_D)
    assert bent.session.history.undo_text == "Flip limb in depth"
    assert notices.shown == FLIPPED
    mouse.hover(NOWHERE)
    strike(bent, Qt.Key.Key_D)
    said = time.monotonic()
    until(lambda: notices.shown == "")
    assert 1000 * (time.monotonic() - said) < reading_ms(NO_LIMB) + 3000, "and not some seconds more"


def test_shift_d_turns_the_person_round_in_the_same_outline_and_back_as_they_were(bent: Editor) -> None:
    before = active(bent)
    seen = {joint: CAMERA.project(place_of(bent, joint)) for joint in BY_SIDE}
    strike(bent, Qt.Key.Key_D, SHIFT)
    off = [np.linalg.norm(CAMERA.project(place_of(bent, BY_SIDE[joint])) - at) for joint, at in seen.items()]
    tall = np.linalg.norm(seen["head"] - seen["left_ankle"])
    assert np.mean(off) < 0.015 * tall
    assert max(off) < 0.05 * tall
    forward = active(bent).pose.rotations[0][:, 2]
    assert forward[2] < -0.5
    strike(bent, Qt.Key.Key_D, SHIFT)
    assert active(bent).pose == before.pose


def test_shift_d_does_not_bring_back_what_was_posed_otherwise_since(bent: Editor) -> None:
    before = active(bent).pose
    strike(bent, Qt.Key.Key_D, SHIFT)
    strike(bent, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    turned = active(bent).pose.rotations[0][:, 2]
    strike(bent, Qt.Key.Key_D, SHIFT)
    now = active(bent).pose
    assert now != before
    assert now.rotations[0][2, 2] > 0.5 > turned[2]


def test_shift_d_reads_what_was_seen_in_the_photo_the_other_way_round_as_well(bent: Editor) -> None:
    near, far = (300.0, 200.0), (500.0, 220.0)
    points = (SeenPoint("left_wrist", near, 0.9, -0.2), SeenPoint("right_wrist", far, 0.2, 0.1))
    before = replace(active(bent), sighting=Sighting("0" * 64, points, ("left_elbow",)))
    bent.session.edit("Seen", lambda document: document.with_character(before))
    strike(bent, Qt.Key.Key_D, SHIFT)
    turned = (SeenPoint("right_wrist", near, 0.9, 0.2), SeenPoint("left_wrist", far, 0.2, -0.1))
    assert active(bent).sighting == Sighting("0" * 64, turned, ("right_elbow",))
    strike(bent, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(bent) == before


@pytest.fixture
def seen_elsewhere(bent: Editor) -> Editor:
    """A bent person, with a second photo of the scene taken from their left."""
    person = active(bent)
    seen = replace(person, sighting=Sighting("0" * 64, (SeenPoint("left_wrist", (300.0, 200.0), 0.9, -0.2),)))
    bent.session.edit("Seen", lambda document: document.with_character(seen))
    from_the_left = replace(
        CAMERA, position=np.array([3.3, 1.9, 3.3], np.float32), rotation=(LEFTWARDS @ TILT).astype(np.float32)
    )
    bent.session.edit("Photo", edits.add_photo(Photo("left.png", "1" * 64, from_the_left, visible=False)))
    bent.session.edit("Choose", edits.choose_photo(1))
    assert bent.session.document.photo is not None
    assert bent.session.document.photo.path == "left.png"
    bent.session.set_view(hover=None, joints=frozenset({"left_elbow"}))
    return bent


def test_a_limb_is_flipped_in_the_photo_that_its_person_was_read_off_whichever_shows(seen_elsewhere: Editor) -> None:
    wrist = place_of(seen_elsewhere, "left_wrist")
    strike(seen_elsewhere, Qt.Key.Key_D)
    after = place_of(seen_elsewhere, "left_wrist")
    assert np.linalg.norm(after - wrist) > 0.1
    assert np.abs(CAMERA.project(after) - CAMERA.project(wrist)).max() < 1.0


def test_front_and_back_change_in_the_photo_that_a_person_was_read_off_whichever_shows(seen_elsewhere: Editor) -> None:
    wrist, facing = place_of(seen_elsewhere, "left_wrist"), active(seen_elsewhere).pose.rotations[0][2, 2]
    strike(seen_elsewhere, Qt.Key.Key_D, SHIFT)
    assert active(seen_elsewhere).pose.rotations[0][2, 2] < -0.5 < 0.5 < facing
    assert np.abs(CAMERA.project(place_of(seen_elsewhere, "right_wrist")) - CAMERA.project(wrist)).max() < 40.0
    sighting = active(seen_elsewhere).sighting
    assert sighting is not None
    assert [point.name for point in sighting.points] == ["right_wrist"]


def test_a_person_read_off_no_photo_is_flipped_in_the_one_that_shows(seen_elsewhere: Editor) -> None:
    unseen = replace(active(seen_elsewhere), sighting=None)
    seen_elsewhere.session.edit("Unseen", lambda document: document.with_character(unseen))
    wrist = place_of(seen_elsewhere, "left_wrist")
    strike(seen_elsewhere, Qt.Key.Key_D)
    shown, after = seen_elsewhere.session.document.photo, place_of(seen_elsewhere, "left_wrist")
    assert shown is not None
    assert np.linalg.norm(after - wrist) > 0.05
    assert np.abs(shown.camera.project(after) - shown.camera.project(wrist)).max() < 1.0


def test_turned_while_a_solve_is_under_way_and_turned_again_the_solved_pose_is_back(bent: Editor) -> None:
    session, person = bent.session, active(bent)
    hand = next(e for e in person.effectors if e.joint == "left_wrist")
    moved = edits.set_target(person.id, hand.id, hand.target + np.array([0.2, 0.2, -0.1], np.float32))
    session.edit("Move", moved, solve=True)
    strike(bent, Qt.Key.Key_D, SHIFT)
    settled(session)
    strike(bent, Qt.Key.Key_D, SHIFT)
    settled(session)
    back = active(bent).pose
    session.undo()
    session.undo()
    settled(session)
    solved = active(bent).pose
    assert solved != person.pose
    assert back == solved
