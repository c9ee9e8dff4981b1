"""Targets on rays through a photo name it by its number, which changes when photos are chosen or removed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document import edits
from app.document.model.document import Document, Photo
from app.document.posing.create import new_document
from solver.camera import PinholeCamera
from solver.effectors.sources import RaySource

CAMERA = PinholeCamera(np.float32([0, 1.2, 4.0]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))


def test_rays_through_photos_stay_with_their_photo_when_another_is_chosen_or_one_is_removed() -> None:
    document = new_document()
    for name in ("one.jpg", "two.jpg", "three.jpg"):
        document = edits.add_photo(Photo(name, "0" * 64, CAMERA))(document)
    (person,) = document.characters
    for effector, photo in zip(person.effectors, (0, 1, 2, 7), strict=False):
        ray = RaySource((10.0, 20.0), 2.0, photo)
        document = edits.on_effector(person.id, effector.id, lambda e, ray=ray: replace(e, source=ray))(document)

    def through(document: Document) -> list[str | int | None]:
        sources = [effector.source for effector in document.characters[0].effectors[:4]]
        return [
            None if s is None else document.photos[s.photo].path if s.photo < len(document.photos) else s.photo
            for s in sources
        ]

    assert through(document) == ["one.jpg", "two.jpg", "three.jpg", 7]
    chosen = edits.choose_photo(2)(document)
    assert chosen.photo.path == "three.jpg"
    assert through(chosen) == ["one.jpg", "two.jpg", "three.jpg", 7]
    assert through(edits.set_photo(None)(chosen)) == ["one.jpg", "two.jpg", None, 7]
