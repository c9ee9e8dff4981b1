"""A small window as a screen of 1024 x 700 has at 150%, and who looks whether what is in it can be reached."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from window_driver import NO_KEYS, laid_out

from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor

SMALL = QRect(0, 0, 683, 467)  # logical pixels of a screen of 1024 x 700 at 150%
TITLE_BAR = 24
USED = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, ValueSlider)
WHEEL_STEPS = 60


def make_small(editor: Editor) -> None:
    """As large as the window can be there."""
    editor.window.resize(SMALL.width(), SMALL.height() - TITLE_BAR)
    laid_out()
    assert editor.window.size().width() == SMALL.width()
    assert editor.window.size().height() == SMALL.height() - TITLE_BAR


def whole(widget: QWidget) -> bool:
    """Whether all of a widget is to be seen in its window."""
    return widget.isVisible() and seen(widget) == widget.rect()


def seen(widget: QWidget) -> QRect:
    """What of a widget is within everything that it is in. Qt's visible region leaves out where its own parts are."""
    left = widget.rect()
    for place in _parents(widget):
        left &= place.rect().translated(-widget.mapTo(place, QPoint()))
        if place.isWindow():
            break
    return left


def on_top(widget: QWidget) -> bool:
    """Whether a click in the middle of a widget is its own."""
    window = widget.window()
    hit = window.childAt(widget.mapTo(window, widget.rect().center()))
    return hit is not None and (hit is widget or widget.isAncestorOf(hit))


def scrolled_to(widget: QWidget) -> QWidget:
    """The widget, once the wheel has brought it into sight as it does for a user."""
    area = next(each for each in _parents(widget) if isinstance(each, QScrollArea))
    for _ in range(WHEEL_STEPS):
        if whole(widget):
            break
        below = widget.mapTo(area.viewport(), QPoint(0, widget.height())).y() > area.viewport().height()
        _turn_wheel(area, -1 if below else 1)
    assert whole(widget), f"{widget} cannot be scrolled to"
    assert on_top(widget)
    return widget


def cut_off(area: QScrollArea) -> list[str]:
    """What one uses in a panel that does not come into sight in full when one scrolls to it."""
    found = []
    for widget in used(area.widget()):
        area.ensureWidgetVisible(widget, 0, widget.height())  # of a field Qt alone brings the cursor up
        laid_out()
        if not whole(widget):
            name = widget.accessibleName() or widget.toolTip()
            found.append(f"{type(widget).__name__} “{name}” {widget.geometry()}, of which one sees {seen(widget)}")
    return found


def used(place: QWidget) -> Iterable[QWidget]:
    """What is clicked, dragged or typed into in a place, and is seen now; not the parts of such a thing."""
    inner = [each for each in place.findChildren(QWidget) if isinstance(each, USED) and each.isVisible()]
    return [each for each in inner if not any(isinstance(parent, USED) for parent in _parents(each))]


def _parents(widget: QWidget) -> Iterable[QWidget]:
    parent = widget.parentWidget()
    while parent is not None:
        yield parent
        parent = parent.parentWidget()


def _turn_wheel(area: QAbstractScrollArea, notches: int) -> None:
    middle, turn = area.viewport().rect().center(), QPoint(0, 120 * notches)
    at = QPointF(area.viewport().mapToGlobal(middle))
    buttons, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(QPointF(middle), at, QPoint(), turn, buttons, NO_KEYS, phase, False)
    QApplication.sendEvent(area.viewport(), event)
    QApplication.processEvents()
