"""The slider of the stride: beside the time and in the body panel, for somebody who has a motion."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from small_window import make_small, whole
from timeline_driver import TimelineMouse, set_moving
from window_driver import active, laid_out, move_held, settled, typed, until

from app.document.model.actor import actor_of
from app.document.model.stride import stride_of
from app.panels.timeline.stride_slider import StrideSlider
from app.panels.widgets.field_editor import FieldEditor
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("unfolded")]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(name="wide")
def _wide(editor: Editor) -> Editor:
    """A window with room for the slider beside the time."""
    editor.window.resize(1500, 900)
    laid_out()
    return editor


def way(editor: Editor) -> float:
    """Metres from the first frame's pelvis to the last one's."""
    motion = actor_of(active(editor)).motion()
    assert motion is not None
    return float(np.linalg.norm(motion.root_positions[-1, [0, 2]] - motion.root_positions[0, [0, 2]]))


def both(editor: Editor) -> list[StrideSlider]:
    editor.refresh()
    return [editor.panels.timeline.stride, editor.panels.body.stride]


def test_the_bar_fills_from_as_recorded_and_does_not_look_like_a_switch_that_is_on(wide: Editor) -> None:
    set_moving(wide, 40)
    stride = both(wide)[0]

    def look(percent: float) -> list[str]:
        stride.commit(percent)
        laid_out()
        picture = stride.grab().toImage()
        return [picture.pixelColor(round(picture.width() * share), 3).name() for share in (0.3, 0.6, 0.95)]

    as_recorded, longer, shorter = look(100.0), look(150.0), look(20.0)
    assert len(set(as_recorded)) == 1, "nothing is filled"
    assert (longer[0], longer[2]) == (as_recorded[0], as_recorded[0])
    assert longer[1] == shorter[0] != as_recorded[0]


@pytest.mark.slow
def test_a_scrub_of_the_stride_is_seen_at_once_and_is_one_step(wide: Editor) -> None:
    editor = wide
    assert all(slider.isHidden() for slider in both(editor)), "nobody moves"
    set_moving(editor, 1)
    assert all(slider.isHidden() for slider in both(editor)), "a file of one pose goes nowhere"
    set_moving(editor, 40)
    stride, before = editor.panels.timeline.stride, way(editor)
    assert all(not slider.isHidden() and slider.text() == "100%" for slider in both(editor))
    TimelineMouse(editor).to_frame(39)
    middle = stride.rect().center()
    QTest.mousePress(stride, LEFT, pos=middle)
    ways = []
    for step in (10, 20, 35):
        move_held(stride, middle + QPoint(step, 0))
        ways.append(way(editor))
    QTest.mouseRelease(stride, LEFT, pos=middle + QPoint(35, 0))
    settled(editor.session)
    assert before < ways[0] < ways[1] < ways[2]
    assert ways[2] == pytest.approx(before * 1.5, rel=0.02)
    assert [slider.text() for slider in both(editor)] == ["150%"] * 2
    assert editor.session.history.undo_text == "Change stride"
    QTest.keyClick(editor.window.windowHandle(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()
    assert way(editor) == pytest.approx(before)
    assert [slider.text() for slider in both(editor)] == ["100%"] * 2


def test_a_change_of_stature_scales_the_steps_and_leaves_the_stride_at_a_hundred_percent(editor: Editor) -> None:
    set_moving(editor, 40)
    before = way(editor)
    typed(editor.panels.body.stature, "190")
    settled(editor.session)
    assert [slider.text() for slider in both(editor)] == ["100%"] * 2
    assert way(editor) > 1.05 * before
    assert len(editor.session.history.steps()) == 2, "the motion, and the stature with its stride"
    editor.session.undo()
    assert way(editor) == pytest.approx(before)


def test_a_stride_that_is_typed_stays_in_another_body_and_a_right_click_puts_it_back(wide: Editor) -> None:
    editor = wide
    set_moving(editor, 40)
    before = way(editor)
    TimelineMouse(editor).activate()
    command = editor.actions["time.stride"]
    editor.refresh()
    assert command.isEnabled()
    command.trigger()
    (line,) = [e for e in editor.window.findChildren(FieldEditor) if e.isVisible()]
    line.selectAll()
    QTest.keyClicks(line, "50")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert way(editor) == pytest.approx(0.5 * before, rel=1e-3)
    typed(editor.panels.body.stature, "150")
    settled(editor.session)
    assert stride_of(actor_of(active(editor))) == 0.5
    assert [slider.text() for slider in both(editor)] == ["50%"] * 2
    stride = editor.panels.timeline.stride
    stride.setFocus()
    QTest.keyClick(stride, Qt.Key.Key_Backspace)
    assert [slider.text() for slider in both(editor)] == ["100%"] * 2
    assert way(editor) < before, "shorter legs"


def test_a_narrow_timeline_leaves_the_room_to_its_buttons_and_the_body_panel_has_the_stride(editor: Editor) -> None:
    set_moving(editor, 40)
    for width, beside in ((1500, True), (800, False)):
        editor.window.resize(width, 800)
        laid_out()
        editor.refresh()
        assert editor.panels.timeline.stride.isVisible() == beside
        assert not editor.panels.body.stride.isHidden()


def test_the_stride_is_typed_among_the_body_fields_where_the_timeline_has_no_room(editor: Editor) -> None:
    make_small(editor)
    set_moving(editor, 40)
    assert editor.panels.timeline.stride.isHidden()
    before = way(editor)
    editor.actions.refresh()
    editor.actions["time.stride"].trigger()
    until(lambda: any(e.isVisible() for e in editor.window.findChildren(FieldEditor)))
    assert whole(editor.panels.body.stride)
    (line,) = [e for e in editor.window.findChildren(FieldEditor) if e.isVisible()]
    line.selectAll()
    QTest.keyClicks(line, "50")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert way(editor) == pytest.approx(before / 2, abs=1e-3)
