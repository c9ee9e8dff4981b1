"""A pose goes onto the user's own character, by mouse and keys: the file is proposed or chosen, and asked about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, export_or_cancel, naming
from gltf_changes import description, exported, moving
from motion_samples import look_at_frame, strolling
from odd_rigs import exchanged, two_people, written
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from window_driver import active, strike, until

from app.cli.main import main
from app.dialogs import messages
from app.dialogs.export_dialog import NO_CHARACTER, ExportDialog
from app.dialogs.joint_map_dialog import JointMapDialog
from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.model.document import Character, Document
from app.document.scene_file.io import load_scene, save_scene
from app.window.editor import Editor
from scripts.rigs.robot import robot_glb
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def opened(editor: Editor, path: Path) -> None:
    before = editor.session.document
    editor.files.open_path(path)
    until(lambda: not editor.jobs.busy and editor.session.document is not before)


def raise_an_arm(editor: Editor) -> None:
    """Turn the active person's right shoulder, as an edit of the frame looked at."""
    character = active(editor)
    turns = character.pose.rotations.copy()
    turns[17] = from_rotation_vector([0.0, 0.0, -0.9])
    editor.session.edit("Pose", edits.set_pose(character.id, Pose(character.pose.root_position, turns)))


def somebody_in(path: Path, place: int = 0) -> Character:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document()).characters[place]


def off(character: Character, other: Character) -> float:
    """Radians by which the joint is off that is off most."""
    return float(geodesic_angle(character.pose.rotations[:22], other.pose.rotations[:22]).max())


def export(
    editor: Editor, target: Path, monkeypatch: pytest.MonkeyPatch, *doings: Callable[[ExportDialog], None]
) -> list[str]:
    """Ctrl+E, the page of one's own character, what is done there, its button and the file's name. Returns the name
    that was offered."""
    offered = naming(monkeypatch, target)

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        title = "Your character"
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == title), LEFT)
        for do in doings:
            do(dialog)
        export_or_cancel(dialog)

    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    until(lambda: not editor.jobs.busy)
    return offered[:1]


def choosing(path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[ExportDialog], None]:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    return lambda dialog: QTest.mouseClick(dialog.rig.choose, LEFT)


