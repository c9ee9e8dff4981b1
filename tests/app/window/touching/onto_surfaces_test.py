"""Whole people and looks dragged onto surfaces with S held, and the floor seen from the side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, press_s, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled, strike, until

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.placing import lowest_skin
from app.document.scene_file.io import save_scene
from app.viewport.root_place import root_place
from app.viewport.tools.surface_drag import FARTHEST
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.body.floor import posed_vertices
from solver.effectors.contact import Contact
from solver.effectors.kinds import LookAt
from solver.effectors.sources import FloorSource, SkinSource

pytestmark = pytest.mark.gl
KEY = Qt.Key
CROSS = np.array([0.27, 0.0, 0.02])  # metres from the middle of the root handle to where it is taken


def seen(editor: Editor, target: tuple[float, float, float], **how: float) -> None:
    editor.viewport.set_camera(OrbitCamera(target=target, **how))
    editor.refresh()


def look(editor: Editor) -> LookAt:
    return next(e for e in active(editor).effectors if isinstance(e, LookAt))


def looking_at_another(editor: Editor) -> tuple[Character, Character]:
    """The active person, whose look was dragged by the mouse onto somebody's face, and that other one."""
    first = active(editor)
    editor.actions["pose.add_person"].trigger()
    other = active(editor)
    editor.session.select(first.id)
    seen(editor, (0.5, 1.0, 0.0), yaw=0.3, pitch=0.15, distance=5.0)
    face = joints_of(other).positions[skeleton_of(other).index("head")] + [0.0, 0.08, 0.09]
    dragged_with_s(editor, np.asarray(look(editor).target, np.float64), face)
    source = look(editor).source
    assert isinstance(source, SkinSource)
    assert source.character == other.id
    return first, other


@pytest.mark.slow
def test_a_person_dragged_by_the_cross_with_s_stands_on_the_stairs_under_the_pointer(editor: Editor) -> None:
    person, stairs = active(editor), added(editor, "stairs", (1.0, 0.0, 0.0))
    editor.session.select(person.id)
    seen(editor, (0.5, 1.0, 0.0), yaw=0.5, pitch=0.35, distance=6.0)
    step = stairs.frame.points((0.0, 0.6, 0.0))
    dragged_with_s(editor, root_place(person) + CROSS * [-1, 0, 1], step)
    assert lowest_skin(active(editor)) == pytest.approx(step[1], abs=1e-3)
    assert active(editor).pose.root_position[[0, 2]] == pytest.approx(step[[0, 2]], abs=0.03)
    assert active(editor).pose.rotations == pytest.approx(person.pose.rotations, abs=1e-6)
    assert editor.session.history.steps()[-1] == "Put Person 1 on Stairs"
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor).pose == person.pose


@pytest.mark.slow
def test_the_cross_of_a_person_on_a_prop_is_there_and_moves_them_over_it(editor: Editor) -> None:
    person, box = active(editor), added(editor, "box", (1.0, 0.0, 0.0)).sized((1.2, 0.5, 1.2))
    editor.session.edit("Wide", edits.put_prop(box))
    editor.session.select(person.id)
    seen(editor, (0.5, 1.0, 0.0), yaw=0.5, pitch=0.5, distance=6.0)
    dragged_with_s(editor, root_place(person) + CROSS * [-1, 0, 1], the_prop(editor).frame.points((0.0, 1.0, 0.0)))
    there = root_place(active(editor), editor.session.document.props)
    assert there[1] == pytest.approx(0.5, abs=2e-3)
    editor.refresh()
    mouse, before = ViewMouse(editor), active(editor)
    mouse.drag(mouse.place(there + CROSS), QPoint(10, 5), QPoint(30, 10))
    assert active(editor).pose.root_position[1] == pytest.approx(before.pose.root_position[1])
    assert np.linalg.norm(active(editor).pose.root_position - before.pose.root_position) > 0.05


def test_the_riser_of_a_step_puts_a_person_on_the_step(editor: Editor) -> None:
    person, stairs = active(editor), added(editor, "stairs", (1.0, 0.0, 0.0))
    editor.session.select(person.id)
    seen(editor, (0.5, 1.0, 0.0), yaw=0.3, pitch=0.2, distance=6.0)
    steps = np.unique(np.round(stairs.surface.vertices[:, 1], 5))
    depth = 1.0 / (len(steps) - 1)
    riser = stairs.frame.points((0.0, float(steps[2:4].mean()), 0.5 - 2 * depth))
    dragged_with_s(editor, root_place(person) + CROSS * [-1, 0, 1], riser)
    assert editor.session.history.steps()[-1] == "Put Person 1 on Stairs"
    assert lowest_skin(active(editor)) == pytest.approx(stairs.frame.points((0.0, float(steps[3]), 0.0))[1], abs=1e-3)


