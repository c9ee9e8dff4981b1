"""Keys that pose what is selected in the view: each press is one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, settled, strike, until

from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def test_a_key_gives_all_selected_joints_a_handle_in_one_step(editor: Editor) -> None:
    session, mouse, keys = editor.session, ViewMouse(editor), Qt.KeyboardModifier
    before, places = session.document, joints_of(session.active).positions
    joints = ("left_elbow", "right_elbow", "left_knee")
    for key, kind, text in (
        (Qt.Key.Key_G, "position", "Add position to 3 joints"),
        (Qt.Key.Key_R, "rotation", "Add rotation to 3 joints"),
        (Qt.Key.Key_L, "lookat", "Add look-at to 3 joints"),
    ):
        for joint, held in zip(joints, (keys.NoModifier, keys.ShiftModifier, keys.ShiftModifier), strict=True):
            place = mouse.place(places[skeleton_of(session.active).index(joint)])
            QTest.mouseClick(mouse.view, Qt.MouseButton.LeftButton, held, place)
        assert session.view.joints == set(joints)
        strike(editor, key)
        settled(session)
        assert session.history.steps() == (text,)
        assert {(e.joint, e.kind) for e in session.selected_effectors} == {(joint, kind) for joint in joints}
        strike(editor, Qt.Key.Key_Z, keys.ControlModifier)
        assert session.document == before


def test_what_was_met_is_met_in_the_mirror(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    wrist = next(e for e in session.active.effectors if e.joint == "left_wrist")
    mouse.drag(mouse.place(wrist.target), QPoint(5, -20), QPoint(20, -60), QPoint(30, -120))
    settled(session)
    strike(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert session.history.undo_text == "Mirror pose"
    until(lambda: bool(session.finding.residuals) and session.service.idle())
    session.apply_results()
    asked = {r.state for e, r in zip(session.active.effectors, session.finding.residuals, strict=True) if e.is_active}
    assert asked == {"met"}
    assert session.active.effectors[0].joint == "right_wrist"
