"""Putting down what is held: which way up it stands, on what, how hands are on it, and when it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from solved_together import solved

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.putting_down import put_down, things_to_put_down
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import contact_of, patches_of, place_of_patch
from app.document.posing.create import new_document
from app.document.posing.hold_table import COMMON_HOLDS, PALMS
from app.document.posing.holds.grasping import hand_around
from app.document.posing.holds.set_down import held_up, set_down, way_up
from solver.body.measures import with_stature
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.errors import PoserError
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, TRUNK

HAND = (-0.25, 1.0, 0.35)  # metres, where the right hand holds something
SIZES = {
    "cup": (0.075, 0.105, 0.075),
    "stick": (0.03, 0.8, 0.03),
    "ball": (0.07, 0.07, 0.07),
    "box": (0.03, 0.15, 0.04),
}
UNDER = {"table": 0.74, "box": 0.45, "stairs": 0.68}  # metres, how high what is beneath the hand is


def holding(kind: str, solver: str = "smplik", stature: float = 0.0, middle: Sequence[float] = HAND) -> Document:
    """Somebody with a thing in the right hand."""
    document = edits.set_solver("c1", solver)(new_document())
    if stature:
        person = document.characters[0]
        document = edits.set_shape("c1", with_stature(body_of(person), person.shape, stature))(document)
        document = solved(document)
    thing = new_prop(document, kind).sized(np.array(SIZES[kind]))
    return solved(in_hand(document, thing.moved(middle - thing.middle), 1))


def in_hand(document: Document, thing: Prop, side: int) -> Document:
    person = document.characters[0]
    wrist = rig_of(skeleton_of(person)).name(ARMS[side].end)
    contact = hand_around(person, thing, wrist, nearest_on(thing, thing.middle - [0.0, 0.0, 0.5])[0])
    assert contact is not None
    taking = edits.chain(edits.add_prop(thing), edits.hold("c1", contact), edits.close_hand("c1", contact))
    return taking(document)


def with_prop(document: Document, kind: str, x: float = -0.25, z: float = 0.55) -> Document:
    prop = new_prop(document, kind)
    return edits.add_prop(replace(prop, place=np.array([x, 0.0, z], np.float32)))(document)


def lowest(prop: Prop) -> float:
    return float(prop.frame.points(prop.surface.vertices)[:, 1].min())


def near(document: Document, prop: Prop) -> float:
    """Metres from the nearest patch of the right hand to the thing."""
    person = document.characters[0]
    places = [place_of_patch(person, patches_of(person)[name]) for name in ("right_palm", "right_hand")]
    return min(float(np.linalg.norm(nearest_on(prop, place)[1] - place)) for place in places)


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("under", UNDER)
def test_it_stands_on_what_is_beneath_with_the_hand_on_it_that_holds_it_no_longer(kind: str, under: str) -> None:
    before = with_prop(holding(kind), under)
    after = put_down("c1", ["p1"])(before)
    thing = after.prop("p1")
    assert lowest(thing) == pytest.approx(UNDER[under], abs=2e-3)
    assert np.linalg.norm((thing.middle - before.prop("p1").middle)[[0, 2]]) < 0.13
    assert near(after, thing) < 0.05
    person = after.characters[0]
    assert not any(isinstance(e, Contact) for e in person.effectors)
    (hand,) = (e for e in person.effectors if e.joint == "right_wrist" and isinstance(e, Position))
    assert hand.residual(skeleton_of(person), joints_of(person)) < 1e-4
    again = solved(after)
    moved = joints_of(again.characters[0]).positions - joints_of(person).positions
    assert float(np.linalg.norm(moved, axis=1).max()) < 0.01
    assert again.props == after.props


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["smplik", "protores", "dls", "skelik"])
@pytest.mark.parametrize("stature", [1.2, 1.52, 1.95])
@pytest.mark.parametrize("kind", ["cup", "stick"])
def test_other_builds_and_solvers_reach_down_to_a_box_and_to_the_floor(solver: str, stature: float, kind: str) -> None:
    held = holding(kind, solver, stature, (-0.25, 0.62 * stature, 0.2 * stature))
    for document, height in ((with_prop(held, "box", z=0.2 * stature + 0.2), UNDER["box"]), (held, 0.0)):
        after = put_down("c1", ["p1"])(document)
        assert lowest(after.prop("p1")) == pytest.approx(height, abs=2e-3)
        assert near(after, after.prop("p1")) < 0.06


def test_the_arm_alone_reaches_a_table_and_all_else_stays() -> None:
    before = with_prop(holding("cup"), "table")
    was, now = (document.characters[0] for document in (before, put_down("c1", ["p1"])(before)))
    stays = [j for j, role in enumerate(rig_of(skeleton_of(was)).roles) if role not in ARMS[1].joints]
    assert np.array_equal(now.pose.rotations[stays], was.pose.rotations[stays])
    assert now.hands == was.hands


def test_the_body_helps_where_the_arm_is_too_short() -> None:
    before = with_prop(holding("cup"), "box")
    was, now = (document.characters[0] for document in (before, put_down("c1", ["p1"])(before)))
    rig = rig_of(skeleton_of(was))
    assert not np.allclose(now.pose.rotations[rig.joint(TRUNK[0])], was.pose.rotations[rig.joint(TRUNK[0])])
    assert now.pose.root_position[1] < was.pose.root_position[1] - 0.05


@pytest.mark.parametrize(("kind", "leans", "up"), [
    ("cup", (0.5, 0.0, 0.3), 1.0), ("cup", (3.0, 0.0, 0.0), 1.0), ("stick", (0.0, 0.0, 1.2), 0.0),
    ("stick", (0.0, 0.0, 0.0), 0.0), ("box", (0.1, 0.0, 0.2), 0.0), ("cylinder", (1.4, 0.0, 0.0), 0.0),
    ("cylinder", (0.4, 0.0, 0.0), 1.0), ("chair", (0.0, 0.0, 1.5), 1.0),
])  # fmt: skip
def test_it_comes_onto_the_side_that_is_nearly_down_if_it_stands_on_that(
    kind: str, leans: tuple[float, ...], up: float
) -> None:
    thing = new_prop(new_document(), kind)
    thing = thing.sized(np.array(SIZES.get(kind, thing.size)))
    turned = way_up(replace(thing, turn=from_rotation_vector(np.array(leans))), thing.middle)
    assert float(turned.turn[1, 1]) == pytest.approx(up, abs=1e-5)
    assert np.abs(turned.turn[1]).max() == pytest.approx(1.0, abs=1e-5) or kind in ("stick", "cylinder")


def test_a_ball_keeps_its_turn_and_a_lying_stick_its_direction() -> None:
    turn = from_rotation_vector(np.array([0.3, 0.2, 0.1]))
    ball = replace(new_prop(new_document(), "ball"), turn=turn)
    assert way_up(ball) is ball
    stick = replace(new_prop(new_document(), "stick"), turn=from_rotation_vector(np.array([1.2, 0.0, 0.4])))
    along, after = (prop.turn[[0, 2], 1] for prop in (stick, way_up(stick)))
    assert float(along @ after) / float(np.linalg.norm(along)) == pytest.approx(1.0, abs=1e-5)


def test_over_an_edge_it_comes_aside_to_be_all_on_one_level() -> None:
    document = with_prop(new_document(), "table", 0.0, 2.0)
    cup = new_prop(document, "cup")
    placed = set_down(document, replace(cup, place=np.array([0.58, 1.0, 2.0])), (0.58, 1.0, 2.0))
    assert placed is not None
    assert placed.place[1] == pytest.approx(0.74, abs=1e-3)
    assert placed.place[0] < 0.6 - cup.size[0] / 2.0 + 0.005


def test_beyond_an_edge_it_goes_down_beside_what_it_would_fall_off() -> None:
    document = with_prop(new_document(), "box", 0.0, 2.0)
    cup = new_prop(document, "cup")
    placed = set_down(document, replace(cup, place=np.array([0.27, 0.7, 2.0])), (0.27, 0.7, 2.0))
    assert placed is not None
    level = float(placed.place[1])
    half = cup.size[0] / 2.0
    assert (level < 1e-3 and placed.place[0] > 0.25 + half - 0.005) or (
        level == pytest.approx(0.45, abs=1e-3) and placed.place[0] < 0.25 - half + 0.005
    )


def test_what_went_through_the_top_of_a_table_comes_out_on_it() -> None:
    document = with_prop(new_document(), "table", 0.0, 2.0)
    cup = new_prop(document, "cup")
    placed = set_down(document, replace(cup, place=np.array([0.0, 0.69, 2.0])), (0.0, 0.7, 2.0))
    assert placed is not None
    assert placed.place[1] == pytest.approx(0.74, abs=1e-3)


def test_it_is_not_put_into_what_stands_there_nor_onto_feet() -> None:
    document = with_prop(new_document(), "table", 0.0, 2.0)
    other = replace(new_prop(document, "cup"), place=np.array([0.03, 0.74, 2.0], np.float32))
    document = edits.add_prop(other)(document)
    placed = set_down(document, replace(new_prop(document, "cup"), place=np.array([0.0, 1.0, 2.0])), (0.0, 1.0, 2.0))
    assert placed is not None
    assert placed.place[1] == pytest.approx(0.74, abs=1e-3)
    assert float(np.linalg.norm((placed.place - other.place)[[0, 2]])) > 0.07
    person = document.characters[0]
    foot = joints_of(person).positions[rig_of(skeleton_of(person)).names.index("right_foot")]
    beside = set_down(document, replace(other, id="p9", place=foot + [0.0, 0.5, 0.0]), foot)
    assert beside is None or float(np.linalg.norm((beside.middle - foot)[[0, 2]])) > 0.05


def test_where_nothing_level_is_beneath_or_arms_do_not_reach_it_is_refused_and_nothing_changes() -> None:
    before = holding("cup")
    tilted = replace(new_prop(before, "box"), place=np.array([-0.25, 0.0, 0.55], np.float32),
                     turn=from_rotation_vector(np.array([0.4, 0.0, 0.0])))  # fmt: skip
    with pytest.raises(PoserError, match="Nothing level"):
        put_down("c1", ["p1"])(edits.add_prop(tilted.sized((2.0, 0.5, 2.0)))(before))
    # With both feet kept on a wall two metres up nobody reaches the floor.
    high = with_prop(before, "box", 0.0, -0.1)
    high = edits.put_prop(high.prop("p2").sized((0.6, 2.0, 0.6)))(high)
    high = solved(
        edits.chain(edits.move_character("c1", (0.0, 2.0, 0.0)), edits.move_prop("p1", (0.0, 2.0, 0.0)))(high)
    )
    with pytest.raises(PoserError, match="cannot reach down"):
        put_down("c1", ["p1"])(high)


def test_a_box_between_both_palms_is_put_down_as_well() -> None:
    document = with_prop(new_document(), "table")
    person = document.characters[0]
    box = new_prop(document, "box").sized((0.3, 0.2, 0.3))
    box = box.moved(np.array([0.0, 1.05, 0.4]) - box.middle)
    document = edits.add_prop(box)(document)
    for name, x in zip(PALMS, (1.0, -1.0), strict=True):
        source, at, normal = nearest_on(box, box.middle + [x, 0.0, 0.0])
        contact = replace(contact_of(patches_of(person)[name], at, normal), source=source)
        document = edits.hold("c1", contact)(document)
    before = edits.put_prop(document.prop("p1").moved((0.25, 0.0, 0.0)))(solved(document))
    assert [prop.id for prop in things_to_put_down(before, "c1")] == ["p2"]
    after = put_down("c1", ["p2"])(before)
    assert lowest(after.prop("p2")) == pytest.approx(0.74, abs=2e-3)
    assert not any(isinstance(e, Contact) for e in after.characters[0].effectors)


def test_what_the_selected_hand_holds_is_meant_else_all_and_never_what_is_locked() -> None:
    document = holding("cup")
    phone = new_prop(document, "box").sized(SIZES["box"])
    document = solved(in_hand(document, phone.moved(np.array([0.25, 1.0, 0.35]) - phone.middle), 0))
    left = next(e.id for e in document.characters[0].effectors if isinstance(e, Contact) and e.joint == "left_wrist")
    feet = next(e.id for e in document.characters[0].effectors if e.joint == "left_ankle")
    assert [prop.id for prop in things_to_put_down(document, "c1", [left])] == ["p2"]
    assert [prop.id for prop in things_to_put_down(document, "c1", [feet])] == ["p1", "p2"]
    locked = edits.set_prop_locked("p1", True)(document)
    assert [prop.id for prop in things_to_put_down(locked, "c1")] == ["p2"]
    after = put_down("c1", ["p1", "p2"])(with_prop(document, "table", 0.0))
    assert [lowest(after.prop(id)) for id in ("p1", "p2")] == pytest.approx([0.74, 0.74], abs=2e-3)


def test_a_cup_is_put_down_from_the_mouth() -> None:
    document = edits.take_hold("c1", next(hold for hold in COMMON_HOLDS if hold.id == "mouth"))(holding("cup"))
    after = put_down("c1", ["p1"])(with_prop(solved(document), "table", z=0.4))
    assert lowest(after.prop("p1")) == pytest.approx(0.74, abs=2e-3)
    assert after.prop("p1").turn[1, 1] == pytest.approx(1.0, abs=1e-5)
    assert not any(isinstance(e, Contact) for e in after.characters[0].effectors)


def test_what_is_taken_down_stops_on_top_and_goes_through_from_the_side() -> None:
    document = with_prop(new_document(), "table", 0.0, 2.0)
    cup = replace(new_prop(document, "cup"), place=np.array([0.0, 1.0, 2.0], np.float32))
    above = edits.add_prop(cup)(document)
    for height, stops in ((0.9, 0.9), (0.7, 0.74), (0.1, 0.74), (-0.5, 0.74)):
        held = held_up(above, replace(cup, place=np.array([0.1, height, 2.0])))
        assert float(held.place[1]) == pytest.approx(stops, abs=2e-3)
    beside = held_up(above, replace(cup, place=np.array([1.0, -0.2, 2.0])))
    assert float(beside.place[1]) == pytest.approx(0.0, abs=1e-4)
    low = edits.put_prop(replace(cup, place=np.array([1.0, 0.68, 2.0], np.float32)))(above)
    through = replace(cup, place=np.array([0.3, 0.68, 2.0], np.float32))
    assert held_up(low, through) is through


@pytest.mark.parametrize("upper", [0, 1])
def test_a_stick_held_upright_by_two_hands_lies_so_that_arms_do_not_cross(upper: int) -> None:
    document = holding("stick")
    stick = document.prop("p1")
    middle = stick.middle + [0.12, 0.0, 0.0]
    document = edits.put_prop(stick.moved(middle - stick.middle))(document)
    person = document.characters[0]
    wrist = rig_of(skeleton_of(person)).name(ARMS[0].end)
    height = (0.15, -0.15)[upper]
    at = nearest_on(document.prop("p1"), middle + [0.0, height, -0.5])[0]
    contact = hand_around(person, document.prop("p1"), wrist, at)
    assert contact is not None
    document = solved(edits.hold("c1", contact)(document))
    after = put_down("c1", ["p1"])(with_prop(document, "table", 0.0))
    skeleton, joints = skeleton_of(after.characters[0]), joints_of(after.characters[0])
    left, right = (joints.positions[skeleton.index(f"{side}_wrist")] for side in ("left", "right"))
    assert left[0] > right[0] + 0.1
    assert lowest(after.prop("p1")) == pytest.approx(0.74, abs=2e-3)


@pytest.mark.parametrize("side", [0, 1])
def test_from_one_hand_the_top_of_an_upright_stick_falls_inward(side: int) -> None:
    document = new_document()
    stick = new_prop(document, "stick").sized(SIZES["stick"])
    stick = stick.moved(np.array([(0.25, -0.25)[side], 1.0, 0.35]) - stick.middle)
    after = put_down("c1", ["p1"])(with_prop(solved(in_hand(document, stick, side)), "table", 0.0))
    assert float(after.prop("p1").turn[0, 1]) == pytest.approx((-1.0, 1.0)[side], abs=0.02)


@pytest.mark.parametrize("inside", [0.0, 0.0015, 0.01, 0.019])
def test_a_stick_at_the_side_of_a_box_comes_down_to_the_floor(inside: float) -> None:
    document = with_prop(new_document(), "box", 0.0, 2.0)
    stick = lying(new_prop(document, "stick"), (0.0, 0.3, 1.75 + inside))
    down = set_down(document, stick, stick.middle)
    assert down is not None
    assert lowest(down) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(("kind", "size"), [("stick", (0.03, 0.8, 0.03)), ("box", (0.4, 0.2, 0.4))])
def test_what_is_smaller_than_a_thing_is_not_in_it_as_it_is_put_down(kind: str, size: tuple[float, ...]) -> None:
    document = with_prop(new_document(), "table", 0.0, 2.0)
    cup = replace(new_prop(document, "cup"), place=np.array([0.12, 0.74, 2.0], np.float32))
    document = edits.add_prop(cup)(document)
    thing = new_prop(document, kind).sized(np.array(size))
    thing = lying(thing, (0.0, 1.2, 2.0)) if kind == "stick" else thing.moved([0.0, 1.2, 2.0] - thing.middle)
    down = set_down(document, thing, thing.middle)
    assert down is not None
    points = cup.frame.points(cup.surface.vertices)
    assert min(float(solid.distances(points).min()) for solid in down.solids()) > -0.01


def test_what_is_carried_below_the_floor_stays_there() -> None:
    document = new_document()
    cup = replace(new_prop(document, "cup"), place=np.array([0.0, -0.5, 2.0], np.float32))
    aside = cup.moved((0.05, 0.0, 0.0))
    assert held_up(edits.add_prop(cup)(document), aside) is aside


def lying(stick: Prop, middle: Sequence[float]) -> Prop:
    """A stick of 80 cm that lies along x."""
    stick = replace(stick.sized(np.array(SIZES["stick"])), turn=from_rotation_vector(np.array([0.0, 0.0, np.pi / 2])))
    return stick.moved(np.asarray(middle) - stick.middle)
