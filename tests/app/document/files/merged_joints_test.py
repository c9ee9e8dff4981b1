"""Characters that lack joints of ours: these do not bend, so that hands, feet and head are on their handles."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character
from scripts.rigs.handles_on_rigs import MET, missed, people, shown_joints
from solver.effectors.kinds import Position
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import LIMBS, Role

NEAR = 3e-4  # metres


@pytest.fixture(scope="module", params=["No spine", "KayKit"])
def person(request: pytest.FixtureRequest) -> Character:
    return next(people(request.param, ["toon"], ["A in cm"]))


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_handle_that_is_met_has_the_characters_own_joint(solver: str, person: Character) -> None:
    met = [miss for miss in missed(person, solver, 4) if miss.ours < MET]
    assert len(met) >= 4
    assert max(abs(miss.shown - miss.ours) for miss in met) < NEAR


def test_a_hand_that_is_pulled_away_and_turns_the_trunk_along_does_not_bend_a_neck_that_it_lacks(
    person: Character,
) -> None:
    (handle,) = (e for e in person.effectors if isinstance(e, Position) and e.joint == "left_wrist")
    pulled = edits.set_target(person.id, handle.id, handle.target + np.float32([3.0, 0.9, 0.6]))
    after = edits.solve(person.id)(pulled(edits.add_character(person)(Document()))).character(person.id)
    assert off(after) < NEAR


def off(person: Character) -> float:
    ours, skeleton = joints_of(person).positions, skeleton_of(person)
    ends = {*(limb.end for limb in LIMBS), Role.HEAD}
    return max(
        float(np.linalg.norm(ours[skeleton.index(role)] - at))
        for role, at in shown_joints(person).items()
        if role in ends
    )


@pytest.mark.parametrize("moving", [False, True])
def test_somebody_of_ours_who_is_drawn_as_that_character_gets_its_pose(moving: bool, person: Character) -> None:
    ours = new_character(Document(), name="Ann")
    turns = from_rotation_vector(np.random.default_rng(4).normal(0.0, 0.2, (5, 24, 3))).astype(np.float32)
    roots = np.tile(ours.pose.root_position, (5, 1))
    posed = edits.set_pose(ours.id, Pose(roots[0], turns[0]))
    put = edits.import_motion(ours.id, Motion(roots, turns, 30.0), 3) if moving else posed
    drawn = edits.chain(put, edits.set_body(ours.id, person.body, person.shape))(edits.add_character(ours)(Document()))
    after = edits.set_own_skin(ours.id, person.own_skin)(drawn)
    for frame in (0, 3) if moving else (0,):
        assert off(after.at_frame(ours.id, frame).character(ours.id)) < NEAR


def test_a_pose_or_a_motion_that_bends_what_it_lacks_is_taken_as_it_is_drawn(person: Character) -> None:
    document = edits.add_character(person)(Document())
    turns = from_rotation_vector(np.random.default_rng(3).normal(0.0, 0.2, (5, 24, 3))).astype(np.float32)
    roots = np.tile(person.pose.root_position, (5, 1))
    bowed = edits.set_pose(person.id, Pose(roots[0], turns[0]))(document).character(person.id)
    assert off(bowed) < NEAR
    moving = edits.import_motion(person.id, Motion(roots, turns, 30.0), 3)(document)
    assert off(moving.at_frame(person.id, 3).character(person.id)) < NEAR
