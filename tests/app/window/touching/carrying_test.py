"""People who carry something: whole people are moved by the cross, hands by their handles, keys and numbers."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, double_click, move_held, place_of, settled, strike, until

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.holds.grasping import hand_around
from app.panels.widgets.field_editor import FieldEditor
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.shapes.gizmo import outline
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
IN_FRONT = (0.28, 0.65, 0.3)  # metres, the base of a stick before the left shoulder
STEPS = (QPoint(8, 2), QPoint(30, 4), QPoint(60, 8))
FAR = OrbitCamera(target=(0.2, 0.9, 0.1), distance=5.0, yaw=0.4, pitch=0.35)


@pytest.fixture
def stick(editor: Editor) -> Prop:
    """A stick that the left hand is around."""
    who = active(editor).id
    made = added(editor, "stick", IN_FRONT)
    editor.session.edit("Short", edits.set_prop_size(made.id, (0.03, 0.8, 0.03)))
    editor.session.select(who)
    seen_from(editor, OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2))
    dragged_with_s(editor, place_of(editor, "left_wrist"), the_prop(editor).frame.points((0.0, 0.5, 0.0)))
    (held,) = contacts(editor)
    assert held.around
    return the_prop(editor)


def seen_from(editor: Editor, camera: OrbitCamera) -> None:
    editor.viewport.set_camera(camera)
    editor.refresh()


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def held_well(editor: Editor) -> bool:
    """Whether all contacts of the active person are where they should be."""
    skeleton, joints = skeleton_of(active(editor)), joints_of(active(editor))
    found = contacts(editor)
    return bool(found) and all(isinstance(e.source, PropSource) and e.residual(skeleton, joints) < 0.002 for e in found)


def cross(editor: Editor) -> QPoint:
    """A pixel on the cross on the floor, with nothing selected and everything in sight."""
    editor.session.select(active(editor).id)
    seen_from(editor, FAR)
    editor.session_view.refresh()
    root = editor.viewport.scene.root
    assert root is not None
    return ViewMouse(editor).place(np.asarray(root.position) + [0.0, 0.0, 0.3])


def gone(editor: Editor, before: np.ndarray) -> np.ndarray:
    return np.asarray(active(editor).pose.root_position - before, np.float64)


@pytest.mark.slow
def test_a_stick_in_the_hand_goes_along_when_the_person_is_moved_and_undo_brings_both_back(
    editor: Editor, stick: Prop, hints: list[str]
) -> None:
    before, pose = editor.session.document, active(editor).pose
    mouse, start = ViewMouse(editor), cross(editor)
    mouse.drag(start, *STEPS, release=False)
    assert "takes Stick along, C leaves it there" in hints[-1]
    mouse.release(start + STEPS[-1])
    settled(editor.session)
    moved = gone(editor, pose.root_position)
    assert np.linalg.norm(moved) > 0.2
    assert the_prop(editor).place - stick.place == pytest.approx(moved, abs=1e-5)
    assert np.allclose(active(editor).pose.rotations, pose.rotations, atol=1e-6), "as one, without a new pose"
    assert held_well(editor)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert editor.session.document == before


def test_c_leaves_the_stick_there_then_lets_go_of_it_then_takes_it_along_again(
    editor: Editor, stick: Prop, hints: list[str]
) -> None:
    mouse, start, root = ViewMouse(editor), cross(editor), active(editor).pose.root_position
    mouse.drag(start, *STEPS[:2], release=False)
    QTest.keyClick(editor.viewport, KEY.Key_C)
    assert "holds on to the contact, C lets go" in hints[-1]
    settled(editor.session)
    assert the_prop(editor).place == pytest.approx(stick.place)
    assert held_well(editor), "the body follows the hand"
    QTest.keyClick(editor.viewport, KEY.Key_C)
    assert "lets go of the contact, C takes Stick along" in hints[-1]
    assert not contacts(editor)
    assert the_prop(editor).place == pytest.approx(stick.place)
    QTest.keyClick(editor.viewport, KEY.Key_C)
    assert "takes Stick along" in hints[-1]
    mouse.release(start + STEPS[1])
    settled(editor.session)
    assert the_prop(editor).place - stick.place == pytest.approx(gone(editor, root), abs=1e-5)
    assert held_well(editor)


@pytest.mark.slow
def test_a_locked_stick_stays_and_the_hand_holds_on_to_it(editor: Editor, stick: Prop, hints: list[str]) -> None:
    editor.session.edit("Lock", edits.set_prop_locked(stick.id, True))
    mouse, start = ViewMouse(editor), cross(editor)
    mouse.drag(start, *STEPS[:2])
    settled(editor.session)
    assert any("holds on to the contact, C lets go" in hint for hint in hints)
    assert the_prop(editor).place == pytest.approx(stick.place)


def test_keys_that_move_and_turn_a_person_take_the_stick_along(editor: Editor, stick: Prop) -> None:
    pose = active(editor).pose
    editor.session.select(active(editor).id)
    strike(editor, KEY.Key_Left, HELD.ShiftModifier)
    settled(editor.session)
    moved = gone(editor, pose.root_position)
    assert np.linalg.norm(moved) == pytest.approx(0.1, abs=1e-4)
    assert the_prop(editor).place - stick.place == pytest.approx(moved, abs=1e-5)
    strike(editor, KEY.Key_PageUp, HELD.ControlModifier)
    settled(editor.session)
    assert np.abs(active(editor).pose.rotations[0] - pose.rotations[0]).max() > 0.02
    assert held_well(editor)
    assert np.allclose(active(editor).pose.rotations[1:], pose.rotations[1:], atol=1e-6)


@pytest.fixture
def box(editor: Editor) -> Prop:
    """A box that both palms hold between them."""
    who, made = active(editor).id, added(editor, "box", (0.0, 0.95, 0.36))
    editor.session.edit("Smaller", edits.set_prop_size(made.id, (0.4, 0.3, 0.3)))
    editor.session.select(who)
    seen_from(editor, OrbitCamera(target=(0.0, 1.0, 0.2), yaw=-1.2, pitch=0.2, distance=2.6))
    strike(editor, KEY.Key_M, HELD.ShiftModifier)
    dragged_with_s(editor, place_of(editor, "right_wrist"), the_prop(editor).frame.points((-0.5, 0.5, 0.0)))
    assert [e.patch for e in contacts(editor)] == ["left_palm", "right_palm"]
    return the_prop(editor)


@pytest.mark.slow
def test_a_box_between_both_palms_is_carried(editor: Editor, box: Prop) -> None:
    root, mouse, start = active(editor).pose.root_position, ViewMouse(editor), cross(editor)
    mouse.drag(start, *STEPS)
    settled(editor.session)
    assert np.linalg.norm(gone(editor, root)) > 0.2
    assert the_prop(editor).place - box.place == pytest.approx(gone(editor, root), abs=1e-5)
    assert held_well(editor)


@pytest.mark.slow
def test_nobody_comes_to_stand_on_the_box_that_they_carry(editor: Editor, box: Prop) -> None:
    root, mouse, start = active(editor).pose.root_position, ViewMouse(editor), cross(editor)
    mouse.drag(start, QPoint(0, -4), QPoint(0, -6), release=False)
    QTest.keyPress(editor.viewport, KEY.Key_S)
    top = mouse.place(the_prop(editor).frame.points((0.0, 1.0, 0.2)))
    mouse.move(top)
    mouse.release(top)
    QTest.keyRelease(editor.viewport, KEY.Key_S)
    settled(editor.session)
    assert gone(editor, root)[1] == pytest.approx(0.0, abs=1e-4)
    assert the_prop(editor).place[1] == pytest.approx(box.place[1], abs=1e-4)


@pytest.mark.slow
def test_somebody_else_who_holds_the_stick_follows_it(editor: Editor, stick: Prop) -> None:
    session, first = editor.session, active(editor).id
    session.edit("Closer", edits.set_prop_size(stick.id, (0.03, 1.2, 0.03)), solve=True)
    editor.posing.add_person()
    settled(session)
    other = active(editor).id
    beside = np.array([0.75, 0.0, 0.0]) - active(editor).pose.root_position * [1, 0, 1]
    session.edit("Beside", edits.move_character(other, beside))
    wrist = next(e for e in active(editor).effectors if e.joint == "right_wrist")
    higher = PropSource(stick.id, np.float32([0.0, 0.25, 0.0]), np.float32([0.0, 0.0, -1.0]))
    around = hand_around(active(editor), the_prop(editor), "right_wrist", higher, like=wrist)
    assert around is not None
    session.edit("Hold", edits.hold(other, around, instead_of=wrist.id), solve=True)
    settled(session)
    assert held_well(editor)
    session.select(first)
    mouse, before = ViewMouse(editor), the_prop(editor).place
    mouse.drag(cross(editor), QPoint(-4, 1), QPoint(-15, 2))
    settled(session)
    assert np.linalg.norm(the_prop(editor).place - before) > 0.04
    assert held_well(editor)
    session.select(other)
    assert held_well(editor)


@pytest.mark.slow
def test_the_arrow_keys_and_a_typed_number_take_the_stick_along_with_the_hand(editor: Editor, stick: Prop) -> None:
    (held,) = contacts(editor)
    editor.session.select(active(editor).id, [held.id])
    strike(editor, KEY.Key_Up, HELD.ShiftModifier)
    settled(editor.session)
    moved = the_prop(editor).place - stick.place
    assert np.linalg.norm(moved) == pytest.approx(0.1, abs=1e-4)
    assert held_well(editor)
    editor.refresh()
    field = editor.panels.target.places[1]
    until(field.isVisible)
    double_click(field)
    until(lambda: isinstance(editor.window.focusWidget(), FieldEditor))
    for letter in "120":
        QTest.keyClick(editor.window.windowHandle(), letter)
    QTest.keyClick(editor.window.windowHandle(), KEY.Key_Return)
    settled(editor.session)
    (held,) = contacts(editor)
    assert held.target[1] == pytest.approx(1.2, abs=1e-4)
    assert held_well(editor)


@pytest.mark.slow
def test_a_scrubbed_number_takes_the_stick_no_farther_where_solves_come_late(
    editor: Editor, stick: Prop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (held,) = contacts(editor)
    editor.session.select(active(editor).id, [held.id])
    editor.refresh()
    field = editor.panels.target.places[1]
    until(field.isVisible)
    middle, before = field.rect().center(), held.target[1]
    QTest.mousePress(field, Qt.MouseButton.LeftButton, pos=middle)
    with monkeypatch.context() as late:
        late.setattr(editor.session.service, "take", lambda: ())
        for right in (6, 12, 18):
            move_held(field, middle + QPoint(right, 0))
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, pos=middle + QPoint(18, 0))
    settled(editor.session)
    assert the_prop(editor).place[1] - stick.place[1] == pytest.approx(18 / field.width(), abs=1e-3), "metres"
    (held,) = contacts(editor)
    assert held.target[1] - before == pytest.approx(18 / field.width(), abs=1e-3)


@pytest.mark.slow
def test_both_hands_selected_carry_and_turn_the_stick_that_they_are_around(editor: Editor, stick: Prop) -> None:
    dragged_with_s(editor, place_of(editor, "right_wrist"), the_prop(editor).frame.points((0.0, 0.85, 0.0)))
    session, (left, right) = editor.session, contacts(editor)
    session.select(active(editor).id, [left.id, right.id])
    editor.refresh()
    mouse, before = ViewMouse(editor), the_prop(editor)
    mouse.drag(mouse.place(left.target), QPoint(-4, -6), QPoint(-10, -25))
    settled(session)
    assert np.linalg.norm(the_prop(editor).place - before.place) > 0.03
    assert session.history.steps()[-1] == "Move Stick"
    assert len(contacts(editor)) == 2
    assert held_well(editor)
    gizmo = editor.viewport.scene.gizmo
    assert gizmo is not None
    before, ring = the_prop(editor), outline(gizmo, "turn x", mouse.view.current_view)
    at = mouse.place(ring[np.argmin(np.linalg.norm(ring - mouse.view.current_view.camera.eye, axis=1))])
    mouse.drag(at, QPoint(0, -6), QPoint(0, -20))
    settled(session)
    assert np.abs(the_prop(editor).turn - before.turn).max() > 0.05
    assert session.history.steps()[-1] == "Turn Stick"
    assert held_well(editor)


@pytest.mark.slow
def test_another_pose_takes_the_stick_along_in_the_closed_hand_and_leaves_other_contacts(
    editor: Editor, stick: Prop
) -> None:
    session, who = editor.session, active(editor).id
    editor.posing.add_person()
    settled(session)
    wrist = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    up = edits.set_target(active(editor).id, wrist.id, wrist.target + np.float32([0.25, 0.6, 0.1]))
    session.edit("Wave", up, solve=True)
    settled(session)
    strike(editor, KEY.Key_C, HELD.ControlModifier)
    session.select(who)
    hands, before = active(editor).hands, session.document
    strike(editor, KEY.Key_V, HELD.ControlModifier)
    settled(session)
    assert the_prop(editor).place[1] > stick.place[1] + 0.3
    assert held_well(editor)
    assert hands is not None
    assert np.allclose(active(editor).hands.rotations[:15], hands.rotations[:15], atol=1e-6), "it stays closed"
    pose = active(editor).pose
    session.edit("Nothing new", edits.set_prop_color(stick.id, "#ff0000"), solve=True)
    settled(session)
    assert np.allclose(active(editor).pose.rotations, pose.rotations, atol=1e-3), "nothing pulls"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before
    session.edit("Lock", edits.set_prop_locked(stick.id, True))
    strike(editor, KEY.Key_V, HELD.ControlModifier)
    settled(session)
    assert the_prop(editor).place == pytest.approx(stick.place)
    assert contacts(editor) == [], "no hand is drawn to what has stayed behind"
