"""The cross below a person and its rings, as a user takes them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, root_of, settled, strike, until

from app.window.editor import Editor
from rendering.shapes.gizmo import outline


def cross(mouse: ViewMouse) -> QPoint:
    """A pixel on the cross, beside the feet."""
    return mouse.place(np.asarray(root_of(mouse.editor).position) + [0.27, 0.0, 0.02])


def tip_ring(mouse: ViewMouse, axis: str) -> np.ndarray:
    """The ring that tips about an axis, once the cross was clicked: (N, 3) metres."""
    mouse.editor.session_view.refresh()
    gizmo = mouse.editor.viewport.scene.gizmo
    assert gizmo is not None
    return np.asarray(outline(gizmo, f"turn {axis}", mouse.view.current_view))


def tip_onto_back(mouse: ViewMouse) -> None:
    """Click the cross, take the ring over the side axis and type a quarter turn."""
    mouse.click(cross(mouse))
    top = max(tip_ring(mouse, "x"), key=lambda at: float(at[1] + at[2]))  # where no other ring crosses
    start = mouse.place(top)
    mouse.drag(start, mouse.place(top - [0.0, 0.0, 0.05]) - start, release=False)
    for letter in "-90":
        QTest.keyClick(mouse.view, letter)
    QTest.keyClick(mouse.view, Qt.Key.Key_Return)
    mouse.release(start)


def settle(editor: Editor) -> None:
    """Press Shift+End, and wait until whoever is down has come to rest."""
    strike(editor, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    until(lambda: not editor.jobs.busy)
    settled(editor.session)
