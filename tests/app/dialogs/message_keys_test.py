"""Questions are answered by letters, as the platform's own are."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dialog_driver import answering
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from window_driver import strike

from app.dialogs import messages
from app.dialogs.message_dialog import MessageDialog
from app.document import edits
from app.document.scene_file.io import save_scene
from app.window.editor import Editor

KEY, HELD = Qt.Key, Qt.KeyboardModifier
QUESTIONS: list[Callable[[], Any]] = [
    lambda: messages.ask_to_save(None, "a.json"),
    lambda: messages.ask_to_stop_writing(None, "a.mp4"),
    lambda: messages.ask_where_to(None, "a.jpg", True),
    lambda: messages.ask_for_its_people(None, "a.jpg"),
    lambda: messages.ask_for_backdrop(None, "a.jpg", False),
    lambda: messages.ask_to_use_body(None, "a.json", Path("/bodies")),
    lambda: messages.ask_to_overwrite(None, "a.json"),
    lambda: messages.ask_to_replace(None, "a.json"),
    lambda: messages.ask_about_name(None, "con", "is kept for Windows", "con_"),
    lambda: messages.ask_about_ending(None, "a.mp4", "a.bvh"),
    lambda: messages.ask_to_replace_label(None, "a.json", "It is damaged."),
    lambda: messages.ask_about_changed_scene(None, "a.json"),
    lambda: messages.ask_to_keep_take(None, 2.0, "then it closes"),
    lambda: messages.ask_to_discard_take(None, 2.0),
    lambda: messages.ask_to_restore(None, None, "at noon"),
    lambda: messages.ask_files_or_folder(None, "beach", 2, 0),
]


def pressing(key: Qt.Key, held: Qt.KeyboardModifier = HELD.NoModifier) -> Callable[[QDialog], None]:
    return lambda dialog: QTest.keyClick(dialog.focusWidget() or dialog, key, held)


@pytest.mark.gl
def test_d_does_not_save_s_saves_and_esc_stays(editor: Editor, tmp_path: Path) -> None:
    session = editor.session
    session.edit("Rename", edits.rename_character("c1", "Ada"))
    with answering(pressing(KEY.Key_Escape)):
        strike(editor, KEY.Key_N, HELD.ControlModifier)
    assert session.document.characters[0].name == "Ada"
    session.saved_as(tmp_path / "ada.json", save_scene(tmp_path / "ada.json", session.document))
    session.edit("Rename", edits.rename_character("c1", "Eve"))
    with answering(pressing(KEY.Key_S)):
        strike(editor, KEY.Key_N, HELD.ControlModifier)
    assert "Eve" in (tmp_path / "ada.json").read_text()
    assert session.untouched
    session.edit("Rename", edits.rename_character("c1", "Ada"))
    with answering(pressing(KEY.Key_D)) as asked:
        strike(editor, KEY.Key_N, HELD.ControlModifier)
    assert session.untouched
    titles = [each.text() for each in asked[0].buttons.buttons()]  # type: ignore[attr-defined]
    marked = {"&Save", "&Don't save", "&Cancel"} if sys.platform != "darwin" else {"Save", "Don't save", "Cancel"}
    assert set(titles) == marked


@pytest.mark.parametrize("held", [HELD.NoModifier, HELD.AltModifier, HELD.ControlModifier])
def test_every_button_of_every_question_answers_to_a_letter_of_its_own(
    qtbot: object, monkeypatch: pytest.MonkeyPatch, held: Qt.KeyboardModifier
) -> None:
    shown: list[MessageDialog] = []
    monkeypatch.setattr(MessageDialog, "ask", lambda self: shown.append(self) or "")
    for question in QUESTIONS:
        question()
    asking = [name for name, _ in inspect.getmembers(messages, inspect.isfunction) if name.startswith("ask_")]
    assert len(shown) == len(asking), "a question is missing here"
    for dialog in shown:
        assert len(set(dialog.letters.values())) == len(dialog.buttons.buttons())
        dialog.show()
        for name, letter in dialog.letters.items():
            dialog.answer = ""
            QTest.keyClick(dialog, Qt.Key(ord(letter)), held)
            assert dialog.answer == name
            dialog.show()
        dialog.close()


def test_other_keys_answer_nothing_and_a_key_held_down_from_before_does_not_either(qtbot: object) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QApplication

    dialog = MessageDialog(None, "Save?", "", ("Save", "Don't save", "Cancel"))
    dialog.show()
    QTest.keyClick(dialog, KEY.Key_X)
    QTest.keyClick(dialog, KEY.Key_D, HELD.ShiftModifier | HELD.ControlModifier)
    repeated = QKeyEvent(QEvent.Type.KeyPress, KEY.Key_D, HELD.NoModifier, "d", True)
    QApplication.sendEvent(dialog, repeated)
    assert dialog.answer == ""
    assert dialog.isVisible()
    dialog.close()
