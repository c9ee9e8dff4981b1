"""A live stream poses somebody beside the history: every sample in order, and no undo steps."""

from __future__ import annotations

import gc
import threading
import tracemalloc
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from copies import copy_of
from document_samples import random_pose
from PySide6.QtTest import QTest
from shiboken6 import delete
from window_driver import Clock, until

from app.document import edits
from app.document.posing.create import new_document
from app.services.live_channel import TICK_MS, LiveChannel
from app.services.session import Session
from app.services.streams import ClockSample, PoseSample, Queue, Sample
from solver.kinematics.pose import Pose

HERTZ, SECONDS = 60, 60
ID = "c1"


class Swaying:
    """A synthetic stream of 60 poses a second for a minute, made as they come due."""

    def __init__(self, start_s: float) -> None:
        self.start_s, self.given = start_s, 0

    def due(self, now_s: float) -> list[Sample]:
        reached = min(int((now_s - self.start_s) * HERTZ + 1e-6), HERTZ * SECONDS)
        found: list[Sample] = [PoseSample(self.start_s + i / HERTZ, swayed(i)) for i in range(self.given, reached)]
        self.given = reached
        return found


@cache
def rotations() -> np.ndarray:
    return random_pose(np.random.default_rng(0), 0.2).rotations


def swayed(number: int) -> Pose:
    return Pose(np.float32([number * 0.001, 0.9, 0.0]), rotations())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(session: Session, clock: Clock) -> LiveChannel:
    return LiveChannel(session, clock, automatic=False)


def test_a_minute_of_a_stream_loses_nothing_and_is_no_undo_step(
    session: Session, live: LiveChannel, clock: Clock
) -> None:
    document, revision = session.history.document, session.history.revision
    told: list[object] = []
    session.history.subscribe(told.append)
    live.start(ID, Swaying(clock.now_s))
    count = 0
    for tick in range(1, SECONDS * 25 + 1):  # a slower window than the stream: two or three samples a tick
        clock.now_s = 100.0 + tick / 25
        count += live.tick()
        assert session.shown.character(ID).pose == swayed(count - 1)
    assert count == HERTZ * SECONDS
    assert (session.history.document, session.history.revision, told) == (document, revision, [])
    assert not session.history.dirty
    assert session.history.steps() == ()


@pytest.mark.slow
def test_a_minute_of_a_stream_leaves_memory_flat(session: Session, live: LiveChannel, clock: Clock) -> None:
    live.start(ID, Swaying(clock.now_s))

    def run(seconds: int) -> None:
        for _ in range(seconds * HERTZ):
            clock.now_s += 1 / HERTZ
            live.tick()
            assert session.shown.characters

    run(10)
    tracemalloc.start()
    try:
        run(5)
        gc.collect()  # what waits for it is not kept
        before, _ = tracemalloc.get_traced_memory()
        run(40)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 100_000, "bytes in 2,400 samples"


def test_what_a_stream_showed_is_gone_when_it_stops(session: Session, live: LiveChannel, clock: Clock) -> None:
    own = session.document.character(ID).pose
    live.start(ID, Swaying(clock.now_s))
    clock.now_s += 1
    live.tick()
    assert session.shown.character(ID).pose != own
    assert session.document.character(ID).pose == own
    live.stop()
    assert session.shown.character(ID).pose == own


def test_a_stream_ends_with_its_character_and_with_its_scene(session: Session, live: LiveChannel, clock: Clock) -> None:
    ended: list[bool] = []
    live.stopped.connect(lambda: ended.append(True))
    live.start(ID, Swaying(clock.now_s))
    clock.now_s += 1
    live.tick()
    session.edit("Remove", edits.remove_character(ID))
    assert session.shown.characters == ()
    assert live.tick() == 0
    assert not live.running
    session.undo()
    live.start(ID, Swaying(clock.now_s))
    session.open(new_document())
    assert not live.running
    assert len(ended) == 2


def test_a_full_queue_takes_nothing_more_and_loses_nothing() -> None:
    queue, kept = Queue(most=3), []
    samples = [ClockSample(float(i), float(i)) for i in range(5)]
    assert [queue.offer(sample) for sample in samples] == [True, True, True, False, False]
    kept += queue.due(10.0)
    assert all(queue.offer(sample) for sample in samples[3:])
    kept += queue.due(3.5)
    kept += queue.due(10.0)
    assert kept == samples


def test_a_sender_in_another_thread_is_heard_in_full_and_in_order() -> None:
    queue, heard = Queue(most=50), []
    samples = [ClockSample(0.0, float(i)) for i in range(1000)]

    def send() -> None:
        for sample in samples:
            while not queue.offer(sample):
                pass

    sender = threading.Thread(target=send)
    sender.start()
    while len(heard) < len(samples):
        heard += queue.due(1.0)
    sender.join()
    assert heard == samples


def test_somebody_else_stays_as_they_are(session: Session, live: LiveChannel, clock: Clock) -> None:
    session.edit("Add", lambda d: edits.add_character(replace(copy_of(d, ID), id="c2"))(d))
    other = session.document.character("c2")
    live.start(ID, Swaying(clock.now_s))
    clock.now_s += 0.5
    live.tick()
    assert session.shown.character("c2") == other


def test_a_clock_that_nobody_stopped_goes_with_its_session(session: Session, clock: Clock) -> None:
    asked: list[float] = []

    class Endless:
        def due(self, now_s: float) -> list[Sample]:
            asked.append(now_s)
            return [ClockSample(now_s, 0.0)]

    live = LiveChannel(session, clock)
    live.start("", Endless())
    until(lambda: len(asked) > 1)
    delete(session)
    ticks = len(asked)
    QTest.qWait(3 * TICK_MS)
    assert len(asked) == ticks
