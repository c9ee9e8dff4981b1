"""Handles with the tolerance of an estimate: they are as firm as it was sure, until somebody moves them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from window_driver import until

from app.document import edits
from app.document.in_photo.unsure_joints import unsure_joints
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from app.services.background.effector_recovery import EffectorRecovery
from app.services.background.jobs import Jobs
from app.services.session import Session
from solver.camera import PinholeCamera
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.photo.refit import marked_points
from solver.photo.sighting import NAMES, SeenPoint, Sighting
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


@pytest.fixture
def read_off() -> Document:
    """A person whom networks saw in a photo just as they are, each point 4 px unsure and 5 cm in depth."""
    camera = PinholeCamera(np.float32([0.0, 1.0, 4.0]), np.eye(3, dtype=np.float32), 800.0, (400.0, 300.0), (800, 600))
    document = edits.set_photo(Photo("gone.png", "a" * 64, camera))(new_document())
    (person,) = document.characters
    marks = marked_points(body_of(person), person.shape, person.pose, camera, by_networks=True)
    at = dict(zip(marks.landmark.tolist(), marks.pixels.tolist(), strict=True))
    points = tuple(SeenPoint(name, tuple(at[mark]), 0.9, 0.0, 4.0, 0.05) for mark, name in NAMES.items())
    return document.with_character(replace(person, sighting=Sighting("a" * 64, points)))


def test_joints_are_as_unsure_as_the_photo_that_they_were_read_off(read_off: Document) -> None:
    (person,) = read_off.characters
    unsure = unsure_joints(person, read_off)
    assert unsure[WRIST] == pytest.approx((4.0 * 4.0 / 800.0 + 0.25 * 0.05) / 10**0.5, rel=0.05)
    assert {HEAD, ELBOW, "pelvis", "left_foot", "left_hand"} <= unsure.keys()
    wrist = next(e for e in person.effectors if e.joint == WRIST)
    raised = edits.solve(person.id)(edits.set_target(person.id, wrist.id, wrist.target + [0.0, 0.5, 0.0])(read_off))
    moved = unsure_joints(raised.characters[0], raised)
    assert WRIST not in moved, "it is where somebody wants it"
    assert moved["left_wrist"] == pytest.approx(unsure["left_wrist"], rel=0.05)


def test_points_put_by_hand_are_unsure_in_depth_alone_and_without_a_spread_nothing_is_known(read_off: Document) -> None:
    (person,) = read_off.characters
    sighting = person.sighting
    assert sighting is not None

    def unsure(**changed: float | None) -> dict[str, float]:
        points = tuple(replace(point, **changed) for point in sighting.points)  # type: ignore[arg-type]
        return unsure_joints(replace(person, sighting=replace(sighting, points=points)), read_off)

    assert unsure(pixel_spread=None)[WRIST] == pytest.approx(0.25 * 0.05 / 10**0.5)
    assert unsure(confidence=0.2)[WRIST] == pytest.approx(2 * unsure()[WRIST])
    assert unsure(depth_spread=None) == {}
    assert unsure_joints(replace(person, sighting=None), read_off) == {}
    assert unsure_joints(person, edits.set_photo(None)(read_off)) == {}


def test_effectors_recovered_again_of_a_person_from_a_photo_are_as_firm_as_it_is_sure(
    session: Session, read_off: Document
) -> None:
    session.open(read_off)
    jobs = Jobs()
    EffectorRecovery(session, jobs, lambda _said: None).recover(3, 0.001)
    until(lambda: session.history.undo_text == "Recover effectors", 110_000)
    found = [e for e in session.document.characters[0].effectors if e.kind == "position"]
    assert found
    assert all(e.estimated and 0 < e.tolerance < 1 for e in found)
    jobs.stop()
