"""Typing into the panels: what ends it, what it is given to, and where the keys go afterwards. Real keys throughout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QToolTip, QWidget
from window_driver import ViewMouse, activated, active, double_click, laid_out, move_held, settled, until

from app.dialogs import messages
from app.document import edits
from app.document.posing.mirroring import heading
from app.document.scene_file.io import load_scene
from app.panels.effector_row import EffectorRow, EffectorStatus
from app.panels.widgets.field_editor import FieldEditor
from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor
from solver.effectors.kinds import Rotation
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
LEFT, CTRL, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with the keyboard on it and one effector selected."""
    activated(editor.window)
    choose(editor, "left_wrist")
    return editor


def choose(editor: Editor, joint: str) -> str:
    """Select the joint's position effector."""
    id = next(e.id for e in active(editor).effectors if (e.joint, e.kind) == (joint, "position"))
    editor.session.select(active(editor).id, [id])
    editor.refresh()
    return id


def press(editor: Editor, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key of the keyboard: the window gives it to whatever has the focus."""
    QTest.keyClick(editor.window.windowHandle(), key, keys)
    QApplication.processEvents()


def write(editor: Editor, text: str) -> None:
    for letter in text:
        QTest.keyClick(editor.window.windowHandle(), letter)


def start(editor: Editor, field: QWidget, text: str = "") -> None:
    """Double-click a field and write."""
    double_click(field)
    until(lambda: isinstance(QApplication.focusWidget(), FieldEditor))
    write(editor, text)


def typing(editor: Editor) -> list[FieldEditor]:
    return [e for e in editor.window.findChildren(FieldEditor) if e.isVisible()]


def height(editor: Editor, id: str) -> float:
    """The target's height in centimetres."""
    return round(float(active(editor).effector(id).target[1]) * 100, 2)


@pytest.mark.parametrize("enter", [Key.Key_Return, Key.Key_Enter])
def test_enter_takes_the_number_and_closes_and_undo_is_the_scenes_again(desk: Editor, enter: Qt.Key) -> None:
    wrist, field = choose(desk, "left_wrist"), desk.panels.target.places[1]
    before = height(desk, wrist)
    start(desk, field, "123.4")
    press(desk, enter)
    assert typing(desk) == []
    assert height(desk, wrist) == 123.4
    other = choose(desk, "right_ankle")
    press(desk, Key.Key_Return)  # the field has the focus: Enter types again, from the other one's number
    assert [e.text() for e in typing(desk)] == [f"{height(desk, other):.1f}"]
    press(desk, enter)
    assert typing(desk) == []
    assert desk.session.history.steps() == ("Set left wrist · position",)
    press(desk, Key.Key_Z, CTRL)
    assert height(desk, wrist) == before


def test_a_number_that_is_refused_does_not_stay_in_the_field(desk: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    document, field = desk.session.document, desk.panels.target.places[0]
    shown = field.text()
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, message: said.append(message))
    start(desk, field, "1e9")
    press(desk, Key.Key_Return)
    assert len(said) == 1
    assert "1,000 km" in said[0]
    until(lambda: field.text() == shown)
    assert desk.session.document is document


def test_escape_drops_what_was_typed(desk: Editor) -> None:
    document, field = desk.session.document, desk.panels.target.places[0]
    start(desk, field, "99")
    press(desk, Key.Key_Escape)
    assert typing(desk) == []
    assert desk.session.document is document
    assert QApplication.focusWidget() is field


@pytest.mark.parametrize(
    ("text", "said"),
    [("12 miles", "“miles” is not a unit of length: use cm, m, mm, ft or in."), ("1 " * 60, "That is not a number.")],
)
def test_what_is_no_number_is_said_and_changes_nothing(desk: Editor, text: str, said: str) -> None:
    document, field = desk.session.document, desk.panels.target.places[1]
    for close in (Key.Key_Return, Key.Key_Tab):
        start(desk, field, text)
        press(desk, close)
        until(lambda: said in QToolTip.text())
        assert f"It stays {field.text()}." in QToolTip.text()
        assert desk.session.document is document
        QToolTip.hideText()
        until(lambda: not QToolTip.isVisible())


@pytest.mark.parametrize(
    ("text", "said", "value"), [("1.7", "The maximum is 1.00.", 1.0), ("-2", "The minimum is 0.00.", 0)]
)
def test_a_number_beyond_the_ends_is_taken_as_the_end_and_said(
    desk: Editor, text: str, said: str, value: float
) -> None:
    field = desk.panels.effectors.rows[0].tolerance
    start(desk, field, text)
    press(desk, Key.Key_Return)
    until(lambda: QToolTip.text() == said)
    assert field.value() == value
    QToolTip.hideText()


def test_what_is_said_below_a_field_lets_a_click_on_the_next_one_through(desk: Editor) -> None:
    first, second = (desk.panels.effectors.rows[place].tolerance for place in (0, 1))
    start(desk, first, "abc")
    press(desk, Key.Key_Return)
    until(lambda: "is not a number" in QToolTip.text() or "understood" in QToolTip.text())
    (tip,) = [w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel") and w.isVisible()]
    middle = second.mapToGlobal(second.rect().center())
    assert tip.geometry().contains(middle)
    until(lambda: QGuiApplication.topLevelAt(middle) is desk.window.windowHandle(), timeout_ms=3000)
    QToolTip.hideText()


@pytest.mark.slow
def test_an_angle_beyond_half_a_turn_is_the_same_turn_from_the_other_side(desk: Editor) -> None:
    turn = Rotation("head", np.eye(3), id="turn")
    desk.session.edit("Turn the head", edits.add_effector("c1", turn), solve=True)
    desk.session.select("c1", ["turn"])
    desk.refresh()
    field = desk.panels.target.angles[0]
    start(desk, field, "270")
    press(desk, Key.Key_Return)
    desk.refresh()
    assert field.text() == "−90.0°"
    assert QToolTip.text() == ""


def test_arrow_keys_and_scrubs_go_on_past_half_a_turn(desk: Editor) -> None:
    desk.session.select(active(desk).id)
    field = desk.panels.target.person.turn
    until(field.isVisible)
    start(desk, field, "178")
    QTest.keyClick(desk.window.windowHandle(), Key.Key_Return)
    until(lambda: field.text() == "178.0°")
    QTest.keyClick(field, Key.Key_Right)
    assert field.text() == "−177.5°"
    QTest.mousePress(field, LEFT, pos=field.rect().center())
    for step in (-4, -8, -20):
        move_held(field, field.rect().center() + QPoint(step, 0))
    assert 160.0 < field.value() < 178.0
    QTest.mouseRelease(field, LEFT, pos=field.rect().center() + QPoint(-20, 0))
    assert float(np.degrees(heading(active(desk).pose.rotations[0]))) == pytest.approx(field.value(), abs=0.1)


def test_a_comma_is_a_decimal_point(desk: Editor) -> None:
    wrist, field = choose(desk, "left_wrist"), desk.panels.target.places[1]
    start(desk, field, "120,5 cm")
    press(desk, Key.Key_Return)
    assert height(desk, wrist) == 120.5


def test_a_click_elsewhere_takes_the_number(desk: Editor) -> None:
    wrist, field = choose(desk, "left_wrist"), desk.panels.target.places[1]
    start(desk, field, "120")
    QTest.mouseClick(desk.panels.left[2].header, LEFT, pos=QPoint(200, 4))  # takes no focus
    assert typing(desk) == []
    assert height(desk, wrist) == 120.0
    desk.panels.left[2].set_open(True)
    start(desk, field, "130")
    mouse = ViewMouse(desk)
    QTest.mouseClick(mouse.view, LEFT, pos=QPoint(5, 5))
    assert typing(desk) == []
    assert height(desk, wrist) == 130.0


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_what_is_typed_is_never_given_to_something_else(desk: Editor) -> None:
    session, field = desk.session, desk.panels.target.places[1]
    left = choose(desk, "left_ankle")
    right = next(e.id for e in active(desk).effectors if (e.joint, e.kind) == ("right_ankle", "position"))
    was = height(desk, left), height(desk, right)
    assert was[0] == was[1]  # the same number stands in the field for both

    start(desk, field, "55")
    session.select(active(desk).id, [right])  # as a click in the view does; the panel is not yet refreshed
    press(desk, Key.Key_Return)
    assert (height(desk, left), height(desk, right)) == was
    press(desk, Key.Key_Escape)
    slider = desk.panels.body.sliders[0]
    for change in (
        lambda: session.edit("Rename", edits.rename_character("c1", "Ada")),
        session.undo,
        lambda: session.open(desk.files.fresh()),
    ):
        start(desk, slider, "2.5")
        change()
        assert typing(desk) == []
        desk.refresh()
        assert not active(desk).shape.betas.any()
        assert slider.value() == 0.0


def test_undo_is_the_scenes_while_nothing_was_typed_and_the_lines_once_something_was(desk: Editor) -> None:
    wrist, field = choose(desk, "left_wrist"), desk.panels.target.places[1]
    before = height(desk, wrist)
    start(desk, field, "110")
    press(desk, Key.Key_Return)
    desk.refresh()
    start(desk, field, "9")
    press(desk, Key.Key_Z, CTRL)
    assert [e.text() for e in typing(desk)] == ["110.0"]
    assert height(desk, wrist) == 110.0
    press(desk, Key.Key_Z, CTRL)
    assert typing(desk) == []
    assert height(desk, wrist) == before


def test_tab_takes_the_number_and_goes_on_with_the_next_field(desk: Editor) -> None:
    wrist, (x, y, _) = choose(desk, "left_wrist"), desk.panels.target.places
    start(desk, x, "40")
    press(desk, Key.Key_Tab)
    desk.refresh()
    assert [e.parentWidget() for e in typing(desk)] == [y]
    write(desk, "125")
    press(desk, Key.Key_Backtab, SHIFT)
    assert [e.parentWidget() for e in typing(desk)] == [x]
    press(desk, Key.Key_Return)
    target = active(desk).effector(wrist).target
    assert [round(float(v) * 100, 1) for v in target[:2]] == [40.0, 125.0]


def test_a_field_that_cannot_be_used_any_more_is_not_typed_into(desk: Editor) -> None:
    row, document = desk.panels.effectors.rows[0], desk.session.document
    start(desk, row.tolerance, "0.7")
    row.tolerance.setEnabled(False)
    assert typing(desk) == []
    row.tolerance.setEnabled(True)
    start(desk, row.tolerance, "0.7")
    row.show_effector(active(desk).effectors[1], EffectorStatus(), selected=False)
    assert typing(desk) == []
    assert desk.session.document is document


def test_a_name_is_typed_in_the_list_and_undo_is_the_scenes_again(desk: Editor) -> None:
    row, session = desk.panels.people.rows[0], desk.session
    name = active(desk).name
    start(desk, row, "Grace")
    press(desk, Key.Key_Return)
    assert active(desk).name == "Grace"
    desk.refresh()
    assert row.name.text() == "Grace"
    start(desk, row, "Eve")
    press(desk, Key.Key_Escape)
    assert typing(desk) == []
    assert active(desk).name == "Grace"
    press(desk, Key.Key_Z, CTRL)
    assert active(desk).name == name
    assert session.history.steps() == ()


def test_a_button_that_has_done_its_work_leaves_the_panels_where_they_are(desk: Editor) -> None:
    session, panel = desk.session, desk.panels.base_pose
    wrist = choose(desk, "left_wrist")
    session.edit("Move", edits.set_target("c1", wrist, active(desk).effector(wrist).target + 0.1), solve=True)
    settled(session)
    desk.refresh()
    area = panel.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    area.ensureWidgetVisible(panel.set_base)
    bar = area.verticalScrollBar()
    assert bar.maximum() > bar.value() + 20
    panel.set_base.setFocus()
    at = bar.value()
    press(desk, Key.Key_Space)
    desk.refresh()
    laid_out()
    assert not panel.set_base.isEnabled()
    assert bar.value() == at
    assert QApplication.focusWidget() is desk.viewport


@pytest.mark.slow
def test_the_list_keeps_its_rows_and_the_focus_when_effectors_come_and_go(desk: Editor) -> None:
    rows = list(desk.panels.effectors.rows)
    rows[1].delete.setFocus()
    gone = rows[1].effector_id
    press(desk, Key.Key_Space)
    desk.refresh()
    assert gone not in {e.id for e in active(desk).effectors}
    assert desk.panels.effectors.rows == rows[:-1]
    assert QApplication.focusWidget() is rows[1].delete
    assert [r.effector_id for r in desk.panels.effectors.rows] == [e.id for e in active(desk).effectors]
    press(desk, Key.Key_Z, CTRL)
    desk.refresh()
    assert len(desk.panels.effectors.rows) == len(rows)


def test_what_is_typed_is_part_of_what_a_shortcut_saves(desk: Editor, tmp_path: Path) -> None:
    wrist, field = choose(desk, "left_wrist"), desk.panels.target.places[1]
    desk.session.path = tmp_path / "scene.json"
    start(desk, field, "115")
    press(desk, Key.Key_S, CTRL)
    assert typing(desk) == []
    saved = load_scene(desk.session.path).characters[0].effector(wrist)
    assert saved.target[1] == pytest.approx(1.15)


def test_the_focus_of_a_timeline_that_goes_is_the_views(desk: Editor) -> None:
    session, pose = desk.session, active(desk).pose
    motion = Motion(np.tile(pose.root_position, (9, 1)), np.broadcast_to(pose.rotations, (9, 24, 3, 3)))
    session.edit("Import", edits.import_motion("c1", motion))
    desk.refresh()
    desk.panels.timeline.track.setFocus()
    session.undo()
    desk.refresh()
    assert desk.panels.timeline.track.isHidden()
    assert QApplication.focusWidget() is desk.viewport


@pytest.mark.usefixtures("unfolded")
def test_a_number_that_is_only_looked_at_stays_as_exact_as_it_was(desk: Editor) -> None:
    slider: ValueSlider = desk.panels.body.sliders[0]
    desk.session.edit("Shape", edits.set_beta("c1", 0, 0.123))
    desk.refresh()
    start(desk, slider)
    press(desk, Key.Key_Return)
    assert active(desk).shape.betas[0] == pytest.approx(0.123, abs=1e-6)
    assert desk.session.history.steps() == ("Shape",)


def test_how_far_off_a_handle_typed_far_away_is_can_be_read_in_the_list(desk: Editor) -> None:
    wrist = choose(desk, "left_wrist")
    start(desk, desk.panels.target.places[0], "=3 * 4 m")
    press(desk, Key.Key_Return)
    settled(desk.session)
    desk.refresh()
    error = next(r for r in desk.window.findChildren(EffectorRow) if r.effector_id == wrist).error
    assert error.shown() == error.text()
    assert error.text().endswith(" m")
