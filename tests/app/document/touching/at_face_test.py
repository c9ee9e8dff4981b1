"""What a hand is around at the mouth or at an ear: where it is there, what moves for it, and when it comes off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from solved_together import solved_and_missed

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip
from app.document.model.prop_spots import nearest_on
from app.document.posing.brought.at_face import stays_while_brought
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.posing.create import new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.holds.grasping import hand_around
from app.document.scene_file.io import read_scene_text, scene_text
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.body.measures import with_stature
from solver.effectors.contact import Contact
from solver.errors import PoserError
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK

HOLDS = {hold.id: hold for hold in COMMON_HOLDS}
SIZES = {"cup": (0.075, 0.105, 0.075), "stick": (0.04, 0.2, 0.04), "ball": (0.06, 0.06, 0.06), "box": (0.03, 0.2, 0.03)}
TOUCHES = 0.004  # metres


def holding(
    kind: str,
    side: int = 1,
    size: tuple[float, float, float] | None = None,
    middle: tuple[float, float, float] = (-0.25, 1.0, 0.35),
) -> Document:
    """Somebody new with a thing in a hand, not solved."""
    document = new_document()
    person = document.characters[0]
    thing = new_prop(document, kind).sized(np.array(size or SIZES[kind]))
    thing = thing.moved(middle * np.array([(-1.0, 1.0)[side], 1.0, 1.0]) - thing.middle)
    document = edits.add_prop(thing)(document)
    contact = hand_around(person, thing, skeleton_of(person).names[rig_of(skeleton_of(person)).joint(ARMS[side].end)],
                          nearest_on(thing, thing.middle - [0.0, 0.0, 0.5])[0])  # fmt: skip
    assert contact is not None
    return edits.chain(edits.hold("c1", contact), edits.close_hand("c1", contact))(document)


def taken(document: Document, hold: str) -> Document:
    """With the hold taken as the window takes it."""
    person = document.characters[0]
    stays = {"c1": stays_while_brought(document, person, HOLDS[hold])}
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS[hold])(document), {}, stays)
    assert missed < 1e-3
    return after


def contacts(document: Document) -> dict[str, Contact]:
    return {e.patch: e for e in document.characters[0].effectors if isinstance(e, Contact)}


def head_skin(document: Document) -> NDArray[np.float64]:
    person = document.characters[0]
    body, rig = body_of(person), rig_of(skeleton_of(person))
    rest = skin_with(body, person.shape, person.hands)
    skin = posed_vertices(body, person.shape, person.pose, rest=rest).astype(np.float64)
    own = body.weights[:, [rig.joint(role) for role in HEAD_AND_NECK]].sum(axis=1) > 0.5
    used = np.zeros(len(skin), bool)
    used[body.faces] = True
    return skin[own & used]


def near(document: Document, prop: Prop, patch: str) -> float:
    """Metres from a patch to the thing's surface."""
    person = document.characters[0]
    place = place_of_patch(person, patches_of(person)[patch]).astype(np.float64)
    return float(np.linalg.norm(nearest_on(prop, place)[1] - place))


@pytest.mark.parametrize(("kind", "hold", "patch"), [
    ("cup", "mouth", "lips"), ("stick", "mouth", "lips"), ("ball", "mouth", "lips"), ("box", "mouth", "lips"),
    ("cup", "ear", "right_ear"), ("stick", "ear", "right_ear"), ("ball", "ear", "right_ear"),
    ("box", "ear", "right_ear"),
])  # fmt: skip
def test_what_a_hand_is_around_comes_to_the_face_and_not_into_it_by_the_arm_alone(
    kind: str, hold: str, patch: str
) -> None:
    before = holding(kind)
    after = taken(before, hold)
    (thing,) = after.props
    assert near(after, thing, patch) < TOUCHES
    assert float(thing.solids()[0].distances(head_skin(after)).min()) > -0.003  # an ear gives way
    assert {patch, "right_hand"} <= contacts(after).keys() or "right_fingertips" in contacts(after)
    was, now = before.characters[0], after.characters[0]
    rig = rig_of(skeleton_of(was))
    stays = [j for j, role in enumerate(rig.roles) if role not in ARMS[1].joints]
    assert np.array_equal(now.pose.rotations[stays], was.pose.rotations[stays])


def face_down(height: float) -> Document:
    """Somebody with a cup in the hand, level, the pelvis at a height in metres."""
    before = holding("cup")
    person, prone = before.characters[0], from_rotation_vector(np.array([np.pi / 2.0, 0.0, 0.0]))
    rotations = person.pose.rotations.copy()
    rotations[0] = prone @ rotations[0]
    pose = replace(person.pose, root_position=np.array([0.0, height, 0.0], np.float32), rotations=rotations)
    return before.with_character(replace(person, pose=pose, base_pose=pose))


def test_with_the_face_down_it_comes_to_the_lips_as_well_unless_the_floor_is_there() -> None:
    after = taken(face_down(0.6), "mouth")
    (cup,) = after.props
    assert near(after, cup, "lips") < TOUCHES
    assert float(cup.solids()[0].distances(head_skin(after)).min()) > -0.003
    with pytest.raises(PoserError, match="no room at the face of Person 1: the floor is there"):
        edits.take_hold("c1", HOLDS["mouth"])(face_down(0.14))


