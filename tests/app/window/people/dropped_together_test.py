"""Files and folders dropped together: one question, then one thing happens."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialog_driver import answering, button
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from window_driver import until

from app.dialogs import messages
from app.document import edits
from app.document.posing.create import new_document
from app.document.scene_file.io import save_scene
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def drop(editor: Editor, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    held = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    editor.window.dropEvent(QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, *held))


@pytest.fixture
def dropped(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two folders and a scene with a person called Eve."""
    document = edits.rename_character("c1", "Eve")(new_document())
    save_scene(tmp_path / "eve.json", document)
    for name in ("beach", "wood"):
        (tmp_path / name).mkdir()
    return tmp_path / "beach", tmp_path / "wood", tmp_path / "eve.json"


def test_a_folder_among_files_is_asked_about_once_and_left_out_if_the_files_are_wanted(
    editor: Editor, dropped: tuple[Path, Path, Path]
) -> None:
    labelled: list[Path] = []
    editor.files.hooks = editor.files.hooks._replace(open_folder=labelled.append)
    beach, _, scene = dropped
    with answering(button(messages.OPEN_FILES)) as asked:
        drop(editor, scene, beach)
        until(lambda: editor.session.document.characters[0].name == "Eve")
    assert "“beach”" in asked[0].text.text()  # type: ignore[attr-defined]
    assert labelled == []


def test_a_folder_among_files_is_labelled_alone_if_that_is_wanted_and_nothing_happens_otherwise(
    editor: Editor, dropped: tuple[Path, Path, Path]
) -> None:
    labelled: list[Path] = []
    editor.files.hooks = editor.files.hooks._replace(open_folder=labelled.append)
    with answering(button(messages.CANCEL)):
        drop(editor, *dropped)
    assert labelled == []
    with answering(button(messages.LABEL)) as asked:
        drop(editor, *dropped)
    assert labelled == [dropped[0]]
    assert "the other folder is left out" in asked[0].more.text()  # type: ignore[attr-defined]
    QTest.qWait(100)
    assert not editor.jobs.busy
    assert editor.session.untouched


def test_two_folders_alone_ask_whether_to_label_the_first(editor: Editor, dropped: tuple[Path, Path, Path]) -> None:
    labelled: list[Path] = []
    editor.files.hooks = editor.files.hooks._replace(open_folder=labelled.append)
    with answering(button(messages.LABEL)):
        drop(editor, *dropped[:2])
    assert labelled == [dropped[0]]


def test_the_card_says_so_while_they_are_held_over_the_window(editor: Editor, dropped: tuple[Path, Path, Path]) -> None:
    assert editor.drops.preview.hover([dropped[2], dropped[0]])
    lines = [(each.does, each.more) for _, each in editor.drops.preview._found]
    assert lines[1] == ("Label its pictures", "or open the rest: you will be asked")
    editor.drops.preview.hover([])
