"""A folder of small pictures to be labelled in the window, and how a user does it."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, settled, until

from app.dialogs import folder_dialog
from app.document import edits
from app.document.exchange.label_files import COCO_FILE, FOLDER, files_of
from app.document.exchange.label_folder import save_label
from app.document.model.document import Document, Photo
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character
from app.document.scene_file.photo_link import sha256_of
from app.labelling.bar import LabelBar
from app.labelling.labelling import Labelling
from app.window.editor import Editor
from solver.camera import PinholeCamera

CAMERA = PinholeCamera(np.float32([0.0, 1.0, 3.2]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
NAMES = ("a.png", "b.png", "c.png")


def scene_of(picture: Path, people: int = 1) -> Document:
    document = Document()
    for number in range(people):
        person = new_character(document, f"Person {number + 1}")
        document = edits.add_character(person)(document)
    return edits.add_photo(Photo(str(picture), sha256_of(picture), CAMERA))(document)


def prepared(parent: Path) -> Path:
    """Three small pictures, each with a proposal of one person, of the second of two."""
    folder = parent / "shoot"
    (folder / FOLDER).mkdir(parents=True)
    for shade, name in enumerate(NAMES):
        Image.new("RGB", (800, 600), (20 + 60 * shade, 140, 90)).save(folder / name)
    for place, files in enumerate(files_of(folder, folder / FOLDER)):
        save_label(files, scene_of(files.picture, 2 if place == 1 else 1), checked=False)
    return folder


def opened(editor: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """The window with the folder, opened by its command."""
    monkeypatch.setattr(folder_dialog, "choose_folder", lambda *_: str(folder))
    editor.actions["file.label"].trigger()
    at(editor, 1)
    return editor


def label(folder: Path, name: str) -> dict:  # type: ignore[type-arg]
    return dict(json.loads((folder / FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def coco(folder: Path) -> dict:  # type: ignore[type-arg]
    return dict(json.loads((folder / FOLDER / COCO_FILE).read_text(encoding="utf-8")))


def walk(editor: Editor) -> Labelling:
    assert editor.labels.labelling is not None
    return editor.labels.labelling


def at(editor: Editor, place: int) -> None:
    """Until the picture at a place, from 1, is open and has been seen, so that it may be checked."""
    until(lambda: editor.labels.labelling is not None and walk(editor).place == place - 1 and not walk(editor).opening)
    until(lambda: walk(editor).look.taken)
    until(lambda: not any(thread.name == "photo" for thread in threading.enumerate()))  # its pixels are there
    settled(editor.session)


def bar(editor: Editor) -> LabelBar:
    found = editor.window.findChild(LabelBar)
    assert found is not None
    return found


def wrist(document: Document) -> np.ndarray:
    (person, *_) = document.characters
    return np.asarray(joints_of(person).positions[skeleton_of(person).index("left_wrist")])


def drag_wrist(editor: Editor, by: QPoint) -> np.ndarray:
    """Drag the left hand's handle through the photo's camera; where the wrist is then."""
    mouse = ViewMouse(editor)
    active = editor.session.active
    assert active is not None
    target = next(e for e in active.effectors if e.joint == "left_wrist").target
    mouse.drag(mouse.place(target), by * 0.5, by)
    settled(editor.session)
    until(lambda: not editor.session.in_step)
    return wrist(editor.session.document)
