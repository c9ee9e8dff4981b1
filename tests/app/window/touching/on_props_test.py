"""People and props in the window: sat on by the mouse, followed, deleted, held in the hand, and in the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, gizmo_of, part_at, press_s, shown, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from window_driver import ViewMouse, active, laid_out, place_of, settled, strike, until

from app.document import edits
from app.document.model.figure import body_of, joints_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.panels.hands_panel import HandsPanel
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.body.finger_chain import bent_points, hand_frame
from solver.body.hands import relaxed_hands
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.ik.memory import AtPose, SettledMemory
from solver.ik.options import SOLID_BODY

pytestmark = pytest.mark.gl
KEY, HELD, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def patch_at(editor: Editor, patch: str) -> np.ndarray:
    return place_of_patch(active(editor), patches_of(active(editor))[patch])


def seen_from_the_front(editor: Editor) -> None:
    editor.viewport.set_camera(OrbitCamera(target=(0.3, 0.6, 0.2), yaw=0.3, pitch=0.5, distance=4.0))
    editor.refresh()


def dragged_onto(editor: Editor, joint: str, place: np.ndarray) -> None:
    """Drag a joint's handle by the mouse, with S held, to where a place is seen."""
    dragged_with_s(editor, place_of(editor, joint), place)


def seated(editor: Editor) -> Prop:
    """A box, on which the person was put by the mouse."""
    who = active(editor).id
    x, _, z = active(editor).pose.root_position.tolist()
    box = added(editor, "box", (x, 0.0, z - 0.35))
    editor.session.select(who)
    seen_from_the_front(editor)
    dragged_onto(editor, "pelvis", box.frame.points((0.0, 1.0, 0.2)))
    return box


@pytest.mark.slow
def test_s_that_goes_down_before_the_mouse_button_means_the_surface_and_leaves_the_gizmo_alone(editor: Editor) -> None:
    x, _, z = active(editor).pose.root_position.tolist()
    box = added(editor, "box", (x + 0.8, 0.0, z + 0.1))
    seen_from_the_front(editor)
    mouse = ViewMouse(editor)
    start, end = mouse.place(place_of(editor, "left_wrist")), mouse.place(box.frame.points((-0.3, 1.0, 0.0)))
    press_s(editor)
    assert gizmo_of(editor).kind == "scale"
    mouse.drag(start, QPoint(4, 4), QPoint(8, 8), release=False)
    mouse.move(end)
    mouse.release(end)
    QTest.keyRelease(editor.viewport, KEY.Key_S)
    settled(editor.session)
    (held,) = contacts(editor)
    assert isinstance(held.source, PropSource)
    assert (held.joint, held.source.prop) == ("left_wrist", box.id)
    assert editor.session.view.prop_tool == "move"
    assert the_prop(editor).size == pytest.approx(box.size)


def test_bars_that_are_dragged_while_s_is_still_down_scale_the_prop_and_stay(editor: Editor) -> None:
    mouse, box = ViewMouse(editor), added(editor)
    press_s(editor)
    start, middle = part_at(mouse, "y"), mouse.place(gizmo_of(editor).position)
    mouse.drag(start, (start - middle) / 2, start - middle)
    QTest.keyRelease(editor.viewport, KEY.Key_S)
    assert the_prop(editor).size[1] > 1.02 * box.size[1]
    assert gizmo_of(editor).kind == "scale"


@pytest.mark.slow
def test_a_pelvis_dragged_over_the_side_of_a_box_leans_on_it_and_sits_down_on_its_top(editor: Editor) -> None:
    x, _, z = active(editor).pose.root_position.tolist()
    who, box = active(editor).id, added(editor, "box", (x, 0.0, z - 0.55))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.3, 0.6, 0.0), yaw=0.9, pitch=0.5, distance=4.0))
    editor.refresh()
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "pelvis")), QPoint(4, 4), QPoint(8, 8), release=False)
    press_s(editor)
    patches = []
    for spot in ((0.3, 0.8, 0.5), (0.35, 0.82, 0.5), (0.3, 1.0, 0.2)):
        mouse.move(mouse.place(box.frame.points(spot)))
        settled(editor.session)
        patches.extend(held.patch for held in contacts(editor))
    mouse.release(mouse.place(box.frame.points((0.3, 1.0, 0.2))))
    QTest.keyRelease(editor.viewport, KEY.Key_S)
    settled(editor.session)
    assert patches == ["buttocks", "buttocks", "seat"]


