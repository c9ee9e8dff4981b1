"""The area in which a list or a form scrolls where a screen has too little room for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class VerticalScrollArea(QScrollArea):
    """Shows a widget as wide as the room is, without a frame; it scrolls up and down only.

    tab_stop: whether Tab stops at the area itself too. Without, it goes from one thing in it to the next, and that
    scrolls.
    """

    def __init__(self, content: QWidget, tab_stop: bool = True) -> None:
        super().__init__()
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if not tab_stop:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus, and bring all of what has it into sight: of a field Qt brings up no more than its cursor."""
        moved = super().focusNextPrevChild(next)
        focused = self.window().focusWidget()
        if moved and focused is not None and self.isAncestorOf(focused):
            self.ensureWidgetVisible(focused, 0, focused.height() // 2)
        return moved
