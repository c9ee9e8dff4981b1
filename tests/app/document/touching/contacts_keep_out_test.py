"""Contacts keep arms out of bodies and legs out of what one sits on, and are met all the same."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from solved_together import solved, solved_and_missed

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import UP, contact_of, on_patch, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.solving import problem_of
from app.document.posing.surroundings import obstacles_of, solid_surroundings
from solver.body.body import GENDERS, SHAPE_COMPONENTS, BodyShape
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.body.shape_presets import SHAPE_PRESETS, ShapePreset
from solver.contact.intersections import is_surrounded
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource, JointSource, PropSource, SkinSource
from solver.evaluation.standing.skin_intersection import depth_within, self_intersection_depth
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import only_arms
from solver.ik.options import SOLID_BODY

HOLDS = {hold.id: hold for hold in COMMON_HOLDS}
MET = 1e-3  # metres


@pytest.fixture
def one() -> Document:
    return new_document()


@pytest.fixture
def two() -> Document:
    """Two who face each other at arm's length, right shoulder before left shoulder."""
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    first, second = document.characters
    there = first.pose.root_position - second.pose.root_position + np.float32([0, 0, 0.5])
    return edits.chain(edits.move_character("c2", there), edits.turn_character("c2", np.pi))(document)


def held(document: Document, patch: str, of: str, id: str = "c1", owner: str = "c1") -> Document:
    person = edits.open_hand(id, patch)(document).character(id)
    source, place, normal = on_patch(document.character(owner), of)
    contact = replace(contact_of(patches_of(person)[patch], place, normal), source=source)
    return edits.hold(id, contact)(document.with_character(person))


def depth(person: Character) -> float:
    return self_intersection_depth(body_of(person), person.shape, person.pose, person.hands)


def skin_of(person: Character) -> np.ndarray:
    return posed_vertices(
        body_of(person), person.shape, person.pose, rest=skin_with(body_of(person), person.shape, person.hands)
    ).astype(float)


def arm_within(person: Character, other: Character) -> int:
    """How many of the vertices of somebody's left forearm and hand are within somebody else."""
    weights, skin, theirs = body_of(person).weights, skin_of(person), skin_of(other)
    names = [skeleton_of(person).index(f"left_{part}") for part in ("elbow", "wrist", "hand")]
    arm = np.flatnonzero(np.isin(weights.argmax(axis=1), names))[::5]
    return sum(is_surrounded(point, theirs, body_of(other).faces) for point in skin[arm])


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("of", ["right_hip", "right_shoulder", "lower_back", "chest"])
def test_a_palm_on_the_own_body_leaves_the_arm_outside(one: Document, of: str, solver: str) -> None:
    after, missed = solved_and_missed(edits.set_solver("c1", solver)(held(one, "left_palm", of)))
    assert missed < MET
    assert depth(after.characters[0]) < 0.015


def test_the_arm_would_be_within_the_body_if_nothing_kept_it_out(
    one: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.document.posing.surroundings.is_solid", lambda character: False)
    after = solved(held(one, "left_palm", "right_hip"))
    assert depth(after.characters[0]) > 0.05


def test_common_holds_open_hands_and_leave_nothing_deep(one: Document) -> None:
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS["hips"])(one))
    assert missed < MET
    assert depth(after.characters[0]) < 0.01
    assert after.characters[0].hands is not None


def test_a_fist_under_the_chin_is_not_in_the_neck(one: Document) -> None:
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS["chin"])(one))
    assert missed < MET
    assert depth(after.characters[0]) < 0.01


def drawn(number: int) -> BodyShape:
    """One of many bodies drawn at random."""
    rng = np.random.default_rng(5)
    betas = [rng.normal(size=SHAPE_COMPONENTS).astype(np.float32) for _ in range(number + 1)]
    return BodyShape(betas[number], GENDERS[number % len(GENDERS)])


@pytest.mark.sweep
@pytest.mark.parametrize(
    "shape",
    [BodyShape(), BodyShape(gender="male"), BodyShape(gender="female"), drawn(6), drawn(7), drawn(10)],
    ids=["neutral", "male", "female", "drawn 6", "drawn 7", "drawn 10"],
)
def test_crossed_arms_meet_and_are_not_deep_in_each_other(one: Document, shape: BodyShape) -> None:
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS["crossed"])(edits.set_shape("c1", shape)(one)))
    assert missed < 2 * MET
    assert depth(after.characters[0]) < 0.016


