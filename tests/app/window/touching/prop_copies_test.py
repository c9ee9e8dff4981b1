"""Props copied, pasted, duplicated and mirrored by keys, alone, several at once and with people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from prop_driver import added, on_prop, shown, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, strike, until

from app.dialogs import messages
from app.document import edits
from app.document.edits.copies import Things, copies_of
from app.document.library.things_text import things_bytes, things_from
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.document.posing.create import new_document
from app.services.steps.pose_clipboard import THINGS, PoseClipboard
from app.services.view_state import selected_props
from app.window.commands.selected_prop_commands import paste_things
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def overlap(one: Prop, other: Prop) -> bool:
    """Whether the boxes around two props, along the world's axes, meet."""
    low, high = one.corners.min(axis=0) + 1e-3, one.corners.max(axis=0) - 1e-3
    return bool(((low < other.corners.max(axis=0)) & (other.corners.min(axis=0) < high)).all())


def two(editor: Editor) -> tuple[Prop, Prop]:
    """A box and a ball, both selected: a click on the one, Shift-click on the other."""
    box, ball, mouse = added(editor, "box", (0.9, 0.0, 0.3)), added(editor, "ball", (-0.9, 0.0, 0.3)), ViewMouse(editor)
    shown(editor)
    mouse.click(QPoint(6, 6))
    mouse.click(on_prop(mouse, box))
    mouse.click(on_prop(mouse, ball, (0.0, 0.9, 0.2)), SHIFT)
    return box, ball


def names(editor: Editor) -> list[str]:
    return [prop.name for prop in editor.session.document.props]


def selected(editor: Editor) -> set[str]:
    return {prop.name for prop in selected_props(editor.session.document, editor.session.view)}


def test_ctrl_c_and_ctrl_v_add_another_prop_with_its_motion_lock_size_and_colour(editor: Editor) -> None:
    prop, session = added(editor), editor.session
    session.edit("Move", edits.animate_prop(prop.id, 10))
    session.edit(
        "Look", edits.chain(edits.set_prop_color(prop.id, "#112233"), edits.set_prop_size(prop.id, (1, 0.2, 2)))
    )
    session.look_at_time(0.2)
    session.edit("Put", edits.set_prop_place(prop.id, (2.0, 0.5, 1.0)))
    session.edit("Lock", edits.set_prop_locked(prop.id, True))
    first, steps = the_prop(editor), len(session.history.steps())
    strike(editor, KEY.Key_C, CTRL)
    assert editor.actions["edit.copy"].text() == "Copy Box"
    strike(editor, KEY.Key_V, CTRL)
    copy = the_prop(editor)
    assert (copy.name, copy.color, copy.locked, copy.size.tolist()) == ("Box 2", "#112233", True, first.size.tolist())
    assert first.clip is not None
    assert copy.clip is not None
    assert len(copy.clip.keys) == 2
    ways = [b.place - a.place for a, b in zip(first.clip.keys, copy.clip.keys, strict=True)]
    assert np.allclose(ways[0], ways[1], atol=1e-5)
    assert np.allclose(copy.place - first.place, ways[0], atol=1e-5), "it is seen at the same moment"
    assert not overlap(first, copy)
    assert selected(editor) == {"Box 2"}
    assert len(session.history.steps()) == steps + 1
    strike(editor, KEY.Key_Z, CTRL)
    assert names(editor) == ["Box"]


def test_several_props_are_duplicated_together_in_one_step_beside_the_originals(editor: Editor) -> None:
    box, ball = two(editor)
    assert selected(editor) == {"Box", "Ball"}
    strike(editor, KEY.Key_D, CTRL)
    assert names(editor) == ["Box", "Ball", "Box 2", "Ball 2"]
    assert editor.session.history.undo_text == "Duplicate as 2 props"
    copies = editor.session.document.props[2:]
    assert np.allclose(copies[0].place - box.place, copies[1].place - ball.place, atol=1e-5)
    assert not any(overlap(copy, other) for copy in copies for other in (box, ball))
    assert selected(editor) == {"Box 2", "Ball 2"}
    strike(editor, KEY.Key_Z, CTRL)
    assert names(editor) == ["Box", "Ball"]


def test_several_props_move_together_and_delete_takes_them_all(editor: Editor) -> None:
    box, ball = two(editor)
    mouse = ViewMouse(editor)
    at = on_prop(mouse, ball, (0.0, 0.9, 0.2))
    mouse.drag(at, QPoint(30, 20), QPoint(60, 40))
    now = editor.session.document.props
    gone = now[1].place - ball.place
    assert np.linalg.norm(gone) > 0.05
    assert np.allclose(now[0].place - box.place, gone, atol=1e-5)
    assert editor.session.history.undo_text == "Move 2 props"
    strike(editor, KEY.Key_Delete)
    assert names(editor) == []
    strike(editor, KEY.Key_Z, CTRL)
    assert names(editor) == ["Box", "Ball"]


