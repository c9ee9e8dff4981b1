"""The pointer on bodies and beside them: what is named there, taken, chosen, and let go of."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication
from window_driver import ViewMouse, settled, strike, until

from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def on_body(mouse: ViewMouse, start: str, end: str, share: float) -> QPoint:
    """A pixel on the active person's body, so far on the way from one joint to another."""
    active = mouse.editor.session.active
    places, names = joints_of(active).positions, skeleton_of(active)
    a, b = places[names.index(start)], places[names.index(end)]
    return mouse.place(a + share * (b - a))


def between(mouse: ViewMouse) -> dict[str, QPoint]:
    """Places on the body far from all dots and handles, by the joint that a user means there."""
    mouse.editor.session_view.start_view()
    return {
        "left_wrist": on_body(mouse, "left_elbow", "left_wrist", 0.66),
        "left_elbow": on_body(mouse, "left_elbow", "left_wrist", 0.36),
        "right_knee": on_body(mouse, "right_hip", "right_knee", 0.7),
        "spine2": on_body(mouse, "spine2", "right_wrist", 0.16),
    }


@pytest.mark.slow
def test_a_drag_of_the_body_takes_the_joint_meant_and_not_the_camera(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    for joint, start in between(mouse).items():
        camera = editor.viewport.camera
        before = joints_of(session.active).positions[skeleton_of(session.active).index(joint)]
        shown = mouse.view.current_view.project(before)
        away = np.linalg.norm(shown - [start.x(), start.y()])
        mouse.drag(start, QPoint(4, -6), QPoint(10, -18))
        held = {e.joint: e.target for e in session.active.effectors if e.kind == "position"}
        assert joint in held, (joint, held.keys())
        assert away > 14, "the press missed the dot"
        assert np.allclose(mouse.view.current_view.project(held[joint]), shown + [10, -18], atol=1.5), joint
        assert len(session.history.steps()) == 1
        assert editor.viewport.camera == camera
        session.undo()
        mouse.click(QPoint(5, 5))  # the gizmo goes


def test_what_is_under_the_pointer_is_named_at_once(editor: Editor) -> None:
    session, mouse, label = editor.session, ViewMouse(editor), editor.hover_label
    bar = editor.window.status.facts["under"]
    places = between(mouse)
    for joint, text in (
        ("left_elbow", "Left elbow"),
        ("spine2", "Middle spine"),
        ("left_wrist", "Left wrist · position"),
    ):
        mouse.hover(places[joint])
        assert label.isVisible()
        assert (label.text(), bar.text()) == (text, text)
        assert not label.geometry().contains(places[joint])
        dots = editor.viewport.scene.joints
        lit = [id[1] for id in dots.ids if id == dots.hovered]  # type: ignore[index]
        lit += [session.active.effector(h.id[1]).joint for h in editor.viewport.scene.handles if h.hovered]
        assert lit == [joint]
    mouse.hover(QPoint(5, 5))
    assert label.isHidden()
    assert bar.text() == ""
    mouse.hover(places["left_elbow"])
    mouse.drag(places["left_elbow"], QPoint(4, -6), QPoint(10, -18), release=False)
    assert label.isHidden(), "nothing is named during a drag"
    mouse.release(places["left_elbow"] + QPoint(10, -18))
    settled(session)
    mouse.hover(places["left_elbow"] + QPoint(10, -18))
    assert label.isHidden(), "nor right after one, where it would cover the pose"
    mouse.hover(places["right_knee"])
    assert label.isVisible()
    QApplication.sendEvent(editor.viewport, QEvent(QEvent.Type.Leave))
    assert label.isHidden()
    corner = QPoint(editor.viewport.width() - 3, editor.viewport.height() - 3)
    label.show_at("Left elbow", corner.x(), corner.y())
    assert editor.viewport.rect().contains(label.geometry())


def test_a_name_goes_with_what_it_names(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    wrist = next(e for e in session.active.effectors if (e.joint, e.kind) == ("left_wrist", "position"))
    mouse.click(mouse.place(wrist.target))
    assert editor.hover_label.text() == "Left wrist · position"
    assert editor.hover_label.isVisible()
    strike(editor, Qt.Key.Key_Delete)
    assert editor.hover_label.isHidden()
    until(editor.hover_label.isVisible)
    assert editor.hover_label.text() == "Left wrist", "the joint that is under the pointer now"


def test_a_click_on_empty_space_deselects_and_a_drag_there_does_not(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    empty, camera = QPoint(30, 30), editor.viewport.camera
    for preset in ("blender", "maya", "trackpad"):
        editor.viewport.set_navigation(preset)
        session.select(session.active.id, [session.active.effectors[0].id], ["left_elbow"])
        chosen = session.view.effectors, session.view.joints
        mouse.drag(empty, QPoint(20, 5), QPoint(40, 10), QPoint(0, 0))
        assert (session.view.effectors, session.view.joints) == chosen
        mouse.click(empty, Qt.KeyboardModifier.ShiftModifier)
        assert (session.view.effectors, session.view.joints) == chosen
        mouse.drag(empty, QPoint(1, 1))
        assert (session.view.effectors, session.view.joints) == (frozenset(), frozenset())
        assert session.active is not None
        assert np.allclose(editor.viewport.camera.eye, camera.eye), "a click moves no camera"
    assert session.history.steps() == ()
    editor.viewport.set_navigation("blender")
    mouse.drag(empty, QPoint(20, 5), QPoint(40, 10))
    assert not np.allclose(editor.viewport.camera.eye, camera.eye)


def test_the_body_of_another_person_is_named_and_chosen_and_not_pulled(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    editor.session_view.start_view()
    first, second = session.document.characters
    before, camera = session.document, editor.viewport.camera
    place = mouse.place(joints_of(first).positions[skeleton_of(first).index("spine2")])
    mouse.hover(place)
    assert editor.hover_label.text() == first.name
    mouse.drag(place, QPoint(10, 0), QPoint(30, 0))
    assert session.active.id == first.id != second.id
    assert session.document == before
    assert editor.viewport.camera == camera


def test_a_name_goes_when_a_key_turns_the_view_under_a_still_pointer(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    mouse.hover(between(mouse)["left_elbow"])
    assert editor.hover_label.isVisible()
    before = editor.viewport.camera
    strike(editor, Qt.Key.Key_3)
    until(lambda: editor.viewport.camera != before)
    assert editor.hover_label.isHidden()
    assert session.view.hover is None
