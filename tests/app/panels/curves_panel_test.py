"""The panel of curves under the mouse and the keyboard, in the real window."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QStyle, QStyleOptionComboBox
from timeline_driver import TimelineMouse, frame_of, set_moving
from window_driver import NO_KEYS, laid_out, move_held, settled, strike, until

from app.document import edits
from app.document.curves.values import FEET, MISS, PLACE
from app.document.model.figure import skeleton_of
from app.panels.curves.panel import CurvesPanel
from app.services.settings import SettingsStore
from app.window.editor import Editor
from solver.body.catalog import fitted_body_id
from solver.rig.roles import Role

pytestmark = pytest.mark.gl
LEFT, KEY = Qt.MouseButton.LeftButton, Qt.Key
FRAMES = 121


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with somebody who glides for 121 frames, and the curves shown by their key."""
    set_moving(editor, FRAMES)
    strike(editor, KEY.Key_C)
    laid_out()
    drawn(editor)
    return editor


def has_room(box: QComboBox) -> bool:
    """Whether the text in it can be read to its end."""
    laid_out()
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    field = QStyle.SubControl.SC_ComboBoxEditField
    place = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box)
    return box.fontMetrics().horizontalAdvance(box.currentText()) <= place.width()


def panel_of(editor: Editor) -> CurvesPanel:
    return editor.panels.curves


def drawn(editor: Editor) -> None:
    """Until what is wanted is worked out and shown."""
    panel = panel_of(editor)
    until(lambda: panel._shown is not None and panel._shown[1] == panel._wanted() and panel._shown[0] is panel._actor())


def choose(editor: Editor, what: str) -> None:
    """Choose what is drawn, by the keyboard."""
    step_to(panel_of(editor).what, what)


def step_to(box: QComboBox, data: str) -> None:
    """Go to a choice with the arrow keys."""
    box.setFocus()
    way = box.findData(data) - box.currentIndex()
    for _ in range(abs(way)):
        QTest.keyClick(box, KEY.Key_Down if way > 0 else KEY.Key_Up)
    assert box.currentData() == data


def select_wrist(editor: Editor) -> str:
    wrist = next(e for e in editor.session.active.effectors if e.joint == "left_wrist")
    editor.session.select("c1", [wrist.id])
    return wrist.id


