"""Hands that close around sticks, cups and balls: dragged onto them by the mouse, and from the menu."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from prop_driver import dragged_with_s, held, put, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.body.finger_chain import fingers_in_world
from solver.body.finger_skin import finger_skins
from solver.body.floor import posed_vertices
from solver.body.hands import hands_at_rest, skin_with
from solver.effectors.contact import Contact
from solver.effectors.kinds import Rotation
from solver.effectors.sources import PropSource
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
KEY, LEFT = Qt.Key, Qt.MouseButton.LeftButton
ACROSS, AHEAD = (0.0, 0.0, np.pi / 2), (np.pi / 2, 0.0, 0.0)
THUMB, INDEX, LITTLE = 0, 1, 4


def dragged(editor: Editor, joint: str, place: np.ndarray, let_go: bool = False) -> None:
    """Drag a joint's handle to where a place is seen, with S held from half way on; until the end, or let go of it."""
    dragged_with_s(editor, place_of(editor, joint), place, let_go)


def thumbward(editor: Editor) -> np.ndarray:
    """(3,) the way through the left hand in the world, out on the thumb's side."""
    person = active(editor)
    j = skeleton_of(person).index("left_wrist")
    return np.asarray(joints_of(person).rotations[j] @ patches_of(person)["left_hand"].normal, np.float64)


def gaps(editor: Editor, prop: Prop) -> np.ndarray:
    """(5,) metres from the skin of the left hand's fingers, as it is drawn, to the prop."""
    person, (solid,) = active(editor), prop.solids()
    body = body_of(person)
    skin = posed_vertices(body, person.shape, person.pose, rest=skin_with(body, person.shape, person.hands))
    return np.array([solid.distances(skin[f.vertices]).min() for f in finger_skins(body, person.shape, person.pose, 0)])


@pytest.mark.sweep
@pytest.mark.parametrize("turn", [ACROSS, AHEAD, (0.0, 0.0, 0.0)], ids=["across", "ahead", "upright"])
def test_a_stick_lies_across_the_palm_and_all_fingers_close_around_it(editor: Editor, turn: tuple) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), turn)
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    contact = held(editor)
    assert contact.around
    assert contact.radius == pytest.approx(0.015)
    assert abs(thumbward(editor) @ stick.turn[:, 1]) > 0.999
    near = gaps(editor, stick)
    assert (near < 0.004).all(), "every finger touches"
    assert near.min() > -0.003, "and none goes through"
    residual = contact.residual(skeleton_of(active(editor)), joints_of(active(editor)))
    assert residual < 0.002
    assert editor.session.history.steps()[-2:] == ("Put", "Hold around Stick"), "one step"


@pytest.mark.sweep("14-False")
@pytest.mark.parametrize(("aside", "around"), [(5, True), (14, False)])
def test_a_stick_is_taken_a_few_pixels_beside_it_as_it_is_thin(editor: Editor, aside: int, around: bool) -> None:
    stick = put(editor, "stick", (0.01, 0.8, 0.01), (0.0, 0.0, 0.0))
    mouse = ViewMouse(editor)
    place = stick.frame.points((0.0, 0.6, 0.0))
    origin, beside = (
        mouse.view.current_view.ray(np.asarray(mouse.place(place).toTuple()) + (way, 0)) for way in (0, aside)
    )
    depth = float((place - origin[0]) @ origin[1])
    dragged(editor, "left_wrist", beside[0] + depth * beside[1])
    assert any(isinstance(e, Contact) and e.around for e in active(editor).effectors) == around


