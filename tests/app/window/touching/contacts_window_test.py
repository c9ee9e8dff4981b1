"""Contacts by mouse and keys: dragged onto surfaces, from menus and commands, let go of, undone, saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from copies import copy_of
from prop_driver import added
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from timeline_driver import TimelineMouse, keys_of, set_moving
from window_driver import ViewMouse, activated, active, place_of, settled, strike, until

from app.document import edits
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.scene_file.io import load_scene, save_scene
from app.look.mnemonics import unmarked
from app.panels.effector_menu import effector_menu, joint_menu
from app.window.editor import Editor
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource, PropSource, SkinSource
from solver.evaluation.standing.skin_intersection import self_intersection_depth

pytestmark = pytest.mark.gl
S = Qt.Key.Key_S


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def hold_key(editor: Editor) -> None:
    activated(editor.window)
    editor.viewport.setFocus()
    QTest.keyPress(editor.viewport, S)


def drag_onto(editor: Editor, joint: str, place: np.ndarray, release: bool = True) -> ViewMouse:
    """Drag a joint's handle by the mouse, with S held, to where a place is seen."""
    mouse = ViewMouse(editor)
    start, end = mouse.place(place_of(editor, joint)), mouse.place(place)
    mouse.drag(start, QPoint(4, 4), QPoint(8, 8), release=False)
    hold_key(editor)
    for share in (0.5, 1.0):
        mouse.move(start + (end - start) * share)
    if release:
        mouse.release(end)
        QTest.keyRelease(editor.viewport, S)
    settled(editor.session)
    return mouse


def in_front(editor: Editor, x: float) -> np.ndarray:
    """A place on the floor before the active person, to its left by `x` metres."""
    root = active(editor).pose.root_position
    return np.array([root[0] + x, 0.0, root[2] + 0.45])


def lose_the_keyboard(editor: Editor) -> None:
    """To another window, which is closed then."""
    other = QWidget()
    other.show()
    activated(other)
    until(lambda: not editor.window.isActiveWindow())
    other.close()
    activated(editor.window)


@pytest.mark.slow
def test_the_limb_stays_on_the_surface_if_another_window_takes_the_keyboard_meanwhile(editor: Editor) -> None:
    place = in_front(editor, 0.1)
    mouse = drag_onto(editor, "right_wrist", place, release=False)
    lose_the_keyboard(editor)
    mouse.move(mouse.place(place) + QPoint(3, 0))
    mouse.release(mouse.place(place) + QPoint(3, 0))
    settled(editor.session)
    assert [e.joint for e in contacts(editor)] == ["right_wrist"]
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(-10, 30), QPoint(-20, 60))
    settled(editor.session)
    assert len(contacts(editor)) == 1, "in the next drag nobody holds the key"
    QTest.keyRelease(editor.viewport, S)


@pytest.mark.slow
def test_the_key_pressed_again_after_another_window_had_the_keyboard_holds_for_the_next_drag_too(
    editor: Editor,
) -> None:
    place = in_front(editor, 0.1)
    mouse = drag_onto(editor, "right_wrist", place, release=False)
    lose_the_keyboard(editor)
    editor.viewport.setFocus()
    QTest.keyPress(editor.viewport, S)
    mouse.move(mouse.place(place) + QPoint(3, 0))
    mouse.release(mouse.place(place) + QPoint(3, 0))
    settled(editor.session)
    there = mouse.place(in_front(editor, -0.1))
    begin = mouse.place(place_of(editor, "left_wrist"))
    mouse.drag(begin, (there - begin) / 2, there - begin)
    settled(editor.session)
    QTest.keyRelease(editor.viewport, S)
    assert {e.joint for e in contacts(editor)} == {"right_wrist", "left_wrist"}


