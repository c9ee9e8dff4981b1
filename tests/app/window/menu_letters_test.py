"""Menus are worked by their letters; nothing else shows these letters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton
from window_driver import answer_once_shown, strike, until

from app.dialogs.shortcuts_dialog import ShortcutsDialog
from app.look.mnemonics import IN_USE, marked, mnemonics, unmarked
from app.panels.widgets.popups import show_menu
from app.window.editor import Editor

pytestmark = pytest.mark.skipif(not IN_USE, reason="menus have no letters there")
KEY, ALT = Qt.Key, Qt.KeyboardModifier.AltModifier


def letter_of(text: str) -> str:
    return QKeySequence.mnemonic(text).toString().removeprefix("Alt+")


def test_letters_are_first_letters_where_they_are_free_and_no_two_the_same() -> None:
    assert mnemonics(["Open…", "Open a photo…", "Save", "Save as…", "Go to view 4"]) == ["O", "P", "S", "A", "4"]
    assert mnemonics(["Add", "Aa"], taken={"A"}) == ["D", "1"], "a digit where no letter is left"
    assert sorted(mnemonics(["ab", "a", "bc"])) == ["A", "B", "C"], "one that has a choice makes room"


@pytest.mark.parametrize("text", ["Save", "Tom && Jerry", "0.25\t75%", "Save (&1)"])
def test_marks_are_taken_off_as_they_were_put_on(text: str) -> None:
    plain = unmarked(text)
    assert unmarked(marked(plain, "S")) == plain
    assert letter_of(marked(plain, "S").partition("\t")[0]) == "S"


@pytest.mark.gl
def test_every_menu_and_every_entry_has_a_letter_of_its_own(editor: Editor) -> None:
    bar = editor.window.menuBar()
    titles = [letter_of(entry.text()) for entry in bar.actions()]
    keys = [keys for command in editor.actions.commands.values() for keys in command.shortcuts]
    assert len(set(titles)) == len(titles) == len([each for each in titles if each])
    assert not [each for each in titles if f"Alt+{each}" in keys], "Alt with the letter means something else"
    for title in bar.actions():
        whole = title.menu()
        assert isinstance(whole, QMenu)
        for menu in (whole, *whole.findChildren(QMenu)):
            menu.aboutToShow.emit()
            letters = [letter_of(entry.text()) for entry in menu.actions() if not entry.isSeparator()]
            assert len(set(letters)) == len(letters) == len([each for each in letters if each]), menu.title()
            menu.aboutToHide.emit()


@pytest.mark.gl
def test_a_letter_after_that_of_the_menu_does_what_is_marked_by_it(editor: Editor) -> None:
    grid = editor.actions["view.grid"]
    strike(editor, KEY.Key_V, ALT)
    until(lambda: QApplication.activePopupWidget() is not None)
    menu, shown = QApplication.activePopupWidget(), editor.session.view.grid
    letter = letter_of(grid.text())
    assert letter
    QTest.keyClick(menu, letter.lower())
    until(lambda: QApplication.activePopupWidget() is None)
    assert editor.session.view.grid is not shown
    assert grid.text() == "Ground grid"
    assert not [each for each in editor.window.findChildren(QToolButton) if "&" in each.toolTip()]
    assert not [action.text() for action in menu.actions() if "&" in action.text()]


@pytest.mark.gl
def test_undo_keeps_its_letter_whatever_is_undone(editor: Editor) -> None:
    editor.actions["pose.add_person"].trigger()
    editor.refresh()
    strike(editor, KEY.Key_E, ALT)
    until(lambda: QApplication.activePopupWidget() is not None)
    editor.refresh()  # as after a solve; the mark stays
    assert editor.actions["edit.undo"].text().startswith("&Undo ")
    QTest.keyClick(QApplication.activePopupWidget(), KEY.Key_U)
    until(lambda: len(editor.session.document.characters) == 1)


@pytest.mark.gl
def test_keys_with_alt_still_mean_what_they_meant(editor: Editor) -> None:
    camera = editor.viewport.final_view.camera
    strike(editor, KEY.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert editor.viewport.final_view.camera != camera
    strike(editor, KEY.Key_Z, ALT)
    assert editor.viewport.final_view.camera == camera
    strike(editor, KEY.Key_Down, ALT)
    assert editor.session.view.effectors
    strike(editor, KEY.Key_A, ALT)
    assert not editor.session.view.effectors
    assert QApplication.activePopupWidget() is None


@pytest.mark.gl
def test_a_menu_of_the_view_is_worked_by_letters_too(editor: Editor) -> None:
    chosen: list[str] = []

    def fill(menu: QMenu) -> None:
        for name in ("Rest on the floor", "Rotation", "Tom && Jerry"):
            menu.addAction(name, lambda name=name: chosen.append(name))

    answer_once_shown(QMenu, lambda menu: QTest.keyClick(menu, "o"))
    show_menu(editor.window, editor.window.mapToGlobal(QPoint(300, 300)), fill)
    assert chosen == ["Rotation"]


@pytest.mark.gl
def test_the_list_of_keys_and_the_search_show_no_marks(editor: Editor) -> None:
    assert not [command.id for command in editor.actions.commands.values() if "&" in command.title]
    texts: list[str] = []

    def look(dialog: ShortcutsDialog) -> None:
        texts.extend(label.text() for label in dialog.findChildren(QLabel))
        dialog.reject()

    answer_once_shown(ShortcutsDialog, look)
    strike(editor, KEY.Key_F1)
    assert texts
    assert not [text for text in texts if "&" in text]
