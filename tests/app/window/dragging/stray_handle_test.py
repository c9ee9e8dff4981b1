"""Handles out of reach: they stay or go back when released, as the settings say, and a double-click brings one home."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled

from app.dialogs.settings_dialog import SettingsDialog
from app.document import edits
from app.document.posing.fitting_effectors import new_effector
from app.viewport.tools.stray import bring_home, stray_handles
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.effector import Effector

pytestmark = pytest.mark.gl
FAR = QPoint(260, -100)


def wrist(editor: Editor) -> Effector:
    return next(e for e in active(editor).effectors if e.joint == "left_wrist")


def drag_far(editor: Editor) -> None:
    """Pull the left wrist beyond its reach, with the feet on the floor."""
    editor.viewport.set_camera(OrbitCamera(target=(0.5, 0.9, 0.0), distance=12.0, yaw=0.0))
    mouse = ViewMouse(editor)
    start = mouse.place(wrist(editor).target)
    mouse.drag(start, QPoint(10, -4), QPoint(130, -50), QPoint(220, -80), FAR, release=False)
    settled(editor.session)
    mouse.release(start + FAR)
    settled(editor.session)


def gap(editor: Editor) -> float:
    return float(np.linalg.norm(wrist(editor).target - place_of(editor, "left_wrist")))


def double_click(editor: Editor) -> None:
    editor.session_view.refresh()
    mouse = ViewMouse(editor)
    place = mouse.place(wrist(editor).target)
    mouse.click(place)
    QTest.mouseDClick(editor.viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    mouse.release(place)


def test_it_stays_where_it_was_released_and_a_double_click_brings_it_home(editor: Editor) -> None:
    session = editor.session
    drag_far(editor)
    assert gap(editor) > 0.1
    assert wrist(editor).id in stray_handles(session)
    pose, steps = active(editor).pose, len(session.history.steps())
    double_click(editor)
    settled(session)
    assert gap(editor) < 1e-5
    assert active(editor).pose is pose, "the body stays as it is"
    assert not wrist(editor).pinned
    assert session.history.steps()[steps:] == ("Bring left wrist · position home",)
    assert wrist(editor).id not in stray_handles(session)
    double_click(editor)
    assert wrist(editor).pinned, "at home a double-click pins again"


def test_the_setting_has_it_go_back_in_the_same_step(editor: Editor) -> None:
    session, before = editor.session, editor.session.document
    editor.settings.set(beyond_reach="back")
    drag_far(editor)
    assert gap(editor) < 1e-5
    assert not wrist(editor).loose
    assert session.history.steps() == ("Move left wrist · position",)
    assert wrist(editor).id not in stray_handles(session)
    session.undo()
    assert session.document == before


def test_what_is_within_reach_stays_where_it_was_put(editor: Editor) -> None:
    editor.settings.set(beyond_reach="back")
    mouse = ViewMouse(editor)
    start = mouse.place(wrist(editor).target)
    mouse.drag(start, QPoint(8, -8), QPoint(20, -40))
    pixel = mouse.view.current_view.project(wrist(editor).target)
    assert pixel == pytest.approx([start.x() + 20, start.y() - 40], abs=1.5)


def test_the_settings_offer_both_and_keep_the_choice(editor: Editor) -> None:
    dialog = SettingsDialog(editor.settings, editor.window)
    box = dialog.boxes["beyond_reach"]
    assert [box.itemData(i) for i in range(box.count())] == ["stay", "back"]
    dialog.show()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    box.activated.emit(box.currentIndex())
    assert editor.settings.values.beyond_reach == "back"
    dialog.close()


def test_one_that_followed_something_stays_from_then_on_and_nobody_has_nothing(editor: Editor) -> None:
    session, person = editor.session, active(editor)
    look = new_effector(person, "lookat", "head")
    far = np.float32([0, 9, 0]) + look.target
    session.edit("Look", edits.chain(edits.add_effector(person.id, look), edits.set_target(person.id, look.id, far)))
    away = np.linalg.norm(far - place_of(editor, "head"))
    bring_home(session, look.id)
    target = active(editor).effector(look.id).target
    assert np.linalg.norm(target - place_of(editor, "head")) == pytest.approx(away, abs=1e-4), "as far away as it was"
    session.edit("Delete", edits.remove_character(person.id))
    assert stray_handles(session) == frozenset()
    bring_home(session, look.id)
    assert session.history.steps()[-1] == "Delete"


@pytest.mark.parametrize("joint", ["left_ankle", "left_wrist"])
def test_a_handle_dragged_into_the_floor_rests_on_it_once_it_is_released(editor: Editor, joint: str) -> None:
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.6, 0.0), distance=5.0, yaw=0.0, pitch=0.1))
    session, mouse = editor.session, ViewMouse(editor)

    def handle() -> Effector:
        return next(e for e in active(editor).effectors if e.joint == joint)

    far = mouse.place((0.0, -0.15, 0.0)).y() - mouse.place(handle().target).y()
    mouse.drag(mouse.place(handle().target), QPoint(0, far // 2), QPoint(0, far), release=False)
    settled(session)
    assert handle().target[1] < 0.0
    mouse.release(QPoint(0, 0))
    settled(session)
    editor.refresh()
    assert handle().target[1] == pytest.approx(place_of(editor, joint)[1], abs=1e-4)
    assert handle().id not in stray_handles(session)
    assert len(session.history.steps()) == 1
