"""Real drags in the window: what was touched once stays put while the rest of the body is pulled about."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, active, place_of, settled, until

from app.window.editor import Editor
from solver.effectors.effector import Effector

pytestmark = pytest.mark.gl
PULLS = {  # pixels, in steps: far beyond what arms and legs allow
    "right_wrist": QPoint(-260, -240),
    "pelvis": QPoint(-180, 60),
    "head": QPoint(-150, 40),
}


def held(editor: Editor, joint: str) -> Effector:
    return next(e for e in active(editor).effectors if (e.joint, e.kind) == (joint, "position"))


def drag(editor: Editor, joint: str, way: QPoint, steps: int = 6) -> list[float]:
    """Drag a joint; how far the left wrist is from its target at each move, metres."""
    mouse, missed = ViewMouse(editor), []
    start = mouse.place(place_of(editor, joint))
    mouse.drag(start, QPoint(3, -3), way / steps, release=False)
    for step in range(1, steps + 1):
        mouse.move(start + way * (step / steps))
        settled(editor.session)
        missed.append(float(np.linalg.norm(place_of(editor, "left_wrist") - held(editor, "left_wrist").target)))
    mouse.release(start + way)
    settled(editor.session)
    return missed


@pytest.mark.slow
def test_a_touched_hand_stays_put_however_far_the_rest_is_dragged(editor: Editor) -> None:
    drag(editor, "left_wrist", QPoint(60, -130))
    assert not held(editor, "left_wrist").loose
    there = held(editor, "left_wrist").target
    for joint, way in PULLS.items():
        before = len(editor.session.history.steps())
        assert max(drag(editor, joint, way)) < 1e-3, joint
        assert np.array_equal(held(editor, "left_wrist").target, there)
        assert len(editor.session.history.steps()) == before + 1
        row = next(r for r in editor.panels.effectors.rows if r.effector_id == held(editor, joint).id)
        until(lambda row=row: (editor.refresh(), row.detail.text() in ("Too far", "Blocked"))[1])
        assert "left wrist" in row.toolTip().lower() or "reach" in row.toolTip()
        editor.session.undo()
        settled(editor.session)


def test_for_a_foot_that_is_dragged_down_below_the_floor_nobody_crouches(editor: Editor) -> None:
    high, foot = place_of(editor, "pelvis")[1], place_of(editor, "left_ankle")
    editor.session.select(active(editor).id)
    mouse, way = ViewMouse(editor), QPoint(0, 90)
    start = mouse.place(foot)
    mouse.drag(start, QPoint(2, 2), way, release=False)
    settled(editor.session)
    assert held(editor, "left_ankle").target[1] < -0.1, "the pointer is below the floor"
    mouse.release(start + way)
    settled(editor.session)
    assert place_of(editor, "left_ankle")[1] == pytest.approx(foot[1], abs=0.005)
    assert high - place_of(editor, "pelvis")[1] < 0.06


def test_a_hand_that_was_made_loose_lets_go(editor: Editor) -> None:
    drag(editor, "left_wrist", QPoint(60, -130))
    there = place_of(editor, "left_wrist")
    row = next(r for r in editor.panels.effectors.rows if r.effector_id == held(editor, "left_wrist").id)
    row.strict.click()
    assert held(editor, "left_wrist").loose
    drag(editor, "pelvis", PULLS["pelvis"])
    assert np.linalg.norm(place_of(editor, "left_wrist") - there) > 0.05
