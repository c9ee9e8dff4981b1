"""Notices that show for a while, one after another, each for as long as reading it takes."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer, Signal

GLANCE_MS, LETTER_MS = 1000, 40  # a quick reader needs these: to look there, and for each letter


class Notices(QObject):
    """What is said now, and what waits to be said. changed(text): another notice shows, "" for none."""

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown = ""
        self._waiting: deque[tuple[str, int]] = deque()
        self._steps: dict[str, object] = {}  # what notices tell of, by their texts
        self._read = QTimer(self, singleShot=True)  # runs until the notice shown has been read
        self._read.timeout.connect(self._next)
        self._over = QTimer(self, singleShot=True)  # runs until it goes away by itself
        self._over.timeout.connect(lambda: self._show("", 0))

    def say(self, text: str, ms: int, step: object = None) -> None:
        """Show a notice for `ms` milliseconds, once the one before it has been read; less if another one follows.

        step: what it tells of, for `undone`.
        """
        self._steps = {known: of for known, of in self._steps.items() if known == self.shown or self._waits(known)}
        self._steps[text] = step
        if not self._read.isActive() or text == self.shown:
            self._show(text, ms)
        elif not self._waits(text):
            self._waiting.append((text, ms))

    def take_back(self, text: str) -> None:
        """Show the notice that begins so no more, and not at all if it still waits: what it says is no longer so."""
        if not text:
            return
        self._waiting = deque(each for each in self._waiting if not each[0].startswith(text))
        if self.shown.startswith(text):
            self._read.stop()
            self._show("", 0)
            self._next()

    def undone(self, step: object) -> None:
        """Show what was said of a step no more."""
        for text in [text for text, of in self._steps.items() if of is not None and of == step]:
            self.take_back(text)

    def _waits(self, text: str) -> bool:
        return any(text == waiting for waiting, _ in self._waiting)

    def _next(self) -> None:
        if self._waiting:
            self._show(*self._waiting.popleft())

    def _show(self, text: str, ms: int) -> None:
        if text:
            self._read.start(reading_ms(text))
            self._over.start(max(ms, reading_ms(text)))
        if text != self.shown:
            self.shown = text
            self.changed.emit(text)


def reading_ms(text: str) -> int:
    """How long a notice shows at least, milliseconds."""
    return GLANCE_MS + LETTER_MS * len(text)