def test_arrow_keys_and_end_move_all_selected_props(editor: Editor) -> None:
    box, ball = two(editor)
    strike(editor, KEY.Key_Up)
    now = editor.session.document.props
    assert editor.session.history.undo_text == "Move 2 props"
    assert np.allclose(now[0].place - box.place, now[1].place - ball.place, atol=1e-6)
    assert not np.allclose(now[0].place, box.place)
    strike(editor, KEY.Key_End)
    assert [float(prop.place[1]) for prop in editor.session.document.props] == pytest.approx([0.0, 0.0], abs=1e-5)


def test_arrow_keys_and_end_leave_a_further_prop_that_is_locked(editor: Editor) -> None:
    session, (box, _) = editor.session, two(editor)
    session.edit("Lift", edits.chain(*(edits.move_prop(prop.id, (0.0, 0.3, 0.0)) for prop in session.document.props)))
    session.edit("Lock", edits.set_prop_locked(box.id, True))
    before = session.document.props
    strike(editor, KEY.Key_Up)
    assert session.history.undo_text == "Move Ball"
    strike(editor, KEY.Key_End)
    now = session.document.props
    assert now[0] == before[0]
    assert now[1].place[1] == pytest.approx(0.0, abs=1e-5)


def test_shift_clicks_add_props_to_a_person_and_take_them_out_again(editor: Editor) -> None:
    box, mouse = added(editor), ViewMouse(editor)
    mouse.click(QPoint(6, 6))
    mouse.click(on_prop(mouse, box), SHIFT)
    view = editor.session.view
    assert (view.prop, view.props, view.character) == ("", {box.id}, "c1")
    mouse.click(on_prop(mouse, box), SHIFT)
    assert not editor.session.view.props
    row = editor.panels.people.prop_rows[0]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, CTRL, QPoint(60, 16))
    assert editor.session.view.props == {box.id}
    editor.refresh()
    assert row.property("also")


def test_a_person_and_what_they_hold_are_copied_with_the_hold_on_the_copy_also_into_another_scene(
    editor: Editor, tmp_path: Path
) -> None:
    box, session = added(editor), editor.session
    held = Contact(
        id="h",
        joint="left_wrist",
        patch="left_palm",
        target=np.array([0.9, 0.45, 0.3]),
        source=PropSource(box.id, (0.0, 0.5, 0.0)),
    )
    session.edit("Hold", edits.add_effector("c1", held), solve=True)
    session.select("c1")
    session.set_view(props=frozenset({box.id}))
    strike(editor, KEY.Key_C, CTRL)
    assert "Copied 1 person and 1 prop." in editor.window.status.notices.shown
    strike(editor, KEY.Key_V, CTRL)
    person, copy = session.document.characters[-1], the_prop(editor)
    source = person.effector("h").source
    assert isinstance(source, PropSource)
    assert source.prop == copy.id != box.id
    assert session.document.character("c1").effector("h").source.prop == box.id  # type: ignore[union-attr]
    assert np.allclose(person.effector("h").target - copy.place, held.target - box.place, atol=1e-4)
    assert session.history.undo_text == "Paste 1 person and 1 prop"
    session.open(new_document())
    strike(editor, KEY.Key_V, CTRL)
    assert names(editor) == ["Box"]
    assert session.document.characters[-1].effector("h").source.prop == the_prop(editor).id  # type: ignore[union-attr]
    theirs = QGuiApplication.clipboard().mimeData().data(THINGS).data()
    there = things_from(bytes(theirs), ())
    assert [prop.name for prop in there.props] == ["Box"]
    assert len(there.people) == 1


def test_a_pose_copied_after_a_prop_is_pasted_as_a_pose_again(editor: Editor) -> None:
    added(editor)
    strike(editor, KEY.Key_C, CTRL)
    editor.session.select("c1")
    strike(editor, KEY.Key_C, CTRL)
    editor.session.edit("Turn", edits.turn_character("c1", 0.5))
    strike(editor, KEY.Key_V, CTRL)
    assert names(editor) == ["Box"]
    assert editor.session.history.undo_text == "Paste pose"


