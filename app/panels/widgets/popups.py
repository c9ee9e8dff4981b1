"""Menus, dialogs and drags that are gone once they are over; Qt would keep each as long as the window lives."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QDrag, QHelpEvent
from PySide6.QtWidgets import QDialog, QLabel, QMenu, QToolTip, QWidget, QWidgetAction
from shiboken6 import isValid

from app.look.mnemonics import mark_while_shown
from app.look.theme import SPACE


def show_menu(parent: QWidget, place: QPoint, fill: Callable[[QMenu], object], title: str = "") -> None:
    """Make a menu, let `fill` add its entries, show it at a place on the screen and wait until it closes.

    title: says above the entries what they are, for a menu that does not come up at a button.
    """
    menu = QMenu(parent)
    menu.setTitle(title)
    try:
        if title:
            menu.setSeparatorsCollapsible(False)  # or a first one would not show
            menu.addAction(_heading(title, menu))
        fill(menu)
        for each in (menu, *menu.findChildren(QMenu)):
            mark_while_shown(each)
        say_why_grey(menu)
        menu.exec(place)
    finally:
        _free(menu)


def add_entry(menu: QMenu, text: str, run: Callable[[], object], why_not: str = "") -> QAction:
    """Add an entry to a menu. why_not: why it cannot be chosen now, by which it is grey; "" if it can."""
    action = menu.addAction(text, run)
    grey_out(action, why_not)
    return action


def grey_out(action: QAction, why_not: str) -> None:
    """Make an entry of a menu grey for a reason, which it gives; "" for none."""
    action.setEnabled(not why_not)
    if why_not:
        action.setToolTip(f"Not now: {why_not}")


def say_why_grey(menu: QMenu) -> None:
    """Have a menu, and those within it, show the tips of grey entries; others say what they do themselves, but in menus
    that show all tips."""
    told = _GreyTips(menu)
    for each in (menu, *menu.findChildren(QMenu)):
        each.installEventFilter(told)


class _GreyTips(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip or not isinstance(watched, QMenu):
            return super().eventFilter(watched, event)
        if watched.toolTipsVisible():
            return super().eventFilter(watched, event)
        action = watched.actionAt(event.pos())
        grey = action is not None and not action.isEnabled() and not action.isSeparator()
        QToolTip.showText(event.globalPos(), action.toolTip() if grey else "", watched)
        return True


def _heading(title: str, menu: QMenu) -> QAction:
    """A line that keys pass over; a style sheet leaves out the text of Qt's own sections."""
    label, heading = QLabel(title), QWidgetAction(menu)
    label.setProperty("role", "title")
    label.setContentsMargins(SPACE * 2, SPACE, SPACE * 2, SPACE)
    heading.setDefaultWidget(label)
    heading.setSeparator(True)
    return heading


def ask(dialog: QDialog, then: Callable[[], bool] = lambda: True) -> bool:
    """Show a dialog and return whether it was accepted. Its fields can be read right after that, not later.

    then: called once it is accepted; where it returns False, as when its user thinks again, the dialog comes back as it
    was left.
    """
    try:
        while isValid(dialog) and dialog.exec() == QDialog.DialogCode.Accepted:
            if then():
                return True
        return False
    finally:
        _free(dialog)


def drag_a_copy(drag: QDrag) -> None:
    """Drag something, wait until it is let go of, here or in another program, and let its files only be copied.

    Another program may fetch the files after the wait is over, on X11 and Wayland at least: what was taken is left to
    Qt, which frees it then.
    """
    taken = Qt.DropAction.IgnoreAction
    try:
        taken = drag.exec(Qt.DropAction.CopyAction)
    finally:
        if taken == Qt.DropAction.IgnoreAction:
            _free(drag)


def _free(popup: QObject) -> None:
    if isValid(popup):  # else its parent went in the meantime and took it along
        popup.deleteLater()