def lit(editor: Editor, x: int) -> bool:
    """Whether the playhead is drawn at a column of the plot."""
    plot = panel_of(editor).plot
    assert plot is not None
    image = plot.viewport().grab().toImage()
    near = [image.pixelColor(column, image.height() // 2) for column in (x - 1, x, x + 1)]
    return any(color.blue() > 180 and color.blue() > color.red() + 60 for color in near)


@pytest.mark.slow
def test_its_key_the_menu_and_the_button_show_it_and_hide_it_again(editor: Editor, store: SettingsStore) -> None:
    set_moving(editor, FRAMES)
    panel, button = panel_of(editor), editor.panels.timeline.curves
    assert panel.isHidden()
    assert not panel.findChildren(QComboBox), "the window starts without what is in it"
    strike(editor, KEY.Key_C)
    assert panel.isVisible()
    assert panel.what.isVisible()
    assert store.values.curves, "the next window has them too"
    assert button.isChecked()
    QTest.mouseClick(button, LEFT)
    assert panel.isHidden()
    editor.actions["view.curves"].trigger()
    editor.refresh()
    assert panel.isVisible()
    assert editor.actions["view.curves"].isChecked()
    laid_out()
    QTest.mouseClick(panel.close_button, LEFT)
    assert panel.isHidden()
    assert not store.values.curves
    assert not editor.session.history.dirty


def test_curves_left_open_take_no_room_while_nobody_moves(editor: Editor, store: SettingsStore) -> None:
    panel, tall = panel_of(editor), editor.viewport.height()
    store.set(curves=True)
    editor.refresh()
    laid_out()
    assert panel.isHidden()
    assert editor.viewport.height() == tall
    strike(editor, KEY.Key_C)
    assert not editor.actions["view.curves"].isEnabled()
    assert store.values.curves, "there was nothing to hide"
    QTest.mouseClick(editor.panels.timeline.animate[1], LEFT)
    until(panel.isVisible)
    drawn(editor)
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    until(panel.isHidden)
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    until(panel.isVisible)


def test_a_gliding_person_is_drawn_at_its_speed_under_the_same_frames_as_the_timeline(desk: Editor) -> None:
    panel, track = panel_of(desk), desk.panels.timeline.track
    assert panel.plot is not None
    assert panel.plot.width() == track.width()
    (line,) = panel.curves.lines
    assert line.after == pytest.approx(np.full(FRAMES, 0.5 / 120 * 30), abs=1e-3)
    assert panel.legend.entries[0].value == "0.13"
    assert panel.legend.entries[0].visibleRegion().boundingRect().width() > 40
    low, high = panel.plot._box.viewRange()[0]
    assert (low, high) == pytest.approx(track.scale.visible())


def test_a_press_on_the_curves_scrubs_and_the_playhead_follows_the_timeline(desk: Editor) -> None:
    plot, track = panel_of(desk).plot, desk.panels.timeline.track
    assert plot is not None
    place = lambda frame: QPoint(round(track.scale.x(frame)), 60)  # noqa: E731
    QTest.mousePress(plot.viewport(), LEFT, NO_KEYS, place(80))
    assert frame_of(desk) == 80
    move_held(plot.viewport(), place(95))
    assert frame_of(desk) == 95
    QTest.mouseRelease(plot.viewport(), LEFT, NO_KEYS, place(95))
    assert lit(desk, place(95).x())
    TimelineMouse(desk).scrub(20, 33)
    assert lit(desk, place(33).x())
    assert not lit(desk, place(95).x())
    QTest.mousePress(plot.viewport(), LEFT, NO_KEYS, place(60))
    QTest.keyClick(track, KEY.Key_Escape)
    assert frame_of(desk) == 33, "Esc takes a scrub back"
    QTest.mouseRelease(plot.viewport(), LEFT, NO_KEYS, place(60))
    assert not desk.session.history.dirty


def test_the_numbers_can_be_read_while_the_playhead_is_at_the_first_frame(desk: Editor) -> None:
    TimelineMouse(desk).to_frame(0)
    drawn(desk)
    plot = panel_of(desk).plot
    image = plot.viewport().grab().toImage()
    x, share = desk.panels.timeline.track.scale.x(0), image.width() / plot.viewport().width()
    colors = [image.pixelColor(int(x * share), y) for y in range(image.height())]
    bright = [color.blue() > 180 and color.blue() > color.red() + 60 for color in colors]
    assert sum(bright) > image.height() / 3, "the playhead"
    heights = [plot.axis.y(value, plot.height()) for value in plot.axis.ticks[1:-1]]
    assert heights
    assert not any(bright[round((height + by) * share)] for height in heights for by in range(-4, 5))


def test_the_wheel_and_the_middle_button_zoom_and_pan_both(desk: Editor) -> None:
    plot, track = panel_of(desk).plot, desk.panels.timeline.track
    assert plot is not None
    place = QPoint(round(track.scale.x(60)), 50)
    for _ in range(6):
        QApplication.sendEvent(plot.viewport(), QWheelEvent(
            QPointF(place), QPointF(plot.viewport().mapToGlobal(place)), QPoint(), QPoint(0, 120),
            Qt.MouseButton.NoButton, NO_KEYS, Qt.ScrollPhase.NoScrollPhase, False,
        ))  # fmt: skip
    assert track.scale.span < FRAMES / 2
    assert track.scale.nearest(place.x()) == 60
    assert tuple(plot._box.viewRange()[0]) == pytest.approx(track.scale.visible())
    middle, before = Qt.MouseButton.MiddleButton, track.scale.x(60)
    QTest.mousePress(plot.viewport(), middle, NO_KEYS, place)
    move_held(plot.viewport(), place + QPoint(-40, 0), buttons=middle)
    QTest.mouseRelease(plot.viewport(), middle, NO_KEYS, place + QPoint(-40, 0))
    assert track.scale.x(60) == pytest.approx(before - 40)
    assert frame_of(desk) == 0


def test_the_chooser_draws_feet_places_and_errors_and_is_remembered(desk: Editor, store: SettingsStore) -> None:
    panel = panel_of(desk)
    choose(desk, FEET)
    drawn(desk)
    assert [entry.name for entry in panel.legend.entries] == ["Left foot", "Right foot"]
    assert panel.joint.isHidden()
    assert store.values.curves_what == FEET
    choose(desk, PLACE)
    assert panel.message.isVisible()
    assert panel.message.text().startswith("Select an effector")
    select_wrist(desk)
    drawn(desk)
    assert [entry.name for entry in panel.legend.entries] == ["X", "Y", "Z"]
    assert panel.curves.lines[0].after[-1] - panel.curves.lines[0].after[0] == pytest.approx(50, abs=0.1)
    choose(desk, MISS)
    until(panel.message.isVisible)
    assert "asks for nothing yet" in panel.message.text()


def test_speed_is_of_the_selected_joint_or_of_one_that_is_chosen(desk: Editor) -> None:
    panel = panel_of(desk)
    assert panel.joint.currentText() == "Pelvis (nothing selected)"
    select_wrist(desk)
    drawn(desk)
    assert panel.joint.currentText() == "Left wrist (selected)"
    assert has_room(panel.joint)
    step_to(panel.joint, "head")
    drawn(desk)
    assert panel._shown is not None
    assert panel._shown[1].joint == "head"
    person = desk.session.active
    body = fitted_body_id(skeleton_of(person).rest_positions, person.shape, None, (Role.NECK,))
    desk.session.edit("Body", lambda document: document.with_character(replace(person, body=body)))
    until(lambda: panel.joint.findData(Role.NECK) == -1)
    assert panel.joint.currentData() == "head", "who lacks the neck has a head all the same"


@pytest.mark.slow
def test_an_edit_changes_the_curve_after_and_undo_brings_it_back_at_once(desk: Editor) -> None:
    panel, session = panel_of(desk), desk.session
    wrist = select_wrist(desk)
    choose(desk, PLACE)
    drawn(desk)
    before = panel.curves
    desk.player.go_to(60)
    target = session.active.effector(wrist).target
    session.edit("Raise", edits.set_target("c1", wrist, target + np.float32([0, 0.3, 0.1])), solve=True)
    until(lambda: not session.solving and not desk.in_betweens.missing("c1") and not desk.jobs.busy)
    drawn(desk)
    height = panel.curves.lines[1]
    assert height.before is not None
    assert panel.plot is not None
    tall = panel.plot.height()
    lowest = min(float(line.after.min()) for line in panel.curves.lines)
    assert panel.plot.axis.y(lowest, tall) < tall - panel.fontMetrics().height(), "no word hides a curve"
    assert height.after[60] - height.before[60] == pytest.approx(30, abs=0.5)
    assert height.after[0] == pytest.approx(height.before[0])
    assert "→" in panel.legend.entries[1].value
    session.undo()
    assert panel.curves is before, "what was worked out for this clip is remembered"
    choose(desk, MISS)
    session.redo()
    drawn(desk)
    assert panel.curves.lines[0].after[60] < 1.0


def test_a_name_hides_its_curve_and_shows_it_again(desk: Editor) -> None:
    panel = panel_of(desk)
    select_wrist(desk)
    choose(desk, PLACE)
    drawn(desk)
    assert panel.plot is not None
    wide = panel.plot.axis.high - panel.plot.axis.low
    laid_out()
    for entry in panel.legend.entries[1:]:
        QTest.mouseClick(entry, LEFT)
    assert panel.plot.axis.high - panel.plot.axis.low < wide
    for entry in panel.legend.entries[1:]:
        QTest.mouseClick(entry, LEFT)
    assert panel.plot.axis.high - panel.plot.axis.low == pytest.approx(wide)


def test_a_finer_screen_shows_the_same_in_more_pixels(desk: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    plot = panel_of(desk).plot
    assert plot is not None
    seen = []
    for ratio in (1.0, 1.5):
        monkeypatch.setattr(plot, "devicePixelRatioF", lambda ratio=ratio: ratio)
        plot.viewport().repaint()
        picture = plot._picture
        assert picture is not None
        assert picture.width() == round(plot.viewport().width() * ratio)
        smooth = Qt.TransformationMode.SmoothTransformation
        image = (
            picture.toImage().scaled(plot.viewport().size(), mode=smooth).convertToFormat(QImage.Format.Format_RGB32)
        )
        seen.append(np.array(image.constBits()).reshape(image.height(), image.width(), 4)[..., :3].astype(float))
    assert np.abs(seen[0] - seen[1]).mean() < 2.0


def test_in_a_narrow_window_names_and_the_frames_number_keep_their_room(desk: Editor) -> None:
    panel, timeline = panel_of(desk), desk.panels.timeline
    select_wrist(desk)
    choose(desk, PLACE)
    drawn(desk)
    wide = panel.legend.width()
    assert timeline.step[0].isVisible()
    assert timeline.label.shown() == " ".join(timeline.label.text().split())
    desk.window.resize(683, 620)
    laid_out()
    assert "…" not in timeline.label.shown()
    assert panel.legend.width() < wide
    assert panel.legend.geometry().right() < panel.plot.width()  # type: ignore[union-attr]
    assert not timeline.step[0].isVisible()
    assert timeline.field.width() == timeline.field.sizeHint().width()
    assert timeline.width() <= 683 - 304


def test_for_a_still_person_beside_one_who_moves_it_is_told_what_to_do_and_nothing_is_loaded(editor: Editor) -> None:
    set_moving(editor, FRAMES)
    editor.posing.add_person()
    settled(editor.session)
    panel = panel_of(editor)
    strike(editor, KEY.Key_C)
    assert panel.message.text().startswith("This person has no motion.")
    assert panel.plot is None


def test_the_theme_changes_it_too(desk: Editor, store: SettingsStore) -> None:
    plot = panel_of(desk).plot
    assert plot is not None
    corner = QPoint(plot.width() // 2, 3)
    dark = plot.viewport().grab().toImage().pixelColor(corner).lightness()
    strike(desk, KEY.Key_L, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    laid_out()
    assert store.values.theme == "light"
    assert plot.viewport().grab().toImage().pixelColor(corner).lightness() > dark + 100


@pytest.mark.slow
def test_scrubbing_five_thousand_frames_under_curves_stays_quick(editor: Editor) -> None:
    set_moving(editor, 5000)
    strike(editor, KEY.Key_C)
    choose(editor, FEET)
    drawn(editor)
    begun = time.thread_time()
    for frame in range(0, 5000, 25):
        editor.player.go_to(frame)
    assert time.thread_time() - begun < 200 / 60
    assert panel_of(editor).plot is not None


def test_nothing_is_worked_out_while_it_does_not_show(editor: Editor) -> None:
    set_moving(editor, FRAMES)
    panel = panel_of(editor)
    assert panel._shown is None
    assert panel.plot is None
    editor.player.go_to(50)
    assert panel.worker._thread is None
