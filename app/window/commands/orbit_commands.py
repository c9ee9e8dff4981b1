"""Turning the view and coming nearer with the keyboard: as a drag and the wheel do, in steps."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.viewport.session_view import SessionView
from app.window.commands.actions import Command


def orbit_commands(view: SessionView, viewport: QWidget) -> tuple[Command, ...]:
    """The table. The arrow keys work in the view: in a field they move the cursor."""
    turns = (
        ("left", "Turn the view left", (1, 0), ("Ctrl+Left", "Num+4")),
        ("right", "Turn the view right", (-1, 0), ("Ctrl+Right", "Num+6")),
        ("up", "Turn the view up", (0, 1), ("Ctrl+Up", "Num+8")),
        ("down", "Turn the view down", (0, -1), ("Ctrl+Down", "Num+2")),
    )
    return (
        *(
            Command(f"view.turn_{id}", title, lambda way=way: view.turn(*way), keys, within=viewport)  # type: ignore[misc]
            for id, title, way, keys in turns
        ),
        Command("view.nearer", "Zoom in", lambda: view.zoom(1), ("Ctrl++", "Ctrl+="), within=viewport),
        Command("view.farther", "Zoom out", lambda: view.zoom(-1), ("Ctrl+-",), within=viewport),
    )