def taken(document: Document, id: str) -> tuple[Document, float]:
    """The document with a hold taken by the arms alone, as in the window."""
    person, hold = document.characters[0], HOLDS[id]
    assert hold.by_arms
    return solved_and_missed(
        edits.take_hold("c1", hold)(document), stays={"c1": only_arms(skeleton_of(person), person.pose)}
    )


def shaped(document: Document, preset: ShapePreset) -> Document:
    person = document.characters[0]
    shape = preset.shape(body_of(person).component_names, person.shape.gender)
    assert shape is not None
    return solved(edits.set_body("c1", preset.body_for(person.body), shape)(document))


@pytest.mark.sweep
@pytest.mark.parametrize("preset", SHAPE_PRESETS, ids=lambda preset: preset.name)
def test_arms_are_crossed_low_before_the_ribs_on_every_body_that_has_a_name(one: Document, preset: ShapePreset) -> None:
    after, missed = taken(shaped(one, preset), "crossed")
    assert missed < 2 * MET
    person = after.characters[0]
    assert depth(person) < 0.012
    joints, skeleton = joints_of(person), skeleton_of(person)
    place = {name: joints.positions[skeleton.index(name)] for name in skeleton.names}
    ahead = joints.rotations[skeleton.index("spine3")][:, 2]
    for side in ("left", "right"):
        assert (place[f"{side}_wrist"] - place["spine3"]) @ ahead > 0.0
        assert place[f"{side}_elbow"][1] < place[f"{side}_shoulder"][1], "nobody holds the elbows up"
    assert (place["left_wrist"] - place["right_elbow"]) @ ahead > 0.0, "the left forearm is the one ahead"


@pytest.mark.sweep
@pytest.mark.parametrize("preset", SHAPE_PRESETS, ids=lambda preset: preset.name)
def test_hands_meet_the_head_from_behind_on_every_body_that_has_a_name(one: Document, preset: ShapePreset) -> None:
    after, missed = taken(shaped(one, preset), "behind_head")
    assert missed < MET
    assert depth(after.characters[0]) < 0.012


@pytest.mark.sweep
@pytest.mark.parametrize("gender", GENDERS)
@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_crossed_arms_stay_crossed_in_a_drag_of_the_pelvis(one: Document, gender: str, solver: str) -> None:
    memories: dict[str, Memory] = {}
    person = edits.chain(edits.set_solver("c1", solver), edits.set_shape("c1", BodyShape(gender=gender)))(one)
    document, _ = solved_and_missed(edits.take_hold("c1", HOLDS["crossed"])(person), memories)
    pelvis = joints_of(document.characters[0]).positions[0]
    document = edits.add_effector("c1", Position("pelvis", pelvis, id="pelvis"))(document)
    places = []
    for step in range(12):
        document = edits.set_target("c1", "pelvis", pelvis + np.float32([0, 0, 1e-3 * step]))(document)
        document, missed = solved_and_missed(document, memories)
        places.append(joints_of(document.characters[0]).positions)
        assert missed < 2 * MET
    assert np.linalg.norm(np.diff(places, n=2, axis=0), axis=2).max() < 0.01


def test_a_hand_on_the_trunk_does_not_let_an_arm_through(one: Document) -> None:
    obstacles = obstacles_of(edits.take_hold("c1", HOLDS["crossed"])(one).characters[0])
    assert obstacles is not None
    skeleton = skeleton_of(one.characters[0])
    (ribs,) = (touch for touch in obstacles.touches if touch.joint == skeleton.index("right_wrist"))
    assert skeleton.index("spine2") in ribs.own
    assert not ribs.own & obstacles.body.arms


@pytest.mark.slow
def test_an_arm_before_the_ribs_is_not_taken_for_them(one: Document) -> None:
    (heavy,) = (preset for preset in SHAPE_PRESETS if preset.name == "Heavy")
    taken = edits.take_hold("c1", HOLDS["crossed"])(shaped(one, heavy)).characters[0]
    (ribs,) = (e for e in taken.effectors if isinstance(e, Contact) and e.patch == "right_palm")
    assert isinstance(ribs.source, SkinSource)
    bearers = body_of(taken).weights[body_of(taken).faces[ribs.source.triangle]].argmax(axis=1)
    assert {skeleton_of(taken).names[j] for j in bearers} <= {"spine1", "spine2", "spine3"}


