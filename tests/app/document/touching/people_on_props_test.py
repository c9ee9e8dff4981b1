"""People who are borne by a prop come along over the floor as it is moved or turned: on the document, unsolved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.world_contacts import world_contacts
from app.document.model.actor import actor_of, with_clip
from app.document.model.clip import STILL_FPS, SourceMotion
from app.document.model.document import Document
from app.document.posing.contact_patches import UP, contact_of, on_patch, patches_of, place_of_patch
from app.document.posing.create import new_character, new_document
from app.document.posing.sources import with_resolved_targets
from app.services.steps.contacts import with_people_on
from scripts.drags.contact_depths import sits, solved
from solver.effectors.contact import Contact
from solver.effectors.forms import PointEffector, TurnEffector
from solver.effectors.sources import FloorSource, PropSource, Source
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector

TURN = np.asarray(from_rotation_vector([0.0, 1.4, 0.0]))
AWAY = np.array([0.4, 0.0, -0.2])


def held_by(document: Document, patch: str, source: Source) -> Document:
    """With the person's patch held where it is, on that."""
    person = document.character("c1")
    found = patches_of(person)[patch]
    return edits.hold("c1", replace(contact_of(found, place_of_patch(person, found), UP), source=source))(document)


def contact(document: Document, patch: str) -> Contact:
    person = with_resolved_targets(document).character("c1")
    return next(e for e in person.effectors if isinstance(e, Contact) and e.patch == patch)


@pytest.fixture
def scene() -> Document:
    """Somebody with the seat on a box, the left sole on the floor and the left palm on another box."""
    document = new_document()
    for place in ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)):
        document = edits.add_prop(replace(new_prop(document, "box"), place=np.float32(place)))(document)
    document = held_by(document, "seat", PropSource("p1", np.float32([0.1, 0.5, 0.2]), UP))
    document = held_by(document, "left_palm", PropSource("p2", np.float32([0, 0.5, 0]), UP))
    return held_by(document, "left_sole", FloorSource())


@pytest.fixture
def seated() -> Document:
    """Somebody solved who sits on a box, feet on the floor."""
    return solved(sits(new_document()), {}, {})[0]


def test_a_sitter_and_the_feet_go_along_with_a_box_and_a_hand_on_another_one_stays(scene: Document) -> None:
    box, before = scene.prop("p1"), scene.character("c1")
    moved = edits.chain(edits.set_prop_turn("p1", TURN), edits.move_prop("p1", AWAY))
    after = with_people_on(moved)(scene)
    now = after.character("c1")
    assert after.prop("p1") == moved(scene).prop("p1")
    for mine, theirs in ((now.pose, before.pose), (now.base_pose, before.base_pose)):
        along = box.place + TURN @ (theirs.root_position - box.place) + AWAY
        assert mine.root_position == pytest.approx(along, abs=1e-5)
        assert mine.rotations[0] == pytest.approx(TURN @ theirs.rotations[0], abs=1e-5)
        assert mine.rotations[1:] == pytest.approx(theirs.rotations[1:], abs=1e-6)
    sole, was = contact(after, "left_sole").target, contact(scene, "left_sole").target
    assert sole == pytest.approx(box.place + TURN @ (was - box.place) + AWAY, abs=1e-5)
    assert contact(after, "left_palm").target == pytest.approx(contact(scene, "left_palm").target, abs=1e-6)


def ankles(document: Document) -> list[float]:
    """Metres, how high the ankles are to be."""
    held = [
        e for e in document.character("c1").effectors if e.joint.endswith("_ankle") and isinstance(e, PointEffector)
    ]
    return sorted(float(e.target[1]) for e in held)


def raised(scene: Document, metres: float) -> Document:
    """With the box higher, of somebody who has sat on it."""
    return with_people_on(edits.move_prop("p1", (0.0, metres, 0.0)))(scene)


def test_a_sitter_rises_with_the_box_and_the_feet_stay_on_the_floor_until_legs_would_be_too_steep(
    seated: Document,
) -> None:
    before = seated.character("c1").pose.root_position
    low, high = raised(seated, 0.1), raised(raised(seated, 0.1), 0.4)
    assert low.character("c1").pose.root_position - before == pytest.approx([0.0, 0.1, 0.0], abs=1e-6)
    assert ankles(low) == pytest.approx(ankles(seated), abs=1e-6)
    lifted = np.subtract(ankles(high), ankles(seated))
    assert lifted[0] == pytest.approx(lifted[1], abs=0.01)
    assert 0.2 < lifted[0] < 0.45
    again = raised(high, -0.25), raised(high, -0.5)
    assert np.subtract(ankles(again[0]), ankles(high)) == pytest.approx([-0.25, -0.25], abs=0.01)
    assert ankles(again[1]) == pytest.approx(ankles(seated), abs=2e-3), "and no farther than to the floor"


