"""Mirror pose, by its key, of somebody who holds a stick or leans on a prop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, the_prop
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.mirroring import middle_plane
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
KEY, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier
SLANTED = np.array([0.0, 0.0, 1.2])  # a turn, radians


def standing(editor: Editor, kind: str, size: tuple[float, float, float], middle: tuple[float, float, float]) -> Prop:
    """A slanted prop before the left shoulder; the person is selected."""
    who, prop = active(editor).id, added(editor, kind).sized(size)
    turn = from_rotation_vector(SLANTED) if kind == "stick" else np.eye(3)
    turned = replace(prop, turn=np.asarray(turn, np.float32))
    put = turned.moved(np.array(middle) - turned.middle)
    editor.session.edit("Put", edits.put_prop(put))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2))
    editor.refresh()
    return the_prop(editor)


def stick_in_hand(editor: Editor) -> Prop:
    stick = standing(editor, "stick", (0.03, 0.8, 0.03), (0.28, 1.05, 0.36))
    dragged_with_s(editor, place_of(editor, "left_wrist"), stick.middle)
    assert held(editor).around
    return the_prop(editor)


def held(editor: Editor) -> Contact:
    (contact,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    return contact


def miss(editor: Editor) -> float:
    return held(editor).residual(skeleton_of(active(editor)), joints_of(active(editor)))


def nudge_foot(editor: Editor) -> None:
    """Drag an ankle a little, so that the whole body is solved."""
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "left_ankle")), QPoint(4, -4), QPoint(8, -8))
    settled(editor.session)


@pytest.mark.slow
def test_the_stick_in_a_hand_is_mirrored_along_and_in_the_other_hand_after_the_next_drag(editor: Editor) -> None:
    stick, before = stick_in_hand(editor), editor.session.document
    plane = middle_plane(active(editor).pose)
    strike(editor, KEY.Key_M, CTRL)
    there = the_prop(editor)
    assert held(editor).joint == "right_wrist"
    assert there.middle == pytest.approx(plane.points(stick.middle), abs=0.01)
    assert abs(there.turn[:, 1] @ (plane.matrix @ stick.turn[:, 1])) > 0.9999, "its axis is seen in the mirror"
    assert miss(editor) < 0.002
    wrist = place_of(editor, "right_wrist")
    nudge_foot(editor)
    assert np.linalg.norm(place_of(editor, "right_wrist") - wrist) < 0.03, "nothing tears at the hand"
    assert miss(editor) < 0.002
    editor.session.undo()
    editor.session.undo()
    assert editor.session.document == before


@pytest.mark.slow
def test_mirrored_twice_the_stick_is_where_it_was(editor: Editor) -> None:
    stick = stick_in_hand(editor)
    strike(editor, KEY.Key_M, CTRL)
    strike(editor, KEY.Key_M, CTRL)
    assert held(editor).joint == "left_wrist"
    assert the_prop(editor).middle == pytest.approx(stick.middle, abs=1e-3)


@pytest.mark.slow
def test_a_locked_stick_stays_and_the_hand_is_around_nothing(editor: Editor) -> None:
    stick = stick_in_hand(editor)
    editor.session.edit("Lock", edits.set_prop_locked(stick.id, True))
    strike(editor, KEY.Key_M, CTRL)
    assert np.array_equal(the_prop(editor).place, stick.place)
    assert held(editor).source is None
    wrist = place_of(editor, "right_wrist")
    nudge_foot(editor)
    assert np.linalg.norm(place_of(editor, "right_wrist") - wrist) < 0.03


@pytest.mark.sweep("table")
@pytest.mark.parametrize(("wide", "stays"), [(1.6, True), (0.3, False)], ids=["table", "stool"])
def test_a_palm_on_a_table_stays_on_it_where_the_table_is_at_the_other_side_too(
    editor: Editor, wide: float, stays: bool
) -> None:
    table = standing(editor, "box", (wide, 0.9, 0.3), (0.0 if stays else 0.3, 0.45, 0.4))
    dragged_with_s(editor, place_of(editor, "left_wrist"), np.array([0.3, 0.9, 0.4]))
    assert isinstance(held(editor).source, PropSource)
    strike(editor, KEY.Key_M, CTRL)
    assert np.array_equal(the_prop(editor).place, table.place), "what is only touched stays"
    assert isinstance(held(editor).source, PropSource) == stays
    wrist = place_of(editor, "right_wrist")
    nudge_foot(editor)
    assert np.linalg.norm(place_of(editor, "right_wrist") - wrist) < 0.04


@pytest.mark.sweep("aside")
@pytest.mark.parametrize(("x", "follows"), [(0.0, True), (1.2, False)], ids=["ahead", "aside"])
def test_a_look_at_a_prop_goes_on_only_where_that_is_straight_ahead(editor: Editor, x: float, follows: bool) -> None:
    session, who = editor.session, active(editor)
    look = next(e for e in who.effectors if e.kind == "lookat")
    standing(editor, "box", (0.06, 0.3, 0.06), (x, 1.4, 1.2))
    editor.viewport.set_camera(OrbitCamera(target=(0.5, 1.2, 0.6), yaw=0.7, pitch=0.5, distance=4.0))
    dragged_with_s(editor, look.target.astype(float), the_prop(editor).middle)
    assert isinstance(active(editor).effector(look.id).source, PropSource)
    strike(editor, KEY.Key_M, CTRL)
    assert (active(editor).effector(look.id).source is not None) == follows
    face = joints_of(active(editor)).rotations[skeleton_of(active(editor)).index("head")][:, 2]
    nudge_foot(editor)
    then = joints_of(active(editor)).rotations[skeleton_of(active(editor)).index("head")][:, 2]
    assert face @ then > np.cos(np.radians(8.0)), "the head does not turn back"
    assert session.history.steps()[-2] == "Mirror pose"
