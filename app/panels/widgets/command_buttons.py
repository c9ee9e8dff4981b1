"""Commands of the window as buttons in a panel, under shorter names."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from app.look.theme import SPACE
from app.panels.widgets.section import Panel


class ActionButton(QPushButton):
    """A button for a command, under a shorter name: enabled, checked and explained as the command is."""

    def __init__(self, text: str, action: QAction) -> None:
        super().__init__(text)
        self._action = action
        self.setCheckable(action.isCheckable())
        self.clicked.connect(self._trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _trigger(self) -> None:
        self._action.trigger()
        self._follow()  # a click alone does not check it

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setChecked(self._action.isChecked())
        self.setToolTip(self._action.toolTip())


class CommandButtons(Panel):
    """Buttons side by side. commands: (id, text) of each. They are made when first shown, once it is in the window."""

    def __init__(self, commands: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._commands = commands
        self.by_id: dict[str, ActionButton] = {}
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(SPACE + 4, 2, SPACE + 4, SPACE + 4)
        self._line.setSpacing(SPACE)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the buttons."""
        super().showEvent(event)
        for id, text in () if self.by_id else self._commands:
            action = self.window().findChild(QAction, id)
            if action is not None:
                self.by_id[id] = ActionButton(text, action)
                self._line.addWidget(self.by_id[id])

    def refresh(self) -> None:
        """Do nothing: each button follows its command by itself."""
