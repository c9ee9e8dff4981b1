"""The search knows what other programs call things: typed, and run with Enter."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from window_driver import answer_once_shown, strike, until

from app.window.commands.command_search import NOTHING, CommandSearch
from app.window.commands.synonyms import SYNONYMS, command_match
from app.window.editor import Editor

pytestmark = pytest.mark.gl
MEANT = {  # what somebody types, and one of the commands that they mean
    "ik handle": "pose.move",
    "joint": "view.bones",
    "skeleton": "view.bones",
    "import": "file.open",
    "flip": "pose.mirror",
    "ground": "pose.floor",
    "ragdoll": "pose.rest",
    "t-pose": "pose.library",
    "reset": "pose.return",
    "screenshot": "file.export_png",
    "print": "file.export_png",
    "gif": "file.export_film",
    "onion skin": "view.onion",
    "preferences": "file.settings",
    "orbit": "view.turn_left",
    "akimbo": "contact.hips",
    "cube": "prop.box",
    "bed": "prop.box",
    "sphere": "prop.ball",
    "lamp": "look.key_light",
    "lineart": "look.line",
    "look": "look.clay",
    "shader": "look.silhouette",
    "cartoon": "look.flat",
    "focal length": "view.lens50",
    "thinker": "contact.chin",
    "attach": "contact.here",
    "unstick": "contact.let_go",
    "center of mass": "view.balance",
    "viewcube": "view.axes",
    "keyframe": "time.set_key",
    "sidebar": "view.panels",
    "hotkeys": "help.keys",
    "tutorial": "help.manual",
    "undo": "edit.undo",
    "revert": "edit.undo",
    "undo camera": "view.undo",
    "REDO": "edit.redo",
}


def listed(editor: Editor, text: str) -> list[str]:
    """Titles that the search shows for what is typed into it."""
    search = CommandSearch(editor.actions, editor.window)
    QTest.keyClicks(search.field, text)
    titles = [search.list.topLevelItem(i).text(0) for i in range(search.list.topLevelItemCount())]
    search.deleteLater()
    return titles


@pytest.mark.slow
def test_every_word_that_is_meant_finds_its_command(editor: Editor) -> None:
    editor.session.select(editor.session.view.character, [editor.session.active.effectors[0].id])
    editor.posing.pin()
    editor.session.undo()
    for action in (editor.actions[id] for id in editor.actions.commands):
        action.setEnabled(True)
    for text, id in MEANT.items():
        command = editor.actions.commands[id]
        title = command.title_now() if command.title_now else command.title
        assert title in listed(editor, text), text


def test_who_wants_to_print_finds_the_picture_before_the_mesh(editor: Editor) -> None:
    editor.refresh()
    assert listed(editor, "print")[0] == "Export picture…"
    assert listed(editor, "3d print")[0] == "Export mesh…"


def test_titles_come_before_what_else_a_command_is_called(editor: Editor) -> None:
    editor.refresh()
    titles = listed(editor, "ghost")
    plain = ["ghost" in title.lower() for title in titles]
    assert plain == sorted(plain, reverse=True)
    assert any(plain)
    assert not all(plain)


def test_words_that_begin_so_come_before_letters_within_others(editor: Editor) -> None:
    """“Sit” is within “position”, which many commands have."""
    editor.refresh()
    for text in ("sit", "kneel", "lie", "danc"):
        assert listed(editor, text)[0] == "Library of poses"


def test_roll_finds_what_turns_and_no_controller(editor: Editor) -> None:
    """“Roll” is within “controller”, which many commands are about."""
    session = editor.session
    session.select("c1", [session.document.character("c1").effectors[0].id])
    editor.refresh()
    assert listed(editor, "roll") == ["Rotate"]
    session.select("c1")
    editor.refresh()
    assert listed(editor, "roll") == ["Rotate", "Horizon and floor over the photo"], "in grey"


def test_a_command_is_found_by_another_word_and_run_with_enter(editor: Editor) -> None:
    assert editor.session.view.show != "bones"

    def type_it(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, "armature")
        QTest.keyClick(search.field, Qt.Key.Key_Return)

    answer_once_shown(CommandSearch, type_it)
    strike(editor, Qt.Key.Key_Slash)
    until(lambda: editor.session.view.show == "bones")
    assert QApplication.activePopupWidget() is None


@pytest.mark.slow
def test_enter_does_a_thing_again_rather_than_undo_it(editor: Editor) -> None:
    def type_it(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, "add person")
        QTest.keyClick(search.field, Qt.Key.Key_Return)

    for people in (2, 3):
        answer_once_shown(CommandSearch, type_it)
        strike(editor, Qt.Key.Key_Slash)
        until(lambda people=people: len(editor.session.document.characters) == people)  # type: ignore[misc]
        editor.refresh()
    assert listed(editor, "undo add")[0] == "Undo add Person 3"


def test_that_nothing_fits_is_said_in_full(editor: Editor) -> None:
    search = CommandSearch(editor.actions, editor.window)
    search.show()
    QTest.keyClicks(search.field, "pizza")
    item = search.list.topLevelItem(0)
    assert item.text(0) == NOTHING
    assert search.list.fontMetrics().horizontalAdvance(NOTHING) < search.list.visualItemRect(item).width()
    search.close()
    search.deleteLater()


def test_what_no_command_is_called_is_said_and_enter_does_nothing(editor: Editor) -> None:
    seen: list[object] = []

    def type_it(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, "pizza")
        seen.append([search.list.topLevelItem(i).text(0) for i in range(search.list.topLevelItemCount())])
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
            QTest.keyClick(search.field, key)
        seen.append(search.isVisible())
        QTest.keyClick(search.field, Qt.Key.Key_Escape)

    answer_once_shown(CommandSearch, type_it)
    strike(editor, Qt.Key.Key_Slash)
    until(lambda: len(seen) == 2 and QApplication.activePopupWidget() is None)
    assert seen == [[NOTHING], True]


def test_a_command_that_cannot_be_used_now_is_found_in_grey_below_the_others_and_enter_passes_it_by(
    editor: Editor,
) -> None:
    editor.session.select(editor.session.view.character)
    editor.refresh()
    grey: list[dict[str, bool]] = []
    chosen: list[str] = []

    def type_it(search: CommandSearch) -> None:
        for text in ("grip", "unstick", "pin"):
            search.field.clear()
            QTest.keyClicks(search.field, text)
            items = [search.list.topLevelItem(i) for i in range(search.list.topLevelItemCount())]
            grey.append({item.text(0): bool(item.flags() & Qt.ItemFlag.ItemIsEnabled) for item in items})
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up):
            QTest.keyClick(search.field, key)
            item = search.list.currentItem()
            chosen.append(item.text(0) if item is not None else "")
        QTest.keyClick(search.field, Qt.Key.Key_Escape)

    answer_once_shown(CommandSearch, type_it)
    strike(editor, Qt.Key.Key_Slash)
    until(lambda: len(chosen) == 3 and QApplication.activePopupWidget() is None)
    by_hand, by_other_name, by_title = grey
    assert "Hold on the nearest surface" not in by_hand, "hands are called so, which a command is only like"
    assert by_other_name == {"Let go": False}
    assert by_title["Pin"] is False
    order = list(by_title.values())
    assert order == sorted(order, reverse=True)
    assert all(by_title.get(title) for title in chosen)


def test_return_or_a_click_on_a_grey_row_runs_nothing_and_says_why(editor: Editor) -> None:
    editor.session.select(editor.session.view.character)
    before = editor.session.document
    seen: list[bool] = []

    def click_it(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, "pin")
        QTest.keyClick(search.field, Qt.Key.Key_Return)
        seen.append(search.isVisible() and QToolTip.text().startswith("Not now: "))
        QToolTip.hideText()
        rows = [search.list.topLevelItem(i) for i in range(search.list.topLevelItemCount())]
        grey = next(row for row in rows if row.text(0) == "Pin")
        place = search.list.visualItemRect(grey).center()
        QTest.mouseClick(search.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        seen.append(search.isVisible() and QToolTip.text().startswith("Not now: "))
        QTest.keyClick(search.field, Qt.Key.Key_Escape)

    answer_once_shown(CommandSearch, click_it)
    strike(editor, Qt.Key.Key_Slash)
    until(lambda: bool(seen) and QApplication.activePopupWidget() is None)
    assert seen == [True, True]
    assert editor.session.document is before, "nor Pinch, the first row that can be run"


def test_what_can_be_run_is_chosen_if_a_grey_row_only_begins_as_typed(editor: Editor) -> None:
    editor.refresh()
    search = CommandSearch(editor.actions, editor.window)
    for text, title in (("photo", "Open a photo…"), ("person", "Add a person"), ("undo", "")):
        search.field.setText(text)
        chosen = search.list.currentItem()
        assert (chosen.text(0) if chosen else "") == title, text


def test_every_entry_of_the_table_is_a_command(editor: Editor) -> None:
    assert set(SYNONYMS) <= set(editor.actions.commands)


def test_all_words_have_to_be_found() -> None:
    assert command_match(["show"], "view.bones", "Show bones") == 4
    assert command_match(["show", "skeleton"], "view.bones", "Show bones") == 3
    assert command_match(["one"], "view.bones", "Show bones") == 2
    assert command_match(["show", "keleton"], "view.bones", "Show bones") == 1
    assert command_match(["kelet"], "view.bones", "Show bones") == 0
    assert command_match(["show", "pizza"], "view.bones", "Show bones") == 0
    assert command_match(["anything"], "no.such", "Title") == 0
