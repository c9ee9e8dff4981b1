"""Surfaces that go while somebody holds on to them: deleted, made tiny, hidden, or holding on to them in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, hand_on_a_box
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from window_driver import ViewMouse, active, answer_once_shown, settled, strike, until

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of
from app.document.model.document import Document
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import UP, contact_of, patches_of, place_of_patch
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.holds.grasping import hand_around
from app.document.posing.placing import lowest_skin
from app.library.folders import shipped_folder
from app.look.mnemonics import unmarked
from app.look.wording import held_title
from app.services.steps.deleting import delete_props
from app.window.editor import Editor
from solver.effectors.contact import Contact
from solver.effectors.forms import AimEffector
from solver.effectors.sources import PropSource

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("a_quick_reader")]
KEY, HELD = Qt.Key, Qt.KeyboardModifier


def without(gone: str, has: str, way: str = "Drag it to let go; undo") -> str:
    return f"Without {gone}, Person 1 has nothing to {has}. {way} brings {gone} back."


def touched(editor: Editor) -> str:
    """What the one contact touches with, in words."""
    (contact,) = contacts(editor.session.document)
    return f"rest the {held_title(contact).lower()} on"


def contacts(document: Document) -> list[Contact]:
    return [e for c in document.characters for e in c.effectors if isinstance(e, Contact)]


def choose(row: QWidget, text: str) -> None:
    """Open a row's menu by the mouse and choose from it."""

    chosen: list[QMenu] = []

    def click(menu: QMenu) -> None:
        action = next(a for a in menu.actions() if unmarked(a.text()) == text)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, HELD.NoModifier, menu.actionGeometry(action).center())
        chosen.append(menu)

    answer_once_shown(QMenu, click)
    button: QWidget = row.more  # type: ignore[attr-defined]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    until(lambda: bool(chosen))


def by_key(editor: Editor, id: str) -> None:
    editor.session.set_view(prop=id)
    strike(editor, KEY.Key_Delete)


def by_list(editor: Editor, id: str) -> None:
    editor.refresh()
    choose(editor.panels.people.prop_rows[-1], "Delete")


@pytest.mark.parametrize("delete", [by_key, by_list])
def test_a_box_that_is_deleted_leaves_the_hand_and_says_the_way_out(
    editor: Editor, delete: Callable[[Editor, str], None]
) -> None:
    session, box = editor.session, hand_on_a_box(editor)
    before, was = session.document, place_of_patch(active(editor), patches_of(active(editor))["left_palm"])
    delete(editor, box.id)
    settled(session)
    assert not session.document.props
    (held,) = contacts(session.document)
    assert held.source is None
    now = place_of_patch(active(editor), patches_of(active(editor))["left_palm"])
    assert np.abs(np.array(now) - was).max() < 0.01, (
        "the hand stays, though the arm need not go around the box any more"
    )
    assert editor.window.status.notices.shown == without("Box", touched(editor))
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before, "undo brings back both"
    assert editor.window.status.notices.shown == "", "and nothing is lost any more"
    assert contacts(session.document)[0].source is not None


@pytest.mark.slow
def test_the_way_out_works_the_contact_is_dragged_and_let_go_of(editor: Editor) -> None:
    box = hand_on_a_box(editor)
    by_key(editor, box.id)
    settled(editor.session)
    mouse = ViewMouse(editor)
    editor.session_view.frame_all(glide=False)
    start = mouse.place(contacts(editor.session.document)[0].target)
    mouse.drag(start, QPoint(10, -10), QPoint(20, -40))
    settled(editor.session)
    assert not contacts(editor.session.document)


@pytest.mark.slow
def test_a_box_made_as_small_as_can_be_is_still_held_and_undo_puts_the_hand_back(editor: Editor) -> None:
    session, box = editor.session, hand_on_a_box(editor)
    before = session.document
    assert session.edit("Shrink", edits.set_prop_size(box.id, (0.0, 0.0, 0.0)), solve=True)
    settled(session)
    assert session.document.prop(box.id).size.min() > 0
    assert np.isfinite(active(editor).pose.rotations).all()
    (held,) = contacts(session.document)
    assert held.source == contacts(before)[0].source
    left = session.finding.residuals[active(editor).effectors.index(held)]
    assert left.value < 0.01
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before


