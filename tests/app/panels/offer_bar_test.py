"""An offer over a narrow view."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.panels.offer_bar import OfferBar


def test_an_offer_that_needs_more_than_a_line_gives_its_words_the_room_beside_the_buttons(qtbot: QtBot) -> None:
    """Wide buttons left them a quarter of the bar, and three lines."""
    view = QWidget()
    qtbot.addWidget(view)
    bar = OfferBar("Bring nearer", view)
    with qtbot.waitExposed(view, timeout=60_000):
        view.resize(600, 400)
        view.show()
    text = "The hips are turned 178° away from the base pose, whose places are kept. Two lines are needed."
    buttons = bar.button.sizeHint().width() + bar.away.sizeHint().width()
    view.resize(buttons + round(0.75 * bar.label.fontMetrics().horizontalAdvance(text)), 400)
    bar.offer(text)
    assert bar.label.wordWrap()
    assert bar.button.width() + bar.away.width() == buttons
    assert bar.label.height() < 2.5 * bar.label.fontMetrics().height()