def test_a_hold_that_is_taken_again_is_not_begun_anew(one: Document) -> None:
    after = solved(edits.take_hold("c1", HOLDS["crossed"])(one))
    again = edits.take_hold("c1", HOLDS["crossed"])(after)
    assert again.characters[0].pose == after.characters[0].pose


@pytest.mark.slow
def test_a_hand_on_somebody_s_shoulder_opens_and_is_not_in_it(two: Document) -> None:
    touching = edits.take_hold("c1", HOLDS["shoulder"])(two)
    before, now = two.characters[0].hands, touching.characters[0].hands
    assert before is not None
    assert now is not None
    assert now != before
    after, missed = solved_and_missed(touching)
    assert missed < MET
    first, second = after.characters
    used = np.unique(body_of(first).faces)
    assert depth_within(skin_of(first), used, skin_of(second), body_of(second)) < 0.005


@pytest.mark.slow
def test_a_hand_lies_on_somebody_s_shoulder_and_the_arm_goes_around_nobody(two: Document) -> None:
    touching = held(two, "left_palm", "right_shoulder", owner="c2")
    (contact,) = (e for e in touching.characters[0].effectors if isinstance(e, Contact))
    assert isinstance(contact.source, JointSource)  # the skin there has folded as the arm came down
    assert contact.facing[1] > 0.8
    after, missed = solved_and_missed(touching)
    assert missed < MET
    assert arm_within(*after.characters) < 4


def test_two_who_hold_each_other_meet_and_stay_upright(two: Document) -> None:
    both = held(held(two, "left_palm", "right_shoulder", owner="c2"), "left_palm", "right_shoulder", "c2", "c1")
    for person in both.characters:
        (other,) = solid_surroundings(both, person).held
        obstacles = obstacles_of(person, solid_surroundings(both, person))
        assert other.id != person.id
        assert obstacles is not None
        assert obstacles.limbs is not None
        assert len(obstacles.touches) == 2
        assert not set(obstacles.support_people[0].body.joints) & obstacles.body.arms
    after, missed = solved_and_missed(both)
    assert missed < 5 * MET
    for before, now in zip(two.characters, after.characters, strict=True):
        assert np.linalg.norm(now.pose.root_position - before.pose.root_position) < 0.1


def test_two_side_by_side_who_hold_each_other_s_shoulder_meet_in_one_solve_and_do_not_drift() -> None:
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    first, second = document.characters
    beside = first.pose.root_position - second.pose.root_position + np.float32([1.2, 0, 0])
    memories: dict[str, Memory] = {}
    document = edits.move_character("c2", beside)(document)
    for id in ("c1", "c2"):
        document, missed = solved_and_missed(edits.take_hold(id, HOLDS["shoulder"])(document), memories)
        assert missed < MET
    at = np.array([person.pose.root_position for person in document.characters])
    for _ in range(6):
        before = [joints_of(person).positions for person in document.characters]
        document, missed = solved_and_missed(document, memories)
        assert missed < MET
        for person, joints in zip(document.characters, before, strict=True):
            assert np.linalg.norm(joints_of(person).positions - joints, axis=1).max() < 0.02, "an elbow, say"
    now = np.array([person.pose.root_position for person in document.characters])
    assert np.linalg.norm(now - at, axis=1).max() < 0.01, "nobody runs after the other"


def test_a_sitting_person_has_no_leg_in_the_seat_where_there_is_room_for_legs(one: Document) -> None:
    for behind, deep in ((0.45, 0.02), (0.3, 0.2)):  # in the second the heels would be in the box: it is passed through
        x, _, z = one.characters[0].pose.root_position.tolist()
        box = replace(new_prop(one, "box"), place=np.array([x, 0.0, z - behind]))
        seat = contact_of(patches_of(one.characters[0])["seat"], box.frame.points((0.0, 1.0, 0.2)), UP)
        seat = replace(seat, source=PropSource(box.id, np.array([0.0, 0.5, 0.2]), UP))
        after, missed = solved_and_missed(edits.chain(add_prop(box), edits.hold("c1", seat))(one))
        assert missed < MET
        (thing,) = box.solids()
        assert -thing.distances(skin_of(after.characters[0])).min() < deep


