"""Who comes from a file that is dropped on a place stands there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only
from PIL import Image

from app.document import edits
from app.document.exchange.file_kind import json_kind, may_be_pose
from app.document.exchange.import_placement import placed_at
from app.document.model.document import Document, Photo
from app.document.model.history import Edit
from app.document.posing.create import new_document
from solver.camera import PinholeCamera

CAMERA = PinholeCamera(np.float32([0.0, 1.0, 4.0]), np.eye(3), 800.0, (320.0, 240.0), (640, 480))


def coming(*ids: str, photo: Photo | None = None) -> Edit:
    """An edit that adds people who stand where the first one does, maybe with a photo."""

    def arrived(document: Document) -> Document:
        for id in ids:
            document = edits.add_character(replace(only(new_document()), id=id, name=id))(document)
        return replace(document, photos=(*document.photos, photo)) if photo else document

    return arrived


def at(document: Document, id: str) -> np.ndarray:
    return np.asarray(document.character(id).pose.root_position, np.float64)


def test_one_person_stands_on_the_floor_at_the_place() -> None:
    after = placed_at(coming("new"), (3.0, 0.0, 2.0))(new_document())
    assert np.linalg.norm(at(after, "new")[[0, 2]] - (3.0, 2.0)) < 0.3


def test_people_who_come_together_keep_together_and_may_stand_on_something() -> None:
    before = coming("one", "two")(new_document())
    after = placed_at(coming("one", "two"), (3.0, 0.5, 2.0))(new_document())
    np.testing.assert_allclose(at(after, "one") - at(after, "two"), at(before, "one") - at(before, "two"), atol=1e-5)
    assert at(after, "one")[1] - at(before, "one")[1] == pytest.approx(0.5, abs=0.05)


def test_people_with_a_photo_stay_where_it_sees_them_and_nobody_lands_where_nobody_comes() -> None:
    photo = Photo("photo-9", "a.png", CAMERA)
    edit = coming("new", photo=photo)
    assert placed_at(edit, (3.0, 0.0, 2.0))(new_document()).character("new") == edit(new_document()).character("new")
    document = new_document()
    assert placed_at(lambda same: same, (3.0, 0.0, 2.0))(document) is document


def test_a_json_file_is_told_by_the_format_that_it_names() -> None:
    assert json_kind(b'{"format": "contrapposto-scene"') == "scene"
    assert json_kind(b'{"format": "contrapposto-pose"') == "pose"
    assert json_kind(b'{"format": "of-somebody-else"') == json_kind(b"[]") == "json"


def test_only_what_can_be_read_may_be_a_pose(tmp_path: Path) -> None:
    pose, scene, picture = tmp_path / "p.json", tmp_path / "s.json", tmp_path / "a.png"
    pose.write_text('{"format": "contrapposto-pose"}')
    scene.write_text('{"format": "contrapposto-scene"}')
    Image.new("RGB", (4, 4)).save(picture)
    assert [may_be_pose(path) for path in (pose, scene, picture, tmp_path / "gone.json")] == [True, False, False, False]
