"""The trackers' panel opened again: what was played goes on, and nothing that is not heard is shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from trackers_hand import LIVELY, SIX, click, opened, playing, tracking
from window_hand import settled, strike, until

from app.document import edits
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