def test_only_contacts_with_skin_or_props_make_anything_solid(one: Document) -> None:
    person = one.characters[0]
    assert problem_of(person).obstacles is None
    palm = patches_of(person)["left_palm"]
    on_floor = replace(contact_of(palm, (0.3, 0.0, 0.3), UP), source=FloorSource())
    for contact in (on_floor, replace(on_floor, source=None)):
        assert problem_of(edits.hold("c1", contact)(one).characters[0]).obstacles is None
    wrist = Position("left_wrist", UP, id="w", source=JointSource("c1", "pelvis"))
    assert problem_of(edits.add_effector("c1", wrist)(one).characters[0]).obstacles is None
    assert problem_of(held(one, "left_palm", "left_hip").characters[0]).obstacles is not None


def test_a_solid_body_does_not_heed_a_person_it_is_tied_to_by_a_joint(two: Document) -> None:
    solid = edits.set_solver_option("c1", SOLID_BODY.id, True)(two)
    assert [c.id for c in solid_surroundings(solid, solid.characters[0]).people] == ["c2"]
    wrist = Position("left_wrist", UP, id="w", source=JointSource("c2", "left_wrist"))
    tied = edits.add_effector("c1", wrist)(solid)
    assert not solid_surroundings(tied, tied.characters[0])
    touched = held(solid, "left_palm", "right_shoulder", owner="c2")
    assert solid_surroundings(touched, touched.characters[0]).held == (touched.characters[1],)
    lost = SkinSource("c2", 10**7, np.float32([1, 0, 0]))
    person = touched.characters[0]
    gone = tuple(replace(e, source=lost) if isinstance(e, Contact) else e for e in person.effectors)
    obstacles = obstacles_of(replace(person, effectors=gone), solid_surroundings(touched, person))
    assert obstacles is not None
    assert not obstacles.touches[0].others


def test_a_drag_with_hands_on_hips_goes_there_and_back_without_a_jump(one: Document) -> None:
    document, memories = edits.take_hold("c1", HOLDS["hips"])(one), {}
    person = one.characters[0]
    held_there = replace(Position.on(skeleton_of(person), "pelvis", joints_of(person)), id="pelvis")
    document = edits.add_effector("c1", held_there)(document)
    document, _ = solved_and_missed(document, memories)
    (pelvis,) = (e for e in document.characters[0].effectors if e.joint == "pelvis")
    places = []
    for share in [*np.linspace(0, 1, 9), *np.linspace(1, 0, 9)]:
        moved = edits.set_target("c1", pelvis.id, pelvis.target + share * np.float32([0.08, -0.04, 0.05]))(document)
        document, missed = solved_and_missed(moved, memories)
        assert missed < 2 * MET
        places.append(joints_of(document.characters[0]).positions)
    steps = [np.abs(b - a).max() for a, b in pairwise(places)]
    assert max(steps) < 0.06
    assert np.abs(places[-1] - places[0]).max() < 0.02


def test_a_small_drag_of_the_pelvis_with_hands_on_hips_moves_nothing_by_more(one: Document) -> None:
    document, memories = edits.set_solver("c1", "dls")(edits.take_hold("c1", HOLDS["hips"])(one)), {}
    document, _ = solved_and_missed(document, memories)
    person = document.characters[0]
    held_there = replace(Position.on(skeleton_of(person), "pelvis", joints_of(person)), id="pelvis")
    document = edits.add_effector("c1", held_there)(document)
    (pelvis,) = (e for e in document.characters[0].effectors if e.joint == "pelvis")
    places = [joints_of(person).positions]
    for step in range(6):
        moved = edits.set_target("c1", pelvis.id, pelvis.target + np.float32([0, 0, 1e-3 * step]))(document)
        document, _ = solved_and_missed(moved, memories)
        places.append(joints_of(document.characters[0]).positions)
    assert max(np.linalg.norm(b - a, axis=1).max() for a, b in pairwise(places)) < 3e-3
