"""The frame whose hands the panel of hands shows, and a menu to apply them to all frames."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QWidget

from app.document import edits
from app.document.model.character import Character
from app.document.model.finger_curve import hands_move
from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.popups import add_entry, show_menu
from app.services.session import Session


class FrameRow(QWidget):
    """Says which frame's hands the panel shows; hidden for a person with a single frame.

    solves: whether the body has to follow the fingers.
    """

    def __init__(self, session: Session, solves: Callable[[], bool]) -> None:
        super().__init__()
        self._session, self._solves = session, solves
        self.said = QLabel()
        self.said.setProperty("role", "muted")
        self.more = IconButton("more", "More for hands over time")
        self.more.clicked.connect(self._ask)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SPACE)
        line.addWidget(self.said, 1)
        line.addWidget(self.more)

    def show_for(self, active: Character | None) -> None:
        """Show the frame of somebody's clip."""
        over_time = active is not None and len(active.clip) > 1
        self.setVisible(over_time)
        if active is None or not over_time:
            return
        if not hands_move(active.clip):
            text = "Held alike at all frames"
        elif active.clip.key(active.frame) is not None:
            text = f"Frame {active.frame + 1:,}, a key"
        else:
            text = f"Frame {active.frame + 1:,}, between keys"
        self.said.setText(text)

    def _ask(self) -> None:
        show_menu(self, self.more.mapToGlobal(QPoint(0, self.more.height())), self.fill)

    def fill(self, menu: QMenu) -> None:
        """What can be done with the hands of this frame at others."""
        active = self._session.active
        differ = active is not None and hands_move(active.clip)
        add_entry(menu, "Apply to all frames", self._throughout, "" if differ else "they are held alike at all frames")

    def _throughout(self) -> None:
        active = self._session.active
        if active is not None:
            edit = edits.hold_hands_throughout(active.id)
            self._session.edit("Apply hands to all frames", edit, solve=self._solves())
