"""The size and place in which the window opens."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QApplication, QStyle, QWidget

WANTED, SMALLEST = QSize(1480, 920), QSize(668, 440)  # logical pixels, without the frame


def geometry_in(room: QRect, title_bar: int, wanted: QSize = WANTED) -> QRect:
    """Where a window goes on a screen: in the middle of `room`, as large as wanted if it fits.

    room: the part of the screen for windows. title_bar: height of the frame's bar, for which space is left above the
    result. Logical pixels.
    """
    free = room.adjusted(0, title_bar, 0, 0)
    size = wanted.boundedTo(free.size())
    return QRect(free.topLeft() + QPoint(free.width() - size.width(), free.height() - size.height()) / 2, size)


def fit_to_screen(window: QWidget, restored: bool) -> None:
    """Let a window that is not yet shown fit the screen it is on; without a remembered place it goes to the middle."""
    screen = window.screen() if restored else QApplication.primaryScreen()
    if screen is None:
        return
    bar = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    room = screen.availableGeometry()
    window.setMinimumSize(SMALLEST.boundedTo(geometry_in(room, bar, room.size()).size()))
    if restored and not window.isMaximized() and not window.isFullScreen():
        place = geometry_in(room, bar, window.size())
        if place.size() != window.size():
            window.setGeometry(place)
    elif not restored:
        window.setGeometry(geometry_in(room, bar))