def test_feet_that_lie_on_something_else_or_are_pinned_stay_and_those_in_the_air_go_along(seated: Document) -> None:
    pinned = edits.on_effector("c1", "e3", lambda e: replace(e, pinned=True))(seated)
    assert min(ankles(raised(pinned, 0.5))) == pytest.approx(min(ankles(seated)), abs=1e-6)
    assert max(ankles(raised(pinned, 0.5))) > max(ankles(seated)) + 0.2
    ankle = seated.character("c1").effector("e3").target
    hung = edits.set_target("c1", "e3", ankle + np.float32([0.0, 0.2, 0.0]))(seated)
    assert max(ankles(raised(hung, 0.1))) == pytest.approx(max(ankles(hung)) + 0.1, abs=1e-6)
    stool = replace(new_prop(hung, "box"), size=np.float32([0.3, 0.2, 0.3]), place=ankle * np.float32([1, 0, 1]))
    assert max(ankles(raised(edits.add_prop(stool)(hung), 0.1))) == pytest.approx(max(ankles(hung)), abs=1e-6)


def test_a_foot_that_nothing_turns_goes_up_as_it_is_and_one_that_nothing_holds_asks_for_nothing(
    seated: Document,
) -> None:
    person = seated.character("c1")
    free = [e.id for e in person.effectors if e.joint == "left_ankle" or isinstance(e, TurnEffector)]
    bare = edits.remove_effectors("c1", free)(seated)
    assert ankles(raised(bare, 0.1)) == pytest.approx([person.effector("e4").target[1]], abs=1e-6)
    assert ankles(raised(bare, 0.5))[0] > ankles(bare)[0] + 0.2


def test_a_foot_that_leaves_the_floor_lets_go_of_it(seated: Document) -> None:
    held = held_by(seated, "left_sole", FloorSource())
    low, high = (raised(held, metres).character("c1").effector(contact(held, "left_sole").id) for metres in (0.1, 0.5))
    assert isinstance(low, Contact)
    assert not isinstance(high, Contact)


@pytest.mark.parametrize("how", ["locked", "on another prop", "leaning", "one foot"])
def test_others_stay(scene: Document, how: str) -> None:
    seat = contact(scene, "seat")
    changed = {
        "locked": edits.set_locked("c1", True),
        "on another prop": edits.on_effector("c1", seat.id, lambda e: replace(e, source=replace(e.source, prop="p2"))),
        "leaning": edits.on_effector("c1", seat.id, lambda e: e.onto(e.target, np.float32([0, 0, 1]))),
        "one foot": edits.chain(
            edits.remove_effectors("c1", [seat.id]),
            lambda document: held_by(document, "right_sole", PropSource("p1", np.float32([0, 0.5, 0]), UP)),
        ),
    }[how](scene)
    after = with_people_on(edits.move_prop("p1", AWAY))(changed)
    assert after.character("c1") == changed.character("c1")
    assert with_people_on(edits.rename_prop("p1", "Bench"))(changed).character("c1") == changed.character("c1")


def test_who_stands_on_a_box_by_both_soles_goes_along_but_not_who_sits_elsewhere(scene: Document) -> None:
    for patch in ("left_sole", "right_sole"):
        scene = held_by(scene, patch, PropSource("p2", np.float32([0, 0.5, 0]), UP))
    move = with_people_on(edits.move_prop("p2", AWAY))
    assert move(scene).character("c1") == scene.character("c1"), "the feet alone are to follow"
    scene = edits.remove_effectors("c1", [contact(scene, "seat").id])(scene)
    after = move(scene)
    gone = after.character("c1").pose.root_position - scene.character("c1").pose.root_position
    assert gone == pytest.approx(AWAY, abs=1e-6)


@pytest.fixture
def on_lap(scene: Document) -> Document:
    """With a second person, whose seat is on the sitter's lap."""
    scene = scene.with_characters((*scene.characters, replace(new_character(scene), id="c2")))
    return on_thigh(scene, "c2", "seat")


def on_thigh(scene: Document, id: str, patch: str, of: str = "c1") -> Document:
    """With a patch of somebody, by their id, on the thigh of the first person or of somebody else."""
    source, place, _ = on_patch(scene.character(of), "left_thigh")
    held = contact_of(patches_of(scene.character(id))[patch], place, UP)
    return edits.hold(id, replace(held, source=source))(scene)


def test_who_sits_on_the_lap_of_a_sitter_goes_along_with_a_foot_on_the_floor(on_lap: Document) -> None:
    for moved, there in ((on_lap, True), (edits.set_locked("c2", True)(on_lap), False)):
        after = with_people_on(edits.move_prop("p1", AWAY))(moved)
        gone = after.character("c2").pose.root_position - on_lap.character("c2").pose.root_position
        assert gone == pytest.approx(AWAY if there else 0.0 * AWAY, abs=1e-5)


