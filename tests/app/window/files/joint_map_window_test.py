"""A rig whose joints are in doubt opens with a question, which mouse and keys answer; the answer is remembered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, key
from odd_rigs import exchanged, lame, nameless, places, somebody, two_people, written
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog
from window_driver import active, until

from app.cli.main import main
from app.dialogs import messages
from app.dialogs.joint_map_dialog import NOBODY, WHICH, JointMapDialog
from app.document import edits
from app.document.scene_file.io import load_scene, save_scene
from app.look.theme import current_theme
from app.panels.widgets.section import WrappedLabel
from app.window.controls.joint_mapping import KEPT
from app.window.editor import Editor
from solver.rig.joint_map_file import read_kept_maps

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton
NEAR = 0.03  # metres: bodies of slightly different shape


def opened(editor: Editor, path: Path) -> None:
    before = editor.session.document
    editor.files.open_path(path)
    until(lambda: not editor.jobs.busy and editor.session.document is not before)


def ok(dialog: JointMapDialog) -> bool:
    return dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def colour_of_ok(dialog: JointMapDialog) -> QColor:
    """Above its word."""
    drawn = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).grab().toImage()
    return drawn.pixelColor(drawn.width() // 2, 4)


def click_joint(dialog: JointMapDialog, label: str) -> None:
    joint = dialog.picture._skeleton.labels.index(label)
    QTest.mouseClick(dialog.picture, LEFT, pos=dialog.picture.place(joint).toPoint())


def assert_stands_as_written(editor: Editor) -> None:
    assert np.abs(places(active(editor)) - places(somebody())).max() < NEAR


def test_a_rig_that_is_recognised_asks_nothing(editor: Editor, tmp_path: Path) -> None:
    opened(editor, written(tmp_path / "hero.bvh"))
    assert_stands_as_written(editor)


def test_exchanged_sides_are_asked_about_and_swapped_with_one_click(editor: Editor, tmp_path: Path) -> None:
    def answer(dialog: JointMapDialog) -> None:
        said = [label.text() for label in dialog.findChildren(WrappedLabel)]
        assert any("Left and right are exchanged" in text for text in said)
        assert dialog.message.text().startswith("“Swap left and right” puts that right")
        assert dialog.titles["left_knee"].property("role") == "error"
        assert ok(dialog), "whoever knows better may leave it so"
        QTest.mouseClick(dialog.swap, LEFT)
        assert dialog.boxes["left_knee"].currentText() == "right_knee"
        assert dialog.titles["left_knee"].property("role") == ""
        assert dialog.heading.text() == WHICH
        button("OK")(dialog)

    path = exchanged(tmp_path / "hero.bvh")
    with answering(answer, kind=JointMapDialog):
        opened(editor, path)
    assert_stands_as_written(editor)
    opened(editor, path)  # is remembered: a question would fail the test
    assert len(editor.session.document.characters) == 2


@pytest.mark.slow
def test_names_that_say_nothing_are_filled_in_by_the_shape_and_marked(editor: Editor, tmp_path: Path) -> None:
    def answer(dialog: JointMapDialog) -> None:
        assert dialog.joints().keys() >= {"left_knee", "right_elbow", "head"}
        assert dialog.notes["left_knee"].text() == "Nothing in the file tells left from right"
        key(Qt.Key.Key_Return)(dialog)

    with answering(answer, kind=JointMapDialog):
        opened(editor, nameless(tmp_path / "hero.bvh"))
    off = np.abs(places(active(editor)) - places(somebody()))
    assert np.delete(off, [10, 11], axis=0).max() < NEAR, "all but the feet, which point down in the file"


def test_a_missing_joint_is_clicked_in_the_picture(editor: Editor, tmp_path: Path) -> None:
    def answer(dialog: JointMapDialog) -> None:
        box = dialog.boxes["left_knee"]
        assert dialog.focusWidget() is dialog.boxes["pelvis"], "the first doubtful row has the keyboard"
        assert dialog.notes["left_knee"].text() == "Guessed by the joints around it"
        QTest.mouseClick(dialog.titles["left_knee"], LEFT)
        assert dialog.focusWidget() is box
        QTest.keyClick(box, Qt.Key.Key_Home)
        assert not ok(dialog)
        assert dialog.message.text() == "No joint is chosen for left knee."
        click_joint(dialog, "Elephant")
        assert box.currentText() == "Elephant"
        assert ok(dialog)
        assert not dialog.notes["left_knee"].isVisible(), "somebody has looked at it"
        button("OK")(dialog)

    with answering(answer, kind=JointMapDialog):
        opened(editor, lame(tmp_path / "hero.bvh"))
    there = places(active(editor))
    right = np.linalg.norm(there[5] - there[2])
    assert np.linalg.norm(there[4] - there[1]) == pytest.approx(right, rel=0.05), "the left thigh is a thigh"


def test_a_joint_chosen_twice_is_said_at_once_and_cannot_be_taken(editor: Editor, tmp_path: Path) -> None:
    def answer(dialog: JointMapDialog) -> None:
        box = dialog.boxes["left_knee"]
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Up)
        assert box.currentText() == "left_hip"
        assert "“left_hip” is chosen for" in dialog.message.text()
        assert not ok(dialog)
        assert colour_of_ok(dialog) == QColor(current_theme().panel), "and it looks as if"
        QTest.keyClick(box, Qt.Key.Key_Home)
        assert box.currentText() == NOBODY
        assert "No joint is chosen for left knee" in dialog.message.text()
        QTest.mouseClick(dialog.again, LEFT)
        assert "No joint" not in dialog.message.text()
        assert colour_of_ok(dialog) == QColor(current_theme().accent)
        key(Qt.Key.Key_Escape)(dialog)

    before = editor.session.document
    with answering(answer, kind=JointMapDialog):
        editor.files.open_path(exchanged(tmp_path / "hero.bvh"))
        until(lambda: not editor.jobs.busy)
    assert editor.session.document is before, "cancelled: nothing is opened"


def test_the_map_of_somebody_who_is_there_can_be_changed_and_undone(editor: Editor, tmp_path: Path) -> None:
    opened(editor, written(tmp_path / "hero.bvh"))
    editor.session.edit("Move", lambda d: d)  # whatever was done in between
    stood = places(active(editor))
    action = editor.actions["file.joint_map"]
    assert action.isEnabled()

    def swap(dialog: JointMapDialog) -> None:
        QTest.mouseClick(dialog.swap, LEFT)
        assert "exchanged" in dialog.message.text()
        button("OK")(dialog)

    with answering(swap, kind=JointMapDialog):
        action.trigger()
        until(lambda: not editor.jobs.busy and editor.session.history.undo_text == "Change the joint map")
    assert np.abs(places(active(editor)) - stood).max() > 0.3, "the other arm is raised now"
    editor.session.undo()
    assert places(active(editor)) == pytest.approx(stood)


def test_the_pointer_says_names_in_the_picture(editor: Editor, tmp_path: Path) -> None:
    def answer(dialog: JointMapDialog) -> None:
        joint = dialog.picture._skeleton.labels.index("head")
        QTest.mouseMove(dialog.picture, dialog.picture.place(joint).toPoint())
        until(lambda: dialog.picture._hovered == joint)
        QTest.mouseMove(dialog.picture, QPoint(3, 3))
        until(lambda: dialog.picture._hovered == -1)
        key(Qt.Key.Key_Escape)(dialog)

    with answering(answer, kind=JointMapDialog):
        editor.files.open_path(exchanged(tmp_path / "hero.bvh"))
        until(lambda: not editor.jobs.busy)


def test_after_the_scene_was_closed_the_file_is_asked_for(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, asked = written(tmp_path / "hero.bvh"), []
    opened(editor, path)
    save_scene(tmp_path / "scene.json", editor.session.document)
    editor.session.open(load_scene(tmp_path / "scene.json"))
    stood = places(active(editor))

    def choose(_parent: object, title: str, *_: object) -> tuple[str, str]:
        asked.append(title)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    with answering(button("OK"), kind=JointMapDialog):
        editor.actions["file.joint_map"].trigger()
        until(lambda: not editor.jobs.busy)
    assert asked == ["The file that “hero” came from"]
    assert places(active(editor)) == pytest.approx(stood), "nothing was changed"


def test_without_a_motion_from_a_file_there_is_no_joint_map(editor: Editor) -> None:
    editor.refresh()
    action = editor.actions["file.joint_map"]
    assert not action.isEnabled()
    assert action.text() == "Joint map… (no motion from a file)"


def test_what_trackers_recorded_has_no_joint_map_and_the_menu_says_why_also_once_saved(
    editor: Editor, tmp_path: Path
) -> None:
    opened(editor, written(tmp_path / "hero.bvh"))
    action = editor.actions["file.joint_map"]
    assert (action.isEnabled(), action.text()) == (True, "Joint map…")
    source = active(editor).clip.source
    assert source is not None
    editor.session.edit("Record trackers", edits.import_motion(active(editor).id, source.motion, recorded=True))
    editor.refresh()
    assert (action.isEnabled(), action.text()) == (False, "Joint map… (the motion was recorded)")
    save_scene(tmp_path / "take.json", editor.session.document)
    editor.session.open(load_scene(tmp_path / "take.json"))
    editor.refresh()
    assert (action.isEnabled(), action.text()) == (False, "Joint map… (the motion was recorded)")


@pytest.mark.slow
@pytest.mark.parametrize("content", ["{ no", '{"format": "contrapposto-joint-maps", "version": 2, "skeletons": {}}'])
def test_kept_maps_that_are_damaged_or_newer_are_set_aside_and_that_is_said_once(
    editor: Editor, tmp_path: Path, content: str
) -> None:
    said: list[str] = []
    editor.files.joints.message.connect(said.append)
    kept = editor.settings.folder / KEPT
    kept.write_text(content)
    path = exchanged(tmp_path / "hero.bvh")
    with answering(button("OK"), kind=JointMapDialog):
        opened(editor, path)
    aside = kept.with_name("joint-maps-unread.json")
    assert aside.read_text() == content
    assert read_kept_maps(kept).chosen
    opened(editor, path)
    assert len([text for text in said if aside.name in text]) == 1


def test_a_map_is_saved_for_the_command_line(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "joints.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))

    def answer(dialog: JointMapDialog) -> None:
        QTest.mouseClick(dialog.swap, LEFT)
        QTest.mouseClick(dialog.write, LEFT)
        key(Qt.Key.Key_Escape)(dialog)

    rig = exchanged(tmp_path / "hero.bvh")
    with answering(answer, kind=JointMapDialog):
        editor.files.open_path(rig)
        until(lambda: not editor.jobs.busy)
    assert main(["convert", str(rig), "-o", str(tmp_path / "hero.json"), "--joint-map", str(target)]) == 0
    assert np.abs(places(load_scene(tmp_path / "hero.json").characters[0]) - places(somebody())).max() < NEAR


def test_a_damaged_file_of_kept_maps_only_means_that_the_question_comes_again(editor: Editor, tmp_path: Path) -> None:
    path = exchanged(tmp_path / "hero.bvh")
    with answering(button("OK"), kind=JointMapDialog):
        opened(editor, path)
    kept = editor.settings.folder / KEPT
    assert kept.parent == tmp_path
    kept.write_text("{ no")
    with answering(button("OK"), kind=JointMapDialog):
        opened(editor, path)
    opened(editor, path)
    assert len(editor.session.document.characters) == 3


@pytest.mark.slow
def test_answers_hold_until_the_end_where_they_cannot_be_written(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    (editor.settings.folder / KEPT).mkdir()
    path = exchanged(tmp_path / "hero.bvh")
    with answering(button("OK"), kind=JointMapDialog):
        opened(editor, path)
    opened(editor, path)  # a second question would fail the test
    assert len(editor.session.document.characters) == 2
    assert len(said) == 1
    assert "cannot be written: it is a folder" in said[0]
    assert said[0].endswith("The answer holds until the program ends.")


@pytest.mark.slow
def test_of_a_file_that_has_lost_somebody_since_whoever_is_left_is_read(editor: Editor, tmp_path: Path) -> None:
    path = two_people(tmp_path / "hero.bvh")
    opened(editor, path)
    second = editor.session.document.characters[1]
    editor.session.select(second.id)
    written(path)

    def swap(dialog: JointMapDialog) -> None:
        QTest.mouseClick(dialog.swap, LEFT)
        button("OK")(dialog)

    before = places(active(editor))
    with answering(swap, kind=JointMapDialog):
        editor.actions["file.joint_map"].trigger()
        until(lambda: not editor.jobs.busy and editor.session.history.undo_text == "Change the joint map")
    assert active(editor).id == second.id
    assert np.abs(places(active(editor)) - before).max() > 0.3, "the other arm is raised now"
