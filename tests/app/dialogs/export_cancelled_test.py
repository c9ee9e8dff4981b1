"""An export of several files that is cancelled between them says what it has written."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialog_driver import answering, button, naming
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_driver import laid_out, settled, strike, until

from app.dialogs.export_dialog import ExportDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class CancelAt(QObject):
    """Clicks Cancel once a job says that it does something; the job waits for that."""

    def __init__(self, editor: Editor, text: str) -> None:
        super().__init__(editor)
        self._cancel, self._text = editor.job_bar.cancel, text
        editor.jobs.progressed.connect(self.look, Qt.ConnectionType.BlockingQueuedConnection)

    @Slot(float, str)
    def look(self, _share: float, text: str) -> None:
        if self._text in text:
            until(self._cancel.isVisible)
            QTest.mouseClick(self._cancel, LEFT)


def test_files_written_before_cancel_stay_and_are_named(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    assert len(editor.session.document.characters) == 3
    naming(monkeypatch, tmp_path / "all.stl")
    CancelAt(editor, "all_Person 2")

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == "Mesh"), LEFT)
        laid_out()
        button("Export…")(dialog)

    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)
    until(lambda: not editor.jobs.busy)
    written = sorted(file.name for file in tmp_path.glob("all*"))
    assert written == ["all_Person 1.stl", "all_Person 2.stl"]
    said = f"Cancelled. Of 3 files, 2 were written in {tmp_path}: {', '.join(written)}."
    until(lambda: editor.window.status.notices.shown == said)