@pytest.mark.slow
def test_a_pelvis_dragged_onto_a_box_with_s_sits_there_and_follows_the_box_in_its_step(editor: Editor) -> None:
    box, session = seated(editor), editor.session
    (held,) = contacts(editor)
    assert isinstance(held.source, PropSource)
    assert (held.patch, held.source.prop) == ("seat", box.id)
    assert session.history.steps()[-1] == "Hold seat on Box"
    seat = patch_at(editor, "seat")
    assert seat == pytest.approx(box.frame.points((0.0, 1.0, 0.2)), abs=0.01)
    editor.refresh()
    row = next(r for r in editor.panels.effectors.rows if r.effector_id == held.id)
    assert row.detail.text() == "On Box"
    before = session.document
    # The box by its gizmo's arrow.
    session.set_view(prop=box.id)
    editor.refresh()
    mouse = ViewMouse(editor)
    start = part_at(mouse, "x")
    way = mouse.place(gizmo_of(editor).position + np.array([0.2, 0.0, 0.0])) - mouse.place(gizmo_of(editor).position)
    mouse.drag(start, way / 2, way)
    settled(session)
    moved = the_prop(editor).place - box.place
    assert moved[0] > 0.1
    assert patch_at(editor, "seat") - seat == pytest.approx(moved, abs=0.01)
    after = session.document
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    settled(session)
    assert session.document == before
    # Turned, and higher.
    session.redo()
    assert session.document == after
    session.edit("Size", edits.set_prop_size(box.id, box.size * [1.0, 1.3, 1.0]), solve=True)
    settled(session)
    assert patch_at(editor, "seat")[1] - seat[1] == pytest.approx(0.3 * float(box.size[1]), abs=0.01)


@pytest.mark.slow
def test_a_prop_that_is_deleted_leaves_its_contact_in_place_and_says_so(editor: Editor) -> None:
    box, session = seated(editor), editor.session
    (held,) = contacts(editor)
    session.set_view(prop=box.id)
    before = session.document
    strike(editor, KEY.Key_Delete)
    settled(session)
    assert not session.document.props
    assert editor.window.status.notices.shown.startswith("Without Box, Person 1 has nothing to sit on.")
    (stays,) = contacts(editor)
    assert stays.source is None
    assert stays.target == pytest.approx(held.target)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    settled(session)
    assert session.document == before


@pytest.mark.slow
def test_a_palm_laid_on_a_ball_takes_the_slope_there_and_its_fingers_stay(editor: Editor) -> None:
    who, hands = active(editor).id, active(editor).hands
    ball = added(editor, "ball", (0.45, 0.7, 0.35))
    editor.session.select(who)
    seen_from_the_front(editor)
    aim = ball.frame.points(np.array([0.0, 0.5, 0.0]) + 0.5 * np.array([0.3, 0.7, 0.648]))
    dragged_onto(editor, "left_wrist", aim)
    (held,) = contacts(editor)
    assert isinstance(held.source, PropSource)
    assert held.target == pytest.approx(aim, abs=0.02)
    out = held.target - ball.middle
    assert held.facing @ (out / np.linalg.norm(out)) > 0.99
    assert active(editor).hands == hands


@pytest.mark.slow
def test_fingers_close_by_a_click_on_a_ball_in_the_palm(editor: Editor) -> None:
    person = active(editor)
    QTest.mouseClick(editor.panels.section("Hands").header, LEFT)
    laid_out()
    panel = editor.panels.hands.panel
    assert isinstance(panel, HandsPanel)
    editor.refresh()
    assert panel.close_on.isHidden()
    frame = hand_frame(body_of(person), person.shape, joints_of(person), 0)
    knuckles = bent_points(body_of(person), person.shape, relaxed_hands())[0, 1:, 0].mean(axis=0)
    middle = frame.to_world(knuckles - [0, 0.045, 0])
    ball = added(editor, "ball")
    session = editor.session
    small = edits.set_prop_size(ball.id, (0.06, 0.06, 0.06))
    put = edits.set_prop_place(ball.id, middle - np.array([0.0, 0.03, 0.0]))
    session.edit("Put", edits.chain(small, put), solve=True)
    session.select(person.id)
    shown(editor)
    assert panel.close_on.isVisible()
    before = active(editor).hands
    editor.panels.section("Hands").bring_up()
    laid_out()
    QTest.mouseClick(panel.close_on, LEFT)
    assert active(editor).hands != before
    assert active(editor).pose == person.pose
    session.edit("Hide", edits.set_prop_visible(ball.id, False))
    editor.refresh()
    assert panel.close_on.isHidden()


