"""Schedules finding the reasons why effectors are not reachable for when there is nothing else to solve."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.services.session import Session

REST_MS = 250  # without a change before asking


class ReasonScheduler(QObject):
    """Has the session request reasons a moment after the last change, and never during a drag."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._ask)
        session.changed.connect(self._soon)
        session.solved.connect(self._soon)

    def _soon(self) -> None:
        if self._session.unexplained_character is not None:
            self._rest.start()

    def _ask(self) -> None:
        if self._session.in_step or not self._session.service.idle():
            self._soon()
        else:
            self._session.request_reasons()
