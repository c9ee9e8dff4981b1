"""The clock that all share: whose frames it counts, the range that is played, and the stream that plays it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from copies import copy_of
from timeline_driver import gliding

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from app.services.clock import Clock, clock_of, frames_at, length_s
from app.services.streams import ClockSample, ClockStream


@pytest.fixture
def couple() -> Document:
    """Two people: 101 frames at 30 a second, and 25 at 12."""
    document = new_document()
    document = edits.add_character(replace(copy_of(document, "c1"), id="c2"))(document)
    document = edits.import_motion("c1", gliding(document.character("c1"), 101))(document)
    return edits.import_motion("c2", gliding(document.character("c2"), 25, 12.0))(document)


def shown(stream: ClockStream, *times_s: float) -> list[int]:
    """The frames that the stream shows up to each of the times."""
    samples = [sample for now_s in times_s for sample in stream.due(now_s)]
    return [round(s.at_s * stream.clock.fps) for s in samples if isinstance(s, ClockSample)]


def test_the_active_persons_frames_are_counted_over_the_whole_scene(couple: Document) -> None:
    assert length_s(couple) == pytest.approx(100 / 30)
    assert clock_of(couple, "c1") == Clock("c1", 30.0, 101, 0, 100)
    assert clock_of(couple, "c2") == Clock("c2", 12.0, 41, 0, 40)


def test_a_still_person_is_shown_the_frames_of_the_longest_motion(couple: Document) -> None:
    third = new_character(couple)
    assert clock_of(edits.add_character(third)(couple), third.id) == Clock("c1", 30.0, 101, 0, 100)
    assert clock_of(new_document(), "c1") == Clock()
    assert clock_of(Document(), "") == Clock()


def test_the_longest_motion_is_told_by_seconds_not_by_frames() -> None:
    document = new_document()
    for id, frames, fps in (("c1", 101, 100.0), ("c2", 25, 12.0), ("c3", 2, 30.0)):
        if id != "c1":
            document = edits.add_character(replace(copy_of(document, "c1"), id=id))(document)
        document = edits.import_motion(id, gliding(document.character(id), frames, fps))(document)
    assert clock_of(document, "nobody").lead == "c2"


def test_a_range_in_seconds_is_told_in_the_frames_of_whoever_is_active(couple: Document) -> None:
    assert clock_of(couple, "c1", (1.0, 2.0)) == Clock("c1", 30.0, 101, 30, 60)
    assert clock_of(couple, "c2", (1.0, 2.0)) == Clock("c2", 12.0, 41, 12, 24)


def test_everybody_is_at_the_frame_nearest_to_a_time_as_far_as_the_clips_go(couple: Document) -> None:
    assert frames_at(couple, 1.0) == {"c1": 30, "c2": 12}
    assert frames_at(couple, 3.0) == {"c1": 90, "c2": 24}
    assert frames_at(couple, -1.0) == {"c1": 0, "c2": 0}


def test_a_range_is_played_at_its_rate_over_and_over_whatever_the_ticks_are() -> None:
    stream, frames, now_s = ClockStream(Clock("c1", 24.0, 30, 5, 14), begin=12), [], 5.0
    rng = np.random.default_rng(1)
    assert shown(stream, now_s) == []
    while now_s < 15.0:
        now_s = min(now_s + rng.uniform(0.001, 0.2), 15.0)
        frames += shown(stream, now_s)
    assert frames == [5 + (7 + number) % 10 for number in range(1, 241)]


def test_after_a_long_halt_playing_goes_on_without_a_pile_of_frames() -> None:
    stream = ClockStream(Clock("c1", 30.0, 10, 0, 9))
    stream.due(0.0)
    late = stream.due(3600.0)
    assert len(late) == 10
    assert late[-1].time_s == pytest.approx(3600.0)


def test_a_range_that_is_played_once_ends_at_its_last_frame() -> None:
    stream = ClockStream(Clock("c1", 10.0, 30, 5, 9), begin=6, loop=False)
    assert shown(stream, 0.0, 0.15) == [7]
    last = stream.due(10.0)
    assert [(round(s.at_s * 10), s.last) for s in last if isinstance(s, ClockSample)] == [(8, False), (9, True)]
    assert stream.due(20.0) == []


@pytest.mark.parametrize(("begin", "loop"), [(2, True), (20, True), (2, False), (9, False)])
def test_playing_from_outside_the_range_begins_at_its_first_frame(begin: int, loop: bool) -> None:
    stream = ClockStream(Clock("c1", 10.0, 30, 5, 9), begin, loop)
    assert shown(stream, 0.0) == [5]
    assert shown(stream, 0.25) == [6, 7]
