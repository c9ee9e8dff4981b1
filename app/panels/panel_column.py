"""The scrolling column of panels at one side of the view."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.look.theme import SPACE

PANEL_WIDTH, PANEL_NARROWEST = 336, 304  # pixels
VIEW_WANTS = 480  # pixels of width, before panels make room for it


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


class Columns(QSplitter):
    """Panels at both sides of the view, as wide as the user made them; in a narrow window they leave the view room."""

    def __init__(self, left: SideArea, view: QWidget, right: SideArea) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)
        self.view = view
        self._wanted = {left: PANEL_WIDTH, right: PANEL_WIDTH}
        for widget in (left, view, right):
            self.addWidget(widget)
            self.setStretchFactor(self.count() - 1, int(widget is view))
            self.setCollapsible(self.count() - 1, widget is not view)
        self.setSizes([PANEL_WIDTH, 840, PANEL_WIDTH])
        self.splitterMoved.connect(self._remember)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width out."""
        super().resizeEvent(event)
        self.make_room()

    def make_room(self, back: QWidget | None = None) -> None:
        """Give each side what it wants, or less where the view would have too little.

        back: a side that was hidden, to be shown again whatever width it was left with.
        """
        sizes = self.sizes()
        sides = {side: self.indexOf(side) for side in self._wanted}
        if back is not None:
            sizes[self.indexOf(back)] = max(sizes[self.indexOf(back)], 1)
        shown = {side: i for side, i in sides.items() if not side.isHidden() and sizes[i] > 0}
        if not shown:
            return
        view = self.indexOf(self.view)
        others = sum(size for i, size in enumerate(sizes) if i != view and i not in shown.values())
        most = (self.width() - others - VIEW_WANTS) // len(shown)
        for side, i in shown.items():
            width = max(PANEL_NARROWEST, min(self._wanted[side], most))
            sizes[view] += sizes[i] - width
            sizes[i] = width
        if sizes != self.sizes():
            self.setSizes(sizes)

    def _remember(self, *_moved: int) -> None:
        for side in self._wanted:
            self._wanted[side] = self.sizes()[self.indexOf(side)] or self._wanted[side]


def take_refuge(place: QWidget, refuge: QWidget) -> bool:
    """Give the focus to `refuge` if what has it in the window of `place` can no longer have it; whether that was so."""
    focused = place.window().focusWidget()
    if focused is None or (focused.isEnabled() and focused.isVisible()):
        return False
    refuge.setFocus(Qt.FocusReason.OtherFocusReason)
    return True
