"""Whoever sits on a prop that moves rides along at every frame, in the window, whatever is done to the prop's keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from people_on_props_window_test import seated, sit_down
from prop_driver import added, part_at, shown, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import LEFT, TimelineMouse, keys_of
from window_driver import ViewMouse, active, laid_out, settled, strike, until

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.services.steps.contacts import with_people_on
from app.window.editor import Editor
from solver.effectors.effector import Effector
from solver.effectors.sources import FloorSource
from solver.rig.roles import LEGS

pytestmark = [pytest.mark.gl, pytest.mark.slow]
KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
SEAT_M = 0.02  # metres that a pelvis may go about on its seat, between keys


def all_solved(editor: Editor) -> None:
    """Until every frame between keys is."""
    settled(editor.session)
    id = active(editor).id
    until(lambda: not editor.jobs.busy and not editor.session.solving and not editor.in_betweens.missing(id))
    settled(editor.session)


def animate(editor: Editor) -> None:
    """Press the button of that name on the timeline."""
    (button,) = (each for each in editor.panels.timeline.animate if each.isVisible())
    QTest.mouseClick(button, LEFT)
    laid_out()
    editor.refresh()


def pull(editor: Editor, pixels: int = 120) -> None:
    """Drag an arrow of the prop's gizmo to the right."""
    shown(editor)
    view = ViewMouse(editor)
    view.drag(part_at(view, "x"), QPoint(pixels // 3, 0), QPoint(pixels, 0))
    settled(editor.session)
    editor.refresh()


def off_seat(editor: Editor, mouse: TimelineMouse, at: np.ndarray, *frames: int) -> list[float]:
    """Metres by which the sitter is elsewhere on the prop than there, at frames that the playhead is dragged to."""
    found = []
    for frame in frames:
        mouse.scrub(frame)
        own = (active(editor).pose.root_position - the_prop(editor).place) @ the_prop(editor).turn
        found.append(float(np.linalg.norm(own - at)))
    return found


def test_a_sitter_rides_a_cart_whose_keys_are_dragged_and_deleted_and_undo_brings_all_back(editor: Editor) -> None:
    box, session, mouse = seated(editor), editor.session, TimelineMouse(editor)
    at = active(editor).pose.root_position - box.place
    animate(editor)
    mouse.to_frame(60)
    pull(editor)
    all_solved(editor)
    moved = session.document
    assert np.linalg.norm(the_prop(editor).place - box.place) > 0.3
    assert max(off_seat(editor, mouse, at, 0, 20, 40, 60)) < SEAT_M
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 50), mouse.on("keys", 30))
    all_solved(editor)
    assert [key.frame for key in the_prop(editor).clip.keys] == [0, 30]
    assert max(off_seat(editor, mouse, at, 0, 15, 30, 45, 60)) < SEAT_M
    mouse.click(mouse.on("keys", 30))
    mouse.strike(KEY.Key_Delete)
    all_solved(editor)
    assert the_prop(editor).place == pytest.approx(box.place)
    assert max(off_seat(editor, mouse, at, 0, 30, 60)) < SEAT_M
    for _ in range(2):
        strike(editor, KEY.Key_Z, CTRL)
    settled(session)
    assert session.document == moved


def test_feet_stay_on_the_floor_where_a_dragged_key_of_a_lift_only_passes(editor: Editor) -> None:
    box, session, mouse, who = seated(editor), editor.session, TimelineMouse(editor), active(editor).id
    for leg in LEGS:
        place = joints_of(active(editor)).positions[skeleton_of(active(editor)).index(leg.end)] * [1.0, 0.0, 1.0]
        sole = contact_of(patches_of(active(editor))[f"{leg.end.side}_sole"], place, UP)
        session.edit("Hold", edits.hold(who, replace(sole, source=FloorSource())), solve=True)
    animate(editor)
    for frame, edit in ((30, edits.set_key(who, 30)), (40, edits.set_prop_key(box.id, 40))):
        mouse.to_frame(frame)
        session.edit("Key", edit)
    mouse.to_frame(60)
    session.edit("Lift", with_people_on(edits.move_prop(box.id, (0.0, 0.5, 0.0))), solve=True)
    session.set_view(prop=box.id)
    all_solved(editor)
    before = on_floor(editor, who)
    assert len(before) == len(LEGS)
    mouse.drag(*(mouse.on("keys", frame) for frame in (40, 30, 6, 20, 39)))
    settled(session)
    assert [key.frame for key in the_prop(editor).clip.keys] == [0, 39, 60]
    assert on_floor(editor, who) == before


def on_floor(editor: Editor, who: str) -> list[Effector]:
    """What holds somebody to the floor at frame 30."""
    key = editor.session.history.document.actor(who).clip.key(30)
    assert key is not None
    return [effector for effector in key.effectors if isinstance(effector.source, FloorSource)]


def test_who_sits_down_on_a_cart_that_moves_already_rides_as_far_as_it_goes(editor: Editor) -> None:
    x, _, z = active(editor).pose.root_position.tolist()
    box, mouse, who = added(editor, "box", (x, 0.0, z - 0.35)), TimelineMouse(editor), active(editor).id
    animate(editor)
    mouse.to_frame(60)
    pull(editor)
    far = the_prop(editor).place - box.place
    assert np.linalg.norm(far) > 0.3
    mouse.to_frame(0)
    sit_down(editor, who, the_prop(editor))
    all_solved(editor)
    at = active(editor).pose.root_position - the_prop(editor).place
    assert keys_of(editor, who) == [0]
    assert max(off_seat(editor, mouse, at, 0, 20, 40, 60)) < SEAT_M
    box_id = the_prop(editor).id
    editor.session.select(who)
    strike(editor, KEY.Key_M, CTRL)
    all_solved(editor)
    assert editor.session.history.steps()[-1] == "Mirror motion"
    assert max(off_seat(editor, mouse, at, 0, 20, 40, 60)) < SEAT_M
    editor.session.set_view(prop=box_id)
    editor.refresh()
    mouse.scrub(0)
    mouse.click(mouse.on("keys", 0))
    mouse.click(mouse.on("keys", 60), SHIFT)
    mouse.strike(KEY.Key_Delete)
    until(lambda: not active(editor).clip.solved)
    assert the_prop(editor).clip is None
    assert max(off_seat(editor, mouse, at, 0, 60)) < SEAT_M
    strike(editor, KEY.Key_Z, CTRL)
    all_solved(editor)
    assert max(off_seat(editor, mouse, at, 20, 60)) < SEAT_M
