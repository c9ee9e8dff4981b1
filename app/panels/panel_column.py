"""The scrolling column of panels at one side of the view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.buttons import Segments
from app.panels.widgets.section import Section

PANEL_WIDTH, PANEL_NARROWEST = 336, 304  # pixels
SWITCH = 30 + SPACE  # pixels at the top of a side that shares its place with another


class SideArea(QScrollArea):
    """Sections from top to bottom. Where what has the focus can no longer have it, `refuge` takes it.

    title: what it is called where both sides share one place. wanted(title): a side to be shown, by the switch between
    them or because a section of it is to be seen.
    """

    wanted = Signal(str)

    def __init__(self, title: str, sections: Iterable[Section], refuge: QWidget) -> None:
        super().__init__()
        self.title, self._refuge = title, refuge
        self.sections = tuple(sections)
        self.switch: Segments | None = None
        content = QWidget()
        content.setObjectName("panel")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, SPACE * 2)
        column.setSpacing(0)
        for section in self.sections:
            column.addWidget(section)
            section.called.connect(lambda: self.wanted.emit(self.title))
        column.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(PANEL_NARROWEST)

    def share_place(self, sides: Sequence[SideArea]) -> None:
        """Have a switch at the top between these sides, this one among them; with none, no switch."""
        if sides and self.switch is None:  # not before a window is so narrow
            self.switch = Segments([(side.title, side.title) for side in sides], self)
            self.switch.chosen.connect(self._ask)
            for side in sides:
                self.switch.explain(side.title, ", ".join(section.title for section in side.sections))
            self.switch.lower()  # the first that Tab comes to
            self._above = QWidget()
            self._above.setFixedHeight(SWITCH)
            self.addScrollBarWidget(self._above, Qt.AlignmentFlag.AlignTop)
        if self.switch is not None:
            self.switch.set_current(self.title)
            self.switch.setVisible(bool(sides))
            self._above.setVisible(bool(sides))
            self.setViewportMargins(0, SWITCH if sides else 0, 0, 0)
            self._place_switch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the switch as wide as the panels."""
        super().resizeEvent(event)
        self._place_switch()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus at Tab, and also when what has the focus is hidden or cannot be used any more.

        Qt would then give the focus to the next best field and scroll to it, away from where the user is.
        """
        return take_refuge(self, self._refuge) or super().focusNextPrevChild(next)

    def _place_switch(self) -> None:
        if self.switch is not None:
            self.switch.setGeometry(SPACE, SPACE // 2, self.width() - 2 * SPACE, SWITCH - SPACE)

    def _ask(self, title: str) -> None:
        assert self.switch is not None
        self.switch.set_current(self.title)  # as it is to be found when this side shows again
        QTimer.singleShot(0, self, lambda: self.wanted.emit(title))  # an arrow key moves the focus after this


def take_refuge(place: QWidget, refuge: QWidget) -> bool:
    """Give the focus to `refuge` if what has it in the window of `place` can no longer have it; whether that was so."""
    focused = place.window().focusWidget()
    if focused is None or (focused.isEnabled() and focused.isVisible()):
        return False
    refuge.setFocus(Qt.FocusReason.OtherFocusReason)
    return True
