"""Pictures that are out of focus are seen by the networks without most of the blur."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from solver.photo.blur import blur_of, deblurred


def squares(side: int = 480) -> NDArray[np.uint8]:
    """A picture of squares of many sizes and greys."""
    rng, picture = np.random.default_rng(0), np.full((side * 3 // 4, side, 3), 128, np.uint8)
    for _ in range(60):
        (top, left), (high, wide) = rng.integers(0, side, 2), rng.integers(side // 24, side // 6, 2)
        picture[top : top + high, left : left + wide] = rng.integers(20, 236, 3)
    return picture


def out_of_focus(picture: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    width = share * max(picture.shape[:2])
    blurred = gaussian_filter(picture.astype(np.float32), (width, width, 0))
    return (blurred + np.random.default_rng(1).normal(0.0, 1.5, blurred.shape)).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("share", [0.004, 0.005, 0.0075, 0.01])
def test_how_far_a_picture_is_out_of_focus_is_told_from_its_edges(share: float) -> None:
    assert blur_of(out_of_focus(squares(), share)) == pytest.approx(share, rel=0.15)


def test_a_sharp_picture_or_one_without_edges_stays_the_very_same() -> None:
    for picture in (squares(), np.full((90, 120, 3), 7, np.uint8), np.zeros((2, 2, 3), np.uint8)):
        assert deblurred(picture) is picture
    hardly = out_of_focus(squares(), 0.0025)
    assert deblurred(hardly) is hardly
    lost = out_of_focus(squares(), 0.02)
    assert deblurred(lost) is lost


@pytest.mark.parametrize("side", [480, 1400])
def test_edges_of_a_blurred_picture_come_out_steeper_and_nearer_to_where_they_were(side: int) -> None:
    sharp = squares(side)[: side // 4]
    blurred = out_of_focus(sharp, 0.006)
    mended = deblurred(blurred)
    assert mended.shape == blurred.shape
    assert np.abs(mended - sharp.astype(float)).mean() < 0.85 * np.abs(blurred - sharp.astype(float)).mean()
    assert blur_of(mended) < 0.8 * blur_of(blurred)