@pytest.mark.slow
def test_a_hand_dragged_onto_the_floor_with_s_lies_there_flat_in_one_step(editor: Editor) -> None:
    session, before = editor.session, editor.session.document
    place = in_front(editor, 0.3)
    drag_onto(editor, "left_wrist", place)
    (held,) = contacts(editor)
    assert isinstance(held.source, FloorSource)
    assert held.target[1] == 0.0
    assert held.target == pytest.approx(place, abs=0.02)
    assert session.history.steps() == ("Hold left palm on the floor",)
    assert session.finding.residuals[active(editor).effectors.index(held)].state == "met"
    turn = joints_of(active(editor)).rotations[skeleton_of(active(editor)).index(held.joint)]
    assert (turn @ held.normal)[1] < -0.99
    editor.refresh()
    row = next(r for r in editor.panels.effectors.rows if r.effector_id == held.id)
    assert (row.joint.text(), row.detail.text()) == ("Left palm", "On the floor")
    handle = next(h for h in editor.viewport.scene.handles if h.id == ("effector", held.id))
    assert handle.shape == "contact"
    assert handle.facing is not None
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document == before


@pytest.mark.slow
def test_a_knee_dragged_onto_the_floor_with_s_is_knelt_on_and_its_foot_goes_back(editor: Editor) -> None:
    session, before = editor.session, editor.session.document
    drag_onto(editor, "left_knee", in_front(editor, 0.1))
    (held,) = contacts(editor)
    assert (held.joint, type(held.source)) == ("left_knee", FloorSource)
    assert session.finding.residuals[active(editor).effectors.index(held)].state == "met"
    loose = {e.joint for e in active(editor).effectors if e.loose and "ankle" in e.joint}
    assert loose == {"left_ankle"}
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document == before


@pytest.mark.slow
def test_a_hand_dragged_onto_the_own_thigh_goes_along_with_it_and_not_onto_its_own_arm(editor: Editor) -> None:
    person = active(editor)
    drag_onto(editor, "left_wrist", place_of_patch(person, patches_of(person)["left_thigh"]))
    (held,) = contacts(editor)
    assert isinstance(held.source, SkinSource)
    assert (held.source.character, held.source.spot) == (person.id, "left thigh")
    editor.refresh()
    row = next(r for r in editor.panels.effectors.rows if r.effector_id == held.id)
    assert row.detail.text() == "On own left thigh"
    posed = active(editor)
    assert self_intersection_depth(body_of(posed), posed.shape, posed.pose, posed.hands) < 0.015, (
        "no finger is sunk in the thigh"
    )


@pytest.mark.slow
def test_letting_go_of_s_in_the_drag_pulls_the_hand_away_as_if_it_had_never_touched(editor: Editor) -> None:
    mouse = drag_onto(editor, "left_wrist", in_front(editor, 0.3), release=False)
    assert contacts(editor)
    hands = active(editor).hands
    QTest.keyRelease(editor.viewport, S)
    until(lambda: not contacts(editor))
    settled(editor.session)
    assert active(editor).hands != hands  # its fingers are as they were
    mouse.release(mouse.place(in_front(editor, 0.3)))
    settled(editor.session)
    assert len(editor.session.history.steps()) == 1


@pytest.mark.slow
def test_escape_takes_a_drag_onto_a_surface_back(editor: Editor) -> None:
    before = editor.session.document
    drag_onto(editor, "left_wrist", in_front(editor, 0.3), release=False)
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    QTest.keyRelease(editor.viewport, S)
    settled(editor.session)
    assert editor.session.document == before


@pytest.mark.slow
def test_a_contact_dragged_without_the_key_is_let_go_of_and_with_it_slides(editor: Editor) -> None:
    drag_onto(editor, "left_wrist", in_front(editor, 0.3))
    (held,) = contacts(editor)
    mouse = ViewMouse(editor)
    start = mouse.place(held.target)
    editor.session.select(active(editor).id)
    mouse.drag(start, QPoint(3, 0), QPoint(6, 0), release=False)
    hold_key(editor)
    mouse.move(start + QPoint(20, 0))
    mouse.release(start + QPoint(20, 0))
    QTest.keyRelease(editor.viewport, S)
    settled(editor.session)
    (slid,) = contacts(editor)
    assert (slid.id, slid.patch) == (held.id, held.patch)
    assert 0.01 < np.linalg.norm(slid.target - held.target) < 0.3
    assert slid.target[1] == 0.0
    editor.session.select(active(editor).id)
    start = mouse.place(slid.target)
    mouse.drag(start, QPoint(0, -20), QPoint(0, -60))
    settled(editor.session)
    assert not contacts(editor)
    freed = active(editor).effector(held.id)
    assert isinstance(freed, Position)
    assert freed.holds_joint
    assert freed.target[1] > 0.1


