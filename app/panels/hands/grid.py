"""Hands to choose from, each with a picture and a name, four in a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QWidget

from app.look.theme import Theme, current_theme
from app.panels.hands.picture import SIZE
from app.panels.widgets.external_text import shortened
from solver.sentences import sentence_case

COLUMNS, LONGEST, CAPTION = 4, 12, 11  # columns; letters of a caption, and its size in pixels


class HandGrid(QWidget):
    """chosen(id): by the user. draw: makes a picture for an id and a theme, with so many pixels to a logical one."""

    chosen = Signal(str)

    def __init__(self, draw: Callable[[str, Theme, float], QPixmap]) -> None:
        super().__init__()
        self._draw, self._dressed = draw, current_theme()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)
        for column in range(COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self.buttons: dict[str, QToolButton] = {}

    def offer(self, titles: Mapping[str, str]) -> None:
        """Offer these, by id, in this order."""
        if list(titles) == list(self.buttons):
            return
        for button in self.buttons.values():
            self._grid.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = {id: self._button(id, title) for id, title in titles.items()}
        for place, button in enumerate(self.buttons.values()):
            self._grid.addWidget(button, *divmod(place, COLUMNS))
        self.setFocusProxy(next(iter(self.buttons.values())))
        self.draw_again()

    def draw_again(self) -> None:
        """Draw all pictures again."""
        self._dressed = current_theme()
        for id, button in self.buttons.items():
            button.setIcon(QIcon(self._draw(id, self._dressed, self.devicePixelRatioF())))

    def show_chosen(self, id: str) -> None:
        """Show which one is chosen, without a signal; "" for none."""
        for other, button in self.buttons.items():
            button.setChecked(other == id)

    def changeEvent(self, event: QEvent) -> None:
        """Draw again when the theme changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._dressed is not current_theme():
            self.draw_again()

    def _button(self, id: str, title: str) -> QToolButton:
        button = QToolButton()
        button.setText(shortened(sentence_case(title.removeprefix("Holding a ")), LONGEST))
        font = button.font()
        font.setPixelSize(CAPTION)
        button.setFont(font)
        button.setToolTip(title)
        button.setAccessibleName(title)
        button.setCheckable(True)
        button.setIconSize(QSize(*SIZE))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _checked=False: self.chosen.emit(id))
        return button
