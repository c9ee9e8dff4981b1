"""Files held over the window: what a drop would do, where, and what is of no use, said before they are let go."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from window_driver import settled, strike, until

from app.dialogs import messages
from app.document.exchange import label
from app.document.exchange.file_kind import OF_FORMATS
from app.document.scene_file import table as scene_file
from app.document.scene_file.io import save_scene
from app.library import folders
from app.window.controls.file_drop import ON_THE_WEB
from app.window.editor import Editor
from solver.formats.pose_json import read as pose_file

pytestmark = pytest.mark.gl
COPY, LEFT, NO_KEYS = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
AT = QPoint(50, 80)


class Carried:
    """Files that the pointer carries, as Qt tells a part of the window of them."""

    def __init__(self, *files: Path) -> None:
        self.data = QMimeData()
        self.data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])

    def over(self, part: QWidget) -> bool:
        """Come in and move; whether the pointer shows that a drop does anything."""
        entered = QDragEnterEvent(AT, COPY, self.data, LEFT, NO_KEYS)
        QApplication.sendEvent(part, entered)
        assert entered.isAccepted(), "else nobody tells when they leave"
        moved = QDragMoveEvent(AT + QPoint(9, 9), COPY, self.data, LEFT, NO_KEYS)
        QApplication.sendEvent(part, moved)
        return moved.isAccepted()

    def away(self, part: QWidget) -> None:
        QApplication.sendEvent(part, QDragLeaveEvent())

    def drop(self, part: QWidget) -> None:
        QApplication.sendEvent(part, QDropEvent(QPointF(AT), COPY, self.data, LEFT, NO_KEYS))


@pytest.fixture
def files(tmp_path: Path, editor: Editor) -> dict[str, Path]:
    """A file of each kind, by what it is."""
    pose = next(folders.shipped_folder().rglob("*.json"))
    made = {
        name: tmp_path / name
        for name in ("scene.json", "beach.jpg", "walk.bvh", "cup.obj", "notes.txt", "cut.mp4", "empty.glb")
    }
    made["empty.glb"].touch()
    save_scene(made["scene.json"], editor.session.document)
    Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save(made["beach.jpg"])
    made["walk.bvh"].write_text("HIERARCHY\n", encoding="utf-8")
    made["cup.obj"].write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    made["notes.txt"].write_text("to do", encoding="utf-8")
    made["cut.mp4"].write_bytes(b"\0\0\0\x18ftypmp42")
    return {**made, "pose.json": pose, "pictures": tmp_path}


def test_what_a_drop_does_is_said_over_the_view_until_the_files_leave(editor: Editor, files: dict[str, Path]) -> None:
    for name, does, more in (
        ("beach.jpg", "Open as a photo, its people as bodies to pose", ""),
        ("scene.json", "Open the scene", "in place of this one"),
        ("pose.json", "Add its people in their poses", "in place of the person of the start"),
        ("walk.bvh", "Add a person with this motion", "in place of the person of the start"),
        ("cup.obj", "Add as a prop", "on the floor in front of you"),
        ("pictures", "Label its pictures", "one after the other"),
    ):
        carried = Carried(files[name])
        assert carried.over(editor.window)
        card = editor.drops.preview.card
        assert card.isVisible()
        assert card.geometry() == editor.viewport.rect()
        ((said, what),) = card.lines
        assert said == does
        assert what.startswith(files[name].name)
        assert what.endswith(more)
        carried.away(editor.window)
        assert not card.isVisible()


def test_what_is_said_covers_the_view_when_the_window_becomes_smaller(editor: Editor, files: dict[str, Path]) -> None:
    Carried(files["cup.obj"]).over(editor.window)
    before = editor.viewport.rect()
    editor.window.resize(editor.window.width() - 90, editor.window.height() - 70)
    until(lambda: editor.viewport.rect() != before)
    until(lambda: editor.drops.preview.card.geometry() == editor.viewport.rect())


def test_a_file_of_no_use_is_refused_with_the_way_out(editor: Editor, files: dict[str, Path]) -> None:
    for name, way_out in (
        ("notes.txt", "Choose a photo"),
        ("cut.mp4", "Save the images"),
        ("empty.glb", "empty.glb is empty. Save or copy it again"),
    ):
        carried = Carried(files[name])
        assert not carried.over(editor.window), "the pointer shows that it is forbidden"
        ((said, why),) = editor.drops.preview.card.lines
        assert said == "Not opened"
        assert way_out in why
        carried.away(editor.window)
    assert Carried(files["notes.txt"], files["cup.obj"]).over(editor.window), "one of them is of use"


def test_what_is_dragged_out_of_a_browser_is_refused_with_the_way_out(editor: Editor) -> None:
    carried = Carried()
    carried.data.setUrls([QUrl("https://example.org/beach.jpg")])
    assert not carried.over(editor.window)
    assert editor.drops.preview.card.isVisible()
    assert editor.drops.preview.card.lines == (("Not opened", ON_THE_WEB),)
    carried.away(editor.window)
    assert not editor.drops.preview.card.isVisible()
    plain = QMimeData()
    plain.setText("to do")
    entered = QDragEnterEvent(AT, COPY, plain, LEFT, NO_KEYS)
    QApplication.sendEvent(editor.window, entered)
    assert not entered.isAccepted(), "text is nobody's"
    assert not editor.drops.preview.card.isVisible()


def test_a_name_that_no_disk_takes_is_refused_like_any_other(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    carried = Carried(tmp_path / ("a" * 300 + ".json"))
    assert not carried.over(editor.window)
    assert editor.drops.preview.card.lines[0][0] == "Not opened"
    editor.files.open_path(tmp_path / ("a" * 300 + ".json"))
    until(lambda: bool(refused))


def said_of(editor: Editor, file: Path, holds: bytes) -> str:
    """Write the file and hold it over the window for a moment; what a drop would do."""
    file.write_bytes(holds)
    carried = Carried(file)
    assert carried.over(editor.window)
    does: str = editor.drops.preview.card.lines[0][0]
    carried.away(editor.window)
    return does


def test_a_glb_file_is_a_person_where_it_has_a_skin_and_else_a_prop(editor: Editor, tmp_path: Path) -> None:
    for number, (holds, does) in enumerate(
        (
            (b'{"skins": []}', "Add a person in this pose"),
            (b'{"meshes": []}', "Add as a prop"),
            (b'{"skins": [], "animations": []}', "Add a person with this motion"),
            (b'{"nodes": []}', "Add a person in this pose"),
        )
    ):
        assert said_of(editor, tmp_path / f"{number}.glb", b"glTF\2\0\0\0" + holds) == does


def test_an_archive_is_of_use_only_where_it_packs_arrays(editor: Editor, tmp_path: Path) -> None:
    photos, motion = tmp_path / "photos.zip", tmp_path / "motion.zip"
    with zipfile.ZipFile(photos, "w") as archive:
        archive.writestr("beach.jpg", b"\xff\xd8")
    assert not Carried(photos).over(editor.window)
    (said,) = editor.drops.preview.card.lines
    assert said[0] == "Not opened"
    assert said[1].endswith("Unpack it, and open the files in it.")
    with motion.open("wb") as file:
        np.savez(file, poses=np.zeros((2, 156)))
    assert Carried(motion).over(editor.window)
    assert editor.drops.preview.card.lines[0][0] == "Add a person with this motion"


def test_what_else_a_json_file_tells_is_people(editor: Editor, tmp_path: Path) -> None:
    for number, (holds, does) in enumerate(
        (
            (b'{"format": "contrapposto-label"}', "Add its people in their poses"),
            (b'{"format": "openpose"}', "Add the people it describes"),
            (b"[1, 2]", "Add the people it describes"),
            (b"{", "Add the people it describes"),
        )
    ):
        assert said_of(editor, tmp_path / f"{number}.json", holds) == does


def test_the_names_of_formats_are_those_that_are_read() -> None:
    known = {pose_file.FORMAT: "pose", scene_file.FORMAT: "scene", label.FORMAT: "label"}
    assert {format.decode(): kind for format, kind in OF_FORMATS.items()} == known


def test_of_several_files_the_later_ones_find_what_the_first_brings(editor: Editor, files: dict[str, Path]) -> None:
    carried = Carried(files["pose.json"], files["walk.bvh"], files["scene.json"])
    carried.over(editor.window)
    said = [more for _, more in editor.drops.preview.card.lines]
    for line, more in zip(said, ("person of the start", "those who are here", "this one first"), strict=True):
        assert line.endswith(more)
    Carried(files["notes.txt"], files["pose.json"]).over(editor.window)
    assert editor.drops.preview.card.lines[1][1].endswith("person of the start"), "what is not opened brings nothing"


def test_of_many_files_three_are_told_and_the_others_counted(editor: Editor, files: dict[str, Path]) -> None:
    of_no_use = [files["notes.txt"], files["cut.mp4"], files["notes.txt"]]
    assert not Carried(*of_no_use).over(editor.window)
    assert Carried(*of_no_use, files["cup.obj"], files["walk.bvh"]).over(editor.window), "the others may be of use"
    said = [does for does, _ in editor.drops.preview.card.lines]
    assert said == ["Not opened"] * 3 + ["and 2 more"]


def test_a_user_with_unsaved_work_is_told_where_it_stays(editor: Editor, files: dict[str, Path]) -> None:
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    for name, more in (("beach.jpg", "or a new one"), ("scene.json", "asked about this one first"),
                       ("pose.json", "beside those who are here")):  # fmt: skip
        Carried(files[name]).over(editor.window)
        assert editor.drops.preview.card.lines[0][1].endswith(more)


def test_a_drop_takes_what_was_said_away_and_does_it(editor: Editor, files: dict[str, Path]) -> None:
    carried = Carried(files["cup.obj"])
    carried.over(editor.window)
    carried.drop(editor.window)
    assert not editor.drops.preview.card.isVisible()
    until(lambda: len(editor.session.document.props) == 1)


@pytest.mark.slow
def test_over_the_library_pose_files_are_copied_and_others_refused(
    editor: Editor, files: dict[str, Path], tmp_path: Path, own: Path
) -> None:
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    panel = editor.pose_browsers.library.panel
    assert not Carried(files["cup.obj"]).over(panel)
    assert panel.card.lines[0][0] == "Not copied"
    assert not Carried(files["scene.json"]).over(panel), "it says what it is"
    Carried(files["cup.obj"]).away(panel)
    assert not panel.card.isVisible()
    loud = tmp_path / "LOUD.JSON"
    loud.write_bytes(files["pose.json"].read_bytes())
    assert Carried(loud).over(panel), "a suffix is one in capitals, too"
    carried = Carried(files["pose.json"])
    assert carried.over(panel)
    assert panel.card.lines[0] == ("Copy to My poses", files["pose.json"].name)
    assert panel.card.geometry() == panel.rect()
    carried.drop(panel)
    assert not panel.card.isVisible()
    assert (tmp_path / "poses" / files["pose.json"].name).exists()
