"""Where trackers come from: a motion file played as trackers, or other programs over the network."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.buttons import NoWheelComboBox, SegmentedControl
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.number_box import WholeBox
from app.panels.widgets.section import horizontal_layout, wrapped_label

FILE, NETWORK = "file", "network"
HERE, OPEN = "here", "open"
NO_FILE = "No motion chosen"
EVERY = "every"
SENSORS = {  # the sets of sensors that a motion file can be played as, by id
    "6": "Six: hips, head, hands, feet",
    "5": "Five: without the right foot",
    "4": "Four: hips, head, hands",
    "3": "Three: head and hands",
    EVERY: "Every joint, six of them worn",
}


class TrackerSource(QWidget):
    """kind_chosen(FILE or NETWORK), browse(), sensors_chosen(id), listen(port, whether to the whole network) and
    hang_up(): by the user."""

    kind_chosen = Signal(str)
    browse = Signal()
    sensors_chosen = Signal(str)
    listen = Signal(int, bool)
    hang_up = Signal()

    def __init__(self, sensors: Mapping[str, str], port: int) -> None:
        super().__init__()
        self.kind = SegmentedControl(((FILE, "A motion file"), (NETWORK, "Over the network")))
        self.kind.chosen.connect(self._choose_kind)
        self.choose = QPushButton("Choose a motion…")
        self.choose.clicked.connect(self.browse)
        self.name = ElidedText(tone="muted")
        self.name.set_text(NO_FILE)
        self.sensors = NoWheelComboBox()
        self.sensors.setAccessibleName("Sensors")
        for id, title in sensors.items():
            self.sensors.addItem(title, id)
        self.sensors.activated.connect(lambda i: self.sensors_chosen.emit(str(self.sensors.itemData(i))))
        self.port = WholeBox()
        self.port.setRange(1, 65535)
        self.port.setValue(port)
        self.port.setAccessibleName("Port")
        self.port.lineEdit().returnPressed.connect(self._toggle)
        self.reach = SegmentedControl(((HERE, "This computer only"), (OPEN, "From the network")))
        self.reach.explain(
            OPEN, "Anybody who can reach this computer can then send trackers. Use it only in a network you trust"
        )
        self.reach.set_current(HERE)
        self.reach.chosen.connect(self.reach.set_current)
        self.connect_button = QPushButton("Listen")
        self.connect_button.setToolTip("Receive trackers that other programs send by the VMC protocol")
        self.connect_button.clicked.connect(self._toggle)
        for button in (self.choose, self.connect_button):
            button.setAutoDefault(False)
        self.pages = QStackedWidget()
        label = wrapped_label("Sensors")
        label.setWordWrap(False)
        self._page(_wide(self.choose, self.name), _wide(label, self.sensors))
        label = wrapped_label("Port")
        label.setWordWrap(False)
        self._page(self.reach, horizontal_layout(label, self.port, self.connect_button, stretch=True))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.kind)
        column.addWidget(self.pages)
        self.show_kind(FILE)
        self.show_listening(False)

    @property
    def plays_file(self) -> bool:
        """Whether a motion file is the source, not the network."""
        return self.kind.current() == FILE

    def show_kind(self, kind: str) -> None:
        """Show the fields of one kind of source."""
        self.kind.set_current(kind)
        self.pages.setCurrentIndex((FILE, NETWORK).index(kind))

    def _choose_kind(self, kind: str) -> None:
        """Change to a kind of source; a click on the one that shows ends nothing."""
        if self.pages.currentIndex() != (FILE, NETWORK).index(kind):
            self.show_kind(kind)
            self.kind_chosen.emit(kind)

    def show_listening(self, on: bool) -> None:
        """Show whether the network is listened to; port and reach are then fixed."""
        self._listening = on
        self.connect_button.setText("Stop listening" if on else "Listen")
        self.port.setEnabled(not on)
        self.reach.setEnabled(not on)

    def _toggle(self) -> None:
        if self._listening:
            self.hang_up.emit()
        else:
            self.port.interpretText()
            self.listen.emit(self.port.value(), self.reach.current() == OPEN)

    def _page(self, *rows: QWidget) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        for each in rows:
            column.addWidget(each)
        column.addStretch(1)
        self.pages.addWidget(page)


def _wide(first: QWidget, last: QWidget) -> QWidget:
    """Two widgets side by side, the last of which takes the room."""
    box = horizontal_layout(first, last)
    layout = box.layout()
    assert layout is not None
    layout.setStretch(1, 1)  # type: ignore[attr-defined]
    return box
