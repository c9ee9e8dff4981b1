"""The order in which Tab goes through fields: as they are seen, whenever they were made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLayout, QWidget


def go_on(areas: Iterable[QWidget], focused: QWidget, next: bool) -> bool:
    """Give the focus to the next field of these areas, after the last one to the first; return whether there is one."""
    fields = [field for area in areas for field in fields_of(area)]
    if not fields:
        return False
    here = fields.index(focused) if focused in fields else (-1 if next else 0)
    reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
    fields[(here + (1 if next else -1)) % len(fields)].setFocus(reason)
    return True


def fields_of(widget: QWidget) -> list[QWidget]:
    """The widgets within a widget that take the focus on Tab now, from top to bottom; of exclusive choices only the
    chosen one, from which arrow keys go to the others.
    """
    return [field for field in _within(widget) if _takes_tab(field)]


def _within(widget: QWidget) -> Iterator[QWidget]:
    """Everything in a widget: first what its layout holds, in the layout's order."""
    layout = widget.layout()
    placed = list(_held(layout)) if layout is not None else []
    loose = [child for child in widget.children() if isinstance(child, QWidget) and child not in placed]
    for child in (*placed, *loose):
        if child.isVisible() and not child.isWindow():
            yield child
            yield from _within(child)


def _held(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        assert item is not None
        if (widget := item.widget()) is not None:
            yield widget
        elif (inner := item.layout()) is not None:
            yield from _held(inner)


def _takes_tab(field: QWidget) -> bool:
    """Whether a widget is a stop. Its proxy is asked for last: PySide has what that returns belong to the widget, and a
    scroll area that belongs to its own viewport, as the viewport does to it, is never let go of."""
    if isinstance(field, QAbstractButton) and (group := field.group()) is not None and group.exclusive():
        return field.isEnabled() and group.checkedButton() in (field, None)
    tab = Qt.FocusPolicy.TabFocus
    return field.isEnabled() and field.focusPolicy() & tab == tab and field.focusProxy() is None
