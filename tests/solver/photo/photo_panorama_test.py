"""A picture that is many times as long as high: people in it are looked for in squares of its whole height."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from solver.photo.detection.people2d import find_people
from solver.photo.detection.tiles import downscaled_for_search, tile_boxes

TWO = Path(__file__).resolve().parents[2] / "data" / "photos" / "two_people.jpg"
HEIGHT = 300


@pytest.mark.slow
def test_people_in_a_panorama_are_found() -> None:
    photo = Image.open(TWO).convert("RGB")
    photo = photo.resize((HEIGHT * photo.width // photo.height, HEIGHT))
    panorama = Image.new("RGB", (11 * HEIGHT, HEIGHT), (130, 140, 150))
    panorama.paste(photo, (7 * HEIGHT, 0))
    people = find_people(np.asarray(panorama))
    assert len(people) == 2
    assert all(7 * HEIGHT < person.pixels[0, 0] < 7 * HEIGHT + photo.width for person in people)


@pytest.mark.parametrize("size", [(3000, 250), (250, 3000)])
def test_squares_of_the_whole_height_cover_a_panorama_and_overlap(size: tuple[int, int]) -> None:
    squares = [box for box in tile_boxes(*size) if box[2] - box[0] == box[3] - box[1] == min(size)]
    along = int(size[1] > size[0])
    ends = sorted((box[along], box[along + 2]) for box in squares)
    assert ends[0][0] == 0
    assert ends[-1][1] == max(size)
    assert all(after[0] < before[1] - 25 for before, after in pairwise(ends))


def test_other_pictures_have_no_such_squares() -> None:
    assert not [box for box in tile_boxes(1000, 420) if box[2] - box[0] == 420]


@pytest.mark.parametrize(("size", "factor"), [((4096, 3072), 4), ((4096, 358), 1), ((2000, 1500), 1), ((300, 4096), 1)])
def test_a_panorama_is_not_made_smaller_than_the_detector_needs_it(size: tuple[int, int], factor: int) -> None:
    small, by = downscaled_for_search(Image.new("RGB", size))
    assert by == factor
    assert small.width == pytest.approx(size[0] / factor, abs=1)
