"""A box in which nobody is seen: round somebody of the scene it is that person's, else a figure fills it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.document import edits
from app.document.exchange import person_in_photo
from app.document.exchange.people import RecoveryOptions
from app.document.exchange.person_in_photo import box_of_character, find_in_box
from app.document.model.document import Document, Photo
from app.document.posing.create import new_character, new_document
from solver.camera import PinholeCamera
from solver.photo.image_file import load_image
from solver.photo.sighting import Sighting

pytestmark = pytest.mark.slow
CAMERA = PinholeCamera(np.float32([0.0, 1.0, 4.0]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))


@pytest.fixture
def plain(tmp_path: Path) -> Document:
    """Two people in front of a plain picture, one behind the camera, and one beside it."""
    path = tmp_path / "green.png"
    Image.new("RGB", (800, 600), (20, 160, 60)).save(path)
    document = edits.add_photo(Photo(str(path), load_image(path).sha256, CAMERA))(new_document())
    for shift in ([0.8, 0.0, 0.0], [0.0, 0.0, 9.0]):
        added = new_character(document)
        document = edits.chain(edits.add_character(added), edits.move_character(added.id, shift))(document)
    return document


def test_a_box_round_somebody_is_that_person_s_and_changes_nothing(plain: Document) -> None:
    _, second, _ = plain.characters
    found = find_in_box(plain, box_of_character(second, CAMERA), "anny", RecoveryOptions())
    assert (found.there, found.seen) == (second.id, False)
    assert found.edit(plain) is plain


def test_a_box_elsewhere_or_round_somebody_who_is_hidden_gets_a_figure(plain: Document) -> None:
    _, second, _ = plain.characters
    box = box_of_character(second, CAMERA)
    hidden = plain.with_character(replace(second, visible=False))
    for document, place in ((plain, (30.0, 60.0, 120.0, 330.0)), (hidden, box)):
        found = find_in_box(document, place, "anny", RecoveryOptions())
        assert found.there == ""
        assert len(found.edit(document).characters) == 4


def test_people_of_another_photo_of_the_scene_are_not_taken_to_be_known_in_this_one(
    plain: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[int] = []

    def nobody(_rgb: object, _box: object, others: Sequence[object]) -> None:
        known.append(len(others))

    monkeypatch.setattr(person_in_photo, "person_in_box", nobody)
    first, second, _ = plain.characters
    here, elsewhere = (replace(plain.photos[0], sha256=sha) for sha in (plain.photos[0].sha256, "0" * 64))
    seen = replace(plain, photos=(here, elsewhere)).with_character(replace(second, sighting=Sighting("0" * 64, ())))
    for document in (plain, seen):
        find_in_box(document, box_of_character(second, CAMERA), "anny", RecoveryOptions())
        person_in_photo.read_again(document, first.id, RecoveryOptions())
    assert known == [2, 1, 1, 0]
