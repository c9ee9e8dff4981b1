"""Handles with the tolerance of an estimate: they are as firm as it was sure, until somebody moves them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.solvers.effector_costs import with_tolerance

WRIST, ELBOW, HEAD = "right_wrist", "right_elbow", "head"


@pytest.fixture
def found() -> Document:
    """A person whose handles were found in a pose: the wrist is 10 cm unsure, the forearm's turn and the gaze 4°."""
    document = new_document()
    person = document.characters[0]
    skeleton, world = skeleton_of(person), joints_of(person)
    effectors = [
        kind.on(skeleton, joint, world) for kind, joint in ((Position, WRIST), (Rotation, ELBOW), (LookAt, HEAD))
    ]
    feet = [e for e in person.effectors if e.joint.endswith("ankle") and e.kind == "position"]
    return edits.set_recovered(person.id, [*(with_tolerance(e, {WRIST: 0.1}) for e in effectors), *feet])(document)


def on(document: Document, joint: str) -> tuple[Character, Effector]:
    person = document.characters[0]
    return person, next(e for e in person.effectors if e.joint == joint)


def test_a_hand_that_is_moved_goes_where_it_is_put_though_the_forearm_was_found_turned_otherwise(
    found: Document,
) -> None:
    person, wrist = on(found, WRIST)
    assert wrist.tolerance > 0.5
    goal = wrist.target + np.float32([0.05, 0.12, 0.1])
    moved = edits.solve(person.id)(edits.set_target(person.id, wrist.id, goal)(found))
    person, wrist = on(moved, WRIST)
    assert wrist.tolerance == 0
    assert joints_of(person).positions[skeleton_of(person).index(WRIST)] == pytest.approx(goal, abs=1e-3)
    assert on(moved, ELBOW)[1].tolerance > 0  # what nobody touched stays as sure as it was


def test_a_tolerance_that_the_user_chose_stays_when_the_handle_is_moved(found: Document) -> None:
    person, wrist = on(found, WRIST)
    chosen = edits.set_tolerance(person.id, wrist.id, 0.4)(found)
    moved = edits.set_target(person.id, wrist.id, wrist.target + 0.1)(chosen)
    assert on(moved, WRIST)[1].tolerance == 0.4


def test_a_contact_in_place_of_a_handle_that_was_found_is_strict(found: Document) -> None:
    person, wrist = on(found, WRIST)
    palm = next(patch for patch in patches_of(person).values() if patch.name == "right_palm")
    assert contact_of(palm, [0, 1, 0], [0, 1, 0], like=wrist).tolerance == 0
    assert contact_of(palm, [0, 1, 0], [0, 1, 0], like=replace(wrist, estimated=False)).tolerance == wrist.tolerance


def test_a_scene_that_is_opened_still_knows_which_tolerances_were_found(found: Document, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", found)
    opened = load_scene(tmp_path / "scene.json")
    assert on(opened, WRIST)[1].estimated
    ankle = on(opened, "left_ankle")[1]
    assert not ankle.estimated
