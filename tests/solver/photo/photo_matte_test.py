"""The matte of one person in a picture: where the person is, and nobody else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, joints, level_camera, natural, rendered

from solver.body.body import BodyShape
from solver.camera import PinholeCamera
from solver.photo.matte import Matte, _without_things, matte_of
from solver.photo.outline_overlap import outline_overlap

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("qapp")]
SEEN = level_camera(distance=4.5)
CAMERA = PinholeCamera(SEEN.position, SEEN.rotation, SEEN.focal, (400.0, 400.0), SEEN.size)
LEFT, RIGHT = natural(1, 0.3, (-0.8, 0.0)), natural(2, -0.4, (0.8, 0.0))


@pytest.fixture(scope="module")
def mattes() -> tuple[Matte, Matte]:
    """Of the two people of a rendering."""
    picture = rendered(SEEN, LEFT, RIGHT).rgb
    left, right = (SEEN.pixels(joints(pose)) for pose in (LEFT, RIGHT))
    return matte_of(picture, left, [right]), matte_of(picture, right, [left])


def at(matte: Matte, pixels: np.ndarray) -> np.ndarray:
    """Alpha at pixels of the picture; 0 beside the square."""
    share = (pixels - matte.square.centre) / matte.square.side + 0.5
    inside = ((share >= 0) & (share < 1)).all(axis=-1)
    x, y = np.clip(share * len(matte.alpha), 0, len(matte.alpha) - 1).astype(int).T
    return np.where(inside, matte.alpha[y, x], 0.0)


def joints_distance(matte: Matte) -> np.ndarray:
    """(SIDE, SIDE) pixels of the picture from each pixel of the square to the nearest joint."""
    line = (np.arange(len(matte.alpha)) + 0.5) / len(matte.alpha)
    places = matte.square.to_picture(np.stack(np.meshgrid(line, line), axis=-1))
    own = SEEN.pixels(joints(LEFT))
    return np.min([np.linalg.norm(places - one, axis=-1) for one in own], axis=0)


def test_the_person_is_in_it_and_the_other_one_and_the_background_are_not(mattes: tuple[Matte, Matte]) -> None:
    trunk = [0, 3, 6, 9, 12, 1, 2, 4, 5]  # spine, hips and knees: limbs may be thin
    for matte, own, other in zip(mattes, (LEFT, RIGHT), (RIGHT, LEFT), strict=True):
        assert (at(matte, SEEN.pixels(joints(own)))[trunk] > 0.5).mean() > 0.85
        assert (at(matte, SEEN.pixels(joints(other))) < 0.5).all()
        assert matte.alpha[[0, 0, -1, -1], [0, -1, 0, -1]].max() < 0.2


def test_thin_and_small_things_and_what_is_at_no_joint_are_no_part_of_the_person() -> None:
    alpha, off = np.zeros((256, 256)), np.full((256, 256), 0.5)
    alpha[60:200, 100:150] = 1.0  # the person
    off[90:160, 110:140] = 0.0
    alpha[100:102, 150:220] = 1.0  # a leg of a chair
    alpha[120:123, 110:114] = 0.0  # a spot
    alpha[20:60, 10:60] = 1.0  # somebody or something without joints
    alpha[220:228, 120:130] = 1.0  # small, at a joint
    off[220:228, 120:130] = 0.0
    kept = _without_things(alpha, off)
    assert kept[70:190, 104:146].min() == 1.0
    kept[58:202, 98:153] = 0.0
    assert not kept.any()
    assert not _without_things(np.zeros((256, 256)), off).any(), "nobody"


def test_the_outline_runs_where_the_person_ends_and_nowhere_else(mattes: tuple[Matte, Matte]) -> None:
    matte = mattes[0]
    line, wider = matte.outline(len(matte.alpha), 2.0)
    assert 0.005 < (line > 0.5).mean() < 0.12
    assert matte.alpha[line > 0.9].mean() == pytest.approx(0.5, abs=0.2)
    far = joints_distance(matte) > 0.25 * matte.square.side
    assert max(line[far].max(), wider[far].max()) < 0.1, "far from the person there is none"
    assert (wider >= line).all()
    assert wider.sum() > 1.5 * line.sum()


def test_a_body_fills_its_own_outline_and_less_of_it_the_further_it_is_off(mattes: tuple[Matte, Matte]) -> None:
    matte, aside = mattes[0], np.array([0.06, 0.0, 0.0], np.float32)
    own, beside, far = (
        outline_overlap(matte, body(), BodyShape(), replace(LEFT, root_position=LEFT.root_position + k * aside), CAMERA)
        for k in (0, 1, 20)
    )
    assert own > 0.85
    assert 0.5 < beside < own - 0.05
    assert far == 0.0


def test_a_body_behind_the_camera_covers_nothing(mattes: tuple[Matte, Matte]) -> None:
    behind = replace(LEFT, root_position=np.array([0.0, 1.0, 20.0], np.float32))
    assert outline_overlap(mattes[0], body(), BodyShape(), behind, CAMERA) == 0.0
