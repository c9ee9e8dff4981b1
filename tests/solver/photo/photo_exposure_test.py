"""Dark pictures are brightened before networks look at them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from solver.body.catalog import DEFAULT_BODY, load_body
from solver.photo.estimate import estimate_people
from solver.photo.exposure import well_lit
from solver.photo.image_file import load_image

TWO = Path(__file__).parents[2] / "data" / "photos" / "two_people.jpg"


def test_a_dark_picture_is_brightened_with_its_colours_kept() -> None:
    dark = np.full((40, 60, 3), (20, 10, 5), np.uint8)
    assert well_lit(dark)[0, 0].tolist() == [230, 115, 57]


def test_a_lamp_in_the_dark_stays_white() -> None:
    dark = np.full((400, 600, 3), 30, np.uint8)
    dark[:20, :20] = 255
    lit = well_lit(dark)
    assert lit[300, 300].tolist() == [230, 230, 230]
    assert lit[10, 10].tolist() == [255, 255, 255]


@pytest.mark.parametrize("level", [0, 120, 255])
def test_a_black_picture_and_one_that_is_light_enough_stay_as_they_are(level: int) -> None:
    picture = np.full((400, 600, 3), level, np.uint8)
    assert well_lit(picture) is picture


@pytest.mark.slow
def test_people_are_found_in_a_picture_that_is_nearly_black(tmp_path: Path) -> None:
    far = Image.new("RGB", (640, 480), (150, 160, 140))
    with Image.open(TWO) as photo:
        far.paste(photo.convert("RGB").resize((160, 160 * photo.height // photo.width)), (200, 200))
    far.save(tmp_path / "far.png")
    image = load_image(tmp_path / "far.png")
    dark = replace(image, rgb=(image.rgb * 0.05).astype(np.uint8))
    assert len(estimate_people(dark, load_body(DEFAULT_BODY)).people) == 2
