"""Pictures of a folder that cannot be read, or do not show: which one comes instead, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialog_driver import answering, button
from labelling_driver import CAMERA, NAMES, at, bar, drag_wrist, label, scene_of, walk
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import activated, active, strike, until

from app.dialogs.shortcuts_dialog import ShortcutsDialog
from app.document import edits
from app.document.exchange.label_files import FOLDER, files_of
from app.document.exchange.label_folder import save_label
from app.document.model.document import Photo
from app.services.steps.photo_choice import show_photo
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = HELD.ControlModifier, HELD.ShiftModifier, HELD.AltModifier


def spoil(folder: Path, *names: str) -> None:
    """Damage pictures of which nothing is known yet."""
    for files in files_of(folder, folder / FOLDER):
        if files.picture.name in names:
            files.scene.unlink()
            files.label.unlink()
            files.picture.write_text("no picture")


def check(folder: Path, *names: str) -> None:
    for files in files_of(folder, folder / FOLDER):
        if files.picture.name in names:
            save_label(files, scene_of(files.picture), checked=True)


@pytest.mark.slow
def test_a_folder_opens_at_its_first_unchecked_picture_past_one_that_cannot_be_read(
    editor: Editor, folder: Path
) -> None:
    spoil(folder, "a.png")
    check(folder, "b.png")
    editor.labels.open(folder)
    at(editor, 3)


@pytest.mark.slow
def test_where_the_rest_is_checked_or_cannot_be_read_a_folder_opens_at_its_first_picture(
    editor: Editor, folder: Path
) -> None:
    spoil(folder, "b.png")
    check(folder, "a.png", "c.png")
    editor.labels.open(folder)
    at(editor, 1)


@pytest.mark.slow
def test_the_next_unchecked_picture_is_sought_past_one_that_cannot_be_read(editor: Editor, folder: Path) -> None:
    spoil(folder, "b.png")
    check(folder, "c.png")
    editor.labels.open(folder)
    at(editor, 1)
    strike(editor, KEY.Key_Right, ALT | SHIFT)
    until(lambda: "1 cannot be read" in bar(editor).count.toolTip())
    until(lambda: not walk(editor).opening)
    assert walk(editor).place == 0, "it is the only one left to check"


@pytest.mark.slow
def test_who_checks_the_last_picture_that_can_be_read_is_told_that_the_folder_is_done(
    editor: Editor, folder: Path
) -> None:
    spoil(folder, "c.png")
    check(folder, "a.png")
    editor.labels.open(folder)
    at(editor, 2)
    said: list[str] = []
    walk(editor).said.connect(said.append)
    until(lambda: walk(editor).look.taken)
    strike(editor, KEY.Key_Return, CTRL)
    until(lambda: "No picture is left to check: 2 of 3 checked, 1 cannot be read." in said)
    assert "c.png" in said[0]


@pytest.mark.slow
def test_what_is_said_of_a_picture_that_was_passed_goes_with_the_next_one(editor: Editor, folder: Path) -> None:
    spoil(folder, "b.png")
    editor.labels.open(folder)
    at(editor, 1)
    strike(editor, KEY.Key_Right, ALT)
    at(editor, 3)
    until(lambda: "b.png" in editor.window.status.notice.text())
    strike(editor, KEY.Key_Left, ALT)
    at(editor, 1)
    assert "b.png" not in editor.window.status.notice.text()


@pytest.mark.slow
def test_whose_step_was_undone_is_said_until_the_next_picture_comes(begun: Editor) -> None:
    first = active(begun)
    strike(begun, KEY.Key_A, SHIFT)
    drag_wrist(begun, QPoint(20, -40))
    begun.session.select(first.id)
    strike(begun, KEY.Key_Z, CTRL)
    until(lambda: begun.window.status.notice.text().startswith("Undone for Person 2"))
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert "Undone" not in begun.window.status.notice.text()


def test_the_page_of_keys_begins_with_those_for_labelling_while_a_folder_is_open(begun: Editor) -> None:
    first: list[str] = []

    def look(page: ShortcutsDialog) -> None:
        first.append(page.shown()[0])
        button("Close")(page)

    for _ in range(2):
        with answering(look, kind=ShortcutsDialog):
            strike(begun, KEY.Key_F1)
        strike(begun, KEY.Key_W, CTRL)  # the second time there is no folder to leave
    assert first == ["Ctrl+Return", "Drag a handle"]


def test_the_key_says_that_the_next_picture_is_still_being_opened(begun: Editor) -> None:
    activated(begun.window)
    begun.viewport.setFocus()
    begun.refresh()
    QTest.keyClick(begun.viewport, KEY.Key_Right, ALT)
    QTest.keyClick(begun.viewport, KEY.Key_Right, ALT)  # of this one nothing was opened before
    assert walk(begun).opening == "c.png"
    QTest.keyClick(begun.viewport, KEY.Key_Return, CTRL)
    assert "Wait until c.png is open" in begun.window.status.notice.text()
    at(begun, 3)
    assert "c.png" not in begun.window.status.notice.text()


@pytest.mark.slow
def test_a_picture_behind_a_photo_that_is_gone_is_in_front_when_it_opens_and_can_be_checked(
    editor: Editor, folder: Path
) -> None:
    files = files_of(folder, folder / FOLDER)[0]
    gone = Photo(str(folder / "gone.jpg"), "0" * 64, CAMERA)
    save_label(files, edits.choose_photo(1)(edits.add_photo(gone)(scene_of(files.picture))), checked=False)
    editor.labels.open(folder)
    at(editor, 1)
    show_photo(editor.session, 1)
    strike(editor, KEY.Key_Right, ALT)
    at(editor, 2)
    strike(editor, KEY.Key_Left, ALT)  # its undo steps are there, and the other photo is in front once more
    until(lambda: walk(editor).place == 0 and not walk(editor).opening)
    strike(editor, KEY.Key_Return, CTRL)
    assert "in front (gone.jpg). Press Ctrl+0 until a.png shows" in editor.window.status.notice.text()
    strike(editor, KEY.Key_0, CTRL)
    at(editor, 1)
    strike(editor, KEY.Key_Return, CTRL)
    at(editor, 2)
    assert label(folder, "a")["checked"] is True
    assert label(folder, "a")["picture"]["path"].endswith(NAMES[0])
