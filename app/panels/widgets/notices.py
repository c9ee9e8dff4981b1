"""Notices that show for a while, one after another, each at least as long as it takes to read."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer, Signal

GLANCE_MS, LETTER_MS = 1000, 40  # what a quick reader needs: to look there, and for each letter


class Notices(QObject):
    """The notice shown and those that wait. changed(text): another notice shows, "" for none."""

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown = ""
        self._waiting: deque[tuple[str, int]] = deque()
        self._steps: dict[str, object] = {}  # what notices are about, by their texts
        self._read = QTimer(self, singleShot=True)  # runs until the notice shown has been read
        self._read.timeout.connect(self._next)
        self._over = QTimer(self, singleShot=True)  # runs until it goes away by itself
        self._over.timeout.connect(lambda: self._show("", 0))

    def say(self, text: str, ms: int, step: object = None) -> None:
        """Show a notice for `ms` milliseconds once the previous one has been read; less if another one follows.

        step: the step it is about, for `undone`.
        """
        self._steps = {known: of for known, of in self._steps.items() if known == self.shown or self._waits(known)}
        self._steps[text] = step
        if not self._read.isActive() or text == self.shown:
            self._show(text, ms)
        elif not self._waits(text):
            self._waiting.append((text, ms))

    def retract(self, text: str) -> None:
        """Drop the notice that begins with `text`, shown or waiting, as it no longer holds."""
        if not text:
            return
        self._waiting = deque(each for each in self._waiting if not each[0].startswith(text))
        if self.shown.startswith(text):
            self._read.stop()
            self._show("", 0)
            self._next()

    def undone(self, step: object) -> None:
        """Drop the notices about a step."""
        for text in [text for text, of in self._steps.items() if of is not None and of == step]:
            self.retract(text)

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
    """The least time for which a notice shows, milliseconds."""
    return GLANCE_MS + LETTER_MS * len(text)
