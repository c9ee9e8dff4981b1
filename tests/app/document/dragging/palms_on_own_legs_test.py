"""A hand laid on the person's own shin or knee is brought there by the arm, by its palm, and the trunk hardly leans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, facing_patch, laid_patch, on_patch, patches_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from solver.effectors.sources import Source
from solver.ik.memory import Memory
from solver.ik.problem import Residual
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import SIDES

SEAT = np.array([0.0, 0.11, -0.35])  # metres, of the pelvis of who sits on the floor
STEPS = 12


def solved(document: Document, memories: dict[str, Memory]) -> tuple[Document, tuple[Residual, ...]]:
    (person,) = document.characters
    answer = answers_of((person,), memories, surroundings=surroundings_of(document, [person]))["c1"]
    memories["c1"] = answer.solution.memory
    return document.with_character(with_solution(person, answer.solution, answer.effectors)), answer.solution.residuals


def sitting() -> tuple[Document, dict[str, Memory]]:
    """Somebody whose pelvis was dragged to the floor behind their feet."""
    document = edits.set_solver("c1", "dls")(new_document())
    document = edits.add_effector("c1", new_effector(document.characters[0], "position", "pelvis"))(document)
    pelvis, memories = document.characters[0].effectors[-1], dict[str, Memory]()
    for share in np.linspace(0.0, 1.0, STEPS + 1)[1:]:
        target = (1.0 - share) * pelvis.target + share * SEAT
        document, _ = solved(edits.set_target("c1", pelvis.id, target.astype(np.float32))(document), memories)
    return document, memories


def degrees(person: Character, other: Character, joint: str) -> float:
    """By which a joint is turned from one pose to the other."""
    one, two = (joints_of(each).rotations[skeleton_of(each).index(joint)] for each in (person, other))
    return float(np.degrees(np.arccos(np.clip((np.trace(one.T @ two) - 1.0) / 2.0, -1.0, 1.0))))


@pytest.mark.parametrize(("hand", "onto"), [("right", "right_shin"), ("left", "left_knee")])
def test_who_sits_on_the_floor_and_lays_a_hand_on_the_leg_bends_the_arm_rather_than_the_trunk(
    hand: str, onto: str
) -> None:
    document, memories = sitting()
    before = document.characters[0]
    source, place, normal = on_patch(before, onto)
    palm = replace(contact_of(patches_of(before)[f"{hand}_palm"], place, normal), source=source)
    document, left = solved(edits.hold("c1", palm)(document), memories)
    after = document.characters[0]
    assert [left[i].state for i, e in enumerate(after.effectors) if e.kind == "contact"] == ["met"]
    assert degrees(before, after, "spine3") < 17.0
    assert degrees(before, after, f"{hand}_elbow") > 20.0


def test_a_hand_lies_on_the_own_leg_by_its_palm_though_its_back_is_turned_there_and_on_the_trunk_by_its_back() -> None:
    person = new_document().characters[0]
    wrist = skeleton_of(person).index("left_wrist")
    shin, _, ahead = on_patch(person, "left_shin")
    seat, _, behind = on_patch(person, "seat")
    for source, normal, name in ((shin, ahead, "left_palm"), (seat, behind, "left_back_of_hand")):
        out = joints_of(person).rotations[wrist] @ patches_of(person)["left_back_of_hand"].normal
        axis = np.cross(out, -normal)
        turn = from_rotation_vector(axis / np.linalg.norm(axis) * np.arccos(np.clip(-out @ normal, -1.0, 1.0)))
        rotations = person.pose.rotations.copy()
        parent = joints_of(person).rotations[skeleton_of(person).parents[wrist]]
        rotations[wrist] = parent.T @ turn @ parent @ rotations[wrist]
        turned = replace(person, pose=replace(person.pose, rotations=rotations))
        facing, laid = facing_patch(turned, "left_wrist", normal), laid_patch(turned, "left_wrist", source, normal)
        assert facing is not None
        assert laid is not None
        assert (facing.name, laid.name) == ("left_back_of_hand", name)


@pytest.mark.parametrize(
    ("joint", "fronts"), [("spine3", {"chest"}), ("spine1", {"belly"}), ("head", {"forehead", "chin"})]
)
def test_trunk_and_head_come_onto_an_own_knee_by_their_front_though_the_knee_faces_ahead(
    joint: str, fronts: set[str]
) -> None:
    person = new_document().characters[0]
    source, _, normal = on_patch(person, "left_knee")
    facing, laid = facing_patch(person, joint, normal), laid_patch(person, joint, source, normal)
    assert facing is not None
    assert laid is not None
    assert facing.name in ("back", "lower_back", "back_of_head")
    assert laid.name in fronts


@pytest.mark.parametrize("where", ["chest", "belly", "chin"])
@pytest.mark.parametrize("side", SIDES)
def test_a_leg_comes_onto_the_front_of_the_own_trunk_by_its_knee_though_the_calf_faces_it(
    where: str, side: str
) -> None:
    person = new_document().characters[0]
    source, _, normal = on_patch(person, where)
    facing, laid = (found(person, side, source, normal) for found in (by_facing, by_laying))
    assert (facing, laid) == (f"{side}_calf", f"{side}_knee")


def test_a_folded_leg_comes_onto_the_own_seat_by_its_calf() -> None:
    person = new_document().characters[0]
    rotations = person.pose.rotations.copy()
    rotations[skeleton_of(person).index("left_knee")] = from_rotation_vector(np.array([2.4, 0.0, 0.0]))
    kneeling = replace(person, pose=replace(person.pose, rotations=rotations))
    source, _, normal = on_patch(kneeling, "seat")
    assert by_laying(kneeling, "left", source, normal) == "left_calf"


def by_facing(person: Character, side: str, _source: Source, normal: np.ndarray) -> str:
    found = facing_patch(person, f"{side}_knee", normal)
    assert found is not None
    return found.name


def by_laying(person: Character, side: str, source: Source, normal: np.ndarray) -> str:
    found = laid_patch(person, f"{side}_knee", source, normal)
    assert found is not None
    return found.name
