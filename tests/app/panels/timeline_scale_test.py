"""Where frames are on the timeline: zoom, pan and the numbers of the ruler."""

from __future__ import annotations

import pytest

from app.panels.timeline.paint import clusters, isolated
from app.panels.timeline.scale import FEWEST, LABEL_PX, MARGIN, TICK_PX, whole


@pytest.mark.parametrize("frames", [2, 30, 1000, 100_000])
def test_all_frames_fit_between_the_margins(frames: int) -> None:
    scale = whole(600, frames)
    assert scale.whole
    assert scale.x(0) == pytest.approx(MARGIN)
    assert scale.x(frames - 1) == pytest.approx(600 - MARGIN)
    assert scale.nearest(-50) == 0
    assert scale.nearest(5000) == frames - 1


def test_a_place_and_its_frame_are_the_same_there_and_back() -> None:
    scale = whole(600, 1000).zoomed(7, 321)
    assert [scale.nearest(scale.x(frame)) for frame in range(1000)] == list(range(1000))


def test_zooming_keeps_the_frame_under_the_pointer_and_ends_at_a_few_frames() -> None:
    scale = whole(600, 1000)
    closer = scale.zoomed(3, 200)
    assert closer.at(200) == pytest.approx(scale.at(200))
    closest = scale.zoomed(1e9, 200)
    assert closest.span == FEWEST
    assert closest.zoomed(1e-9, 200).whole
    assert whole(600, 3).zoomed(100, 300).whole


def test_panning_ends_at_the_first_and_the_last_frame() -> None:
    scale = whole(600, 1000).zoomed(10, 300)
    assert scale.panned(1e6).start == 0
    end = scale.panned(-1e6)
    assert end.x(999) == pytest.approx(600 - MARGIN)
    assert scale.panned(-50).x(500) == pytest.approx(scale.x(500) - 50)


def test_a_frame_out_of_sight_is_paged_to_or_brought_to_the_edge() -> None:
    scale = whole(600, 1000).zoomed(10, 0)
    assert scale.showing(50) is scale
    assert scale.showing(500).start == pytest.approx(500 - 0.1 * scale.span)
    assert scale.showing(500, page=False).x(500) == pytest.approx(600 - MARGIN)
    back = scale.showing(999)
    assert back.showing(200, page=False).x(200) == pytest.approx(MARGIN)


def test_another_width_or_length_shows_all_where_all_was_shown_and_else_the_same_frames() -> None:
    assert whole(600, 100).fitted(300, 900) == whole(300, 900)
    closer = whole(600, 1000).zoomed(10, 300)
    wider = closer.fitted(900, 1000)
    assert (wider.start, wider.span) == (closer.start, closer.span)
    assert closer.fitted(600, 20).whole
    assert closer.fitted(600, 1) == whole(600, 1)


@pytest.mark.parametrize("frames", [2, 9, 30, 250, 1000, 20_000, 100_000])
@pytest.mark.parametrize("factor", [1, 4, 30])
def test_numbers_and_ticks_keep_their_distance_at_every_zoom(frames: int, factor: float) -> None:
    scale = whole(600, frames).zoomed(factor, 300)
    number, tick = scale.steps()
    assert number * scale.pixels >= LABEL_PX
    assert tick * scale.pixels >= TICK_PX
    assert number % tick == 0
    assert number * scale.pixels < 3 * LABEL_PX or number == 1


def test_keys_that_crowd_are_one_bar_and_others_each_for_itself() -> None:
    xs = [10.0, 50.0, 51.0, 52.0, 53.5, 55.0, 90.0, 92.0, 94.0]
    assert clusters(xs) == [(50.0, 55.0)]
    assert isolated(xs) == [10.0, 90.0, 92.0, 94.0]
