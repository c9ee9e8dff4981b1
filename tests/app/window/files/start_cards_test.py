"""Cards in an empty view: they show where nobody is, begin what they say, by mouse and keys, and go with the first."""

from __future__ import annotations

from pathlib import Path

import pytest
from prop_driver import added
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from window_driver import activated, laid_out, settled, strike, until

from app.document.exchange.export import export_bvh
from app.viewport.overlays.start_cards import Card, StartCards
from app.window.editor import Editor

pytestmark = pytest.mark.gl
Key = Qt.Key


def emptied(editor: Editor) -> StartCards:
    """The cards, once everybody was deleted."""
    activated(editor.window)
    editor.viewport.setFocus()
    while editor.session.document.characters:
        editor.posing.remove_person()
    editor.refresh()
    cards = editor.start_cards.cards
    assert cards is not None
    return cards


def card(cards: StartCards, title: str) -> Card:
    return next(each for each in cards.cards if each.text() == title)


def click(editor: Editor, title: str) -> None:
    QTest.mouseClick(card(emptied(editor), title), Qt.MouseButton.LeftButton)
    settled(editor.session)
    editor.refresh()


def test_a_new_window_shows_a_figure_and_no_cards(editor: Editor) -> None:
    assert editor.session.document.characters
    assert editor.start_cards.cards is None


def test_cards_show_as_soon_as_the_scene_is_empty_and_go_with_undo(editor: Editor) -> None:
    cards = emptied(editor)
    assert cards.isVisible()
    assert [each.text() for each in cards.cards] == [
        "Pose a figure",
        "From a photo",
        "From the library",
        "Open a motion",
    ]
    assert editor.viewport.rect().contains(cards.geometry())
    editor.session.undo()
    editor.refresh()
    assert cards.isHidden()
    assert editor.viewport.hasFocus()


def test_cards_give_way_to_a_prop_so_that_it_can_be_seen_and_taken(editor: Editor) -> None:
    words = editor.panels.timeline.still_words
    assert words.text() == "A still pose"
    cards = emptied(editor)
    assert words.text() == "", "nobody is left who could stand still"
    added(editor)
    editor.refresh()
    assert not cards.isVisible()
    assert words.text() == "A prop that stands still"
    strike(editor, Qt.Key.Key_Delete)
    editor.refresh()
    assert not editor.session.document.props
    assert cards.isVisible()


@pytest.mark.usefixtures("unfolded")
def test_nothing_is_said_any_more_of_how_somebody_deleted_was_solved(editor: Editor) -> None:
    panel = editor.panels.solver
    editor.refresh()
    assert panel.met.text() != "–"
    emptied(editor)
    assert [fact.text() for fact in (panel.time, panel.met, panel.worst)] == ["–"] * 3


def test_a_click_on_the_first_card_adds_a_figure(editor: Editor) -> None:
    click(editor, "Pose a figure")
    assert len(editor.session.document.characters) == 1
    assert editor.start_cards.cards is not None
    assert editor.start_cards.cards.isHidden()


def test_the_librarys_card_adds_a_figure_and_opens_the_library(editor: Editor) -> None:
    click(editor, "From the library")
    assert len(editor.session.document.characters) == 1
    assert editor.pose_browsers.library_is_open()


def test_the_photos_card_asks_for_a_photo(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda _parent, title, *_: (asked.append(title), ("", ""))[1])
    click(editor, "From a photo")
    assert asked == ["Open a photo"]
    assert editor.start_cards.cards is not None
    assert editor.start_cards.cards.isVisible(), "nothing was chosen"


def test_the_motions_card_opens_a_motion(editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "walk.bvh"
    export_bvh(file, [editor.session.document.characters[0]])
    asked: list[str] = []

    def choose(_parent: object, _title: str, _folder: str, kinds: str) -> tuple[str, str]:
        asked.append(kinds)
        return str(file), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    click(editor, "Open a motion")
    assert "*.bvh" in asked[0]
    assert "*.json" not in asked[0]
    until(lambda: bool(editor.session.document.characters))
    editor.refresh()
    assert editor.start_cards.cards is not None
    assert editor.start_cards.cards.isHidden()


def test_cards_are_reached_and_chosen_by_keys(editor: Editor) -> None:
    cards = emptied(editor)
    assert cards.cards[0].hasFocus()
    QTest.keyClick(cards.cards[0], Key.Key_Tab)
    assert cards.cards[1].hasFocus()
    QTest.keyClick(cards.cards[1], Key.Key_Left)
    assert cards.cards[0].hasFocus()
    editor.viewport.setFocus()
    assert cards.cards[0].hasFocus(), "the view passes the keyboard on"
    QTest.keyClick(cards.cards[0], Key.Key_Return)
    settled(editor.session)
    assert len(editor.session.document.characters) == 1


def test_cards_stand_in_a_row_where_there_is_room_and_two_by_two_where_there_is_not(editor: Editor) -> None:
    cards = emptied(editor)
    editor.window.resize(1600, 900)
    laid_out()
    assert len({each.y() for each in cards.cards}) == 1
    editor.window.resize(1024, 700)
    laid_out()
    assert len({each.y() for each in cards.cards}) == 2
    assert editor.viewport.rect().contains(cards.geometry())


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_cards_wear_the_theme(editor: Editor, theme: str) -> None:
    editor.settings.set(theme=theme)
    cards = emptied(editor)
    QApplication.processEvents()
    ground = cards.cards[3].grab().toImage().pixelColor(6, 100)
    assert (ground.lightness() > 128) is (theme == "light")


def test_cards_wait_while_a_file_is_being_read(editor: Editor) -> None:
    cards = emptied(editor)
    gone = []
    editor.jobs.run("Reading", lambda progress, cancelled: gone.append(cards.isHidden()), lambda _result: None)
    assert cards.isHidden()
    until(lambda: bool(gone) and not editor.jobs.busy)
    until(cards.isVisible)
