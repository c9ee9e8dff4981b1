"""The context menus in the view: of a handle or a joint, and of a place where there is none."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget

from app.panels.widgets.popups import show_menu
from app.services.session import Session
from app.window.commands.actions import Actions
from app.window.commands.posing_commands import PosingCommands
from app.window.controls.prop_control import PropControl
from rendering.view.viewport import Viewport

PROPS_HERE = "Add a prop here"
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


def open_place_menu(
    viewport: Viewport, posing: PosingCommands, props: PropControl, actions: Actions, pixel: tuple[float, float]
) -> None:
    """Show at the pointer what can be added where there is nothing but the floor, pasted there, or looked at."""
    from app.viewport.prop_place import floor_under  # not before one is first opened

    def add() -> None:
        x, _, z = floor_under(viewport.current_view, pixel, viewport.scene)
        posing.add_person((float(x), float(z)))

    def fill(menu: QMenu) -> None:
        menu.addAction("Add a person here", partial(actions.run_as, "pose.add_person", add))
        props.fill(menu.addMenu(PROPS_HERE), pixel)
        for id in ("", "edit.paste", "", "view.frame", "view.frame_all"):
            if id:
                menu.addAction(actions[id])
            else:
                menu.addSeparator()

    actions.refresh()
    show_menu(viewport.window(), QCursor.pos() + BESIDE, fill)
