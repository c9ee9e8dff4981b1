"""Every command by its name: type a few letters, Enter runs it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.actions import Actions
from app.theme import SPACE

ACTION = Qt.ItemDataRole.UserRole


class CommandSearch(QDialog):
    """A list of the commands that can be run now, narrowed by what is typed."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._actions = actions
        self.field = QLineEdit()
        self.field.setPlaceholderText("Search commands")
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.itemActivated.connect(lambda _item: self._run())
        self.list.itemClicked.connect(lambda _item: self._run())
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.resize(440, 360)
        self._narrow("")
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Called by Qt: the arrow keys move in the list while the field has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if step and self.list.count():
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
        return super().eventFilter(watched, event)

    def _narrow(self, text: str) -> None:
        words = text.lower().split()
        self.list.clear()
        for id in self._actions.commands:
            action = self._actions[id]
            title = action.text().replace("&", "")
            if action.isEnabled() and all(word in title.lower() for word in words):
                keys = action.shortcut().toString()
                item = QListWidgetItem(f"{title}\t{keys}" if keys else title)
                item.setData(ACTION, action)
                self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            action: QAction = item.data(ACTION)
            self.accept()
            action.trigger()
