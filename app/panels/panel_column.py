"""The scrolling column of panels at one side of the view."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.look.theme import SPACE

PANEL_WIDTH, PANEL_NARROWEST = 336, 296  # pixels


class SideArea(QScrollArea):
    """Sections from top to bottom. Where what has the focus can no longer have it, `refuge` takes it."""

    def __init__(self, sections: Iterable[QWidget], refuge: QWidget) -> None:
        super().__init__()
        self._refuge = refuge
        content = QWidget()
        content.setObjectName("panel")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, SPACE * 2)
        column.setSpacing(0)
        for section in sections:
            column.addWidget(section)
        column.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(PANEL_NARROWEST)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus at Tab, and also when what has the focus is hidden or cannot be used any more.

        Qt would then give the focus to the next best field and scroll to it, away from where the user is.
        """
        return take_refuge(self, self._refuge) or super().focusNextPrevChild(next)


def take_refuge(place: QWidget, refuge: QWidget) -> bool:
    """Give the focus to `refuge` if what has it in the window of `place` can no longer have it; whether that was so."""
    focused = place.window().focusWidget()
    if focused is None or (focused.isEnabled() and focused.isVisible()):
        return False
    refuge.setFocus(Qt.FocusReason.OtherFocusReason)
    return True
