"""What networks saw of a person stays with it: from the photo into the document, through edits, into the file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from copies import copy_of
from PIL import Image

from app.document import edits
from app.document.exchange.people import RecoveryOptions, people_edit
from app.document.model.document import Document
from app.document.model.history import History
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.hand_presets import preset_hands
from solver.camera import PinholeCamera
from solver.effectors.kinds import Position
from solver.effectors.sources import JointSource
from solver.errors import InputRefused
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.least_squares import Fit
from solver.photo.image_file import load_image
from solver.photo.people import EstimatedPerson
from solver.photo.sighting import Sighting, sighting_of

WRIST, BODY = 15, load_body(DEFAULT_BODY)


def looked_at() -> Landmarks:
    """Two looks at somebody: the left wrist is 6 pixels to the left of the middle in one and 6 to the right in the
    other, and 0.3 m behind the hips, give or take 0.09 m."""
    middle, world, spread = np.full((39, 2), 20.0), np.zeros((33, 3)), np.zeros((33, 3))
    world[WRIST, 2], spread[WRIST, 2] = 0.3, 0.09
    aside = np.zeros((39, 2))
    aside[WRIST, 0] = 6.0
    looks = tuple(Landmarks(0.9, middle + way * aside, np.ones(33), world) for way in (-1, 1))
    return Landmarks(0.9, middle, np.full(33, 0.75), world, spread, looks)


@pytest.fixture
def document(tmp_path: Path) -> Document:
    """Somebody from a photo."""
    path = tmp_path / "team.png"
    Image.new("RGB", (64, 48), "grey").save(path)
    (model,) = new_document().characters
    root, turns = model.pose.root_position.astype(float), model.pose.rotations.astype(float)
    fit = Fit(root, turns, np.zeros(10))
    person = EstimatedPerson(0.9, (0.0, 0.0, 9.0, 9.0), model.shape, model.pose, looked_at(), fit, on_floor=True)
    camera = PinholeCamera([0, 1.2, 4], np.eye(3), 60.0, (32.0, 24.0), (64, 48))
    result = SimpleNamespace(camera=camera, people=(person,))
    return people_edit(load_image(path), result, recovery=RecoveryOptions(2, 0.0))(Document())  # type: ignore[arg-type]


def sighting(document: Document, number: int = 0) -> Sighting:
    found = document.characters[number].sighting
    assert found is not None
    return found


def test_a_person_from_a_photo_keeps_the_landmarks_and_how_far_looks_disagreed(document: Document) -> None:
    assert document.photo is not None
    assert sighting(document).photo == document.photo.sha256
    wrist, knee = (sighting(document).by_mark[mark] for mark in (WRIST, 25))
    assert (wrist.name, wrist.pixel, wrist.confidence) == ("left_wrist", (20.0, 20.0), 0.75)
    assert (wrist.depth, wrist.pixel_spread, wrist.depth_spread) == (0.3, 6.0, 0.09)
    assert (knee.pixel_spread, knee.depth_spread) == (0.0, 0.0)


def test_a_single_look_has_no_spread() -> None:
    one = sighting_of(replace(looked_at(), spread=None, looks=()), "0" * 64).by_mark[WRIST]
    assert one.pixel_spread is None
    assert one.depth_spread is None


def test_posing_undoing_copying_and_deleting_carry_it(document: Document) -> None:
    history, (person,) = History(document), document.characters
    history.apply("Move", edits.move_character(person.id, [1.0, 0.0, 0.0]))
    history.apply("Copy", edits.add_character(copy_of(history.document, person.id)))
    assert [c.sighting for c in history.document.characters] == [person.sighting] * 2
    history.apply("Remove", edits.remove_character(person.id))
    history.undo()
    assert sighting(history.document) == person.sighting
    history.undo()
    history.undo()
    assert history.document == document


def test_a_scene_file_keeps_it_with_what_a_newer_program_added(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, document)
    assert load_scene(path) == document
    scene = json.loads(path.read_text())
    saved = scene["characters"][0]["sighting"]
    saved["network"] = "of tomorrow"
    saved["points"][0]["mood"] = "calm"
    path.write_text(json.dumps(scene))
    save_scene(path, load_scene(path))
    again = json.loads(path.read_text())["characters"][0]["sighting"]
    assert again == saved


def test_a_limb_that_was_flipped_is_decided_for_good_and_in_the_file(document: Document, tmp_path: Path) -> None:
    (person,) = document.characters
    once = edits.set_reading(person.id, person.pose, "left_wrist")(document)
    assert sighting(once).decided == ("left_elbow",)
    twice = edits.set_reading(person.id, person.pose, "left_elbow")(once)
    both = edits.set_reading(person.id, person.pose, "right_ankle")(twice)
    assert sighting(both).decided == ("left_elbow", "right_knee")
    assert replace(sighting(both), decided=()) == sighting(document)
    save_scene(tmp_path / "scene.json", both)
    assert load_scene(tmp_path / "scene.json") == both


def test_a_flip_decides_nothing_for_a_person_from_no_photo() -> None:
    start = new_document()
    (person,) = start.characters
    assert edits.set_reading(person.id, person.pose, "left_wrist")(start) == edits.set_pose(person.id, person.pose)(
        start
    )


def test_a_scene_without_it_opens(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, document)
    scene = json.loads(path.read_text())
    del scene["characters"][0]["sighting"], scene["photos"][0]["focal_from"]
    path.write_text(json.dumps(scene))
    found = load_scene(path)
    assert found.characters[0].sighting is None
    assert found.photo is not None
    assert found.photo.focal_from == "unknown"


def test_what_is_no_sighting_is_refused_by_its_place(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, document)
    scene = json.loads(path.read_text())
    scene["characters"][0]["sighting"]["points"][3]["confidence"] = "high"
    path.write_text(json.dumps(scene))
    with pytest.raises(InputRefused, match=r"characters\[0\]\.sighting\.points\[3\]\.confidence"):
        load_scene(path)


def test_another_file_of_the_photo_keeps_what_was_seen_in_it(document: Document) -> None:
    moved = edits.relink_photo("/elsewhere/team.png", document.photo.sha256)(document)
    assert moved.characters == document.characters, "the same picture elsewhere"
    again = edits.relink_photo("/elsewhere/team.png", "a" * 64)(document)
    assert sighting(again).photo == "a" * 64
    assert sighting(again).points == sighting(document).points


def test_what_was_seen_is_turned_round_with_the_person_and_twice_is_as_before(document: Document) -> None:
    (person,) = document.characters
    turned = edits.set_turned_round(person.id, person.pose)(document)
    wrist = sighting(turned).by_mark[WRIST + 1]
    assert (wrist.name, wrist.pixel, wrist.depth) == ("right_wrist", (20.0, 20.0), -0.3)
    again = sighting(edits.set_turned_round(person.id, person.pose)(turned))
    assert again.by_mark == sighting(document).by_mark


def test_fingers_change_sides_with_a_person_who_is_turned_round_unless_something_is_held(document: Document) -> None:
    fist, flat = preset_hands("fist", BODY), preset_hands("flat", BODY)
    held = fist.mixed(flat, sides=(1,))
    (person,) = edits.set_hands(document.characters[0].id, held)(document).characters
    posed = document.with_character(person)
    (turned,) = edits.set_turned_round(person.id, person.pose)(posed).characters
    assert turned.hands is not None
    np.testing.assert_allclose(turned.hands.rotations, flat.mixed(fist, sides=(1,)).rotations, atol=2e-2)
    (again,) = edits.set_turned_round(person.id, person.pose)(posed.with_character(turned)).characters
    np.testing.assert_allclose(again.hands.rotations, held.rotations, atol=1e-5)
    tied = replace(
        person, effectors=(Position("left_wrist", np.float32([0, 1, 0]), source=JointSource(person.id, "head")),)
    )
    (kept,) = edits.set_turned_round(person.id, person.pose)(posed.with_character(tied)).characters
    assert kept.hands == person.hands


def test_a_person_not_seen_in_the_photo_behind_the_scene_is_turned_alone(document: Document) -> None:
    nobody = new_document()
    (person,) = nobody.characters
    assert edits.set_turned_round(person.id, person.pose)(nobody).characters[0].sighting is None
    elsewhere = replace(sighting(document), photo="0" * 64)
    (seen,) = document.characters
    other = document.with_character(replace(seen, sighting=elsewhere))
    assert sighting(edits.set_turned_round(seen.id, seen.pose)(other)) == elsewhere
