"""The trackers' panel opened again: what was played goes on, and nothing that is not heard is shown."""

from __future__ import annotations

from threading import Semaphore

import pytest
from dialog_hand import answering, button
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from trackers_hand import LIVELY, SIX, click, opened, playing, tracking
from window_hand import settled, strike, until

from app.dialogs import messages
from app.document import edits
from app.tracking.tracker_take import solved_take
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def closed_while_playing(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The panel has played a file and was closed by Esc."""
    QTest.keyClick(playing(editor, monkeypatch), Qt.Key.Key_Escape)
    until(lambda: editor.trackers.panel is None)


def test_a_panel_that_is_opened_again_goes_on_with_its_file(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    closed_while_playing(editor, monkeypatch)
    panel = opened(editor)
    assert panel.source.name.shown() == LIVELY.name
    assert list(panel.rows.rows) == list(SIX)
    click(panel.follow_button)
    until(lambda: editor.session.shown.characters[0].pose is not editor.session.document.characters[0].pose)
    assert tracking(editor).following
    assert not panel.trouble.isVisible()


def test_if_the_person_of_the_file_is_gone_no_sensor_is_shown_as_heard(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_while_playing(editor, monkeypatch)
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    editor.session.edit("Delete", edits.remove_character("c1"))
    panel = opened(editor)
    assert not panel.rows.rows
    assert panel.source.name.shown() == "No motion chosen"


def test_of_a_take_that_is_becoming_a_motion_one_is_asked_though_another_was_begun(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Semaphore(0)
    monkeypatch.setattr("app.tracking.tracking.solved_take", lambda *args: goes_on.acquire() and solved_take(*args))
    panel, scene = playing(editor, monkeypatch), editor.session.document
    for _ in range(2):
        click(panel.record_button)
        until(lambda: len(tracking(editor).take or ()) > 5)
        if not editor.jobs.busy:
            click(panel.keep_button)
    with answering(button(messages.GIVE_UP), button(messages.KEEP_TAKE)):
        strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.document is scene
    goes_on.release()
    until(lambda: editor.session.history.steps() == ("Record trackers",) and not editor.jobs.busy)
    assert tracking(editor).unfinished is None
    editor.session.history.mark_saved()
