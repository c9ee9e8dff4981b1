"""A pose of the library in which somebody lies, taken and dragged in the window by the mouse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import NO_KEYS, ViewMouse, active, laid_out, settled, strike

from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def places(editor: Editor) -> dict[str, np.ndarray]:
    person = active(editor)
    return dict(zip(skeleton_of(person).names, joints_of(person).positions, strict=True))


def test_a_knee_dragged_up_leaves_the_back_of_somebody_who_lies_on_the_floor(own: Path, editor: Editor) -> None:
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    laid_out()
    view = editor.pose_browsers.library.panel.view
    QTest.keyClicks(editor.pose_browsers.library.panel.search, "Lie on the back")
    card = view.shelf.index([entry.name for entry in view.shelf.entries].index("Lie on the back"))
    laid_out()
    QTest.mouseClick(view.viewport(), LEFT, NO_KEYS, view.visualRect(card).center())
    QTest.mouseDClick(view.viewport(), LEFT, NO_KEYS, view.visualRect(card).center())
    settled(editor.session)
    before, mouse = places(editor), ViewMouse(editor)
    mouse.drag(mouse.place(before["left_knee"]), *(QPoint(0, -8 * step) for step in range(1, 11)))
    settled(editor.session)
    after = places(editor)
    assert after["left_knee"][1] - before["left_knee"][1] > 0.1
    for joint in ("pelvis", "spine1", "spine2", "spine3"):
        assert abs(after[joint][1] - before[joint][1]) < 0.02, joint
    slid = after["left_ankle"] - before["left_ankle"]
    assert np.linalg.norm(slid) > 0.1, "the foot slides in"
    assert abs(slid[1]) < 0.03, "on the floor"
    assert all(residual.state != "unreachable" for residual in editor.session.finding.residuals)
