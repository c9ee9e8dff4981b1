"""Poses and props go through the clipboard to another window and come from one, by Ctrl+C and Ctrl+V."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from window_driver import active, strike, until

from app.document.edits.copies import Things
from app.document.exchange.open_file import open_file
from app.document.library.clipboard import copied, pasted
from app.document.library.things_text import things_bytes
from app.document.model.document import Document
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.posing.create import new_document
from app.services.steps.pose_clipboard import KIND, THINGS
from app.window.editor import Editor
from scripts.rigs.robot import robot_glb
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

pytestmark = pytest.mark.gl
CTRL, KEY = Qt.KeyboardModifier.ControlModifier, Qt.Key
ANOTHER = """
import sys
from pathlib import Path
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
program = QGuiApplication([])
content = QMimeData()
content.setData(sys.argv[1], Path(sys.argv[2]).read_bytes())
program.clipboard().setMimeData(content)
program.exec()
"""


def bent() -> Pose:
    """The first pose of a new scene, with one elbow bent."""
    pose = new_document().characters[0].pose
    rotations = np.array(pose.rotations)
    rotations[18] = from_rotation_vector([0.0, -1.2, 0.0])
    return Pose(pose.root_position, rotations)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Other programs, which end with the test."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for program in started:
        program.kill()
        program.wait()


def copied_elsewhere(content: bytes, folder: Path, kind: str = KIND) -> subprocess.Popen[bytes]:
    file = folder / "copied"
    file.write_bytes(content)
    return subprocess.Popen([sys.executable, "-c", ANOTHER, kind, str(file)])


@pytest.fixture
def dune(editor: Editor, elsewhere: list[subprocess.Popen[bytes]], tmp_path: Path) -> Editor:
    """The clipboard holds a hilly sheet of 12,482 triangles, which another window copied."""
    across = np.linspace(-0.5, 0.5, 80)
    x, z = (each.ravel() for each in np.meshgrid(across, across))
    vertices = np.column_stack([x, 0.5 + 0.4 * np.sin(9 * x) * np.cos(7 * z), z])
    at = np.arange(len(vertices)).reshape(80, 80)
    a, b, c, d = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()
    faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    prop = Prop("p1", "Dune", MESH, np.ones(3), mesh=PropMesh(vertices.astype(np.float32), faces))
    QGuiApplication.clipboard().setText("words")
    elsewhere.append(copied_elsewhere(things_bytes(Things((), (prop,)), {}), tmp_path, THINGS))
    until(lambda: editor.actions["edit.paste"].text() == "Paste")
    return editor


@pytest.mark.slow
def test_somebody_copied_in_another_window_comes_with_their_own_skin(
    editor: Editor, elsewhere: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    file = tmp_path / "robot.glb"
    file.write_bytes(robot_glb(fine=3))
    edit = open_file(file).edit
    assert edit is not None
    (theirs,) = edit(Document()).characters
    QGuiApplication.clipboard().setText("words")
    elsewhere.append(copied_elsewhere(things_bytes(Things((theirs,)), {}), tmp_path, THINGS))
    until(lambda: editor.actions["edit.paste"].text() == "Paste")
    before = editor.session.document
    strike(editor, KEY.Key_V, CTRL)
    assert editor.session.document is before, "the window does not wait for the skin"
    assert editor.jobs.busy
    until(lambda: editor.session.document is not before)
    editor.refresh()
    robot = active(editor)
    assert robot.own_skin == theirs.own_skin
    shown = next(each for each in editor.viewport.scene.figures if each.id == robot.id)
    assert shown.mesh is not None
    assert shown.mesh.carried is not None, "drawn with it"


@pytest.mark.slow
def test_a_pose_copied_in_another_window_is_pasted_here_even_once_that_is_closed(
    editor: Editor, elsewhere: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    strike(editor, KEY.Key_C, CTRL)
    theirs = replace(new_document().characters[0], pose=bent())
    before, clipboard, told = active(editor), QGuiApplication.clipboard(), list[bool]()

    def tell() -> None:
        told.append(clipboard.ownsClipboard())

    clipboard.dataChanged.connect(tell)  # after the window has been told as well
    elsewhere.append(copied_elsewhere(copied(theirs), tmp_path))
    until(lambda: False in told)
    clipboard.dataChanged.disconnect(tell)
    elsewhere[0].kill()  # the window it was copied in may be closed by now
    elsewhere[0].wait()
    QTest.qWait(100)
    strike(editor, KEY.Key_V, CTRL)
    assert editor.session.history.undo_text == "Paste pose"
    assert geodesic_angle(active(editor).pose.rotations, theirs.pose.rotations).max() < 1e-4
    assert np.allclose(active(editor).pose.root_position[[0, 2]], before.pose.root_position[[0, 2]])


def test_paste_wakes_up_when_another_window_copies_and_refuses_what_is_no_pose(
    editor: Editor, elsewhere: list[subprocess.Popen[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    QGuiApplication.clipboard().setText("words")
    assert not editor.actions["edit.paste"].isEnabled()
    elsewhere.append(copied_elsewhere(b"{}", tmp_path))
    until(editor.actions["edit.paste"].isEnabled)
    before = active(editor)
    said: list[str] = []
    monkeypatch.setattr("app.dialogs.messages.refuse", lambda _window, text: said.append(text))
    strike(editor, KEY.Key_V, CTRL)
    assert active(editor) == before
    assert said[0].startswith("The clipboard is not a pose file")


def test_the_text_of_a_pose_file_is_pasted_as_a_pose_and_another_text_is_not(
    editor: Editor, elsewhere: list[subprocess.Popen[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    QGuiApplication.clipboard().setText("words")
    paste, said, words = editor.actions["edit.paste"], list[str](), "text/plain;charset=utf-8"
    monkeypatch.setattr("app.dialogs.messages.refuse", lambda _window, text: said.append(text))
    elsewhere.append(copied_elsewhere(b'{"format": "shopping list"}', tmp_path, words))
    until(paste.isEnabled)
    strike(editor, KEY.Key_V, CTRL)
    assert said == ["The clipboard holds a text that is no pose file's. Copy a pose first."]
    theirs = replace(new_document().characters[0], pose=bent())
    elsewhere.append(copied_elsewhere(copied(theirs), tmp_path, words))
    until(lambda: "contrapposto-pose" in QGuiApplication.clipboard().text())
    strike(editor, KEY.Key_V, CTRL)
    assert editor.session.history.undo_text == "Paste pose"
    assert geodesic_angle(active(editor).pose.rotations, theirs.pose.rotations).max() < 1e-4


def test_the_text_of_a_pose_that_was_copied_after_a_prop_is_pasted_and_other_words_leave_the_prop(
    editor: Editor, elsewhere: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    words = "text/plain;charset=utf-8"
    editor.actions["prop.box"].trigger()
    strike(editor, KEY.Key_C, CTRL)
    elsewhere.append(copied_elsewhere(b"shopping list", tmp_path, words))
    until(lambda: QGuiApplication.clipboard().text() == "shopping list")
    strike(editor, KEY.Key_V, CTRL)
    assert len(editor.session.document.props) == 2
    editor.session.select("c1")
    elsewhere.append(copied_elsewhere(copied(new_document().characters[0]), tmp_path, words))
    until(lambda: "contrapposto-pose" in QGuiApplication.clipboard().text())
    strike(editor, KEY.Key_V, CTRL)
    assert editor.session.history.undo_text == "Paste pose"
    assert len(editor.session.document.props) == 2


def test_what_is_copied_here_can_be_read_elsewhere_and_is_said(editor: Editor) -> None:
    strike(editor, KEY.Key_C, CTRL)
    content = QGuiApplication.clipboard().mimeData().data(KIND).data()
    assert geodesic_angle(pasted(bytes(content)).pose.rotations, active(editor).pose.rotations).max() < 1e-4
    assert "Copied the pose of Person 1." in editor.window.status.notices.shown
    editor.actions["prop.box"].trigger()
    strike(editor, KEY.Key_C, CTRL)
    until(lambda: editor.window.status.notices.shown == "Copied Box. Ctrl+V adds it here or in another scene.")


@pytest.mark.slow
def test_a_large_mesh_from_another_window_is_pasted_once_its_surface_is_made_in_a_job(dune: Editor) -> None:
    started: list[str] = []
    dune.jobs.started.connect(started.append)
    strike(dune, KEY.Key_V, CTRL)
    assert started == ["Pasting Dune"]
    until(lambda: len(dune.session.document.props) == 1)
    (first,) = dune.session.document.props
    assert "surface" in vars(first.mesh)
    assert dune.session.view.prop == first.id
    strike(dune, KEY.Key_V, CTRL)
    assert dune.session.document.props[1].mesh is first.mesh
    assert len(started) == 1, "the surface is there already"


def test_a_large_mesh_is_not_pasted_if_that_is_cancelled(dune: Editor) -> None:
    strike(dune, KEY.Key_V, CTRL)
    assert dune.jobs.busy
    dune.jobs.cancel()
    until(lambda: not dune.jobs.busy)
    assert dune.session.document.props == ()
