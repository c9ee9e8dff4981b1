"""The name of what is under the pointer, as long as it is there and has that name."""

from __future__ import annotations

from math import dist

from PySide6.QtCore import QObject, Signal

from app.look.wording import reason_text, residual_text
from app.services.session import Session
from app.services.view_state import selected_people
from app.viewport.tools.under_pointer import name_of
from rendering.camera.navigation import DRAG_STARTS, Pointer
from rendering.picking.picking import Hit
from solver.sentences import mid_sentence


class HoverName(QObject):
    """changed(text, x, y): what is hovered, and the pointer's pixel; "" for nothing. named(name): the same without why.

    A handle that is not reachable says why, once that is known. After a drag nothing is named until the pointer moves
    on, as the name would cover the pose that the user now looks at.
    """

    changed = Signal(str, float, float)
    named = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._hit: Hit | None = None
        self._name_shown = ""
        self._dropped: tuple[float, float] | None = None  # where a drag ended, until the pointer moves on
        session.changed.connect(self._drop_if_stale)

    def show(self, hit: Hit, pointer: Pointer) -> None:
        """Name what is hit, if it has a name."""
        reason = self._reason(hit)
        self._move_on(pointer)
        if self._dropped is not None and not reason:
            self._tell(None, "", (0.0, 0.0))
            return
        self._tell(hit, self._name(hit), pointer.pixel, reason)

    def drag_ended(self, pointer: Pointer) -> None:
        """Note that a drag has ended here."""
        self._dropped = pointer.pixel

    def clear(self, pointer: Pointer | None = None) -> None:
        """Name nothing. pointer: where nothing is."""
        if pointer is not None:
            self._move_on(pointer)
        self._tell(None, "", (0.0, 0.0))

    def _move_on(self, pointer: Pointer) -> None:
        if self._dropped is not None and dist(self._dropped, pointer.pixel) >= DRAG_STARTS:
            self._dropped = None

    def _tell(self, hit: Hit | None, name: str, pixel: tuple[float, float], reason: str = "") -> None:
        if name or self._name_shown:
            self._hit, self._name_shown = hit, name
            self.changed.emit(f"{name}: {reason}" if name and reason else name, *pixel)
            self.named.emit(name)

    def _name(self, hit: Hit | None) -> str:
        people = selected_people(self._session.view, self._session.document)
        return name_of(self._session.document, self._session.active, hit, len(people))

    def _reason(self, hit: Hit) -> str:
        active = self._session.active
        finding = self._session.finding
        if active is None or hit.kind != "handle":
            return ""
        for effector, residual, reason in zip(active.effectors, finding.residuals, finding.reasons, strict=True):
            if reason is not None and hit.id == ("effector", effector.id):
                return mid_sentence(reason_text(reason, residual_text(effector.spec, residual)))
        return ""

    def _drop_if_stale(self) -> None:
        """Drop the name of what has been deleted or renamed since."""
        if self._name_shown and self._name(self._hit) != self._name_shown:
            self.clear()
