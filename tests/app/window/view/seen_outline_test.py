"""The outline of the active person as the photo shows it: by its key, over that person, and away again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from sample_files import TWO_PEOPLE
from window_driver import active, strike, until

from app.document import edits
from app.document.model.document import Photo
from app.viewport.overlays.photo_matte import PhotoMatte
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.photo.image_file import load_image
from solver.photo.sighting import NAMES, SeenPoint, Sighting

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT, TOP, RIGHT, BOTTOM = 437.0, 58.0, 854.0, 661.0  # of one of the two people


@pytest.fixture
def seen(editor: Editor) -> Editor:
    """Somebody who was seen in the photo where one of two people is."""
    image = load_image(TWO_PEOPLE)
    width, height = image.size
    camera = PinholeCamera(
        np.float32([0, 1.2, 4.0]), np.eye(3, dtype=np.float32), 1.2 * width, (width / 2, height / 2), image.size
    )
    shares = np.random.default_rng(0).uniform((0.4, 0.15), (0.6, 0.95), (len(NAMES), 2))
    places = shares * (RIGHT - LEFT, BOTTOM - TOP) + (LEFT, TOP)
    points = tuple(SeenPoint(name, (float(x), float(y))) for name, (x, y) in zip(NAMES.values(), places, strict=True))
    person = replace(active(editor), sighting=Sighting(image.sha256, points))
    editor.session.edit("Photo", edits.set_photo(Photo(str(TWO_PEOPLE), image.sha256, camera)))
    editor.session.edit("Seen", lambda document: document.with_character(person))
    return editor


def test_its_key_draws_the_outline_of_the_active_person_and_takes_it_away(seen: Editor) -> None:
    strike(seen, Qt.Key.Key_I, SHIFT)
    assert seen.session.view.through_photo
    matte = seen.viewport.findChild(PhotoMatte)
    assert matte is not None
    until(lambda: matte.line is not None)
    drawn = np.array(matte.line.constBits()).reshape(matte.line.height(), matte.line.width(), 4)
    light = drawn[..., 0] > 200
    assert 0.002 < light.mean() < 0.2
    dark = (drawn[..., 3] > 100) & (drawn[..., :3].max(axis=-1) < 60)
    assert dark.mean() > 0.5 * light.mean(), "it shows on snow too"
    square = matte._square
    assert LEFT < square.center().x() < RIGHT
    assert TOP < square.center().y() < BOTTOM
    assert matte.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    strike(seen, Qt.Key.Key_0)
    until(lambda: not matte.isVisible())
    strike(seen, Qt.Key.Key_0)
    until(matte.isVisible)
    strike(seen, Qt.Key.Key_I, SHIFT)
    assert not matte.isVisible()
