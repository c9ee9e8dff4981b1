"""An offer over the view: one sentence, and a button that does it."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.look.theme import SPACE


class OfferBar(QFrame):
    """Shows itself while there is something to offer. accepted(): the button was pressed.

    Once declined, it stays away for what it was about, at every frame, until there is nothing to offer any more where
    it was declined.
    """

    accepted = Signal()

    def __init__(self, button: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("overlay")
        self._about: tuple[Hashable, int] = (None, 0)
        self._declined: dict[Hashable, int] = {}  # at which frame
        self.label = QLabel()
        self.button = QPushButton(button)
        self.button.setDefault(True)  # to look like the one to press
        self.button.clicked.connect(self.accepted)
        self.away = QPushButton("Not now")
        self.away.setProperty("flat", True)
        self.away.clicked.connect(self._decline)
        line = self._line = QHBoxLayout(self)
        line.setContentsMargins(SPACE * 2, SPACE, SPACE, SPACE)
        line.setSpacing(SPACE)
        line.addWidget(self.label, 1)  # what is over is the text's, which else had three lines beside wide buttons
        for each in (self.button, self.away):
            line.addWidget(each)
        self.hide()

    def offer(self, text: str, about: Hashable = None, frame: int = 0) -> None:
        """Offer something, one sentence; "" for nothing. about: whom it concerns, and in what situation."""
        self._about = about, frame
        if not text and self._declined.get(about) == frame:
            del self._declined[about]
        self.label.setText(text)
        show = bool(text) and about not in self._declined
        self.setVisible(show)
        if show:
            self._place()

    def forget(self) -> None:
        """Offer what was declined as well, as in another scene."""
        self._declined.clear()

    def _decline(self) -> None:
        about, frame = self._about
        self._declined[about] = frame
        self.hide()

    def _place(self) -> None:
        parent = self.parentWidget()
        self.label.setWordWrap(False)
        self.adjustSize()
        if parent is not None:
            room = parent.width() - 2 * SPACE
            if self.width() > room:  # on lines of their own, so that both buttons stay in sight
                self.label.setWordWrap(True)
                self.resize(room, self._line.heightForWidth(room))
            self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - SPACE)
        self.raise_()
