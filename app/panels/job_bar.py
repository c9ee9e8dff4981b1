"""The running job over the view: its title, its progress, and Cancel."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.look.theme import SPACE
from app.panels.widgets.external_text import shortened
from app.services.background.jobs import Jobs
from solver.sentences import sentence_case

WIDE, NARROW = 160, 64  # pixels of the bar, with enough room and without
SHOWN_AFTER_MS = 400  # jobs done sooner need no progress bar


class JobBar(QFrame):
    """Shows itself for jobs that take a moment."""

    def __init__(self, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("overlay")
        self.title = QLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self._text, self._runs = "", False
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(jobs.cancel)
        self.cancel.clicked.connect(self._cancelling)
        line = QHBoxLayout(self)
        line.setContentsMargins(SPACE * 2, SPACE, SPACE, SPACE)
        line.setSpacing(SPACE * 2)
        for widget in (self.title, self.bar, self.cancel):
            line.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_AFTER_MS)
        self._timer.timeout.connect(self._appear)
        jobs.started.connect(self._started)
        jobs.progressed.connect(self._progressed)
        jobs.finished.connect(self._finished)
        self.hide()
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the lower middle of a parent that is resized."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Move to the lower middle of the parent, above a hint there, and within it.

        In a small one the bar is shortened first, then the title.
        """
        parent = self.parentWidget()
        if parent is not None:
            self.title.setText(self._text)
            self.bar.setFixedWidth(WIDE)
            over = self.sizeHint().width() - (parent.width() - 2 * SPACE)
            self.bar.setFixedWidth(min(WIDE, max(NARROW, WIDE - over)))
            if (over := over - (WIDE - NARROW)) > 0:
                room, cut = self.title.sizeHint().width() - over, Qt.TextElideMode.ElideMiddle
                how_far = sentence_case(self._text.rpartition(": ")[2])  # without what it is about
                self.title.setText(self.title.fontMetrics().elidedText(how_far, cut, room))
            self.title.setToolTip(self._text if self.title.text() != self._text else "")
            self.adjustSize()
            self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - SPACE)

    def give_up(self) -> bool:
        """Do what its Cancel does, before it shows as well; False if nothing runs, or it has done so already."""
        can = self._runs and self.cancel.isEnabled()
        if can:
            self.cancel.click()
        return can

    def _started(self, title: str) -> None:
        self._say(f"{shortened(title)}…")
        self._runs = True
        self.cancel.setEnabled(True)
        self.bar.setRange(0, 0)
        self._timer.start()

    def _progressed(self, share: float, text: str) -> None:
        if not self.cancel.isEnabled():  # sent before the job heard of it
            return
        self.bar.setRange(0, 100)
        self.bar.setValue(round(share * 100))
        if text:
            self._say(shortened(text))
        if self.isVisible():
            self.place()

    def _cancelling(self) -> None:
        self._say("Cancelling…")
        parent = self.parentWidget()
        if parent is not None and self.cancel.hasFocus():  # Qt would give the focus to some field of a panel
            parent.setFocus()
        self.cancel.setEnabled(False)
        self.bar.setRange(0, 0)
        self.place()

    def _finished(self) -> None:
        self._timer.stop()
        self._runs = False
        self.hide()

    def _say(self, text: str) -> None:
        self._text = text
        self.title.setText(text)

    def _appear(self) -> None:
        self.place()
        self.show()
        self.raise_()