@pytest.mark.slow
def test_a_copy_lands_in_view_where_the_original_is(editor: Editor) -> None:
    prop = added(editor, "box", (0.0, 0.0, 0.0))
    away = (0.9, 0.6, 5.0)
    editor.session.edit("Put", edits.set_prop_place(prop.id, away))
    for yaw in (0.0, 1.6, 3.1):  # the free place first tried is beyond the right or the left edge of the view
        for side in (-0.6, 0.6):
            right = np.array([np.cos(yaw), 0.0, -np.sin(yaw)])
            target = np.array([0.9, 0.8, 5.0]) - side * right
            editor.viewport.set_camera(OrbitCamera(target=tuple(target), yaw=yaw, pitch=0.3, distance=5.0))
            editor.session.set_view(prop=prop.id)
            camera = editor.viewport.camera
            strike(editor, KEY.Key_D, CTRL)
            copy, view = the_prop(editor), editor.viewport.current_view
            assert editor.viewport.camera == camera
            pixels = view.project(copy.corners)
            assert ((pixels >= 0) & (pixels <= (view.width, view.height))).all()
            assert not overlap(copy, editor.session.document.prop(prop.id))
            strike(editor, KEY.Key_Z, CTRL)


def test_a_cup_on_a_table_is_copied_on_the_table_and_a_box_in_a_room_stays_in_it(editor: Editor) -> None:
    table = added(editor, "box", (2.5, 0.0, 0.0))
    editor.session.edit("Large", edits.set_prop_size(table.id, (1.6, 0.75, 1.0)))
    cup = added(editor, "cylinder", (2.5, 0.75, 0.0))
    editor.session.edit("Small", edits.set_prop_size(cup.id, (0.1, 0.1, 0.1)))
    strike(editor, KEY.Key_D, CTRL)
    copy = the_prop(editor)
    assert copy.place[1] == pytest.approx(0.75)
    assert abs(copy.place[0] - 2.5) < 0.8
    assert abs(copy.place[2]) < 0.5
    assert not overlap(copy, editor.session.document.prop(cup.id))


def test_ctrl_m_mirrors_a_turned_prop_where_it_stands_and_twice_brings_it_back(editor: Editor) -> None:
    stairs, session = added(editor, "stairs"), editor.session
    strike(editor, KEY.Key_M, CTRL)
    assert editor.window.status.notices.shown == "Stairs looks the same in a mirror."
    turn = from_rotation_vector(np.array([0.2, 0.6, 0.0]))
    session.edit("Turn", edits.set_prop_turn(stairs.id, turn))
    before = the_prop(editor)
    strike(editor, KEY.Key_M, CTRL)
    after = the_prop(editor)
    assert session.history.undo_text == "Mirror Stairs"
    flip = np.diag([-1.0, 1.0, 1.0])
    assert np.allclose(after.turn, flip @ before.turn @ flip, atol=1e-5)
    seen = before.frame.points(before.surface.vertices)
    middle = (before.corners.min(axis=0) + before.corners.max(axis=0)) / 2
    seen[:, 0] = 2 * middle[0] - seen[:, 0]
    there = after.frame.points(after.surface.vertices)
    gaps = np.linalg.norm(seen[:, None] - there[None], axis=2).min(axis=1)
    assert gaps.max() < 1e-4, "it is exactly its image in the mirror"
    strike(editor, KEY.Key_M, CTRL)
    assert np.allclose(the_prop(editor).turn, before.turn, atol=1e-5)
    assert np.allclose(the_prop(editor).place, before.place, atol=1e-5)


@pytest.mark.slow
def test_a_pasted_mesh_shares_the_surface_of_the_copied_one_also_once_that_is_gone(editor: Editor) -> None:
    shape = surface_of("chair")
    throne = Prop("p9", "Throne", MESH, np.array([0.5, 0.9, 0.5]), mesh=PropMesh(shape.vertices, shape.faces))
    editor.session.edit("Add", edits.add_prop(throne))
    mouse = ViewMouse(editor)
    shown(editor)
    mouse.click(on_prop(mouse, the_prop(editor), (0.0, 0.47, 0.5)))
    assert selected(editor) == {"Throne"}
    strike(editor, KEY.Key_C, CTRL)
    strike(editor, KEY.Key_V, CTRL)
    assert names(editor) == ["Throne", "Throne 2"]
    assert the_prop(editor).mesh is throne.mesh
    for prop in editor.session.document.props:
        editor.session.edit("Delete", edits.remove_prop(prop.id))
    strike(editor, KEY.Key_V, CTRL)
    assert the_prop(editor).mesh is throne.mesh


