"""Titled parts of a side panel that fold away."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.look.icons import draw_icon
from app.look.theme import SPACE, current_theme
from app.panels.widgets.external_text import with_line_breaks
from app.services.soon import soon

LAID_OUT_MS = 400  # after which a column has laid out what a section opened with
TURNS = 8  # of Qt's loop in that time, at least: on a busy machine what fills a panel may take one as long as that


class Section(QWidget):
    """A header that folds its content, with room for a few buttons at its right end.

    key: what its state is remembered by; by default the title. minor: a part of a panel, with a quieter header.
    toggled(open): the user folded or unfolded it. show_requested(asked): it is to be seen;
    asked: by the user, who wants it wherever it is.
    """

    toggled = Signal(bool)
    show_requested = Signal(bool)
    _resized = Signal()

    def __init__(
        self, title: str, content: QWidget, *buttons: QWidget, open: bool = True, key: str = "", minor: bool = False
    ) -> None:
        super().__init__()
        self.title, self.key, self._content = title, key or title, content
        self.header = _Header(title, self, minor)
        for button in buttons:
            self.header.row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(content)
        self.set_open(open)

    def is_open(self) -> bool:
        """Whether the content shows."""
        return not self._content.isHidden()

    def set_open(self, open: bool) -> None:
        """Show or fold the content."""
        self._content.setVisible(open)
        self.header.update()

    def bring_up(self, asked: bool = False) -> None:
        """Scroll until its header is at the top, as far as possible, and keep it there for a moment.

        The content of an opening section is laid out step by step. asked: see `show_requested`.
        """
        self.show_requested.emit(asked)
        self._scroll_to(lambda _place: self.y())

    def toggle(self) -> None:
        """Fold or unfold; what unfolds below the panels' end is scrolled into view, as far as its header stays."""
        self.set_open(not self.is_open())
        self.toggled.emit(self.is_open())
        if self.is_open():
            self._scroll_to(self._just_in_view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell what follows it."""
        super().resizeEvent(event)
        self._resized.emit()

    def _just_in_view(self, place: QScrollArea) -> int:
        view = place.viewport()
        top = self.mapTo(view, QPoint()).y()
        return place.verticalScrollBar().value() + max(0, min(top, top + self.height() - view.height()))

    def _scroll_to(self, wanted: Callable[[QScrollArea], int]) -> None:
        """Scroll the panels around it, now and for a moment whenever they or the section itself are laid out anew."""
        place = self.parentWidget()
        while place is not None and not isinstance(place, QScrollArea):
            place = place.parentWidget()
        if place is None:
            return
        area, bar = place, place.verticalScrollBar()

        def follow(*_range: int) -> None:
            if isValid(bar):  # a window that is closed meanwhile lays out its panels once more
                bar.setValue(wanted(area))

        follow()

        def wait(turns: int) -> None:
            if turns:
                soon(self, lambda: wait(turns - 1), LAID_OUT_MS // TURNS)
                return
            bar.rangeChanged.disconnect(anew)
            self._resized.disconnect(resized)

        anew, resized = bar.rangeChanged.connect(follow), self._resized.connect(follow)
        wait(TURNS)


class Panel(QWidget):
    """The content of a section."""

    def refresh(self) -> None:
        """Show the session's state."""
        raise NotImplementedError  # Qt's metaclass leaves no room for an ABC


class DeferredContent(QWidget):
    """A section's content that is made when the section first opens, or is asked for, not when the window starts."""

    def __init__(self, make: Callable[[], Panel]) -> None:
        super().__init__()
        self._make = make
        self.panel: Panel | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)

    def made(self) -> Panel:
        """The content, made now at the latest; it shows the session's state only while the section is open."""
        if self.panel is None:
            self.panel = self._make()
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self.panel)
            self.panel.show()  # a layout would do so later, and a hidden widget cannot keep the focus
            self.setFocusProxy(self.panel)
        return self.panel

    def showEvent(self, event: QShowEvent) -> None:
        """Show the session's state."""
        panel = self.made()
        super().showEvent(event)
        panel.refresh()

    def refresh(self) -> None:
        """Show the session's state, if it shows at all, or will as soon as the window does."""
        if self.isVisibleTo(self.window()):
            self.made().refresh()


class _Header(QWidget):
    """The header: a click or Space folds or unfolds a section; Left folds and Right unfolds it, as in a tree."""

    def __init__(self, title: str, section: Section, minor: bool) -> None:
        super().__init__(section)
        self._section, self._minor = section, minor
        self.setFixedHeight(28 if minor else 36)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(title)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        label = QLabel(title)
        font = QFont(label.font())
        font.setWeight(QFont.Weight.Medium if minor else QFont.Weight.DemiBold)
        label.setFont(font)
        label.setProperty("role", "muted" if minor else "title")
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(2 * SPACE + 2 if minor else 3 * SPACE + 4, 0, SPACE, 0)
        self.row.setSpacing(0)
        self.row.addWidget(label)
        self.row.addStretch(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rule above, the arrow that tells open from closed, and the mark of the focus."""
        theme, painter = current_theme(), QPainter(self)
        if not self._minor:
            painter.fillRect(0, 0, self.width(), 1, QColor(theme.rule))
        name = "down" if self._section.is_open() else "right"
        left = -2 if self._minor else SPACE
        draw_icon(painter, name, QRectF(left, (self.height() - 14) / 2 + 0.5, 14, 14), theme.muted)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(theme.accent))
            inset = 0.5 if self._minor else SPACE / 2 + 0.5
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, 3.5, -inset, -2.5), 6, 6)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Fold and unfold from the keyboard."""
        key = Qt.Key(event.key())
        wanted = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}.get(key, self._section.is_open())
        pressed = key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if pressed or wanted is not self._section.is_open():
            self._section.toggle()
        elif key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that it has the focus."""
        super().focusInEvent(event)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open or close the section."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._section.toggle()


def panel_layout(panel: QWidget, *widgets: QWidget, spacing: int = SPACE // 2 + 2) -> None:
    """Put widgets under one another into a panel, with a panel's margins."""
    layout = QVBoxLayout(panel)
    layout.setContentsMargins(SPACE + 4, 2, SPACE + 4, SPACE + 4)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget)


def vertical_layout(*widgets: QWidget, spacing: int = SPACE // 2 + 2) -> QWidget:
    """Widgets under one another, as a part of a panel."""
    box = QWidget()
    layout = QVBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget)
    return box


def horizontal_layout(*widgets: QWidget, stretch: bool = False) -> QWidget:
    """Widgets side by side."""
    box = QWidget()
    layout = QHBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(SPACE)
    for widget in widgets:
        layout.addWidget(widget)
    if stretch:
        layout.addStretch(1)
    return box


class WrappedLabel(QLabel):
    """Text that wraps wherever it has to: a long path does not widen a panel or a dialog."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._whole = ""
        self.setWordWrap(True)
        self.setProperty("role", role)

    def setText(self, text: str) -> None:
        """Show another text."""
        if text != self._whole:
            self._whole = text
            super().setText(with_line_breaks(text))

    def text(self) -> str:
        """The text as it was given."""
        return self._whole


def wrapped_label(text: str = "", role: str = "muted") -> WrappedLabel:
    """A line of quiet text that wraps."""
    label = WrappedLabel(role)
    label.setText(text)
    return label
