"""The axis of curves: where it goes, its round numbers, and as few points as show."""

from __future__ import annotations

import numpy as np
import pytest

from app.panels.curves.axis import axis_of, number, thinned

NAN = np.nan


def test_speeds_begin_at_zero_and_leave_room_for_the_names_above() -> None:
    axis = axis_of([np.array([0.5, 1.9, NAN])], "m/s", 6)
    assert axis.low < 0
    assert axis.high > 1.9
    assert axis.ticks == (0.0, 0.5, 1.0, 1.5, 2.0)
    assert [axis.text(value) for value in axis.ticks] == ["0.0", "0.5", "1.0", "1.5", "2.0"]
    assert axis.y(axis.high, 200) == 0
    assert axis.y(axis.low, 200) == 200


def test_places_fill_the_height_wherever_they_are() -> None:
    axis = axis_of([np.array([-250.0, -150.0])], "cm", 5)
    assert axis.low < -250
    assert -150 < axis.high < -100
    assert -200.0 in axis.ticks
    assert axis.text(-200.0) == "−200"


def test_noise_does_not_fill_the_picture_and_nothing_at_all_is_drawn_in_peace() -> None:
    assert axis_of([np.array([0.0001])], "m/s", 5).high > 0.1
    assert axis_of([], "m/s", 5).high > 0.1
    flat = axis_of([np.array([100.0, 100.001])], "cm", 5)
    assert flat.high - flat.low > 2


@pytest.mark.parametrize(("value", "decimals", "text"), [(-0.001, 2, "0.00"), (1234.5, 1, "1,234.5"), (-2, 0, "−2")])
def test_numbers_have_a_true_minus_and_no_negative_zero(value: float, decimals: int, text: str) -> None:
    assert number(value, decimals) == text


def test_a_long_curve_keeps_its_peaks_and_the_ends_of_its_gaps() -> None:
    x, y = np.arange(10_000.0), np.sin(np.arange(10_000) / 300.0)
    y[4321] = 9.0
    y[6000:6500] = NAN
    few_x, few_y = thinned(x, y, 500)
    assert len(few_x) == len(few_y) == 1000
    assert np.nanmax(few_y) == 9.0
    gone = few_x[np.isnan(few_y)]
    assert (gone.min(), gone.max()) == pytest.approx((6000, 6500), abs=25)
    assert thinned(x, y, 9000)[0] is x, "a short one stays as it is"


@pytest.mark.parametrize("unit", ["m/s", "cm"])
def test_a_bad_first_frame_does_not_flatten_the_rest_and_a_kick_is_shown_whole(unit: str) -> None:
    walk = 1.0 + np.abs(np.sin(np.arange(120) / 9.0)) * 3.0
    bad = np.array(walk)
    bad[:2] = 90.0, 45.0
    axis = axis_of([bad, walk], unit, 5)
    assert 4.0 < axis.high < 7.0
    kick = np.array(walk)
    kick[40:52] = 90.0
    assert axis_of([kick], unit, 5).high > 90.0
    few = axis_of([bad[:10]], unit, 5)
    assert few.high > 90.0, "zoomed in on it, it shows"


def test_names_above_the_curves_have_their_room_in_a_low_panel() -> None:
    axis = axis_of([np.array([0.5, 1.9])], "m/s", 3, headroom=0.4)
    assert axis.y(1.9, 80) == pytest.approx(32.0)


def test_the_words_below_the_curves_have_their_room() -> None:
    axis = axis_of([np.array([0.0, 1.9])], "m/s", 3, footroom=0.25)
    assert axis.y(0.0, 80) == pytest.approx(60.0)
