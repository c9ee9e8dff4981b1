"""A finger under the pointer: it lights up, bends after the pointer as one step, and the hand stays."""

from __future__ import annotations

import numpy as np
import pytest
from motion_samples import look_at_frame
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, hands_of, laid_out, settled, strike

from app.document import edits
from app.document.model.figure import body_of
from app.viewport.finger_pick import fingers_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.body.finger_chain import FINGER_POINTS, Array
from solver.body.fingers import ASIDE, FINGERS, FIRST, LAST, MIDDLE, angles_of, hinges_of
from solver.body.hand_presets import preset_hands

pytestmark = pytest.mark.gl
INDEX, LEFT, RIGHT = FINGERS.index("index"), 0, 1
FOUR = slice(1, 5)
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def close_up(editor: Editor, distance: float = 0.55) -> ViewMouse:
    """Look at the back of the left hand, its fingers spread so that each is seen by itself."""
    session = editor.session
    session.open(
        edits.set_hands(active(editor).id, preset_hands("spread", body_of(active(editor))))(session.history.document)
    )
    middle = fingers_of(active(editor))[LEFT].mean(axis=(0, 1))
    look = OrbitCamera(tuple(map(float, middle)), distance, yaw=np.pi / 2, pitch=0.0)
    editor.viewport.set_camera(look)
    return ViewMouse(editor)


def place(editor: Editor, name: str) -> Array:
    """(3,) metres, a point of a finger now."""
    where = FINGER_POINTS[name]
    return np.asarray(fingers_of(active(editor))[where.side, where.finger, where.point])


def angles(editor: Editor) -> Array:
    return angles_of(hands_of(editor), hinges_of(body_of(active(editor))))


def lit(editor: Editor) -> dict[object, bool]:
    """The dots of fingers in the view, and whether each is the one hovered."""
    dots = editor.viewport.scene.joints
    return {id[1]: id == dots.hovered for id in dots.ids if id[0] == "finger"}  # type: ignore[index]


def test_a_finger_that_is_pointed_at_lights_its_joints_and_is_named(editor: Editor) -> None:
    mouse = close_up(editor)
    assert lit(editor) == {}
    mouse.hover(mouse.place(place(editor, "left_index_tip")) + QPoint(-4, 3))  # beside the skin
    assert lit(editor) == {"left_index2": False, "left_index3": False, "left_index_tip": True}
    assert editor.hover_label.text() == "Left index fingertip"
    mouse.hover(mouse.place(place(editor, "left_middle2")))
    assert lit(editor) == {"left_middle2": True, "left_middle3": False, "left_middle_tip": False}
    assert editor.hover_label.text() == "Left middle middle joint"
    mouse.hover(QPoint(5, 5))
    assert lit(editor) == {}


def test_a_dragged_fingertip_follows_the_pointer_and_nothing_else_moves(editor: Editor) -> None:
    mouse, session = close_up(editor), editor.session
    before, pose, was = hands_of(editor), active(editor).pose, angles(editor)
    start, root = mouse.place(place(editor, "left_index_tip")), mouse.place(place(editor, "left_index2"))
    way = 0.3 * (root - start) + QPoint(4, 6)
    mouse.drag(start, 0.2 * way, 0.6 * way, way)
    assert mouse.view.current_view.project(place(editor, "left_index_tip")) == pytest.approx(
        [start.x() + way.x(), start.y() + way.y()], abs=1.5
    )
    assert active(editor).pose == pose
    assert session.history.steps() == ("Bend left index finger",)
    moved = np.abs(angles(editor) - was).max(axis=-1) > 1e-3
    assert moved.nonzero() == ([LEFT], [INDEX])
    session.undo()
    assert hands_of(editor) == before
    session.redo()
    assert hands_of(editor) != before


def test_a_dragged_knuckle_bends_the_joint_below_it_alone(editor: Editor) -> None:
    mouse, was = close_up(editor), angles(editor)
    start = mouse.place(place(editor, "left_ring2"))
    mouse.drag(start, QPoint(-4, 3), QPoint(-12, 8))
    change = np.abs(angles(editor) - was)[LEFT, FINGERS.index("ring")]
    assert change[[FIRST, ASIDE]].max() > 2
    assert change[[MIDDLE, LAST]].max() < 1e-3


def test_escape_puts_the_finger_back(editor: Editor) -> None:
    mouse, before = close_up(editor), hands_of(editor)
    start = mouse.place(place(editor, "left_pinky_tip"))
    mouse.drag(start, QPoint(6, -6), QPoint(10, -20), release=False)
    assert hands_of(editor) != before
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    mouse.release(start + QPoint(10, -20))
    assert hands_of(editor) == before
    assert editor.session.history.steps() == ()


def test_with_control_all_four_fingers_go_along(editor: Editor) -> None:
    mouse, was = close_up(editor), angles(editor)
    start = mouse.place(place(editor, "left_middle_tip"))
    mouse.drag(start, QPoint(0, -8), QPoint(0, -40), keys=CTRL)
    change = angles(editor) - was
    middle = change[LEFT, FINGERS.index("middle")]
    assert middle[FIRST] + middle[MIDDLE] > 10
    assert change[LEFT, FOUR][:, [FIRST, MIDDLE]] == pytest.approx(np.tile(middle[[FIRST, MIDDLE]], (4, 1)), abs=0.1)
    assert np.abs(change[LEFT, [0]]).max() < 1e-3
    assert np.abs(change[RIGHT]).max() < 1e-3


