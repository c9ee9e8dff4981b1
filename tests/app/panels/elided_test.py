"""A line of text that takes the room it gets: whole, shorter, or cut with an ellipsis."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.panels.widgets.elided import ElidedText, wrapped_lines

WHOLE, SHORTER = "of 688  ·  12.34 s", "of 688"


def test_what_has_something_shorter_to_say_is_never_cut(qtbot: QtBot) -> None:
    text = ElidedText()
    qtbot.addWidget(text)
    text.set_text(WHOLE, shorter=SHORTER)
    metrics = text.fontMetrics()
    line = " ".join(WHOLE.split())
    seen = []
    for width in range(metrics.horizontalAdvance(line) + 1, 0, -1):
        text.resize(width, 20)
        seen.append(text.shown())
    assert list(dict.fromkeys(seen)) == [line, SHORTER, ""]
    assert seen[-metrics.horizontalAdvance(SHORTER)] == SHORTER
    assert text.text() == WHOLE


def test_what_has_nothing_shorter_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    text = ElidedText()
    qtbot.addWidget(text)
    text.set_text(WHOLE)
    text.resize(text.fontMetrics().horizontalAdvance(SHORTER) + 12, 20)
    assert text.shown().endswith("…")
    assert text.shown() != "…"


def test_a_long_name_takes_two_lines_and_no_more(qtbot: QtBot) -> None:
    metrics = ElidedText().fontMetrics()
    width = metrics.horizontalAdvance("Pick up from the")
    assert wrapped_lines("Walk", metrics, width) == ["Walk"]
    assert wrapped_lines("Pick up from the floor", metrics, width) == ["Pick up from the", "floor"]
    first, second = wrapped_lines("Pick up from the floor and carry it all the way home", metrics, width)
    assert first == "Pick up from the"
    assert second.startswith("floor and")
    assert second.endswith("…")
    (only,) = wrapped_lines("Donaudampfschifffahrt" * 3, metrics, width, most=1)
    assert only.endswith("…")
    assert wrapped_lines("", metrics, width) == []
