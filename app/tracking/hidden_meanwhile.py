"""What is not drawn while somebody follows trackers."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.services.session import Session
from app.tracking.tracking import Tracking

MEANWHILE = ("handles", "ghost", "before", "onion")  # what is not drawn: fields of the view


class HiddenMeanwhile(QObject):
    """Hides handles and all ghosts while somebody follows, and shows them again afterwards.

    They stay where the body was: handles would be drawn tied to a body that walks away, and ghosts of the base pose, of
    the motion before the edit and of the keys would stand there alone.
    """

    def __init__(self, session: Session, tracking: Tracking) -> None:
        super().__init__(tracking)
        self._session, self._tracking = session, tracking
        self._hidden: dict[str, bool] = {}  # what was shown before
        tracking.changed.connect(self._follow)

    def _follow(self) -> None:
        view, hidden = self._session.view, self._hidden
        if self._tracking.following and not hidden:
            self._hidden = {name: True for name in MEANWHILE if getattr(view, name)}
            self._session.set_view(**dict.fromkeys(self._hidden, False))
        elif not self._tracking.following and hidden:
            self._hidden = {}
            self._session.set_view(**hidden)
