"""What somebody carries who is animated goes along at the frame looked at, and stays where it was at the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, gizmo_of, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse
from window_driver import ViewMouse, active, laid_out, place_of, settled, strike, until, written

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.viewport.tools.stray import stray_handles
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.shapes.gizmo import outline
from solver.effectors.contact import Contact

pytestmark = [pytest.mark.gl, pytest.mark.slow]
KEY, HELD = Qt.Key, Qt.KeyboardModifier
NEAR = OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2)
FAR = OrbitCamera(target=(0.2, 0.9, 0.1), yaw=0.4, pitch=0.35, distance=5.0)
LAST, LEFT = 30, Qt.MouseButton.LeftButton


@pytest.fixture
def timeline(editor: Editor) -> TimelineMouse:
    """Somebody animated who has the left hand around a stick, looked at in the last frame."""
    who = active(editor).id
    stick = added(editor, "stick", (0.28, 0.65, 0.3))
    editor.session.edit("Short", edits.set_prop_size(stick.id, (0.03, 0.8, 0.03)))
    editor.session.select(who)
    seen_from(editor, NEAR)
    dragged_with_s(editor, place_of(editor, "left_wrist"), the_prop(editor).frame.points((0.0, 0.5, 0.0)))
    assert hand(editor).around
    editor.session.edit("Animate", edits.set_clip_length(who, LAST + 1))
    editor.refresh()
    laid_out()
    timeline = TimelineMouse(editor)
    timeline.to_frame(LAST)
    return timeline


def seen_from(editor: Editor, camera: OrbitCamera) -> None:
    editor.viewport.set_camera(replace(camera))
    editor.refresh()
    editor.session_view.refresh()


def hand(editor: Editor) -> Contact:
    (contact,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    return contact


def stick_now(editor: Editor) -> Prop:
    """As it is shown at the frame looked at."""
    editor.refresh()
    return editor.session.shown.props[-1]


def keys(editor: Editor) -> list[int]:
    clip = the_prop(editor).clip
    return [] if clip is None else [key.frame for key in clip.keys]


def test_a_hand_dragged_at_a_later_frame_takes_its_stick_along_there_alone(
    editor: Editor, timeline: TimelineMouse
) -> None:
    stick, wrist = stick_now(editor), place_of(editor, "left_wrist")
    before = editor.session.document
    mouse = ViewMouse(editor)
    seen_from(editor, NEAR)
    mouse.drag(mouse.place(hand(editor).target), QPoint(6, -6), QPoint(10, -40), QPoint(10, -70))
    settled(editor.session)
    moved = stick_now(editor).place - stick.place
    assert moved[1] > 0.1
    assert keys(editor) == [0, LAST]
    assert place_of(editor, "left_wrist") - wrist == pytest.approx(moved, abs=0.05), "in the hand"
    timeline.to_frame(0)
    assert stick_now(editor).place == pytest.approx(stick.place, abs=1e-6)
    assert place_of(editor, "left_wrist") == pytest.approx(wrist, abs=2e-3), "and so is the hand"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    until(lambda: editor.session.document == before)
    assert keys(editor) == []


def test_whoever_is_moved_by_the_cross_at_a_later_frame_takes_the_stick_along_there_alone(
    editor: Editor, timeline: TimelineMouse
) -> None:
    stick = stick_now(editor)
    editor.session.select(active(editor).id)
    seen_from(editor, FAR)
    root = editor.viewport.scene.root
    assert root is not None
    mouse, pelvis = ViewMouse(editor), active(editor).pose.root_position
    mouse.drag(mouse.place(np.asarray(root.position) + [0.0, 0.0, 0.3]), QPoint(8, 2), QPoint(60, 8))
    settled(editor.session)
    gone = active(editor).pose.root_position - pelvis
    assert np.linalg.norm(gone) > 0.2
    assert stick_now(editor).place - stick.place == pytest.approx(gone, abs=1e-3)
    assert keys(editor) == [0, LAST]
    timeline.to_frame(0)
    assert stick_now(editor).place == pytest.approx(stick.place, abs=1e-6)


def test_a_number_typed_for_the_hand_takes_the_stick_along_at_the_frame_alone(
    editor: Editor, timeline: TimelineMouse
) -> None:
    stick = stick_now(editor)
    editor.session.select(active(editor).id, [hand(editor).id])
    editor.refresh()
    height = 100 * float(hand(editor).target[1]) + 12
    written(editor, editor.panels.target.places[1], f"{height:.1f}")
    settled(editor.session)
    assert stick_now(editor).place[1] - stick.place[1] == pytest.approx(0.12, abs=2e-3)
    assert keys(editor) == [0, LAST]
    timeline.to_frame(0)
    assert stick_now(editor).place == pytest.approx(stick.place, abs=1e-6)


def test_both_hands_take_what_they_hold_along_by_their_common_gizmo(editor: Editor, timeline: TimelineMouse) -> None:
    timeline.to_frame(0)
    seen_from(editor, NEAR)
    dragged_with_s(editor, place_of(editor, "right_wrist"), stick_now(editor).frame.points((0.0, 0.75, 0.0)))
    hands = [e.id for e in active(editor).effectors if isinstance(e, Contact)]
    assert len(hands) == 2
    timeline.to_frame(LAST)
    seen_from(editor, NEAR)
    stick = stick_now(editor)
    editor.session.select(active(editor).id, hands)
    editor.refresh()
    mouse, gizmo = ViewMouse(editor), gizmo_of(editor)
    mouse.drag(
        mouse.place(outline(gizmo, "y", editor.viewport.current_view).mean(axis=0)), QPoint(0, -8), QPoint(0, -60)
    )
    settled(editor.session)
    assert stick_now(editor).place[1] > stick.place[1] + 0.05
    assert keys(editor) == [0, LAST]
    timeline.to_frame(0)
    assert stick_now(editor).place == pytest.approx(stick.place, abs=1e-6)


def test_a_double_click_brings_the_stick_home_to_the_hand_at_the_frame_alone(
    editor: Editor, timeline: TimelineMouse
) -> None:
    strike(editor, KEY.Key_I)
    settled(editor.session)
    who, contact, near = active(editor).id, hand(editor).id, stick_now(editor)
    away = edits.put_prop(near.moved((1.6, 0.4, 0.6)))
    editor.session.edit("Away", edits.chain(away, edits.set_pinned(who, contact, False)), solve=True)
    settled(editor.session)
    seen_from(editor, FAR)
    until(lambda: hand(editor).id in stray_handles(editor.session))
    far, mouse = stick_now(editor), ViewMouse(editor)
    place = mouse.place(hand(editor).target)
    mouse.click(place)
    QTest.mouseDClick(editor.viewport, LEFT, pos=place)
    mouse.release(place)
    settled(editor.session)
    assert editor.session.history.steps()[-1] == "Bring left hand · contact home"
    assert keys(editor) == [0, LAST]
    assert hand(editor).residual(skeleton_of(active(editor)), joints_of(active(editor))) < 2e-3
    assert np.linalg.norm(stick_now(editor).place - far.place) > 0.2
    timeline.to_frame(0)
    assert stick_now(editor).place == pytest.approx(far.place, abs=1e-6), "where it was put"