@pytest.mark.slow
def test_a_person_on_a_box_is_put_back_onto_the_floor_with_s_and_several_go_along(editor: Editor) -> None:
    person, box = active(editor), added(editor, "box", (1.0, 0.0, 0.0)).sized((1.2, 0.5, 1.2))
    editor.session.edit("Wide", edits.put_prop(box))
    editor.session.select(person.id)
    editor.posing.add_person()
    settled(editor.session)
    other = active(editor)
    editor.session.select(person.id)
    editor.session.set_view(others=frozenset([other.id]))
    seen(editor, (0.5, 1.0, 0.0), yaw=0.5, pitch=0.5, distance=6.0)
    dragged_with_s(
        editor, root_place(active(editor)) + CROSS * [-1, 0, 1], the_prop(editor).frame.points((0.0, 1.0, 0.0))
    )
    assert editor.session.history.steps()[-1] == "Put 2 people on Box"
    assert lowest_skin(active(editor)) == pytest.approx(0.5, abs=1e-3)
    up = editor.session.document
    editor.refresh()
    cross = root_place(active(editor), editor.session.document.props) + CROSS * [-1, 0, 1]
    dragged_with_s(editor, cross, np.array([0.2, 0.0, 1.2]))
    assert editor.session.history.steps()[-1] == "Put 2 people on the floor"
    assert lowest_skin(active(editor)) == pytest.approx(0.0, abs=1e-3)
    assert active(editor).pose.root_position[[0, 2]] == pytest.approx([0.2, 1.2], abs=0.03)
    moved = [now.pose.root_position - was.pose.root_position
             for now, was in zip(editor.session.document.characters, up.characters, strict=True)]  # fmt: skip
    assert moved[0] == pytest.approx(moved[1], abs=1e-5)
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.document == up


def test_the_cross_of_a_sitting_person_stays_on_the_floor_below_the_seat(editor: Editor) -> None:
    chair, person = added(editor, "chair", (0.0, 0.0, 0.0)), active(editor)
    assert root_place(person, (chair,))[1] == 0.0
    high = edits.move_character(person.id, (0.0, 2.0, 0.0))
    editor.session.edit("Rise", high)
    assert root_place(active(editor), (chair,))[1] == pytest.approx(chair.frame.points((0, 0.5, 0))[1], abs=2e-3)
    assert root_place(active(editor))[1] == 0.0


def test_the_side_of_a_box_is_nothing_to_stand_on(editor: Editor) -> None:
    person = active(editor)
    box = added(editor, "box", (1.0, 0.0, 0.0)).sized((0.5, 1.5, 0.5))
    editor.session.edit("High", edits.put_prop(box))
    editor.session.select(person.id)
    seen(editor, (0.5, 0.7, 0.0), yaw=0.4, pitch=0.2, distance=6.0)
    dragged_with_s(editor, root_place(person) + CROSS * [-1, 0, 1], the_prop(editor).frame.points((0.0, 0.5, 0.5)))
    assert lowest_skin(active(editor)) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.slow
def test_a_look_dragged_onto_somebody_with_s_follows_their_face(editor: Editor) -> None:
    first, other = looking_at_another(editor)
    assert not look(editor).loose
    assert not any(isinstance(e, Contact) for e in active(editor).effectors)
    assert editor.session.history.steps()[-1].startswith("Look at Person 2's ")
    before = look(editor)
    editor.session.select(other.id)
    seen(editor, (0.5, 1.0, 0.0), yaw=0.3, pitch=0.4, distance=6.0)
    mouse = ViewMouse(editor)
    start = mouse.place(root_place(active(editor)) + CROSS)
    mouse.drag(start, QPoint(0, 20), QPoint(-20, 60))
    settled(editor.session)
    moved = active(editor).pose.root_position - other.pose.root_position
    assert np.linalg.norm(moved) > 0.3
    editor.session.select(first.id)
    assert look(editor).target - before.target == pytest.approx(moved, abs=2e-3)
    skeleton, joints = skeleton_of(active(editor)), joints_of(active(editor))
    assert look(editor).residual(skeleton, joints) < np.radians(5)
    assert active(editor).pose != first.pose


