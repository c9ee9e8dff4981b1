"""Somebody who is posed while a move of the whole person waits for the solver: the move keeps what was posed."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from compiling_driver import ready
from numba.core.compiler_lock import global_compiler_lock
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, active, place_of

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.services import late_edits
from app.window.editor import Editor
from solver.effectors.effector import Effector
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
SHIFT = np.array([0.5, 0.0, 0.25])


def put_off(editor: Editor, what: str, edit: Edit) -> None:
    """Ask for an edit that calls a function not compiled yet."""

    def crosses(document: Document) -> Document:
        with global_compiler_lock:
            return edit(document)

    assert not editor.session.edit(what, crosses, solve=True)
    assert editor.session.late.names == (what,)


def wrist(person: Character) -> Effector:
    return next(e for e in person.effectors if e.joint == "right_wrist")


def drag_wrist(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)  # on a busy machine the first drag takes a while
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "right_wrist")), QPoint(-20, -30), QPoint(-40, -80))


@pytest.mark.sweep
@pytest.mark.parametrize("way", ["moved", "turned", "tipped"])
def test_a_hand_dragged_while_a_move_waits_stays_as_posed_on_the_person_moved(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    start = active(editor)
    place, turn = start.pose.root_position.astype(float), from_rotation_vector(np.array([0.0, 0.0, 0.7]))
    edit = {
        "moved": edits.place_together([start], SHIFT, 0.0),
        "turned": edits.place_together([start], np.zeros(3), 1.0),
        "tipped": edits.tip_over([start], turn),
    }[way]
    put_off(editor, "Move", edit)
    drag_wrist(editor, monkeypatch)
    asked = wrist(active(editor)).target - place
    assert np.linalg.norm(asked - (wrist(start).target - place)) > 0.1, "the drag is done at once"
    ready(editor, compiling)
    assert editor.session.history.steps() == ("Move right wrist · position", "Move")
    there = edit(editor.session.history.undo_document).character(start.id)
    now = active(editor)
    turned = there.base_pose.rotations[0] @ start.base_pose.rotations[0].T
    want = there.base_pose.root_position + turned @ asked
    np.testing.assert_allclose(wrist(now).target, want, atol=2e-3)
    np.testing.assert_allclose(place_of(editor, "right_wrist"), want, atol=0.02)
