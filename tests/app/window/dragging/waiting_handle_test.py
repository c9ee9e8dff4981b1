"""A handle is dragged before the solver is ready: it shows as waiting until its first solve is there."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, strike, until

from app.document.posing.create import new_document
from app.services.solve_service import SolveRequest, SolveResult
from app.window.editor import Editor
from rendering.scene.values import Handle

pytestmark = pytest.mark.gl


def handles(editor: Editor) -> dict[object, Handle]:
    return {handle.id: handle for handle in editor.viewport.scene.handles}


@pytest.fixture
def getting_ready(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Of a window with a new scene, whose solver answers nothing until this is set."""
    ready, answer = threading.Event(), editor.service._answer

    def late(request: SolveRequest) -> SolveResult | None:
        assert ready.wait(60)
        editor.service.awake = True
        return answer(request)

    monkeypatch.setattr(editor.service, "_answer", late)
    editor.service.awake = False
    editor.session.open(new_document())
    return ready


def test_a_handle_dragged_away_before_the_solver_is_ready_waits_and_is_met_afterwards(
    editor: Editor, getting_ready: threading.Event
) -> None:
    try:
        assert {handle.state for handle in handles(editor).values()} == {"met"}, "all are where the body is"
        mouse = ViewMouse(editor)
        mouse.drag(mouse.place(place_of(editor, "right_wrist")), QPoint(-20, -30), QPoint(-40, -60))
        apart = {
            id for id, h in handles(editor).items() if not h.faint and np.abs(h.position - h.held_position).max() > 0.01
        }
        assert len(apart) == 1
        assert {handles(editor)[id].state for id in apart} == {"waiting"}
        assert {h.state for id, h in handles(editor).items() if id not in apart} == {"met"}
    finally:
        getting_ready.set()
    until(lambda: not editor.session.solving)
    until(lambda: all(handles(editor)[id].state == "met" for id in apart))


def test_a_copy_of_somebody_who_waits_for_the_solver_is_solved_as_well(
    editor: Editor, getting_ready: threading.Event
) -> None:
    try:
        mouse = ViewMouse(editor)
        mouse.drag(mouse.place(place_of(editor, "right_wrist")), QPoint(-20, -30), QPoint(-40, -60))
        strike(editor, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        assert active(editor).name == "Person 2"
    finally:
        getting_ready.set()
    until(lambda: not editor.session.solving)
    one, copy = editor.session.document.characters
    assert copy.pose.rotations == pytest.approx(one.pose.rotations, abs=0.02)
    until(lambda: {handle.state for handle in handles(editor).values()} == {"met"})
