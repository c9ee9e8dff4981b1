"""The view has the keyboard from the start on: its keys need no click first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PRESSED = """
import sys
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from app.window.start import make_application, open_window
from app.services.settings import SettingsStore
application = make_application()
editor = open_window(application, SettingsStore(QSettings(sys.argv[1], QSettings.Format.IniFormat)))
editor.window.activateWindow()
active = QTest.qWaitForWindowFocused(editor.window, 30_000)
before = editor.viewport.camera
QTest.keyClick(editor.window.windowHandle(), Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
for _ in range(100):
    if editor.viewport.camera == before:
        QTest.qWait(50)
print(active and editor.viewport.camera != before)
editor.shut_down()
"""


@pytest.mark.slow
@pytest.mark.gl
def test_a_key_of_the_view_works_as_soon_as_the_window_is_open(qapp: object, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", PRESSED, str(tmp_path / "settings.ini")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},  # where unsaved work is kept
        capture_output=True,
        text=True,
        timeout=110,
        check=True,
    )
    assert result.stdout.splitlines()[-1] == "True"
