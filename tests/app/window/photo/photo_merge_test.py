"""Somebody who was found twice in a photo becomes one again, by a key or in the list of people."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_driver import ViewMouse, press_photo_button, strike, until

from app.document import edits
from app.document.model.document import Photo
from app.document.model.figure import joints_of
from app.document.posing.create import new_character
from app.document.posing.hold_table import COMMON_HOLDS
from app.look.mnemonics import unmarked
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.effectors.contact import Contact
from solver.effectors.sources import JointSource

pytestmark = pytest.mark.gl
HOLD_HANDS = next(hold for hold in COMMON_HOLDS if hold.id == "hands")
CAMERA = PinholeCamera(np.float32([0, 1.2, 4.0]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def found_twice(editor: Editor) -> Editor:
    """Two people at one place before a photo, the second one active and green."""
    session = editor.session
    second = new_character(session.document, pose=session.document.characters[0].pose)
    session.edit("Photo", edits.add_photo(Photo("photo.jpg", "0" * 64, CAMERA, visible=False)))
    session.edit("Add", edits.chain(edits.add_character(second), edits.set_color(second.id, "#00ff00")))
    session.select(second.id)
    session.set_view(through_photo=True)
    return editor


def ids(editor: Editor) -> list[str]:
    return [character.id for character in editor.session.document.characters]


def test_ctrl_j_keeps_the_active_one_with_name_and_colour_in_one_step(found_twice: Editor) -> None:
    session = found_twice.session
    before, active = session.document, session.active
    assert active is not None
    gone = before.characters[0]
    strike(found_twice, Qt.Key.Key_J, CONTROL)
    until(lambda: ids(found_twice) == [active.id])
    assert session.document.characters == (active,)
    assert session.active == active
    assert session.history.undo_text == f"Merge with {gone.name}"
    assert found_twice.window.status.notices.shown == f"{gone.name} was merged into {active.name}."
    strike(found_twice, Qt.Key.Key_Z, CONTROL)
    assert session.document == before
    session.select(active.id)
    button = press_photo_button(found_twice, "pose.merge")
    assert ids(found_twice) == [active.id]
    until(lambda: not button.isEnabled())


def test_ctrl_j_says_so_where_nobody_else_lies_over_them_or_nobody_is_there(found_twice: Editor) -> None:
    session = found_twice.session
    session.edit("Move", edits.move_character(ids(found_twice)[0], (1.5, 0.0, 0.0)))
    before = session.document
    strike(found_twice, Qt.Key.Key_J, CONTROL)
    until(lambda: "Nobody else lies over" in found_twice.window.status.notices.shown)
    assert session.document == before
    session.edit("Remove", edits.remove_character(ids(found_twice)[0]))
    until(lambda: not found_twice.actions["pose.merge"].isEnabled())


@pytest.mark.parametrize("photo", [True, False], ids=["in the photo", "without one"])
def test_ctrl_j_merges_two_who_are_selected_wherever_they_are_into_the_one_clicked_last(
    found_twice: Editor, photo: bool
) -> None:
    session, mouse = found_twice.session, ViewMouse(found_twice)
    first, second = ids(found_twice)
    session.edit("Move", edits.move_character(first, (0.9, 0.0, 0.0)))
    if not photo:
        session.edit("No photo", edits.set_photo(None))
    found_twice.refresh()
    chest = joints_of(session.document.character(first)).positions[6]
    QTest.mouseClick(found_twice.viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier,
                     mouse.place(chest))  # fmt: skip
    assert (session.view.character, session.view.others) == (first, {second})
    before = session.document
    strike(found_twice, Qt.Key.Key_J, CONTROL)
    until(lambda: ids(found_twice) == [first])
    assert session.view.others == frozenset()
    strike(found_twice, Qt.Key.Key_Z, CONTROL)
    assert session.document == before


def test_in_the_list_of_people_one_is_merged_with_anybody(found_twice: Editor) -> None:
    session = found_twice.session
    session.edit("Move", edits.move_character(ids(found_twice)[0], (1.5, 0.0, 0.0)))
    found_twice.refresh()
    first, second = session.document.characters
    row = found_twice.panels.people.rows[0]
    menu = QMenu()
    row._fill(menu)
    (merge,) = [action.menu() for action in menu.actions() if unmarked(action.text()) == "Merge with"]
    assert [unmarked(action.text()) for action in merge.actions()] == [second.name]
    merge.actions()[0].trigger()
    assert session.document.characters == (first,)
    found_twice.refresh()
    alone = QMenu()
    found_twice.panels.people.rows[0]._fill(alone)
    assert "Merge with" not in [unmarked(action.text()) for action in alone.actions()], "there is nobody else"


@pytest.mark.parametrize("listed", [False, True], ids=["by key", "in the list"])
def test_who_held_the_hand_of_the_one_merged_with_them_is_told_to_hold_nothing(
    found_twice: Editor, listed: bool
) -> None:
    session = found_twice.session
    first, second = ids(found_twice)
    session.edit("Hold hands", edits.take_hold(second, HOLD_HANDS))
    names, before = session.document.names, session.document
    (held,) = [e for e in session.document.character(second).effectors if isinstance(e, Contact)]
    assert isinstance(held.source, JointSource)
    assert held.source.joint == held.joint
    if listed:
        found_twice.refresh()
        found_twice.panels.people.rows[1].merge(first)
    else:
        strike(found_twice, Qt.Key.Key_J, CONTROL)
    until(lambda: ids(found_twice) == [second])
    assert session.document.character(second).effector(held.id).source is None
    said = (
        f"{names[first]} was merged into {names[second]}. Without {names[first]}, {names[second]} has nothing to rest"
    )
    until(lambda: found_twice.window.status.notices.shown.startswith(said))
    strike(found_twice, Qt.Key.Key_Z, CONTROL)
    assert session.document == before
