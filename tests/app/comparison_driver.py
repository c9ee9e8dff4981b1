"""What a user does with the comparison of solvers."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import activated, active, settled, strike, until

from app.dialogs.comparison import Comparison, SolverTile
from app.document import edits
from app.window.editor import Editor

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


def shown(editor: Editor) -> Comparison:
    gallery = editor.pose_browsers.comparison.gallery
    assert gallery is not None
    return gallery


def finished(gallery: Comparison) -> None:
    """Until every solver was asked, and all who answered are drawn, however long that takes while it goes on."""

    def now() -> list[tuple[object, str, bool]]:
        return [(tile.verdict, tile.refusal, tile.drawn) for tile in gallery.tiles]

    def done() -> bool:
        return gallery.search.isEnabled() and all(tile.drawn for tile in gallery.tiles if tile.verdict)

    while not done():
        before = now()
        until(lambda before=before: done() or now() != before)  # type: ignore[misc]


def tile_of(gallery: Comparison, solver: str) -> SolverTile:
    return next(tile for tile in gallery.tiles if tile.spec.id == solver)


def opened(editor: Editor) -> Comparison:
    strike(editor, Qt.Key.Key_V, SHIFT)
    gallery = shown(editor)
    finished(gallery)
    return gallery


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT)


def press(widget: QWidget, key: Qt.Key) -> None:
    activated(widget.window())
    QTest.keyClick(widget, key)


def raise_hand(editor: Editor) -> None:
    character = active(editor)
    hand = next(e for e in character.effectors if e.joint == "left_wrist")
    target = hand.target + np.float32([0.1, 0.5, 0.1])
    editor.session.edit("Move", edits.set_target(character.id, hand.id, target), solve=True)
    settled(editor.session)
