"""The page of mouse and keys fits any screen, scrolls and is searched by the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from dialog_driver import answering, button
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from window_driver import laid_out, strike

from app.dialogs.shortcuts_dialog import ShortcutsDialog
from app.window.editor import Editor
from app.window.help import shortcuts_page
from app.window.shortcuts_page import SECTIONS

pytestmark = pytest.mark.gl
KEY = Qt.Key
EVERYTHING = sum(len(rows) for _, rows in SECTIONS)


def on_the_page(editor: Editor, do: Callable[[ShortcutsDialog], None]) -> None:
    """Open the page with F1, do something there, and close it with Esc."""

    def then_close(page: ShortcutsDialog) -> None:
        laid_out()
        try:
            do(page)
        finally:
            QTest.keyClick(page.field, KEY.Key_Escape)

    with answering(then_close, kind=ShortcutsDialog):
        strike(editor, KEY.Key_F1)


@pytest.mark.slow
def test_the_whole_page_is_on_the_screen_and_its_last_row_can_be_scrolled_to(editor: Editor) -> None:
    def look(page: ShortcutsDialog) -> None:
        assert page.screen().availableGeometry().contains(QRect(page.pos(), page.size()))
        close = page.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Close)
        assert isinstance(close, QPushButton)
        assert page.rect().contains(QRect(close.mapTo(page, close.rect().topLeft()), close.size()))
        bar = page.page.verticalScrollBar()
        assert bar.maximum() > 0 == bar.value()
        QTest.keyClick(page.field, KEY.Key_PageDown)
        assert bar.value() > 0
        for _ in range(40):
            QTest.keyClick(page.field, KEY.Key_PageDown)
        assert bar.value() == bar.maximum()
        QTest.keyClick(page.field, KEY.Key_Up)
        assert bar.value() < bar.maximum()
        assert len(page.shown()) == EVERYTHING

    on_the_page(editor, look)


def test_no_line_of_it_is_cut_off(editor: Editor) -> None:
    def look(page: ShortcutsDialog) -> None:
        room = page.page.viewport().width()
        for section in page._sections:
            assert section.width() <= room
            for row in section._rows:
                assert all(label.height() >= label.heightForWidth(label.width()) for label in row)

    on_the_page(editor, look)


def test_words_narrow_it_down_a_sections_name_shows_the_whole_section(editor: Editor) -> None:
    motion = [what for title, rows in SECTIONS if title == "Motion" for what, _ in rows]

    def look(page: ShortcutsDialog) -> None:
        QTest.keyClicks(page.field, "pin unpin")
        assert page.shown() == ["Double-click a handle, or P"]
        page.field.clear()
        QTest.keyClicks(page.field, "MOTION")
        assert len(page.shown()) >= len(motion)
        assert {what for what in motion if "{" not in what} <= set(page.shown())
        page.field.clear()
        QTest.keyClicks(page.field, "qqq")
        laid_out()
        assert not page.shown()
        assert page.nothing.isVisible()
        page.field.clear()
        assert len(page.shown()) == EVERYTHING
        assert not page.nothing.isVisible()

    on_the_page(editor, look)


def test_the_page_names_the_keys_of_the_settings_and_closes_by_its_button(editor: Editor) -> None:
    editor.settings.set(keymap="maya")
    seen: list[str] = []

    def look(page: ShortcutsDialog) -> None:
        seen.extend(page.shown())
        button("Close")(page)

    with answering(look, kind=ShortcutsDialog):
        strike(editor, KEY.Key_F1)
    assert "W, E, L" in seen


def test_a_row_names_as_many_kinds_of_effectors_as_it_has_keys(editor: Editor) -> None:
    rows = dict(row for _, section in shortcuts_page(editor.settings.values) for row in section)
    (keys,) = (keys for keys, does in rows.items() if does.endswith("effector of the selected joint"))
    assert rows[keys].count(",") == keys.count(",")