@pytest.mark.slow
def test_a_deleted_person_leaves_the_hands_on_them_and_two_together_leave_nothing(editor: Editor) -> None:
    session, first = editor.session, active(editor).id
    editor.posing.add_person()
    settled(session)
    second = active(editor).id
    editor.refresh()
    editor.actions["contact.hands"].trigger()
    settled(session)
    before, say = session.document, editor.window.status.notices
    choose(editor.panels.people.rows[-1], "Delete")
    settled(session)
    assert [c.id for c in session.document.characters] == [first]
    assert say.shown == without("Person 2", touched(editor))
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before
    say._show("", 0)
    session.set_view(character=second, others=frozenset([first]))
    strike(editor, KEY.Key_Delete, HELD.ControlModifier)
    assert not session.document.characters
    assert say.shown == "", "nobody is left who could hold on"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before


@pytest.mark.slow
def test_a_person_looking_at_a_deleted_box_is_named_and_looks_there_again_after_undo(editor: Editor) -> None:
    session, box = editor.session, added(editor, "box", (0.9, 0.0, 0.6))
    look = next(e for e in active(editor).effectors if isinstance(e, AimEffector))
    session.select(active(editor).id, [look.id])
    dragged_with_s(editor, np.asarray(look.target, np.float64), box.frame.points((0.3, 1.0, 0.3)))
    before = session.document
    by_key(editor, box.id)
    settled(session)
    assert editor.window.status.notices.shown == without("Box", "look at", "Undo")
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before
    assert isinstance(next(e.source for e in active(editor).effectors if isinstance(e, AimEffector)), PropSource)


def test_a_person_standing_on_a_deleted_box_is_named_and_end_sets_them_down(editor: Editor) -> None:
    session, box = editor.session, added(editor, "box", (0.0, 0.0, 0.0))
    session.edit("Wide", edits.set_prop_size(box.id, (1.5, 0.5, 1.5)))
    session.edit("Up", edits.move_character(active(editor).id, (0.0, 0.5, 0.0)))
    before = session.document
    by_key(editor, box.id)
    settled(session)
    way = "End sets whoever is selected on the floor; undo"
    assert editor.window.status.notices.shown == without("Box", "stand on", way)
    strike(editor, KEY.Key_End)
    settled(session)
    assert lowest_skin(active(editor)) == pytest.approx(0.0, abs=2e-3)
    for _ in range(2):
        strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before


def test_people_on_a_deleted_box_are_named_and_a_seat_is_sat_on(editor: Editor) -> None:
    session, person, box = editor.session, active(editor), added(editor, "box", (0.0, 0.0, 0.0))
    session.edit("Wide", edits.set_prop_size(box.id, (3.0, 0.5, 3.0)))
    lying = poses_of(Entry(shipped_folder() / "Lying" / "Lie on the back.json", "Lie"))
    session.edit("Lie down", take_pose(person.id, lying, Taking()))
    session.edit("Up", edits.move_character(person.id, (0.0, 0.5 - lowest_skin(active(editor)), 0.0)))
    way = "End sets whoever is selected on the floor; undo"
    assert delete_props(session, [box.id]) == without("Box", "lie on", way)
    session.undo()
    seat = contact_of(patches_of(person)["seat"], (0.0, 0.5, 0.0), UP)
    sole = contact_of(patches_of(person)["left_sole"], (0.2, 0.5, 0.5), UP)
    for contact in (seat, sole):
        session.edit("Hold", edits.hold(person.id, replace(contact, source=PropSource(box.id, UP))))
    assert delete_props(session, [box.id]) == without("Box", "lie on", "Drag them to let go; undo")
    session.undo()
    session.edit("Get up", edits.set_pose(person.id, person.pose))
    assert delete_props(session, [box.id]) == without("Box", "sit on", "Drag them to let go; undo")