@pytest.mark.slow
def test_a_look_aside_that_eyes_do_is_amber_for_two_who_look_at_each_other_and_in_an_opened_file(
    editor: Editor, tmp_path: Path
) -> None:
    def state() -> str:
        settled(editor.session)
        person = active(editor)
        return editor.session.findings.of(person).residuals[person.effectors.index(look(editor))].state

    first, other = looking_at_another(editor)
    assert state() == "tolerated", "the head turns less far than the target is aside"
    editor.session.select(other.id)
    face = joints_of(first).positions[skeleton_of(first).index("head")] + [0.0, 0.08, 0.09]
    dragged_with_s(editor, np.asarray(look(editor).target, np.float64), face)
    assert state() == "tolerated"
    path = tmp_path / "two.json"
    editor.session.saved_as(path, save_scene(path, editor.session.document))
    before = editor.session.document
    editor.files.open_path(path)
    until(lambda: editor.session.document is not before)
    for id in (first.id, other.id):
        editor.session.select(id)
        assert state() == "tolerated"


@pytest.mark.slow
def test_a_look_stays_where_it_was_when_the_person_looked_at_is_deleted(editor: Editor) -> None:
    _, other = looking_at_another(editor)
    target = look(editor).target
    editor.session.edit("Delete", edits.remove_character(other.id))
    settled(editor.session)
    assert look(editor).source is None
    assert look(editor).target == pytest.approx(target)


