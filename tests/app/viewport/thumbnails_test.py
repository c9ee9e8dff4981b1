"""Small pictures of people, as galleries and the library show them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize

from app.document.posing.create import new_document
from app.services.settings import SettingsStore
from app.viewport.thumbnails import Thumbnails, around
from rendering.camera.camera import OrbitCamera
from rendering.scene.theme import THEMES, rgb

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("qapp")]
SIZE = (60, 90)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_silhouettes_stand_off_from_the_theme_in_small_pictures(store: SettingsStore, theme: str) -> None:
    store.set(theme=theme, look="silhouette")
    person = new_document().characters[0]
    thumbnails = Thumbnails(store)
    picture = thumbnails.draw(person, around((person,), OrbitCamera(), QSize(*SIZE)), SIZE)
    thumbnails.close()
    body = picture[picture[..., 3] > 250][:, :3]
    assert len(body) > 200
    assert abs(body.mean() - 255 * sum(rgb(THEMES[theme].background_bottom)) / 3) > 60