@pytest.mark.sweep("x")
@pytest.mark.parametrize("size", [(0.8, 0.035, 0.035), (0.035, 0.8, 0.04), (0.03, 0.035, 0.8)], ids="xyz")
def test_fingers_close_around_a_bar_as_around_a_stick(editor: Editor, size: tuple) -> None:
    bar = put(editor, "box", size, (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", bar.frame.points((0.0, 0.5, 0.0)))
    contact = held(editor)
    assert contact.around
    assert abs(thumbward(editor) @ bar.turn[:, int(np.argmax(size))]) > 0.999
    near = gaps(editor, bar)
    assert (near < 0.006).all(), "every finger is at it"
    assert near.min() > -0.009, "and its edges press into the skin, no more"
    assert editor.session.history.steps()[-1] == "Hold around Box"


@pytest.mark.slow
def test_the_thumb_is_up_on_an_upright_stick_and_opposite_to_the_fingers(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    person = active(editor)
    fingers = fingers_in_world(body_of(person), person.shape, person.hands or hands_at_rest(), joints_of(person))[0]
    assert fingers[INDEX, 0, 1] > fingers[LITTLE, 0, 1] + 0.03
    axis = stick.middle[[0, 2]]
    thumb, index = (fingers[f, 3, [0, 2]] - axis for f in (THUMB, INDEX))
    knuckle = fingers[INDEX, 0, [0, 2]] - axis
    around = [float(knuckle[0] * way[1] - knuckle[1] * way[0]) for way in (thumb, index)]
    assert np.sign(around[0]) != np.sign(around[1]) or np.linalg.norm(thumb - index) < 0.03


@pytest.mark.slow
def test_a_cup_is_held_upright_with_room_between_thumb_and_fingers(editor: Editor) -> None:
    cup = put(editor, "cylinder", (0.075, 0.11, 0.075), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", cup.frame.points((0.0, 0.5, 0.0)))
    assert held(editor).around
    near = gaps(editor, cup)
    assert (near < 0.004).all()
    assert near.min() > -0.003
    assert thumbward(editor)[1] > 0.999
    assert "around" in editor.session.history.steps()[-1]


def test_a_cup_from_the_menu_is_held_upright_by_fingers_that_close_on_it(editor: Editor) -> None:
    cup = put(editor, "cup", (0.075, 0.105, 0.075), (0.0, 0.0, 0.0))
    before = active(editor).hands
    dragged(editor, "left_wrist", cup.frame.points((0.0, 0.86, 0.0)))  # to what is in it, seen from above
    assert held(editor).around
    assert active(editor).hands != before
    near = gaps(editor, cup)
    assert (near < 0.004).all()
    assert near.min() > -0.003
    assert thumbward(editor)[1] > 0.999


@pytest.mark.slow
def test_a_ball_is_taken_any_way_round_and_a_large_one_is_only_touched(editor: Editor) -> None:
    ball = put(editor, "ball", (0.07, 0.07, 0.07), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", ball.middle)
    assert held(editor).around
    assert not held(editor).lies_flat
    assert np.median(gaps(editor, ball)) < 0.004
    assert gaps(editor, ball).min() > -0.003
    editor.session.undo()
    editor.session.edit("Large", edits.set_prop_size(ball.id, (0.3, 0.3, 0.3)))
    editor.refresh()
    dragged(editor, "left_wrist", the_prop(editor).middle)
    assert held(editor).patch == "left_palm"


@pytest.mark.slow
def test_a_marble_is_held_between_thumb_and_index_finger(editor: Editor) -> None:
    marble = put(editor, "ball", (0.02, 0.02, 0.02), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", marble.frame.points((0.0, 0.5, 0.5)))
    assert held(editor).patch == "left_fingertips"
    near = gaps(editor, marble)
    assert np.abs(near[[THUMB, INDEX]]).max() < 0.0025
    assert near[LITTLE] > 0.005
    assert editor.session.history.steps()[-1] == "Hold around Ball"


@pytest.mark.slow
def test_letting_go_of_s_opens_the_hand_again(editor: Editor) -> None:
    before = active(editor).hands
    stick = put(editor, "stick", (0.03, 0.8, 0.03), ACROSS)
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)), let_go=True)
    assert not any(isinstance(e, Contact) for e in active(editor).effectors)
    assert active(editor).hands == before


@pytest.mark.slow
def test_a_hand_whose_turn_is_pinned_keeps_it(editor: Editor) -> None:
    person = active(editor)
    turned = replace(Rotation.on(skeleton_of(person), "left_wrist", joints_of(person)), pinned=True, id="turn")
    editor.session.edit("Pin", edits.add_effector(person.id, turned), solve=True)
    stick = put(editor, "stick", (0.03, 0.8, 0.03), AHEAD)
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    assert held(editor).around
    assert not held(editor).lies_flat
    person = active(editor)
    assert person.effector("turn").residual(skeleton_of(person), joints_of(person)) < np.radians(0.5)
    assert held(editor).residual(skeleton_of(person), joints_of(person)) < 0.002


@pytest.mark.slow
def test_the_hand_stays_around_a_stick_that_is_moved_turned_and_made_thicker(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), ACROSS)
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    more = edits.chain(
        edits.move_prop(stick.id, (0.05, 0.08, 0.0)),
        edits.set_prop_turn(stick.id, np.asarray(from_rotation_vector(np.array([0.0, 0.3, 1.4])), np.float32)),
        edits.set_prop_size(stick.id, (0.05, 0.8, 0.05)),
    )
    editor.session.edit("More", more, solve=True)
    settled(editor.session)
    contact, stick = held(editor), the_prop(editor)
    assert contact.radius == pytest.approx(0.025)
    assert abs(thumbward(editor) @ stick.turn[:, 1]) > 0.999
    hollow = patches_of(active(editor))["left_hand"]
    assert contact.offset == pytest.approx(hollow.middle_of(0.025), abs=1e-6)
    off = np.cross(contact.target - stick.middle, stick.turn[:, 1])
    assert np.linalg.norm(off) < 1e-4, "on the axis"


def test_the_nearest_surface_from_the_menu_is_grasped_where_it_is_a_stick(editor: Editor) -> None:
    wrist = place_of(editor, "left_wrist")
    stick = put(editor, "stick", (0.03, 0.8, 0.03), AHEAD)
    beside = edits.move_prop(stick.id, wrist - stick.middle + [0.06, -0.05, 0.0])
    editor.session.edit("Beside", beside)
    editor.refresh()
    mouse = ViewMouse(editor)
    mouse.click(mouse.place(place_of(editor, "left_wrist")))
    editor.actions["contact.here"].trigger()
    settled(editor.session)
    assert held(editor).around
    assert (gaps(editor, the_prop(editor)) < 0.004).all()
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(editor.session)
    assert not any(isinstance(e, Contact) for e in active(editor).effectors)


@pytest.mark.slow
def test_what_a_hand_is_around_goes_along_when_the_hand_is_dragged(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    mouse, contact, hands = ViewMouse(editor), held(editor), active(editor).hands
    start = mouse.place(contact.target)
    mouse.drag(start, QPoint(-10, -10), QPoint(-30, -40))
    settled(editor.session)
    moved = the_prop(editor).place - stick.place
    assert np.linalg.norm(moved) > 0.03
    assert held(editor).target - contact.target == pytest.approx(moved, abs=1e-4)
    assert held(editor).residual(skeleton_of(active(editor)), joints_of(active(editor))) < 0.002
    assert active(editor).hands == hands
    assert editor.session.history.steps()[-1] == "Move Stick"
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert the_prop(editor).place == pytest.approx(stick.place)


@pytest.mark.slow
def test_a_stick_that_is_taken_out_of_reach_comes_back_into_the_hand_where_handles_go_back(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    editor.settings.set(beyond_reach="back")
    editor.viewport.set_camera(OrbitCamera(target=(0.5, 1.0, 0.2), distance=8.0))
    editor.refresh()
    contact, mouse = held(editor), ViewMouse(editor)
    mouse.drag(mouse.place(contact.target), QPoint(40, -40), QPoint(240, -160), release=False)
    settled(editor.session)
    away = held(editor).residual(skeleton_of(active(editor)), joints_of(active(editor)))
    assert away > 0.05, "out of reach"
    mouse.release(mouse.place(contact.target) + QPoint(240, -160))
    settled(editor.session)
    moved, person = the_prop(editor).place - stick.place, active(editor)
    assert held(editor).source == contact.source, "the hand is around it still"
    assert held(editor).residual(skeleton_of(person), joints_of(person)) < 0.002
    assert held(editor).target - contact.target == pytest.approx(moved, abs=1e-4)
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert the_prop(editor).place == pytest.approx(stick.place)


@pytest.mark.slow
def test_the_wheel_turns_no_hand_that_takes_a_stick_along(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    mouse, ids = ViewMouse(editor), [e.id for e in active(editor).effectors]
    start = mouse.place(held(editor).target)
    mouse.drag(start, QPoint(-10, -10), QPoint(-20, -30), release=False)
    mouse.roll(start + QPoint(-20, -30), 3)
    mouse.release(start + QPoint(-20, -30))
    settled(editor.session)
    assert [e.id for e in active(editor).effectors] == ids
    assert np.linalg.norm(the_prop(editor).place - stick.place) > 0.02
    assert held(editor).residual(skeleton_of(active(editor)), joints_of(active(editor))) < 0.002


@pytest.mark.slow
def test_a_hand_around_what_is_locked_lets_go_of_it_when_it_is_dragged(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    editor.session.edit("Lock", edits.set_prop_locked(stick.id, True))
    editor.refresh()
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(held(editor).target), QPoint(-10, -10), QPoint(-30, -40))
    settled(editor.session)
    assert not any(isinstance(e, Contact) for e in active(editor).effectors)
    assert the_prop(editor).place == pytest.approx(stick.place)


@pytest.mark.slow
def test_a_hand_slides_along_what_it_is_around_while_s_is_held(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    before, mouse = held(editor), ViewMouse(editor)
    start = mouse.place(before.target)
    mouse.drag(start, QPoint(4, 4), QPoint(8, 8), release=False)
    QTest.keyPress(editor.viewport, KEY.Key_S)
    end = mouse.place(stick.frame.points((0.0, 0.65, 0.0)))
    mouse.move(end)
    mouse.release(end)
    QTest.keyRelease(editor.viewport, KEY.Key_S)
    settled(editor.session)
    assert the_prop(editor).place == pytest.approx(stick.place)
    assert held(editor).target[1] - before.target[1] == pytest.approx(0.12, abs=0.03)
    assert np.linalg.norm((held(editor).target - stick.middle)[[0, 2]]) < 1e-4


@pytest.mark.slow
def test_a_hand_that_lets_go_opens_and_comes_off_the_stick_that_the_other_hand_still_holds(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    dragged(editor, "right_wrist", stick.frame.points((0.0, 0.8, 0.0)))
    both = editor.session.document
    left = next(e for e in active(editor).effectors if isinstance(e, Contact) and e.joint == "left_wrist")
    mouse = ViewMouse(editor)
    mouse.click(mouse.place(left.target))
    editor.refresh()
    editor.actions["contact.let_go"].trigger()
    settled(editor.session)
    assert active(editor).hands != both.character(active(editor).id).hands
    start, free = mouse.place(place_of(editor, "left_wrist")), place_of(editor, "left_wrist")
    mouse.drag(start, QPoint(10, -5), QPoint(40, -10), QPoint(80, -20))
    settled(editor.session)
    person = active(editor)
    moved = person.effector(left.id)
    assert np.linalg.norm(place_of(editor, "left_wrist") - free) > 0.1
    assert moved.residual(skeleton_of(person), joints_of(person)) < 0.002, "nothing keeps it there"
    for _ in range(2):
        strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(editor.session)
    assert editor.session.document == both


@pytest.mark.slow
def test_with_symmetric_posing_both_hands_close_around_a_stick_and_carry_it(editor: Editor) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), ACROSS)
    across = np.array([0.0, 1.1, 0.36]) - stick.middle
    editor.session.edit("Before the middle", edits.move_prop(stick.id, across))
    strike(editor, KEY.Key_M, Qt.KeyboardModifier.ShiftModifier)
    before, stick = editor.session.document, the_prop(editor)
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.3, 0.0)))
    held = [e for e in active(editor).effectors if e.joint in ("left_wrist", "right_wrist")]
    assert all(isinstance(e, Contact) and e.around for e in held)
    assert [e.joint for e in held] == ["left_wrist", "right_wrist"]
    for contact in held:
        assert contact.residual(skeleton_of(active(editor)), joints_of(active(editor))) < 0.002
    assert (gaps(editor, stick) < 0.004).all()
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(held[0].target), QPoint(0, -10), QPoint(0, -40))
    settled(editor.session)
    assert the_prop(editor).place[1] > stick.place[1] + 0.05
    for contact in (active(editor).effector(e.id) for e in held):
        assert contact.residual(skeleton_of(active(editor)), joints_of(active(editor))) < 0.002
    for _ in range(2):
        strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(editor.session)
    assert editor.session.document == before


@pytest.mark.slow
@pytest.mark.sweep("back")
@pytest.mark.parametrize("beyond", ["stay", "back"])
def test_what_was_carried_beyond_reach_comes_home_with_the_hand(editor: Editor, beyond: str) -> None:
    stick = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0))
    dragged(editor, "left_wrist", stick.frame.points((0.0, 0.5, 0.0)))
    editor.settings.set(beyond_reach=beyond)
    editor.viewport.set_camera(OrbitCamera(target=(0.4, 1.2, 0.2), yaw=0.3, pitch=0.2, distance=6.0))
    editor.refresh()
    before, mouse = editor.session.document, ViewMouse(editor)
    start = mouse.place(held(editor).target)
    mouse.drag(start, QPoint(10, -10), QPoint(60, -60), QPoint(170, -150))
    settled(editor.session)
    if beyond == "stay":
        place = mouse.place(held(editor).target)
        assert held(editor).residual(skeleton_of(active(editor)), joints_of(active(editor))) > 0.02
        mouse.click(place)
        QTest.mouseDClick(editor.viewport, LEFT, Qt.KeyboardModifier.NoModifier, place)
        mouse.release(place)
        settled(editor.session)
        assert editor.session.history.steps()[-1] == "Bring left hand · contact home"
    contact, away = held(editor), the_prop(editor)
    assert isinstance(contact.source, PropSource), "it is held still"
    assert contact.residual(skeleton_of(active(editor)), joints_of(active(editor))) < 0.002
    off = np.cross(contact.target - away.middle, away.turn[:, 1])
    assert np.linalg.norm(off) < 1e-3, "the stick is in the hand"
    assert (gaps(editor, away) < 0.006).all()
    for _ in range(2 if beyond == "stay" else 1):
        strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(editor.session)
    assert editor.session.document == before
