"""Notices wait for each other, so that each can be read."""

from __future__ import annotations

import time

import pytest
from window_driver import until

from app.panels.widgets.notices import Notices, reading_ms


@pytest.fixture
def notices(qapp: object) -> Notices:
    return Notices()


def test_a_notice_shows_at_once_and_goes_by_itself(notices: Notices) -> None:
    notices.say("Saved.", 0)
    assert notices.shown == "Saved."
    until(lambda: notices.shown == "")


def test_the_next_one_waits_until_the_first_has_been_read(notices: Notices) -> None:
    said: list[tuple[float, str]] = []
    notices.changed.connect(lambda text: said.append((time.monotonic(), text)))
    for text in ("one", "two", "two", "three"):
        notices.say(text, 60_000)
    until(lambda: notices.shown == "three")
    assert [text for _, text in said] == ["one", "two", "three"]
    assert 1000 * (said[1][0] - said[0][0]) > 0.95 * reading_ms("one")
    assert 1000 * (said[2][0] - said[1][0]) > 0.95 * reading_ms("two")


def test_one_that_has_been_read_gives_way_at_once(notices: Notices) -> None:
    notices.say("old", 60_000)
    shown = time.monotonic()
    until(lambda: 1000 * (time.monotonic() - shown) > 1.05 * reading_ms("old") + 50)  # timers may be 5% late
    assert notices.shown == "old"
    notices.say("new", 60_000)
    assert notices.shown == "new"


def test_a_longer_text_has_more_time() -> None:
    assert reading_ms("a" * 100) > 2 * reading_ms("a" * 10)


def test_one_that_is_taken_back_goes_at_once_and_the_one_that_waits_comes(notices: Notices) -> None:
    for text in ("no longer so", "one that waits", "nor is this", "the last"):
        notices.say(text, 60_000)
    notices.retract("nor is this")
    notices.retract("nobody said that")
    assert notices.shown == "no longer so"
    notices.retract("no longer so")
    assert notices.shown == "one that waits"
    notices.retract("one that waits")
    assert notices.shown == "the last"
    notices.retract("")
    assert notices.shown == "the last"
    notices.retract("the la")
    assert notices.shown == "", "as it begins is enough"


def test_what_was_said_of_a_step_goes_when_that_is_undone(notices: Notices) -> None:
    notices.say("not saved", 60_000)
    notices.say("of the first step", 60_000, 3)
    notices.say("of the second step", 60_000, 4)
    notices.undone(4)
    notices.undone(5)
    assert notices.shown == "not saved"
    notices.retract("not saved")
    assert notices.shown == "of the first step"
    notices.undone(3)
    assert notices.shown == ""
    notices.say("not saved", 60_000)
    notices.undone(None)
    assert notices.shown == "not saved"
