"""Files that the system does not look for: names too long and, likewise, folders of others and disks that are gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, export_or_cancel, naming
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_driver import strike, until

from app.dialogs.export_dialog import ExportDialog
from app.document.edits import set_photo
from app.document.model.document import Photo
from app.document.posing.create import new_document
from app.document.scene_file.io import save_scene
from app.document.scene_file.own_files import check_not_own_files, own_files
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
TOO_LONG = "n" * 300
CAMERA = PinholeCamera(np.float32([0.6, 1.2, 4.5]), np.eye(3, dtype=np.float32), 360.0, (160.0, 120.0), (320, 240))


def page(title: str) -> Callable[[ExportDialog], None]:
    def do(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        QTest.mouseClick(
            next(b for b in dialog.format.findChildren(QPushButton) if b.text() == title), Qt.MouseButton.LeftButton
        )
        export_or_cancel(dialog)

    return do


def test_several_people_under_a_name_too_long_are_refused_and_another_name_is_asked_for(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    until(lambda: len(editor.session.document.characters) == 2)
    begun = naming(monkeypatch, tmp_path / TOO_LONG, tmp_path / "short")
    with answering(page("BVH"), kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    until(lambda: not editor.jobs.busy)
    assert len(begun) == 2
    assert [text.endswith("the name is too long. Nothing was written. Choose a shorter one.") for text in said] == [
        True
    ]
    assert len(list(tmp_path.glob("short_*.bvh"))) == 2


def test_a_scene_whose_photo_is_out_of_reach_opens_and_says_so(editor: Editor, tmp_path: Path, said: list[str]) -> None:
    photo = Photo(str(tmp_path / f"{TOO_LONG}.png"), "0" * 64, CAMERA)
    save_scene(tmp_path / "scene.json", replace(new_document(), photos=(photo,)))
    editor.files.open_path(tmp_path / "scene.json")
    until(lambda: not editor.jobs.busy and editor.session.document.photo is not None)
    until(lambda: bool(said))
    assert said[0].startswith(f"{photo.path}: the scene's photo is not there")
    editor.refresh()
    assert not editor.panels.photo.find_file.isHidden()


def test_a_label_under_a_name_too_long_is_refused_and_another_name_is_asked_for(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    picture = tmp_path / "meadow.png"
    Image.new("RGB", (320, 240), (20, 140, 90)).save(picture)
    editor.session.edit("Photo", set_photo(Photo(str(picture), "0" * 64, CAMERA)))
    editor.refresh()
    begun = naming(monkeypatch, tmp_path / TOO_LONG, tmp_path / "short")
    editor.actions["file.save_label"].trigger()
    assert len(begun) == 2
    assert ["the name is too long" in text for text in said] == [True]
    assert (tmp_path / "short.json").exists()


def test_dialogs_begin_in_the_folder_of_a_latest_file_that_is_out_of_reach(editor: Editor, tmp_path: Path) -> None:
    gone = tmp_path / TOO_LONG
    editor.settings.set(recent=(str(gone),))
    assert editor.settings.usual_folder() == gone.parent


def test_a_photo_whose_name_no_file_can_have_keeps_no_export_from_a_file_that_is_there(tmp_path: Path) -> None:
    document = replace(new_document(), photos=(Photo("a\0b.png", "0" * 64, CAMERA),))
    target = tmp_path / "walk.bvh"
    target.touch()
    check_not_own_files([target], own_files(document, None))
