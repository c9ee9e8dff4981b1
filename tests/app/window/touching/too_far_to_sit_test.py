"""A seat that the mouse puts on something too far away: the window offers to bring the person nearer."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, shown
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled, until

from app.document import edits
from app.document.model.document import Photo
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.window.editor import Editor
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.camera import level_camera
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import SIDES, Role

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton
# Own points to sit on.
SEATS = {"stairs": (0.0, 0.4, 0.18), "chair": (0.0, 0.5, 0.05), "backrest": (0.0, 0.5, -0.37), "box": (0.1, 1.0, 0.2)}


def seat_put_on(editor: Editor, place: np.ndarray) -> None:
    """Drag the active person's pelvis there with S held, and wait until it is known why it does not get there."""
    shown(editor)
    dragged_with_s(editor, place_of(editor, "pelvis"), place)
    editor.refresh()
    until(lambda: not editor.jobs.busy and editor.session.unexplained_character is None)
    editor.refresh()


def missed(editor: Editor) -> float:
    """Metres by which the seat is off its place."""
    known = zip(active(editor).effectors, editor.session.finding.residuals, strict=True)
    return next(residual.value for effector, residual in known if isinstance(effector, Contact))


def deepest_in(editor: Editor, prop: Prop) -> float:
    """Metres by which the active person's skin is in a prop."""
    person = active(editor)
    skin = posed_vertices(body_of(person), person.shape, person.pose).astype(np.float64)
    return -min(float(solid.distances(skin).min()) for solid in prop.solids())


@pytest.mark.sweep("box-0.0-box")
@pytest.mark.parametrize(
    ("kind", "turn", "seat"),
    [
        ("stairs", 0.0, "stairs"), ("chair", 0.0, "chair"), ("chair", 90.0, "chair"),
        ("chair", 0.0, "backrest"), ("box", 0.0, "box"),
    ],
)  # fmt: skip
def test_who_is_too_far_from_something_to_sit_on_it_sits_there_after_one_click(
    editor: Editor, kind: str, turn: float, seat: str
) -> None:
    who, bar = active(editor).id, editor.user_messages.nearer_offer
    prop = added(editor, kind, (1.7, 0.0, 0.2))
    around = from_rotation_vector(np.array([0.0, np.radians(turn), 0.0]))
    editor.session.edit("Turn", edits.set_prop_turn(prop.id, around))
    editor.session.select(who)
    prop = editor.session.document.prop(prop.id)
    seat_put_on(editor, prop.frame.points(np.array(SEATS[seat])))
    assert missed(editor) > 0.3
    until(bar.isVisible)
    assert bar.label.text() == "Person 1 stands too far away to get there."
    steps = editor.session.history.steps()
    QTest.mouseClick(bar.button, LEFT)
    settled(editor.session)
    editor.refresh()
    assert missed(editor) < 0.01
    assert deepest_in(editor, prop) < 0.03, "the legs are before it"
    assert place_of(editor, "left_ankle")[1] < 0.15, "on the floor"
    ahead = active(editor).pose.rotations[0][:, 2]
    assert ahead @ prop.turn[:, 2] > 0.8, "as a chair faces"
    assert bar.isHidden()
    assert editor.session.history.steps() == (*steps, "Bring nearer")
    editor.session.undo()
    editor.refresh()
    assert missed(editor) > 0.3
    until(bar.isVisible)
    QTest.mouseClick(bar.away, LEFT)
    assert bar.isHidden()


@pytest.mark.slow
def test_at_a_table_that_leaves_no_room_to_stand_the_feet_are_below_it(editor: Editor) -> None:
    who, bar = active(editor).id, editor.user_messages.nearer_offer
    chair, table = (added(editor, kind, (1.7, 0.0, z)) for kind, z in (("chair", 0.2), ("table", 0.8)))
    editor.session.select(who)
    seat_put_on(editor, chair.frame.points(np.array(SEATS["chair"])))
    until(bar.isVisible)
    QTest.mouseClick(bar.button, LEFT)
    settled(editor.session)
    editor.refresh()
    assert missed(editor) < 0.01
    assert max(deepest_in(editor, each) for each in (chair, table)) < 0.03
    assert max(place_of(editor, ankle)[1] for ankle in ("left_ankle", "right_ankle")) < 0.15, "on the floor"
    assert not any(e.loose for e in active(editor).effectors if e.joint == "left_ankle"), "held there"