def test_a_cup_is_tilted_towards_the_face_and_its_rim_is_at_the_lips() -> None:
    after = taken(holding("cup"), "mouth")
    (cup,) = after.props
    up, ahead = cup.turn[:, 1], joints_of(after.characters[0]).rotations[0][:, 2]
    assert 0.8 < float(up[1]) < 0.97
    assert float(up @ ahead) < -0.2
    assert contacts(after)["lips"].source.place[1] == pytest.approx(0.5, abs=0.02)  # type: ignore[union-attr]


def test_a_cup_that_leant_in_the_hand_as_it_was_taken_from_low_is_square_to_it_at_the_mouth() -> None:
    before = holding("cup", middle=(-0.25, 0.7, 0.35))
    assert contacts(before)["right_hand"].tilt > 0.1
    after = taken(before, "mouth")
    assert contacts(after)["right_hand"].tilt == 0.0
    assert after.characters[0].hands != before.characters[0].hands


def test_the_left_hand_brings_a_phone_to_the_left_ear() -> None:
    after = taken(holding("box", side=0), "ear")
    assert "left_ear" in contacts(after)
    assert near(after, after.props[0], "left_ear") < TOUCHES


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["smplik", "protores", "dls", "skelik"])
@pytest.mark.parametrize("stature", [1.52, 1.95])
def test_it_stays_at_the_mouth_of_another_shape(stature: float, solver: str) -> None:
    before = taken(edits.set_solver("c1", solver)(holding("cup")), "mouth")
    person = before.characters[0]
    after, missed = solved_and_missed(
        edits.set_shape("c1", with_stature(body_of(person), person.shape, stature))(before)
    )
    assert missed < 1e-3
    assert near(after, after.props[0], "lips") < TOUCHES
    assert float(after.props[0].solids()[0].distances(head_skin(after)).min()) > -0.001
    assert abs(float(after.props[0].place[1] - before.props[0].place[1])) > 0.05


def test_at_each_key_it_stays_at_the_mouth_of_another_shape_if_it_moves() -> None:
    before = taken(holding("cup"), "mouth")
    before = edits.chain(edits.set_clip_length("c1", 21), edits.animate_prop("p1", 21))(before)
    before = edits.chain(edits.set_key("c1", 20), edits.set_prop_key("p1", 20))(before)
    after = edits.set_shape("c1", BodyShape(np.array([3.0, *[0.0] * 9], np.float32)))(before)
    heights = [after.prop("p1").at(frame).place[1] for frame in (0, 20)]
    assert heights[0] == pytest.approx(heights[1], abs=1e-4)
    assert abs(heights[0] - before.props[0].place[1]) > 0.02


def test_where_its_rate_is_another_than_its_owners_it_is_at_the_mouth_at_the_same_time() -> None:
    before = taken(holding("cup"), "mouth")
    cup, far = before.prop("p1"), np.array([0.0, -0.5, 0.5], np.float32)
    keys = (cup.key_at(0), replace(cup.key_at(20), place=cup.place + far), cup.key_at(40))
    before = edits.chain(edits.set_clip_length("c1", 21), edits.set_key("c1", 20))(before)
    slower = before.characters[0].clip.fps
    moving = replace(cup, clip=PropClip(keys, 2.0 * slower, 41))
    before = replace(before, props=(moving,))
    after = edits.set_shape("c1", BodyShape(np.array([3.0, *[0.0] * 9], np.float32)))(before).prop("p1")
    assert after.clip is not None
    assert [key.frame for key in after.clip.keys] == [0, 20, 40]
    assert np.allclose(after.at(20).place, keys[1].place)
    assert abs(after.at(40).place[1] - cup.place[1]) > 0.02


def test_the_head_holds_on_to_nothing_whose_hand_is_off_or_loose_and_goes_on_holding_as_another_is() -> None:
    document = taken(holding("cup"), "mouth")
    hand = contacts(document)["right_hand"].id
    assert "lips" not in contacts(edits.set_enabled("c1", hand, False)(document))
    assert "lips" not in contacts(edits.make_loose("c1", [hand])(document))
    other = next(e.id for e in document.characters[0].effectors if e.joint == "left_ankle")
    assert "lips" in contacts(edits.set_enabled("c1", other, False)(document))
    assert "lips" in contacts(edits.set_enabled("c1", hand, True)(document))


def test_a_cup_taken_from_the_mouth_leans_in_the_hand_as_where_it_then_is() -> None:
    before = taken(holding("cup"), "mouth")
    person, (cup,) = before.characters[0], before.props
    hand = contacts(before)["right_hand"]
    assert hand.tilt == 0.0
    low = edits.chain(
        edits.carry_to(replace(cup, turn=np.eye(3, dtype=np.float32)).moved((-0.1, -0.75, 0.25))),
        edits.lean_in_hand(person, hand.id),
    )(before)
    assert contacts(low)["right_hand"].tilt > 0.1
    high = edits.chain(edits.carry_to(cup.moved((0.0, 0.0, 0.1))), edits.lean_in_hand(person, hand.id))(before)
    assert contacts(high)["right_hand"].tilt == 0.0
    look = next(e.id for e in person.effectors if not isinstance(e, Contact))
    assert edits.lean_in_hand(person, look)(before) is before


