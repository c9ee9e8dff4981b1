"""The settings' dialog: all of its text can be read, however small it is made."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot
from window_driver import activated, laid_out

from app.dialogs import messages
from app.dialogs.settings_dialog import SettingsDialog
from app.look.theme import THEMES, apply_theme
from app.services.settings import SettingsStore
from app.window.start import make_application


@pytest.fixture
def dialog(qtbot: QtBot, store: SettingsStore) -> Iterator[SettingsDialog]:
    application = make_application()
    before = application.styleSheet()
    apply_theme(application, THEMES["dark"])
    made = SettingsDialog(store)
    qtbot.addWidget(made)
    yield made
    application.setStyleSheet(before)


@pytest.mark.parametrize("width", [0, 560, 700])
def test_the_note_on_body_files_is_whole_at_every_width(dialog: SettingsDialog, width: int) -> None:
    dialog.show()
    for _ in range(2):
        dialog.resize(width, 0)
        laid_out()
    said, fields = dialog.about_files, dialog.fields.content
    assert said.height() >= said.heightForWidth(said.width())
    assert said.mapTo(fields, QPoint(0, said.height())).y() <= fields.height()
    assert dialog.folder.mapTo(dialog, QPoint(0, dialog.folder.height())).y() <= said.mapTo(dialog, QPoint()).y()
    assert fields.width() <= dialog.fields.viewport().width(), "nothing is cut off at the side"


def test_all_is_seen_at_once_where_the_screen_has_room(dialog: SettingsDialog) -> None:
    dialog.show()
    laid_out()
    assert dialog.fields.verticalScrollBar().maximum() == 0
    whole, buttons = dialog.about_files, dialog.findChild(QDialogButtonBox)
    assert whole.mapTo(dialog, QPoint(0, whole.height())).y() <= buttons.y()


def test_the_first_field_has_the_keys_at_once_and_tab_brings_all_others_into_sight(
    dialog: SettingsDialog, store: SettingsStore, qtbot: QtBot
) -> None:
    with qtbot.waitActive(dialog, timeout=60_000):
        dialog.show()
        dialog.activateWindow()
    dialog.resize(dialog.width(), 300)
    theme = store.values.theme
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Down)
    assert store.values.theme != theme
    stops = [dialog.focusWidget()]
    while len(stops) < 30:
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        if dialog.focusWidget() is stops[0]:
            break
        stops.append(dialog.focusWidget())
        laid_out()
        assert not stops[-1].visibleRegion().isEmpty(), stops[-1]
    assert {*dialog.boxes.values(), dialog.folder} < {*stops}
    assert dialog.fields not in stops


def test_a_folder_without_body_files_is_refused_where_it_is_typed(
    dialog: SettingsDialog, store: SettingsStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    dialog.show()
    activated(dialog)
    for folder, said in (
        (tmp_path / "nowhere", "there is no such folder"), (tmp_path, "no body file was found"),
        ("~nobody-of-this-name/bodies", "home directory). Check the name"),
        (tmp_path / ("a" * 300), "too long). Check the name"),
    ):  # fmt: skip
        dialog.folder.setFocus()
        dialog.folder.selectAll()
        QTest.keyClicks(dialog.folder, str(folder))
        QTest.keyClick(dialog.folder, Qt.Key.Key_Tab)
        assert said in refused.pop() or sys.platform == "win32"
        assert (store.values.body_dir, dialog.folder.text(), refused) == ("", "", [])
    (tmp_path / "SMPL_NEUTRAL.npz").write_bytes(b"")
    dialog.folder.setFocus()
    QTest.keyClicks(dialog.folder, str(tmp_path))
    QTest.keyClick(dialog.folder, Qt.Key.Key_Tab)
    assert (store.values.body_dir, refused) == (str(tmp_path), [])


def test_esc_puts_back_a_folder_being_typed_and_only_then_closes(
    dialog: SettingsDialog, store: SettingsStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    dialog.show()
    activated(dialog)
    dialog.folder.setFocus()
    QTest.keyClicks(dialog.folder, "/nowhere")
    QTest.keyClick(dialog.folder, Qt.Key.Key_Escape)
    assert (dialog.folder.text(), dialog.isVisible()) == ("", True)
    QTest.keyClick(dialog.folder, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert (store.values.body_dir, refused) == ("", [])


def test_restore_defaults_restores_what_the_dialog_shows_and_nothing_else(
    dialog: SettingsDialog, store: SettingsStore, tmp_path: Path
) -> None:
    store.add_recent(tmp_path / "scene.json")
    store.set(opened=("Body",), export_format="glb", look="suit")
    before = store.values
    dialog.show()
    activated(dialog)
    for box in dialog.boxes.values():
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.mouseClick(dialog.baselines, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.baselines.height() // 2))
    changed = {name for name in vars(before) if getattr(before, name) != getattr(store.values, name)}
    assert changed >= {"theme", "navigation", "keymap", "beyond_reach", "moved_contacts", "show_baselines"}
    restore = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.RestoreDefaults)
    QTest.mouseClick(restore, Qt.MouseButton.LeftButton)
    assert store.values == before
    assert dialog.boxes["theme"].currentText() == "Dark"
    assert not dialog.baselines.isChecked()


def test_a_ticked_box_shows_that_it_has_the_keyboard(dialog: SettingsDialog) -> None:
    dialog.show()
    activated(dialog)
    for ticked in (False, True):
        dialog.baselines.setChecked(ticked)
        dialog.folder.setFocus()
        without = dialog.baselines.grab().toImage()
        dialog.baselines.setFocus()
        assert dialog.baselines.hasFocus()
        assert dialog.baselines.grab().toImage() != without


def test_on_a_small_screen_the_fields_scroll_and_the_buttons_stay(
    dialog: SettingsDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = QRect(0, 0, 683, 467)  # of 1024 x 700 at 150%
    monkeypatch.setattr(SettingsDialog, "screen", lambda _: SimpleNamespace(availableGeometry=lambda: small))
    dialog.show()
    activated(dialog)
    laid_out()
    assert dialog.width() <= small.width()
    assert dialog.height() < small.height()
    buttons = dialog.findChild(QDialogButtonBox)
    assert dialog.rect().contains(buttons.geometry())
    for _ in range(30):
        QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Tab)
        if dialog.focusWidget() is dialog.folder:
            break
    laid_out()
    place = dialog.folder.mapTo(dialog.fields.viewport(), QPoint())
    assert dialog.fields.viewport().rect().contains(QRect(place, dialog.folder.size())), "Tab brings it up"
