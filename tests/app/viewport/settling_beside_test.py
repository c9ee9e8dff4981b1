"""Settling that takes a while does so beside the window: it can be given up, and its outcome is taken only where the
scene is still as it was."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from root_driver import tip_onto_back
from window_driver import ViewMouse, active, settled, strike, until

from app.document import edits
from app.services.background import coming_to_rest
from app.window.commands.rest_commands import TITLE
from app.window.editor import Editor

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def lying(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Somebody tipped onto the back, in a window that waits for nothing."""
    tip_onto_back(ViewMouse(editor))
    settled(editor.session)
    monkeypatch.setattr(coming_to_rest, "PATIENCE_S", 0.0)
    return editor


def press(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_End, SHIFT)
    assert editor.jobs.busy


def done(editor: Editor) -> None:
    until(lambda: not editor.jobs.busy)
    settled(editor.session)


def test_two_presses_are_one_step_while_the_first_is_under_way(lying: Editor) -> None:
    stiff, steps = active(lying), lying.session.history.steps()
    press(lying)
    press(lying)
    assert active(lying) == stiff, "the window goes on meanwhile"
    lying.session.set_view(effectors=frozenset({stiff.effectors[0].id}))
    done(lying)
    assert lying.session.history.steps() == (*steps, TITLE)
    assert active(lying) != stiff


def test_settling_that_is_given_up_changes_nothing_and_can_be_asked_for_again(lying: Editor) -> None:
    stiff = active(lying)
    press(lying)
    lying.jobs.cancel()
    done(lying)
    assert active(lying) == stiff
    press(lying)
    done(lying)
    assert lying.session.history.undo_text == TITLE


def test_who_was_changed_meanwhile_stays_as_they_are_and_the_user_is_told(lying: Editor) -> None:
    press(lying)
    lying.session.edit("Rename", edits.rename_character(active(lying).id, "Ann"))
    changed = active(lying)
    done(lying)
    assert active(lying) == changed
    assert lying.session.history.undo_text == "Rename"
    assert "did not settle" in lying.window.status.notices.shown


def test_two_people_settle_in_one_step_and_while_something_else_is_done_the_window_waits(lying: Editor) -> None:
    session = lying.session
    strike(lying, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    settled(session)
    people = [person.id for person in session.document.characters]
    session.set_view(others=frozenset(people) - {active(lying).id})
    stiff = [session.document.character(id).pose for id in people]
    ended: list[None] = []
    lying.jobs.run("Something else", lambda _progress, _cancelled: None, ended.append)
    strike(lying, Qt.Key.Key_End, SHIFT)
    assert not ended
    assert session.history.undo_text == TITLE
    done(lying)
    settled_poses = [session.document.character(id).pose for id in people]
    assert all(a != b for a, b in zip(stiff, settled_poses, strict=True))
    session.undo()
    assert [session.document.character(id).pose for id in people] == stiff
    press(lying)
    done(lying)
    assert [session.document.character(id).pose for id in people] == settled_poses
