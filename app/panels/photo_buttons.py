"""What can be done with people in a photo, one by one, as buttons: commands of the menu, below the photo's rows."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from app.look.theme import SPACE

BUTTONS = (
    ("pose.find_in_box", "Find in a box"),
    ("pose.read_again", "Read again"),
    ("pose.merge", "Merge duplicate"),
    ("file.add_photo", "Add a photo…"),
)
COLUMNS = 2


class ActionButton(QPushButton):
    """A button for a command, under a shorter name: enabled, down and explained as the command is."""

    def __init__(self, text: str, action: QAction) -> None:
        super().__init__(text)
        self._action = action
        self.setCheckable(action.isCheckable())
        self.clicked.connect(self._trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _trigger(self) -> None:
        self._action.trigger()
        self._follow()  # a click alone does not put it down

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setChecked(self._action.isChecked())
        self.setToolTip(self._action.toolTip())


class PhotoButtons(QWidget):
    """Two by two, for the commands of a window; none where it has not such commands."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.by_id: dict[str, ActionButton] = {}
        for id, text in BUTTONS:
            action = window.findChild(QAction, id)
            if action is not None:
                self.by_id[id] = ActionButton(text, action)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE)
        for place, button in enumerate(self.by_id.values()):
            grid.addWidget(button, *divmod(place, COLUMNS))
