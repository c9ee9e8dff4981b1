"""Panels at both sides of the view; in a narrow window they share one place."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.panels.panel_column import PANEL_NARROWEST, PANEL_WIDTH, SideArea

VIEW_WANTS = 480  # pixels of width, before panels make room for it
VIEW_LEAST = 360  # pixels of width: where both sides would leave it less, only one of them shows


class Columns(QSplitter):
    """Panels at both sides of the view, as wide as the user made them; in a narrow window they leave the view room.

    In one that has too little for both, the sides are at the left, one behind the other, with a switch between them.
    What is docked stands between the left side and the view, or where there is no room in place of the side.
    """

    def __init__(self, left: SideArea, view: QWidget, right: SideArea) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)
        self.view, self.sides = view, (left, right)
        self.with_panels = True
        self._front, self._narrow = left, False
        self._docked: QWidget | None = None
        self._wanted = {left: PANEL_WIDTH, right: PANEL_WIDTH}
        self._away = set[SideArea]()  # pushed to the edge by the user
        for widget in (left, view, right):
            self.addWidget(widget)
            self.setStretchFactor(self.count() - 1, int(widget is view))
            self.setCollapsible(self.count() - 1, widget is not view)
        self.setSizes([PANEL_WIDTH, 840, PANEL_WIDTH])
        self.splitterMoved.connect(self._remember)
        for side in self.sides:
            side.wanted.connect(self._bring)

    def minimumSizeHint(self) -> QSize:
        """Room for the view and one side."""
        width = PANEL_NARROWEST + self.handleWidth() + self.view.minimumSizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width out."""
        super().resizeEvent(event)
        self.make_room()

    def show_panels(self, shown: bool) -> None:
        """Show the panels at the sides, or leave the view the whole window."""
        self.with_panels = shown
        self.make_room()

    def dock(self, panel: QWidget) -> None:
        """Show a panel left of the view, where it is narrow in place of the panels there."""
        if self.indexOf(panel) < 0:
            self.insertWidget(self.indexOf(self.view), panel)
            place = self.indexOf(panel)
            self.setCollapsible(place, False)
            self.setStretchFactor(place, 0)
        self._docked = panel
        panel.show()
        self.make_room(panel.minimumWidth())

    def undock(self, panel: QWidget) -> None:
        """Put such a panel away again."""
        panel.hide()
        self._docked = None
        self.make_room()

    def make_room(self, docked: int | None = None) -> None:
        """Show what there is room for, each side as wide as it wants, or less where the view would have too little.

        docked: pixels of what is docked, None for as wide as it is.
        """
        before = self._extents()
        for side in self.sides:  # a side that is hidden has no width, and comes back with the one it had
            if not side.isHidden():
                (self._away.discard if before[side] else self._away.add)(side)
        self._stack(self.width() < 2 * PANEL_NARROWEST + VIEW_LEAST)
        shown = self._shown()
        for side in self.sides:
            side.setVisible(side in shown)
        sizes = dict.fromkeys(before, 0)
        if self._docked is not None:
            sizes[self._docked] = docked or before.get(self._docked, 0) or self._docked.minimumWidth()
        taken = [side for side in shown if side not in self._away]
        most = (self.width() - sum(sizes.values()) - VIEW_WANTS) // max(len(taken), 1)
        for side in self.sides:
            if side not in self._away:
                sizes[side] = max(PANEL_NARROWEST, min(self._wanted[side], most))
        sizes[self.view] = self.width() - sum(size for widget, size in sizes.items() if not widget.isHidden())
        now = self._extents()
        if any(size != now[widget] for widget, size in sizes.items() if not widget.isHidden()):
            self.setSizes([sizes[widget] for widget in self._widgets()])

    def _shown(self) -> list[SideArea]:
        """The sides that there is room for."""
        left, right = self.sides
        if not self.with_panels:
            return []
        if self._narrow:
            return [self._front] if self._docked is None else []
        if self._docked is None:
            return [left, right]
        wants = sum(0 if side in self._away else self._wanted[side] for side in self.sides)
        return [right] if self.width() - self._docked.minimumWidth() - wants < VIEW_WANTS else [left, right]

    def _stack(self, narrow: bool) -> None:
        """Put both sides into one place, or apart again."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        left, right = self.sides
        if narrow:
            self.insertWidget(self.indexOf(left) + 1, right)
            if self._front in self._away and not self._away.issuperset(self.sides):
                self._front = right if self._front is left else left
        else:
            self.addWidget(right)
        for side in self.sides:
            side.share_place(self.sides if narrow else ())

    def _bring(self, title: str) -> None:
        """Let a side be seen, in front of the other where they share a place."""
        side = next(side for side in self.sides if side.title == title)
        if not self._narrow or not self.with_panels or (side is self._front and self._docked is None):
            return
        if self._docked is not None:
            self._docked.close()
        switched = self._front.switch is not None and self._front.switch.isAncestorOf(self.focusWidget())
        self._away.discard(side)
        self._front = side
        self.make_room()
        if switched and side.switch is not None:
            side.switch.button(side.title).setFocus(Qt.FocusReason.TabFocusReason)

    def _remember(self, *_moved: int) -> None:
        for side, width in self._extents().items():
            if side in self._wanted:
                self._wanted[side] = width or self._wanted[side]

    def _widgets(self) -> list[QWidget]:
        return [widget for place in range(self.count()) if (widget := self.widget(place)) is not None]

    def _extents(self) -> dict[QWidget, int]:
        return dict(zip(self._widgets(), self.sizes(), strict=True))
