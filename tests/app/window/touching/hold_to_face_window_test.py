"""*Hold to the mouth* and *Hold to the ear* in the window: from menu and search, undone, and taken off by a drag."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.holds.grasping import hand_around
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from solver.effectors.contact import Contact

pytestmark = pytest.mark.gl


def take_cup(editor: Editor) -> None:
    """Have the person hold a cup in the right hand, as a drag onto it does."""
    session, person = editor.session, active(editor)
    cup = new_prop(session.document, "cup")
    cup = cup.moved(np.array([-0.2, 1.0, 0.35]) - cup.middle)
    contact = hand_around(person, cup, "right_wrist", nearest_on(cup, cup.middle - [0.0, 0.0, 0.5])[0])
    assert contact is not None
    taking = (edits.add_prop(cup), edits.hold(person.id, contact), edits.close_hand(person.id, contact))
    session.edit("Take", edits.chain(*taking), solve=True)
    settled(session)
    editor.refresh()


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def patches(editor: Editor) -> set[str]:
    return {contact.patch for contact in contacts(editor)}


def test_a_cup_comes_to_the_mouth_in_one_step_and_goes_back_by_undo(editor: Editor) -> None:
    take_cup(editor)
    before, steps = editor.session.document, len(editor.session.history.steps())
    editor.actions["contact.mouth"].trigger()
    settled(editor.session)
    assert patches(editor) == {"right_hand", "lips"}
    assert max(r.value for r in editor.session.finding.residuals) < 1e-3
    assert len(editor.session.history.steps()) == steps + 1
    assert np.linalg.norm(editor.session.document.props[0].place - before.props[0].place) > 0.1
    head = place_of(editor, "head")
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.document.props == before.props
    assert patches(editor) == {"right_hand"}
    assert np.allclose(place_of(editor, "head"), head, atol=1e-6)


@pytest.mark.slow
def test_dragging_the_hand_takes_the_cup_off_and_the_head_stays(editor: Editor) -> None:
    take_cup(editor)
    editor.actions["contact.mouth"].trigger()
    settled(editor.session)
    head, (hand,) = place_of(editor, "head"), (e for e in contacts(editor) if e.around)
    mouse, cup = ViewMouse(editor), editor.session.document.props[0].place
    mouse.drag(mouse.place(hand.target), QPoint(0, 6), QPoint(60, 160))
    settled(editor.session)
    assert patches(editor) == {"right_hand"}
    went = np.linalg.norm(editor.session.document.props[0].place - cup)
    assert went > 0.15
    assert np.linalg.norm(place_of(editor, "head") - head) < 0.5 * went


def test_nothing_comes_to_the_ear_of_somebody_with_empty_hands_and_the_menu_says_why(editor: Editor) -> None:
    editor.refresh()
    ear, mouth = (editor.actions[f"contact.{id}"] for id in ("ear", "mouth"))
    assert not ear.isEnabled()
    assert "no hand of the active person is around anything" in ear.toolTip()
    mouth.trigger()
    settled(editor.session)
    assert patches(editor) == {"right_palm"}
    assert max(r.value for r in editor.session.finding.residuals) < 1e-3
    editor.session.undo()
    take_cup(editor)
    assert ear.isEnabled()
    ear.trigger()
    settled(editor.session)
    assert patches(editor) == {"right_hand", "right_ear"}


@pytest.mark.parametrize(
    ("word", "title"), [("drink", "Hold to the mouth"), ("phone", "Hold to the ear"), ("book", "Hold to read")]
)
def test_the_search_knows_what_people_do_with_things_in_hands(editor: Editor, word: str, title: str) -> None:
    take_cup(editor)
    search = CommandSearch(editor.actions, editor.window)
    QTest.keyClicks(search.field, word)
    items = (search.list.topLevelItem(i) for i in range(search.list.topLevelItemCount()))
    assert title in [item.text(0) for item in items if item is not None]
    search.deleteLater()
