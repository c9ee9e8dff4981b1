"""A question that a test forgot ends by itself, and fails that test."""

from __future__ import annotations

from dialog_driver import answering, button
from PySide6.QtWidgets import QMenu, QWidget
from unanswered import Unanswered

from app.dialogs import messages
from app.panels.widgets.popups import show_menu


def test_a_question_that_nobody_answers_ends_and_is_told(qapp: object) -> None:
    watch = Unanswered(patience_s=0.5)
    assert messages.ask_to_keep_take(None, 2.0, "the scene stays open") == messages.CANCEL
    watch.stop()
    assert len(watch.closed) == 1
    assert "Keep the take of 2.0 s" in watch.closed[0]


def test_a_menu_that_nobody_closes_ends_as_well(qapp: object) -> None:
    watch, parent = Unanswered(patience_s=0.5), QWidget()
    parent.show()
    show_menu(parent, parent.pos(), lambda menu: menu.addAction("Nothing"))
    watch.stop()
    assert [text.split(" ")[0] for text in watch.closed] == [QMenu.__name__]


def test_a_question_that_is_answered_in_time_is_left_alone(qapp: object) -> None:
    watch = Unanswered()
    with answering(button(messages.GIVE_UP)):
        assert messages.ask_to_keep_take(None, 2.0, "the scene stays open") == messages.GIVE_UP
    watch.stop()
    assert not watch.closed
