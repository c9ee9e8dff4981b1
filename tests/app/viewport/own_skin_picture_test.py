"""The user's own character in pictures that are drawn without the window, and in small ones of poses."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_changes import changed
from motion_samples import strolling
from PIL import Image
from PySide6.QtCore import QObject, QSize

from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.exchange.own.own_reach import own_reach
from app.document.model.document import Document
from app.film.film import Film, reach_of
from app.library.pictures import SAVED, Pictures
from app.services.settings import SettingsStore
from app.viewport.picture import draw
from app.viewport.thumbnails import Thumbnails, around, fits
from rendering.camera.camera import OrbitCamera
from rendering.scene.style import Style

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("qapp")]


@pytest.fixture(scope="module")
def document(robot: Path) -> Document:
    edit = open_file(robot).edit
    assert edit is not None
    return edit(Document())


def orange(picture: np.ndarray) -> int:
    """How many pixels have the colour of its joints."""
    red, green, blue, opaque = picture.astype(int).transpose(2, 0, 1)
    return int(((red > 1.5 * green) & (green > 1.3 * blue) & (red > 90) & (opaque > 200)).sum())


def test_a_picture_shows_it_in_its_colours_or_our_body(document: Document) -> None:
    shown = draw(document, (200, 260), transparent=True, style=Style("suit"))
    ours = draw(edits.show_own_skin(document.characters[0].id, False)(document), (200, 260), transparent=True)
    assert orange(shown) > 300
    assert orange(ours) == 0, "clay"


def under_a_tall_helmet(robot: Path, folder: Path) -> Document:
    def taller(content: dict[str, Any]) -> None:
        next(node for node in content["nodes"] if node["name"] == "helmet")["scale"] = [1.0, 4.0, 1.0]

    path = folder / "tall.glb"
    path.write_bytes(robot.read_bytes())
    edit = open_file(changed(path, taller)).edit
    assert edit is not None
    return edit(Document())


def test_pictures_and_films_have_a_tall_helmet_wholly_in_view(robot: Path, tmp_path: Path) -> None:
    tall = under_a_tall_helmet(robot, tmp_path)
    drawn = draw(tall, (200, 200), transparent=True)[..., 3] > 0
    assert drawn.any()
    assert not drawn[0].any()
    moving = edits.import_motion(tall.characters[0].id, strolling(5))(tall)
    top = own_reach(tall.characters[0])[:, 1].max()
    assert top > 2.2
    assert reach_of(Film(), moving)[:, 1].max() == pytest.approx(top, abs=0.2)
    assert reach_of(Film(turntable=True), tall)[:, 1].max() == pytest.approx(top, abs=1e-6)


def test_a_small_picture_of_a_pose_shows_it_too(document: Document, store: SettingsStore) -> None:
    store.set(look="suit")
    (person,) = document.characters
    thumbnails = Thumbnails(store)
    try:
        seen = around((person,), OrbitCamera(), QSize(120, 160))
        assert orange(thumbnails.draw(person, seen, (120, 160))) > 100
    finally:
        thumbnails.close()


def test_small_pictures_have_a_tall_helmet_wholly_in_them(robot: Path, store: SettingsStore, tmp_path: Path) -> None:
    (person,) = under_a_tall_helmet(robot, tmp_path).characters
    owner = QObject()
    thumbnails, pictures = Thumbnails(store), Pictures(store, owner)
    try:
        seen = around((person,), OrbitCamera(), QSize(120, 160))
        drawn = thumbnails.draw(person, seen, (120, 160))
        assert fits(person, seen, QSize(120, 160))
        saved = np.asarray(Image.open(io.BytesIO(pictures.drawn((person,), SAVED))))
    finally:
        thumbnails.close()
        pictures.close()
    for picture in (drawn, saved):
        opaque = picture[..., 3] > 0
        assert opaque.any()
        assert not opaque[[0, -1]].any()
        assert not opaque[:, [0, -1]].any()


def test_a_tall_helmet_fills_the_picture_as_the_body_does(robot: Path, tmp_path: Path) -> None:
    tall = under_a_tall_helmet(robot, tmp_path)
    rows = np.flatnonzero((draw(tall, (200, 200), "front", transparent=True)[..., 3] > 0).any(axis=1))
    assert 2 <= rows[0] <= 12, "without room for flesh above it, which a skin has none of"