def test_a_person_on_a_sheet_which_is_not_solid_is_named_as_well(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "stage.obj"
    file.write_text("v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n")
    editor.files.open_path(file)
    until(lambda: bool(editor.session.document.props))
    (sheet,) = editor.session.document.props
    assert not sheet.solids()
    height, person = float(sheet.frame.points(sheet.surface.vertices)[:, 1].max()), active(editor)
    middle = sheet.frame.points(sheet.surface.vertices).mean(axis=0)
    at = person.pose.root_position
    editor.session.edit("Under them", edits.move_prop(sheet.id, (at[0] - middle[0], 0.5 - height, at[2] - middle[2])))
    editor.session.edit("Up", edits.move_character(person.id, (0.0, 0.5, 0.0)))
    by_key(editor, sheet.id)
    way = "End sets whoever is selected on the floor; undo"
    said = without(sheet.name, "stand on", way)
    until(lambda: editor.window.status.notices.shown == said)  # once it has been read that the sheet is not solid


def test_a_box_that_nobody_needs_goes_without_a_word(editor: Editor) -> None:
    box = added(editor, "box")
    by_key(editor, box.id)
    assert editor.window.status.notices.shown == ""


@pytest.mark.slow
def test_two_people_holding_each_other_in_a_ring_stay_calm_and_say_when_they_cannot(editor: Editor) -> None:
    session = editor.session
    first = active(editor).id
    editor.posing.add_person()
    settled(session)
    second, onto = active(editor).id, next(hold for hold in COMMON_HOLDS if hold.id == "shoulder")
    for id in (first, second):  # each has a hand on the other's shoulder, which goes along with the other's hand
        assert session.edit("Hold", edits.take_hold(id, onto), solve=True)
        settled(session)
    roots = [c.pose.root_position for c in session.document.characters]
    for _ in range(6):
        session.edit("Again", edits.set_tolerance(first, contacts(session.document)[0].id, 0.1), solve=True)
        session.edit("Again", edits.set_tolerance(first, contacts(session.document)[0].id, 0.0), solve=True)
        settled(session)
    now = [c.pose.root_position for c in session.document.characters]
    assert np.abs(np.array(now) - roots).max() < 0.05, "nobody runs away"
    before = session.document
    session.edit("Away", edits.move_characters([first], (4.0, 0.0, 0.0)), solve=True)
    settled(session)
    session.set_view(character=first)
    held = next(e for e in active(editor).effectors if isinstance(e, Contact))
    assert session.finding.residuals[active(editor).effectors.index(held)].state == "unreachable"
    assert all(np.isfinite(c.pose.rotations).all() for c in session.document.characters)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before


@pytest.mark.slow
def test_several_people_who_lose_it_are_named_and_a_stick_is_no_longer_held(editor: Editor) -> None:
    session, first = editor.session, active(editor).id
    stick = added(editor, "stick", (0.4, 0.0, 0.4))
    source, _, _ = nearest_on(stick, stick.middle - [0.0, 0.0, 0.5])
    grip = hand_around(session.document.character(first), stick, "left_wrist", source)
    assert grip is not None
    session.edit("Hold", edits.hold(first, grip))
    assert delete_props(session, [stick.id]) == without("Stick", "hold with the left hand")
    session.undo()
    for _ in range(3):
        editor.posing.add_person()
    settled(session)
    for person in session.document.characters:
        session.edit("Hold", edits.hold(person.id, grip))
    said = delete_props(session, [stick.id])
    assert said.startswith(
        "Without Stick, Person 1, Person 2 and 2 others have nothing to hold on to. Drag them to let go;"
    )
    session.undo()
    session.edit("Delete", edits.remove_character(session.document.characters[-1].id))
    assert delete_props(session, [stick.id]).startswith("Without Stick, Person 1, Person 2 and Person 3 have nothing")
    session.undo()
    look = next(e for e in session.document.character(first).effectors if isinstance(e, AimEffector))
    session.edit("Look", edits.on_effector(first, look.id, lambda e: replace(e, source=source)))
    assert delete_props(session, [stick.id]).endswith(
        "hold on to and Person 1 has nothing to look at. Undo brings Stick back."
    )
