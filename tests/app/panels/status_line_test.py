"""The status bar's line in a window of any width: nothing lies over anything else, and nothing is lost."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from window_driver import laid_out, until

from app.panels.widgets.elided import ElidedText
from app.panels.widgets.status_line import SPARE, StatusLine
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LONG = "weights/dream-ik: no such folder of weights. Train it, then choose the solver again. " * 2


def tight(editor: Editor, width: int) -> StatusLine:
    """The line of a window of that width, on a screen that has no room for the usual least size."""
    editor.window.setMinimumSize(640, 400)
    editor.window.resize(width, 560)
    until(lambda: editor.window.width() == width)
    line = editor.window.status
    worst = "Worst effector 23.4 cm (left middle finger · position): out of reach by 23 cm"
    line.set_facts(under="Left wrist · position", worst=worst, device="CPU (CUDA: this computer has none)")
    laid_out()
    return line


def shown(line: StatusLine) -> list[ElidedText]:
    """The parts that are seen, from left to right."""
    parts = [part for part in (line.notice, *line.facts.values()) if part.isVisible() and part.text()]
    return sorted(parts, key=lambda part: part.x())


@pytest.mark.slow
def test_no_text_lies_over_another_and_none_is_outside(editor: Editor) -> None:
    for notice, width in product(("", "Saved scene.json.", LONG), (853, 1024, 1480)):
        line = tight(editor, width)
        if notice:
            line.notices.say(notice, 60_000)
        parts = shown(line)
        assert parts
        assert all(line.rect().contains(part.geometry()) for part in parts), width
        assert all(left.geometry().right() < right.x() for left, right in pairwise(parts)), width
        assert all(part.toolTip() == part.text() for part in parts), "what is cut short is whole in the tool tip"


@pytest.mark.usefixtures("a_quick_reader")
def test_a_long_notice_takes_the_place_of_the_facts_and_gives_it_back(editor: Editor) -> None:
    line = tight(editor, 853)
    line.notices.say("Read.", 0)
    until(lambda: not line.notice.isVisible())
    line.notices.say(LONG, 0)
    until(lambda: line.notice.text() == LONG)
    assert [part.text() for part in shown(line)] == [LONG]
    assert line.notice.width() > 800
    line.notices.say("Short.", 0)
    until(lambda: shown(line)[0].text() == "Short.")
    until(lambda: len(shown(line)) > 1)


def test_another_digit_moves_nothing(editor: Editor) -> None:
    line = tight(editor, 1480)
    line.set_facts(time="Solve 0.73 ms")
    before = [part.geometry() for part in shown(line)]
    line.set_facts(time="Solve 0.88 ms")
    assert [part.geometry() for part in shown(line)] == before


def test_a_text_for_which_there_is_just_room_is_not_cut(editor: Editor) -> None:
    line = tight(editor, 1480)
    line.set_facts(under="")
    worst = line.facts["worst"]
    width = worst.fontMetrics().horizontalAdvance
    letters = ("i", "l", "t", "r", "s", "e", "m", "w")
    texts = [f"Worst effector {first}{second}{third}" for first, second, third in product(letters, repeat=3)]
    by_width = {width(text): text for text in texts}
    fit = [(by_width[width(text) - SPARE], text) for text in texts if width(text) - SPARE in by_width]
    assert len(fit) > 50, "there are texts that fill the room of another one to the last pixel"
    for before, text in fit[::4]:
        line.set_facts(worst="")
        line.set_facts(worst=before)
        line.set_facts(worst=text)
        assert worst.shown() == text
