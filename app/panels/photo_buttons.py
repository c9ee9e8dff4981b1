"""What can be done with people in a photo, one by one, as buttons: commands of the menu, below the photo's rows."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.command_buttons import ActionButton

BUTTONS = (
    ("pose.find_in_box", "Find in a box"),
    ("pose.read_again", "Read again"),
    ("pose.merge", "Merge duplicate"),
    ("file.add_photo", "Add a photo…"),
)
COLUMNS = 2


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
