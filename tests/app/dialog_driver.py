"""Answers the modal dialog which something is about to open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QFileDialog

from app.dialogs.message_dialog import MessageDialog
from app.window.editor import Editor


@contextmanager
def answering(*actions: Callable[[Any], None], kind: type = QDialog) -> Iterator[list[QDialog]]:
    """Does the first action to the first modal dialog of that kind, and so on; yields the dialogs that were answered.

    A modal dialog runs an event loop within whatever opened it, so a timer looks for it. Fails when one is missing.
    """
    answered: list[QDialog] = []
    timer = QTimer()

    def look() -> None:
        modal = QApplication.activeModalWidget()
        if not isinstance(modal, kind) or not modal.isActiveWindow():  # keys would go to the window behind it
            return
        if modal not in answered and len(answered) < len(actions):
            answered.append(modal)
            actions[len(answered) - 1](modal)

    timer.timeout.connect(look)
    timer.start(10)
    try:
        yield answered
        assert len(answered) == len(actions), f"{len(answered)} of {len(actions)} dialogs opened"
    finally:
        timer.stop()


def key(code: Qt.Key) -> Callable[[QDialog], None]:
    """Press a key in the dialog."""
    return lambda dialog: QTest.keyClick(dialog.focusWidget() or dialog, code)


def button(title: str) -> Callable[[QDialog], None]:
    """Click the button of that title."""

    def click(dialog: QDialog) -> None:
        buttons = {b.text().replace("&", ""): b for box in dialog.findChildren(QDialogButtonBox) for b in box.buttons()}
        QTest.mouseClick(buttons[title], Qt.MouseButton.LeftButton)

    return click


def export_or_cancel(dialog: QDialog) -> None:
    """Click Export…; where the dialog comes back, as no name would do or none was given, cancel it."""
    button("Export…")(dialog)
    back = QTimer(dialog)
    back.timeout.connect(lambda: dialog.reject() if dialog.isVisible() else None)
    back.start(10)


def naming(monkeypatch: pytest.MonkeyPatch, *names: object) -> list[str]:
    """Answer the dialogs for a file's name with these, one after another, and cancel the next ones; returns the names
    that they begin with, as they come."""
    begun, left = list[str](), [str(name) for name in names]

    def answer(_parent: object, _title: str, start: str, *_: object) -> tuple[str, str]:
        begun.append(start)
        return (left.pop(0) if left else ""), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    return begun


def cross(dialog: QDialog) -> None:
    """Close the dialog as the window manager's X does."""
    dialog.close()


def question(editor: Editor) -> None:
    """Opens in the middle of a drag, and is answered."""
    dialog = MessageDialog(editor.window, "Who is to be posed?")
    QTimer.singleShot(0, lambda: QTest.keyClick(dialog, Qt.Key.Key_Escape))
    dialog.ask()
