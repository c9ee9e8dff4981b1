"""Everybody who is selected looks at whoever looks at the view."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import active, answer_once_shown, settled, strike, until

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl
CONTROL = Qt.KeyboardModifier.ControlModifier


def missed(editor: Editor) -> list[float]:
    """Degrees by which each one's left eye looks beside the camera."""
    eye = editor.viewport.final_view.camera.eye
    eyes = [np.asarray(figure.eyes)[0] for figure in editor.viewport.scene.figures]
    ways = [(eye - ball[:, 3], ball[:, 2]) for ball in eyes]
    cosines = [asked @ ahead / np.linalg.norm(asked) / np.linalg.norm(ahead) for asked, ahead in ways]
    return [float(np.degrees(np.arccos(min(cosine, 1.0)))) for cosine in cosines]


def looked_for(editor: Editor) -> None:
    """Find the command by what somebody calls it, and run it with Enter."""

    def type_it(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, "gaze camera")
        QTest.keyClick(search.field, Qt.Key.Key_Return)

    steps = len(editor.session.history.steps())
    answer_once_shown(CommandSearch, type_it)
    strike(editor, Qt.Key.Key_Slash)
    until(lambda: len(editor.session.history.steps()) == steps + 1)
    settled(editor.session)
    editor.refresh()


@pytest.mark.slow
def test_all_who_are_selected_look_at_the_camera_in_one_step_and_stay_so_when_it_moves(editor: Editor) -> None:
    session = editor.session
    first = active(editor)
    editor.actions["pose.add_person"].trigger()
    editor.refresh()
    editor.actions["edit.select_people"].trigger()
    settled(session)
    before = session.document
    editor.viewport.set_camera(OrbitCamera(target=(0.5, 1.3, 0.0), distance=3.0, yaw=0.9, pitch=0.2))
    looked_for(editor)
    assert len(session.document.characters) == 2
    assert max(missed(editor)) < 3.0
    turned = session.document
    editor.viewport.set_camera(OrbitCamera(target=(0.5, 1.3, 0.0), distance=3.0, yaw=-0.5, pitch=0.1))
    settled(session)
    assert session.document == turned
    assert min(missed(editor)) > 20.0
    looked_for(editor)
    assert max(missed(editor)) < 3.0
    for _ in range(2):
        strike(editor, Qt.Key.Key_Z, CONTROL)
    settled(session)
    assert session.document == before
    assert session.document.character(first.id).pose == first.pose


def test_a_person_without_a_look_gets_one(editor: Editor) -> None:
    person = active(editor)
    gone = [e.id for e in person.effectors if e.kind == "lookat"]
    editor.session.edit("Remove", edits.remove_effectors(person.id, gone))
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 1.3, 0.0), distance=2.0, yaw=-0.6, pitch=0.3))
    looked_for(editor)
    (look,) = (e for e in active(editor).effectors if e.kind == "lookat")
    assert look.target == pytest.approx(editor.viewport.final_view.camera.eye, abs=1e-5)
    assert look.residual(skeleton_of(active(editor)), joints_of(active(editor))) < np.radians(1)
