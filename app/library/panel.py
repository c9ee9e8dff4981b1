"""The panel of poses: search and classes above, then the cards, and below them how the chosen pose is taken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.document.exchange.file_kind import may_be_pose
from app.document.library.shelf import SUFFIX, Entry, Shelf
from app.library.pictures import Pictures
from app.library.shelf_view import ShelfView, description_of
from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton, NoWheelComboBox
from app.panels.widgets.drop_card import DropCard
from app.panels.widgets.external_text import shortened
from app.panels.widgets.section import horizontal_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from solver.rig.roles import BODY_PARTS
from solver.sentences import and_more

ALL, OWN = "All poses", "My poses"
WHOLE, SELECTED = "Whole body", "Selected joints"
WIDTH = 336  # logical pixels, as the panels whose place it takes: three columns
LOW = 480  # logical pixels of height


class SearchField(QLineEdit):
    """down(): the user wants to go to the list below. leaving(): away from the library."""

    down = Signal()
    leaving = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText("Search names and tags")
        self.setClearButtonEnabled(True)
        self.setAccessibleName("Search poses")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down and Return go to the cards; Esc empties the field, and leaves an empty one."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.down.emit()
        elif key == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.leaving.emit()
        else:
            super().keyPressEvent(event)


class LibraryPanel(QWidget):
    """Shows a shelf. dropped(files): files of this machine were dropped on it. closing(): it is to go.

    shares(percent): take the chosen pose that far. share_done(): it stays so; share_undone(): it does not.
    """

    dropped = Signal(list)
    closing = Signal()
    saving = Signal()
    folder_asked = Signal()
    shares = Signal(float)
    share_done = Signal()
    share_undone = Signal()
    options_changed = Signal()

    def __init__(self, pictures: Pictures) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAcceptDrops(True)
        self._shelf = Shelf()
        self.search, self.folders, self.view = SearchField(), NoWheelComboBox(), ShelfView(pictures)
        self.folders.setAccessibleName("Class of poses")
        self.said = wrapped_label()
        self.save = IconButton("add", "Save the active person's pose here")
        self.open_folder = IconButton("open", "Show the folder of my poses")
        self.close_button = IconButton("cross", "Close the library")
        self.parts = NoWheelComboBox()
        self.parts.addItems([WHOLE, SELECTED, *(part.capitalize() for part in BODY_PARTS)])
        self.parts.setToolTip("Which joints take the pose; all others stay as they are")
        self.parts.setAccessibleName("Which joints take the pose")
        self.flip = IconButton("mirror", "Flipped: left and right exchanged", checkable=True)
        self.place = IconButton("place", "With its place: where the file has it, and facing as there", checkable=True)
        self.share = ValueSlider("Towards this pose", 0.0, 100.0, decimals=0, suffix="%")
        self.take = QPushButton("Apply")
        self.take.setToolTip("Apply: the person takes the chosen pose (double-click or Return)")
        self._lay_out()
        self.card = DropCard(self)
        self._connect()

    @property
    def part(self) -> str:
        """Which joints take the pose: WHOLE, SELECTED or a body part's name."""
        text = self.parts.currentText()
        return text if text in (WHOLE, SELECTED) else text.lower()

    def show_shelf(self, shelf: Shelf) -> None:
        """Show the poses there are."""
        self._shelf = shelf
        before = self.folders.currentData() or ALL
        classes = list(dict.fromkeys(entry.folder for entry in shelf.entries if entry.folder and not entry.own))
        inside = list(dict.fromkeys(entry.folder for entry in shelf.entries if entry.own and entry.folder))
        self.folders.blockSignals(True)
        self.folders.clear()
        for folder in (ALL, OWN, *(f"{OWN}/{folder}" for folder in inside)):
            self.folders.addItem("", folder)
        self.folders.insertSeparator(self.folders.count())
        for folder in classes:
            self.folders.addItem("", folder)
        self.folders.setCurrentIndex(max(self.folders.findData(before), 0))
        self.folders.blockSignals(False)
        self.filter()

    def filter(self) -> None:
        """Show the entries of the class that match the search, those called exactly so first."""
        wanted, search = self.folders.currentData() or ALL, self.search.text()
        found = [entry for entry in self._shelf.entries if entry.answers(search)]
        found.sort(key=lambda entry: not self._is_named(entry))
        self._count(found)
        self.view.show_entries([entry for entry in found if _within(entry, wanted)])
        self.tell_of_chosen()

    def _count(self, found: Sequence[Entry]) -> None:
        """Say beside each class how many poses of it are found."""
        for row in range(self.folders.count()):
            folder = self.folders.itemData(row)
            if folder is None:
                continue  # the line between the user's folders and the others
            name = folder.removeprefix(f"{OWN}/")
            count = sum(_within(entry, folder) for entry in found)
            self.folders.setItemText(row, f"    {name}" if name != folder else f"{name}   {count}")

    def choose_folder(self, folder: str) -> None:
        """Show a class: ALL, OWN or a folder's name."""
        self.folders.setCurrentIndex(max(self.folders.findData(folder), 0))

    def leave_empty_folder(self) -> None:
        """Show all poses where the chosen folder has none any more, as after the user's last one is gone."""
        if not self.view.shelf.entries and not self.search.text():
            self.choose_folder(ALL)

    def tell(self, text: str) -> None:
        """Show a line of text below the cards until another pose is chosen."""
        self.said.setText(text)

    def tell_of_chosen(self) -> None:
        """Say in the line below the cards what is chosen, or what there is to choose from."""
        entry = self.view.entry
        usable = entry is not None and not entry.trouble
        self.take.setEnabled(usable)
        self.share.setEnabled(usable)
        shown = len(self.view.shelf.entries)
        if entry is not None:
            self.said.setText(description_of(entry))
        elif not self._shelf.entries or shown:
            there = "One pose. Double-click it" if shown == 1 else f"{shown} poses. Double-click one"
            self.said.setText(self._shelf.trouble or f"{there} to apply it.")
        elif self.search.text():
            self.said.setText(self._elsewhere() or "Nothing is called that. Try fewer letters.")
        else:
            self.said.setText("Nothing here yet. Save a pose with +, or drop pose files onto the panel.")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a drag that brings files of this machine, and say what a drop would do."""
        if event.source() is self.view:  # it is here already; the window would take it for a file from elsewhere
            event.accept()
            self.card.usable = False
            return
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            said = and_more(shortened(files[0].name), len(files))
            if any(map(may_be_pose, files)):
                self.card.say([("Copy to My poses", said)], usable=True)
            else:
                self.card.say([("Not copied", f"{said}: no pose file ({SUFFIX})")], usable=False)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show by the pointer whether a drop would do anything."""
        event.setAccepted(self.card.usable)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """The files have left the panel."""
        self.card.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Pass on the files; keys now go here, not to the window that the files came from."""
        event.acceptProposedAction()
        self.card.hide()
        self.activateWindow()
        self.dropped.emit([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close as by the button, where the panels that it stands in for are wanted."""
        super().closeEvent(event)
        self.closing.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room to the cards in a low window."""
        super().resizeEvent(event)
        beside = self.height() < LOW
        self._foot.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self.said.setMinimumHeight((1 if beside else 2) * self.fontMetrics().lineSpacing())

    def _lay_out(self) -> None:
        title = wrapped_label("Poses", role="title")
        title.setWordWrap(False)
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(title)
        head.addStretch(1)
        for button in (self.save, self.open_folder, self.close_button):
            head.addWidget(button)
        self.parts.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE + 4, SPACE // 2 + 1, SPACE, SPACE)
        column.setSpacing(SPACE // 2 + 2)
        column.addLayout(head)
        column.addWidget(self.search)
        column.addWidget(self.folders)
        column.addWidget(self.view, 1)
        column.addWidget(self.said)
        column.addWidget(horizontal_layout(self.parts, self.flip, self.place))
        self._foot = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._foot.setSpacing(SPACE // 2 + 2)
        self._foot.addWidget(self.share, 1)
        self._foot.addWidget(self.take)
        column.addLayout(self._foot)
        self.setMinimumWidth(WIDTH)

    def _connect(self) -> None:
        self.search.textChanged.connect(self.filter)
        self.search.down.connect(self._to_cards)
        self.folders.currentIndexChanged.connect(self.filter)
        self.view.chosen.connect(self.tell_of_chosen)
        self.take.clicked.connect(self._take_chosen)
        self.share.edited.connect(self.shares)
        self.share.finished.connect(self.share_done)
        self.share.cancelled.connect(self.share_undone)
        self.close_button.clicked.connect(self.closing)
        self.search.leaving.connect(self.closing)
        self.save.clicked.connect(self.saving)
        self.open_folder.clicked.connect(self.folder_asked)
        self.parts.currentIndexChanged.connect(self.options_changed)
        for button in (self.flip, self.place):
            button.toggled.connect(self.options_changed)

    def _elsewhere(self) -> str:
        """Where there are poses that the search finds, if not in the class that is shown."""
        found = sum(entry.answers(self.search.text()) for entry in self._shelf.entries)
        there = "one that is" if found == 1 else f"{found} that are"
        here = self.folders.currentText().strip().rsplit("   ", 1)[0]
        return f"Nothing in “{here}” is called that. “{ALL}” has {there}." if found else ""

    def _take_chosen(self) -> None:
        if self.view.entry is not None:
            self.view.taken.emit(self.view.entry)

    def _to_cards(self) -> None:
        if self.view.shelf.entries:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
            first = self.view.shelf.entries[0]
            if self._is_named(first):
                self.view.choose(first.path)
            elif self.view.entry is None:
                self.view.step(1)

    def _is_named(self, entry: Entry) -> bool:
        return entry.name.lower() == self.search.text().strip().lower()


def _within(entry: Entry, wanted: str) -> bool:
    if wanted == ALL:
        return True
    if entry.own:
        return wanted in (OWN, f"{OWN}/{entry.folder}")
    return entry.folder == wanted
