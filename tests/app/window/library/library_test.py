"""The library of poses in the window: found, taken whole and in part, flipped, blended, walked through, saved."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox
from window_driver import NO_KEYS, active, answer_once_shown, laid_out, move_held, settled, strike, until

from app.dialogs import messages
from app.document import edits
from app.document.library.shelf import shelf_of
from app.document.model.figure import body_of, joints_of
from app.library import folders
from app.library.control import LibraryControl
from app.library.save_dialog import SaveDialog
from app.window.editor import Editor
from solver.body.floor import posed_vertices
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def library(own: Path, editor: Editor) -> Iterator[LibraryControl]:
    strike(editor, Qt.Key.Key_P, SHIFT)
    laid_out()
    yield editor.pose_browsers.library
    editor.session.history.mark_saved()


def names(library: LibraryControl) -> list[str]:
    return [entry.name for entry in library.panel.view.shelf.entries]


def find(library: LibraryControl, name: str) -> QPoint:
    """Type a name, choose the pose of that name; where its card is."""
    search, view = library.panel.search, library.panel.view
    search.clear()
    QTest.keyClicks(search, name)
    index = view.shelf.index(names(library).index(name))
    laid_out()
    place = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), LEFT, NO_KEYS, place)
    return place


def take(library: LibraryControl, name: str) -> None:
    QTest.mouseDClick(library.panel.view.viewport(), LEFT, NO_KEYS, find(library, name))


def joint(editor: Editor, name: str) -> np.ndarray:
    return active(editor).pose.rotations[SMPL_JOINTS.index(name)]


@pytest.mark.slow
def test_a_pose_whose_file_another_program_has_changed_is_taken_as_it_is_now(
    editor: Editor, library: LibraryControl, own: Path
) -> None:
    own.mkdir()
    shipped = {entry.name: entry.path for entry in library.shelf.entries}
    shutil.copy(shipped["Pray"], own / "Mine.json")
    library.read()
    library.take(library.shelf.entries[0])
    prays = joint(editor, "left_elbow")
    text = shipped["Deep squat"].read_text(encoding="utf-8")
    (own / "Mine.json").write_text(text, encoding="utf-8")
    library.read()
    library.take(library.shelf.entries[0])
    assert library.shelf.entries[0].path == own / "Mine.json"
    assert library.shelf.entries[0].name == "Deep squat"
    assert np.abs(joint(editor, "left_elbow") - prays).max() > 0.1


@pytest.mark.slow
def test_the_picture_of_a_file_that_was_overwritten_is_of_what_it_holds_now(library: LibraryControl, own: Path) -> None:
    def picture() -> QImage:
        card = library.shelf.entries[0]
        assert card.own
        until(lambda: library.pictures.of(card) is not None)
        shown = library.pictures.of(card)
        assert shown is not None
        return shown.toImage()

    own.mkdir()
    shipped = {entry.name: entry.path for entry in library.shelf.entries}
    shutil.copyfile(shipped["Pray"], own / "Mine.json")
    library.read()
    prays = picture()
    shutil.copyfile(shipped["Deep squat"], own / "Mine.json")
    library.read()
    squats = picture()
    assert squats != prays
    os.utime(own / "Mine.json", (1e9, 1e9))  # long ago: from now on it is not read again
    library.read()
    assert picture() == squats
    beside = QImage(60, 60, QImage.Format.Format_RGB32)
    beside.fill(QColor("#ff0000"))
    assert beside.save(str(own / "Mine.png"))
    library.read()
    assert picture().pixelColor(10, 10) == QColor("#ff0000")


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["Pray", "Lie face down", "Sprinter's start"])
def test_taking_a_pose_and_moving_a_hand_keeps_the_rest_of_it(
    editor: Editor, library: LibraryControl, name: str
) -> None:
    take(library, name)
    person = active(editor)
    before = joints_of(person).positions
    wrist = next(e for e in person.effectors if e.joint == "left_wrist")
    aside = edits.set_target(person.id, wrist.id, wrist.target + np.float32([0.01, 0.01, 0.0]))
    editor.session.edit("Move", edits.chain(edits.make_strict(person.id, [wrist.id]), aside), solve=True)
    settled(editor.session)
    away = np.linalg.norm(joints_of(active(editor)).positions - before, axis=1)
    assert away.max() < 0.06, SMPL_JOINTS[int(away.argmax())]


def moved_joints(before: Pose, after: Pose) -> set[str]:
    pairs = zip(SMPL_JOINTS, before.rotations, after.rotations, strict=True)
    return {name for name, was, now in pairs if not np.allclose(was, now)}


@pytest.mark.slow
def test_what_is_searched_for_is_applied_by_a_double_click_as_one_step(library: LibraryControl, editor: Editor) -> None:
    before, panel = active(editor), library.panel
    QTest.keyClicks(panel.search, "ballet")
    assert "Arabesque" in names(library)
    assert "Thinker" not in names(library)
    take(library, "Thinker")
    person = active(editor)
    assert editor.session.history.steps() == ("Apply “Thinker”",)
    assert person.pose.root_position[1] < 0.6
    assert posed_vertices(body_of(person), person.shape, person.pose)[:, 1].min() == pytest.approx(0.0, abs=1e-4)
    assert panel.share.value() == 100.0
    editor.session.undo()
    assert active(editor) == before
    assert panel.share.value() == 0.0
    until(lambda: library.pictures.of(panel.view.shelf.entries[0]) is not None)
    panel.search.setFocus()
    QTest.keyClicks(panel.search, "zzz")
    assert panel.said.text().startswith("Nothing is called that")
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    assert len(names(library)) >= 100
    assert [panel.folders.itemData(row) for row in range(panel.folders.count())][3:] == list(folders.CLASSES)
    take(library, "Shake hands")
    assert len(editor.session.document.characters) == 2


@pytest.mark.slow
def test_keys_walk_through_the_poses_and_apply_them(library: LibraryControl, editor: Editor) -> None:
    panel, session = library.panel, editor.session
    panel.choose_folder("Dancing")
    assert {entry.folder for entry in panel.view.shelf.entries} == {"Dancing"}
    first, second, third = names(library)[:3]
    panel.search.setFocus()
    QTest.keyClick(panel.search, Qt.Key.Key_Down)
    assert panel.view.hasFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Right)
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert session.history.steps() == (f"Apply “{second}”",)
    for key in (Qt.Key.Key_BracketRight, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketLeft):
        strike(editor, key)
    assert session.history.steps()[1:] == (f"Apply “{third}”", f"Apply “{second}”", f"Apply “{first}”")


@pytest.mark.slow
def test_the_slider_blends_from_what_was_there_as_one_step(library: LibraryControl, editor: Editor) -> None:
    find(library, "Deep squat")
    slider, start = library.panel.share, active(editor)
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, NO_KEYS, QPoint(5, middle.y()))
    for x in (slider.width() // 4, slider.width() // 2):
        move_held(slider, QPoint(x, middle.y()))
    QTest.mouseRelease(slider, LEFT, NO_KEYS, QPoint(slider.width() // 2, middle.y()))
    half = active(editor).pose.root_position[1]
    assert editor.session.history.steps() == ("Apply “Deep squat”",)
    assert 40 < slider.value() < 60
    QTest.mouseClick(library.panel.take, LEFT)
    whole = active(editor).pose.root_position[1]
    assert whole < half - 0.1 < start.pose.root_position[1] - 0.2


@pytest.mark.slow
def test_escape_puts_the_share_of_a_blend_back_and_the_slider_says_so(library: LibraryControl, editor: Editor) -> None:
    find(library, "Deep squat")
    slider, session = library.panel.share, editor.session
    middle = slider.rect().center()

    def scrub(start: QPoint, end: QPoint) -> None:
        QTest.mousePress(slider, LEFT, NO_KEYS, start)
        for step in (0.5, 1.0):
            move_held(slider, start + (end - start) * step)

    scrub(QPoint(5, middle.y()), middle)
    QTest.mouseRelease(slider, LEFT, NO_KEYS, middle)
    share, document = slider.value(), session.document
    scrub(middle, middle + QPoint(60, 0))
    assert slider.value() > share + 10
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    QTest.mouseRelease(slider, LEFT, NO_KEYS, middle + QPoint(60, 0))
    assert session.document == document
    assert slider.value() == share
    scrub(middle, middle - QPoint(40, 0))
    QTest.mouseRelease(slider, LEFT, NO_KEYS, middle - QPoint(40, 0))
    assert 0 < slider.value() < share, "and goes on from what was there before the blend"


def test_an_undo_in_the_middle_of_a_scrub_of_the_share_takes_it_back_for_good(
    library: LibraryControl, editor: Editor
) -> None:
    find(library, "Deep squat")
    slider, session, before = library.panel.share, editor.session, editor.session.document
    start = QPoint(5, slider.rect().center().y())
    QTest.mousePress(slider, LEFT, NO_KEYS, start)
    move_held(slider, start + QPoint(80, 0))
    assert session.document != before
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document == before
    move_held(slider, start + QPoint(90, 0))
    QTest.mouseRelease(slider, LEFT, NO_KEYS, start + QPoint(90, 0))
    assert (session.document, slider.value(), session.history.redo_text) == (before, 0.0, "Apply “Deep squat”")


@pytest.mark.slow
def test_a_pose_is_taken_flipped_in_part_and_with_its_place(library: LibraryControl, editor: Editor) -> None:
    panel, session = library.panel, editor.session
    session.edit("Move", edits.move_character(active(editor).id, (2.0, 0.0, 0.0)))
    before, arm = active(editor).pose, set(edits.SCOPES["right arm"])
    panel.parts.setCurrentText("Selected joints")
    take(library, "Wave")
    assert panel.said.text().startswith("No joint is selected")
    hand = next(e for e in active(editor).effectors if e.joint == "right_wrist")
    session.select(active(editor).id, [hand.id])
    QTest.mouseClick(panel.take, LEFT)
    assert panel.said.text().startswith("Wave"), "what was missing is there now"
    assert moved_joints(before, active(editor).pose)
    assert moved_joints(before, active(editor).pose) <= arm
    session.undo()
    panel.parts.setCurrentText("Right arm")
    QTest.mouseClick(panel.take, LEFT)
    assert moved_joints(before, active(editor).pose) <= arm
    panel.parts.setCurrentText("Whole body")  # what was taken is taken anew
    assert moved_joints(before, active(editor).pose) - arm
    right = joint(editor, "right_shoulder")
    QTest.mouseClick(panel.flip, LEFT)
    mirror = np.diag([-1.0, 1.0, 1.0])
    assert np.allclose(joint(editor, "left_shoulder"), mirror @ right @ mirror, atol=1e-4)
    assert active(editor).pose.root_position[0] == pytest.approx(2.0, abs=0.1)
    QTest.mouseClick(panel.place, LEFT)
    assert active(editor).pose.root_position[0] == pytest.approx(0.0, abs=0.1)
    session.edit("Move", edits.move_character(active(editor).id, (2.0, 0.0, 0.0)))
    take(library, "Wave")
    assert editor.window.status.notices.shown.startswith("Person 1 went 2.0 m, to where “Wave” was saved")


def test_a_pose_and_the_joints_chosen_for_it_afterwards_are_one_step_while_it_is_the_last_thing_done(
    library: LibraryControl, editor: Editor
) -> None:
    panel, history = library.panel, editor.session.history
    before, arm = active(editor).pose, set(edits.SCOPES["right arm"])
    take(library, "Wave")
    panel.parts.setFocus()
    while panel.parts.currentText() != "Right arm":
        place = panel.parts.currentIndex()
        QTest.keyClick(panel.parts, Qt.Key.Key_Down)
        assert panel.parts.currentIndex() > place
    assert moved_joints(before, active(editor).pose) <= arm
    assert len(history.steps()) == 1
    editor.session.undo()
    assert not moved_joints(before, active(editor).pose)
    QTest.mouseClick(panel.take, LEFT)
    editor.session.edit("Move", edits.move_character(active(editor).id, (2.0, 0.0, 0.0)))
    QTest.keyClick(panel.parts, Qt.Key.Key_Home)
    assert len(history.steps()) == 2, "what was done since stays a step of its own"


@pytest.mark.slow
def test_ones_own_poses_are_saved_and_found_and_the_programs_stay(
    library: LibraryControl, editor: Editor, own: Path
) -> None:
    def fill(dialog: SaveDialog) -> None:
        dialog.name.clear()
        QTest.keyClicks(dialog.name, "My stance")
        QTest.keyClicks(dialog.tags, "odd, new")
        QTest.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Save), LEFT)

    answer_once_shown(SaveDialog, fill)
    strike(editor, Qt.Key.Key_P, CTRL | SHIFT)
    (saved,) = shelf_of(own, own=True).entries
    assert (saved.name, saved.tags) == ("My stance", ("odd", "new"))
    assert saved.picture is not None
    assert names(library) == ["My stance"]
    view = library.panel.view
    assert view.entry is not None
    library.panel.choose_folder("Standing")
    view.step(1)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert library.panel.said.text().endswith("came with the program and stays.")


@pytest.mark.slow
def test_ones_own_pose_is_renamed_with_f2_and_its_file_with_it(
    library: LibraryControl, editor: Editor, own: Path
) -> None:
    (own / "Old").mkdir(parents=True)
    shutil.copy(folders.shipped_folder() / "Fighting" / "Sword lunge.json", own / "Old" / "lunge.json")
    QImage(10, 10, QImage.Format.Format_RGB32).save(str(own / "Old" / "lunge.png"))
    before = (own / "Old" / "lunge.json").read_text(encoding="utf-8")
    library.read()
    library.panel.choose_folder("own")
    view, person = library.panel.view, active(editor).name

    def fill(dialog: SaveDialog) -> None:
        assert (dialog.name.text(), dialog.folder.currentText()) == ("Sword lunge", "Old")
        QTest.keyClicks(dialog.name, "Parry: high")
        dialog.tags.clear()
        QTest.keyClicks(dialog.tags, "sword")
        QTest.keyClick(dialog.name, Qt.Key.Key_Return)

    def moved(dialog: SaveDialog) -> None:
        dialog.folder.lineEdit().clear()
        QTest.keyClicks(dialog.folder.lineEdit(), "New")
        QTest.keyClick(dialog.name, Qt.Key.Key_Return)

    for answer, folder in ((fill, "Old"), (moved, "New")):
        view.step(1)
        view.setFocus()
        answer_once_shown(SaveDialog, answer)
        QTest.keyClick(view, Qt.Key.Key_F2)
        assert sorted(path.name for path in own.rglob("*.*")) == ["Parry high.json", "Parry high.png"]
        (entry,) = shelf_of(own, own=True).entries
        assert (entry.name, entry.tags, entry.folder) == ("Parry: high", ("sword",), folder)
        assert view.entry == entry
    old, new = json.loads(before), json.loads(entry.path.read_text(encoding="utf-8"))
    assert {**new, "name": old["name"], "tags": old["tags"]} == old
    assert active(editor).name == person
    library.panel.choose_folder("Standing")
    view.step(1)
    QTest.keyClick(view, Qt.Key.Key_F2)
    assert library.panel.said.text().endswith("came with the program and keeps its name.")


@pytest.mark.slow
def test_files_dropped_in_are_added_and_broken_ones_leave_the_rest_usable(
    library: LibraryControl, editor: Editor, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(folders.shipped_folder() / "Fighting" / "Sword lunge.json", tmp_path / "lunge.json")
    (tmp_path / "notes.json").write_text("{", encoding="utf-8")
    told: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: told.append(text))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in ("lunge.json", "notes.json")])
    library.panel.dropEvent(QDropEvent(QPointF(50, 300), Qt.DropAction.CopyAction, data, LEFT, NO_KEYS))
    assert names(library) == ["Sword lunge"]
    assert library.panel.said.text() == "Added “Sword lunge” to your poses."
    assert "notes.json" in told[0]
    (own / "broken.json").write_text("{", encoding="utf-8")
    library.read()
    view = library.panel.view
    view.choose(own / "broken.json")
    assert "broken.json" in library.panel.said.text()
    assert not library.panel.take.isEnabled()
    take(library, "Sword lunge")
    assert editor.session.history.steps() == ("Apply “Sword lunge”",)


def test_with_a_second_person_both_can_be_saved_together(library: LibraryControl, editor: Editor) -> None:
    offered: list[str] = []

    def look(dialog: SaveDialog) -> None:
        offered.append(dialog.together.text() if dialog.together.isVisible() else "")
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    for _ in range(2):
        answer_once_shown(SaveDialog, look)
        strike(editor, Qt.Key.Key_P, CTRL | SHIFT)
        strike(editor, Qt.Key.Key_A, SHIFT)
        settled(editor.session)
    assert offered == ["", "Both people together"]
