"""Somebody animated by keys is moved as a whole at one frame, which makes a key; a recorded motion goes along."""

from __future__ import annotations

import numpy as np
import pytest
from motion_samples import strolling
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse, keys_of
from window_driver import ViewMouse, active, laid_out, root_of, settled, strike, written

from app.document import edits
from app.document.posing.placing import lowest_skin
from app.window.editor import Editor
from rendering.shapes.root_handle import ring

pytestmark = pytest.mark.gl
KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LATER = 30  # a frame
ASIDE, UP = QPoint(110, 10), QPoint(0, -60)  # pixels


@pytest.fixture
def animated(editor: Editor) -> Editor:
    """Somebody who was given frames by the button, looked at one of them."""
    timeline = editor.panels.timeline
    button = next(button for button in timeline.animate if button.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settled(editor.session)
    laid_out()  # the timeline takes room from the view
    TimelineMouse(editor).to_frame(LATER)
    return editor


@pytest.fixture
def walking(editor: Editor) -> Editor:
    """Somebody with a recorded motion, looked at one of its frames."""
    editor.session.edit("Walk", edits.import_motion("c1", strolling(60)))
    settled(editor.session)
    editor.refresh()
    laid_out()
    TimelineMouse(editor).to_frame(LATER)
    return editor


def cross(mouse: ViewMouse) -> QPoint:
    return mouse.place(np.asarray(root_of(mouse.editor).position) + [0.27, 0.0, 0.02])


def root_at(editor: Editor, frame: int) -> np.ndarray:
    return editor.session.document.actor("c1").at(frame).pose.root_position.astype(np.float64)


def drag_on(editor: Editor, *keys: Qt.Key) -> list[str]:
    """Drag the cross aside, press keys before it is released; the hints."""
    mouse, said = ViewMouse(editor), list[str]()
    editor.tool.hint.connect(said.append)
    start = cross(mouse)
    mouse.drag(start, ASIDE / 2, ASIDE, release=False)
    for key in keys:
        QTest.keyClick(editor.viewport, key)
    mouse.release(start + ASIDE)
    settled(editor.session)
    editor.tool.hint.disconnect(said.append)
    return said


def test_a_drag_of_the_cross_takes_somebody_elsewhere_at_that_frame_alone(animated: Editor) -> None:
    session, before = animated.session, root_at(animated, 0)
    said = drag_on(animated)
    assert keys_of(animated) == [0, LATER]
    assert root_at(animated, 0) == pytest.approx(before, abs=1e-6)
    there = root_at(animated, LATER)
    assert np.linalg.norm(there - before) > 0.2
    assert there[1] == pytest.approx(before[1], abs=1e-6)
    between = root_at(animated, LATER // 2)
    assert between == pytest.approx((before + there) / 2, abs=0.02), "on the way in between"
    assert any("at this frame, K at all" in text for text in said)
    session.undo()
    assert keys_of(animated) == [0]
    assert root_at(animated, LATER) == pytest.approx(before, abs=1e-6)


@pytest.mark.slow
def test_with_k_all_frames_go_along_and_with_k_again_one_does(animated: Editor) -> None:
    before = root_at(animated, 0)
    said = drag_on(animated, KEY.Key_K)
    assert keys_of(animated) == [0]
    assert np.linalg.norm(root_at(animated, 0) - before) > 0.2
    assert any("at all frames, K at this one" in text for text in said)
    animated.session.undo()
    drag_on(animated, KEY.Key_K, KEY.Key_K)
    assert keys_of(animated) == [0, LATER]
    assert root_at(animated, 0) == pytest.approx(before, abs=1e-6)


def test_a_jump_is_a_key_with_the_person_in_the_air(animated: Editor) -> None:
    before = root_at(animated, 0)
    mouse = ViewMouse(animated)
    mouse.drag(cross(mouse), UP / 2, UP, keys=SHIFT)
    settled(animated.session)
    assert keys_of(animated) == [0, LATER]
    assert root_at(animated, LATER)[1] > before[1] + 0.1
    ankles = [e for e in active(animated).effectors if e.joint == "left_ankle" and e.kind == "position"]
    first = animated.session.document.actor("c1").at(0).effector(ankles[0].id)
    assert ankles[0].target[1] > first.target[1] + 0.1, "feet go along"
    strike(animated, KEY.Key_End)
    settled(animated.session)
    assert lowest_skin(active(animated)) == pytest.approx(0.0, abs=1e-3)
    assert keys_of(animated) == [0, LATER]


def test_the_ring_turns_somebody_at_that_frame_alone(animated: Editor) -> None:
    mouse = ViewMouse(animated)
    before = animated.session.document.actor("c1").at(0).pose
    start = mouse.place(ring(root_of(animated), mouse.view.current_view)[14])
    mouse.drag(start, QPoint(30, -20), QPoint(60, -40))
    settled(animated.session)
    assert keys_of(animated) == [0, LATER]
    assert animated.session.document.actor("c1").at(0).pose == before
    turned = active(animated).pose
    assert np.abs(turned.rotations[0] - before.rotations[0]).max() > 0.1
    assert turned.root_position == pytest.approx(before.root_position, abs=1e-5)


def test_a_drag_there_and_back_makes_no_key(animated: Editor) -> None:
    mouse = ViewMouse(animated)
    mouse.drag(cross(mouse), ASIDE, QPoint(0, 0))
    settled(animated.session)
    assert keys_of(animated) == [0]


def test_a_typed_number_does_the_same(animated: Editor) -> None:
    before = root_at(animated, 0)
    rows = animated.panels.target.person
    assert "Sets a key at this frame" in rows.hint.text()
    written(animated, rows.places[0], "80")
    settled(animated.session)
    assert keys_of(animated) == [0, LATER]
    assert root_at(animated, LATER)[0] == pytest.approx(0.8, abs=1e-3)
    assert root_at(animated, 0) == pytest.approx(before, abs=1e-6)


@pytest.mark.slow
def test_a_recorded_motion_goes_along_and_with_k_stays(walking: Editor) -> None:
    first, there = root_at(walking, 0), root_at(walking, LATER)
    said = drag_on(walking)
    way = root_at(walking, LATER) - there
    assert np.linalg.norm(way) > 0.2
    assert root_at(walking, 0) - first == pytest.approx(way, abs=1e-5)
    assert keys_of(walking) == [0]
    assert any("at all frames, K at this one" in text for text in said)
    walking.session.undo()
    drag_on(walking, KEY.Key_K)
    assert root_at(walking, 0) == pytest.approx(first, abs=1e-6)
    assert np.linalg.norm(root_at(walking, LATER) - there) > 0.2
    assert keys_of(walking) == [0, LATER]
