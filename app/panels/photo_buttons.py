"""Commands of the menu as buttons above the photo's rows: what shows over it, what to do with its people, labels."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.command_buttons import ActionButton

OVER_IT = (
    ("view.points", "Points"),
    ("view.horizon", "Horizon"),
    ("view.wipe", "Wipe"),
    ("view.beside", "Side by side"),
    ("view.matte", "Person's outline"),
    ("view.next_photo", "Next photo"),
)
PEOPLE = (
    ("pose.find_in_box", "Find in a box"),
    ("pose.read_again", "Read again"),
    ("pose.turn_round", "Front or back"),
    ("pose.flip_limb", "Flip limb"),
    ("pose.merge", "Merge duplicate"),
    ("file.add_photo", "Add a photo…"),
)
LABEL = (
    ("file.save_label", "Save label…"),
    ("file.label", "Label a folder…"),
)
GROUPS = OVER_IT, PEOPLE, LABEL
COLUMNS = 2


class PhotoButtons(QWidget):
    """A grid for each group of a window's commands; none if it has no such commands."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.by_id: dict[str, ActionButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE, 0, 0)
        column.setSpacing(2 * SPACE)
        for commands in GROUPS:
            grid = QGridLayout()
            grid.setSpacing(SPACE)
            column.addLayout(grid)
            for place, (id, text) in enumerate(commands):
                action = window.findChild(QAction, id)
                if action is not None:
                    self.by_id[id] = ActionButton(text, action)
                    grid.addWidget(self.by_id[id], *divmod(place, COLUMNS))
