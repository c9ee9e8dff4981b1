"""The export dialog as a user drives it: its key and pages, a file's name, and numbers typed into its boxes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dialog_driver import answering, export_or_cancel, naming
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QPushButton
from window_driver import strike, until

from app.dialogs.export_dialog import ExportDialog
from app.window.editor import Editor

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def typed(box: QAbstractSpinBox, value: int | str) -> None:
    """Type over what a box has, and go on with Tab."""
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, str(value))
    QTest.keyClick(box, Qt.Key.Key_Tab)


def exported(
    editor: Editor, page: str, target: Path, monkeypatch: pytest.MonkeyPatch,
    do: Callable[[ExportDialog], None] = lambda _dialog: None,
) -> None:  # fmt: skip
    """Ctrl+E, a page of the dialog, what is done there, its button and the file's name, until all is done."""
    naming(monkeypatch, target)

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == page), LEFT)
        do(dialog)
        export_or_cancel(dialog)

    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)
    until(lambda: not editor.jobs.busy)