@pytest.mark.slow
def test_with_solid_body_a_hand_that_is_dragged_through_a_box_stays_out_of_it(editor: Editor) -> None:
    deep = {}
    for solid in (False, True):
        person, session = active(editor), editor.session
        box = added(editor, "box", (0.45, 0.5, 0.35)) if not solid else the_prop(editor)
        session.edit("Solid", edits.set_solver_option(person.id, SOLID_BODY.id, solid), solve=True)
        session.select(person.id)
        settled(session)
        seen_from_the_front(editor)
        mouse = ViewMouse(editor)
        start, end = mouse.place(place_of(editor, "left_wrist")), mouse.place(box.middle)
        mouse.drag(start, (end - start) / 2, end - start)
        settled(session)
        (thing,) = box.solids()
        wrist = place_of(editor, "left_wrist")[None]
        deep[solid] = float(thing.distances(wrist)[0])
        while session.history.steps() and session.history.steps()[-1] != "Put":
            session.undo()
            settled(session)
    assert deep[False] < -0.02
    assert deep[True] > 0.0


def test_the_nearest_surface_may_be_a_prop_and_the_hand_follows_it(editor: Editor) -> None:
    wrist = place_of(editor, "left_wrist")
    ball = added(editor, "ball")
    radius = float(ball.size[0]) / 2
    beside = wrist + [radius + 0.02, -radius - 0.05, 0.0]  # the base's middle: the hand hangs close by
    editor.session.edit("Put", edits.set_prop_place(ball.id, beside))
    shown(editor)
    ball = the_prop(editor)
    mouse = ViewMouse(editor)
    mouse.click(mouse.place(place_of(editor, "left_wrist")))
    assert [e.joint for e in editor.session.selected_effectors] == ["left_wrist"]
    bar = editor.window.menuBar()
    title = next(each for each in bar.actions() if each.text().replace("&", "") == "Contact")
    QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(title).center())
    menu = title.menu()
    assert isinstance(menu, QMenu)
    command = next(a for a in menu.actions() if a.text().replace("&", "").startswith("Hold on the nearest surface"))
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(command).center())
    settled(editor.session)
    (held,) = contacts(editor)
    assert isinstance(held.source, PropSource)
    assert held.source.prop == ball.id
    assert np.linalg.norm(patch_at(editor, held.patch) - ball.middle) == pytest.approx(radius, abs=0.006)
    editor.session.edit("Up", edits.set_prop_place(ball.id, ball.place + np.float32([0, 0.1, 0])), solve=True)
    settled(editor.session)
    middle = the_prop(editor).middle
    assert middle[1] - ball.middle[1] == pytest.approx(0.1, abs=1e-5)
    assert np.linalg.norm(patch_at(editor, held.patch) - middle) == pytest.approx(radius, abs=0.006)


def test_who_sits_on_a_box_in_a_scene_that_was_opened_is_pulled_up_from_it_without_a_jump(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated(editor)
    path, known = tmp_path / "seated.json", editor.session.findings
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    strike(editor, KEY.Key_S, HELD.ControlModifier)
    until(path.exists)
    assert isinstance(known.of(active(editor)).memory, SettledMemory)
    editor.files.open_path(path)
    until(lambda: isinstance(known.of(active(editor)).memory, AtPose))
    settled(editor.session)
    seen_from_the_front(editor)
    before, mouse = joints_of(active(editor)).positions, ViewMouse(editor)
    start = mouse.place(place_of(editor, "pelvis"))
    mouse.drag(start, QPoint(0, -4), QPoint(0, -8))
    settled(editor.session)
    after = joints_of(active(editor)).positions
    assert not contacts(editor)
    assert 0.005 < after[0, 1] - before[0, 1] < 0.06
    assert np.linalg.norm(after - before, axis=1).max() < 0.08
