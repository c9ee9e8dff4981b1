"""Every command, body, pose and hand by its name: type a few letters, and Enter runs or takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QToolTip,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import SPACE, current_theme
from app.window.commands.actions import Actions, why_not
from app.window.commands.search_items import SearchItem
from app.window.commands.synonyms import command_match

RUN = Qt.ItemDataRole.UserRole
WIDTH, LEAST = 440, 60  # logical pixels; a list higher than the second may be lower in a small window
MOST_ROWS = 12  # further ones scroll
NOTHING = "No command, pose, body or hand is called that"
NOT_NOW = "not now"  # beside a command that is grey in its menu
BY_TITLE, BY_PARTS = 4, 1  # how well a command fits whose title begins so, or is only like it; see `command_match`


class _Fitting(NamedTuple):
    """fits: how well it fits. beside: its key, or what it is."""

    fits: float
    title: str
    beside: str
    tip: str
    run: Callable[[], object]


def _order(each: _Fitting, typed: str) -> tuple[bool, float, bool]:
    """The one called so comes first, then what matches by title; of those that fit alike, those that begin so."""
    title = each.title.lower()
    return title != typed, -each.fits, not title.startswith(typed)


def _fits_better(grey: _Fitting, other: _Fitting, typed: str) -> bool:
    """Whether a command that cannot be run now is meant rather than the first that can; not if it only begins as typed,
    as one of photos does where “photo” is to open one."""
    return grey.fits > other.fits or grey.title.lower() == typed != other.title.lower()


class CommandSearch(QDialog):
    """A list of the commands that can be run now, narrowed by what is typed; those that cannot come last, in grey.

    items: what else is found, looked up once something is typed.
    """

    def __init__(self, actions: Actions, parent: QWidget, items: Callable[[], Iterable[SearchItem]] = tuple) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._actions, self._look_up = actions, items
        self._items: tuple[SearchItem, ...] | None = None
        self._runnable = 0  # how many rows, which come first
        self.field = QLineEdit()
        self.field.setPlaceholderText("Search commands, poses, bodies and hands")
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
        self.list.itemClicked.connect(self._run)  # the row that is clicked, which in grey is not the current one
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self._narrow("")
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the field has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if step and self._runnable:
                row = self.list.currentIndex().row()  # -1 for none, before the first one and after the last
                self._choose((max(row, 0) + step if step < 0 else row + step) % self._runnable)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run(self.list.currentItem() or self.list.topLevelItem(self._runnable))
                return True
        return super().eventFilter(watched, event)

    def _narrow(self, text: str) -> None:
        words = text.lower().split()
        self.list.clear()
        fitting: list[_Fitting] = []
        grey: list[_Fitting] = []
        for id, command in self._actions.commands.items():
            title = command.title_now() if command.title_now is not None else command.title
            if fits := command_match(words, id, title, command.title):
                action = self._actions[id]
                if action.isEnabled():
                    fitting.append(_Fitting(fits, title, action.shortcut().toString(), "", action.trigger))
                elif words:
                    grey.append(_Fitting(fits, title, NOT_NOW, why_not(id), action.trigger))
        if words and self._items is None:
            self._items = tuple(self._look_up())
        for item in self._items or ():
            if by_name := item.fits(words):
                fitting.append(_Fitting(by_name, item.name, item.kind, item.tip, item.take))
        if any(each.fits > BY_PARTS for each in (*fitting, *grey)):  # anything less is too far fetched then
            fitting, grey = ([each for each in some if each.fits > BY_PARTS] for some in (fitting, grey))
        if fitting:
            grey = [each for each in grey if each.fits >= BY_TITLE]
        typed = " ".join(words)
        fitting, grey = (sorted(some, key=lambda each: _order(each, typed)) for some in (fitting, grey))
        for each in fitting:
            self._add(each).setData(0, RUN, each.run)
        for each in grey:
            row = self._add(each)
            row.setFlags(Qt.ItemFlag.NoItemFlags)
            row.setForeground(0, QColor(current_theme().muted))
        self._runnable = len(fitting)
        if fitting and not (grey and _fits_better(grey[0], fitting[0], typed)):
            self._choose(0)  # else Return, which would run what is hardly meant, says why that one is grey
        elif not fitting and not grey:
            nothing = QTreeWidgetItem([NOTHING])
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addTopLevelItem(nothing)
            nothing.setFirstColumnSpanned(True)
        self._fit()

    def _add(self, each: _Fitting) -> QTreeWidgetItem:
        row = QTreeWidgetItem([each.title, each.beside])
        row.setForeground(1, QColor(current_theme().muted))
        row.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.setToolTip(0, each.tip)
        self.list.addTopLevelItem(row)
        return row

    def _fit(self) -> None:
        """Be as high as what is found."""
        rows = min(self.list.topLevelItemCount(), MOST_ROWS)
        height = rows * self.list.sizeHintForRow(0) + 2 * self.list.frameWidth()
        self.list.setMinimumHeight(min(height, LEAST))
        self.list.setMaximumHeight(height)
        self._column.activate()
        self.resize(WIDTH, self.field.sizeHint().height() + self._column.spacing() + height + 2 * SPACE)

    def _choose(self, row: int) -> None:
        item = self.list.topLevelItem(row)
        if item is not None:
            self.list.setCurrentItem(item)

    def _run(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEnabled:
            run: Callable[[], object] = item.data(0, RUN)
            self.accept()
            run()
        elif item is not None:
            self.list.scrollToItem(item)
            below = self.list.visualItemRect(item).bottomLeft()
            QToolTip.showText(self.list.viewport().mapToGlobal(below), item.toolTip(0), self.list)