def test_menus_rest_a_joint_on_the_floor_choose_the_patch_and_let_go(editor: Editor) -> None:
    session = editor.session

    def click(menu: QMenu, title: str) -> None:
        next(a for a in menu.actions() if unmarked(a.text()) == title).trigger()
        settled(session)

    menu = QMenu()
    joint_menu(menu, session, "left_knee", lambda kind, joint: None)
    click(menu, "Rest on the floor")
    (held,) = contacts(editor)
    assert (held.patch, held.target[1]) in {("left_knee", 0.0), ("left_shin", 0.0)}
    other = "Left shin" if held.patch == "left_knee" else "Left knee"
    menu = QMenu()
    effector_menu(menu, session, held.id)
    click(next(m for m in menu.findChildren(QMenu) if m.title() == "Hold with"), other)
    assert [e.patch for e in contacts(editor)] == [other.lower().replace(" ", "_")]
    menu = QMenu()
    effector_menu(menu, session, held.id)
    click(menu, "Let go")
    assert not contacts(editor)
    assert isinstance(active(editor).effector(held.id), Position)
    menu = QMenu()
    effector_menu(menu, session, held.id)
    click(menu, "Hold on the nearest surface")
    assert contacts(editor)


def test_contacts_keep_through_shapes_and_files(editor: Editor, tmp_path: Path) -> None:
    session = editor.session
    editor.refresh()
    editor.actions["contact.hips"].trigger()
    settled(session)
    before = contacts(editor)
    session.edit("Shape", edits.set_beta(active(editor).id, 1, 3.0), solve=True)
    settled(session)
    after = contacts(editor)
    assert [e.patch for e in after] == [e.patch for e in before]
    assert any(np.abs(a.offset - b.offset).max() > 1e-4 for a, b in zip(after, before, strict=True))
    assert "unreachable" not in [r.state for r in session.finding.residuals]
    file = tmp_path / "hips.json"
    save_scene(file, session.document)
    assert [e for e in load_scene(file).characters[0].effectors if isinstance(e, Contact)] == after


@pytest.mark.slow
def test_somebody_moving_who_is_touched_and_does_not_move_for_it_gets_no_key(editor: Editor) -> None:
    session = editor.session
    session.edit("Copy", edits.add_character(copy_of(session.document, "c1")))
    set_moving(editor, 50)
    session.select("c2")
    editor.refresh()
    QTest.mouseClick(editor.panels.timeline.animate[0], Qt.MouseButton.LeftButton)
    TimelineMouse(editor).to_frame(20)
    other = session.document.character("c1")
    shoulder = joints_of(other).positions[skeleton_of(other).index("left_shoulder")]
    drag_onto(editor, "right_wrist", shoulder)
    (held,) = contacts(editor)
    assert isinstance(held.source, SkinSource)
    assert held.source.character == "c1"
    assert (keys_of(editor, "c1"), keys_of(editor, "c2")) == ([0], [0, 20])


def test_a_pelvis_is_held_on_the_nearest_surface_which_is_never_its_owners_own_skin(editor: Editor) -> None:
    """It carries all of that."""
    at = place_of(editor, "pelvis")
    seat = added(editor, "box", (float(at[0]), 0.0, float(at[2]) - 0.35))
    editor.session.edit("Seat", edits.set_prop_size(seat.id, (0.4, float(at[1]) - 0.1, 0.4)))
    editor.session.select("c1", joints=["pelvis"])
    editor.refresh()
    editor.actions["contact.here"].trigger()
    settled(editor.session)
    (held,) = contacts(editor)
    assert isinstance(held.source, PropSource)
    assert held.joint == "pelvis"
