"""The running job over the view: what it is, how far it is, and Cancel."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.look.theme import SPACE
from app.panels.widgets.plain import short
from app.services.background.jobs import Jobs

SHOWN_AFTER_MS = 400  # what is done sooner needs no progress bar


class JobBar(QFrame):
    """Shows itself for jobs that take a moment."""

    def __init__(self, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("overlay")
        self.title = QLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(160)
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(jobs.cancel)
        self.cancel.clicked.connect(lambda: self.title.setText("Cancelling…"))
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

    def place(self) -> None:
        """Sit at the lower middle of the parent."""
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - SPACE * 3)

    def _started(self, title: str) -> None:
        self.title.setText(f"{short(title)}…")
        self.bar.setRange(0, 0)
        self._timer.start()

    def _progressed(self, share: float, text: str) -> None:
        self.bar.setRange(0, 100)
        self.bar.setValue(round(share * 100))
        if text:
            self.title.setText(short(text))
        if self.isVisible():
            self.place()

    def _finished(self) -> None:
        self._timer.stop()
        self.hide()

    def _appear(self) -> None:
        self.place()
        self.show()
        self.raise_()
