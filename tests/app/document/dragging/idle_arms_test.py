"""Idle arms of somebody who stands, while the other hand, the trunk or a leg is dragged: they stay as they were posed,
hang on as the trunk leans over, and swing as the leg goes far over the floor. A forearm whose elbow is dragged stays,
too."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from scripts.drags.arm_drags import FAR_M, PULLS, entries, new
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.kneel_drags import entries as library_entries
from scripts.drags.kneel_drags import hands_of
from scripts.drags.lying_drags import taken
from solver.kinematics.rotations import angle_between
from solver.rig.rig import rig_of
from solver.rig.roles import Role


def dragged(document: Document, pull: str, step: float = 0.1) -> tuple[Document, float]:
    """The left hand dragged that way; metres that the right one then is from where the chest had it."""
    began = hands_of(document)[1]
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), Role.LEFT_WRIST)
    for reached in drag_steps(document, id, straight(FAR_M * np.array(PULLS[pull]), step)):
        document = reached.document
    return document, float(np.linalg.norm(hands_of(document)[1] - began))


def with_right_hand_taken(document: Document) -> Document:
    """The right hand taken 15 cm aside and a little down, and let go of."""
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), Role.RIGHT_WRIST)
    for reached in drag_steps(document, id, straight(np.array([-0.15, -0.05, 0.0]), 0.05)):
        document = reached.document
    return edits.make_loose(FIRST, [id])(document)


def pulled(document: Document, role: Role, way: tuple[float, float, float]) -> tuple[Document, list[float]]:
    """A joint dragged along a way, (3,) metres; what its owner looks like then, and metres that a joint moves at most
    in each step of 2 cm."""
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), role)
    steps, was = list[float](), places_of(document)
    for reached in drag_steps(document, id, straight(np.array(way), 0.02)):
        document, now = reached.document, places_of(reached.document)
        steps.append(apart(now, was))
        was = now
    return document, steps


def test_an_arm_stays_where_it_was_let_go_of_while_the_other_hand_is_dragged_far() -> None:
    document = taken(entries(["Salute"])[0], "female", "smplik")
    before, let_go = hands_of(document)[1], with_right_hand_taken(document)
    assert np.linalg.norm(hands_of(let_go)[1] - before) > 0.1
    _, went = dragged(let_go, "ahead")
    assert went < 0.03


@pytest.mark.parametrize(("role", "way"), [(Role.HEAD, (0.0, 0.0, 0.06)), (Role.PELVIS, (0.06, 0.0, 0.0))])
def test_arms_of_who_is_dragged_by_head_or_pelvis_go_along_as_they_hang(
    role: Role, way: tuple[float, float, float]
) -> None:
    start = new("female", "smplik")
    document, steps = pulled(start, role, way)
    went = np.linalg.norm(np.array(hands_of(document)) - hands_of(start), axis=1)
    assert went.max() < 0.03, "the network raised both arms, by 19 cm in the first step"
    assert max(steps) < 0.06


@pytest.mark.parametrize("role", [Role.LEFT_ANKLE, Role.LEFT_KNEE])
def test_arms_hardly_move_for_the_first_centimetres_of_a_leg_and_swing_for_a_kick(role: Role) -> None:
    start = new("male", "smplik")
    touched, kicked = (pulled(start, role, way)[0] for way in ((0.0, 0.03, 0.03), (0.0, 0.5, 0.5)))
    went, swung = (np.linalg.norm(hands_of(after) - hands_of(start), axis=1).max() for after in (touched, kicked))
    assert went < 0.01, "the network had moved them by 3 to 5 cm"
    assert swung > 0.3


def test_arms_of_who_walks_on_bent_legs_and_is_dragged_by_the_pelvis_stay_as_posed() -> None:
    start = taken(entries(["Trudge"])[0], "female", "smplik")
    document, _ = pulled(start, Role.PELVIS, (0.06, 0.0, 0.0))
    assert np.linalg.norm(np.array(hands_of(document)) - hands_of(start), axis=1).max() < 0.035


@pytest.mark.parametrize("pull", ["up", "down ahead"])
def test_a_hand_at_a_telephone_stays_there_as_the_other_one_is_dragged(pull: str) -> None:
    _, went = dragged(taken(entries(["On the phone"])[0], "female", "smplik"), pull)
    assert went < 0.03


def test_an_arm_that_hangs_does_not_mirror_the_other_one() -> None:
    start = new("female", "smplik")
    document, went = dragged(start, "up")
    assert went < 0.06, "the chest leans away from it a little"
    assert hand_below_shoulder(document) > 0.95 * hand_below_shoulder(start)


def test_an_arm_that_hangs_hangs_on_as_its_owner_leans_over() -> None:
    start = new("female", "smplik")
    document, went = dragged(start, "down ahead")
    assert went > 0.2, "it does not go along with the chest"
    assert hand_below_shoulder(document) > 0.9 * hand_below_shoulder(start)


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_arms_hang_down_as_the_chest_is_dragged_ahead_and_down(solver: str) -> None:
    start = new("female", solver)
    document, steps = pulled(start, Role.SPINE3, (0.0, -0.3, 0.4))
    for role in (Role.LEFT_WRIST, Role.RIGHT_WRIST):
        assert hand_below_shoulder(document, role) > 0.9 * hand_below_shoulder(start, role)
    assert max(steps) < 0.06


@pytest.mark.parametrize("way", [(0.0, 0.4, 0.1), (0.05, 0.3, 0.0)])
def test_trunk_and_arms_stay_as_a_foot_is_lifted(way: tuple[float, float, float]) -> None:
    start = new("male", "smplik")
    document, _ = pulled(start, Role.LEFT_ANKLE, way)
    went = np.linalg.norm(np.array(hands_of(document)) - hands_of(start), axis=1)
    assert went.max() < 0.08, "the network had raised them by half a metre"
    assert leaned(document) < np.radians(6.0), "the network had hunched by 16 degrees"


def test_raised_arms_of_a_dancer_do_not_swing_as_a_foot_goes_out() -> None:
    start = posed("Dancing/Arabesque")
    document, steps = pulled(start, Role.LEFT_ANKLE, (0.1, 0.1, 0.2))
    assert np.linalg.norm(np.array(hands_of(document)) - hands_of(start), axis=1).max() < 0.03
    assert max(steps) < 0.04


@pytest.mark.parametrize("way", [(0.0, -0.2, 0.0), (0.2, 0.0, 0.0)])
def test_a_raised_arm_that_is_dragged_by_its_elbow_stays_bent_as_it_was(way: tuple[float, float, float]) -> None:
    start = posed("Fighting/Draw a bow")
    document, steps = pulled(start, Role.RIGHT_ELBOW, way)
    assert abs(bent(document) - bent(start)) < np.radians(10.0)
    assert max(steps) < 0.06


def posed(name: str) -> Document:
    """Somebody in a pose of the library."""
    return taken(library_entries([name])[0], "female", "smplik")


def bent(document: Document) -> float:
    """Radians by which the right elbow is bent."""
    person = document.character(FIRST)
    places, rig = joints_of(person).positions.astype(np.float64), rig_of(skeleton_of(person))
    shoulder, elbow, wrist = (places[rig.index(r)] for r in (Role.RIGHT_SHOULDER, Role.RIGHT_ELBOW, Role.RIGHT_WRIST))
    return angle_between(elbow - shoulder, wrist - elbow)


def leaned(document: Document) -> float:
    """Radians that the way from pelvis to neck is from upright."""
    person = document.character(FIRST)
    places, rig = joints_of(person).positions, rig_of(skeleton_of(person))
    way = places[rig.index(Role.NECK)] - places[rig.index(Role.PELVIS)]
    return float(np.arccos(way[1] / np.linalg.norm(way)))


def hand_below_shoulder(document: Document, wrist: Role = Role.RIGHT_WRIST) -> float:
    """Metres that a wrist is below its shoulder."""
    person = document.character(FIRST)
    places, rig = joints_of(person).positions, rig_of(skeleton_of(person))
    shoulder = Role.LEFT_SHOULDER if wrist is Role.LEFT_WRIST else Role.RIGHT_SHOULDER
    return float(places[rig.index(shoulder), 1] - places[rig.index(wrist), 1])
