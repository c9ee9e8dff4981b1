"""The export dialog, by mouse and keys: what it asks for each format, and the file that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, export_or_cancel, naming
from gltf_reader import read_glb
from motion_samples import look_at_frame, strolling
from photographed_people import CAMERA, put_before_green
from PIL import Image
from prop_driver import added
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton, QSpinBox
from trackers_driver import choose
from window_driver import ViewMouse, active, laid_out, settled, strike, until

from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.document.exchange.open_file import LEFT_OUT
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from app.window.editor import Editor
from solver.formats.pose_json.write import read_pose_json
from solver.formats.smpl.npz import read_smpl_npz

pytestmark = pytest.mark.gl

LEFT = Qt.MouseButton.LeftButton
FRAMES = 12


@pytest.fixture
def walking(editor: Editor) -> Editor:
    """The window with somebody who walks, looked at at the fifth frame."""
    editor.session.edit("Walk", edits.import_motion("c1", strolling(FRAMES)))
    look_at_frame(editor.session, "c1", 4)
    editor.refresh()
    return editor


def press(dialog: ExportDialog, title: str) -> None:
    """Click a format."""
    QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == title), LEFT)


def tick(box: QCheckBox) -> None:
    """Click a box where its little square is."""
    QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))


def export(
    editor: Editor,
    target: Path,
    monkeypatch: pytest.MonkeyPatch,
    *doings: Callable[[ExportDialog], None],
    offered: list[str] | None = None,
) -> None:
    """Ctrl+E, what is done in the dialog, its button, and the name of the file; until it is written."""
    begun = naming(monkeypatch, target)

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)  # before, the window behind it would take keys for its own
        for do in doings:
            do(dialog)
        export_or_cancel(dialog)

    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    until(lambda: not editor.jobs.busy)
    if offered is not None:
        offered.append(begun[0])


def test_a_name_without_the_ending_of_its_format_gets_it(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for typed, written in (("walk 1.2", "walk 1.2.bvh"), ("a.BVH", "a.BVH")):
        folder = tmp_path / written
        folder.mkdir()
        export(walking, folder / typed, monkeypatch, lambda d: press(d, "BVH"))
        assert [file.name for file in folder.iterdir()] == [written]


def test_what_is_said_about_blender_goes_with_the_unit_chosen(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def choose_units(dialog: ExportDialog) -> None:
        press(dialog, "BVH")
        for unit in ("cm", "m"):
            choose(dialog.unit, unit)
            said.append(dialog.hint.text())

    export(walking, tmp_path / "a.bvh", monkeypatch, choose_units)
    assert "scale 0.01" in said[0]
    assert "default settings" in said[1]


@pytest.mark.slow
def test_files_with_names_that_are_there_already_are_asked_about(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walking.posing.add_person()
    there = tmp_path / "all_Person 2.bvh"
    there.write_text("mine", encoding="utf-8")
    asked: list[tuple[str, int]] = []

    def keep(_parent: object, name: str, further: int) -> bool:
        asked.append((name, further))
        return len(asked) > 1

    monkeypatch.setattr("app.dialogs.messages.ask_to_replace", keep)
    export(walking, tmp_path / "all.bvh", monkeypatch, lambda d: press(d, "BVH"))
    assert asked == [("all_Person 2.bvh", 0)]
    assert there.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "all_Person 1.bvh").exists()
    export(walking, tmp_path / "all.bvh", monkeypatch, lambda d: press(d, "BVH"))
    assert there.read_text(encoding="utf-8") != "mine"
    assert (tmp_path / "all_Person 1.bvh").exists()


@pytest.mark.slow
def test_an_export_is_never_offered_or_written_over_the_scene_or_its_photo(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, photo, said, offered = tmp_path / "green.json", tmp_path / "green.png", list[str](), list[str]()
    put_before_green(walking, tmp_path, CAMERA)
    monkeypatch.setattr("app.window.files.QFileDialog.getSaveFileName", lambda *_: (str(scene), ""))
    strike(walking, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    before = scene.read_bytes(), photo.read_bytes()
    monkeypatch.setattr("app.dialogs.messages.refuse", lambda _parent, text: said.append(text))
    for title, own in (("Pose JSON", scene), ("Picture", photo)):
        export(walking, own, monkeypatch, lambda d, title=title: press(d, title), offered=offered)
    (tmp_path / "short cut").symlink_to(tmp_path, target_is_directory=True)
    export(walking, tmp_path / "short cut" / "green.png", monkeypatch, lambda d: press(d, "Picture"))
    assert offered == [str(tmp_path / "green_export.json"), str(tmp_path / "green_export.png")]
    what = ("the scene itself", "a photo of this scene", "a photo of this scene")
    assert [f"is {part}, which" in text for part, text in zip(what, said, strict=True)] == [True] * 3
    assert (scene.read_bytes(), photo.read_bytes()) == before


@pytest.mark.slow
def test_pose_json_takes_the_motion_along_unless_its_box_is_cleared(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(walking, tmp_path / "all.json", monkeypatch, lambda d: press(d, "Pose JSON"))
    (person,) = read_pose_json(tmp_path / "all.json").people
    assert person.motion is not None
    assert (len(person.motion), person.frame) == (FRAMES, 4)
    export(walking, tmp_path / "one.json", monkeypatch, lambda d: press(d, "Pose JSON"), lambda d: tick(d.whole))
    assert read_pose_json(tmp_path / "one.json").people[0].motion is None


def test_an_smpl_motion_is_written_with_every_frame(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(walking, tmp_path / "walk.npz", monkeypatch, lambda d: press(d, "SMPL"))
    assert len(read_smpl_npz(tmp_path / "walk.npz")) == FRAMES


@pytest.mark.slow
def test_a_glb_file_has_a_skeleton_and_the_motion_unless_its_box_is_cleared(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def look(dialog: ExportDialog) -> None:
        seen.append(dialog.names.isVisible())

    mesh = [lambda d: press(d, "Mesh"), look]
    export(walking, tmp_path / "a.glb", monkeypatch, *mesh, lambda d: tick(d.fingers))
    gltf = read_glb(tmp_path / "a.glb")
    assert len(gltf.joints_at()) == 57
    assert len(gltf.content["animations"]) == 1
    export(walking, tmp_path / "b.glb", monkeypatch, *mesh, lambda d: tick(d.skinned), look)
    assert "skins" not in read_glb(tmp_path / "b.glb").content
    assert seen == [True, True, False]


def test_other_meshes_are_asked_nothing_about_joints(editor: Editor) -> None:
    seen: dict[str, bool] = {}

    def look(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        press(dialog, "Mesh")
        dialog.mesh.setFocus()
        for _ in range(3):
            seen[dialog.choice().format] = dialog.skinned.isVisible() and dialog.names.isVisible()
            QTest.keyClick(dialog.mesh, Qt.Key.Key_Down)
        button("Cancel")(dialog)

    with answering(look, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert seen == {"glb": True, "obj": False, "stl": False}


def test_the_played_range_alone_is_written_where_its_box_is_ticked(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def frames(*steps: Callable[[ExportDialog], None]) -> str:
        export(walking, tmp_path / "a.bvh", monkeypatch, lambda d: press(d, "BVH"), *steps)
        return next(line for line in (tmp_path / "a.bvh").read_text().splitlines() if line.startswith("Frames:"))

    def is_offered(dialog: ExportDialog) -> None:
        offered.append(dialog.played.text() if dialog.played.isVisible() else "")

    offered = list[str]()
    assert frames(is_offered) == f"Frames: {FRAMES}"
    rate = walking.session.document.actors[0].clip.fps
    walking.session.set_view(range_s=(1 / rate, 3 / rate))
    assert frames(is_offered) == f"Frames: {FRAMES}", "all of it, unless something else is asked for"
    assert frames(lambda d: tick(d.played)) == "Frames: 3"
    assert frames(lambda d: tick(d.whole), is_offered) == "Frames: 1"
    assert offered == ["", "Only the range that is played, frames 2 to 4", ""]


def test_nobody_is_asked_about_a_motion_where_nobody_moves(editor: Editor) -> None:
    shown: dict[str, bool] = {}

    def look(dialog: ExportDialog) -> None:
        for title in ("BVH", "Pose JSON", "SMPL", "Mesh", "Picture"):
            press(dialog, title)
            shown[title] = dialog.whole.isVisible()
            assert dialog.choice().whole_motion is False
        button("Cancel")(dialog)

    with answering(look, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert set(shown.values()) == {False}


def test_beside_somebody_who_moves_a_still_person_has_no_motion_for_a_character_of_ones_own(walking: Editor) -> None:
    strike(walking, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    until(lambda: len(walking.session.document.characters) == 2)
    shown: list[bool] = []

    def look(dialog: ExportDialog) -> None:
        for title in ("Your character", "Pose JSON"):
            press(dialog, title)
            shown.append(dialog.whole.isVisible())
        button("Cancel")(dialog)

    with answering(look, kind=ExportDialog):
        strike(walking, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert shown == [False, True], "everybody is in a pose file"


def shown_joints(editor: Editor) -> np.ndarray:
    """(F, J, 3) metres, everybody's joints in every frame of the one person there is."""
    document = editor.session.document
    (actor,) = document.actors
    frames = range(len(actor.clip))
    return np.stack([joints_of(document.at_frame(actor.id, f).character(actor.id)).positions for f in frames])


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("title", "suffix", "mm"), [
    ("BVH", "bvh", 2.0), ("Pose JSON", "json", 0.01), ("Mesh", "glb", 2.0),
])  # fmt: skip
def test_an_edited_motion_is_there_again_when_its_export_is_opened(
    walking: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str, suffix: str, mm: float
) -> None:
    session, mouse = walking.session, ViewMouse(walking)
    wrist = next(e for e in active(walking).effectors if e.joint == "left_wrist")
    mouse.drag(mouse.place(wrist.target), QPoint(4, -10), QPoint(10, -40))
    settled(session)
    until(lambda: not walking.jobs.busy and not walking.in_betweens.missing("c1"))
    edited = shown_joints(walking)
    target = tmp_path / f"out.{suffix}"
    export(walking, target, monkeypatch, lambda d: press(d, title))
    session.history.mark_saved()
    session.open(new_document())
    monkeypatch.setattr("app.window.files.QFileDialog.getOpenFileName", lambda *_: (str(target), ""))
    strike(walking, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    until(lambda: not walking.jobs.busy and bool(session.history.steps()))
    settled(session)
    opened = shown_joints(walking)
    assert len(opened) == FRAMES
    assert opened == pytest.approx(edited, abs=mm / 1000)
    assert session.document.actors[0].clip.fps == 30.0


@pytest.mark.sweep("True")
@pytest.mark.parametrize("held", [True, False])
def test_opening_a_person_s_glb_says_that_the_prop_in_it_is_left_out(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    if held:
        added(editor, "box")
    export(editor, tmp_path / "out.glb", monkeypatch, lambda d: press(d, "Mesh"))
    before = editor.session.document
    monkeypatch.setattr("app.window.files.QFileDialog.getOpenFileName", lambda *_: (str(tmp_path / "out.glb"), ""))
    strike(editor, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    until(lambda: editor.window.status.notices.shown.startswith("Opened out.glb."))
    assert editor.session.document.props == before.props
    assert (LEFT_OUT in editor.window.status.notices.shown) == held


def type_side(box: QSpinBox, pixels: int) -> None:
    """Click a field, select what is there, type a number and go on to the next field."""
    QTest.mouseClick(box.lineEdit(), LEFT)
    QTest.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(box, str(pixels))
    QTest.keyClick(box, Qt.Key.Key_Tab)


@pytest.mark.slow
def test_the_height_of_a_picture_follows_its_width_unless_it_shall_not(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[tuple[int, int]] = []
    view = editor.viewport.width() / editor.viewport.height()

    def note_size(dialog: ExportDialog) -> None:
        sizes.append((dialog.width_px.value(), dialog.height_px.value()))

    export(
        editor,
        tmp_path / "a.png",
        monkeypatch,
        lambda d: press(d, "Picture"),
        lambda d: type_side(d.width_px, 900),
        note_size,
        lambda d: type_side(d.height_px, 300),
        note_size,
        lambda d: tick(d.proportions),
        lambda d: type_side(d.width_px, 200),
        note_size,
    )
    assert sizes[0] == (900, round(900 / view))
    assert sizes[1] == (pytest.approx(300 * view, abs=1), 300)
    assert sizes[2] == (200, 300)
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (200, 300)


@pytest.mark.slow
def test_outlines_over_a_photo_are_as_much_wider_as_the_picture_is_larger(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_before_green(editor, tmp_path, CAMERA)
    editor.session_view.look_through(through=True)
    editor.refresh()
    strike(editor, Qt.Key.Key_O, Qt.KeyboardModifier.ShiftModifier)
    assert editor.session.view.outline
    shares = []
    for width in (editor.viewport.width(), 3 * editor.viewport.width()):
        target = tmp_path / f"{width}.png"
        export(
            editor, target, monkeypatch, lambda d: press(d, "Picture"),
            lambda d: d.transparent.isChecked() or tick(d.transparent),
            lambda d, width=width: type_side(d.width_px, width),
        )  # fmt: skip
        with Image.open(target) as picture:
            shares.append(float((np.asarray(picture)[..., 3] > 127).mean()))
    assert shares[0] > 0.0005
    assert shares[1] == pytest.approx(shares[0], rel=0.25), "the same share of the picture is line"


@pytest.mark.parametrize("format", ["bvh", "film"])
def test_the_names_of_the_formats_are_whole_however_narrow_the_dialog_is_made(walking: Editor, format: str) -> None:
    dialog = ExportDialog(walking.session, walking.settings.values, (800, 600), format, walking.window)
    dialog.show()
    dialog.resize(300, dialog.height())
    laid_out()
    cut = [b.text() for b in dialog.format.findChildren(QPushButton) if b.width() < b.minimumSizeHint().width()]
    assert cut == []
    dialog.close()
