"""The settings' dialog: all of its text can be read, however small it is made."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot
from window_hand import laid_out

from app.dialogs.settings_dialog import SettingsDialog
from app.look.theme import THEMES, apply_theme
from app.services.settings import SettingsStore
from app.window.start import make_application


@pytest.mark.parametrize("width", [0, 560, 700])
def test_the_note_on_body_files_is_whole_at_the_smallest_height(qtbot: QtBot, store: SettingsStore, width: int) -> None:
    application = make_application()
    before = application.styleSheet()
    apply_theme(application, THEMES["dark"])
    dialog = SettingsDialog(store)
    qtbot.addWidget(dialog)
    dialog.show()
    for _ in range(2):
        dialog.resize(width, 0)
        laid_out()
    said, buttons = dialog.about_files, dialog.findChild(QDialogButtonBox)
    assert said.height() >= said.heightForWidth(said.width())
    assert said.mapTo(dialog, QPoint(0, said.height())).y() <= buttons.y()
    assert dialog.folder.mapTo(dialog, QPoint(0, dialog.folder.height())).y() <= said.mapTo(dialog, QPoint()).y()
    application.setStyleSheet(before)
