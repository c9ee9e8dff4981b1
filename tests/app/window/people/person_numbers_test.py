"""Where whole people are, typed and scrubbed in the panel: as the root handle moves and turns them."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest
from prop_driver import added, hand_on_a_box, palm
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from window_driver import (
    ViewMouse,
    activated,
    active,
    double_click,
    laid_out,
    move_held,
    settled,
    strike,
    until,
    written,
)

from app.dialogs import messages
from app.document import edits
from app.document.model.document import Character
from app.document.posing.mirroring import heading
from app.document.posing.placing import lowest_skin
from app.panels.target.person_rows import PersonRows
from app.panels.widgets.field_editor import FieldEditor
from app.window.editor import Editor
from rendering.shapes.root_handle import arrows, ring
from solver.ik.options import SOLID_BODY
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def rows(editor: Editor) -> PersonRows:
    """The fields, once they show."""
    until(editor.panels.target.person.isVisible)
    return editor.panels.target.person


@pytest.fixture
def crowd(editor: Editor) -> Editor:
    """Three people beside each other, all selected; the last one is active."""
    for _ in range(2):
        editor.posing.add_person()
        settled(editor.session)
    strike(editor, KEY.Key_A, CTRL | SHIFT)
    return editor


def texts(rows: PersonRows) -> list[str]:
    return [field.text() for field in (*rows.places, rows.turn)]


def turns(editor: Editor) -> list[float]:
    return [float(np.degrees(heading(c.pose.rotations[0]))) for c in editor.session.document.characters]


def roots(editor: Editor) -> np.ndarray:
    return np.array([c.pose.root_position for c in editor.session.document.characters], np.float64)


def dragged(editor: Editor, place: np.ndarray, keys: str) -> Character:
    """The person after a drag from there that the keys make exact; undone again."""
    mouse = ViewMouse(editor)
    start = mouse.place(place)
    mouse.drag(start, QPoint(6, 0), QPoint(12, 2), release=False)
    QTest.keyClicks(editor.viewport, keys)
    QTest.keyClick(editor.viewport, KEY.Key_Return)
    mouse.release(start)
    settled(editor.session)
    after = active(editor)
    strike(editor, KEY.Key_Z, CTRL)
    return after


def assert_same(one: Character, other: Character) -> None:
    assert one.pose.root_position == pytest.approx(other.pose.root_position, abs=1e-5)
    assert one.pose.rotations == pytest.approx(other.pose.rotations, abs=1e-5)
    for mine, theirs in zip(one.effectors, other.effectors, strict=True):
        assert mine.target == pytest.approx(theirs.target, abs=1e-5)


@pytest.mark.slow
def test_typed_numbers_do_what_a_drag_by_the_cross_and_the_ring_does_and_undo_and_redo_show_it(
    editor: Editor, rows: PersonRows
) -> None:
    handle = editor.viewport.scene.root
    assert handle is not None
    assert texts(rows) == ["0.0 cm", "0.0 cm", "0.0 cm", "0.0°"]
    moved = dragged(editor, arrows(handle, editor.viewport.current_view)[1].mean(axis=0), "x50")
    turned = dragged(editor, ring(handle, editor.viewport.current_view)[10], "30")
    until(lambda: texts(rows) == ["0.0 cm", "0.0 cm", "0.0 cm", "0.0°"])
    written(editor, rows.places[0], "50")
    settled(editor.session)
    assert_same(active(editor), moved)
    until(lambda: texts(rows) == ["50.0 cm", "0.0 cm", "0.0 cm", "0.0°"])
    strike(editor, KEY.Key_Z, CTRL)
    until(lambda: rows.places[0].text() == "0.0 cm")
    written(editor, rows.turn, "30")
    settled(editor.session)
    assert_same(active(editor), turned)
    assert editor.session.history.steps() == ("Turn Person 1",)
    strike(editor, KEY.Key_Z, CTRL)
    until(lambda: rows.turn.text() == "0.0°")
    strike(editor, KEY.Key_Z, CTRL | SHIFT)
    until(lambda: rows.turn.text() == "30.0°")


def test_the_title_names_the_person_and_a_selected_part_takes_the_place_of_the_numbers(
    editor: Editor, rows: PersonRows
) -> None:
    title, who = editor.panels.target.title, active(editor)
    assert title.text() == "Person 1 · place and turn"
    editor.session.select(who.id, [who.effectors[0].id])
    until(lambda: not rows.isVisible())
    editor.session.select(who.id, joints=["left_elbow"])
    until(lambda: title.text().startswith("Left elbow selected. Double-click a joint to add an effector there"))
    editor.session.select(who.id, joints=["left_elbow", "left_knee"])
    until(lambda: title.text().startswith("2 joints selected."))
    editor.session.select(who.id)
    until(rows.isVisible)
    added(editor)
    until(lambda: not rows.isVisible())
    until(lambda: title.text() == "Select a person to see where they are, or one effector to see its target.")


def test_tab_goes_on_to_the_next_number_and_arrow_keys_step_each_its_own_step(editor: Editor, rows: PersonRows) -> None:
    activated(editor.window)
    double_click(rows.places[0])
    handle = editor.window.windowHandle()
    for text in ("12", "5", "-40", "1 rad"):
        until(lambda: isinstance(QApplication.focusWidget(), FieldEditor))
        for letter in text:
            QTest.keyClick(handle, letter)
        end: Qt.Key = KEY.Key_Return if text == "1 rad" else KEY.Key_Tab
        QTest.keyClick(handle, end)
        QApplication.processEvents()
    settled(editor.session)
    until(lambda: texts(rows) == ["12.0 cm", "5.0 cm", "−40.0 cm", "57.3°"])
    assert lowest_skin(active(editor)) == pytest.approx(0.05, abs=1e-5)
    QTest.keyClick(handle, KEY.Key_Right)
    QTest.keyClick(handle, KEY.Key_Right)
    until(lambda: rows.turn.text() == "66.3°")
    assert editor.session.history.steps() == (*("Move Person 1",) * 3, *("Turn Person 1",) * 3)


def test_a_scrub_shows_the_person_on_the_way_is_one_step_and_escape_puts_everything_back(
    editor: Editor, rows: PersonRows
) -> None:
    before, field = editor.session.document, rows.places[2]
    middle = field.rect().center()

    def scrub() -> None:
        QTest.mousePress(field, Qt.MouseButton.LeftButton, pos=middle)
        for step in (4, 20, 60):
            move_held(field, middle + QPoint(step, 0))
        assert active(editor).pose.root_position[2] == pytest.approx(60 / field.width(), abs=1e-3)

    scrub()
    QTest.keyClick(field, KEY.Key_Escape)
    assert editor.session.document == before
    scrub()
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, pos=middle + QPoint(60, 0))
    assert editor.session.history.steps() == ("Move Person 1",)


@pytest.mark.slow
def test_several_people_go_along_by_the_difference_and_turn_about_their_middle_in_one_step(
    crowd: Editor, rows: PersonRows
) -> None:
    before, first = roots(crowd), active(crowd)
    said = "The 2 other selected people move by as much, and all turn about their middle."
    until(lambda: rows.hint.text() == said)
    assert crowd.panels.target.title.text() == f"{first.name} · place and turn"
    x = float(first.pose.root_position[0]) * 100
    written(crowd, rows.places[0], f"{x + 25:.1f}")
    assert roots(crowd) - before == pytest.approx(np.tile([0.25, 0.0, 0.0], (3, 1)), abs=1e-3)
    written(crowd, rows.turn, "180")
    assert np.abs(turns(crowd)) == pytest.approx([180.0] * 3, abs=1e-3)
    assert roots(crowd).mean(axis=0) == pytest.approx(before.mean(axis=0) + [0.25, 0.0, 0.0], abs=1e-3)
    assert rows.turn.text() == "180.0°", "not −180°, which is the same turn"
    assert crowd.session.history.steps()[-2:] == ("Move 3 people", "Turn 3 people")


def test_a_prop_selected_with_the_person_goes_along_and_so_does_a_whole_motion(
    editor: Editor, rows: PersonRows
) -> None:
    session, box, who = editor.session, added(editor), active(editor)
    motion = Motion(np.repeat(who.pose.root_position[None], 3, 0), np.repeat(who.pose.rotations[None], 3, 0), 30.0)
    session.edit("Walk", edits.import_motion(who.id, motion))
    session.set_view(prop="", props=frozenset([box.id]))
    until(rows.isVisible)
    until(lambda: rows.hint.text() == "The whole motion goes along.")
    written(editor, rows.places[0], "50")
    assert session.document.prop(box.id).place - box.place == pytest.approx([0.5, 0.0, 0.0], abs=1e-5)
    for frame in (0, 2):
        there = session.document.at_frame(who.id, frame).character(who.id)
        assert there.pose.root_position[0] == pytest.approx(0.5, abs=1e-5)


def test_playing_ends_where_a_number_is_taken_hold_of_so_that_it_stands_still(editor: Editor, rows: PersonRows) -> None:
    who, way = active(editor), np.linspace([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], 120)
    motion = Motion(who.pose.root_position + way, np.repeat(who.pose.rotations[None], 120, 0), 30.0)
    editor.session.edit("Walk", edits.import_motion(who.id, motion))
    editor.player.toggle()
    until(lambda: rows.places[0].value() > 5.0)
    written(editor, rows.places[0], "50")
    assert not editor.player.playing
    until(lambda: rows.places[0].text() == "50.0 cm")
    editor.player.toggle()
    middle = rows.turn.rect().center()
    QTest.mousePress(rows.turn, Qt.MouseButton.LeftButton, pos=middle)
    move_held(rows.turn, middle + QPoint(20, 0))
    assert not editor.player.playing
    QTest.mouseRelease(rows.turn, Qt.MouseButton.LeftButton, pos=middle + QPoint(20, 0))


def test_a_panel_that_was_folded_shows_where_the_person_is_by_now(editor: Editor, rows: PersonRows) -> None:
    section = editor.panels.section("Target")
    section.toggle()
    editor.session.edit("Move", edits.move_characters([active(editor).id], (0.3, 0.0, 0.0)))
    laid_out()
    section.toggle()
    assert rows.places[0].text() == "30.0 cm"


def said_below(text: str) -> None:
    until(lambda: QToolTip.text() == text)


def test_what_cannot_be_is_said_and_changes_nothing(
    editor: Editor, rows: PersonRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    before = editor.session.document
    written(editor, rows.places[1], "-10")
    said_below("The floor is in the way: the minimum is 0.0 cm.")
    written(editor, rows.places[0], "over there")
    said_below("“over there” is not a number. It stays 0.0 cm.")
    written(editor, rows.places[0], "1e9")
    assert "Keep it nearer" in refused[0]
    until(lambda: rows.places[0].text() == "0.0 cm")
    assert editor.session.document == before


@pytest.fixture
def on_a_box(editor: Editor, rows: PersonRows) -> np.ndarray:
    """The hand's place on a box that it holds on to."""
    hand_on_a_box(editor)
    editor.session.select(active(editor).id)
    until(rows.isVisible)
    return palm(editor)


