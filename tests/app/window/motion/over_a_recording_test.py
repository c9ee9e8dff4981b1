"""Posing over a recorded motion: what is not posed stays as recorded, unless the user wants the solver to move it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from sample_files import CLIPS
from timeline_driver import TimelineMouse, keys_of, with_motion_opened
from window_driver import ViewMouse, active, place_of, settled

from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.modes import mode_of
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def opened(editor: Editor) -> TimelineMouse:
    """The window at the middle of a motion that was opened."""
    mouse = with_motion_opened(editor)
    editor.session_view.frame_all(glide=False)
    mouse.to_frame(len(active(editor).clip) // 2)
    return mouse


def raised(editor: Editor, joint: str = "left_wrist") -> dict[str, float]:
    """How far each joint goes, in metres, as the left hand or foot is dragged up."""
    before, view = joints_of(active(editor)).positions, ViewMouse(editor)
    view.drag(view.place(place_of(editor, joint)), QPoint(5, -60), QPoint(10, -120), QPoint(10, -170))
    settled(editor.session)
    way = np.linalg.norm(joints_of(active(editor)).positions - before, axis=1)
    return dict(zip(skeleton_of(active(editor)).names, map(float, way), strict=True))


def test_a_raised_hand_leaves_the_rest_of_a_recorded_motion_as_it_was(editor: Editor) -> None:
    opened(editor)
    went = raised(editor)
    assert went["left_wrist"] > 0.3
    assert max(went["right_wrist"], went["head"]) < went["left_wrist"] / 3
    hand = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    assert place_of(editor, "left_wrist") == pytest.approx(hand.target, abs=1e-3)
    assert len(keys_of(editor, active(editor).id)) == 2


def test_a_lifted_foot_takes_hips_and_hands_along_by_less_than_a_third(editor: Editor) -> None:
    opened(editor)
    went = raised(editor, "left_ankle")
    assert went["left_ankle"] > 0.3
    assert max(went["pelvis"], went["left_wrist"], went["right_wrist"]) < went["left_ankle"] / 3


def test_the_base_pose_panel_says_what_is_kept_of_a_motion_and_global_lets_go_of_it(editor: Editor) -> None:
    mouse = opened(editor)
    mouse.to_frame(0)
    kept = mode_of(active(editor))
    assert kept is not None
    assert kept.title == "Local"
    preserve = active(editor).preserve
    assert (preserve.strength, preserve.shape_strength) == pytest.approx((0.2, 0.5))
    QTest.mouseClick(editor.panels.base_pose.modes.button("global"), Qt.MouseButton.LeftButton)
    assert len(keys_of(editor, active(editor).id)) == 1
    mouse.to_frame(len(active(editor).clip) // 2)
    preserve = active(editor).preserve
    assert not preserve.place | preserve.shape, "at every frame"


def test_what_somebody_keeps_already_is_left_as_it_is(editor: Editor) -> None:
    session = editor.session
    session.edit("Keep", edits.keep_place("c1", ["head"], True))
    given = open_file(CLIPS / "reach.bvh", "c1").edit
    assert given is not None
    session.edit("Import", given)
    assert active(editor).clip.source is not None
    assert active(editor).preserve.place == {"head"}
    assert not active(editor).preserve.shape
