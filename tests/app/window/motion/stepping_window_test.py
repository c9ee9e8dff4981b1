"""A foot put elsewhere at a later frame by the mouse steps there; the timeline's menu lets it slide instead."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from timeline_driver import TimelineMouse
from window_driver import ViewMouse, active, answer_once_shown, laid_out, place_of, settled, until

from app.document import edits
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl
FOOT, BALL = "left_ankle", "left_foot"


def solved(editor: Editor) -> None:
    """Until all between the keys is solved."""
    until(lambda: not editor.in_betweens.solving and not editor.in_betweens.missing("c1"))
    editor.refresh()


def stepping(editor: Editor) -> TimelineMouse:
    """Somebody whose left foot was dragged ahead along the floor at frame 30, looked at half way there."""
    editor.session.edit("Animate", edits.set_clip_length("c1", 31))
    editor.refresh()
    laid_out()
    timeline = TimelineMouse(editor)
    timeline.to_frame(30)
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.6, 0.2), yaw=np.pi / 2, pitch=0.0, distance=4.0))
    editor.refresh()
    view, start = ViewMouse(editor), place_of(editor, FOOT)
    pressed = view.place(start)
    view.drag(pressed, QPoint(-6, 0), view.place(start + [0.0, 0.0, 0.35]) - pressed)
    settled(editor.session)
    assert place_of(editor, FOOT)[2] > start[2] + 0.25
    timeline.to_frame(15)
    solved(editor)
    return timeline


def choose(timeline: TimelineMouse, text: str) -> bool:
    """Click the button for frames between keys and an entry of its menu; whether that was ticked."""
    ticked = list[bool]()

    def pick(menu: QMenu) -> None:
        (action,) = (each for each in menu.actions() if each.text() == text)
        ticked.append(action.isChecked())
        assert action.isEnabled()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())

    answer_once_shown(QMenu, pick)
    QTest.mouseClick(timeline.timeline.between, Qt.MouseButton.LeftButton)
    timeline.editor.refresh()
    return ticked[0]


@pytest.mark.slow
def test_a_foot_dragged_ahead_at_a_later_frame_steps_there_and_slides_if_told_so(editor: Editor) -> None:
    timeline = stepping(editor)
    up = place_of(editor, BALL)[1]
    timeline.to_frame(0)
    low = place_of(editor, BALL)[1]
    assert up > low + 0.07
    timeline.to_frame(15)
    assert choose(timeline, "Feet step from place to place")
    solved(editor)
    assert place_of(editor, BALL)[1] < low + 0.01
    assert editor.session.history.steps()[-1] == "Let feet slide"
    assert not choose(timeline, "Feet step from place to place")
    solved(editor)
    assert place_of(editor, BALL)[1] == pytest.approx(up, abs=1e-4)
    assert active(editor).frame == 15
