"""A figure in front of a picture without people: natural in size, its feet in the lower part, seen from eye height."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from app.document.exchange.backdrop import backdrop_edit
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.posing.solving import joints_of
from app.document.scene_file.io import load_scene, save_scene
from solver.photo.image_file import load_image


@pytest.mark.parametrize("size", [(640, 480), (480, 640), (1600, 400), (200, 1200)])
@pytest.mark.parametrize("lens", [0.5, 1.2, 4.0])  # focal length by the picture's diagonal: wide, usual, long
def test_the_figure_stands_in_the_middle_with_its_feet_in_the_lower_part(tmp_path, size, lens) -> None:
    Image.new("RGB", size, "grey").save(tmp_path / "wall.png")
    image = load_image(tmp_path / "wall.png")
    document = backdrop_edit(image, lens * float(np.hypot(*size)))(Document())
    (figure,) = document.characters
    assert document.photo is not None
    points = document.photo.camera.project(joints_of(figure).positions) / size
    assert 0.02 < points.min() < points.max() < 0.98, "whole in the picture"
    assert points[0, 0] == pytest.approx(0.5, abs=0.02)
    assert 0.8 < points[:, 1].max() < 0.9
    tall = np.ptp(points[:, 1])
    assert 0.15 < tall < 0.7
    assert tall > 0.55 or size[0] < size[1] / 2
    assert document.photo.camera.position[1] == pytest.approx(1.5)
    save_scene(tmp_path / "s.json", document)
    assert load_scene(tmp_path / "s.json") == document


def test_whoever_is_there_stays_as_he_is(tmp_path) -> None:
    Image.new("RGB", (64, 48), "grey").save(tmp_path / "wall.png")
    before = new_document()
    after = backdrop_edit(load_image(tmp_path / "wall.png"), 60.0)(before)
    assert after.characters[0] is before.characters[0]
    assert len(after.characters) == 2