@pytest.mark.slow
def test_a_hand_holds_on_and_why_the_number_is_another_one_is_said(
    editor: Editor, rows: PersonRows, on_a_box: np.ndarray
) -> None:
    steps = len(editor.session.history.steps())
    written(editor, rows.places[2], "-80")
    until(lambda: QToolTip.text().startswith("Contacts hold them at "))
    assert rows.places[2].text() in QToolTip.text()
    assert palm(editor) == pytest.approx(on_a_box, abs=0.06)
    assert len(editor.session.history.steps()) == steps + 1


@pytest.mark.slow
def test_a_wall_that_stops_a_solid_body_is_named_and_one_that_it_passes_through_is_not(
    editor: Editor, rows: PersonRows, on_a_box: np.ndarray
) -> None:
    who = active(editor).id
    wall = added(editor, "box", (0.0, 0.0, 0.55))
    editor.session.edit("Taller", edits.set_prop_size(wall.id, (0.6, 1.8, 0.5)))
    editor.session.select(who)
    written(editor, rows.places[2], "20")
    until(lambda: QToolTip.text().startswith("Contacts hold them at "))
    strike(editor, KEY.Key_Z, CTRL)
    editor.session.edit("Solid", edits.set_solver_option(who, SOLID_BODY.id, True), solve=True)
    settled(editor.session)
    written(editor, rows.places[2], "20")
    until(lambda: "in the way" in QToolTip.text())
    there = rows.places[2].text()
    assert QToolTip.text() == f"“{wall.name}” is in the way, and contacts hold on: they come to {there}."
    assert float(there.split()[0]) < 18


def test_contacts_let_go_where_the_settings_say_so(editor: Editor, rows: PersonRows, on_a_box: np.ndarray) -> None:
    editor.settings.set(moved_contacts="go")
    written(editor, rows.places[2], "-80")
    settled(editor.session)
    assert active(editor).pose.root_position[2] == pytest.approx(-0.8, abs=1e-4)
    assert palm(editor) - on_a_box == pytest.approx([0.0, 0.0, -0.8], abs=0.02)


def test_while_the_solver_is_compiled_a_number_moves_the_person_at_once(
    editor: Editor, rows: PersonRows, compiling: Event
) -> None:
    written(editor, rows.places[0], "30")
    assert active(editor).pose.root_position[0] == pytest.approx(0.3, abs=1e-5)
    assert editor.session.late.names == ()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_all_four_fit_on_a_small_screen(editor: Editor, rows: PersonRows, theme: str) -> None:
    editor.settings.set(theme=theme)
    editor.window.resize(1024, 700)
    laid_out()
    assert rows.turn.visibleRegion().boundingRect() == rows.turn.rect()
