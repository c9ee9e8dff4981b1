"""Who lies or sits on the floor comes to rest there: limbs neither hang in the air nor dig into the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import poses_of, shelf_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_character
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.holds.nearest_surface import resting_on_floor
from app.document.posing.placing import tipped
from app.document.posing.rest.settling import come_to_rest, is_down
from app.document.posing.solving import solved
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position
from solver.ik.residuals import residuals
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

QUARTER = np.pi / 2
BACK, FRONT, LEFT, RIGHT = ([-QUARTER, 0, 0], [QUARTER, 0, 0], [0, 0, QUARTER], [0, 0, -QUARTER])
BUILDS = {
    "neutral": ("anny", BodyShape()), "male": ("anny", BodyShape(gender="male")), "child": ("anny:child", BodyShape()),
}  # fmt: skip


def standing(build: str = "neutral") -> Character:
    body, shape = BUILDS[build]
    return new_character(Document(), body=body, shape=shape, solid_floor=True)


def fallen(way: list[float], build: str = "neutral") -> Character:
    return tipped(standing(build), from_rotation_vector(way))


def from_library(name: str, build: str = "neutral") -> Character:
    entry = next(e for e in shelf_of(resource_folder("assets", "poses")).entries if e.name == name)
    person = standing(build)
    document = Document().with_characters((person,))
    return take_pose(person.id, poses_of(entry), Taking())(document).character(person.id)


def asking(character: Character, *made: Effector) -> Character:
    """The character with effectors of its own, and none of those that it had there."""
    joints = {e.joint for e in made}
    kept = tuple(e for e in character.effectors if e.joint not in joints)
    return replace(character, effectors=(*kept, *made))


def heights(character: Character) -> dict[str, float]:
    """Centimetres from the floor to the lowest skin of each hand, foot, the head, the seat and the whole body."""
    body, names = body_of(character), skeleton_of(character).names
    rest = skin_with(body, character.shape, character.hands)
    skin = 100.0 * posed_vertices(body, character.shape, character.pose, rest=rest)[:, 1]
    carrier = np.array(names)[body.weights.argmax(axis=1)]
    parts = {
        **{arm.end.words: (arm.end, arm.tip) for arm in ARMS},
        **{leg.end.words: (leg.end, leg.tip) for leg in LEGS},
        "head": (Role.HEAD,), "seat": (Role.PELVIS, *(leg.root for leg in LEGS)),
    }  # fmt: skip
    return {"all": float(skin.min())} | {part: float(skin[np.isin(carrier, j)].min()) for part, j in parts.items()}


def turned(one: Character, other: Character, roles: tuple[Role, ...]) -> float:
    """Degrees by which the joint of these that turned most did, in its parent's frame."""
    joints = [rig_of(skeleton_of(one)).joint(role) for role in roles]
    angles = geodesic_angle(one.pose.rotations[joints], other.pose.rotations[joints])
    return float(np.degrees(angles.max()))


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("way", [BACK, FRONT, LEFT, RIGHT], ids=["back", "front", "left", "right"])
def test_who_was_tipped_over_comes_to_lie_with_hands_feet_and_seat_on_the_floor(way: list[float], build: str) -> None:
    stiff = fallen(way, build)
    assert max(heights(stiff).values()) > 3.0, "stiff, something is in the air"
    there = heights(come_to_rest(stiff))
    assert there.pop("all") > -1.0
    assert there.pop("head") < (0.5 if way in (BACK, FRONT) else 8.0), "beside a shoulder on the floor a head does not"
    assert max(there.values()) < 1.5


def test_handles_that_ask_for_nothing_and_the_base_pose_follow() -> None:
    after = come_to_rest(fallen(FRONT))
    assert after.base_pose == after.pose
    places = joints_of(after).positions
    for effector in after.effectors:
        if isinstance(effector, Position):
            assert effector.target == pytest.approx(places[skeleton_of(after).index(effector.joint)], abs=1e-4)
    assert not any(e.is_active for e in after.effectors), "ankles no longer stand"


def test_the_face_of_who_lies_on_the_front_is_turned_aside_to_the_side_that_it_was_turned_to() -> None:
    start = standing()
    turns = np.array(start.pose.rotations)
    head = rig_of(skeleton_of(start)).joint(Role.HEAD)
    for side in (1.0, -1.0):
        turns[head] = from_rotation_vector([0.0, side * 0.2, 0.0])
        person = tipped(replace(start, pose=replace(start.pose, rotations=turns)), from_rotation_vector(FRONT))
        nose = joints_of(come_to_rest(person)).rotations[head][:, 2]
        assert nose[1] > -0.75
        assert side * nose[0] > 0.5


