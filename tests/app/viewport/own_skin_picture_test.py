"""The user's own character in pictures that are drawn without the window, and in small ones of poses."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize

from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.services.settings import SettingsStore
from app.viewport.picture import draw
from app.viewport.thumbnails import Thumbnails, around
from rendering.camera.camera import OrbitCamera
from rendering.scene.style import Style
from scripts.robot import robot_glb

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("qapp")]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = tmp_path_factory.mktemp("mine") / "robot.glb"
    path.write_bytes(robot_glb(fine=3))
    edit = open_file(path).edit
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


def test_a_small_picture_of_a_pose_shows_it_too(document: Document, store: SettingsStore) -> None:
    store.set(look="suit")
    (person,) = document.characters
    thumbnails = Thumbnails(store)
    try:
        seen = around((person,), OrbitCamera(), QSize(120, 160))
        assert orange(thumbnails.draw(person, seen, (120, 160))) > 100
    finally:
        thumbnails.close()