@pytest.mark.parametrize("order", [("c3", "c4"), ("c4", "c3")])
def test_laps_upon_laps_go_along_however_many_and_whoever_came_first(on_lap: Document, order: tuple[str, str]) -> None:
    people = [replace(new_character(on_lap), id=id) for id in sorted(order)]
    scene = on_lap.with_characters((*on_lap.characters, *people))
    for id, below in zip(order, ("c2", order[0]), strict=True):
        scene = on_thigh(scene, id, "seat", below)
    after = with_people_on(edits.move_prop("p1", AWAY))(scene)
    for id in ("c1", "c2", *order):
        gone = after.character(id).pose.root_position - scene.character(id).pose.root_position
        assert gone == pytest.approx(AWAY, abs=1e-5), id
    grip = contact_of(patches_of(people[0])["right_hand"], scene.prop("p1").place, UP)
    source = PropSource("p1", np.float32([0.5, 0.0, 0.0]), np.float32([1, 0, 0]))
    bearer = replace(new_character(scene), id="c5", effectors=(replace(grip, id="e9", source=source, radius=0.03),))
    carried = world_contacts(scene.with_characters((*scene.characters, bearer)), ["c5"]).carried
    assert {each.what.id for each in carried} == {"p1", "c1", "c2", *order}


def test_who_lies_on_a_box_and_on_the_lap_of_its_sitter_rises_once(on_lap: Document) -> None:
    seat = next(e.id for e in on_lap.character("c2").effectors if isinstance(e, Contact))
    on_both = edits.on_effector("c2", seat, lambda e: replace(e, source=PropSource("p1", np.float32([0, 0.5, 0]), UP)))
    document = on_thigh(on_both(on_lap), "c2", "back")
    gone = raised(document, 0.1).character("c2").pose.root_position - document.character("c2").pose.root_position
    assert gone == pytest.approx([0.0, 0.1, 0.0], abs=1e-5)


def test_a_cup_and_the_keys_of_who_sits_on_a_lap_rise_with_it_and_a_key_elsewhere_stays(on_lap: Document) -> None:
    cup = replace(new_prop(on_lap, "cup"), place=np.float32([0.3, 1.0, 0.3]))
    grip = contact_of(patches_of(on_lap.character("c2"))["right_hand"], cup.place, UP)
    source = PropSource(cup.id, np.float32([0, 0.1, 0]), np.float32([0, -1, 0]))
    held = edits.hold("c2", replace(grip, source=source, radius=0.03))(edits.add_prop(cup)(on_lap))
    keyed = edits.chain(edits.set_clip_length("c2", 21), edits.set_key("c2", 10), edits.set_key("c2", 20))(held)
    keyed = keyed.at_frame("c2", 20)
    seat = next(e.id for e in keyed.character("c2").effectors if isinstance(e, Contact) and e.patch == "seat")
    keyed = edits.remove_effectors("c2", [seat])(keyed).at_frame("c2", 0)
    after = raised(keyed, 0.1)
    places = [[document.actor("c2").at(at).pose.root_position[1] for at in (0, 10, 20)] for document in (keyed, after)]
    assert np.subtract(*reversed(places)) == pytest.approx([0.1, 0.1, 0.0], abs=1e-5)
    assert after.prop(cup.id).place - cup.place == pytest.approx([0.0, 0.1, 0.0], abs=1e-5)


def test_who_sits_on_what_others_carry_goes_along_with_it(scene: Document) -> None:
    scene = scene.with_characters((*scene.characters, replace(new_character(scene), id="c2")))
    box = scene.prop("p1")
    grip = contact_of(patches_of(scene.character("c2"))["right_hand"], box.place, UP)
    source = PropSource("p1", np.float32([0.5, 0.0, 0.0]), np.float32([1, 0, 0]))
    scene = edits.hold("c2", replace(grip, source=source, radius=0.03))(scene)
    by_cross = world_contacts(scene, ["c2"])
    assert {(each.what.id, each.by) for each in by_cross.carried} == {("p1", "c2"), ("c1", "c2")}
    assert {id for id, _ in by_cross.apart} == {"c1"}, "the hand on another box, and not the seat"
    third = scene.with_characters((*scene.characters, replace(new_character(scene), id="c3")))
    on_lap = world_contacts(on_thigh(third, "c3", "seat"), ["c2"])
    assert {each.what.id for each in on_lap.carried} == {"p1", "c1", "c3"}
    by_hand = with_people_on(edits.carry_by("p1", AWAY), besides="c2")(scene)
    gone = [by_hand.character(id).pose.root_position - scene.character(id).pose.root_position for id in ("c1", "c2")]
    assert gone[0] == pytest.approx(by_hand.prop("p1").place - box.place, abs=1e-5)
    assert np.linalg.norm(gone[0]) > 0.1
    assert gone[1] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_what_a_sitter_carries_goes_along_once(scene: Document) -> None:
    cup = replace(new_prop(scene, "cup"), place=np.float32([0.3, 1.0, 0.3]))
    scene = edits.add_prop(cup)(scene)
    scene = held_by(scene, "right_hand", PropSource(cup.id, np.float32([0, 0.1, 0]), np.float32([0, -1, 0])))
    scene = edits.hold("c1", replace(contact(scene, "right_hand"), radius=0.03))(scene)
    between = edits.chain(edits.set_clip_length("c1", 21), edits.set_key("c1", 20))(scene).at_frame("c1", 9)
    together = edits.place_props("p1", [cup.id], scene.prop("p1").place + AWAY)
    alone = edits.move_prop("p1", AWAY)
    for document, moved in ((scene, alone), (scene, together), (between, alone)):
        after = with_people_on(moved)(document)
        assert after.prop(cup.id).place - cup.place == pytest.approx(AWAY, abs=1e-5)


