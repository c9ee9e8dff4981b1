"""A key pressed while a point in the photo is dragged: what it did is kept, and the drag is over."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from photographed_people import CAMERA, middle, put_before_green, see
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, move_held, strike, until

from app.document.in_photo.photo_points import photo_points
from app.document.model.document import Character
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, LEFT_WRIST, RIGHT_WRIST = Qt.MouseButton.LeftButton, 15, 16
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def held(editor: Editor, tmp_path: Path) -> QPoint:
    """Where the pointer took the right wrist's point of one person; it holds it, a part of the way on."""
    put_before_green(editor, tmp_path, CAMERA)
    see(editor)
    strike(editor, Qt.Key.Key_L, SHIFT)
    return take(editor, RIGHT_WRIST)


def take(editor: Editor, mark: int) -> QPoint:
    """Press a point of the active person and drag it a part of the way; where it was pressed."""
    points = editor.viewport.findChild(PhotoPoints)
    assert points is not None
    until(lambda: points.at(mark) is not None)
    start = middle(points, mark).toPoint()
    ViewMouse(editor).hover(start)
    QTest.mousePress(editor.viewport, LEFT, pos=start)
    move_held(editor.viewport, start + QPoint(-20, -20))
    assert editor.session.in_step
    return start


def drag_on(editor: Editor, start: QPoint) -> None:
    """Move on with the button held, and let go."""
    ViewMouse(editor).move(start + QPoint(-40, -60))
    QTest.mouseRelease(editor.viewport, LEFT, pos=start + QPoint(-40, -60))


def in_photo(person: Character, mark: int) -> np.ndarray:
    return photo_points(person, CAMERA)[mark]


def test_a_person_who_is_deleted_in_the_drag_is_gone_and_nothing_is_refused(editor: Editor, held: QPoint) -> None:
    ViewMouse(editor).release(held + QPoint(-20, -20))
    refused: list[str] = []
    editor.session.refused.disconnect(editor.user_messages.refuse)  # its box would wait for an answer
    editor.session.refused.connect(refused.append)
    other = active(editor)
    strike(editor, Qt.Key.Key_D, CTRL)
    copy = active(editor)
    assert copy.id != other.id
    take(editor, RIGHT_WRIST)
    strike(editor, Qt.Key.Key_Delete, CTRL)
    drag_on(editor, held)
    assert editor.session.document.characters == (other,), "and the other one, who is active now, stays"
    assert refused == []


def test_an_undo_in_the_drag_takes_it_back_for_good(editor: Editor, held: QPoint) -> None:
    strike(editor, Qt.Key.Key_Z, CTRL)
    undone = editor.session.document
    drag_on(editor, held)
    assert editor.session.document == undone


def test_somebody_turned_front_to_back_in_the_drag_stays_turned(editor: Editor, held: QPoint) -> None:
    strike(editor, Qt.Key.Key_D, SHIFT)
    turned = active(editor)
    drag_on(editor, held)
    assert active(editor).pose == turned.pose, "as its landmarks, left and right of which were exchanged"
    assert active(editor).sighting == turned.sighting
    right = in_photo(active(editor), RIGHT_WRIST)
    drag_on(editor, take(editor, LEFT_WRIST))
    assert np.linalg.norm(in_photo(active(editor), RIGHT_WRIST) - right) < 1.0, "nor is that point kept any longer"
