"""While the solver is compiled on a new machine, the hint of a drag says why the body does not follow yet."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from compiling_driver import ready
from prop_driver import press_s
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of

from app.services import late_edits
from app.services.solve_service import SolveRequest
from app.viewport.root_place import root_place
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl


def test_the_hint_of_a_drag_says_why_the_body_does_not_follow_until_the_solver_is_prepared(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    mouse, said, asked = ViewMouse(editor), editor.window.hint, list[SolveRequest]()
    ask = editor.service.request
    monkeypatch.setattr(editor.service, "request", asked.append)  # the solver's thread is busy with the compiler
    wrist = mouse.place(place_of(editor, "right_wrist"))
    mouse.drag(wrist, QPoint(-20, -30), QPoint(-40, -60), release=False)
    assert said.text().startswith("The body follows once the solver is prepared · Move right wrist")
    monkeypatch.setattr(editor.service, "request", ask)
    ask(asked[-1])
    ready(editor, compiling)
    assert said.text().startswith("Move right wrist"), "though the mouse rests"
    mouse.move(wrist + QPoint(-42, -62))
    assert said.text().startswith("Move right wrist")
    mouse.release(wrist + QPoint(-42, -62))
    assert "follows" not in said.text()


def test_the_answer_to_s_in_a_drag_stays_alone_while_the_solver_is_prepared(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    monkeypatch.setattr(editor.service, "request", lambda _request: None)
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 1.2, 0.0), yaw=0.2, pitch=0.0, distance=4.0))
    editor.refresh()
    mouse, said = ViewMouse(editor), editor.window.hint
    wrist = mouse.place(place_of(editor, "left_wrist"))
    mouse.drag(wrist, QPoint(30, -40), QPoint(90, -150), release=False)
    assert said.text().startswith("The body follows")
    press_s(editor)
    assert said.text() == "Nothing there to touch: point at the floor, a prop or a body"
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    assert said.text().startswith("The body follows")
    mouse.release(wrist + QPoint(90, -150))


def test_the_hint_of_a_whole_person_who_is_moved_says_nothing_of_the_solver_as_the_body_follows_at_once(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    mouse, before = ViewMouse(editor), active(editor).pose.root_position
    mouse.drag(mouse.place(root_place(active(editor)) + [0.27, 0.0, 0.02]), QPoint(30, 0), QPoint(60, 0), release=False)
    assert editor.window.hint.text().startswith("Move Person 1")
    assert np.abs(active(editor).pose.root_position - before).max() > 0.05
    mouse.release(QPoint(60, 0))
