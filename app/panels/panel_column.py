"""Panels on both sides of the view, each a scrolling column; in a narrow window they share one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.buttons import SegmentedControl
from app.panels.widgets.section import Section, wrapped_label
from app.panels.widgets.vertical_scroll import VerticalScrollArea
from app.services.soon import soon

PANEL_WIDTH, PANEL_NARROWEST = 336, 304  # pixels
VIEW_WANTS = 480  # pixels of width, for which panels make room
BESIDE_FLOATING = 600  # pixels of width that what floats has to leave the view
VIEW_LEAST = 360  # pixels of width: if both sides would leave it less, only one of them shows
VEIL = 0.8  # how much of the panels a cover hides
SWITCH = 30 + SPACE  # pixels at the top of a side that shares its place with the other


class WaitingCover(QWidget):
    """A veil over panels while what they show is about to make way for something that is still being read, with a text
    at the top; clicks do not reach the fields below."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = wrapped_label()
        self.text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 3, SPACE * 12, SPACE * 3, SPACE)
        column.addWidget(self.text)
        column.addStretch(1)
        parent.installEventFilter(self)
        self.hide()

    def show_text(self, text: str) -> None:
        """Cover the parent and say why."""
        self.text.setText(text)
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the parent's size."""
        parent = self.parentWidget()
        if event.type() == QEvent.Type.Resize and parent is not None:
            self.setGeometry(parent.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The veil, in the panels' colour."""
        colour = self.palette().color(QPalette.ColorRole.Window)
        colour.setAlphaF(VEIL)
        QPainter(self).fillRect(event.rect(), colour)


class SideArea(VerticalScrollArea):
    """Sections from top to bottom. If the widget with the focus can no longer have it, `fallback_focus` takes it.

    title: its name where both sides share one place. wanted(title, asked): that side is to show, because of the switch
    between them or for a section of it; asked: by the user, who wants it wherever it is.
    """

    wanted = Signal(str, bool)

    def __init__(self, title: str, sections: Iterable[Section], fallback_focus: QWidget) -> None:
        content = QWidget()
        content.setObjectName("panel")
        super().__init__(content)
        self.title, self._fallback_focus = title, fallback_focus
        self.sections = tuple(sections)
        self.switch: SegmentedControl | None = None
        self._content, self._cover = content, WaitingCover(self)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, SPACE * 2)
        column.setSpacing(0)
        for section in self.sections:
            column.addWidget(section)
            section.show_requested.connect(lambda asked: self.wanted.emit(self.title, asked))
        column.addStretch(1)
        self.setMinimumWidth(PANEL_NARROWEST)

    def share_place(self, sides: Sequence[SideArea]) -> None:
        """Have a switch at the top between these sides, this one included; with none, no switch."""
        if sides and self.switch is None:  # only once a window is that narrow
            self.switch = SegmentedControl([(side.title, side.title) for side in sides], self)
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

    def wait_for(self, text: str) -> None:
        """Be grey under a text while what the panels show is about to make way for something else; "" for no longer."""
        self._content.setEnabled(not text)
        if text:
            self._cover.show_text(text)
        else:
            self._cover.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the switch as wide as the panels."""
        super().resizeEvent(event)
        self._place_switch()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus on Tab, and also when the widget with the focus is hidden or can no longer be used.

        Qt would then give the focus to the next best field and scroll to it, away from where the user is.
        """
        return move_focus_to_fallback(self, self._fallback_focus) or super().focusNextPrevChild(next)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Give the focus to `fallback_focus` after a click on a row or the background: arrows move what was chosen."""
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self._fallback_focus.setFocus(Qt.FocusReason.MouseFocusReason)

    def _place_switch(self) -> None:
        if self.switch is not None:
            beside = SPACE + 4  # as the fields below
            self.switch.setGeometry(beside, SPACE // 2, self.viewport().width() - 2 * beside, SWITCH - SPACE)

    def _ask(self, title: str) -> None:
        assert self.switch is not None
        self.switch.set_current(self.title)  # as it should be when this side shows again
        soon(self, lambda: self.wanted.emit(title, True))  # an arrow key moves the focus after this


class PanelColumns(QSplitter):
    """Panels on both sides of the view, as wide as the user made them; in a narrow window they leave the view room.

    If there is too little room for both, they share a place on the left, with a switch between them. A docked panel
    stands between the left side and the view or, if there is no room, in place of the side.

    panels_back(): hidden panels are shown again.
    """

    panels_back = Signal()

    def __init__(self, left: SideArea, view: QWidget, right: SideArea) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)
        self.view, self.sides = view, (left, right)
        self.with_panels = True
        self._front, self._narrow = left, False
        self._docked: QWidget | None = None
        self._docked_wants = 0
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
        """Share out the new width."""
        super().resizeEvent(event)
        self.make_room()

    def show_panels(self, shown: bool) -> None:
        """Show the panels at the sides, or leave the view the whole window."""
        self._set_shown(shown)
        if shown and self._narrow:  # there is no other side from which to call it back
            self._away.discard(self._front)
        self.make_room()

    def dock(self, panel: QWidget, width: int = 0) -> None:
        """Show a panel left of the view or, if there is little room, in place of the panels there, or of all panels.

        Another one that is docked closes. width: pixels that it would like, if that is more than it needs.
        """
        if self._docked not in (None, panel):
            self._docked.close()
        if self.indexOf(panel) < 0:
            self.insertWidget(self.indexOf(self.view), panel)
            place = self.indexOf(panel)
            self.setCollapsible(place, False)
            self.setStretchFactor(place, 0)
        self._docked, self._docked_wants = panel, max(panel.minimumWidth(), width)
        panel.show()
        self.make_room()

    def undock(self, panel: QWidget) -> None:
        """Put a docked panel away again."""
        panel.hide()
        if self._docked is panel:
            self._docked = None
            self.make_room()

    def covers_view(self, panel: QWidget) -> bool:
        """Whether a floating panel at the left edge would leave the view too little, and would do better docked."""
        least = panel.minimumSizeHint().expandedTo(panel.minimumSize())
        left = self.width() - panel.sizeHint().expandedTo(least).width() - self._extents()[self.sides[1]]
        return left < BESIDE_FLOATING and least.height() <= self.height() and self.width() - least.width() >= VIEW_LEAST

    def room_to_dock(self) -> int:
        """Pixels of width that a docked panel may take in place of the left side and leave the view what it wants."""
        return self.width() - VIEW_WANTS - self._extents()[self.sides[1]]

    def make_room(self) -> None:
        """Show what there is room for, each as wide as it wants, or less if the view would have too little."""
        before = self._extents()
        for side in self.sides:  # a side that is hidden has no width, and comes back with the one it had
            if not side.isHidden():
                (self._away.discard if before[side] else self._away.add)(side)
        self._stack(self.width() < 2 * PANEL_NARROWEST + VIEW_LEAST)
        shown = self._shown()
        for side in self.sides:
            side.setVisible(side in shown)
        self.refresh()  # handles of hidden sides go now, so that the view is resized once
        sizes = dict.fromkeys(before, 0)
        if self._docked is not None:
            most = self.width() - VIEW_WANTS
            sizes[self._docked] = max(min(self._docked_wants, most), self._docked.minimumWidth())
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
        room = self.width() - self._docked_wants
        if room - PANEL_NARROWEST < VIEW_LEAST and right not in self._away:
            return []
        wants = sum(0 if side in self._away else self._wanted[side] for side in self.sides)
        return [right] if room - wants < VIEW_WANTS else [left, right]

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
            self._front = next((side for side in self.sides if side.isAncestorOf(self.focusWidget())), self._front)
        else:
            self.addWidget(right)
        for side in self.sides:
            side.share_place(self.sides if narrow else ())

    def _bring(self, title: str, asked: bool) -> None:
        """Bring a side into sight, in front of the other if they share a place.

        asked: by the user, who then gets it back even if it was pushed to the edge, all panels are hidden, or something
        is docked in their place.
        """
        side = next(side for side in self.sides if side.title == title)
        self._set_shown(self.with_panels or asked)
        if not self.with_panels or self._extents()[side] or not (asked or self._narrow):
            return
        if self._docked is not None and side not in self._shown():
            if not asked:
                self._front = side
                return
            self._docked.close()
        switched = self._front.switch is not None and self._front.switch.isAncestorOf(self.focusWidget())
        side.hide()  # one that was pushed to the edge comes back as well
        self._away.discard(side)
        self._front = side
        self.make_room()
        if switched and side.switch is not None:
            side.switch.button(side.title).setFocus(Qt.FocusReason.TabFocusReason)

    def _set_shown(self, shown: bool) -> None:
        back, self.with_panels = shown and not self.with_panels, shown
        if back:
            self.panels_back.emit()

    def _remember(self, *_moved: int) -> None:
        for side, width in self._extents().items():
            if side in self._wanted:
                self._wanted[side] = width or self._wanted[side]
            elif side is self._docked:
                self._docked_wants = width

    def _widgets(self) -> list[QWidget]:
        return [widget for place in range(self.count()) if (widget := self.widget(place)) is not None]

    def _extents(self) -> dict[QWidget, int]:
        return dict(zip(self._widgets(), self.sizes(), strict=True))


def move_focus_to_fallback(place: QWidget, fallback_focus: QWidget) -> bool:
    """Move the focus to `fallback_focus` if what has it in the window of `place` cannot keep it; whether it did."""
    focused = place.window().focusWidget()
    if focused is None or (focused.isEnabled() and focused.isVisible()):
        return False
    fallback_focus.setFocus(Qt.FocusReason.OtherFocusReason)
    return True
