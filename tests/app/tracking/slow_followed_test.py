"""Slow trackers go evenly while they are followed; how much later they are seen is told, and fast ones are no later."""

from __future__ import annotations

import numpy as np
import pytest
from document_samples import only
from sent_trackers import ID, SENSORS, WEAR, Sent, heads, long_walk, run, sent
from window_driver import Clock

from app.document import edits
from app.document.model.figure import skeleton_of
from app.services.session import Session
from app.tracking.latency import Delay, Latency, delay_text
from app.tracking.tracking import Tracking
from solver.kinematics.fk import forward_kinematics
from solver.trackers.sample import TrackerSample
from solver.trackers.smoothing import HURRY

FPS, BEGIN_S = 60, 0.005


def followed(
    session: Session, tracking: Tracking, clock: Clock, slow: tuple[str, ...], until_s: float = 2.0
) -> tuple[np.ndarray, list[float]]:
    """The walk, of which these are heard five times a second, for so long, and the others thirty: where the head is
    shown in each picture, and how old what it shows is."""
    session.edit("Solver", edits.set_solver(ID, "dls"))
    slow_until = round(30 * until_s)
    samples = [
        TrackerSample(s.time_s, {n: r for n, r in s.readings.items() if n not in slow or i % 6 == 0 or i > slow_until})
        for i, s in enumerate(sent(session, long_walk(), 100.0 + BEGIN_S))
    ]
    tracking.open(Sent([sample for sample in samples if sample.readings]), WEAR)
    places, ages, skeleton = [], [], skeleton_of(only(session.document))
    for tick in range(round(1.9 * FPS)):
        clock.now_s += 1 / FPS
        if tick == round(0.9 * FPS):
            assert tracking.follow()
        elif tick > 0.9 * FPS:
            tracking.live.tick()
            tracking.latency.painted(clock.now_s)
            delay = tracking.latency.delay(clock.now_s)
            places.append(forward_kinematics(skeleton, session.shown.character(ID).pose).positions[15])
            ages.append(delay.median_s if delay is not None else np.nan)
        else:
            tracking.listen()
    return np.array(places), ages


def test_a_body_does_not_go_in_steps_where_all_trackers_are_slow_and_says_how_late_it_is(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    places, ages = followed(session, tracking, clock, tuple(SENSORS))
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)[-40:]
    true = np.linalg.norm(np.diff(heads(session, long_walk()), axis=0), axis=1) / 2
    assert steps.min() > 0.3 * true.min(), "it stands still between two readings"
    assert steps.max() < 2 * true.max(), "it leaps with a reading"
    assert ages[-1] == pytest.approx(0.15, abs=0.02)
    assert tracking.slow_ones_later_s < 0.02


def test_a_body_does_not_leap_when_slow_trackers_come_to_send_often(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    places, _ages = followed(session, tracking, clock, tuple(SENSORS), until_s=1.2)
    steps = np.linalg.norm(places[2:] - places[:-2], axis=1)[12:]
    true = np.linalg.norm(np.diff(heads(session, long_walk()), axis=0), axis=1)
    assert steps.max() < 1.6 * true.max()
    last = int((clock.now_s - 100.0 - BEGIN_S) * 30)
    assert np.linalg.norm(places[-1] - heads(session, long_walk())[last]) < 0.02, "it is as late as before"
    assert tracking.shown.delays_s[0] < 0.02


def test_a_body_does_not_leap_where_fast_trackers_all_pause_and_catches_up_with_them(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    heard = [s for i, s in enumerate(sent(session, long_walk(), 100.0 + BEGIN_S)) if not 20 <= i < 26]
    tracking.open(Sent(heard), WEAR)
    assert tracking.follow()
    places, late, skeleton = [], [], skeleton_of(only(session.document))
    for _tick in range(round(1.9 * FPS)):
        clock.now_s += 1 / FPS
        tracking.live.tick()
        places.append(forward_kinematics(skeleton, session.shown.character(ID).pose).positions[15])
        late.append(tracking.shown.delays_s[0])
    true = heads(session, long_walk())
    steps = np.linalg.norm(np.array(places[12:])[2:] - places[12:-2], axis=1)
    assert steps.max() < np.linalg.norm(np.diff(true, axis=0), axis=1).max() + 1.1 * HURRY / 30
    assert max(late) > 0.15, "it was where they are as soon as they were heard again"
    assert late[-1] < 0.02
    assert np.linalg.norm(places[-1] - true[int((clock.now_s - 100.0 - BEGIN_S) * 30)]) < 0.02


def test_fast_trackers_are_seen_at_once_beside_a_slow_one(session: Session, tracking: Tracking, clock: Clock) -> None:
    places, ages = followed(session, tracking, clock, ("pelvis",))
    waited_s = 1 / FPS - BEGIN_S  # until the next picture
    assert ages[-1] == pytest.approx(waited_s, abs=1e-3), "as late as if all were fast"
    assert tracking.slow_ones_later_s == pytest.approx(0.15 - waited_s, abs=0.005)
    true = heads(session, long_walk())
    last = int((clock.now_s - 100.005) * 30)
    assert np.linalg.norm(places[-1] - true[last]) < 0.02


def test_a_sample_counts_with_the_first_picture_that_shows_it() -> None:
    latency = Latency()
    for painted_s in (1.01, 1.03, 1.05):
        latency.shown(1.0)
        latency.painted(painted_s)
    assert latency.delay(1.05) == pytest.approx((0.01, 0.01))
    latency.forget()
    latency.shown(0.5)
    latency.painted(0.52)
    assert latency.delay(0.52) == pytest.approx((0.02, 0.02)), "another clock begins"


def test_how_late_the_picture_is_is_told_in_words() -> None:
    assert delay_text(None, 0.0) == "–"
    assert delay_text(Delay(0.0304, 0.041), 0.001) == "30 ms, 95% below 41 ms"
    assert delay_text(Delay(0.0304, 0.041), 0.15) == "30 ms, 95% below 41 ms; slow ones +150"


def test_nothing_is_solved_any_more_once_slow_trackers_have_long_been_silent(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    followed(session, tracking, clock, tuple(SENSORS))
    run(tracking, clock, 0.5)
    before = session.shown.character(ID).pose
    assert sum(run(tracking, clock, 0.5)) == 0
    assert session.shown.character(ID).pose == before
