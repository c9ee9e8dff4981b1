"""Several effectors selected: one gizmo in their middle, which moves and turns them as a group."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, strike

from app.document import edits
from app.document.posing.fitting_effectors import new_effectors
from app.window.editor import Editor
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import outline
from solver.effectors.effector import Effector

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier
HANDS = ("left_wrist", "right_wrist")


def effector(editor: Editor, joint: str, kind: str = "position") -> Effector:
    return next(e for e in active(editor).effectors if e.joint == joint and e.kind == kind)


def targets(editor: Editor) -> np.ndarray:
    return np.array([effector(editor, joint).target for joint in HANDS], np.float64)


def gizmo(editor: Editor) -> Gizmo:
    found = editor.viewport.scene.gizmo
    assert found is not None
    return found


def select_hands(editor: Editor, *more: str) -> None:
    editor.session.select(active(editor).id, [*(effector(editor, joint).id for joint in HANDS), *more])


def grip(editor: Editor, part: str, share: float = 0.5) -> QPoint:
    """A place on a part of the gizmo."""
    line = outline(gizmo(editor), part, editor.viewport.current_view)
    at = share * (len(line) - 1)
    low = int(at)
    return ViewMouse(editor).place(line[low] + (at - low) * (line[min(low + 1, len(line) - 1)] - line[low]))


def test_shift_clicks_select_several_and_one_gizmo_stands_in_their_middle(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    mouse.click(mouse.place(targets(editor)[0]))
    mouse.click(mouse.place(targets(editor)[1]), SHIFT)
    assert editor.session.view.effectors == {effector(editor, joint).id for joint in HANDS}
    assert gizmo(editor).kind == "both"
    assert gizmo(editor).position == pytest.approx(targets(editor).mean(axis=0), abs=1e-6)


def test_its_arrow_moves_all_of_them_alike_in_one_step(editor: Editor) -> None:
    session, mouse, before = editor.session, ViewMouse(editor), editor.session.document
    select_hands(editor)
    old, start = targets(editor), grip(editor, "y")
    mouse.drag(start, QPoint(0, -10), QPoint(1, -30), QPoint(2, -50))
    settled(session)
    moved = targets(editor) - old
    assert moved[0] == pytest.approx(moved[1], abs=1e-6)
    assert moved[0][1] > 0.03
    assert moved[0][[0, 2]] == pytest.approx([0, 0], abs=1e-6)
    assert session.history.steps() == ("Move 2 effectors",)
    assert len(session.view.effectors) == 2
    session.undo()
    assert session.document == before


def test_a_ring_turns_them_about_their_middle_and_turns_with_a_place_go_along(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    person = active(editor)
    (turn,) = new_effectors(person, "rotation", ["left_wrist"])
    session.edit("Add", edits.add_effector(person.id, turn), solve=True)
    settled(session)
    select_hands(editor, turn.id)
    assert gizmo(editor).kind == "both", "what only turns does not take the arrows away"
    old, tip, middle = targets(editor), effector(editor, "left_wrist", "rotation").target, gizmo(editor).position
    before, away = session.document, len(session.history.steps())
    mouse.drag(grip(editor, "turn y", 0.125), QPoint(-10, 0), QPoint(-40, 2))
    new = targets(editor)
    assert session.history.steps()[away:] == ("Turn 3 effectors",)
    assert new.mean(axis=0) == pytest.approx(middle, abs=1e-5), "their middle stays"
    assert np.linalg.norm(new - new.mean(axis=0)) == pytest.approx(np.linalg.norm(old - old.mean(axis=0)), abs=1e-5)
    arm, was = (new - middle)[0], (old - middle)[0]
    angle = np.arctan2(arm[0], arm[2]) - np.arctan2(was[0], was[2])
    assert abs(angle) > np.radians(5)
    c, s = np.cos(angle), np.sin(angle)
    turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ tip
    assert effector(editor, "left_wrist", "rotation").target == pytest.approx(turned, abs=1e-4)
    session.undo()
    assert session.document == before


def test_turns_alone_get_rings_alone(editor: Editor) -> None:
    session = editor.session
    ids = [effector(editor, joint, "rotation").id for joint in ("left_ankle", "right_ankle")]
    session.select(active(editor).id, ids)
    assert gizmo(editor).kind == "rotate"
    old = [effector(editor, joint, "rotation").target for joint in ("left_ankle", "right_ankle")]
    mouse, centre = ViewMouse(editor), ViewMouse(editor).place(gizmo(editor).position)
    mouse.drag(centre + QPoint(94, 0), QPoint(-5, -20), QPoint(-20, -50))
    new = [effector(editor, joint, "rotation").target for joint in ("left_ankle", "right_ankle")]
    turns = [b.astype(np.float64) @ a.T for a, b in zip(old, new, strict=True)]
    assert turns[0] == pytest.approx(turns[1], abs=1e-5)
    assert np.trace(turns[0]) < 2.95


def test_one_that_is_switched_off_is_switched_on_and_escape_takes_all_back(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    id = effector(editor, "right_wrist").id
    session.edit("Off", edits.set_enabled(active(editor).id, id, False))
    before = session.document
    select_hands(editor)
    start = grip(editor, "y")
    mouse.drag(start, QPoint(0, -10), QPoint(0, -40), release=False)
    assert effector(editor, "right_wrist").enabled
    QTest.keyClick(editor.window, Qt.Key.Key_Escape)
    mouse.release(start)
    assert session.document == before


def test_the_middle_moves_them_in_the_plane_of_the_view_and_a_plane_within_itself(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    select_hands(editor)
    old, start = targets(editor), mouse.place(gizmo(editor).position)
    mouse.drag(start, QPoint(5, -10), QPoint(20, -30))
    assert (targets(editor) - old)[0] @ editor.viewport.camera.rotation[:, 2] == pytest.approx(0, abs=1e-6)
    square = outline(gizmo(editor), "xy", editor.viewport.current_view)[:4]
    old, start = targets(editor), mouse.place(square.mean(axis=0))
    mouse.drag(start, QPoint(5, -10), QPoint(20, -30))
    assert abs((targets(editor) - old)[0][2]) < 1e-6
    assert np.linalg.norm((targets(editor) - old)[0]) > 0.02


def test_arrow_keys_move_the_group_too(editor: Editor) -> None:
    select_hands(editor)
    old = targets(editor)
    strike(editor, Qt.Key.Key_Up, SHIFT)
    moved = targets(editor) - old
    assert moved[0] == pytest.approx(moved[1], abs=1e-6)
    assert np.linalg.norm(moved[0]) == pytest.approx(0.1, abs=1e-6)
    settled(editor.session)
