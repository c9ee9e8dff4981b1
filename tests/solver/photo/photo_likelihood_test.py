"""How sure the program says it is of somebody in a photo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import landmarks_of, lens_of, level_camera, natural
from PIL import Image, ImageDraw

from app.document.exchange.preselection import SURE_FROM
from solver.photo.detection.blazepose import Face, Landmarks
from solver.photo.likelihood import likelihood
from solver.photo.one_colour import colour_spread

SIZE = lens_of(level_camera()).image_size
PLAIN = np.full((*SIZE[::-1], 3), 128, np.uint8)
MARBLE, COPPER, SKIN, JEANS, RED = (200, 198, 195), (95, 130, 120), (205, 150, 120), (50, 60, 110), (180, 40, 40)

Colour = tuple[int, int, int]


def seen(presence: float = 1.0, apart: float = 0.0, depth: float = 1.0) -> Landmarks:
    """Somebody upright. presence: share of looks that saw them. apart: pixels between two looks."""
    one = landmarks_of(natural(1, spread=0.3), level_camera(), pixel=0.0)
    one = replace(one, world=one.world * [depth, depth, 1.0])
    looks = tuple(replace(one, pixels=one.pixels + [side * apart / 2, 0.0]) for side in (-1.0, 1.0))
    return replace(one, presence=presence, looks=looks)


def test_looks_that_agree_are_sure_and_presence_alone_is_not() -> None:
    assert likelihood(seen(), PLAIN) > 0.95
    assert likelihood(seen(presence=0.9, apart=500.0), PLAIN) < SURE_FROM, "looks are far apart"
    assert likelihood(seen(presence=0.95, depth=0.4), PLAIN) < 0.1, "nobody is so short"


def test_a_face_speaks_for_somebody_and_a_tiny_one_does_not() -> None:
    unsure = seen(presence=0.9, apart=500.0)
    points = np.random.default_rng(0).uniform(0.0, 60.0, (468, 3))
    with_face = replace(unsure, face=Face(1.0, points))
    assert likelihood(with_face, PLAIN) > likelihood(unsure, PLAIN) + 0.1
    assert likelihood(replace(unsure, face=Face(1.0, points / 10)), PLAIN) == likelihood(unsure, PLAIN)
    assert likelihood(replace(unsure, face=Face(0.1, points)), PLAIN) == likelihood(unsure, PLAIN)


def pictured(person: Landmarks, head: Colour, shirt: Colour, legs: Colour, garden: bool = True) -> NDArray[np.uint8]:
    """Somebody in three colours, lit from one side, before a garden below the sky, or before a grey wall."""
    picture = Image.fromarray(PLAIN)
    draw = ImageDraw.Draw(picture)
    if garden:
        draw.rectangle((0, 0, SIZE[0], SIZE[1] // 2), fill=(110, 160, 225))
        draw.rectangle((0, SIZE[1] // 2, *SIZE), fill=(70, 120, 50))
    at = person.pixels
    wide = round(0.08 * float(np.linalg.norm(np.ptp(at[:33], axis=0))))
    for colour, lines in (
        (shirt, ((11, 12, 24, 23, 11), (11, 13, 15), (12, 14, 16), (11, 24), (12, 23))),
        (legs, ((23, 25, 27), (24, 26, 28))),
        (head, ((0, 0),)),
    ):
        for line in lines:
            draw.line([tuple(at[mark]) for mark in line], fill=colour, width=wide)
    x, y = at[[0, 7, 8]].mean(axis=0)
    draw.ellipse((x - wide, y - wide, x + wide, y + wide), fill=head)
    light = np.linspace(0.45, 1.1, SIZE[0])[:, None]
    return np.asarray((np.asarray(picture) * light).clip(0, 255).astype(np.uint8))


@pytest.mark.parametrize("stone", [MARBLE, COPPER])
def test_a_statue_among_colours_is_offered_without_a_tick(stone: Colour) -> None:
    person = seen()
    assert likelihood(person, pictured(person, stone, stone, stone)) < SURE_FROM / 2


@pytest.mark.parametrize("shirt", [MARBLE, COPPER, RED])
def test_whoever_wears_clothes_of_other_colours_than_their_skin_is_no_statue(shirt: Colour) -> None:
    person = seen()
    assert likelihood(person, pictured(person, SKIN, shirt, JEANS)) > 0.99


def test_a_grey_photo_says_nothing_of_colours_nor_does_somebody_undressed() -> None:
    person = seen()
    grey = pictured(person, MARBLE, MARBLE, MARBLE, garden=False)
    assert colour_spread(grey, person) is None
    assert colour_spread(pictured(person, SKIN, SKIN, SKIN), person) is None
    assert likelihood(person, grey) > 0.95


def test_somebody_mostly_beyond_the_border_may_be_of_any_colour() -> None:
    person = seen()
    away = replace(person, pixels=person.pixels + [10.0 * SIZE[0], 0.0])
    assert colour_spread(pictured(person, MARBLE, MARBLE, MARBLE), away) is None
