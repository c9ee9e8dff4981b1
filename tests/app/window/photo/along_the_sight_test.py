"""A person pushed along the line of sight stays in the picture and grows; and is turned by numbers and keys."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, held, put, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, laid_out, move_held, place_of, settled, strike

from app.document import edits
from app.document.in_photo.line_of_sight import distance, reach
from app.document.model.document import Photo
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.viewport.root_place import root_place
from app.window.controls.depth_control import NO_LARGER, NO_SMALLER
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl

TILT = from_rotation_vector([-0.2, 0.0, 0.0]).astype(np.float32)
CAMERA = PinholeCamera(np.float32([0.3, 1.9, 4.5]), TILT, 900.0, (400.0, 300.0), (800, 600))
MODIFIERS = Qt.KeyboardModifier
BOTH = MODIFIERS.ControlModifier | MODIFIERS.ShiftModifier
NEAR_PX = 4.0  # of a person 350 pixels tall: no shape is exactly a larger person


def metres(editor: Editor) -> float:
    return distance(active(editor), CAMERA.position)


def in_picture(editor: Editor) -> np.ndarray:
    return CAMERA.project(joints_of(active(editor)).positions.astype(np.float64))


@pytest.fixture
def seen(editor: Editor) -> Editor:
    """Somebody seen through a photo's camera."""
    editor.session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    editor.session.set_view(through_photo=True)
    settled(editor.session)
    editor.refresh()
    editor.session_view.refresh()
    return editor