@pytest.mark.slow
def test_a_foot_is_put_onto_a_floor_that_is_only_a_line(editor: Editor) -> None:
    person, session = active(editor), editor.session
    raised = np.asarray(place_of(editor, "right_ankle") + [0.0, 0.3, 0.3], np.float32)
    ankle = next(e for e in person.effectors if e.joint == "right_ankle" and e.kind == "position")
    session.edit("Raise", edits.set_target(person.id, ankle.id, raised), solve=True)
    settled(session)
    strike(editor, KEY.Key_3)
    editor.viewport.set_camera(editor.viewport.final_view.camera)
    editor.refresh()
    start = place_of(editor, "right_ankle")
    dragged_with_s(editor, start, np.array([start[0], 0.03, start[2]]))
    (contact,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    assert isinstance(contact.source, FloorSource)
    assert contact.target == pytest.approx([start[0], 0.0, start[2]], abs=0.03)


def raised(editor: Editor, by: tuple[float, float, float]) -> Character:
    """The person with the right ankle raised by (3,) metres."""
    person, up = active(editor), np.asarray(place_of(editor, "right_ankle") + by, np.float32)
    ankle = next(e for e in person.effectors if e.joint == "right_ankle" and e.kind == "position")
    editor.session.edit("Raise", edits.set_target(person.id, ankle.id, up), solve=True)
    settled(editor.session)
    return person


@pytest.mark.slow
def test_from_a_low_camera_a_foot_comes_onto_the_floor_below_it_though_the_pointer_means_one_far_off(
    editor: Editor,
) -> None:
    raised(editor, (0.0, 0.3, 0.3))
    seen(editor, (0.0, 0.2, 0.0), yaw=0.1, pitch=0.0, distance=4.0)
    start, view = place_of(editor, "right_ankle"), editor.viewport.current_view
    end = np.array([start[0], 0.08, start[2]])
    origin, way = view.ray(np.asarray(view.project(end)))
    hit = origin - origin[1] / way[1] * way
    assert way[1] < 0.0, "below the horizon"
    assert np.linalg.norm((hit - active(editor).pose.root_position)[[0, 2]]) > FARTHEST
    dragged_with_s(editor, start, end)
    (contact,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    assert isinstance(contact.source, FloorSource)
    assert contact.target == pytest.approx([start[0], 0.0, start[2]], abs=0.06)


@pytest.mark.slow
def test_s_over_a_floor_that_is_too_far_away_says_so_and_how_far_and_the_foot_goes_on_following(editor: Editor) -> None:
    raised(editor, (0.0, 0.3, 0.3))
    seen(editor, (0.0, 0.9, 0.0), yaw=0.1, pitch=0.12, distance=5.0)
    said: list[str] = []
    editor.tool.hint.connect(said.append)
    start = place_of(editor, "right_ankle")
    dragged_with_s(editor, start, start + [-0.2, 0.3, 0.0])
    why = next(text for text in said if "m away" in text)
    assert why.startswith("The floor there is ")
    assert "too far to touch" in why
    assert not any(isinstance(e, Contact) for e in active(editor).effectors)
    assert place_of(editor, "right_ankle") == pytest.approx(start + [-0.2, 0.3, 0.0], abs=0.05)
    said.clear()
    seen(editor, (0.0, 1.4, 0.0), yaw=0.1, pitch=0.0, distance=5.0)
    hand = place_of(editor, "left_wrist")
    dragged_with_s(editor, hand, hand + [0.4, 1.2, 0.0])
    assert "Nothing there to touch: point at the floor, a prop or a body" in said
    said.clear()
    seen(editor, (0.0, 1.4, 0.0), yaw=0.1, pitch=0.06, distance=5.0)
    hand, end = place_of(editor, "left_wrist"), np.array([1.0, 1.4, 0.0])
    view = editor.viewport.current_view
    _, way = view.ray(np.asarray(view.project(end)))
    assert -0.08 < way[1] < -0.05, "the floor is seen there, more than 20 m away"
    dragged_with_s(editor, hand, end)
    assert "Nothing there to touch: point at the floor, a prop or a body" in said


@pytest.mark.slow
def test_s_over_a_wall_says_that_nobody_stands_there_and_nothing_of_the_floor_behind_it(editor: Editor) -> None:
    person, box = active(editor), added(editor, "box", (0.9, 0.0, 0.0))
    editor.session.edit("High", edits.set_prop_size(box.id, (0.8, 1.5, 0.8)))
    box, said = the_prop(editor), list[str]()
    editor.tool.hint.connect(said.append)
    editor.session.select(person.id)
    seen(editor, (0.4, 0.8, 0.0), yaw=0.2, pitch=0.4, distance=6.0)
    wall = box.frame.points((0.0, 0.4, 0.5))
    dragged_with_s(editor, root_place(person) + CROSS * [-1, 0, 1], wall)
    why = [text for text in said if text.startswith(("Nothing there", "Person 1: "))]
    assert why[-1] == "Nothing there to stand on: point at the floor or the top of a prop", (
        "though there is floor behind the wall"
    )


@pytest.mark.slow
def test_a_look_that_is_dragged_into_the_sky_says_that_nothing_is_there_to_look_at(editor: Editor) -> None:
    said = list[str]()
    editor.tool.hint.connect(said.append)
    seen(editor, (0.0, 1.4, 0.5), yaw=0.5, pitch=0.0, distance=5.0)
    dragged_with_s(editor, np.asarray(look(editor).target, np.float64), look(editor).target + [0.0, 1.0, 0.0])
    assert "Nothing there to look at: point at the floor, a prop or a body" in said


def test_a_look_is_dragged_onto_a_floor_that_no_hand_reaches(editor: Editor) -> None:
    seen(editor, (0.0, 1.0, 1.5), yaw=0.5, pitch=0.3, distance=7.0)
    dragged_with_s(editor, np.asarray(look(editor).target, np.float64), np.array([1.0, 0.0, 3.5]))
    assert isinstance(look(editor).source, FloorSource)
    assert look(editor).target == pytest.approx([1.0, 0.0, 3.5], abs=0.1)


@pytest.mark.slow
def test_a_hand_led_over_the_side_of_a_box_onto_the_floor_lies_there_on_its_palm(editor: Editor) -> None:
    """The palm is turned away from that side. The floor is touched as if the hand had gone there straight."""
    person = active(editor)
    box = added(editor, "box", (0.8, 0.0, 0.4)).sized((0.4, 0.9, 0.4))
    editor.session.edit("High", edits.put_prop(box))
    editor.session.select(person.id)
    seen(editor, (0.3, 0.7, 0.2), yaw=-0.7, pitch=0.3, distance=5.0)
    mouse, touched = ViewMouse(editor), list[str]()
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(4, 4), QPoint(8, 8), release=False)
    press_s(editor)
    for spot in (the_prop(editor).frame.points((-0.5, 0.8, 0.3)), (0.25, 0.0, 0.6)):
        mouse.move(mouse.place(spot))
        settled(editor.session)
        touched += [effector.patch for effector in active(editor).effectors if isinstance(effector, Contact)]
    mouse.release(mouse.place(spot))
    QTest.keyRelease(editor.viewport, KEY.Key_S)
    settled(editor.session)
    assert touched == ["left_back_of_hand", "left_palm"]
    assert editor.session.history.steps()[-1] == "Hold left palm on the floor"


@pytest.mark.slow
def test_a_shoulder_dragged_onto_a_thin_wall_does_not_come_through_it(editor: Editor) -> None:
    person, box = active(editor), added(editor, "box", (0.55, 0.0, 0.0)).sized((0.15, 2.2, 2.0))
    editor.session.edit("Wall", edits.put_prop(box))
    editor.session.select(person.id)
    seen(editor, (0.0, 0.9, 0.0), yaw=-0.7, pitch=0.2, distance=4.6)
    shoulder = joints_of(person).positions[skeleton_of(person).index("left_shoulder")].astype(np.float64)
    dragged_with_s(editor, shoulder, np.array([0.475, shoulder[1] - 0.02, shoulder[2]]))
    (contact,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    assert contact.patch == "left_upper_arm"
    after = active(editor)
    (wall,) = the_prop(editor).solids()
    assert -wall.distances(posed_vertices(body_of(after), after.shape, after.pose).astype(np.float64)).min() < 0.03
    left = dict(zip((e.id for e in after.effectors), editor.session.finding.residuals, strict=True))
    assert left[contact.id].value < 0.01
