"""A foot put elsewhere at a later frame by the mouse steps there; the timeline's menu lets it slide instead."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from root_driver import cross
from timeline_driver import TimelineMouse
from window_driver import ViewMouse, active, answer_once_shown, laid_out, place_of, root_of, settled, until

from app.document import edits
from app.look.mnemonics import unmarked
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl
FOOT, BALL = "left_ankle", "left_foot"


def solved(editor: Editor) -> None:
    """Until all between the keys is solved."""
    until(lambda: not editor.in_betweens.solving and not editor.in_betweens.missing("c1"))
    editor.refresh()


def animated(editor: Editor, last: int, camera: OrbitCamera) -> TimelineMouse:
    """Somebody with frames of their own, at the last of them, seen from there."""
    editor.session.edit("Animate", edits.set_clip_length("c1", last + 1))
    editor.refresh()
    laid_out()
    timeline = TimelineMouse(editor)
    timeline.to_frame(last)
    editor.viewport.set_camera(camera)
    editor.refresh()
    return timeline


def stepping(editor: Editor) -> TimelineMouse:
    """Somebody whose left foot was dragged ahead along the floor at frame 30, looked at half way there."""
    camera = OrbitCamera(target=(0.0, 0.6, 0.2), yaw=np.pi / 2, pitch=0.0, distance=4.0)
    timeline = animated(editor, 30, camera)
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
        (action,) = (each for each in menu.actions() if unmarked(each.text()) == text)
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


@pytest.mark.slow
def test_whoever_is_dragged_by_the_cross_at_a_later_frame_walks_there(editor: Editor) -> None:
    timeline = animated(editor, 60, OrbitCamera(target=(0.0, 0.6, 0.6), yaw=0.5, pitch=0.4, distance=6.0))
    view, start = ViewMouse(editor), np.asarray(root_of(editor).position)
    pressed = cross(view)
    view.drag(pressed, QPoint(-6, 0), view.place(start + [0.27, 0.0, 1.22]) - pressed)
    settled(editor.session)
    gone = np.asarray(root_of(editor).position) - start
    assert gone == pytest.approx([0.0, 0.0, 1.2], abs=0.1)
    solved(editor)
    leads = list[float]()
    for frame in range(0, 61, 4):
        timeline.to_frame(frame)
        solved(editor)
        leads.append(float(place_of(editor, BALL)[2] - place_of(editor, "right_foot")[2]))
    assert max(leads) > 0.25, "the left foot comes past the right one"
    assert min(leads) < -0.25, "and the other way round"
