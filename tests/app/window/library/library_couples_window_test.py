"""Cards for two who hold each other: the pose shows at once; hands take hold beside the window, in the same step."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from library_several_test import double_click
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import settled, strike, until

from app.document import edits
from app.document.library import touching
from app.document.model.document import Character, Document
from app.library.control import PARTED, LibraryControl
from app.services.background import taking_hold
from app.window.editor import Editor
from solver.body.body import BodyShape
from solver.effectors.contact import Contact

pytestmark = [pytest.mark.gl, pytest.mark.slow]
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def male(library: LibraryControl, editor: Editor, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """A window that waits for nothing, with somebody of another build than the poses' and the library open."""
    editor.session.edit("Male", edits.set_shape("c1", BodyShape(gender="male")))
    monkeypatch.setattr(taking_hold, "PATIENCE_S", 0.0)
    return editor


def held(person: Character) -> set[str]:
    return {e.patch for e in person.effectors if isinstance(e, Contact) and e.source is not None}


def done(editor: Editor) -> None:
    until(lambda: not editor.jobs.busy)
    settled(editor.session)


def test_one_undo_brings_back_how_two_stood_and_redo_their_hold(male: Editor, library: LibraryControl) -> None:
    session = male.session
    double_click(library, "Arms crossed")
    male.actions["pose.add_person"].trigger()
    settled(session)
    session.select("c1")
    before, steps = session.document, session.history.steps()
    double_click(library, "Hug")
    shown = session.document.characters
    assert male.jobs.busy, "the window goes on meanwhile"
    assert [held(one) for one in shown] == [set(), set()]
    done(male)
    assert [held(one) for one in session.document.characters] == [{"left_palm", "right_palm"}] * 2
    assert session.document.characters[0].pose != shown[0].pose
    assert session.history.steps() == (*steps, "Apply “Hug”")
    assert library.panel.share.value() == 100.0, "it can be blended on"
    after = session.document
    strike(male, Qt.Key.Key_Z, CTRL)
    assert session.document == before
    strike(male, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert session.document == after
    session.history.mark_saved()


def test_a_scene_that_was_saved_before_hands_took_hold_is_not_saved_any_more(
    male: Editor, library: LibraryControl, tmp_path: Path
) -> None:
    session = male.session
    session.path = tmp_path / "couple.json"
    double_click(library, "Shake hands")
    male.actions["file.save"].trigger()
    assert not session.unsaved
    done(male)
    assert [held(one) for one in session.document.characters] == [{"right_palm"}] * 2
    assert session.unsaved, "the file has no hold"
    session.history.mark_saved()


def test_flipped_by_the_key_of_its_switch_the_other_hands_hold(male: Editor, library: LibraryControl) -> None:
    session, steps = male.session, male.session.history.steps()
    double_click(library, "Shake hands")
    done(male)
    assert [held(one) for one in session.document.characters] == [{"right_palm"}] * 2
    QTest.keyClick(library.panel.flip, Qt.Key.Key_Space)
    done(male)
    assert [held(one) for one in session.document.characters] == [{"left_palm"}] * 2
    assert len(session.history.steps()) == len(steps) + 1
    session.history.mark_saved()


def test_stepping_on_nobody_of_the_last_pose_takes_hold(male: Editor, library: LibraryControl) -> None:
    session = male.session
    said: list[str] = []
    library.said.connect(said.append)
    double_click(library, "Shake hands")
    done(male)
    library.panel.search.clear()
    male.viewport.setFocus()
    for _ in range(3):
        strike(male, Qt.Key.Key_BracketRight)
    done(male)
    assert not any("take hold" in text for text in said)
    assert len(set(session.history.steps()[-3:])) == 3
    assert [held(one) for one in session.document.characters] == [set(), set()], "the last is for one"
    session.history.mark_saved()


def test_the_next_couple_does_not_wait_for_the_last_one(
    male: Editor, library: LibraryControl, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = male.session
    double_click(library, "Waltz")
    library.panel.search.clear()
    thread = threading.current_thread()
    here: list[str] = []
    held_by_arms = touching.held_by_arms

    def noted(document: Document, ids: list[str], told: touching.Told | None = None) -> Document:
        here.extend(["waited"] if threading.current_thread() is thread else [])
        return held_by_arms(document, ids, told)

    monkeypatch.setattr(touching, "held_by_arms", noted)
    time.sleep(2.0)  # its job has ended, and the window has not heard of it
    library.take(next(entry for entry in library.shelf.entries if entry.name == "Shake hands"))
    done(male)
    assert here == []
    assert [held(one) for one in session.document.characters] == [{"right_palm"}] * 2
    session.history.mark_saved()


def test_given_up_or_overtaken_they_stand_as_posed(male: Editor, library: LibraryControl) -> None:
    session = male.session
    said: list[str] = []
    library.said.connect(said.append)
    double_click(library, "Waltz")
    posed = session.document
    male.viewport.setFocus()
    strike(male, Qt.Key.Key_Escape)
    done(male)
    assert session.document == posed
    strike(male, Qt.Key.Key_Z, CTRL)
    double_click(library, "Waltz")
    session.edit("Rename", edits.rename_character("c1", "Ann"))
    done(male)
    assert [held(one) for one in session.document.characters] == [set(), set()]
    assert said.count(taking_hold.CHANGED.format("Waltz")) == 1
    session.history.mark_saved()


def test_undone_before_hands_have_taken_hold_redo_brings_the_hold_too(male: Editor, library: LibraryControl) -> None:
    session, steps = male.session, male.session.history.steps()
    double_click(library, "Shake hands")
    male.viewport.setFocus()
    strike(male, Qt.Key.Key_Z, CTRL)
    done(male)
    strike(male, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    until(lambda: [held(one) for one in session.document.characters] == [{"right_palm"}] * 2)
    assert session.history.steps() == (*steps, "Apply “Shake hands”")
    session.history.mark_saved()


@pytest.mark.parametrize("touched", [False, True])
def test_an_edit_made_before_hands_take_hold_has_the_hold_once_it_is_undone_and_done_again(
    touched: bool, male: Editor, library: LibraryControl
) -> None:
    session = male.session
    said: list[str] = []
    double_click(library, "Shake hands")
    library.said.connect(said.append)
    change = edits.move_character("c1", (0.5, 0.0, 0.0)) if touched else edits.rename_character("c1", "Ann")
    session.edit("Meanwhile", change)
    done(male)
    male.viewport.setFocus()
    strike(male, Qt.Key.Key_Z, CTRL)
    until(lambda: [held(one) for one in session.document.characters] == [{"right_palm"}] * 2)
    said.clear()
    strike(male, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    if touched:
        until(lambda: said == [taking_hold.CHANGED.format("Shake hands")])
    else:
        until(lambda: [held(one) for one in session.document.characters] == [{"right_palm"}] * 2)
        assert session.history.undo_text == "Meanwhile"
    session.history.mark_saved()


def test_who_takes_a_pose_without_the_partner_is_said_to_hold_them_no_longer(
    male: Editor, library: LibraryControl
) -> None:
    session = male.session
    said: list[str] = []
    double_click(library, "Shake hands")
    done(male)
    library.said.connect(said.append)
    first, second = session.document.characters
    session.edit("Lock", edits.set_locked(second.id, True))
    double_click(library, "Arms crossed")
    assert said == [PARTED.format(first.name, second.name)]
    session.history.mark_saved()
