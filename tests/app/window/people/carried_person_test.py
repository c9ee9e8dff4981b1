"""Somebody who is held in the air by another person's hands goes along as that person is moved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, strike

from app.document import edits
from app.document.model.character import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, on_patch, patches_of
from app.document.posing.create import new_character
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
STEPS = (QPoint(8, 2), QPoint(30, 4), QPoint(60, 8))
LIFTED = np.array([0.0, 0.5, 0.35])  # metres, in front of the one who holds the child
SIDES = (("left_palm", "left_upper_arm"), ("right_palm", "right_upper_arm"))


@pytest.fixture
def child(editor: Editor) -> Character:
    """A child in the air who looks away from the active person, whose palms are on the child's arms."""
    session, who = editor.session, active(editor)
    made = new_character(session.document, "Kim", "anny:child")
    session.edit("Add", edits.add_character(made))
    to = LIFTED - made.pose.root_position * [1.0, 0.0, 1.0]
    session.edit("Lift", edits.move_character(made.id, to))
    for palm, arm in SIDES:
        source, place, facing = on_patch(session.document.character(made.id), arm)
        held = contact_of(patches_of(session.document.character(who.id))[palm], place, facing)
        session.edit("Hold", edits.hold(who.id, replace(held, source=source)), solve=True)
        settled(session)
    session.select(who.id)
    return session.document.character(made.id)


def place(editor: Editor, id: str) -> np.ndarray:
    return np.asarray(editor.session.document.character(id).pose.root_position, np.float64)


def held_within(editor: Editor) -> float:
    """Metres by which the palms are off the child at most."""
    skeleton, joints = skeleton_of(active(editor)), joints_of(active(editor))
    return max(e.residual(skeleton, joints) for e in active(editor).effectors if isinstance(e, Contact))


def cross(editor: Editor) -> QPoint:
    """A pixel on the cross on the floor, with everybody in sight."""
    editor.viewport.set_camera(OrbitCamera(target=(0.2, 0.9, 0.1), distance=5.0, yaw=0.4, pitch=0.35))
    editor.refresh()
    editor.session_view.refresh()
    root = editor.viewport.scene.root
    assert root is not None
    return ViewMouse(editor).place(np.asarray(root.position) + [0.0, 0.0, 0.3])


@pytest.mark.slow
def test_a_child_in_both_hands_goes_along_by_the_cross_unless_c_leaves_it_there(
    editor: Editor, child: Character, hints: list[str]
) -> None:
    before, start = editor.session.document, place(editor, active(editor).id)
    off = held_within(editor)
    assert off < 0.01, "both palms are on the child"
    mouse, at = ViewMouse(editor), cross(editor)
    mouse.drag(at, *STEPS, release=False)
    assert "takes Kim along, C leaves them there" in hints[-1]
    assert place(editor, child.id)[0] > child.pose.root_position[0] + 0.1
    QTest.keyClick(editor.viewport, KEY.Key_C)
    assert "holds on to 2 contacts" in hints[-1]
    assert place(editor, child.id) == pytest.approx(child.pose.root_position), "back where the child was"
    QTest.keyClick(editor.viewport, KEY.Key_C)
    QTest.keyClick(editor.viewport, KEY.Key_C)
    mouse.release(at + STEPS[-1])
    settled(editor.session)
    moved = place(editor, active(editor).id) - start
    assert np.linalg.norm(moved) > 0.2
    assert place(editor, child.id) - child.pose.root_position == pytest.approx(moved, abs=1e-4)
    assert held_within(editor) == pytest.approx(off, abs=1e-3)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert editor.session.document == before


def test_keys_move_and_turn_the_child_with_the_one_who_holds_it(editor: Editor, child: Character) -> None:
    start, off = place(editor, active(editor).id), held_within(editor)
    strike(editor, KEY.Key_Left, HELD.ShiftModifier)
    settled(editor.session)
    moved = place(editor, active(editor).id) - start
    assert np.linalg.norm(moved) == pytest.approx(0.1, abs=1e-4)
    assert place(editor, child.id) - child.pose.root_position == pytest.approx(moved, abs=1e-4)
    strike(editor, KEY.Key_PageUp, HELD.ControlModifier)
    settled(editor.session)
    assert np.abs(editor.session.document.character(child.id).pose.rotations[0] - child.pose.rotations[0]).max() > 0.02
    assert held_within(editor) == pytest.approx(off, abs=1e-3)
