"""Going to a picture of a folder, large or small, by its number or its name, by keyboard."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from dialog_driver import answering, button
from labelling_driver import at, drag_wrist, label, scene_of, walk, wrist
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_driver import strike, until

from app.dialogs.picture_choice import PictureChoice
from app.document.exchange.label_files import FOLDER, files_of
from app.document.exchange.label_folder import save_label
from app.document.scene_file.io import load_scene
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.slow]
KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT = HELD.ControlModifier, HELD.ShiftModifier


@pytest.fixture
def many(editor: Editor, folder: Path) -> Editor:
    """A window with 14 pictures, of which the last two are cat.png and dog.png; number 2 is left out."""
    for number in range(9):
        shutil.copy(folder / "c.png", folder / f"c{number}.png")
    for name in ("cat.png", "dog.png"):
        shutil.copy(folder / "c.png", folder / name)
    for place, files in enumerate(files_of(folder, folder / FOLDER)):
        save_label(files, scene_of(files.picture), checked=False, usable=place != 1)
    editor.labels.open(folder)
    at(editor, 1)
    return editor


def typed(text: str, *keys: Qt.Key) -> object:
    """Type into whatever has the keyboard in the dialog."""

    def answer(dialog: PictureChoice) -> None:
        assert QApplication.focusWidget() is dialog.sought, "one types at once"
        QTest.keyClicks(dialog.sought, text)
        for key in (*keys, KEY.Key_Return):
            QTest.keyClick(QApplication.focusWidget() or dialog, key)

    return answer


def go(editor: Editor, answer: object) -> PictureChoice:
    with answering(answer, kind=PictureChoice) as asked:  # type: ignore[arg-type]
        strike(editor, KEY.Key_G, CTRL)
    (dialog,) = asked
    assert isinstance(dialog, PictureChoice)
    return dialog


def test_a_number_or_a_part_of_a_name_leads_to_a_picture_and_keeps_the_one_before(many: Editor, folder: Path) -> None:
    after = drag_wrist(many, QPoint(20, -40))
    go(many, typed("3"))
    at(many, 3)  # and not number 13, or c3.png
    assert abs(wrist(load_scene(folder / FOLDER / "a.scene.json")) - after).max() < 1e-5
    assert label(folder, "a")["checked"] is False
    go(many, typed("dog"))
    at(many, 14)
    go(many, typed("c", KEY.Key_Down))
    at(many, 4)


def test_the_list_says_what_is_left_out_begins_at_the_open_picture_and_can_be_cancelled(many: Editor) -> None:
    seen: list[str] = []

    def look(dialog: PictureChoice) -> None:
        seen.extend(dialog.list.item(row).text() for row in range(3))
        seen.append(dialog.key)
        button("Cancel")(dialog)

    go(many, look)
    assert seen == ["1   a.png   ", "2   b.png   Left out", "3   c.png   ", "1"]
    assert walk(many).place == 0


def test_a_part_of_a_name_leads_to_a_picture_in_a_folder_of_three_as_well(begun: Editor) -> None:
    go(begun, typed("c.p"))
    at(begun, 3)


def test_after_the_last_picture_the_key_that_is_named_leads_to_the_one_still_unchecked(begun: Editor) -> None:
    go(begun, typed("c.p"))
    at(begun, 3)
    until(lambda: walk(begun).standing().seen)
    strike(begun, KEY.Key_Return, CTRL)
    left = "This is the last picture. 2 are not checked yet: Alt+Shift+Right leads there."
    until(lambda: begun.window.status.notices.shown == left)
    strike(begun, KEY.Key_Right, HELD.AltModifier | SHIFT)
    at(begun, 1)
