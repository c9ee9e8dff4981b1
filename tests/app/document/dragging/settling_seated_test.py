"""Whoever sits on a prop keeps the seat as they settle: limbs in the air come down, and a trunk that leans far over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.fitting_effectors import following
from app.document.posing.placing import moved, skin_of
from app.document.posing.rest.settling import is_down
from scripts.drags.contact_depths import FIRST, Hold, before, sits, solved
from scripts.drags.held_drags import sits_on_box
from solver.effectors.kinds import Position
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, SPINE, TRUNK, Limb, Role

UPRIGHT = (*TRUNK, *HEAD_AND_NECK)
SIDE = np.array([1.0, 0.0, 0.0])


@cache
def seated(body: str = "neutral", solver: str = "smplik") -> Document:
    """Somebody who sits on a box, with the hands on the thighs."""
    document, _, _ = solved(sits(before(Hold(()), body, solver)), {})
    return document


@cache
def in_library(name: str, folder: str = "Sitting on a chair", body: str = "neutral") -> Document:
    return sits_on_box(name, folder)(before(Hold(()), body, "smplik"))


def turned(document: Document, turns: dict[Role, NDArray[np.float64]]) -> Document:
    """The first one with these joints turned by so much further, in their own axes."""
    person = document.character(FIRST)
    rig, rotations = rig_of(skeleton_of(person)), np.array(person.pose.rotations, np.float64)
    for role, turn in turns.items():
        rotations[rig.joint(role)] = rotations[rig.joint(role)] @ from_rotation_vector(turn)
    pose = Pose(person.pose.root_position, rotations.astype(np.float32))
    return document.with_character(following(person, pose))


def bent(document: Document, radians: float) -> Document:
    """The first one with the back bent forward by so much."""
    return turned(document, {role: radians / len(SPINE) * SIDE for role in SPINE})


def settled(document: Document) -> Document:
    after = edits.come_to_rest(FIRST)(document)
    assert edits.come_to_rest(FIRST)(after) is after, "once is enough"
    return after


def places(document: Document, roles: Sequence[Role]) -> NDArray[np.float32]:
    person = document.character(FIRST)
    return joints_of(person).positions[[rig_of(skeleton_of(person)).joint(role) for role in roles]]


def way(one: Document, other: Document, roles: Sequence[Role]) -> float:
    """Metres by which the joint that moves most is elsewhere."""
    return float(np.linalg.norm(places(one, roles) - places(other, roles), axis=1).max())


def depth(document: Document, prop: int = 0) -> float:
    """Metres by which skin is within a prop."""
    skin = skin_of(document.character(FIRST)).astype(np.float64)
    return -float(np.min([solid.distances(skin) for solid in document.props[prop].solids()]))


def table(document: Document, ahead: float, high: float) -> Document:
    """The document with a table top before the first one: a box in the air, metres."""
    x, _, z = document.character(FIRST).pose.root_position.tolist()
    top = replace(
        new_prop(document, "box"),
        size=np.array([1.2, 0.04, 0.8], np.float32),
        place=np.array([x, high, z + ahead + 0.4], np.float32),
    )
    return add_prop(top)(document)


def holding(document: Document, joint: Role) -> Document:
    """The first one with a handle that holds a joint where it is."""
    person = document.character(FIRST)
    name = rig_of(skeleton_of(person)).name(joint)
    kept = tuple(e for e in person.effectors if e.joint != name)
    handle = replace(Position.on(skeleton_of(person), name, joints_of(person)), id="held")
    return document.with_character(replace(person, effectors=(*kept, handle)))


def roles_of(*limbs: Limb) -> tuple[Role, ...]:
    return tuple(role for limb in limbs for role in limb.joints)


@pytest.mark.parametrize("body", ["neutral", "short"])
def test_who_sits_with_hands_on_the_thighs_and_feet_on_the_floor_is_at_rest(body: str) -> None:
    document = seated(body)
    assert is_down(document.character(FIRST), document.props)
    assert edits.come_to_rest(FIRST)(document) is document


@pytest.mark.parametrize("name", ["Type at a desk", "Drive a car"])
@pytest.mark.parametrize("body", ["neutral", pytest.param("male", marks=pytest.mark.slow)])
def test_hands_in_the_air_come_to_lie_on_the_thighs_and_all_else_stays(name: str, body: str) -> None:
    document = in_library(name, body=body)
    after = settled(document)
    assert way(document, after, (*UPRIGHT, *roles_of(*LEGS))) < 1e-4
    for arm, leg in zip(ARMS, LEGS, strict=True):
        hip, knee, wrist = places(after, (leg.root, leg.hinge, arm.end))
        share = float((wrist - hip) @ (knee - hip) / ((knee - hip) @ (knee - hip)))
        assert 0.2 < share < 1.1
        assert np.linalg.norm(wrist - hip - share * (knee - hip)) < 0.2
    assert depth(after) < max(depth(document), 0.0) + 1e-3
    assert not [e for e in after.character(FIRST).effectors if e.is_active and e.joint.endswith("wrist")]


def test_hands_above_a_table_come_down_onto_that() -> None:
    document = table(in_library("Type at a desk"), 0.25, 0.6)
    before_, after = (places(each, [arm.end for arm in ARMS])[:, 1] for each in (document, settled(document)))
    assert (after > 0.64).all(), "the top"
    assert (after < before_ - 0.02).all()


def test_arms_held_out_to_the_sides_hang_down_beside_the_seat() -> None:
    person = seated().character(FIRST)
    rig, rotations = rig_of(skeleton_of(person)), np.array(person.pose.rotations)
    rotations[[rig.joint(role) for role in roles_of(*ARMS)]] = np.eye(3)
    raised = seated().with_character(following(person, Pose(person.pose.root_position, rotations)))
    after = settled(raised)
    for arm in ARMS:
        shoulder, elbow, wrist = places(after, arm.line)
        assert shoulder[1] - wrist[1] > 0.9 * (np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow))
    assert way(raised, after, (*UPRIGHT, *roles_of(*LEGS))) < 1e-4


def test_an_arm_that_a_handle_holds_keeps_its_shape_and_the_other_comes_down() -> None:
    document = holding(in_library("Drive a car"), ARMS[0].end)
    after = settled(document)
    assert way(document, after, roles_of(ARMS[0])) < 1e-4
    assert way(document, after, [ARMS[1].end]) > 0.2


def test_legs_in_the_air_hang_down_and_those_that_stand_or_lie_over_the_other_stay() -> None:
    dangling = in_library("Perch, legs dangling", "Sitting on a box")
    after = settled(dangling)
    for leg in LEGS:
        knee, ankle = places(after, (leg.hinge, leg.end))
        assert knee[1] - ankle[1] > 0.95 * np.linalg.norm(knee - ankle)
    assert way(dangling, after, UPRIGHT) < 1e-4
    assert depth(after) < depth(dangling) + 0.005, "the seat is as far in it as before"
    crossed = in_library("Sit, ankle on knee")
    assert way(crossed, settled(crossed), roles_of(*LEGS)) < 1e-4


def test_who_leans_on_the_elbows_or_little_keeps_the_trunk_up() -> None:
    elbows = in_library("Sit, elbows on knees")
    assert edits.come_to_rest(FIRST)(elbows) is elbows
    thinker = in_library("Thinker")
    assert way(thinker, settled(thinker), UPRIGHT) < 1e-4
    little = bent(seated(), 0.5)
    assert way(little, settled(little), UPRIGHT) < 1e-4


@pytest.mark.parametrize("body", ["neutral", pytest.param("short", marks=pytest.mark.slow)])
def test_a_trunk_that_leans_far_forward_comes_down_onto_the_thighs_and_the_seat_stays(body: str) -> None:
    document = bent(seated(body), 1.4)
    after = settled(document)
    lower = places(document, UPRIGHT)[:, 1] - places(after, UPRIGHT)[:, 1]
    assert lower[-1] > 0.08, "the head"
    assert way(document, after, (Role.PELVIS, *roles_of(*LEGS))) < 1e-4
    chest, knee = places(after, (Role.SPINE3, LEGS[0].hinge))
    assert chest[1] > knee[1], "it lies on the thighs and not between them"
    seat = [e for e in after.character(FIRST).effectors if e.is_active and e.joint == "pelvis"]
    assert [e.id for e in seat] == [e.id for e in document.character(FIRST).effectors if e.joint == "pelvis"]
    assert not any(e.loose for e in after.character(FIRST).effectors if e.joint.endswith("ankle"))


def test_who_leans_over_a_table_comes_down_onto_it() -> None:
    document = table(bent(seated(), 1.3), 0.3, 0.68)
    assert depth(document, 1) < 0.0
    after = settled(document)
    head, nose = places(after, (Role.HEAD,))[0], skin_of(after.character(FIRST))
    assert 0.72 < head[1] < places(document, (Role.HEAD,))[0][1] - 0.02
    assert depth(after, 1) < 0.015
    over = nose[(nose[:, 2] > document.props[1].place[2] - 0.38) & (nose[:, 1] > 0.6)]
    assert over[:, 1].min() < 0.74, "it lies there"


def test_progress_is_told_and_what_it_raises_ends_the_settling() -> None:
    told: list[float] = []
    document = in_library("Drive a car")
    assert edits.come_to_rest(FIRST, told.append)(document) == edits.come_to_rest(FIRST)(document)
    assert len(told) > 1
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] < 1.0

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        edits.come_to_rest(FIRST, stop)(document)


def test_a_trunk_that_a_handle_holds_stays_however_far_it_leans() -> None:
    document = holding(bent(seated(), 1.4), Role.SPINE3)
    assert way(document, settled(document), UPRIGHT) < 1e-4


def test_who_sits_without_a_contact_settles_too_and_who_stands_or_crouches_beside_does_not() -> None:
    document = in_library("Drive a car")
    person, box = document.character(FIRST), document.props
    free = replace(person, effectors=tuple(e for e in person.effectors if e.joint != "pelvis"))
    assert is_down(free, box)
    after = settled(document.with_character(free))
    assert way(document, after, [arm.end for arm in ARMS]) > 0.2
    assert way(document, after, UPRIGHT) < 1e-4
    raised: Character = moved(free, (0.0, 0.1, 0.0))
    assert not is_down(raised, box), "nothing bears them there"
    assert not is_down(moved(free, (0.0, 0.0, 1.0)), box)
    assert not is_down(before(Hold(()), "neutral", "smplik").character(FIRST), box)
