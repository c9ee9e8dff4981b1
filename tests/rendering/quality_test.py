"""While things move a picture has as many pixels as stay fluent; at rest it has all."""

from __future__ import annotations

from rendering.drawing.quality import ENOUGH, FLUENT_MS, SCALES, Quality


def drag(quality: Quality, full_ms: float, frames: int = 20 * ENOUGH) -> list[float]:
    """The scale of each picture where one in full takes that long, and time goes with the pixels."""
    scales = []
    for _ in range(frames):
        scales.append(quality.scale(moving=True))
        quality.note(full_ms * scales[-1] ** 2, moving=True)
    return scales


def test_a_slow_software_renderer_draws_fewer_pixels_in_motion_until_it_is_fluent() -> None:
    scales = drag(Quality(software=True), full_ms=1.6 * FLUENT_MS)
    assert scales[0] == 1.0
    assert scales == sorted(scales, reverse=True)
    assert 1.6 * FLUENT_MS * scales[-1] ** 2 <= FLUENT_MS
    assert scales[-1] > SCALES[-1], "and no fewer than needed"


def test_all_pixels_are_drawn_at_rest() -> None:
    quality = Quality(software=True)
    drag(quality, full_ms=10 * FLUENT_MS)
    assert quality.scale(moving=True) == SCALES[-1]
    assert quality.scale(moving=False) == 1.0


def test_pixels_come_back_when_pictures_are_quick_again() -> None:
    quality = Quality(software=True)
    drag(quality, full_ms=3 * FLUENT_MS)
    assert drag(quality, full_ms=0.5 * FLUENT_MS)[-1] == 1.0


def test_the_scale_does_not_swing_to_and_fro() -> None:
    for share in range(5, 40):
        settled = drag(Quality(software=True), full_ms=0.1 * share * FLUENT_MS)[len(SCALES) * ENOUGH :]
        assert len(set(settled)) == 1


def test_a_graphics_card_keeps_all_pixels() -> None:
    assert set(drag(Quality(software=False), full_ms=10 * FLUENT_MS)) == {1.0}
