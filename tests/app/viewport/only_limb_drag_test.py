"""Ctrl+Shift-drag in the window: one limb follows the pointer, all the rest stays, and one undo takes it back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor
from solver.kinematics.rotations import geodesic_angle
from solver.rig.roles import BODY_PARTS

pytestmark = pytest.mark.gl
BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def place_of(editor: Editor, joint: str) -> np.ndarray:
    character = active(editor)
    return joints_of(character).positions[skeleton_of(character).index(joint)]


def drag_alone(editor: Editor, joint: str, *ways: QPoint, release: bool = True) -> QPoint:
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, joint))
    mouse.drag(start, *ways, release=release, keys=BOTH)
    return start


def moved(before: Character, after: Character, limb: str) -> tuple[float, float]:
    """Metres and degrees by which what is not of the limb moved, at most."""
    out = [j for j, name in enumerate(skeleton_of(before).names) if name not in BODY_PARTS[limb]]
    gap = np.linalg.norm(joints_of(after).positions - joints_of(before).positions, axis=1)[out].max()
    turn = geodesic_angle(joints_of(after).rotations, joints_of(before).rotations)[out].max()
    return float(gap), float(np.degrees(turn))


@pytest.mark.sweep("dls")
@pytest.mark.parametrize("solver", ["smplik", "protores", "dls"])
def test_only_the_limb_that_is_dragged_moves(editor: Editor, solver: str) -> None:
    session = editor.session
    session.edit("Choose solver", edits.set_solver(active(editor).id, solver), solve=True)
    settled(session)
    first, steps = active(editor), len(session.history.steps())
    for joint, limb in (("left_wrist", "left arm"), ("right_elbow", "right arm"), ("left_knee", "left leg")):
        start = place_of(editor, joint)
        drag_alone(editor, joint, QPoint(8, -10), QPoint(20, -30), QPoint(40, -60), QPoint(70, -90))
        settled(session)
        after = active(editor)
        assert np.linalg.norm(place_of(editor, joint) - start) > 0.03, joint
        gap, turn = moved(first, after, limb)
        assert gap < 1e-3, joint
        assert turn < 0.1, joint
        assert after.preserve == first.preserve
        assert after.base_pose == first.base_pose
        assert len(session.history.steps()) == steps + 1
        session.undo()
        assert active(editor) == first


def test_an_axis_can_be_chosen_while_both_keys_are_still_held(editor: Editor) -> None:
    before = place_of(editor, "left_wrist")
    start = drag_alone(editor, "left_wrist", QPoint(6, -6), QPoint(12, -30), release=False)
    QTest.keyClick(editor.viewport, Qt.Key.Key_Up, BOTH)
    QTest.keyClick(editor.viewport, Qt.Key.Key_X, BOTH)  # with Shift: the plane across it
    QTest.mouseRelease(editor.viewport, Qt.MouseButton.LeftButton, BOTH, start + QPoint(12, -30))
    settled(editor.session)
    way = place_of(editor, "left_wrist") - before
    assert abs(way[0]) < 2e-3
    assert np.linalg.norm(way) > 0.02


def test_without_the_keys_the_whole_body_answers(editor: Editor) -> None:
    session, mouse, first = editor.session, ViewMouse(editor), active(editor)
    start = mouse.place(place_of(editor, "left_wrist"))
    mouse.drag(start, QPoint(20, -30), QPoint(120, -60))
    settled(session)
    assert moved(first, active(editor), "left arm")[0] > 5e-3


def test_the_hint_names_the_limb_and_the_rest_is_drawn_calm_until_the_drag_ends(editor: Editor) -> None:
    session, shown = editor.session, editor.viewport
    start = drag_alone(editor, "left_wrist", QPoint(10, -10), QPoint(30, -40), release=False)
    assert editor.window.hint.text().startswith("Only the left arm · Move left wrist")
    figure = shown.scene.figures[0]
    names = skeleton_of(active(editor)).names
    assert {names[j] for j in figure.calm} == set(names) - set(BODY_PARTS["left arm"])
    dimmed = {h.id[1] for h in shown.scene.handles if h.dimmed}
    assert dimmed == {e.id for e in active(editor).effectors if e.joint in session.view.still}
    ViewMouse(editor).release(start + QPoint(30, -40), BOTH)
    assert not shown.scene.figures[0].calm
    assert not any(h.dimmed for h in shown.scene.handles)
    assert not editor.window.hint.text().startswith("Only")


def test_escape_takes_it_back_and_nothing_is_calm_any_more(editor: Editor) -> None:
    before = editor.session.document
    start = drag_alone(editor, "left_wrist", QPoint(10, -10), QPoint(30, -40), release=False)
    QTest.keyClick(editor.window, Qt.Key.Key_Escape)
    assert editor.session.document == before
    assert not editor.viewport.scene.figures[0].calm
    ViewMouse(editor).release(start + QPoint(30, -40), BOTH)
    assert editor.session.document == before


def test_the_keys_that_begin_it_are_neither_fine_nor_in_steps(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    start = drag_alone(editor, "left_wrist", QPoint(10, -10), QPoint(30, -40))
    target = next(e for e in active(editor).effectors if e.joint == "left_wrist").target
    assert np.linalg.norm(mouse.view.current_view.project(target) - np.array([start.x() + 30, start.y() - 40])) < 1.5


def test_the_next_drag_goes_on_from_where_the_limb_is(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    session.edit("Choose solver", edits.set_solver(active(editor).id, "dls"), solve=True)
    settled(session)
    drag_alone(editor, "left_wrist", QPoint(20, -30), QPoint(90, -90), QPoint(120, -120))
    settled(session)
    before = joints_of(active(editor)).positions
    ankle = mouse.place(place_of(editor, "right_ankle"))
    mouse.drag(ankle, QPoint(4, 0), release=False)
    settled(session)
    after = joints_of(active(editor)).positions
    mouse.release(ankle + QPoint(4, 0))
    assert np.linalg.norm(after - before, axis=1).max() < 0.04


def test_with_alt_a_drag_over_a_handle_orbits_the_view_and_poses_nobody(editor: Editor) -> None:
    mouse, first, looked = ViewMouse(editor), editor.session.document, editor.viewport.camera
    start = mouse.place(place_of(editor, "left_ankle"))
    mouse.drag(start, QPoint(20, -10), QPoint(60, -30), keys=Qt.KeyboardModifier.AltModifier)
    settled(editor.session)
    assert editor.session.document == first
    assert editor.viewport.camera != looked