def test_a_limb_of_which_something_is_asked_keeps_its_shape_and_a_head_that_looks_does() -> None:
    stiff = fallen(BACK)
    arm, other = ARMS
    joints = joints_of(stiff).positions
    wrist = Position(arm.end, joints[rig_of(skeleton_of(stiff)).joint(arm.end)], id="w")
    look = LookAt(Role.HEAD, np.array([0.0, 3.0, 0.0], np.float32), id="l")
    person = asking(stiff, wrist, look)
    after = come_to_rest(person)
    assert turned(person, after, (arm.root, arm.hinge, arm.end)) == 0.0
    assert turned(person, after, (Role.NECK, Role.HEAD)) == 0.0
    assert turned(person, after, (other.root, other.hinge, other.end)) > 10.0
    assert heights(after)["all"] > -1.0


def test_a_pinned_ankle_keeps_its_leg_as_it_is_and_a_held_pelvis_the_trunk() -> None:
    stiff, (leg, _) = fallen(FRONT), LEGS
    joints = joints_of(stiff).positions
    ankle = Position(leg.end, joints[rig_of(skeleton_of(stiff)).joint(leg.end)], id="a", pinned=True)
    pelvis = Position(Role.PELVIS, joints[0], id="p")
    kept = come_to_rest(asking(stiff, ankle))
    assert turned(stiff, kept, (leg.root, leg.hinge, leg.end)) == 0.0
    held = come_to_rest(asking(stiff, pelvis))
    assert held.pose.root_position == pytest.approx(stiff.pose.root_position)
    assert turned(stiff, held, (Role.PELVIS, Role.SPINE1, Role.SPINE2, Role.SPINE3)) == 0.0


def test_who_sits_keeps_trunk_and_head_up_and_lets_arms_and_legs_down() -> None:
    sitting = from_library("Hug the knees")
    after = come_to_rest(sitting)
    assert turned(sitting, after, (Role.PELVIS, Role.SPINE1, Role.SPINE2, Role.SPINE3, Role.NECK, Role.HEAD)) < 0.1
    before, now = heights(sitting), heights(after)
    assert now["head"] == pytest.approx(before["head"], abs=1.0)
    assert max(now["left wrist"], now["right wrist"]) < 2.0
    assert min(before["left wrist"], before["right wrist"]) > 20.0


def test_hands_behind_the_head_stay_there() -> None:
    hold = next(each for each in COMMON_HOLDS if each.id == "behind_head")
    document = edits.take_hold("c1", hold)(Document().with_characters((standing(),)))
    person = tipped(solved(document.character("c1")), from_rotation_vector(BACK))
    after = come_to_rest(person)
    for arm in ARMS:
        assert turned(person, after, arm.joints) == 0.0
    assert turned(person, after, (Role.NECK, Role.HEAD)) == 0.0
    assert heights(person)["seat"] - heights(after)["seat"] > 0.5


def test_a_hand_that_is_held_on_the_floor_stays_where_it_is_held() -> None:
    lying, arm = fallen(LEFT), ARMS[1]  # the upper one
    held = resting_on_floor(lying, arm.end)
    assert held is not None
    person = solved(asking(lying, replace(held, id="h")))
    after = come_to_rest(person)
    assert after.effector("h").target == pytest.approx(person.effector("h").target, abs=0.01)
    assert residuals(skeleton_of(after), after.pose, (held,))[0].value < 0.01  # the other arm comes to lie below it
    assert heights(after)["left wrist"] < 0.5


def test_limbs_that_are_deep_in_the_own_body_come_down_as_well() -> None:
    lying = from_library("Lie, knees up")
    joints = joints_of(lying).positions - joints_of(come_to_rest(lying)).positions
    assert joints[rig_of(skeleton_of(lying)).joint(LEGS[0].hinge)][1] > 0.1


def test_who_stands_or_is_on_all_fours_is_not_down_and_stays_and_so_does_who_may_sink_into_the_floor() -> None:
    soft = replace(fallen(BACK), solver_options={})
    for person in (standing(), from_library("All fours"), from_library("Plank"), soft):
        assert not is_down(person)
        assert come_to_rest(person) is person


@pytest.mark.slow
@pytest.mark.parametrize("build", ["neutral", "child"])
def test_who_has_come_to_rest_from_any_pose_of_the_library_stays_exactly_so(build: str) -> None:
    down = 0
    for entry in shelf_of(resource_folder("assets", "poses")).entries:
        if entry.folder not in ("Lying", "Crawling", "Kneeling", "Sitting on the floor"):
            continue
        person = from_library(entry.name, build)
        after = come_to_rest(person)
        down += after is not person
        assert come_to_rest(after) is after, entry.name
        if entry.name == "Starfish":
            knees = [rig_of(skeleton_of(after)).joint(leg.hinge) for leg in LEGS]
            assert joints_of(person).positions[knees, 1].min() > 0.15
            assert joints_of(after).positions[knees, 1].max() < 0.1
    assert down > 12


def test_on_the_document_it_is_one_step_that_changes_nobody_else() -> None:
    one, two = fallen(LEFT), replace(standing(), id="c2")
    document = Document().with_characters((one, two))
    after = edits.come_to_rest(one.id)(document)
    assert after.character(two.id) == document.character(two.id)
    assert after.character(one.id).pose == come_to_rest(one).pose != one.pose
    assert edits.come_to_rest(two.id)(document) is document
