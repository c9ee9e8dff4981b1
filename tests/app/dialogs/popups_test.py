"""Menus and dialogs do what their keys say, and are gone once they are closed."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QColorDialog, QDialog, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from window_driver import ViewMouse, activated, laid_out, until

from app.dialogs import messages
from app.dialogs.export_dialog import ExportDialog
from app.dialogs.message_dialog import MessageDialog
from app.dialogs.people_dialog import PeopleDialog, ask_for_people
from app.dialogs.settings_dialog import SettingsDialog
from app.services.settings import Settings
from app.window.editor import Editor

ROOT = Path(__file__).resolve().parents[3]
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
OPENINGS = 8


def ask_menu(widget: QWidget) -> None:
    """A right click on a widget."""
    place = QPoint(12, 8)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)


def living(editor: Editor) -> tuple[int, int, int]:
    """QObjects below the window, widgets in all, and what Python keeps of menus and dialogs that are gone."""
    laid_out()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    gone = sum(isinstance(o, QMenu | QDialog) and not isValid(o) for o in gc.get_objects())
    return len(editor.window.findChildren(QObject)), len(QApplication.allWidgets()), gone


@pytest.mark.slow
@pytest.mark.gl
def test_menus_and_dialogs_are_freed_when_they_close(editor: Editor) -> None:
    mouse, side = ViewMouse(editor), editor.panels
    editor.session_view.moves.standard("front")
    until(lambda: getattr(editor.viewport.camera, "yaw", 1.0) == 0.0)
    effector = editor.session.active.effectors[0]
    photo = np.full((300, 400, 3), 90, np.uint8)
    openers: list[Callable[[], object]] = [
        lambda: QTest.mouseClick(mouse.view, RIGHT, pos=mouse.place(effector.target)),
        lambda: editor.tool.menu_asked.emit("joint", "left_knee"),
        lambda: ask_menu(side.effectors.rows[0]),
        lambda: ask_menu(side.body.sliders[0]),
        lambda: QTest.mouseClick(side.effectors.add, LEFT),
        lambda: QTest.mouseClick(side.people.rows[0].more, LEFT),
        lambda: QTest.mouseClick(side.people.rows[0].swatch, LEFT),
        editor.actions["help.search"].trigger,
        editor.actions["help.keys"].trigger,
        editor.actions["help.about"].trigger,
        editor.actions["file.settings"].trigger,
        editor.actions["file.export"].trigger,
        lambda: ask_for_people(editor.window, photo, [(10, 10, 90, 290)], [0.9]),
        lambda: messages.ask_to_save(editor.window, "this scene"),
    ]
    closed = [0]

    def close() -> None:
        popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if popup is not None and popup.isVisible():
            closed[0] += 1
            popup.close()

    timer = QTimer()
    timer.timeout.connect(close)
    timer.start(5)
    for open in openers:
        open()
    assert closed[0] == len(openers)  # each opened something, once
    before = living(editor)
    for _ in range(OPENINGS):
        for open in openers:
            open()
    timer.stop()
    assert closed[0] == len(openers) * (1 + OPENINGS)
    assert living(editor) == before


def test_menus_and_dialogs_are_opened_in_one_place() -> None:
    elsewhere = [
        f"{path}:{node.lineno}"
        for file in sorted((ROOT / "app").rglob("*.py"))
        for path in [file.relative_to(ROOT).as_posix()]
        for source in [file.read_text(encoding="utf-8")]
        if ".exec" in source or ".popup" in source  # nor need it be parsed
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("exec", "popup")
        if path != "app/panels/widgets/popups.py" and ast.unparse(node.func) != "application.exec"
    ]
    assert elsewhere == []


@pytest.mark.gl
def test_enter_exports_also_after_a_format_was_chosen(editor: Editor) -> None:
    dialog = ExportDialog(editor.session, Settings(), (800, 600), "bvh", editor.window)
    dialog.show()
    activated(dialog)
    mesh = next(b for b in dialog.format.findChildren(QPushButton) if b.text() == "Mesh")
    QTest.mouseClick(mesh, LEFT)
    assert dialog.choice().format == "glb"
    QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Return)
    until(lambda: not dialog.isVisible())
    assert dialog.result() == QDialog.DialogCode.Accepted
    dialog.deleteLater()


@pytest.mark.gl
def test_enter_presses_what_the_dialog_is_for(editor: Editor) -> None:
    window = editor.window
    dialogs = {
        "Export…": ExportDialog(editor.session, Settings(), (800, 600), "bvh", window),
        "Pose this person": PeopleDialog(np.zeros((30, 40, 3), np.uint8), [(1, 1, 9, 9)], [0.9], window),
        "Save": MessageDialog(window, "Save?", "", (messages.SAVE, messages.DISCARD, messages.CANCEL)),
        "OK": MessageDialog(window, "Something went wrong.", details="Traceback"),
        "Close": SettingsDialog(editor.settings, window),
    }
    for title, dialog in dialogs.items():
        dialog.show()
        QApplication.processEvents()
        assert [b.text().replace("&", "") for b in dialog.findChildren(QPushButton) if b.isDefault()] == [title]
        dialog.close()
        dialog.deleteLater()


@pytest.mark.gl
def test_enter_in_the_folder_of_the_settings_opens_no_choice_of_colours(editor: Editor) -> None:
    dialog = SettingsDialog(editor.settings, editor.window)
    opened: list[object] = []

    def look() -> None:
        modal = QApplication.activeModalWidget()
        if isinstance(modal, QColorDialog):
            opened.append(modal)
            modal.reject()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(20)
    dialog.show()
    activated(dialog)
    dialog.folder.setFocus()
    QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Return)
    until(lambda: not dialog.isVisible())
    assert opened == []
    timer.stop()
    dialog.deleteLater()


def test_a_message_made_larger_keeps_its_sentences_together(qtbot: QtBot) -> None:
    dialog = MessageDialog(None, "Something was not saved.", "Save it somewhere else.")
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog, timeout=60_000):
        dialog.show()
    apart = dialog.more.y() - dialog.text.y()
    dialog.resize(1000, 700)
    laid_out()
    assert dialog.width() == 1000
    assert dialog.more.y() - dialog.text.y() <= apart
