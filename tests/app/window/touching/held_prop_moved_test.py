"""Somebody holds a prop and the prop is selected: what moves as it is moved, and as anything else is changed."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, part_at, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from small_window import scrolled_to
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
IN_FRONT = (0.28, 0.65, 0.3)  # metres, the base of a stick before the left shoulder
LEFT_ARM = {"left_collar", "left_shoulder", "left_elbow", "left_wrist"}
RIGHT_ARM = {name.replace("left", "right") for name in LEFT_ARM}
SHARES = np.linspace(0.05, 0.5, 10)  # of a metre
FEET = ("left_ankle", "right_ankle")


@pytest.fixture
def stick(editor: Editor) -> Prop:
    """A stick that the left hand is around; it is selected."""
    who = active(editor).id
    made = added(editor, "stick", IN_FRONT)
    editor.session.edit("Short", edits.set_prop_size(made.id, (0.03, 0.8, 0.03)))
    editor.session.select(who)
    seen_close(editor)
    dragged_with_s(editor, place_of(editor, "left_wrist"), the_prop(editor).frame.points((0.0, 0.5, 0.0)))
    return selected(editor)


def seen_close(editor: Editor) -> None:
    editor.viewport.set_camera(OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2))
    editor.refresh()


def selected(editor: Editor) -> Prop:
    editor.session.set_view(prop=the_prop(editor).id)
    editor.viewport.setFocus()
    editor.refresh()
    return the_prop(editor)


def turned(editor: Editor, since: np.ndarray) -> set[str]:
    """The joints that have turned since those rotations."""
    far = np.abs(active(editor).pose.rotations - since).max(axis=(1, 2)) > 1e-6
    return {name for name, has in zip(skeleton_of(active(editor)).names, far, strict=True) if has}


def rotations(editor: Editor) -> np.ndarray:
    return np.array(active(editor).pose.rotations)


def held_well(editor: Editor) -> bool:
    skeleton, joints = skeleton_of(active(editor)), joints_of(active(editor))
    held = [e for e in active(editor).effectors if isinstance(e, Contact)]
    return bool(held) and all(e.residual(skeleton, joints) < 0.002 for e in held)


def test_a_stick_moved_by_its_own_takes_along_the_arm_that_holds_it_and_nothing_else(
    editor: Editor, stick: Prop
) -> None:
    since = rotations(editor)
    for _ in range(3):
        QTest.keyClick(editor.viewport, KEY.Key_Up)
    settled(editor.session)
    assert np.linalg.norm(the_prop(editor).place - stick.place) == pytest.approx(0.03, abs=1e-3)
    moved = turned(editor, since)
    assert "left_shoulder" in moved
    assert moved <= LEFT_ARM
    assert held_well(editor)


@pytest.mark.slow
def test_a_drag_that_takes_a_held_stick_out_of_reach_and_back_leaves_the_body_where_it_was(
    editor: Editor, stick: Prop
) -> None:
    since, mouse = rotations(editor), ViewMouse(editor)
    a_metre = mouse.place(stick.place + [1.0, 0.0, 0.0]) - mouse.place(stick.place)
    start, ways = part_at(mouse, "x"), [QPoint(round(s * a_metre.x()), round(s * a_metre.y())) for s in SHARES]
    mouse.drag(start, *ways, release=False)
    settled(editor.session)
    assert the_prop(editor).place[0] - stick.place[0] > 0.4
    assert {"pelvis", "spine2"} <= turned(editor, since)
    assert held_well(editor)
    for way in (*reversed(ways[:-1]), QPoint()):
        mouse.move(start + way)
        settled(editor.session)
    mouse.release(start)
    settled(editor.session)
    assert np.allclose(the_prop(editor).place, stick.place, atol=1e-3)
    assert turned(editor, since) <= LEFT_ARM
    assert held_well(editor)


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_a_taller_body_stands_on_its_feet_whether_or_not_what_it_holds_is_selected(editor: Editor, stick: Prop) -> None:
    session, poses = editor.session, []
    for prop in (stick.id, ""):
        session.set_view(prop=prop)
        editor.refresh()
        field, legs = scrolled_to(editor.panels.body.stature), [place_of(editor, foot) for foot in FEET]
        field.setFocus()
        QTest.keyClick(field, KEY.Key_Right)
        settled(session)

        poses.append(active(editor).pose)
        assert np.abs([place_of(editor, foot) for foot in FEET] - np.array(legs))[:, [0, 2]].max() < 0.02
        assert held_well(editor)
        session.undo()
    assert np.allclose(poses[0].rotations, poses[1].rotations, atol=1e-6)
    assert np.allclose(poses[0].root_position, poses[1].root_position, atol=1e-6)


@pytest.mark.usefixtures("unfolded")
def test_the_other_hand_goes_where_a_lower_tolerance_has_it_while_the_stick_is_selected(
    editor: Editor, stick: Prop
) -> None:
    who, wrist = active(editor).id, next(e for e in active(editor).effectors if e.joint == "right_wrist")
    there = wrist.target + np.float32([0.0, 0.3, 0.4])
    asked = edits.chain(edits.set_target(who, wrist.id, there), edits.set_tolerance(who, wrist.id, 1.0))
    editor.session.edit("Barely a hint", asked, solve=True)
    settled(editor.session)
    since = np.linalg.norm(place_of(editor, "right_wrist") - there)
    assert since > 0.1
    assert selected(editor).id == stick.id
    row = next(row for row in editor.panels.effectors.rows if row.joint.text() == "Right wrist")
    field = scrolled_to(row.tolerance)
    field.setFocus()
    QTest.keyClick(field, KEY.Key_Backspace)
    settled(editor.session)
    assert editor.session.view.prop == stick.id
    assert np.linalg.norm(place_of(editor, "right_wrist") - there) < 0.01
    assert held_well(editor)


@pytest.mark.slow
def test_a_stick_in_both_hands_takes_along_both_arms(editor: Editor, stick: Prop) -> None:
    editor.session.select(active(editor).id)
    dragged_with_s(editor, place_of(editor, "right_wrist"), stick.frame.points((0.0, 0.85, 0.0)))
    selected(editor)
    since = rotations(editor)
    QTest.keyClick(editor.viewport, KEY.Key_Up)
    settled(editor.session)
    moved = turned(editor, since)
    assert {"left_shoulder", "right_shoulder"} <= moved
    assert moved <= LEFT_ARM | RIGHT_ARM
    assert held_well(editor)


@pytest.mark.slow
def test_two_selected_props_take_along_the_arms_that_hold_either(editor: Editor, stick: Prop) -> None:
    first = stick.id
    who = active(editor).id
    made = added(editor, "stick", (-0.28, 0.65, 0.3))
    editor.session.edit("Short", edits.set_prop_size(made.id, (0.03, 0.8, 0.03)))
    editor.session.select(who)
    seen_close(editor)
    dragged_with_s(editor, place_of(editor, "right_wrist"), the_prop(editor).frame.points((0.0, 0.5, 0.0)))
    editor.session.set_view(prop=first, props=frozenset({made.id}))
    editor.viewport.setFocus()
    editor.refresh()
    since = rotations(editor)
    mouse = ViewMouse(editor)
    mouse.drag(part_at(mouse, "y"), QPoint(0, -3), QPoint(0, -8))
    settled(editor.session)
    assert editor.session.history.steps()[-1] == "Move 2 props"
    moved = turned(editor, since)
    assert {"left_shoulder", "right_shoulder"} <= moved
    assert moved <= LEFT_ARM | RIGHT_ARM
    assert held_well(editor)


@pytest.mark.slow
def test_a_copy_of_a_held_stick_moves_nobody(editor: Editor, stick: Prop) -> None:
    since = rotations(editor)
    strike(editor, KEY.Key_D, HELD.ControlModifier)
    settled(editor.session)
    assert the_prop(editor).id != stick.id
    QTest.keyClick(editor.viewport, KEY.Key_Up)
    settled(editor.session)
    assert turned(editor, since) == set()
