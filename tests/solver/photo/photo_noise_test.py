"""Pictures with heavy noise are seen by the networks without most of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.photo.noise import denoised, noise_of

RAMP = np.linspace(60, 200, 160)[:, None] + np.where(np.arange(120) < 60, -30.0, 30.0)
CLEAN = np.repeat(RAMP[..., None], 3, axis=2)


def with_noise(level: float, clean: NDArray[np.float64] = CLEAN) -> NDArray[np.uint8]:
    noise = np.random.default_rng(0).normal(0.0, level, clean.shape)
    return (clean + noise).clip(0, 255).astype(np.uint8)


def test_a_picture_with_a_cameras_noise_stays_the_very_same() -> None:
    for level in (0.0, 5.0, 15.0):
        picture = with_noise(level)
        assert denoised(picture) is picture
    tiny = with_noise(60.0)[:2, :2]
    assert denoised(tiny) is tiny


def test_heavy_noise_goes_and_edges_stay() -> None:
    noisy = with_noise(50.0)
    clean = denoised(noisy).astype(float)
    assert np.abs(clean - CLEAN).mean() < 0.35 * np.abs(noisy - CLEAN).mean()
    assert np.median(clean[:, 64] - clean[:, 55]) > 40, "of the 60 across the edge"
    assert noise_of(noisy) > 15 > noise_of(clean.astype(np.uint8))


def test_noise_of_a_large_picture_is_left_to_be_averaged() -> None:
    large = with_noise(50.0, np.full((8, 2100, 3), 128.0))
    assert denoised(large) is large
