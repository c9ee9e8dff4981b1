"""The parts of the window: showing and hiding panels, full screen, and going from part to part with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.window.commands.actions import Command
from app.window.main_window import MainWindow

HIDDEN = "The panels are hidden. Tab in the view shows them again."


class Areas(QObject):
    """said(text): a notice for the status bar. retracted(text): one that no longer holds."""

    said = Signal(str)
    retracted = Signal(str)

    def __init__(self, window: MainWindow, view: QWidget) -> None:
        super().__init__(window)
        self._window, self._view = window, view
        window.panels_back.connect(lambda: self.retracted.emit(HIDDEN))

    def commands(self) -> tuple[Command, ...]:
        """The table. In a panel Tab goes from field to field, as everywhere."""
        return (
            Command(
                "view.panels", "Panels", self.toggle_panels, ("Tab",), checked=lambda: self._window.panels_shown,
                within=self._view, alone=True, tip="Panels: show them, or leave the view the whole window",
            ),
            Command(
                "view.full_screen", "Full screen", self.toggle_full_screen, ("F11", "Ctrl+Meta+F"),
                checked=self._window.isFullScreen, tip="Full screen: the window alone, without its frame",
            ),
            Command("view.next_area", "Go to the next panel", lambda: self.go(1), ("F6", "Ctrl+Tab")),
            Command("view.previous_area", "Go to the previous panel", lambda: self.go(-1), ("Shift+F6",)),
        )  # fmt: skip

    def toggle_panels(self) -> None:
        """Show the panels, or hide them."""
        shown = not self._window.panels_shown
        self._window.show_panels(shown)
        if not shown:
            self._view.setFocus()
            self.said.emit(HIDDEN)

    def toggle_full_screen(self) -> None:
        """Fill the screen with the window, or go back to how it was before, maximised or not."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def go(self, step: int) -> None:
        """Give the keyboard focus to the next part of the window, or with -1 to the previous one."""
        stops = [(area, widget) for area in self._window.areas if (widget := self._first_focusable(area)) is not None]
        focused = QApplication.focusWidget()
        here = [i for i, (area, _) in enumerate(stops) if focused is not None and _within(focused, area)]
        if stops:
            _, widget = stops[(here[0] + step) % len(stops) if here else 0]
            widget.setFocus(Qt.FocusReason.TabFocusReason)

    def _first_focusable(self, area: QWidget) -> QWidget | None:
        """The widget of a part that takes the keyboard focus first."""
        if area is self._view:
            return area
        if (proxy := area.focusProxy()) is not None and proxy.isVisible():
            return proxy
        widget = area.nextInFocusChain()
        while widget is not None and widget is not area:
            takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
            if takes and widget.isVisible() and widget.isEnabled() and _within(widget, area):
                return widget
            widget = widget.nextInFocusChain()
        return None


def _within(widget: QWidget, area: QWidget) -> bool:
    return widget is area or area.isAncestorOf(widget)
