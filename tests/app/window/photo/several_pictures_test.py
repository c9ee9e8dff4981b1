"""A file with the key points of several pictures asks which one is wanted, and opens its people before that picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from dialog_driver import answering, button, key
from estimates_opening_test import STANDING
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import until

from app.cli.main import main
from app.dialogs.picture_choice import PictureChoice
from app.window.editor import Editor
from solver.estimates.point_layouts import BODY_25, COCO_17

pytestmark = pytest.mark.gl
OF_BODY_25 = {mark: place for place, mark in BODY_25.items()}
Answer = Callable[[PictureChoice], None]


def standing(shift: float) -> list[float]:
    """COCO's points of somebody who stands, so many pixels farther right."""
    flat = [0.0] * 51
    for place, mark in COCO_17.items():
        if (number := OF_BODY_25.get(mark)) in STANDING:
            x, y = STANDING[number]
            flat[3 * place : 3 * place + 3] = [x / 2 + 200 + shift, y, 2]
    return flat


@pytest.fixture
def key_points(tmp_path: Path) -> Path:
    """COCO's file of two pictures of one name in two folders: one person in the first, two in the second."""
    images, seen = [], ((1, 0.0), (2, -140.0), (2, 140.0))
    for number in (1, 2):
        folder = tmp_path / f"Tag {number}"
        folder.mkdir()
        Image.new("RGB", (800, 600), (60 * number, 140, 90)).save(folder / "Grüße.png")
        images.append({"id": number, "file_name": f"Tag {number}/Grüße.png", "width": 800, "height": 600})
    annotations = [{"id": i, "image_id": of, "keypoints": standing(shift)} for i, (of, shift) in enumerate(seen)]
    path = tmp_path / "coco.json"
    path.write_text(json.dumps({"images": images, "annotations": annotations}), encoding="utf-8")
    return path


def opened(editor: Editor, path: Path, answer: Answer) -> None:
    """Open the file, and answer the question which picture is wanted."""
    with answering(answer, kind=PictureChoice) as asked:
        editor.files.open_path(path)
        until(lambda: bool(asked) and not editor.jobs.busy)


def down_and_return(dialog: PictureChoice) -> None:
    key(Qt.Key.Key_Down)(dialog)
    key(Qt.Key.Key_Return)(dialog)


def test_the_picture_that_is_chosen_by_key_opens_with_its_people(editor: Editor, key_points: Path) -> None:
    listed: list[str] = []

    def answer(dialog: PictureChoice) -> None:
        listed.extend(dialog.list.item(row).text() for row in range(dialog.list.count()))
        down_and_return(dialog)

    opened(editor, key_points, answer)
    assert listed == ["Tag 1/Grüße.png   1 person", "Tag 2/Grüße.png   2 people"]
    until(lambda: len(editor.session.document.characters) == 2 and editor.session.document.photo is not None)
    photo = editor.session.document.photo
    assert photo is not None
    assert Path(photo.path) == key_points.parent / "Tag 2" / "Grüße.png"
    assert editor.session.view.through_photo


def test_nothing_is_opened_if_the_question_is_cancelled(editor: Editor, key_points: Path) -> None:
    before = editor.session.document
    opened(editor, key_points, button("Cancel"))
    assert editor.session.document is before


@pytest.mark.slow
def test_one_of_many_pictures_is_found_by_its_name(editor: Editor, key_points: Path) -> None:
    content = json.loads(key_points.read_text(encoding="utf-8"))
    images = [{"id": 10 + i, "file_name": f"{i:03d}.png"} for i in range(20)]
    others = [{"id": 10 + i, "image_id": 10 + i, "keypoints": standing(0.0)} for i in range(20)]
    content = {"images": images + content["images"], "annotations": others + content["annotations"]}
    key_points.write_text(json.dumps(content), encoding="utf-8")

    def answer(dialog: PictureChoice) -> None:
        QTest.keyClicks(dialog.sought, "nowhere")
        assert (dialog.key, dialog.list.currentItem()) == ("", None)
        dialog.sought.clear()
        QTest.keyClicks(dialog.sought, "tag 2")
        assert sum(not dialog.list.item(row).isHidden() for row in range(dialog.list.count())) == 1
        button("Open")(dialog)

    opened(editor, key_points, answer)
    until(lambda: len(editor.session.document.characters) == 2)


def test_of_two_pictures_of_one_name_the_command_line_takes_the_one_whose_folder_is_named(
    key_points: Path, tmp_path: Path
) -> None:
    for number in (1, 2):
        picture, out = tmp_path / f"Tag {number}" / "Grüße.png", tmp_path / f"{number}.json"
        assert main(["convert", str(key_points), "--picture", str(picture), "-o", str(out)]) == 0
        assert len(json.loads(out.read_text(encoding="utf-8"))["characters"]) == number
