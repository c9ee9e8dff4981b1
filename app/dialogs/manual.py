"""The manual in a window of its own, to read while working."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.dialogs.manual_page import ManualPage
from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton

WANTED = QSize(860, 820)  # logical pixels
FRAME = 64  # pixels of the screen that stay free for a window's frame
NOT_HERE = "Not on this page"


class ManualWindow(QDialog):
    """Shows the manual's contents first; links lead to the pages. index: the file of the contents."""

    def __init__(self, parent: QWidget, index: Path) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._index, self.page = index, ManualPage(index.parents[2])
        self.back = IconButton("frame_before", "Back (Alt+Left)")
        self.forward = IconButton("frame_after", "Forward (Alt+Right)")
        self.contents = IconButton("library", "Contents (Alt+Home)")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find on this page")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(220)
        self.found = QLabel()
        self._lay_out()
        self._connect()
        screen = parent.screen()
        self.resize(WANTED.boundedTo(screen.availableSize() - QSize(FRAME, FRAME)))
        self.page.open(self._index)
        self.page.setFocus()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        for button in (self.back, self.forward, self.contents):
            head.addWidget(button)
        head.addStretch(1)
        head.addWidget(self.found)
        head.addSpacing(SPACE)
        head.addWidget(self.search)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, SPACE, SPACE * 2, SPACE * 2)
        column.setSpacing(SPACE)
        column.addLayout(head)
        column.addWidget(self.page, 1)

    def _connect(self) -> None:
        page = self.page
        for button, there, go in (
            (self.back, page.backwardAvailable, page.backward),
            (self.forward, page.forwardAvailable, page.forward),
        ):
            button.setEnabled(False)
            there.connect(button.setEnabled)
            button.clicked.connect(go)
        self.contents.clicked.connect(lambda: page.open(self._index))
        page.elsewhere.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))))
        page.opened.connect(self._opened)
        self.search.textChanged.connect(lambda text: self._find(text, anew=True))
        self.search.returnPressed.connect(lambda: self._find(self.search.text()))
        for keys, act in (
            (QKeySequence.StandardKey.Find, self._to_find),
            (QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_Left), page.backward),
            (QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_Right), page.forward),
            (QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_Home), lambda: page.open(self._index)),
        ):
            QShortcut(keys, self).activated.connect(act)

    def _to_find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _opened(self, title: str) -> None:
        self.setWindowTitle(title if title == "The manual" else f"{title} – Manual")
        self.found.clear()

    def _find(self, text: str, anew: bool = False) -> None:
        self.found.setText("" if not text or self.page.find_next(text, anew) else NOT_HERE)


def show_manual(parent: QWidget, index: Path) -> None:
    """Open the manual with its page of contents, or bring it to the front if it is open."""
    there = next((window for window in parent.findChildren(ManualWindow) if window.isVisible()), None)
    window = there or ManualWindow(parent, index)
    window.show()
    window.raise_()
    window.activateWindow()