@pytest.mark.slow
def test_a_mirrored_mesh_has_its_surface_mirrored_and_says_so(editor: Editor) -> None:
    surface = surface_of("stairs")
    vertices = surface.vertices + np.where(surface.vertices[:, :1] > 0, 0.0, 0.1) * (1.0, 0.0, 0.0)
    mesh = Prop("p9", "Rock", MESH, np.ones(3), mesh=PropMesh(vertices, surface.faces), place=np.array([1.5, 0.0, 0.0]))
    editor.session.edit("Add", edits.add_prop(mesh))
    editor.session.set_view(prop="p9")
    strike(editor, KEY.Key_M, CTRL)
    after = the_prop(editor)
    assert after.mesh is not None
    assert np.allclose(after.mesh.vertices[:, 0], -vertices[:, 0])
    assert editor.window.status.notices.shown == "The surface of Rock is mirrored as well: its left is now its right."
    normal = np.cross(
        *(after.mesh.vertices[after.mesh.faces[0]][i] - after.mesh.vertices[after.mesh.faces[0]][0] for i in (1, 2))
    )
    was = np.cross(*(vertices[surface.faces[0]][i] - vertices[surface.faces[0]][0] for i in (1, 2)))
    assert np.allclose(normal, was * (-1, 1, 1), atol=1e-6), "it still faces outwards"


def test_a_person_mirrored_with_props_has_them_on_the_other_side(editor: Editor) -> None:
    box, session = added(editor, "box", (0.9, 0.0, 0.3)), editor.session
    held = Contact(
        id="h",
        joint="left_wrist",
        patch="left_palm",
        target=np.array([0.8, 0.45, 0.3]),
        source=PropSource(box.id, (-0.2, 0.5, 0.0)),
    )
    session.edit("Hold", edits.add_effector("c1", held))
    session.select("c1")
    session.set_view(props=frozenset({box.id}))
    root = active(editor).pose.root_position
    strike(editor, KEY.Key_M, CTRL)
    assert session.history.undo_text == "Mirror 1 person and 1 prop"
    assert the_prop(editor).place[0] == pytest.approx(2 * root[0] - 0.9, abs=0.02)
    now = active(editor).effector("h")
    assert now.joint == "right_wrist"
    assert isinstance(now.source, PropSource)
    assert now.source.place[0] == pytest.approx(0.2)
    steps = len(session.history.steps())
    strike(editor, KEY.Key_Z, CTRL)
    assert len(session.history.steps()) == steps - 1
    assert the_prop(editor).place[0] == pytest.approx(0.9)


def test_delete_says_what_it_deletes_of_a_person_who_is_selected_with_a_prop(editor: Editor) -> None:
    box, session = added(editor), editor.session
    session.select("c1")
    session.set_view(props=frozenset({box.id}))
    assert editor.actions["edit.delete"].text() == "Delete Box"
    strike(editor, KEY.Key_A, CTRL)
    assert (session.view.props, bool(session.view.effectors)) == (frozenset({box.id}), True)
    until(lambda: editor.actions["edit.delete"].text() == "Delete effectors")
    strike(editor, KEY.Key_Delete)
    assert (names(editor), active(editor).effectors) == (["Box"], ())


@pytest.mark.slow
def test_two_mirrored_meshes_have_surfaces_in_what_is_said(editor: Editor) -> None:
    session, surface = editor.session, surface_of("stairs")
    vertices = surface.vertices + np.where(surface.vertices[:, :1] > 0, 0.0, 0.1) * (1.0, 0.0, 0.0)
    for id in ("p8", "p9"):
        rock = Prop(id, id, MESH, np.ones(3), mesh=PropMesh(vertices, surface.faces), place=np.array([1.5, 0.0, 0.0]))
        session.edit("Add", edits.add_prop(rock))
    session.set_view(prop="p8", props=frozenset({"p9"}))
    strike(editor, KEY.Key_M, CTRL)
    said = "The surfaces of 2 meshes are mirrored as well: their left is now their right."
    assert editor.window.status.notices.shown == said


def test_a_clipboard_without_people_and_props_is_refused_in_words(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    clipboard, session, refused = PoseClipboard(editor.session), editor.session, list[str]()
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    clipboard.copy_things(things_bytes(Things(), {}))
    before = session.document
    paste_things(session, clipboard, editor.session_view.sees, editor.jobs, pytest.fail)
    assert refused == ["The clipboard holds neither people nor props. Copy them again."]
    assert session.document is before


def test_what_another_scene_has_copied_keeps_nothing_of_it(editor: Editor) -> None:
    looking = replace(new_document().characters[0], name="Someone")
    content = things_bytes(Things((looking,), ()), {})
    people = things_from(content, ()).people
    copies = copies_of(editor.session.document, Things(people), from_elsewhere=True).people
    assert copies[0].id != "c1"
    assert copies[0].name == "Someone"
    assert copies[0].color != active(editor).color


def test_undo_of_a_copy_selects_what_it_was_made_from(editor: Editor) -> None:
    box, ball = two(editor)
    strike(editor, KEY.Key_D, CTRL)
    assert selected(editor) == {"Box 2", "Ball 2"}
    strike(editor, KEY.Key_Z, CTRL)
    assert selected(editor) == {box.name, ball.name}
    strike(editor, KEY.Key_Y, CTRL)
    assert selected(editor) == {"Box 2", "Ball 2"}
