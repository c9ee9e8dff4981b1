"""The context menu of a handle or a joint in the view."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget

from app.panels.widgets.popups import show_menu
from app.services.session import Session

BESIDE = QPoint(2, 2)  # pixels from the pointer, which would be on the first entry


def open_handle_menu(window: QWidget, session: Session, kind: str, id: str) -> None:
    """Show at the pointer what can be done with an effector, by its id, or else with a joint, by its name."""
    from app.panels.effector_menu import effector_menu, joint_menu  # not before one is first opened
    from app.viewport.tools.clicks import add_to_joint

    def fill(menu: QMenu) -> None:
        if kind == "effector":
            effector_menu(menu, session, id)
        else:
            joint_menu(menu, session, id, partial(add_to_joint, session))

    show_menu(window, QCursor.pos() + BESIDE, fill)
