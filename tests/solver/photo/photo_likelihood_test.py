"""How sure the program says it is of somebody in a photo."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import landmarks_of, lens_of, level_camera, natural
from PIL import Image, ImageDraw

from solver.kinematics.rotations import from_rotation_vector
from solver.photo.detection.blazepose import Face, Landmarks
from solver.photo.detection.plausibility import upper_certainty
from solver.photo.likelihood import judged
from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD
from solver.photo.likeness.body_pixels import BodyPixels, body_pixels
from solver.photo.likeness.drawing_cues import flat_colour_share, paper_colour, paper_share
from solver.photo.likeness.statue_cues import colour_spread, is_colour_picture

SIZE = lens_of(level_camera()).image_size
NOISE = np.random.default_rng(0).normal(0.0, 3.0, (*SIZE[::-1], 3))  # of a camera
PLAIN = (128 + NOISE).astype(np.uint8)
MARBLE, COPPER, SKIN, JEANS, RED = (200, 198, 195), (95, 130, 120), (205, 150, 120), (50, 60, 110), (180, 40, 40)
WHITE, BRONZE, TERRACOTTA, HAIR = (255, 255, 255), (110, 82, 52), (180, 98, 68), (50, 36, 28)
PLASTER, PALE, MOSS = (206, 206, 208), (232, 206, 184), (188, 206, 226)

Colour = tuple[int, int, int]


def seen(presence: float = 1.0, apart: float = 0.0, depth: float = 1.0) -> Landmarks:
    """Somebody upright. presence: share of looks that saw them. apart: pixels between two looks."""
    one = landmarks_of(natural(1, spread=0.3), level_camera(), pixel=0.0)
    one = replace(one, world=one.world * [depth, depth, 1.0])
    looks = tuple(replace(one, pixels=one.pixels + [side * apart / 2, 0.0]) for side in (-1.0, 1.0))
    return replace(one, presence=presence, looks=looks)


def test_looks_that_agree_are_sure_and_presence_alone_is_not() -> None:
    assert likelihood(seen(), PLAIN) > 0.95
    assert likelihood(seen(presence=0.9, apart=500.0), PLAIN) < LIKELIHOOD_THRESHOLD, "looks are far apart"
    assert likelihood(seen(presence=0.95, depth=0.4), PLAIN) < 0.1, "nobody is so short"


def test_people_near_the_camera_are_as_sure_as_those_far_away() -> None:
    far, focal = seen(presence=0.75), 800.0
    tilt = from_rotation_vector([0.8, 0.0, 0.0])  # seen from above, an arm's length off
    space = far.world @ tilt.T
    near = (focal * space[:, :2] / (0.9 + space[:, 2:])) + [400.0, 400.0]
    pixels = np.concatenate([near, far.pixels[33:]])
    person = replace(far, pixels=pixels, world=space, looks=2 * (replace(far, pixels=pixels),))
    assert likelihood(person, PLAIN) < 0.5
    assert likelihood(person, PLAIN, focal) >= LIKELIHOOD_THRESHOLD
    distant = replace(person, pixels=np.concatenate([200 * space[:, :2] + 400.0, far.pixels[33:]]))
    distant = replace(distant, looks=(distant, distant))
    assert likelihood(distant, PLAIN, focal) >= LIKELIHOOD_THRESHOLD


def face_of(person: Landmarks, presence: float = 1.0, off: float = 0.0, size: float = 60.0) -> Landmarks:
    """The person with such a face, its eyes off by a share of its size."""
    points = np.random.default_rng(0).uniform(-size / 2, size / 2, (468, 3))
    points[[33, 263], :2] = [[-size / 4, 0.0], [size / 4, 0.0]]
    points[:, :2] += person.pixels[[2, 5]].mean(axis=0) + [off * size, 0.0]
    return replace(person, face=Face(presence, points))


def test_a_face_speaks_for_somebody_and_a_tiny_one_does_not() -> None:
    unsure = seen(presence=0.9, apart=500.0)
    assert likelihood(face_of(unsure), PLAIN) > likelihood(unsure, PLAIN) + 0.1
    assert likelihood(face_of(unsure, size=6.0), PLAIN) == likelihood(unsure, PLAIN)
    assert likelihood(face_of(unsure, 0.1), PLAIN) == likelihood(unsure, PLAIN)


def test_a_face_beside_the_eyes_of_somebody_is_not_theirs() -> None:
    unsure = seen(presence=0.9, apart=500.0)
    assert likelihood(face_of(unsure, off=0.2), PLAIN) > likelihood(unsure, PLAIN) + 0.1
    assert likelihood(face_of(unsure, off=0.5), PLAIN) == likelihood(unsure, PLAIN)


@pytest.mark.slow
def test_a_clear_face_outweighs_a_body_of_which_little_is_sure() -> None:
    unsure = next(one for p in np.linspace(1, 0, 101) if upper_certainty(one := seen(presence=p, apart=60.0)) < 0.3)
    assert likelihood(unsure, PLAIN) < 0.1
    assert likelihood(face_of(unsure), PLAIN) >= LIKELIHOOD_THRESHOLD
    assert likelihood(face_of(unsure, 0.9), PLAIN) < LIKELIHOOD_THRESHOLD


def facing() -> Landmarks:
    """Somebody of whom eyes and mouth are seen too."""
    person = seen()
    pixels, up = person.pixels.copy(), np.array([0.0, 0.02 * float(np.linalg.norm(np.ptp(person.pixels[:33], axis=0)))])
    pixels[1:7], pixels[9:11] = pixels[0] - up, pixels[0] + up
    return replace(person, pixels=pixels)


def pictured(
    person: Landmarks,
    head: Colour,
    shirt: Colour,
    legs: Colour,
    garden: bool = True,
    drawn: bool = False,
    hair: Colour | None = None,
    bare: tuple[Colour, ...] = (),
) -> NDArray[np.uint8]:
    """Somebody in three colours, lit from one side, before a garden below the sky, or before a grey wall.

    drawn: with neither light nor noise. bare: of both forearms and both shins, if they differ.
    """
    picture = Image.new("RGB", SIZE, (128, 128, 128))
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
        *zip(bare, (((13, 15),), ((14, 16),), ((25, 27),), ((26, 28),)), strict=False),
    ):
        for line in lines:
            draw.line([tuple(at[mark]) for mark in line], fill=colour, width=wide)
    x, y = at[[0, 7, 8]].mean(axis=0)
    draw.ellipse((x - wide, y - wide, x + wide, y + wide), fill=head)
    if hair:
        draw.rectangle((x - wide, y - wide, x + wide, y - 0.4 * wide), fill=hair)
    if drawn:
        return np.asarray(picture)
    light = np.linspace(0.45, 1.1, SIZE[0])[:, None]
    return np.asarray((np.asarray(picture) * light + NOISE).clip(0, 255).astype(np.uint8))


def sketched(person: Landmarks, paper: Colour) -> NDArray[np.uint8]:
    """Somebody in lines on paper, with its grain."""
    picture = Image.new("RGB", SIZE, paper)
    draw = ImageDraw.Draw(picture)
    at, wide = person.pixels, 0.05 * float(np.linalg.norm(np.ptp(person.pixels[:33], axis=0)))
    for line in ((11, 13, 15), (12, 14, 16), (11, 23, 25, 27), (12, 24, 26, 28)):
        for aside in (-wide, wide):
            draw.line([(at[mark][0] + aside, at[mark][1]) for mark in line], fill=(40, 40, 45), width=2)
    return np.asarray((np.asarray(picture) + NOISE).clip(0, 255).astype(np.uint8))


@pytest.mark.parametrize("stone", [MARBLE, COPPER])
def test_a_statue_among_colours_is_offered_without_a_tick(stone: Colour) -> None:
    person = seen()
    assert likelihood(person, pictured(person, stone, stone, stone)) < LIKELIHOOD_THRESHOLD / 2


@pytest.mark.parametrize("shirt", [MARBLE, COPPER, RED])
def test_a_person_with_clothes_of_other_colours_than_their_skin_is_no_statue(shirt: Colour) -> None:
    person = seen()
    assert likelihood(person, pictured(person, SKIN, shirt, JEANS)) > 0.99


def test_pale_skin_beside_white_clothes_is_no_statues_and_stains_on_one_are() -> None:
    person = seen()
    dressed = pictured(person, PALE, PLASTER, PLASTER, bare=(PALE,) * 4)
    assert likelihood(person, dressed) > LIKELIHOOD_THRESHOLD
    mossy = pictured(person, MOSS, PLASTER, PLASTER, bare=(MOSS,) * 4)
    assert likelihood(person, mossy) < LIKELIHOOD_THRESHOLD
    stained = pictured(person, PALE, PLASTER, PLASTER, bare=(PALE, PLASTER, MOSS, PALE))
    assert likelihood(person, stained) < LIKELIHOOD_THRESHOLD


def test_a_grey_photo_says_nothing_of_colours_nor_does_somebody_undressed() -> None:
    person = seen()
    grey = pictured(person, MARBLE, MARBLE, MARBLE, garden=False)
    assert spread(grey, person) is None
    assert spread(pictured(person, SKIN, SKIN, SKIN), person) is None
    assert likelihood(person, grey) > 0.95


def test_somebody_in_a_black_and_white_photo_on_a_page_of_colours_is_no_statue() -> None:
    person = seen()
    page = pictured(person, MARBLE, MARBLE, MARBLE)
    low, high = person.pixels[:33].min(axis=0), person.pixels[:33].max(axis=0)
    air = 0.15 * float(np.linalg.norm(high - low))
    (left, top), (right, bottom) = (low - air).clip(0).astype(int), (high + air).astype(int)
    photo = page.copy()
    photo[top:bottom, left:right] = photo[top:bottom, left:right].mean(axis=2, keepdims=True)
    assert likelihood(person, photo) > 0.95
    assert likelihood(person, page) < LIKELIHOOD_THRESHOLD


@pytest.mark.parametrize("metal", [BRONZE, TERRACOTTA])
def test_a_statue_as_warm_as_skin_has_no_hair_and_somebody_undressed_has(metal: Colour) -> None:
    person = facing()
    assert likelihood(person, pictured(person, metal, metal, metal)) < LIKELIHOOD_THRESHOLD / 2
    assert likelihood(person, pictured(person, SKIN, SKIN, SKIN, hair=HAIR)) > 0.9
    assert likelihood(person, pictured(person, SKIN, SKIN, SKIN, hair=MARBLE)) > 0.9


@pytest.mark.parametrize("tint", [(0.8, 1.0, 1.3), (1.3, 1.0, 0.8)])
def test_a_photo_with_a_single_tint_says_nothing_of_colours(tint: tuple[float, float, float]) -> None:
    person = facing()
    grey = pictured(person, MARBLE, MARBLE, MARBLE)[..., 1:2] / 255
    tinted = (255 * grey ** np.array(tint)).clip(0, 255).astype(np.uint8)
    assert spread(tinted, person) is None
    assert likelihood(person, tinted) > 0.95


def test_somebody_mostly_beyond_the_border_may_be_of_any_colour() -> None:
    person = seen()
    away = replace(person, pixels=person.pixels + [10.0 * SIZE[0], 0.0])
    assert body_pixels(Image.fromarray(pictured(person, MARBLE, MARBLE, MARBLE)), away) is None
    assert likelihood(away, pictured(person, MARBLE, MARBLE, MARBLE)) > 0.95


def test_a_figure_filled_with_even_colours_is_offered_without_a_tick() -> None:
    person = seen()
    drawn = pictured(person, SKIN, RED, JEANS, drawn=True)
    assert flat_colour_share(shown_of(drawn, person)) > 0.8
    assert likelihood(person, drawn) < 0.01
    assert likelihood(person, pictured(person, SKIN, RED, JEANS)) > 0.99, "light and noise make a photo"


@pytest.mark.parametrize("paper", [(250, 250, 250), (225, 205, 170)])
def test_lines_on_paper_are_offered_without_a_tick(paper: Colour) -> None:
    person = seen()
    picture = sketched(person, paper)
    of = paper_colour(picture)
    assert of is not None
    assert paper_share(of, shown_of(picture, person)) > 0.6
    assert likelihood(person, picture) < 0.01


def test_black_clothes_in_the_dark_and_a_white_wall_behind_somebody_are_no_drawing() -> None:
    person = seen()
    dark = np.asarray(pictured(person, SKIN, (20, 20, 22), (20, 20, 22), garden=False) * 0.2).astype(np.uint8)
    assert likelihood(person, dark) > 0.95
    wall = sketched(person, WHITE)
    dressed = np.where(shown_at(person)[..., None], pictured(person, SKIN, RED, JEANS), wall)
    assert likelihood(person, dressed) > 0.95


def test_what_somebody_looks_like_is_said_where_that_makes_them_unsure_and_only_there() -> None:
    person, vague = seen(), seen(presence=0.9, apart=500.0)
    statue = pictured(person, MARBLE, MARBLE, MARBLE)
    drawn = pictured(person, SKIN, RED, JEANS, drawn=True)
    dressed = pictured(person, SKIN, RED, JEANS)
    said = [judged([person], picture)[0].like for picture in (statue, drawn, dressed)]
    assert said == ["statue", "drawing", ""]
    assert judged([vague], dressed)[0].like == "", "unsure for another reason"


def test_what_compression_or_overexposure_may_have_done_is_not_said_to_be_a_drawing_alone() -> None:
    person = seen()
    dressed = pictured(person, SKIN, RED, JEANS)
    assert likeness(person, as_jpeg(dressed, quality=2)) == "drawing or very compressed photo"
    assert likeness(person, sketched(person, (252, 252, 252))) == "drawing or overexposed photo"
    bright = (1.58 * pictured(person, MARBLE, MARBLE, MARBLE)).clip(0, 255).astype(np.uint8)
    assert likeness(person, bright) == "statue or overexposed photo"


def likeness(person: Landmarks, picture: NDArray[np.uint8]) -> str:
    return judged([person], picture)[0].like


def as_jpeg(picture: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file))


def shown_at(person: Landmarks) -> NDArray[np.bool_]:
    """(H, W): where `pictured` draws somebody."""
    drawn = pictured(person, WHITE, WHITE, WHITE, garden=False, drawn=True)
    return np.asarray((drawn == 255).all(axis=2))


def spread(picture: NDArray[np.uint8], person: Landmarks) -> float | None:
    return colour_spread(shown_of(picture, person)) if is_colour_picture(picture) else None


def shown_of(picture: NDArray[np.uint8], person: Landmarks) -> BodyPixels:
    shown = body_pixels(Image.fromarray(picture), person)
    assert shown is not None
    return shown


def likelihood(person: Landmarks, picture: NDArray[np.uint8], focal: float = np.inf) -> float:
    (found,) = judged([person], picture, focal)
    return found.score