def test_keys_on_the_box_go_along_and_others_stay(scene: Document) -> None:
    seat = contact(scene, "seat").id
    scene = edits.chain(edits.set_clip_length("c1", 21), edits.set_key("c1", 10), edits.set_key("c1", 20))(scene)
    scene = edits.remove_effectors("c1", [seat])(scene.at_frame("c1", 20)).at_frame("c1", 10)

    def gone(after: Document, frame: int) -> np.ndarray:
        places = [document.actor("c1").at(frame).pose.root_position for document in (scene, after)]
        return np.asarray(places[1] - places[0])

    after = with_people_on(edits.move_prop("p1", AWAY))(scene)
    assert after.character("c1").frame == 10
    for frame, way in ((0, AWAY), (10, AWAY), (20, 0.0 * AWAY)):
        assert gone(after, frame) == pytest.approx(way, abs=1e-6), frame
    between = with_people_on(edits.move_prop("p1", AWAY))(scene.at_frame("c1", 5))
    assert [key.frame for key in between.actor("c1").clip.keys] == [0, 10, 20]
    assert gone(between, 5) == pytest.approx(AWAY, abs=1e-3)
    animated = edits.chain(
        edits.animate_prop("p1", 21, 30.0), edits.set_prop_key("p1", 10), edits.set_prop_key("p1", 20)
    )(scene)
    animated = animated.at({**animated.frames, animated.prop("p1").slot: 10})
    after = with_people_on(edits.move_prop("p1", AWAY))(animated)
    for frame, way in ((0, 0.0 * AWAY), (10, AWAY), (20, 0.0 * AWAY)):
        assert gone(after, frame) == pytest.approx(way, abs=1e-6), frame


def test_as_a_box_grows_each_key_goes_with_its_own_place_on_it(scene: Document) -> None:
    keyed = edits.chain(edits.set_clip_length("c1", 21), edits.set_key("c1", 20))(scene).at_frame("c1", 20)
    other = PropSource("p1", np.float32([-0.3, 0.5, 0.2]), UP)
    keyed = edits.on_effector("c1", contact(scene, "seat").id, lambda e: replace(e, source=other))(keyed)
    wide = float(keyed.prop("p1").size[0])
    after = with_people_on(edits.size_props(["p1"], 0, 2.0 * wide))(keyed)
    for frame, place in ((0, 0.1), (20, -0.3)):
        gone = after.actor("c1").at(frame).pose.root_position - keyed.actor("c1").at(frame).pose.root_position
        assert gone == pytest.approx([place * wide, 0.0, 0.0], abs=1e-5), frame


def test_a_motion_goes_along_if_it_is_on_the_box_throughout_and_else_stays(scene: Document) -> None:
    person = scene.character("c1")
    still = Motion(np.stack([person.pose.root_position] * 9), np.stack([person.pose.rotations] * 9), STILL_FPS)
    clip = replace(actor_of(person).clip, source=SourceMotion(still, person.shape), fps=STILL_FPS)
    scene = scene.with_character(with_clip(person, clip))
    moved = with_people_on(edits.move_prop("p1", AWAY + [0.0, 0.2, 0.0]))
    assert moved(scene).actor("c1").at(8).pose.root_position - person.pose.root_position == pytest.approx(
        AWAY, abs=1e-6
    )
    up = edits.chain(edits.set_key("c1", 8), edits.remove_effectors("c1", [contact(scene, "seat").id]))
    scene = up(scene.at_frame("c1", 8)).at_frame("c1", 0)
    assert moved(scene).actor("c1").at(0) == scene.actor("c1").at(0)
