"""Whoever is asked to be turned far from the base pose meets what is asked, legs stretched and the floor solid."""

from __future__ import annotations

import numpy as np
import pytest
from document_samples import given_effectors

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from app.library.folders import shipped_folder
from solver.effectors.kinds import Position
from solver.formats.pose_json.write import read_pose_json
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

ENDS = ("pelvis", "left_ankle", "right_ankle", "left_wrist", "right_wrist", "head")
LEGS = ENDS[:3]
TURNS = {
    "handstand": ((3.13, 0.0, 0.0), 1.1),
    "on_the_back": ((-1.57, 0.0, 0.0), 0.25),
    "aside": ((0.0, 0.0, 1.57), 0.4),
}


def asked(document: Document, targets: dict[str, np.ndarray]) -> Document:
    """The person, asked for the places of these joints alone, and solved."""
    effectors = [Position(joint, np.float32(at), id=joint) for joint, at in targets.items()]
    return edits.solve("c1")(given_effectors("c1", effectors)(document))


def missed_mm(document: Document, targets: dict[str, np.ndarray]) -> dict[str, float]:
    skeleton, places = skeleton_of(document.characters[0]), joints_of(document.characters[0]).positions
    return {j: 1000 * float(np.linalg.norm(places[skeleton.index(j)] - at)) for j, at in targets.items()}


@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("turn", TURNS)
def test_a_standing_body_as_it_is_and_turned_is_met_at_both_ends(turn: str, solver: str) -> None:
    document = edits.set_solver("c1", solver)(new_document())
    person = document.characters[0]
    about, height = TURNS[turn]
    rotations = person.pose.rotations.copy()
    rotations[0] = from_rotation_vector(np.array(about)).astype(np.float32) @ rotations[0]
    pose = Pose(np.float32([0.0, height, 0.0]), rotations)
    world = forward_kinematics(skeleton_of(person), pose)
    targets = {joint: world.positions[skeleton_of(person).index(joint)] for joint in ENDS}
    assert max(missed_mm(asked(document, targets), targets).values()) < 1.0


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_legs_that_somebody_who_kneels_puts_up_do_not_take_the_pelvis_along(solver: str) -> None:
    document = edits.set_solver("c1", solver)(new_document())
    pose = read_pose_json(shipped_folder() / "Kneeling" / "Kneel upright.json")
    document = take_pose("c1", pose, Taking())(document)
    place = np.array([0.0, 0.45, 0.0])
    up = {side: place + [0.08 * way, 0.84, 0.0] for side, way in (("left", 1.0), ("right", -1.0))}
    targets = {"pelvis": place, **{f"{side}_ankle": at for side, at in up.items()}}
    assert missed_mm(asked(document, targets), targets)["pelvis"] < 1.0
