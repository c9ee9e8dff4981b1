"""Drags that go on while the window is resized: their pixels are those of the view as it was when the drag began."""

from __future__ import annotations

from dataclasses import replace

from rendering.camera.camera import View
from rendering.camera.navigation import Pointer


def with_size_of(view: View, begun: View) -> View:
    """The view with its present camera, as large as it was when the drag began."""
    return replace(view, width=begun.width, height=begun.height)


def pointer_in_view_of_start(begun: View, view: View, pointer: Pointer) -> Pointer:
    """The pointer over a view, moved to the same spot of the scene in the view as large as when the drag began."""
    if (view.width, view.height) == (begun.width, begun.height):
        return pointer
    origin, direction = view.ray(pointer.pixel)
    x, y = with_size_of(view, begun).project(origin + direction)
    return replace(pointer, x=float(x), y=float(y))
