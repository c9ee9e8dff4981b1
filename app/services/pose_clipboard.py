"""Copied poses, which outlive the character they came from and go from one window to another."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication

from app.document import edits
from app.document.model.document import Character
from app.services.session import Session
from solver.errors import PoserError

KIND = "application/x-contrapposto-pose"  # what the system's clipboard calls a pose


class PoseClipboard(QObject):
    """Copy from the active character, paste onto the active character; what another window copied last goes first."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._copied: Character | None = None
        self._elsewhere = b""  # what another window copied since
        self._system = QGuiApplication.clipboard()
        self._system.dataChanged.connect(self._look)
        self._look()

    @property
    def filled(self) -> bool:
        """Whether there is anything to paste."""
        return self._copied is not None or bool(self._elsewhere)

    def copy(self) -> None:
        """Keep the active character as it is now."""
        from app.document.library.clipboard import copied  # not needed to show the window

        if self._session.active is not None:
            self._copied, self._elsewhere = self._session.active, b""
            content = QMimeData()
            content.setData(KIND, copied(self._copied))
            self._system.setMimeData(content)

    def paste(self, flipped: bool = False) -> None:
        """Give the active character the copied pose, left and right exchanged if `flipped`."""
        from app.document.library.clipboard import pasted

        active = self._session.active
        if active is None:
            return
        try:
            source = pasted(self._elsewhere) if self._elsewhere else self._copied
        except PoserError as error:
            self._session.refused.emit(str(error))
            return
        if source is not None:
            text = "Paste flipped pose" if flipped else "Paste pose"
            self._session.edit(text, edits.paste_pose(active.id, source, flipped))

    def _look(self) -> None:
        """Take what another window has copied at once: its clipboard may go with it."""
        if self._system.ownsClipboard() or not self._system.mimeData().hasFormat(KIND):
            return
        self._elsewhere = bytes(self._system.mimeData().data(KIND).data()) or self._elsewhere
        self._session.changed.emit()
