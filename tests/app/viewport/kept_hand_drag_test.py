"""A hand whose place is kept, by the pin in the panel, stays where it is while the pelvis is dragged."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from window_driver import ViewMouse, active, laid_out, place_of, settled, strike

from app.document import edits
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def test_a_kept_hand_stays_while_the_pelvis_is_dragged_down_and_undo_brings_both_back(editor: Editor) -> None:
    session, mouse, panel = editor.session, ViewMouse(editor), editor.panels.base_pose
    session.edit("Choose solver", edits.set_solver(active(editor).id, "skelik"), solve=True)
    settled(session)
    QTest.mouseClick(panel.rows["right arm"].buttons["place"], LEFT)
    session.edit("Strength", edits.set_preserve_strength(active(editor).id, 1.0, "place"), solve=True)
    settled(session)
    editor.refresh()
    laid_out()
    kept, free, hips = (place_of(editor, joint) for joint in ("right_wrist", "left_wrist", "pelvis"))
    before = session.document
    mouse.drag(mouse.place(hips), QPoint(0, 4), QPoint(2, 10), QPoint(4, 18))
    settled(session)
    assert place_of(editor, "pelvis")[1] < hips[1] - 0.02
    assert np.linalg.norm(place_of(editor, "right_wrist") - kept) < 1e-3
    assert np.linalg.norm(place_of(editor, "left_wrist") - free) > 0.01
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document == before


@pytest.mark.slow
def test_hands_that_would_hang_at_ease_stay_where_they_are_kept_as_hips_sink(editor: Editor) -> None:
    session, mouse, panel = editor.session, ViewMouse(editor), editor.panels.base_pose
    session.edit("Choose solver", edits.set_solver(active(editor).id, "skelik"), solve=True)
    QTest.mouseClick(next(b for b in panel.findChildren(QAbstractButton) if b.text() == "Local"), LEFT)
    settled(session)
    hands, hips = [place_of(editor, joint) for joint in ("left_wrist", "right_wrist")], place_of(editor, "pelvis")
    mouse.drag(mouse.place(hips), QPoint(0, 10), QPoint(0, 20), QPoint(0, 30), QPoint(0, 40))
    settled(session)
    assert place_of(editor, "pelvis")[1] < hips[1] - 0.12
    for joint, kept in zip(("left_wrist", "right_wrist"), hands, strict=True):
        assert np.linalg.norm(place_of(editor, joint) - kept) < 1e-3