def test_it_comes_off_the_mouth_as_it_is_moved_and_not_as_its_owner_is() -> None:
    before = taken(holding("cup"), "mouth")
    (cup,) = before.props
    for moved in (
        edits.put_prop(cup.moved((0.1, 0.0, 0.0))), edits.move_prop(cup.id, (0.1, 0.0, 0.0)),
        edits.set_prop_place(cup.id, (0.0, 1.0, 0.4)), edits.set_prop_turn(cup.id, np.eye(3)),
        edits.set_prop_on_floor(cup.id),
    ):  # fmt: skip
        assert contacts(moved(before)).keys() == {"right_hand"}
    assert contacts(edits.set_prop_color(cup.id, "#ff0000")(before)).keys() == {"right_hand", "lips"}


def test_the_head_holds_on_to_nothing_that_the_hand_lets_go_of() -> None:
    before = taken(holding("cup"), "mouth")
    assert not contacts(edits.let_go("c1", [contacts(before)["right_hand"].id])(before))
    assert contacts(edits.take_hold("c1", HOLDS["hips"])(before)).keys() == {"left_palm", "right_palm"}


def test_the_head_holds_on_to_nothing_whose_hand_lost_its_handle_or_that_is_gone() -> None:
    document = taken(holding("cup"), "mouth")
    hand = next(e.id for e in document.characters[0].effectors if isinstance(e, Contact) and e.around)
    assert "lips" not in contacts(edits.remove_effectors("c1", [hand])(document))
    assert "lips" not in contacts(edits.remove_prop("p1")(document))


def test_a_cup_without_keys_that_is_moved_comes_off_the_mouth_at_every_key() -> None:
    document = edits.set_clip_length("c1", 31)(taken(holding("cup"), "mouth"))
    document = edits.set_key("c1", 20)(document).at_frame("c1", 20)
    moved = edits.move_prop("p1", (0.0, -0.3, 0.3))(document)
    assert moved.prop("p1").clip is None
    for frame in (0, 20):
        assert "lips" not in contacts(moved.at_frame("c1", frame))


def test_a_thing_goes_from_the_mouth_to_the_ear_and_back() -> None:
    document = taken(taken(taken(holding("stick"), "mouth"), "ear"), "mouth")
    assert contacts(document).keys() == {"right_hand", "lips"}
    document = taken(document, "ear")
    assert contacts(document).keys() == {"right_hand", "right_ear"}


def test_the_cup_goes_to_the_mouth_and_what_is_in_the_other_hand_to_the_ear() -> None:
    cup = holding("cup")
    person = cup.characters[0]
    phone = new_prop(cup, "stick").sized(np.array(SIZES["stick"]))
    phone = replace(phone, place=np.array([0.25, 1.0, 0.35], np.float32))
    held = hand_around(person, phone, "left_wrist", nearest_on(phone, phone.middle - [0.0, 0.0, 0.5])[0])
    assert held is not None
    both = edits.chain(edits.add_prop(phone), edits.hold("c1", held), edits.close_hand("c1", held))(cup)
    both, _ = solved_and_missed(both)
    after = taken(taken(both, "ear"), "mouth")
    assert contacts(after).keys() == {"right_hand", "left_hand", "left_ear", "lips"}
    assert contacts(after)["lips"].source.prop == "p1"  # type: ignore[union-attr]


def test_a_long_stick_comes_by_the_end_that_the_arm_reaches_and_is_refused_by_neither() -> None:
    long = holding("stick", size=(0.03, 1.0, 0.03))
    assert near(taken(long, "mouth"), taken(long, "mouth").props[0], "lips") < TOUCHES
    with pytest.raises(PoserError, match="too far from its end"):
        edits.take_hold("c1", HOLDS["mouth"])(holding("stick", size=(0.03, 2.4, 0.03)))


def test_a_locked_thing_stays_and_the_empty_hand_comes_before_the_mouth() -> None:
    locked = edits.set_prop_locked("p1", True)(holding("cup"))
    after = taken(locked, "mouth")
    assert after.props == locked.props
    assert contacts(after).keys() == {"right_palm"}
    with pytest.raises(PoserError, match="needs something in a hand"):
        edits.take_hold("c1", HOLDS["ear"])(locked)


def test_mirrored_and_saved_it_is_at_the_mouth_still(tmp_path: Path) -> None:
    document = edits.mirror_pose("c1")(taken(holding("cup"), "mouth"))
    again = read_scene_text(scene_text(document, tmp_path), tmp_path)
    for each in (document, again):
        assert contacts(each).keys() == {"left_hand", "lips"}
        assert near(each, each.props[0], "lips") < TOUCHES
    after, missed = solved_and_missed(again)
    assert missed < 1e-3
    assert near(after, after.props[0], "lips") < TOUCHES