@pytest.mark.slow
@pytest.mark.parametrize("back", [0.2, -0.36], ids=["near its front", "near its back"])
def test_further_back_on_a_table_than_legs_reach_round_its_edge_they_do_not_go_through_it(
    editor: Editor, back: float
) -> None:
    who, bar = active(editor).id, editor.user_messages.nearer_offer
    editor.session.edit("Male", edits.set_shape(who, BodyShape(gender="male")))
    table = added(editor, "table", (1.9, 0.0, 0.2))
    editor.session.select(who)
    seat_put_on(editor, table.frame.points(np.array([0.0, 1.0, back])))
    until(bar.isVisible)
    QTest.mouseClick(bar.button, LEFT)
    settled(editor.session)
    editor.refresh()
    assert missed(editor) < 0.01
    share = np.linspace(0.2, 1.0, 30)[:, None]
    for side in SIDES:
        hip, knee, ankle = (place_of(editor, Role.on(side, part)) for part in ("hip", "knee", "ankle"))
        leg = np.concatenate([hip + share * (knee - hip), knee + share * (ankle - knee)])
        assert min(float(solid.distances(leg).min()) for solid in table.solids()) > 0.02, side


@pytest.mark.slow
def test_on_a_high_step_the_feet_stand_on_a_lower_one(editor: Editor) -> None:
    person = active(editor).id
    stairs = added(editor, "stairs", (1.7, 0.0, 0.2))
    editor.session.select(person)
    seat_put_on(editor, stairs.frame.points(np.array([0.0, 0.6, 0.0])))
    until(editor.user_messages.nearer_offer.isVisible)
    QTest.mouseClick(editor.user_messages.nearer_offer.button, LEFT)
    settled(editor.session)
    assert missed(editor) < 0.01
    assert deepest_in(editor, stairs) < 0.03
    ankles = [place_of(editor, f"{side}_ankle") for side in ("left", "right")]
    assert all(0.2 < ankle[1] < 0.35 and ankle[2] > 0.4 for ankle in ankles), ankles


@pytest.mark.slow
def test_who_is_too_far_from_somebody_to_sit_on_their_shoulders_lets_the_feet_follow(editor: Editor) -> None:
    bearer, bar = active(editor), editor.user_messages.nearer_offer
    editor.actions["pose.add_person"].trigger()
    editor.session.edit("Child", edits.set_body(active(editor).id, "anny:child", BodyShape()), solve=True)
    settled(editor.session)
    shoulder = joints_of(bearer).positions[skeleton_of(bearer).index("left_shoulder")] + [-0.03, 0.02, 0.0]
    seat_put_on(editor, shoulder)
    assert missed(editor) > 0.5
    until(bar.isVisible)
    QTest.mouseClick(bar.button, LEFT)
    settled(editor.session)
    editor.refresh()
    assert missed(editor) < 0.01
    assert place_of(editor, "left_ankle")[1] > 0.4, "in the air"
    assert bar.isHidden()


@pytest.mark.slow
def test_whoever_wants_no_offer_is_not_asked_again_after_the_next_drag(editor: Editor) -> None:
    who, bar = active(editor).id, editor.user_messages.nearer_offer
    box = added(editor, "box", (1.7, 0.0, 0.2))
    editor.session.select(who)
    seat_put_on(editor, box.frame.points(np.array(SEATS["box"])))
    until(bar.isVisible)
    QTest.mouseClick(bar.away, LEFT)
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(4, 4), QPoint(10, -20), release=False)
    editor.refresh()
    assert editor.session.in_step
    mouse.release(mouse.place(place_of(editor, "left_wrist")))
    settled(editor.session)
    editor.refresh()
    until(lambda: not editor.jobs.busy and editor.session.unexplained_character is None)
    editor.refresh()
    assert missed(editor) > 0.3
    assert bar.isHidden()


def test_whoever_wants_no_offer_is_not_asked_again_after_a_photo_that_came_and_went(editor: Editor) -> None:
    who, bar = active(editor).id, editor.user_messages.nearer_offer
    box = added(editor, "box", (1.7, 0.0, 0.2))
    editor.session.select(who)
    seat_put_on(editor, box.frame.points(np.array(SEATS["box"])))
    until(bar.isVisible)
    QTest.mouseClick(bar.away, LEFT)
    editor.session.edit(
        "Photo", edits.set_photo(Photo("gone.png", "0" * 64, level_camera(900.0, (800, 600)), visible=False))
    )
    editor.refresh()
    assert bar.isHidden()
    editor.session.undo()
    until(lambda: not editor.jobs.busy and editor.session.unexplained_character is None)
    editor.refresh()
    assert missed(editor) > 0.3
    assert bar.isHidden()


def test_a_pinned_foot_stays_and_nothing_is_offered(editor: Editor) -> None:
    person = active(editor)
    ankle = next(e.id for e in person.effectors if e.joint == "left_ankle")
    editor.session.edit("Pin", edits.set_pinned(person.id, ankle, True))
    box = added(editor, "box", (1.7, 0.0, 0.2))
    editor.session.select(person.id)
    seat_put_on(editor, box.frame.points(np.array(SEATS["box"])))
    assert missed(editor) > 0.3
    assert editor.user_messages.nearer_offer.isHidden()
