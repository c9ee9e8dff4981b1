"""Adding props: from the menu, from the list of people and props, at the pointer, or from a mesh file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from app.document import edits
from app.document.model.prop import KINDS, MESH
from app.services.session import Session
from app.viewport.session_view import SessionView
from app.window.commands.actions import Command

SCALE_KEY = {"blender": "S", "maya": "R"}
FROM_FILE = "Prop from a mesh file…"
TITLES = {"stairs": "Add stairs"}  # the plural


class PropControl:
    """Adds props in front of the view, `seen`, or under the pointer, and selects them. add_mesh: asks for a file."""

    def __init__(self, session: Session, seen: SessionView, add_mesh: Callable[[], None]) -> None:
        self._session, self._seen, self._add_mesh = session, seen, add_mesh
        self._viewport = seen.viewport

    def commands(self, keymap: str) -> tuple[Command, ...]:
        """The Add menu, and the key that scales the selected prop."""
        session = self._session
        return (
            *(
                Command(f"prop.{kind}", title_of(kind), partial(self.add, kind), icon="box" if kind == "box" else "")
                for kind in KINDS
                if kind != MESH
            ),
            Command(
                "prop.file", FROM_FILE, self._add_mesh,
                tip="Prop from a mesh file: OBJ, STL, PLY, GLB or .gltf, in metres with Y up",
            ),
            Command(
                "prop.here", "Prop at the pointer…", self.ask_here, ("Ctrl+Alt+A",),
                tip="Prop at the pointer: choose one, and it stands there, on the floor or on top of what is seen",
            ),
            Command(
                "prop.scale", "Scale", lambda: session.set_view(prop_tool="scale"), (SCALE_KEY[keymap],),
                enabled=lambda: bool(session.view.prop), checked=lambda: session.view.prop_tool == "scale",
                within=self._viewport, tip="Scale: the gizmo of the selected prop makes it larger and smaller",
            ),
        )  # fmt: skip

    def add(self, kind: str, pixel: tuple[float, float] | None = None) -> None:
        """Add a prop of a kind under a pixel of the view, or, without one, under the active person who sits in the air,
        or else in front of the view, and select it."""
        from app.document.edits.copies import Things
        from app.document.edits.props import new_prop, put_down
        from app.document.posing.rest.new_seat import under_seat
        from app.viewport.prop_place import (  # not before the first prop
            IN_PART_BEHIND,
            clearly_seen,
            floor_ahead,
            landing_under,
        )

        view, document = self._viewport, self._session.document
        seen = clearly_seen(self._session.shown, view.final_view)
        if pixel is None:
            prop, active = new_prop(document, kind, floor_ahead(view.camera), seen), self._session.active
            prop = (active and under_seat(document, active, prop)) or prop
        else:
            there = landing_under(self._session.shown, view.current_view, pixel, view.scene)
            prop = put_down(document, new_prop(document, kind, there.place), there.place)
        if self._session.edit(f"Add {prop.name}", edits.add_prop(prop)):
            self._session.set_view(prop=prop.id)
            if pixel is None:
                shown = int(seen(prop.corners.astype(np.float64), np.zeros((1, 3)))[0])
                self._seen.show_new(Things((), (prop,)), hidden=shown <= IN_PART_BEHIND)

    def ask(self, place: QPoint) -> None:
        """Let the user choose from a menu at a place on the screen."""
        self._ask(place, None)

    def ask_here(self) -> None:
        """Let the user choose from a menu at the pointer; the prop goes where the pointer is now."""
        place = QCursor.pos()
        over = self._viewport.mapFromGlobal(place)
        self._ask(place, (over.x(), over.y()) if self._viewport.rect().contains(over) else None)

    def _ask(self, place: QPoint, pixel: tuple[float, float] | None) -> None:
        from app.panels.widgets.popups import show_menu

        show_menu(self._viewport.window(), place, partial(self.fill, pixel=pixel))

    def fill(self, menu: QMenu, pixel: tuple[float, float] | None) -> None:
        """Offer every kind of prop in a menu, to be put under a pixel of the view, or without one in front of it."""
        for kind in KINDS:
            if kind != MESH:
                menu.addAction(title_of(kind), partial(self.add, kind, pixel))
        menu.addSeparator()
        menu.addAction(FROM_FILE, self._add_mesh)


def title_of(kind: str) -> str:
    """ "Add a box"."""
    return TITLES.get(kind, f"Add a {KINDS[kind].title.lower()}")
