"""What is hovered: its name as long as it is there, and another look when something moves below a still pointer."""

from __future__ import annotations

from collections.abc import Callable
from math import dist

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.look.wording import reason_text, residual_text
from app.services.session import Session
from app.services.view_state import selected_people
from app.viewport.pointing.under_pointer import name_of
from rendering.camera.navigation import DRAG_STARTS, Pointer
from rendering.picking.picking import Hit
from solver.sentences import mid_sentence

LOOK_AGAIN_MS = 50  # after a change; while a motion plays, twenty times a second


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
                return mid_sentence(reason_text(reason, residual_text(effector.spec, residual), effector))
        return ""

    def _drop_if_stale(self) -> None:
        """Drop the name of what has been deleted or renamed since."""
        if self._name_shown and self._name(self._hit) != self._name_shown:
            self.clear()


class HoverRefresh(QObject):
    """Calls `look` with the pointer's last place soon after each change of the session, until the pointer is gone, and
    with None when the view is resized, as everything in it then moves."""

    def __init__(
        self, session: Session, look: Callable[[Pointer | None], None], view: QWidget, parent: QObject
    ) -> None:
        super().__init__(parent)
        view.installEventFilter(self)
        self._look = look
        self._last: Pointer | None = None
        self._soon = QTimer(self, singleShot=True, interval=LOOK_AGAIN_MS)
        self._soon.timeout.connect(self._look_again)
        session.changed.connect(self._changed)
        session.solved.connect(self._changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Name nothing any more when the view is resized."""
        if event.type() == QEvent.Type.Resize and self._last is not None:
            self._look(None)
        return False

    @property
    def waiting(self) -> bool:
        """Whether something has changed under the pointer, so that a look is about to come."""
        return self._soon.isActive()

    def seen(self, pointer: Pointer | None) -> None:
        """Note that the pointer is here and what is under it is known; None while it is elsewhere or dragging."""
        self._last = pointer
        self._soon.stop()

    def _changed(self) -> None:
        if self._last is not None and not self.waiting:
            self._soon.start()

    def _look_again(self) -> None:
        if self._last is not None:
            self._look(self._last)
