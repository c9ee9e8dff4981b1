"""Slow trackers go evenly from reading to reading while they are followed; fast ones are where they say."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.trackers.outlier_filter import FilteredSample, OutlierFilter
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.sample_rates import MISSED_TURN, SILENT_S, SampleRates
from solver.trackers.smoothing import DELAY, DELAY_CHANGE_RATE, HURRY, HURRY_TURN, SlowTrackerSmoother

TICKS = 60  # a second
SPEED = 1.5  # m/s
CHANGE_S = 3.0


def at(x: float, turn: float = 0.0) -> Reading:
    return Reading(np.float32([x, 1, 0]), from_rotation_vector([0.0, turn, 0.0]).astype(np.float32))


def shown(
    hertz: Mapping[str, float],
    seconds: float = 4.0,
    late_s: Mapping[int, float] | None = None,
    begins_s: Mapping[str, float] | None = None,
    then: Mapping[str, float] | None = None,
) -> dict[str, list]:
    """What is shown in each tick of trackers that go SPEED and 1 radian a second. late_s: by how much a reading of the
    first is late, by its number; far too late, it is lost. begins_s: when trackers say their first, by name. then: how
    often they send from CHANGE_S on."""
    late = {(next(iter(hertz)), number): each_s for number, each_s in (late_s or {}).items()}
    rates = SampleRates()
    smoother, outliers = SlowTrackerSmoother(rates), OutlierFilter(rates)
    due = sorted(
        (first_s + number / rate + late.get((name, number), 0.0), first_s + number / rate, name)
        for name, rate in hertz.items()
        for first_s in [(begins_s or {}).get(name, 0.0)]
        for number in range(int(seconds * rate))
        if then is None or number / rate < CHANGE_S
        if late.get((name, number), 0.0) < 1.0
    )
    for name, rate in (then or {}).items():
        times = CHANGE_S + np.arange(int((seconds - CHANGE_S) * rate)) / rate
        due = sorted([*due, *((float(time_s), float(time_s), name) for time_s in times)])
    found: dict[str, list] = {name: [] for name in hertz}
    for tick in range(1, int(seconds * TICKS)):
        now_s = tick / TICKS
        while due and due[0][0] < now_s + 1e-9:
            heard_s = due[0][0]
            said = {name: at(SPEED * told_s, told_s) for when_s, told_s, name in due if when_s == heard_s}
            due = [each for each in due if each[0] != heard_s]
            rates.add_sample(TrackerSample(heard_s, said))
            smoother.add_sample(outliers.filtered(TrackerSample(heard_s, said)), heard_s, now_s)
        for name, reading in smoother.readings(now_s).items():
            found[name].append((now_s, float(reading.position[0]), float(to_rotation_vector(reading.rotation)[1])))
    return found


@pytest.mark.parametrize("hertz", [3, 5, 10, 15, 20])
def test_a_slow_tracker_goes_evenly_a_part_of_its_interval_later(hertz: float) -> None:
    now_s, place, turn = np.array(shown({"hand": hertz})["hand"]).T
    settled = now_s > 2.5
    assert place[settled] == pytest.approx(SPEED * (now_s[settled] - DELAY / hertz), abs=0.02)
    assert np.unwrap(turn[settled]) == pytest.approx(now_s[settled] - DELAY / hertz, abs=0.02)
    assert np.diff(place[settled]) == pytest.approx(SPEED / TICKS, abs=0.004)


@pytest.mark.parametrize("hertz", [24, 30, 60])
def test_a_fast_tracker_is_where_it_said_last(hertz: float) -> None:
    now_s, place, _ = np.array(shown({"hand": hertz})["hand"]).T
    assert place == pytest.approx(SPEED * np.floor(now_s * hertz + 1e-6) / hertz, abs=1e-5)


def test_a_slow_pelvis_goes_along_with_the_fast_ones_and_they_are_no_later_for_it() -> None:
    found = shown({"pelvis": 5, "head": 60, "left": 60})
    now_s, pelvis, _ = np.array(found["pelvis"][-90:]).T
    assert np.array(found["head"])[-90:, 1] == pytest.approx(SPEED * now_s, abs=1e-4)
    assert pelvis == pytest.approx(SPEED * now_s, abs=0.03)


def test_where_the_fast_ones_are_not_the_most_nobody_goes_along_with_them() -> None:
    now_s, pelvis, _ = np.array(shown({"pelvis": 5, "head": 60})["pelvis"][-90:]).T
    assert pelvis == pytest.approx(SPEED * (now_s - DELAY / 5), abs=0.02)


@pytest.mark.parametrize("late_s", [0.08, 9.0])
def test_a_reading_that_is_late_or_lost_makes_no_slow_tracker_leap(late_s: float) -> None:
    _, place, turn = np.array(shown({"hand": 5}, late_s={12: late_s})["hand"])[TICKS:].T
    for way, even in ((place, SPEED / TICKS), (np.unwrap(turn), 1 / TICKS)):
        steps = np.diff(way)
        assert steps.max() < 2.6 * even
        assert steps.min() > -1e-3


def test_slow_trackers_that_send_in_turn_and_not_as_often_as_each_other_go_evenly_all_the_same() -> None:
    found = shown({"left": 5, "right": 5, "head": 7}, begins_s={"left": 0.01, "right": 0.09, "head": 0.05})
    for name, each in found.items():
        steps = np.diff(np.array(each)[-2 * TICKS :, 1])
        assert steps == pytest.approx(SPEED / TICKS, abs=0.005), name


def test_one_of_several_slow_trackers_that_loses_a_reading_goes_along_with_the_others_and_does_not_leap() -> None:
    hertz, begins = {"left": 5.0, "right": 5.0, "head": 5.0}, {"left": 0.01, "right": 0.09, "head": 0.15}
    now_s, left, _ = np.array(shown(hertz, late_s={12: 9.0}, begins_s=begins)["left"]).T
    steps = np.diff(left[TICKS:])
    assert steps.max() < 2.6 * SPEED / TICKS
    assert steps.min() > 0.1 * SPEED / TICKS, "it stands still while the others go on"
    assert (SPEED * now_s - left)[-3 * TICKS :].max() < 0.45


@pytest.mark.parametrize(("hertz", "then"), [(3, 60), (5, 60), (10, 60), (15, 60), (5, 15)])
def test_a_tracker_that_comes_to_send_more_often_gets_a_little_faster_for_a_moment_and_does_not_leap(
    hertz: float, then: float
) -> None:
    now_s, place, turn = np.array(shown({"hand": hertz}, 6.0, then={"hand": then})["hand"]).T
    for way, step in ((place, SPEED / TICKS), (np.unwrap(turn), 1 / TICKS)):
        steps = np.diff(way[now_s > 2.5]) / step
        assert steps.max() < 1.0 + DELAY_CHANGE_RATE + 0.25
        assert steps.min() > 0.75
    later_s = DELAY / then if then < 20 else 0.0
    assert place[-60:] == pytest.approx(SPEED * (now_s[-60:] - later_s), abs=0.02)


@pytest.mark.parametrize(("hertz", "then"), [(15, 7), (60, 5), (60, 10), (60, 15), (30, 5)])
def test_one_that_comes_to_send_less_often_slows_down_as_if_its_readings_were_late(hertz: float, then: float) -> None:
    now_s, place, _ = np.array(shown({"hand": hertz}, 6.0, then={"hand": then})["hand"]).T
    steps = np.diff(place[now_s > 2.5])
    assert steps.max() < 2.6 * SPEED / TICKS
    assert steps.min() > -1e-3
    assert place[-60:] == pytest.approx(SPEED * (now_s[-60:] - DELAY / then), abs=0.02)


@pytest.mark.parametrize(("pause_s", "again_s"), [(0.1, 0.0), (0.2, 0.0), (0.24, 0.0), (0.2, 0.1), (0.1, 0.05)])
def test_fast_trackers_that_all_pause_go_on_from_where_they_are_shown_and_catch_up(
    pause_s: float, again_s: float
) -> None:
    pause = dict.fromkeys(range(120, 120 + round(60 * pause_s)), 9.0)
    if again_s:  # they pause again before they have caught up
        first = max(pause) + round(60 * again_s)
        pause |= dict.fromkeys(range(first, first + round(60 * pause_s)), 9.0)
    now_s, place, turn = np.array(shown({"left": 60}, 5.0, late_s=pause)["left"]).T
    for way, speed, hurry in ((place, SPEED, HURRY), (np.unwrap(turn), 1.0, HURRY_TURN)):
        steps = np.diff(way) * TICKS
        assert steps.max() < 1.02 * (speed + hurry)
        assert steps.min() > -1e-3
    again = now_s > (max(pause) + 1) / 60 + 2 * pause_s * SPEED / HURRY + 0.05
    assert place[again] == pytest.approx(SPEED * now_s[again], abs=1e-4), "it is as late as before"


@pytest.mark.parametrize("lost", [2, 4])
def test_slow_trackers_that_all_pause_are_no_later_after_it_than_before(lost: int) -> None:
    pause = dict.fromkeys(range(20, 20 + lost), 9.0)
    now_s, place, _ = np.array(shown({"left": 10}, 4.0, late_s=pause)["left"]).T
    again = now_s > 2.0 + 0.1 * (lost + 1)
    assert place[again] == pytest.approx(SPEED * (now_s[again] - DELAY / 10), abs=1e-2)


def test_one_that_only_turns_hurries_no_more_after_a_pause_than_it_may() -> None:
    rates, turning = SampleRates(), 4.0  # radians a second
    smoother, outliers, turns = SlowTrackerSmoother(rates), OutlierFilter(rates), []
    for tick in range(180):
        now_s = tick / TICKS
        if not 90 <= tick < 102:
            sample = TrackerSample(now_s, {"hand": at(0.0, turning * now_s)})
            rates.add_sample(sample)
            smoother.add_sample(outliers.filtered(sample), now_s, now_s)
        turns.append(float(to_rotation_vector(smoother.readings(now_s)["hand"].rotation)[1]))
    steps = np.diff(np.unwrap(turns)) * TICKS
    assert turning < steps.max() < 1.02 * (turning + HURRY_TURN)
    assert steps[-30:] == pytest.approx(turning, abs=1e-2), "it has caught up"
    assert np.unwrap(turns)[-1] == pytest.approx(turning * 179 / TICKS, abs=1e-3)


def test_one_that_pauses_alone_is_where_it_says_and_the_others_are_no_later_for_it() -> None:
    pause = dict.fromkeys(range(120, 126), 9.0)
    found = shown({"left": 60, "right": 60, "head": 60}, late_s=pause)
    for name in found:
        now_s, place, _ = np.array(found[name])[-100:].T
        assert place == pytest.approx(SPEED * now_s, abs=1e-4), name
    now_s, right, _ = np.array(found["right"]).T
    assert right == pytest.approx(SPEED * now_s, abs=1e-4)


def test_while_one_comes_to_send_more_often_its_way_is_kept_though_its_readings_are_many() -> None:
    rates = SampleRates()
    smoother, outliers, places = SlowTrackerSmoother(rates), OutlierFilter(rates), []
    for said_s in (*np.arange(12) / 5, *(2.4 + np.arange(1, 200) / 200)):
        sample = TrackerSample(float(said_s), {"hand": at(float(np.sin(3.0 * said_s)))})
        rates.add_sample(sample)
        smoother.add_sample(outliers.filtered(sample), sample.time_s, sample.time_s)
        places.append(
            (said_s, float(smoother.readings(sample.time_s)["hand"].position[0]), smoother.delay_s("hand", said_s))
        )
    now_s, place, later_s = np.array(places).T[:, 13:]
    assert (np.diff(later_s) <= 1e-9).all()
    assert later_s[0] > 0.1
    assert later_s[-1] == 0.0
    assert np.diff(place) == pytest.approx(np.diff(np.sin(3.0 * (now_s - later_s))), abs=0.012)
    assert place[-60:] == pytest.approx(np.sin(3.0 * now_s[-60:]), abs=1e-6)


def told(
    places: Mapping[float, Mapping[str, float]], jumped_s: float, jumped: str, goes_on_s: float
) -> tuple[dict[str, float], dict[str, float]]:
    """Where trackers are shown that say where they are along x, by when: with a reading of which one is believed to
    have jumped, and so much later."""
    rates = SampleRates()
    smoother = SlowTrackerSmoother(rates)
    for said_s, each in places.items():
        readings = {name: at(x) for name, x in each.items()}
        rates.add_sample(TrackerSample(said_s, readings))
        latest = {name: smoother.readings(said_s)[name] for name in smoother.heard}
        leapt = frozenset({jumped} if said_s == jumped_s else ())
        smoother.add_sample(
            FilteredSample({**latest, **readings}, leapt, frozenset(), frozenset(readings)), said_s, said_s
        )
    last_s = max(places)
    found = [smoother.readings(now_s) for now_s in (last_s, last_s + goes_on_s)]
    at_once, later = ({name: float(r.position[0]) for name, r in each.items()} for each in found)
    return at_once, later


def test_a_slow_tracker_that_jumps_is_there_at_once_and_does_not_go_on_as_if_it_had_walked() -> None:
    readings = {0.2 * i: {"hand": 0.2 * i} for i in range(8)} | {1.6: {"hand": 9.0}}
    at_once, later = told(readings, 1.6, "hand", 0.15)
    assert at_once["hand"] == later["hand"] == pytest.approx(9.0)


def test_one_that_jumps_while_it_catches_up_is_there_at_once() -> None:
    readings = {0.2 * i: {"hand": 0.2 * i} for i in range(8)}
    readings |= {1.4 + i / 60: {"hand": 1.4 + i / 60} for i in range(1, 7)}
    walked, _ = told(readings, 9.0, "hand", 0.1)
    assert walked["hand"] < 1.42, "it is still late"
    at_once, later = told({**readings, 1.6: {"hand": 9.0}}, 1.6, "hand", 0.1)
    assert at_once["hand"] == later["hand"] == pytest.approx(9.0)


def test_nobody_goes_along_with_a_fast_one_that_jumps() -> None:
    readings = {i / 60: {"head": 0.0, "left": 0.0, **({"pelvis": 0.0} if i % 12 == 0 else {})} for i in range(100)}
    at_once, later = told({**readings, 100 / 60: {"head": 3.0, "left": 0.0}}, 100 / 60, "head", 0.1)
    assert (at_once["head"], at_once["pelvis"], later["pelvis"]) == pytest.approx((3.0, 0.0, 0.0))


def test_it_goes_on_as_long_as_what_is_shown_changes_and_no_longer() -> None:
    rates = SampleRates()
    smoother, outliers = SlowTrackerSmoother(rates), OutlierFilter(rates)
    for said_s in np.arange(11) / 5:
        sample = TrackerSample(float(said_s), {"hand": at(float(said_s))})
        rates.add_sample(sample)
        smoother.add_sample(outliers.filtered(sample), sample.time_s, sample.time_s)
    for now_s in np.linspace(2.0, 2.6, 61):
        here, soon = (smoother.readings(time_s)["hand"].position for time_s in (now_s, now_s + 0.005))
        assert smoother.is_changing(now_s) >= (np.abs(here - soon).max() > 1e-5)
    assert not smoother.is_changing(2.0 + (1.0 + DELAY) / 5 + 1e-6)


def test_a_fast_tracker_is_shown_as_old_as_its_last_reading_and_a_slow_one_as_late_as_its_delay() -> None:
    rates = SampleRates()
    smoother = SlowTrackerSmoother(rates)
    for i in range(130):
        names = {"slow"} if i == 129 else {"fast", *(["slow"] if i % 12 == 0 else [])}
        said_s, readings = i / 60, dict.fromkeys(("fast", "slow"), at(0))
        rates.add_sample(TrackerSample(said_s, dict.fromkeys(names, at(0))))
        smoother.add_sample(FilteredSample(readings, frozenset(), fresh=frozenset(names)), said_s, said_s + 0.01)
    assert smoother.shown_time_s("fast", 3.0) == pytest.approx(128 / 60)
    assert smoother.delay_s("fast", 3.0) == pytest.approx(0.01)
    assert smoother.shown_time_s("slow", 3.0) == pytest.approx(3.0 - DELAY / 5)
    assert smoother.delay_s("slow", 3.0) == pytest.approx(DELAY / 5)


def test_messages_for_an_earlier_time_start_again_from_there() -> None:
    rates = SampleRates()
    smoother, outliers = SlowTrackerSmoother(rates), OutlierFilter(rates)
    for said_s in (*np.arange(12) / 5, 2.0, 2.0, 2.2):
        sample = TrackerSample(float(said_s), {"hand": at(float(said_s))})
        rates.add_sample(sample)
        smoother.add_sample(outliers.filtered(sample), sample.time_s, sample.time_s)
        for later_s in (0.0, 0.1, 0.4):
            assert np.isfinite(smoother.readings(sample.time_s + later_s)["hand"].position).all()


@pytest.mark.parametrize("hiccups", [1, 2])
def test_a_fast_tracker_is_slow_once_it_has_sent_two_readings_seldom_and_not_with_one_that_is_late(
    hiccups: int,
) -> None:
    rates, time_s = SampleRates(), 0.0
    for apart_s in (*[1 / 60] * 30, *[0.2] * hiccups):
        time_s += apart_s
        rates.add_sample(TrackerSample(time_s, {"hand": at(0)}))
    assert rates.is_slow("hand") == (hiccups == 2)
    assert rates.interval_s("hand") == pytest.approx(0.2 if hiccups == 2 else 1 / 60)
    for _ in range(4):
        time_s += 1 / 60
        rates.add_sample(TrackerSample(time_s, {"hand": at(0)}))
    assert not rates.is_slow("hand"), "four readings at its own rate and it is fast again"


@pytest.mark.parametrize(("before", "slow"), [(15, True), (60, False)])
def test_a_tracker_that_sends_neither_seldom_nor_often_stays_as_it_was(before: float, slow: bool) -> None:
    rates, time_s = SampleRates(), 0.0
    for apart_s in (*[1 / before] * 20, *[1 / 24] * 20):
        time_s += apart_s
        rates.add_sample(TrackerSample(time_s, {"hand": at(0)}))
    assert rates.is_slow("hand") == slow


def test_how_often_one_sends_is_known_after_three_intervals_and_long_silences_are_none() -> None:
    rates = SampleRates()
    for time_s, known_s in ((0.0, 0.0), (0.2, 0.0), (0.4, 0.0), (0.6, 0.2), (9.0, 0.2), (18.0, 0.2), (27.0, 0.2)):
        rates.add_sample(TrackerSample(time_s, {"hand": at(0)}))
        assert rates.interval_s("hand") == pytest.approx(known_s)


def test_a_slow_tracker_may_miss_one_turn_and_a_fast_one_a_quarter_of_a_second() -> None:
    rates = SampleRates()
    for i in range(60):
        turns = {"fast": 1, "slow": 6, "hardly slow": 2}
        rates.add_sample(TrackerSample(i / 30, {name: at(0) for name, every in turns.items() if i % every == 0}))
    assert not rates.is_slow("unheard")
    assert rates.is_slow("slow")
    assert rates.timeout_s("slow") == pytest.approx(MISSED_TURN / 5)
    assert rates.is_slow("hardly slow")
    assert rates.timeout_s("hardly slow") == rates.timeout_s("fast") == SILENT_S
    assert SampleRates().timeout_s("anybody") == SILENT_S
