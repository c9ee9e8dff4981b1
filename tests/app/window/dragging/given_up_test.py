"""A handle that is deleted or made loose asks for less than before: nobody moves for that, and the next drag goes on
from there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.figure import joints_of
from app.panels.effector_row import EffectorRow
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
STILL = 0.005  # metres


def drag(editor: Editor, joint: str, way: QPoint) -> None:
    """Drag a joint's handle by the mouse."""
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, joint))
    mouse.drag(start, way / 4, way / 2, way)
    settled(editor.session)


def places(editor: Editor) -> np.ndarray:
    return joints_of(active(editor)).positions.copy()


def delete_key(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Delete)


def bin_button(editor: Editor) -> None:
    editor.refresh()
    QTest.mouseClick(row(editor).delete, LEFT)


def loose_button(editor: Editor) -> None:
    editor.refresh()
    QTest.mouseClick(row(editor).strict, LEFT)


def row(editor: Editor) -> EffectorRow:
    (id,) = editor.session.view.effectors
    return next(row for row in editor.panels.effectors.rows if row.effector_id == id)


@pytest.mark.sweep("delete_key-smplik")
@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("give_up", [delete_key, bin_button, loose_button])
def test_nobody_moves_as_a_handle_is_given_up(editor: Editor, give_up: Callable[[Editor], None], solver: str) -> None:
    editor.session.edit("Solver", edits.set_solver("c1", solver))
    drag(editor, "left_wrist", QPoint(40, -60))
    before = places(editor)
    give_up(editor)
    settled(editor.session)
    assert len([e for e in active(editor).effectors if e.is_active and e.joint == "left_wrist"]) == 0
    assert np.abs(places(editor) - before).max() < STILL, "the other hand went by 36 cm"


def test_the_next_drag_goes_on_from_there(editor: Editor) -> None:
    drag(editor, "left_wrist", QPoint(40, -60))
    delete_key(editor)
    settled(editor.session)
    before = places(editor)
    drag(editor, "right_ankle", QPoint(0, -4))
    assert np.linalg.norm(places(editor) - before, axis=1).max() < 0.08


def test_undo_brings_the_handle_back_and_nobody_moves_either(editor: Editor) -> None:
    drag(editor, "left_wrist", QPoint(40, -60))
    before = active(editor)
    delete_key(editor)
    settled(editor.session)
    strike(editor, Qt.Key.Key_Z, CTRL)
    assert active(editor) == before


def test_what_a_handle_kept_out_of_reach_is_reached_once_it_is_given_up(editor: Editor) -> None:
    person = active(editor)
    ankles = [e.id for e in person.effectors if e.joint.endswith("_ankle")]
    wrist = next(e for e in person.effectors if e.joint == "left_wrist")
    far = wrist.target + np.float32([0.3, 1.6, 0.0])  # the feet would have to leave the floor
    editor.session.edit("Reach", edits.set_target(person.id, wrist.id, far), solve=True)
    settled(editor.session)
    assert np.linalg.norm(place_of(editor, "left_wrist") - far) > 0.1
    editor.session.select(person.id, ankles)
    delete_key(editor)
    settled(editor.session)
    assert np.linalg.norm(place_of(editor, "left_wrist") - far) < 0.002
