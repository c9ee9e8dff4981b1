"""An offer over the view: one sentence, and a button that does it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.look.theme import SPACE


class OfferBar(QFrame):
    """Shows itself while there is something to offer. accepted(): the button was pressed. Once dismissed, it stays away
    until something else is offered."""

    accepted = Signal()

    def __init__(self, button: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("overlay")
        self._text, self._declined = "", False
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
        for widget in (self.label, self.button, self.away):
            line.addWidget(widget)
        self.hide()

    def offer(self, text: str) -> None:
        """Offer something, one sentence; "" for nothing."""
        if bool(text) != bool(self._text):
            self._declined = False
        self._text = text
        self.label.setText(text)
        show = bool(text) and not self._declined
        self.setVisible(show)
        if show:
            self._place()

    def _decline(self) -> None:
        self._declined = True
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
