"""Targets of a document that come from another person's joint, a photo's pixel or a stream."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import two_new_people

from app.document import edits
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.placing import moved
from app.document.posing.solving import solved
from app.document.posing.sources import context_of, with_resolved_targets
from app.document.scene_file.io import load_scene, save_scene
from solver.camera import PinholeCamera
from solver.effectors.effector import Effector
from solver.effectors.resolve import Sample
from solver.effectors.sources import JointSource, RaySource, Source, StreamSource

HOLDING = JointSource("c1", "right_wrist", np.array([0.05, 0.0, 0.0], np.float32))


def tied(document: Document, source: Source, joint: str = "left_wrist") -> Document:
    """The document with the second person's effector on a joint tied to a source."""
    person = document.characters[1]
    effectors = tuple(
        replace(e, source=source, loose=False) if e.joint == joint and e.holds_joint else e for e in person.effectors
    )
    return document.with_character(replace(person, effectors=effectors))


def effector(character: Character, joint: str = "left_wrist") -> Effector:
    return next(e for e in character.effectors if e.joint == joint and e.holds_joint)


def place(character: Character, joint: str) -> np.ndarray:
    return joints_of(character).positions[skeleton_of(character).index(joint)]


def test_a_hand_tied_to_anothers_wrist_goes_where_that_goes() -> None:
    document = with_resolved_targets(tied(two_new_people(), HOLDING))
    first = document.characters[0]
    world, j = joints_of(first), skeleton_of(first).index("right_wrist")
    assert effector(document.characters[1]).target == pytest.approx(
        world.positions[j] + world.rotations[j] @ HOLDING.offset, abs=1e-6
    )
    away = document.with_character(moved(first, [0.4, 0.0, 0.0]))
    after = with_resolved_targets(away)
    shift = effector(after.characters[1]).target - effector(document.characters[1]).target
    assert shift == pytest.approx([0.4, 0, 0], abs=1e-5)
    assert after.characters[1].pose is away.characters[1].pose


def test_where_nothing_moved_it_is_the_same_document() -> None:
    plain = two_new_people()
    assert with_resolved_targets(plain) is plain
    document = with_resolved_targets(tied(plain, HOLDING))
    assert with_resolved_targets(document) is document


def test_the_body_reaches_what_its_target_follows() -> None:
    document = tied(two_new_people(), HOLDING)
    first, second = document.characters
    shift = place(second, "left_wrist") - place(first, "right_wrist") + [0.0, 0.15, 0.1]
    document = with_resolved_targets(document.with_character(moved(first, shift)))
    after = solved(document.characters[1])
    assert np.linalg.norm(place(after, "left_wrist") - effector(document.characters[1]).target) < 1e-3


def test_a_person_who_is_gone_leaves_the_target_where_it_was() -> None:
    document = with_resolved_targets(tied(two_new_people(), HOLDING))
    before = effector(document.characters[1])
    alone = edits.remove_character("c1")(document)
    assert with_resolved_targets(alone) is alone
    assert effector(alone.characters[0]) == before


def test_a_target_that_is_set_by_hand_follows_nothing_any_more() -> None:
    document = with_resolved_targets(tied(two_new_people(), HOLDING))
    person = document.characters[1]
    after = edits.set_target(person.id, effector(person).id, [1.0, 1.0, 1.0])(document)
    assert effector(after.characters[1]).source is None
    assert with_resolved_targets(after) is after


def test_a_loose_effector_stays_with_its_own_body() -> None:
    document = tied(two_new_people(), HOLDING)
    person = document.characters[1]
    loose = edits.make_loose(person.id, [effector(person).id])(document)
    assert with_resolved_targets(loose) is loose


def test_a_pixel_of_the_photo_is_a_point_on_its_ray() -> None:
    camera = PinholeCamera(
        np.array([0, 1, 5], np.float32), np.eye(3, dtype=np.float32), 800.0, (320.0, 240.0), (640, 480)
    )
    document = replace(
        tied(two_new_people(), RaySource((320.0, 240.0), 4.0)), photos=(Photo("a.png", "0" * 64, camera),)
    )
    assert effector(with_resolved_targets(document).characters[1]).target == pytest.approx([0, 1, 1], abs=1e-5)


def test_a_streams_newest_sample_is_taken_and_without_one_the_target_stays() -> None:
    document = tied(two_new_people(), StreamSource("tracker"))
    assert with_resolved_targets(document) is document
    samples = {"tracker": Sample(np.array([0.1, 1.2, 0.3]))}
    assert effector(with_resolved_targets(document, samples).characters[1]).target == pytest.approx([0.1, 1.2, 0.3])
    assert context_of(document, samples).figures == {}


def test_a_tie_is_saved_and_read_again(tmp_path: Path) -> None:
    document = with_resolved_targets(tied(two_new_people(), HOLDING))
    save_scene(tmp_path / "tied.json", document)
    again = load_scene(tmp_path / "tied.json")
    assert effector(again.characters[1]) == effector(document.characters[1])
    assert with_resolved_targets(again) is again
