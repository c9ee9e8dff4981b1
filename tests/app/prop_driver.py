"""Props in the window, for tests that take hold of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, activated, active, place_of, settled

from app.document import edits
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.viewport.tools.surface_key import HASTY_MS
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import outline
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector

IN_FRONT = (0.28, 1.05, 0.36)  # metres, before the left shoulder


def put(editor: Editor, kind: str, size: tuple[float, float, float], turn: tuple[float, float, float]) -> Prop:
    """A prop of that size in front of the left shoulder; the person is selected."""
    who, prop = active(editor).id, added(editor, kind)
    turned = replace(prop.sized(size), turn=np.asarray(from_rotation_vector(np.array(turn)), np.float32))
    middle = np.array(IN_FRONT) - turned.turn @ np.array([0.0, size[1] / 2, 0.0])
    editor.session.edit("Put", edits.put_prop(replace(turned, place=middle.astype(np.float32))))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2))
    editor.refresh()
    return the_prop(editor)


def held(editor: Editor) -> Contact:
    """The one contact of the active person."""
    (contact,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    return contact


def added(editor: Editor, kind: str = "box", place: tuple[float, float, float] = (0.9, 0.0, 0.3)) -> Prop:
    """A prop that the menu added, put at a place; it is selected."""
    editor.actions[f"prop.{kind}"].trigger()
    prop = the_prop(editor)
    editor.session.edit("Put", edits.set_prop_place(prop.id, place))
    shown(editor)
    return the_prop(editor)


def palm(editor: Editor) -> np.ndarray:
    """(3,) metres, where the active person's left palm is."""
    return place_of_patch(active(editor), patches_of(active(editor))["left_palm"])


def hand_on_a_box(editor: Editor) -> Prop:
    """A tall box beside the person, with the left hand on it."""
    at, person = palm(editor), active(editor)
    box = added(editor, "box", (float(at[0]) + 0.22, 0.0, float(at[2])))
    editor.session.edit("Taller", edits.set_prop_size(box.id, (0.4, 1.2, 0.4)))
    editor.session.select(person.id, [next(e.id for e in person.effectors if e.joint == "left_wrist")])
    editor.refresh()
    editor.actions["contact.here"].trigger()
    settled(editor.session)
    held(editor)
    return box


def box_to_step_on(editor: Editor, joint: str) -> tuple[np.ndarray, np.ndarray]:
    """A low box ahead of a foot, seen from the side: where its joint is, and a place on the box, (3,) metres."""
    person, at = active(editor), place_of(editor, joint)
    box = added(editor, "box", (float(at[0]) - 0.1, 0.0, float(at[2]) + 0.55)).sized((0.6, 0.3, 0.6))
    editor.session.edit("Low", edits.put_prop(box))
    editor.session.select(person.id)
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.6, 0.3), yaw=1.3, pitch=0.3, distance=3.6))
    editor.refresh()
    return at, the_prop(editor).frame.points((0.1, 1.0, -0.2))


def dragged_with_s(editor: Editor, start: np.ndarray, end: np.ndarray, let_go: bool = False) -> None:
    """Drag by the mouse from where one place of the world is seen to where another is, with S held from half way on.

    let_go: whether S is let go of a while before the button is.
    """
    mouse = ViewMouse(editor)
    first, last = mouse.place(start), mouse.place(end)
    mouse.drag(first, QPoint(4, 4), QPoint(8, 8), release=False)
    press_s(editor)
    for share in (0.5, 1.0):
        mouse.move(first + (last - first) * share)
    if let_go:
        QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
        QTest.qWait(2 * HASTY_MS)
    mouse.release(last)
    if not let_go:
        QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    settled(editor.session)


def press_s(editor: Editor) -> None:
    """Press S in the view, and keep it down."""
    activated(editor.window)
    editor.viewport.setFocus()
    QTest.keyPress(editor.viewport, Qt.Key.Key_S)


def the_prop(editor: Editor) -> Prop:
    """The prop that was added last."""
    return editor.session.document.props[-1]


def shown(editor: Editor) -> None:
    """All of the scene in the view, as it is now."""
    editor.refresh()
    editor.session_view.frame_all(glide=False)
    editor.session_view.refresh()


def gizmo_of(editor: Editor) -> Gizmo:
    """The gizmo in the view."""
    editor.session_view.refresh()
    gizmo = editor.viewport.scene.gizmo
    assert gizmo is not None
    return gizmo


def part_at(mouse: ViewMouse, part: str) -> QPoint:
    """A pixel on a part of the gizmo: the middle of an arrow, the nearest place of a ring."""
    view, gizmo = mouse.view.current_view, gizmo_of(mouse.editor)
    line = outline(gizmo, part, view)
    if gizmo.kind != "rotate":
        return mouse.place(line.mean(axis=0))
    nearest = np.argmin(np.linalg.norm(line - view.camera.eye, axis=1))
    return mouse.place(line[nearest])


def on_prop(mouse: ViewMouse, prop: Prop, own: tuple[float, float, float] = (0.3, 0.8, 0.5)) -> QPoint:
    """A pixel on the prop's front, where its gizmo is not."""
    return mouse.place(prop.frame.points(own))
