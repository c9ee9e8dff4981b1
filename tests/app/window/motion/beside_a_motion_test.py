"""People and poses beside a motion: a place that nobody walks through, and a pose that is pasted where it came from."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from timeline_driver import TimelineMouse, keys_of, set_moving
from window_driver import ViewMouse, active, place_of, settled, strike

from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("frame", [0, 59])
def test_a_new_person_stands_where_nobody_comes_by(editor: Editor, frame: int) -> None:
    session = editor.session
    set_moving(editor, 60)
    path = session.document.actor("c1").motion().root_positions[:, [0, 2]]  # type: ignore[union-attr]
    TimelineMouse(editor).to_frame(frame)
    strike(editor, KEY.Key_A, SHIFT)
    settled(session)
    place = np.array(active(editor).pose.root_position)[[0, 2]]
    assert active(editor).id == "c2"
    assert np.linalg.norm(path - place, axis=1).min() > 0.8, "metres"


def test_a_pose_pasted_onto_the_frame_it_was_copied_from_sets_no_key(editor: Editor) -> None:
    set_moving(editor, 60)
    mouse = TimelineMouse(editor)
    mouse.to_frame(30)
    strike(editor, KEY.Key_C, CTRL)
    strike(editor, KEY.Key_V, CTRL)
    assert keys_of(editor) == [0]
    assert not editor.session.history.dirty
    view = ViewMouse(editor)
    view.drag(view.place(place_of(editor, "left_wrist")), QPoint(10, -40))
    settled(editor.session)
    strike(editor, KEY.Key_C, CTRL)
    mouse.to_frame(50)
    strike(editor, KEY.Key_V, CTRL)
    assert keys_of(editor) == [0, 30, 50]
