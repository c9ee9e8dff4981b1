"""Searching the library: what the search finds elsewhere is told, and the card that the keys are on is seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.library.control import LibraryControl
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def test_a_search_that_finds_nothing_in_a_class_says_what_there_is_in_all(library: LibraryControl) -> None:
    panel = library.panel
    panel.choose_folder("Dancing")
    QTest.keyClicks(panel.search, "thinker")
    assert panel.said.text() == "Nothing in “Dancing” is called that. “All poses” has one that is."
    QTest.keyClicks(panel.search, "zzz")
    assert panel.said.text() == "Nothing is called that. Try fewer letters."


def test_classes_say_how_many_poses_of_theirs_a_search_finds(library: LibraryControl) -> None:
    panel = library.panel
    everything = panel.folders.currentText()
    assert everything == f"All poses   {len(panel.view.shelf.entries)}"
    QTest.keyClicks(panel.search, "sit")
    found = panel.view.shelf.entries
    assert 0 < len(found) < 100
    assert panel.folders.currentText() == f"All poses   {len(found)}"
    told = [panel.folders.itemText(row) for row in range(panel.folders.count())]
    counts = [int(text.split("   ")[1]) for text in told[2:] if text]
    assert sum(counts) == len(found), "each class says how many of them are its own"
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    assert panel.folders.currentText() == everything


def test_the_card_that_down_goes_to_is_drawn_as_chosen_and_a_click_beside_cards_chooses_none(
    library: LibraryControl, editor: Editor
) -> None:
    panel, view = library.panel, library.panel.view
    panel.search.setFocus()
    QTest.keyClicks(panel.search, "arabesque")
    beside = view.viewport().rect().bottomRight()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, beside)
    assert view.entry is None
    panel.search.setFocus()
    QTest.keyClick(panel.search, Qt.Key.Key_Down)
    assert view.hasFocus()
    assert view.selectedIndexes() == [view.shelf.index(0)] == [view.currentIndex()]
