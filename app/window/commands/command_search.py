"""Every command by its name: type a few letters, Enter runs it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.window.commands.actions import Actions
from app.window.commands.synonyms import found

ACTION = Qt.ItemDataRole.UserRole
NOTHING = "No command that can be run now has these words"


class CommandSearch(QDialog):
    """A list of the commands that can be run now, narrowed by what is typed."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._actions = actions
        self.field = QLineEdit()
        self.field.setPlaceholderText("Search commands")
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self.list = QTreeWidget()
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(self._run)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.resize(440, 360)
        self._narrow("")
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the field has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if step and self.list.topLevelItemCount():
                row = self.list.currentIndex().row()
                self._choose((row + step) % self.list.topLevelItemCount())
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
        return super().eventFilter(watched, event)

    def _narrow(self, text: str) -> None:
        words = text.lower().split()
        self.list.clear()
        fitting = []
        for id, command in self._actions.commands.items():
            title = command.title_now() if command.title_now is not None else command.title
            if self._actions[id].isEnabled() and (fits := found(words, id, title)):
                fitting.append((fits, title, self._actions[id]))
        for _, title, action in sorted(fitting, key=lambda each: -each[0]):  # those by their title come first
            item = QTreeWidgetItem([title, action.shortcut().toString()])
            item.setData(0, ACTION, action)
            self.list.addTopLevelItem(item)
        if fitting:
            self._choose(0)
        else:
            nothing = QTreeWidgetItem([NOTHING])
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addTopLevelItem(nothing)

    def _choose(self, row: int) -> None:
        item = self.list.topLevelItem(row)
        if item is not None:
            self.list.setCurrentItem(item)

    def _run(self, *_clicked: object) -> None:
        item = self.list.currentItem()
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEnabled:
            action: QAction = item.data(0, ACTION)
            self.accept()
            action.trigger()
