"""Real drags in the window that come back: the body is exactly as it was where the drag began, and not elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, active, place_of, settled

from app.document import edits
from app.window.editor import Editor
from solver.kinematics.pose import Pose

pytestmark = pytest.mark.gl
OUT = [QPoint(round(-22 * n), round(-14 * n)) for n in range(1, 7)]


def drag(editor: Editor, joint: str, *ways: QPoint) -> Pose:
    """Drag a joint along pixels from where it is, settling at each, and let go; the pose at the last of them."""
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, joint))
    mouse.drag(start, QPoint(3, -3), release=False)
    for way in ways:
        mouse.move(start + way)
        settled(editor.session)
    mouse.release(start + ways[-1])
    settled(editor.session)
    return active(editor).pose


@pytest.mark.sweep("smplik")
@pytest.mark.parametrize("solver", ["smplik", "pose_edition"])
def test_a_hand_that_is_dragged_away_and_back_leaves_the_body_exactly_as_it_was(editor: Editor, solver: str) -> None:
    editor.session.edit("Solver", edits.set_solver("c1", solver))
    drag(editor, "head", QPoint(-40, 60))
    first = active(editor).pose
    assert drag(editor, "left_wrist", *OUT) != first
    there = active(editor).pose
    back = drag(editor, "left_wrist", *OUT, *reversed(OUT[:-1]), QPoint(0, 0))
    assert back == there, "this drag began here"
    assert not np.allclose(back.rotations, first.rotations, atol=1e-3)


@pytest.mark.slow
def test_what_is_changed_after_a_drag_that_came_back_is_solved(editor: Editor) -> None:
    drag(editor, "head", QPoint(-40, 60))
    back = drag(editor, "left_wrist", OUT[0], OUT[1], OUT[0], QPoint(0, 0))
    editor.session.edit("Balance", edits.set_solver_option("c1", "stay_balanced", "strict"), solve=True)
    settled(editor.session)
    assert active(editor).pose != back