def test_x_lets_the_other_hand_do_the_same_and_again_not(editor: Editor) -> None:
    mouse = close_up(editor)
    start = mouse.place(place(editor, "left_thumb_tip"))
    mouse.drag(start, QPoint(4, 8), QPoint(10, 30), release=False)
    before = angles(editor)
    assert before[LEFT, 0] != pytest.approx(before[RIGHT, 0], abs=1)
    strike(editor, Qt.Key.Key_X)
    both = angles(editor)
    assert both[RIGHT, 0] == pytest.approx(both[LEFT, 0], abs=0.05)
    strike(editor, Qt.Key.Key_Z)
    strike(editor, Qt.Key.Key_X)
    mouse.release(start + QPoint(10, 30))
    assert angles(editor) == pytest.approx(before, abs=0.05)
    assert len(editor.session.history.steps()) == 1


def test_shift_is_precise(editor: Editor) -> None:
    mouse = close_up(editor)
    name = "left_index_tip"
    start = mouse.place(place(editor, name))
    before = mouse.view.current_view.project(place(editor, name))
    mouse.drag(start, QPoint(4, -4), QPoint(30, -30), keys=SHIFT)
    assert np.linalg.norm(mouse.view.current_view.project(place(editor, name)) - before) < 15


@pytest.mark.slow
def test_small_fingers_are_the_hand_until_the_panel_of_hands_is_open(editor: Editor) -> None:
    mouse = close_up(editor, distance=2.6)
    tip = 0.7 * place(editor, "left_index_tip") + 0.3 * place(editor, "left_index3")
    mouse.hover(mouse.place(tip))
    assert lit(editor) == {}
    editor.panels.show_hands()
    laid_out()
    mouse.hover(QPoint(5, 5))
    mouse.hover(mouse.place(tip))
    assert "left_index_tip" in lit(editor)
    editor.panels.section("Hands").set_open(False)
    laid_out()
    mouse.hover(QPoint(5, 5))
    mouse.hover(mouse.place(tip))
    assert lit(editor) == {}


def test_a_click_on_a_finger_selects_the_hand_and_the_palm_is_the_hands(editor: Editor) -> None:
    mouse = close_up(editor)
    mouse.click(mouse.place(place(editor, "left_ring3")))
    assert editor.session.view.joints == {"left_hand"}
    knuckle = fingers_of(active(editor))[LEFT, FINGERS.index("ring"), 0]
    mouse.hover(mouse.place(knuckle))
    assert lit(editor) == {}


def test_a_locked_persons_fingers_are_left_alone(editor: Editor) -> None:
    mouse = close_up(editor)
    editor.session.edit("Lock", edits.set_locked(active(editor).id, True))
    for name in ("left_index_tip", "left_index3"):
        mouse.hover(mouse.place(place(editor, name)))
        assert lit(editor) == {}


def test_a_double_click_holds_a_fingertip_which_the_arm_then_brings_along(editor: Editor) -> None:
    mouse, session = close_up(editor), editor.session
    start = mouse.place(place(editor, "left_index_tip"))
    QTest.mouseDClick(editor.viewport, Qt.MouseButton.LeftButton, pos=start)
    mouse.release(start)
    settled(session)
    effector = active(editor).effectors[-1]
    assert session.history.steps() == ("Add position to left index fingertip",)
    assert session.view.effectors == {effector.id}
    editor.refresh()
    assert editor.panels.effectors.rows[-1].joint.text() == "Left index fingertip"
    assert editor.panels.target.title.text() == "Left index fingertip · position"
    goal = np.array(effector.target) + [0.0, 0.1, 0.1]
    session.edit("Raise", edits.set_target(active(editor).id, effector.id, goal), solve=True)
    settled(session)
    assert np.linalg.norm(place(editor, "left_index_tip") - goal) < 2e-3


def test_a_finger_dragged_at_a_frame_of_a_timeline_is_a_key_there_alone(editor: Editor) -> None:
    session = editor.session
    mouse = close_up(editor)
    session.edit("Animate", edits.set_clip_length(active(editor).id, 40))
    look_at_frame(session, active(editor).id, 20)
    editor.refresh()
    laid_out()  # the timeline takes room from the view
    before = hands_of(editor)
    start = mouse.place(place(editor, "left_index_tip"))
    mouse.drag(start, QPoint(8, -6), QPoint(20, -16))
    settled(session)
    assert [key.frame for key in active(editor).clip.keys] == [0, 20]
    bent = hands_of(editor)
    assert bent != before
    look_at_frame(session, active(editor).id, 0)
    assert hands_of(editor) == before
    look_at_frame(session, active(editor).id, 10)
    assert hands_of(editor) not in (before, bent)
    session.undo()
    assert (active(editor).frame, hands_of(editor)) == (20, before)
