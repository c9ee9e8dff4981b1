"""Effectors on fingers: met by the arm, pinned while it moves, and on the same point whatever becomes of the hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.pose import paste_pose
from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_document
from app.document.posing.fingertips import (
    body_follows,
    finger_effector,
    finger_name,
    finger_of,
    holds_finger,
    with_hands,
)
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.solving import solution_of, solved
from app.document.scene_file.io import load_scene, save_scene
from solver.body.body import BodyShape
from solver.body.finger_chain import FINGER_POINTS, fingers_in_world
from solver.body.hand_presets import preset_hands
from solver.body.hands import hands_at_rest, relaxed_hands
from solver.effectors.effector import Effector
from solver.ik.options import SOLID_FLOOR, with_option
from solver.rig.roles import Role

NAME = "left_index_tip"


def person() -> Character:
    """Somebody with an effector on a fingertip, behind those that people begin with."""
    character = new_document().characters[0]
    return replace(character, effectors=(*character.effectors, finger_effector(character, NAME)))


def tip(character: Character, name: str = NAME) -> np.ndarray:
    """(3,) metres, where that point of a finger is."""
    where = FINGER_POINTS[name]
    hands = character.hands or hands_at_rest()
    places = fingers_in_world(body_of(character), character.shape, hands, joints_of(character))
    return np.asarray(places[where.side, where.finger, where.point])


def held(character: Character) -> Effector:
    return character.effectors[-1]


def moved(character: Character, by: tuple[float, float, float]) -> Character:
    effector = held(character)
    target = effector.target + np.array(by, np.float32)
    return replace(character, effectors=(*character.effectors[:-1], replace(effector, target=target)))


@pytest.mark.parametrize("name", ["left_thumb2", "right_pinky3", "right_middle_tip"])
def test_a_new_effector_is_where_the_finger_is_and_knows_it(name: str) -> None:
    character = new_document().characters[0]
    effector = finger_effector(character, name)
    assert effector.target == pytest.approx(tip(character, name), abs=1e-5)
    assert finger_name(character, effector) == name
    assert finger_of(character, effector) == FINGER_POINTS[name]


def test_other_effectors_hold_no_finger() -> None:
    character = person()
    assert [finger_name(character, e) for e in character.effectors] == ["", "", "", "", "", "", "", NAME]
    hand = new_effector(character, "position", Role.LEFT_HAND)
    assert finger_of(character, hand) is None
    palm = replace(hand, offset=np.array([0.0, -0.03, 0.0], np.float32))
    assert finger_of(character, palm) is None
    assert holds_finger(character)
    assert not holds_finger(new_document().characters[0])
    assert body_follows(character)


def test_a_body_follows_its_hands_where_these_are_near_a_solid_floor() -> None:
    standing = new_document().characters[0]
    assert not body_follows(standing)
    low = replace(standing, pose=replace(standing.pose, root_position=standing.pose.root_position - [0.0, 0.8, 0.0]))
    assert body_follows(low)
    assert not body_follows(replace(low, solver_options=with_option(low.solver_options, SOLID_FLOOR.id, False)))


@pytest.mark.parametrize("by", [(0.1, 0.1, 0.1), (0.0, 0.4, 0.2), (-0.3, 0.3, 0.2)])
def test_the_arm_brings_the_fingertip_to_its_target(by: tuple[float, float, float]) -> None:
    asked = moved(person(), by)
    after = solved(asked)
    assert np.linalg.norm(tip(after) - held(asked).target) < 1e-3


def test_a_pinned_fingertip_stays_while_the_elbow_moves() -> None:
    character = solved(moved(person(), (0.1, 0.3, 0.2)))
    pinned = replace(held(character), pinned=True)
    elbow = new_effector(character, "position", Role.LEFT_ELBOW, tolerance=0.3)
    elbow = replace(elbow, target=elbow.target + np.array([0.04, 0.06, 0.0], np.float32), id="elbow")
    asked = replace(character, effectors=(*character.effectors[:-1], elbow, pinned))
    after = replace(asked, pose=solution_of(asked).pose)
    assert np.linalg.norm(tip(after) - pinned.target) < 1e-3
    joint = skeleton_of(asked).index(Role.LEFT_ELBOW)
    assert np.linalg.norm(joints_of(after).positions[joint] - joints_of(asked).positions[joint]) > 0.01


def test_a_finger_that_bends_takes_the_effectors_point_along_and_the_arm_makes_up_for_it() -> None:
    document = new_document().with_character(person())
    character = document.characters[0]
    target = held(character).target
    bent = edits.set_hands(character.id, preset_hands("fist", body_of(character)))(document).characters[0]
    assert finger_name(bent, held(bent)) == NAME
    assert held(bent).target == pytest.approx(target)
    assert np.linalg.norm(tip(bent) - target) > 0.02
    assert np.linalg.norm(tip(solved(bent)) - target) < 1e-3


def test_it_holds_at_every_key() -> None:
    document = new_document().with_character(person())
    id = document.characters[0].id
    document = edits.set_clip_length(id, 20)(document)
    document = edits.set_key(id, 10)(document)
    document = edits.set_hands(id, preset_hands("claw", body_of(document.characters[0])))(document)
    for frame in (0, 10):
        character = document.at({id: frame}).characters[0]
        assert finger_name(character, held(character)) == NAME


def test_another_shape_and_the_mirror_keep_the_finger() -> None:
    document = new_document().with_character(person())
    id = document.characters[0].id
    shape = BodyShape(np.array([2, 1, 0, 0, 2, 0, 0, 0, 0, 0], np.float32))
    taller = edits.set_shape(id, shape)(document).characters[0]
    assert finger_name(taller, held(taller)) == NAME
    mirrored = edits.mirror_pose(id)(document).characters[0]
    assert finger_name(mirrored, held(mirrored)) == "right_index_tip"


def test_a_scene_brings_it_back(tmp_path: object) -> None:
    document = new_document().with_character(person())
    path = tmp_path / "finger.json"  # type: ignore[operator]
    save_scene(path, document)
    again = load_scene(path).characters[0]
    assert finger_name(again, held(again)) == NAME


def test_a_pasted_pose_brings_its_hands() -> None:
    document = new_document().with_character(person())
    character = document.characters[0]
    giver = replace(character, hands=preset_hands("point", body_of(character)))
    pasted = paste_pose(character.id, giver)(document).characters[0]
    assert pasted.hands == giver.hands
    assert finger_name(pasted, held(pasted)) == NAME
    assert np.linalg.norm(tip(pasted) - held(pasted).target) < 1e-4
    flipped = paste_pose(character.id, giver, flipped=True)(document).characters[0]
    assert flipped.hands == preset_hands("point", body_of(character)).mirrored()
    kept = paste_pose(character.id, replace(giver, hands=None))(document).characters[0]
    assert kept.hands == relaxed_hands()


def test_hands_are_exchanged_plainly_where_nothing_holds_a_finger() -> None:
    character = new_document().characters[0]
    fist = preset_hands("fist", body_of(character))
    assert with_hands(character, fist) == replace(character, hands=fist)
    assert with_hands(person(), None).hands is None


def test_another_point_of_the_hand_stays_where_it_is_when_fingers_bend() -> None:
    character = person()
    palm = replace(finger_effector(character, NAME), offset=np.array([0.0, -0.03, 0.0], np.float32), id="palm")
    bent = with_hands(
        replace(character, effectors=(*character.effectors, palm)), preset_hands("fist", body_of(character))
    )
    assert bent.effectors[-1] == palm
    assert finger_name(bent, bent.effectors[-2]) == NAME
