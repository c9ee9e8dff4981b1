"""A new handle, a pin or a strict one holds a joint as it is shown: nobody moves until it is dragged or turned."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.figure import joints_of
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.slow]
CTRL = Qt.KeyboardModifier.ControlModifier
STILL = 1e-4  # metres
DOWN, STEP = {"pelvis": QPoint(0, 120)}, {"left_ankle": QPoint(60, 20), "pelvis": QPoint(20, 20)}


def posed(editor: Editor, ways: dict[str, QPoint]) -> ViewMouse:
    """Drag joints by the mouse, one after the other."""
    mouse = ViewMouse(editor)
    for joint, way in ways.items():
        mouse.drag(mouse.place(place_of(editor, joint)), *(way * (step / 8) for step in range(1, 9)))
        settled(editor.session)
    return mouse


def select(editor: Editor, joint: str, kind: str) -> None:
    session = editor.session
    session.select("c1", [e.id for e in active(editor).effectors if (e.joint, e.kind) == (joint, kind)])
    editor.refresh()


def moved_by_key(editor: Editor, key: Qt.Key) -> float:
    """Metres by which the joint that moves most does as a key is pressed, which makes a step."""
    before, steps = joints_of(active(editor)).positions, len(editor.session.history.steps())
    strike(editor, key)
    settled(editor.session)
    assert len(editor.session.history.steps()) == steps + 1
    return float(np.linalg.norm(joints_of(active(editor)).positions - before, axis=1).max())


@pytest.mark.parametrize("ankle", ["left_ankle", "right_ankle"])
@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("ways", [DOWN, STEP], ids=["down", "step"])
def test_a_foot_without_a_turn_is_given_one_by_r_and_nothing_moves(
    editor: Editor, ways: dict[str, QPoint], solver: str, ankle: str
) -> None:
    editor.session.edit("Solver", edits.set_solver("c1", solver))
    for joint in ("left_ankle", "right_ankle"):
        select(editor, joint, "rotation")
        strike(editor, Qt.Key.Key_Delete)
    posed(editor, ways)
    select(editor, ankle, "position")
    assert moved_by_key(editor, Qt.Key.Key_R) < STILL, "a knee went by 13 cm"
    (turn,) = editor.session.selected_effectors
    assert (turn.kind, turn.joint, turn.is_strict) == ("rotation", ankle, True)


@pytest.mark.parametrize("ankle", ["left_ankle", "right_ankle"])
@pytest.mark.parametrize("mirrored", [True, False])
def test_a_foot_whose_turn_is_pinned_leaves_everything_where_it_is(editor: Editor, mirrored: bool, ankle: str) -> None:
    posed(editor, DOWN)
    if mirrored:
        strike(editor, Qt.Key.Key_M, CTRL)
        settled(editor.session)
    select(editor, ankle, "rotation")
    assert moved_by_key(editor, Qt.Key.Key_P) < STILL, "the head went by 14 cm"
    assert all(e.pinned for e in editor.session.selected_effectors)


@pytest.mark.parametrize("key", [Qt.Key.Key_R, Qt.Key.Key_P])
def test_the_next_drag_goes_on_from_there(editor: Editor, key: Qt.Key) -> None:
    mouse = posed(editor, STEP)
    select(editor, "left_wrist" if key == Qt.Key.Key_R else "right_ankle", "position")
    assert moved_by_key(editor, key) < STILL
    before = joints_of(active(editor)).positions
    start = mouse.place(place_of(editor, "left_wrist"))
    mouse.drag(start, QPoint(2, -2), QPoint(4, -4))
    settled(editor.session)
    assert 0.005 < np.linalg.norm(joints_of(active(editor)).positions - before, axis=1).max() < 0.06


def test_a_handle_that_is_off_its_joint_still_brings_it_there_once_it_is_pinned(editor: Editor) -> None:
    session, mouse = editor.session, posed(editor, {"left_wrist": QPoint(40, -60)})
    (hand,) = [e for e in active(editor).effectors if e.is_active and e.joint == "left_wrist"]
    session.edit("Tolerance", edits.set_tolerance("c1", hand.id, 0.9), solve=True)
    settled(session)
    mouse.drag(mouse.place(place_of(editor, "pelvis")), QPoint(-20, 30), QPoint(-60, 60))
    settled(session)
    select(editor, "left_wrist", "position")
    assert moved_by_key(editor, Qt.Key.Key_P) > 0.005
    assert np.linalg.norm(place_of(editor, "left_wrist") - hand.target) < 1e-3