def test_the_file_that_somebody_came_from_is_proposed_and_gets_the_edited_motion(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, target = exported(tmp_path, moving(), whole_motion=True), tmp_path / "hero.glb"
    source = rig.read_bytes()
    opened(editor, rig)
    raise_an_arm(editor)
    seen: list[str] = []
    offered = export(editor, target, monkeypatch, lambda dialog: seen.append(dialog.rig.name.text()))
    assert seen == [rig.name]
    assert offered == [str(tmp_path / "a_posed.glb")]
    assert rig.read_bytes() == source
    assert [one["name"] for one in description(target)["animations"]] == ["motion 2", "motion"]
    back = somebody_in(target)
    assert len(back.clip) == len(active(editor).clip)
    assert off(back, active(editor)) < np.radians(0.1)


@pytest.mark.slow
def test_the_name_of_a_posed_vrm_character_may_end_as_theirs_and_that_of_no_other(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = exported(tmp_path, moving(), whole_motion=True)
    vrm = rig.replace(rig.with_name("avatar.vrm"))
    opened(editor, vrm)
    raise_an_arm(editor)
    assert export(editor, tmp_path / "hero.vrm", monkeypatch) == [str(tmp_path / "avatar_posed.glb")]
    assert off(somebody_in(tmp_path / "hero.vrm"), active(editor)) < np.radians(0.1)
    plain = vrm.replace(rig)
    export(editor, tmp_path / "other.vrm", monkeypatch, choosing(plain, monkeypatch))
    assert off(somebody_in(tmp_path / "other.vrm.glb"), active(editor)) < np.radians(0.1)


@pytest.mark.slow
def test_the_frame_shown_alone_becomes_a_pose(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(editor, exported(tmp_path, moving(), whole_motion=True))
    look_at_frame(editor.session, active(editor).id, 4)

    def frame_alone(dialog: ExportDialog) -> None:
        QTest.mouseClick(dialog.whole, LEFT, pos=QPoint(8, dialog.whole.height() // 2))

    export(editor, tmp_path / "hero.glb", monkeypatch, frame_alone)
    back = somebody_in(tmp_path / "hero.glb")
    assert len(back.clip) == 1
    assert off(back, active(editor)) < np.radians(0.1)


@pytest.mark.slow
def test_a_file_of_one_frame_is_proposed_once_its_pose_is_animated(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, seen = exported(tmp_path, moving()), list[str]()
    opened(editor, rig)
    editor.refresh()
    until(editor.panels.timeline.animate[1].isVisible)
    QTest.mouseClick(editor.panels.timeline.animate[1], LEFT)
    until(lambda: len(active(editor).clip) > 1)
    export(editor, tmp_path / "hero.glb", monkeypatch, lambda dialog: seen.append(dialog.rig.name.text()))
    assert seen == [rig.name]


def test_a_pose_made_here_goes_onto_any_rig_that_is_chosen(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor.session.edit("Walk", edits.import_motion("c1", strolling(5)))
    rig, target = written(tmp_path / "hero.bvh"), tmp_path / "new.bvh"

    def nothing_yet(dialog: ExportDialog) -> None:
        assert not dialog.export.isEnabled()
        assert dialog.hint.text() == NO_CHARACTER

    hints: list[str] = []
    seen = (nothing_yet, choosing(rig, monkeypatch), lambda dialog: hints.append(dialog.hint.text()))
    offered = export(editor, target, monkeypatch, *seen)
    assert "BVH files have no skin" in hints[0]
    assert offered == [str(tmp_path / "hero_posed.bvh")]
    assert target.read_text().partition("MOTION")[0] == rig.read_text().partition("MOTION")[0]
    back = somebody_in(target)
    assert (len(back.clip), off(back, active(editor)) < np.radians(0.1)) == (5, True)


def test_the_file_whose_skin_somebody_was_given_is_proposed_and_another_ending_is_asked_about(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The motion's own file was proposed, and “new.bvh” became “new.bvh.glb” without a word."""
    robot = tmp_path / "robot.glb"
    robot.write_bytes(robot_glb())
    opened(editor, written(tmp_path / "walk.bvh"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(robot), ""))
    editor.files.choose_own_skin()
    until(lambda: active(editor).own_skin is not None)
    seen: list[str] = []
    asked: list[str] = []
    monkeypatch.setattr(messages, "ask_about_ending", lambda _w, name, _b: asked.append(name) or messages.BETTER_NAME)
    export(editor, tmp_path / "new.bvh", monkeypatch, lambda dialog: seen.append(dialog.rig.name.text()))
    assert (seen, asked) == (["robot.glb"], ["new.bvh"])
    assert (tmp_path / "new.glb").exists()


def test_joints_in_doubt_are_asked_about_in_the_same_dialog(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, target = exchanged(tmp_path / "hero.bvh"), tmp_path / "new.bvh"
    raise_an_arm(editor)
    asked: list[str] = []

    def swap(dialog: JointMapDialog) -> None:
        asked.append(dialog.windowTitle())
        QTest.mouseClick(dialog.swap, LEFT)
        button("OK")(dialog)

    with answering(swap, kind=JointMapDialog):
        export(editor, target, monkeypatch, choosing(rig, monkeypatch))
        until(lambda: target.exists() and not editor.jobs.busy)
    assert len(asked) == 1
    opened(editor, target)  # the answer holds for it as well: a question would fail the test
    assert off(active(editor), editor.session.document.characters[0]) < np.radians(0.1)


def test_the_character_s_own_file_is_never_replaced(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, said = written(tmp_path / "hero.bvh"), []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    source = rig.read_bytes()
    export(editor, rig, monkeypatch, choosing(rig, monkeypatch))
    assert rig.read_bytes() == source
    assert "is the file of your character, which the export would replace" in said[0]


def test_of_two_people_the_first_is_posed_and_that_is_said(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    editor.files.message.connect(said.append)
    export(editor, tmp_path / "new.bvh", monkeypatch, choosing(two_people(tmp_path / "hero.bvh"), monkeypatch))
    assert "hero.bvh holds 2 people: the first one is posed, the other one stays." in said[-1]
    assert off(somebody_in(tmp_path / "new.bvh"), active(editor)) < np.radians(0.1)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [("hero.bvh", "HIERARCHY\nROOT hips\n{\n", "the hierarchy ends too early"),
     ("hero.glb", "glTF    ", "is not a GLB file of glTF 2.0"),
     ("hero.obj", "v 0 0 0\n", "is not a character with a skeleton. Choose a BVH, GLB, glTF or VRM file")],
)  # fmt: skip
def test_a_file_that_is_no_character_is_refused_in_words(
    name: str, content: str, reason: str, editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    editor.jobs.failed.connect(lambda text, _details: said.append(text))
    (tmp_path / name).write_text(content)
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    target = tmp_path / ("new.bvh" if name == "hero.bvh" else "new.glb")
    export(editor, target, monkeypatch, choosing(tmp_path / name, monkeypatch))
    until(lambda: bool(said))
    assert reason in said[0]
    assert not target.exists()


def test_the_command_line_writes_the_character_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig, target = exported(tmp_path, moving(), names="mixamo"), tmp_path / "new.glb"
    motion = written(tmp_path / "hero.bvh")
    assert main(["convert", str(motion), "-o", str(target), "--onto", str(rig)]) == 0
    assert capsys.readouterr().out == f"Wrote {target}, posed as “hero”.\n"
    assert off(somebody_in(target), somebody_in(motion)) < np.radians(0.1)
    assert main(["convert", str(motion), "-o", str(rig), "--onto", str(rig)]) == 1
    assert "is your character's own file, which would be replaced" in capsys.readouterr().err
    before = motion.read_bytes()
    for onto in ([], ["--onto", str(rig)], ["--onto", str(motion)]):
        assert main(["convert", str(motion), "-o", str(motion), *onto]) == 1
        what = "export" if onto else "scene"
        assert f"hero.bvh is the file to convert, which the {what} would replace." in capsys.readouterr().err
    assert motion.read_bytes() == before
    assert main(["convert", str(motion), "-o", str(tmp_path / "new.bvh"), "--onto", str(rig)]) == 1
    assert "the posed a.glb is a GLB file. Give it a name that ends in .glb" in capsys.readouterr().err


@pytest.mark.slow
def test_the_first_export_of_somebody_drawn_as_their_own_character_begins_at_its_page(
    editor: Editor, tmp_path: Path
) -> None:
    path, began = tmp_path / "robot.glb", list[str]()
    path.write_bytes(robot_glb())
    opened(editor, path)

    def answer(dialog: ExportDialog) -> None:
        began.append(dialog.format.current())
        dialog.reject()

    for last in ("", "bvh"):
        editor.settings.set(export_format=last)
        with answering(answer, kind=ExportDialog):
            strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert began == ["own", "bvh"]


def test_a_scene_opened_again_proposes_the_file_of_its_character_while_that_is_there_then_the_one_chosen(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, scene = tmp_path / "robot.glb", tmp_path / "scene.json"
    rig.write_bytes(robot_glb(2))
    opened(editor, rig)
    save_scene(scene, editor.session.document)
    editor.session.open(load_scene(scene), scene)
    seen: list[tuple[str, str, bool]] = []

    def look(dialog: ExportDialog) -> None:
        seen.append((dialog.format.current(), dialog.rig.name.text(), rig.name in dialog.hint.text()))
        dialog.reject()

    for _ in range(2):
        with answering(look, kind=ExportDialog):
            strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        rig.rename(tmp_path / "elsewhere.glb") if rig.exists() else None
    export(editor, tmp_path / "new.glb", monkeypatch, choosing(tmp_path / "elsewhere.glb", monkeypatch))
    with answering(look, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert seen == [("own", "robot.glb", False), ("own", "No file yet", True), ("own", "elsewhere.glb", False)]