def push_with_the_mouse(editor: Editor, up: int, release: bool = True) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(root_place(active(editor)))
    mouse.drag(start, QPoint(0, -up // 2), QPoint(0, -up), keys=BOTH, release=release)


@pytest.mark.slow
def test_ctrl_shift_drag_of_the_cross_pushes_the_person_who_stays_in_the_picture(seen: Editor) -> None:
    before, pixels, away = active(seen), in_picture(seen), metres(seen)
    push_with_the_mouse(seen, 80)
    assert 1.08 < metres(seen) / away < 1.12
    moved = np.linalg.norm(in_picture(seen) - pixels, axis=1)
    assert np.median(moved) < NEAR_PX / 3
    assert moved.max() < NEAR_PX
    assert seen.session.history.undo_text == f"Push {before.name}"
    for effector in active(seen).effectors:
        there = next(e for e in before.effectors if e.id == effector.id)
        if effector.holds_joint:
            assert np.abs(CAMERA.project(effector.target) - CAMERA.project(there.target)).max() < NEAR_PX
    strike(seen, Qt.Key.Key_Z, MODIFIERS.ControlModifier)
    assert active(seen) == before


def test_esc_while_pushing_puts_everything_back(seen: Editor) -> None:
    before = active(seen)
    push_with_the_mouse(seen, 60, release=False)
    assert active(seen) != before
    strike(seen, Qt.Key.Key_Escape)
    assert active(seen) == before


@pytest.mark.slow
def test_props_selected_with_the_person_are_pushed_along_and_look_the_same(seen: Editor) -> None:
    box, ball, bag = added(seen), added(seen, "ball", (-0.6, 0.0, 0.3)), added(seen, "box", (0.4, 0.0, -0.8))
    seen.session.select("c1")
    seen.session.set_view(props=frozenset({box.id, ball.id}))
    seen.session.edit("Lock", edits.set_prop_locked(ball.id, True))
    before, away, hints = seen.session.document, metres(seen), list[str]()
    seen.tool.hint.connect(hints.append)
    push_with_the_mouse(seen, 80)
    assert any("takes Box along" in hint for hint in hints)
    pushed, still, other = seen.session.document.props
    times = metres(seen) / away
    assert times > 1.05
    assert pushed.size == pytest.approx(times * box.size, rel=1e-3)
    assert CAMERA.project(pushed.corners) == pytest.approx(CAMERA.project(box.corners), abs=0.5)
    assert (still.place, other.place) == (pytest.approx(ball.place), pytest.approx(bag.place))
    strike(seen, Qt.Key.Key_Z, MODIFIERS.ControlModifier)
    assert seen.session.document == before
    strike(seen, Qt.Key.Key_PageUp, MODIFIERS.ShiftModifier)
    assert seen.session.document.prop(box.id).size == pytest.approx(1.02 * box.size, rel=1e-3)


@pytest.fixture
def with_stick(editor: Editor) -> Prop:
    """A stick that the left hand is around, seen through a photo's camera; only the person is selected."""
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged_with_s(editor, place_of(editor, "left_wrist"), stick.frame.points((0.0, 0.5, 0.0)))
    assert held(editor).around
    editor.session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    editor.session.select("c1")
    editor.session.set_view(through_photo=True)
    settled(editor.session)
    editor.refresh()
    return the_prop(editor)


def is_held_as_before(editor: Editor, stick: Prop, away: float) -> bool:
    """Whether the stick went along: as much larger as the person is farther, and still in the hand."""
    now, skeleton, joints = the_prop(editor), skeleton_of(active(editor)), joints_of(active(editor))
    same_pixels = np.abs(CAMERA.project(now.corners) - CAMERA.project(stick.corners)).max() < NEAR_PX / 2
    larger = now.size == pytest.approx(metres(editor) / away * stick.size, rel=1e-3)
    return bool(same_pixels and larger and held(editor).residual(skeleton, joints) < 1e-4)


@pytest.mark.slow
def test_a_stick_in_the_hand_is_pushed_along_though_it_is_not_selected(editor: Editor, with_stick: Prop) -> None:
    before, away, hints = editor.session.document, metres(editor), list[str]()
    editor.tool.hint.connect(hints.append)
    push_with_the_mouse(editor, 60)
    assert metres(editor) > 1.03 * away
    assert is_held_as_before(editor, with_stick, away)
    assert any("takes Stick along" in hint for hint in hints)
    strike(editor, Qt.Key.Key_Z, MODIFIERS.ControlModifier)
    assert editor.session.document == before
    strike(editor, Qt.Key.Key_PageUp, MODIFIERS.ShiftModifier)
    assert metres(editor) > 1.01 * away
    assert is_held_as_before(editor, with_stick, away)


def test_a_stick_in_the_hand_goes_along_as_the_distance_is_scrubbed(editor: Editor, with_stick: Prop) -> None:
    laid_out()
    rows, away = editor.panels.photo.sight, metres(editor)
    assert rows is not None
    middle = rows.distance.rect().center()
    QTest.mousePress(rows.distance, Qt.MouseButton.LeftButton, MODIFIERS.NoModifier, middle)
    move_held(rows.distance, middle + QPoint(15, 0))
    QTest.mouseRelease(rows.distance, Qt.MouseButton.LeftButton, MODIFIERS.NoModifier, middle + QPoint(15, 0))
    settled(editor.session)
    assert abs(metres(editor) / away - 1.0) > 0.01
    assert is_held_as_before(editor, with_stick, away)


def test_a_push_ends_where_the_body_gets_no_larger_and_the_hint_says_so(seen: Editor) -> None:
    hints: list[str] = []
    seen.tool.hint.connect(hints.append)
    _, far = reach(active(seen), CAMERA.position)
    push_with_the_mouse(seen, 400)
    assert metres(seen) == pytest.approx(far, abs=1e-3)
    assert np.abs(active(seen).shape.betas).max() == pytest.approx(5.0)
    assert "gets no larger" in [hint for hint in hints if hint][-1]


def test_the_distance_can_be_scrubbed_in_the_panel_as_one_step(seen: Editor) -> None:
    rows = seen.panels.photo.sight
    assert rows is not None
    laid_out()
    before, pixels, away = active(seen), in_picture(seen), metres(seen)
    assert rows.distance.value() == pytest.approx(away, abs=1e-3)
    middle = rows.distance.rect().center()
    QTest.mousePress(rows.distance, Qt.MouseButton.LeftButton, MODIFIERS.NoModifier, middle)
    for x in (10, 20, 30):
        move_held(rows.distance, middle - QPoint(x, 0))
    QTest.mouseRelease(rows.distance, Qt.MouseButton.LeftButton, MODIFIERS.NoModifier, middle - QPoint(30, 0))
    assert metres(seen) < away - 0.1
    assert np.linalg.norm(in_picture(seen) - pixels, axis=1).max() < NEAR_PX
    assert rows.distance.value() == pytest.approx(metres(seen), abs=1e-3)
    strike(seen, Qt.Key.Key_Z, MODIFIERS.ControlModifier)
    assert active(seen) == before


def test_the_facing_turns_the_person_about_its_own_place(seen: Editor) -> None:
    rows = seen.panels.photo.sight
    assert rows is not None
    place, betas = active(seen).pose.root_position, active(seen).shape
    rows.facing.commit(90.0)
    towards = CAMERA.position - place
    ahead, left = active(seen).pose.rotations[0][:, 2], np.array([towards[2], 0.0, -towards[0]])
    assert ahead @ left / np.linalg.norm(left) > 0.98
    assert np.allclose(active(seen).pose.root_position, place, atol=1e-5)
    assert active(seen).shape == betas
    strike(seen, Qt.Key.Key_PageDown, MODIFIERS.ControlModifier)
    seen.refresh()
    assert rows.facing.value() == pytest.approx(85.0, abs=0.1)
    strike(seen, Qt.Key.Key_PageUp, MODIFIERS.ControlModifier)
    seen.refresh()
    assert rows.facing.value() == pytest.approx(90.0, abs=0.1)


@pytest.mark.slow
def test_keys_push_and_pull_until_the_body_ends(seen: Editor) -> None:
    said: list[str] = []
    seen.depth.said.connect(said.append)
    away, pixels = metres(seen), in_picture(seen)
    strike(seen, Qt.Key.Key_PageUp, MODIFIERS.ShiftModifier)
    assert metres(seen) == pytest.approx(1.02 * away, rel=1e-3)
    strike(seen, Qt.Key.Key_PageDown, MODIFIERS.ShiftModifier)
    assert metres(seen) == pytest.approx(away, rel=1e-3)
    assert np.linalg.norm(in_picture(seen) - pixels, axis=1).max() < 0.5
    for key, why in ((Qt.Key.Key_PageUp, NO_LARGER), (Qt.Key.Key_PageDown, NO_SMALLER)):
        said.clear()
        for _ in range(60):
            if said:
                break
            strike(seen, key, MODIFIERS.ShiftModifier)
        assert said == [why]
