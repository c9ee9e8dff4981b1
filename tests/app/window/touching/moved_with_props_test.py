"""Props that are selected with a person go along when the whole person is moved, turned or lifted."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, on_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, root_of, settled, strike

from app.document import edits
from app.document.model.prop import Prop
from app.document.posing.mirroring import heading
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.shapes.root_handle import ring
from solver.effectors.contact import Contact

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
STEPS = (QPoint(8, 2), QPoint(30, 4), QPoint(60, 8))
FAR = OrbitCamera(target=(0.2, 0.9, 0.1), distance=6.0, yaw=0.4, pitch=0.35)


def both_selected(editor: Editor, box: Prop) -> ViewMouse:
    """The person and the box, by a click beside everything and a Shift-click."""
    mouse = seen_from(editor, FAR)
    mouse.click(QPoint(6, 6))
    mouse.click(on_prop(mouse, box), HELD.ShiftModifier)
    assert editor.session.view.props == {box.id}
    return mouse


def seen_from(editor: Editor, camera: OrbitCamera) -> ViewMouse:
    editor.viewport.set_camera(camera)
    editor.refresh()
    return ViewMouse(editor)


def cross(mouse: ViewMouse) -> QPoint:
    return mouse.place(np.asarray(root_of(mouse.editor).position) + [0.0, 0.0, 0.3])


def prop(editor: Editor, id: str) -> Prop:
    return editor.session.document.prop(id)


def test_a_prop_that_is_selected_with_a_person_goes_along_by_the_cross_in_one_step(
    editor: Editor, hints: list[str]
) -> None:
    box = added(editor)
    mouse, before, pose = both_selected(editor, box), editor.session.document, active(editor).pose
    start = cross(mouse)
    mouse.drag(start, *STEPS, release=False)
    assert "takes Box along" in hints[-1]
    assert ", C " not in hints[-1], "there is nothing to be chosen"
    mouse.release(start + STEPS[-1])
    settled(editor.session)
    moved = active(editor).pose.root_position - pose.root_position
    assert np.linalg.norm(moved) > 0.2
    assert prop(editor, box.id).place - box.place == pytest.approx(moved, abs=1e-5)
    assert editor.session.view.props == {box.id}, "both stay selected"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert editor.session.document == before


def test_it_turns_about_the_person_by_the_ring_and_by_the_wheel(editor: Editor) -> None:
    box = added(editor)
    mouse, before = both_selected(editor, box), active(editor)
    outline = ring(root_of(editor), mouse.view.current_view)
    mouse.drag(mouse.place(outline[14]), *(mouse.place(outline[i]) - mouse.place(outline[14]) for i in (15, 17, 19)))
    settled(editor.session)
    now = active(editor)
    angle = heading(now.pose.rotations[0]) - heading(before.pose.rotations[0])
    assert abs(angle) > 0.1
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]])
    assert prop(editor, box.id).turn == pytest.approx(turn @ box.turn, abs=1e-4)
    arm = box.place - before.pose.root_position
    assert prop(editor, box.id).place - now.pose.root_position == pytest.approx(turn @ arm, abs=1e-4)
    start, then = cross(mouse), prop(editor, box.id)
    mouse.drag(start, STEPS[0], release=False)
    mouse.roll(start + STEPS[0], 3)
    mouse.release(start + STEPS[0])
    settled(editor.session)
    assert np.abs(prop(editor, box.id).turn - then.turn).max() > 0.1


def test_the_arrow_keys_move_both(editor: Editor) -> None:
    box = added(editor)
    both_selected(editor, box)
    root = active(editor).pose.root_position
    strike(editor, KEY.Key_Right)
    moved = active(editor).pose.root_position - root
    assert np.linalg.norm(moved) == pytest.approx(0.01, abs=1e-4)
    assert prop(editor, box.id).place - box.place == pytest.approx(moved, abs=1e-5)


def test_a_locked_one_and_one_that_is_not_selected_stay(editor: Editor) -> None:
    box, ball = added(editor), added(editor, "ball", (-0.9, 0.0, 0.3))
    mouse = both_selected(editor, box)
    editor.session.edit("Lock", edits.set_prop_locked(box.id, True))
    root = active(editor).pose.root_position
    mouse.drag(cross(mouse), *STEPS)
    settled(editor.session)
    assert np.linalg.norm(active(editor).pose.root_position - root) > 0.2
    strike(editor, KEY.Key_Right)
    assert all(np.array_equal(prop(editor, one.id).place, one.place) for one in (box, ball))


@pytest.mark.slow
def test_a_hand_on_the_selected_prop_stays_on_it_without_a_new_pose(editor: Editor, hints: list[str]) -> None:
    who, box = active(editor).id, added(editor, "box", (0.45, 0.0, 0.35))
    editor.session.edit("Tall", edits.set_prop_size(box.id, (0.4, 0.9, 0.4)))
    editor.session.select(who)
    seen_from(editor, OrbitCamera(target=(0.3, 1.0, 0.2), yaw=0.5, pitch=0.6, distance=2.5))
    dragged_with_s(editor, place_of(editor, "left_wrist"), prop(editor, box.id).frame.points((0.0, 1.0, 0.0)))
    assert any(isinstance(e, Contact) for e in active(editor).effectors)
    mouse, pose, box = both_selected(editor, box), active(editor).pose, prop(editor, box.id)
    mouse.drag(cross(mouse), *STEPS)
    settled(editor.session)
    moved = active(editor).pose.root_position - pose.root_position
    assert prop(editor, box.id).place - box.place == pytest.approx(moved, abs=1e-5)
    assert np.allclose(active(editor).pose.rotations, pose.rotations, atol=1e-6)
    assert any(isinstance(e, Contact) for e in active(editor).effectors)
    assert not any("lets go" in hint or "holds on" in hint for hint in hints[-3:])


@pytest.mark.slow
def test_c_leaves_what_is_in_the_hand_and_takes_what_is_selected(editor: Editor, hints: list[str]) -> None:
    who, box = active(editor).id, added(editor)
    stick = added(editor, "stick", (0.28, 0.65, 0.3))
    editor.session.edit("Short", edits.set_prop_size(stick.id, (0.03, 0.8, 0.03)))
    editor.session.select(who)
    seen_from(editor, OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2))
    dragged_with_s(editor, place_of(editor, "left_wrist"), prop(editor, stick.id).frame.points((0.0, 0.5, 0.0)))
    mouse, stick = both_selected(editor, box), prop(editor, stick.id)
    start = cross(mouse)
    mouse.drag(start, *STEPS[:2], release=False)
    assert "takes 2 props along, C leaves Stick there" in hints[-1]
    QTest.keyClick(editor.viewport, KEY.Key_C)
    assert "takes Box along and holds on to the contact, C lets go" in hints[-1]
    mouse.release(start + STEPS[1])
    settled(editor.session)
    assert prop(editor, stick.id).place == pytest.approx(stick.place)
    assert np.linalg.norm(prop(editor, box.id).place - box.place) > 0.1


def test_everybody_selected_after_a_prop_moves_with_it(editor: Editor) -> None:
    editor.posing.add_person()
    box = added(editor)
    before = [person.pose.root_position[0] for person in editor.session.document.characters]
    strike(editor, KEY.Key_A, HELD.ControlModifier | HELD.ShiftModifier)
    assert (editor.session.view.prop, editor.session.view.props) == ("", {box.id})
    strike(editor, KEY.Key_Right)
    settled(editor.session)
    after = [person.pose.root_position[0] for person in editor.session.document.characters]
    assert np.abs(np.subtract(after, before)).min() > 0.005, "all people moved"
    assert not np.allclose(prop(editor, box.id).place, box.place), "and the box"
