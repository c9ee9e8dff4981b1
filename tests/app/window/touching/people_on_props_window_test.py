"""Whoever sits on a prop comes along, feet and all, as it is moved or turned in the window; each is one step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, gizmo_of, part_at, the_prop
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, root_of, settled, strike, typed

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.panels.prop_panel import PropPanel
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.sources import FloorSource
from solver.rig.roles import LEGS

pytestmark = [pytest.mark.gl, pytest.mark.slow]
KEY = Qt.Key
NEAR_M = 1e-2  # metres: elbows may settle by as much


def seated(editor: Editor) -> Prop:
    """A box, on which the person was put by the mouse; the box is selected."""
    who = active(editor).id
    x, _, z = active(editor).pose.root_position.tolist()
    box = added(editor, "box", (x, 0.0, z - 0.35))
    sit_down(editor, who, box)
    return box


def sit_down(editor: Editor, who: str, box: Prop) -> None:
    """Put somebody on a box by the mouse, and select that."""
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.3, 0.6, 0.2), yaw=0.3, pitch=0.5, distance=4.0))
    editor.refresh()
    dragged_with_s(editor, place_of(editor, "pelvis"), box.frame.points((0.0, 1.0, 0.2)))
    editor.session.set_view(prop=box.id)
    editor.refresh()


def went_along(editor: Editor, before: Document, box: Prop) -> None:
    """All joints are where they were, as seen from the box."""
    now = the_prop(editor)
    was = joints_of(before.character(active(editor).id)).positions
    own = (was - box.place) @ box.turn
    assert joints_of(active(editor)).positions == pytest.approx(now.place + own @ now.turn.T, abs=NEAR_M)


def test_a_sitter_turns_with_the_box_while_its_ring_is_dragged(editor: Editor) -> None:
    box, session = seated(editor), editor.session
    before = session.document
    strike(editor, KEY.Key_R)
    mouse = ViewMouse(editor)
    start, middle = part_at(mouse, "y"), mouse.place(gizmo_of(editor).position)
    way = QPoint(3 * (start.y() - middle.y()), 0)
    mouse.drag(start, way / 4, way / 2, release=False)
    settled(session)
    half = the_prop(editor).turn
    assert np.degrees(np.arccos((np.trace(half) - 1.0) / 2.0)) > 20.0
    went_along(editor, before, box)
    mouse.move(start + way)
    mouse.release(start + way)
    settled(session)
    assert the_prop(editor).turn != pytest.approx(half, abs=0.1)
    went_along(editor, before, box)
    assert session.history.steps()[-1] == "Turn Box"
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(session)
    assert session.document == before


def test_a_sitter_comes_along_by_arrow_keys_and_by_numbers(editor: Editor) -> None:
    box, session = seated(editor), editor.session
    before = session.document
    for _ in range(5):
        strike(editor, KEY.Key_Right)
    session.end_key_repeat()
    settled(session)
    assert np.linalg.norm(the_prop(editor).place - box.place) == pytest.approx(0.05, abs=1e-4)
    went_along(editor, before, box)
    panel = editor.panels.prop_fields.panel
    assert isinstance(panel, PropPanel)
    typed(panel.angles[1], "80")
    settled(session)
    went_along(editor, before, box)
    assert session.history.steps()[-2:] == ("Move Box", "Turn Box")


@pytest.mark.parametrize("tool", [KEY.Key_R, KEY.Key_G], ids=["turned", "moved"])
def test_who_stands_on_a_box_by_both_soles_stands_as_before_while_it_is(tool: Qt.Key, editor: Editor) -> None:
    who, session, mouse = active(editor).id, editor.session, ViewMouse(editor)
    x, _, z = active(editor).pose.root_position.tolist()
    box = added(editor, "box", (x, 0.0, z + 0.9))
    session.edit("Low", edits.set_prop_size(box.id, (0.8, 0.3, 0.8)))
    session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.3, 0.6, 0.4), yaw=0.6, pitch=0.5, distance=5.0))
    editor.refresh()
    dragged_with_s(editor, root_of(editor).position, the_prop(editor).frame.points((0.0, 1.0, 0.0)))
    session.select(who, [e.id for e in active(editor).effectors if e.joint.endswith("_ankle") and e.kind == "position"])
    editor.refresh()
    editor.actions["contact.here"].trigger()
    settled(session)
    before = session.document
    session.set_view(prop=box.id)
    strike(editor, tool)
    start, middle = part_at(mouse, "y" if tool == KEY.Key_R else "x"), mouse.place(gizmo_of(editor).position)
    way = QPoint(3 * (start.y() - middle.y()) if tool == KEY.Key_R else 150, 0)
    mouse.drag(start, *(way * share / 8 for share in range(1, 9)))
    settled(session)
    assert the_prop(editor) != before.prop(box.id)
    went_along(editor, before, before.prop(box.id))


def test_feet_hold_on_to_the_floor_again_where_a_seat_is_raised_and_lowered_in_one_drag(editor: Editor) -> None:
    box, session, who = seated(editor), editor.session, active(editor).id
    for leg in LEGS:
        place = joints_of(active(editor)).positions[skeleton_of(active(editor)).index(leg.end)] * [1.0, 0.0, 1.0]
        sole = contact_of(patches_of(active(editor))[f"{leg.end.side}_sole"], place, UP)
        session.edit("Hold", edits.hold(who, replace(sole, source=FloorSource())), solve=True)
    session.set_view(prop=box.id)
    editor.refresh()
    settled(session)
    before, mouse = session.document, ViewMouse(editor)
    start = part_at(mouse, "y")
    high = QPoint(0, -150)
    mouse.drag(start, high / 3, high, release=False)
    settled(session)
    assert the_prop(editor).place[1] > 0.3
    assert len(on_floor(active(editor))) == 0
    for share in (0.6, 0.3, 0.1, 0.0):
        mouse.move(start + high * share)
    mouse.release(start)
    settled(session)
    assert the_prop(editor).place == pytest.approx(box.place, abs=5e-3)
    assert on_floor(active(editor)) == on_floor(before.character(who))
    went_along(editor, before, box)


def on_floor(person: Character) -> list[str]:
    """The ids of what holds somebody to the floor."""
    return [effector.id for effector in person.effectors if isinstance(effector.source, FloorSource)]
