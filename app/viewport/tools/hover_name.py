"""The name of what is under the pointer, for as long as it is there and called so."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.services.session import Session
from app.viewport.tools.under_pointer import name_of
from rendering.navigation import Pointer
from rendering.picking import Hit


class HoverName(QObject):
    """changed(text, x, y): what is hovered, and the pointer's pixel; "" for nothing."""

    changed = Signal(str, float, float)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._hit: Hit | None = None
        self._text = ""
        session.changed.connect(self._drop_if_stale)

    def show(self, hit: Hit, pointer: Pointer) -> None:
        """Name what is hit, if it has a name."""
        self._tell(hit, self._name(hit), pointer.pixel)

    def clear(self) -> None:
        """Name nothing."""
        self._tell(None, "", (0.0, 0.0))

    def _tell(self, hit: Hit | None, text: str, pixel: tuple[float, float]) -> None:
        if text or self._text:
            self._hit, self._text = hit, text
            self.changed.emit(text, *pixel)

    def _name(self, hit: Hit | None) -> str:
        return name_of(self._session.document, self._session.active, hit)

    def _drop_if_stale(self) -> None:
        """What was named may have been deleted or renamed since."""
        if self._text and self._name(self._hit) != self._text:
            self.clear()
