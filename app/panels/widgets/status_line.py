"""The status bar's one line: a notice on the left for a while, facts on the right."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.look.theme import SPACE
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.notices import Notices

SPARE, SLACK = 6, 48  # extra pixels; how many may be left over before a fact's room shrinks
LEAST = 48  # pixels that a fact keeps
ABOVE = 2  # pixels, and as many below


class StatusLine(QWidget):
    """A notice that has no room beside the facts takes their place while it shows.

    What is still too long is cut short, and shown whole in its tool tip. facts: their names, from left to right; the
    longest is cut short first. The line places its parts itself, so that another digit asks for no new layout.
    """

    def __init__(self, facts: Iterable[str]) -> None:
        super().__init__()
        self.notices = Notices(self)
        self.notices.changed.connect(self._notice)
        self.notice = self._part("text")
        self.facts = {name: self._part("muted") for name in facts}
        self._rooms = dict.fromkeys(self.facts, 0)

    def set_facts(self, **texts: str) -> None:
        """Show other texts, "" for none; a fact keeps its room for texts of about that length."""
        for name, text in texts.items():
            part = self.facts[name]
            if text == part.text():
                continue
            _show(part, text)
            needed = part.needed(text)
            if not text or not needed <= self._rooms[name] <= needed + SLACK:
                self._rooms[name] = needed + SPARE if text else 0
                self._arrange()

    def sizeHint(self) -> QSize:
        """One line high, and as wide as there is room."""
        return QSize(0, self.fontMetrics().height() + 2 * ABOVE)

    def minimumSizeHint(self) -> QSize:
        """One line high."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place everything again."""
        super().resizeEvent(event)
        self._arrange()

    def _part(self, tone: str) -> ElidedText:
        part = ElidedText(tone=tone)
        part.setParent(self)
        return part

    def _notice(self, text: str) -> None:
        _show(self.notice, text)
        self._arrange()

    def _arrange(self) -> None:
        room, left = self.width() - 2 * SPACE, SPACE
        rooms = {name: self._rooms[name] for name, part in self.facts.items() if part.text()}
        wanted = self.notice.fontMetrics().horizontalAdvance(self.notice.text())
        taken = _total(rooms)
        if wanted and wanted + SPACE + taken > room:
            rooms = {}
        else:
            while rooms and _total(rooms) > room and max(rooms.values()) > LEAST:
                longest = max(rooms, key=lambda name: rooms[name])
                rooms[longest] = max(LEAST, rooms[longest] - (_total(rooms) - room))
        self.notice.setGeometry(QRect(left, 0, room - _total(rooms), self.height()))
        self.notice.setVisible(bool(wanted))
        right = self.width() - SPACE - _total(rooms)
        for name, part in self.facts.items():
            part.setVisible(name in rooms)
            if name in rooms:
                part.setGeometry(QRect(right + SPACE, 0, rooms[name], self.height()))
                right += SPACE + rooms[name]


def _total(rooms: dict[str, int]) -> int:
    return sum(SPACE + room for room in rooms.values())


def _show(part: ElidedText, text: str) -> None:
    part.set_text(text)
    part.setToolTip(text)
