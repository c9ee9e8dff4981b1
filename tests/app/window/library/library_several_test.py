"""Cards of the library for several people, and the keys of the search field."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import NO_KEYS, laid_out, settled, strike, until

from app.document.edits.characters import set_solver_option
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.posing.rest.sitting import sits_on
from app.library.control import LibraryControl
from app.window.editor import Editor
from solver.ik.options import SOLID_FLOOR

pytestmark = pytest.mark.gl
LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def double_click(library: LibraryControl, name: str) -> None:
    """Find a card by typing its name and apply it."""
    library.panel.search.clear()
    QTest.keyClicks(library.panel.search, name)
    view = library.panel.view
    row = [entry.name for entry in view.shelf.entries].index(name)
    laid_out()
    place = view.visualRect(view.shelf.index(row)).center()
    QTest.mouseClick(view.viewport(), LEFT, NO_KEYS, place)
    QTest.mouseDClick(view.viewport(), LEFT, NO_KEYS, place)


@pytest.mark.slow
def test_a_card_for_two_names_the_partner_it_adds_or_poses_and_a_card_for_one_names_nobody(
    library: LibraryControl, editor: Editor
) -> None:
    session, notices = editor.session, editor.window.status.notices
    double_click(library, next(e.name for e in library.shelf.entries if e.people == 1))
    assert notices.shown == ""
    double_click(library, "Hug")
    first, partner = session.document.characters
    assert notices.shown == f"“Hug” is for 2 people: {partner.name} was added."
    strike(editor, Qt.Key.Key_Z, CTRL)
    assert notices.shown == "", "that step is undone"
    strike(editor, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    double_click(library, "Waltz")
    assert notices.shown == f"“Waltz” is for 2 people: {partner.name} was posed too."
    assert [c.id for c in session.document.characters] == [first.id, partner.id]
    session.history.mark_saved()


@pytest.mark.slow
def test_a_pose_on_a_chair_says_that_there_is_none_below_until_there_is_one(
    library: LibraryControl, editor: Editor
) -> None:
    session, notices = editor.session, editor.window.status.notices
    double_click(library, "Sit upright")
    assert notices.shown == "“Sit upright” sits on a chair, and there is none below: Add › Chair brings one."
    strike(editor, Qt.Key.Key_Z, CTRL)
    assert notices.shown == "", "that step is undone"
    chair = added(editor, "chair", (1.5, 0.0, 0.0))
    session.select("c1")
    double_click(library, "Sit upright")
    assert (
        f"none below: drag the cross on the floor onto “{chair.name}” with S, or Add › Chair brings one."
        in notices.shown
    )
    strike(editor, Qt.Key.Key_Z, CTRL)
    x, _, z = session.document.characters[0].pose.root_position
    added(editor, "chair", (float(x), 0.0, float(z)))
    session.select("c1")
    double_click(library, "Sit upright")
    assert notices.shown == ""
    session.history.mark_saved()


@pytest.mark.slow
def test_a_chair_that_is_added_comes_under_who_sits_in_the_air_and_the_next_one_beside_them(
    library: LibraryControl, editor: Editor
) -> None:
    session = editor.session
    double_click(library, "Sit upright")
    editor.actions["prop.chair"].trigger()
    (chair,) = session.document.props
    assert editor.window.status.notices.shown == "", "what was said of no chair is true no longer"
    assert sits_on(session.document.characters[0], chair.solids())
    editor.actions["prop.chair"].trigger()
    assert np.linalg.norm(session.document.props[1].place - chair.place) > 0.4
    session.select("c1")
    editor.actions["prop.box"].trigger()
    assert session.document.props[2].size[1] == pytest.approx(0.45), "as it comes where there is a seat"
    session.history.mark_saved()


@pytest.mark.slow
@pytest.mark.parametrize(("pose", "prop"), [("Drive a car", "chair"), ("Perch, legs dangling", "box")])
def test_a_low_seat_comes_under_a_driver_and_a_high_one_under_legs_that_dangle(
    library: LibraryControl, editor: Editor, pose: str, prop: str
) -> None:
    session = editor.session
    double_click(library, pose)
    editor.actions[f"prop.{prop}"].trigger()
    assert sits_on(session.document.characters[0], session.document.props[0].solids())
    session.history.mark_saved()


@pytest.mark.slow
def test_a_chair_comes_with_its_back_ahead_of_who_sits_astride_even_if_the_floor_is_not_solid(
    library: LibraryControl, editor: Editor
) -> None:
    session = editor.session
    session.edit("", set_solver_option("c1", SOLID_FLOOR.id, False))
    double_click(library, "Sit astride a chair")
    editor.actions["prop.chair"].trigger()
    (chair,), (person,) = session.document.props, session.document.characters
    seat = place_of_patch(person, patches_of(person)["seat"])
    assert chair.place[1] + 0.5 * chair.size[1] == pytest.approx(seat[1], abs=0.01)
    ahead = person.pose.rotations[0][:, 2]
    assert chair.turn[:, 2] @ ahead < -0.9, "its own front is behind them"
    session.history.mark_saved()


@pytest.mark.slow
def test_a_box_stays_beside_somebody_in_a_jump(library: LibraryControl, editor: Editor) -> None:
    session = editor.session
    double_click(library, "Star jump")
    editor.actions["prop.box"].trigger()
    assert not sits_on(session.document.characters[0], session.document.props[0].solids())
    assert session.document.props[0].size[1] == pytest.approx(0.45)
    session.history.mark_saved()


def test_a_capital_in_the_search_field_is_text_and_escape_empties_it_and_then_closes(
    library: LibraryControl, editor: Editor
) -> None:
    search = library.panel.search
    search.setFocus()
    QTest.keyClicks(search, "P")  # with Shift, as it is typed
    assert (search.text(), library.is_open) == ("P", True)
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert (search.text(), library.is_open) == ("", True)
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert not library.is_open
    until(editor.viewport.hasFocus)
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    assert library.is_open


def test_return_goes_to_the_pose_that_is_called_as_typed_whatever_was_chosen(library: LibraryControl) -> None:
    panel = library.panel
    QTest.keyClicks(panel.search, "Hug the knees")
    QTest.keyClick(panel.search, Qt.Key.Key_Return)
    assert panel.view.entry is not None
    panel.search.clear()
    QTest.keyClicks(panel.search, "hug")
    assert [entry.name for entry in panel.view.shelf.entries] == ["Hug", "Hug the knees"]
    QTest.keyClick(panel.search, Qt.Key.Key_Return)
    assert panel.view.entry.name == "Hug"
