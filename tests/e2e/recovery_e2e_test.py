"""Unsaved work of a crashed run is offered by the real main(), also when it is started with a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.gl, pytest.mark.timeout(240)]


def test_work_is_offered_before_the_file_that_the_program_was_started_with(run_main: Callable, tmp_path: Path) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from app.dialogs.message_dialog import MessageDialog
    from app.document import edits
    from app.document.posing.create import new_document
    from app.document.scene_file.io import save_scene
    from app.services.background.recovery_files import keep

    crashed, asked = tmp_path / "recovery" / "dead.json", tmp_path / "asked.json"
    crashed.parent.mkdir()
    keep(crashed, edits.rename_character("c1", "Survivor")(new_document()), None)
    save_scene(asked, new_document())
    titles: list[str] = []

    def script(session) -> None:
        answered = session.answer(MessageDialog, lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape))
        session.until(lambda: answered)
        session.until(lambda: "asked.json" in session.window.windowTitle())
        titles.append(session.window.windowTitle())

    assert run_main([str(asked)], script) == 0
    assert titles
    assert crashed.is_file()
