"""The bar of a folder that is labelled: which picture, how many are checked, the way on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.labelling.values import Standing
from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.plain import short

HEIGHT = 38
ROOMY, NARROW = 600, 470  # pixels: in less there is no count, or neither count nor state
STATES = {
    "checked": ("Checked", "met"), "unusable": ("Left out", "tolerated"),
    "refused": ("Label unreadable", "unreachable"),
}  # fmt: skip


class LabelBar(QWidget):
    """moved(step), confirmed(), closed(): by the user."""

    moved = Signal(int)
    confirmed = Signal()
    closed = Signal()

    def __init__(self, check_key: str) -> None:
        """check_key: the key that does what the button does, as it is to be read."""
        super().__init__()
        self.setObjectName("panel")
        self.back = IconButton("frame_before", "Previous picture (Alt+Left)")
        self.on = IconButton("frame_after", "Next picture (Alt+Right)")
        self.place = QLabel()
        self.name = ElidedText(tone="muted")
        self.state = ElidedText(room="Label unreadable", right=True)
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        self.check = QPushButton("Checked")
        self.check.setToolTip(f"Checked: save, and go on to the next picture ({check_key})")
        self.close_folder = IconButton("cross", "Stop labelling; everything is saved (Ctrl+W)")
        self.line = QProgressBar()
        self.line.setObjectName("thin")
        self.line.setTextVisible(False)
        self.line.setAccessibleName("Pictures checked")
        self.back.clicked.connect(lambda: self.moved.emit(-1))
        self.on.clicked.connect(lambda: self.moved.emit(1))
        self.check.clicked.connect(self.confirmed)
        self.close_folder.clicked.connect(self.closed)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE, 0, SPACE, 0)
        row.setSpacing(SPACE)
        parts = (self.back, self.on, self.place, self.name, self.state, self.count, self.check, self.close_folder)
        for widget in parts:
            row.addWidget(widget, 1 if widget is self.name else 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row, 1)
        column.addWidget(self.line)
        self.setFixedHeight(HEIGHT)

    def show_standing(self, now: Standing) -> None:
        """Show how far the folder is."""
        name = f"Opening {short(now.opening)}…" if now.opening else short(now.name)
        note = "" if now.opening else now.note
        self.place.setText(f"{now.place} of {now.count}" if now.place else f"{now.count} pictures")
        self.name.set_text(f"{name}: {note}" if note else name, "tolerated" if note else "muted")
        self.name.setToolTip(self.name.text())
        text, tone = STATES.get(now.state, ("Not checked", "muted"))
        self.state.set_text(text if now.place else "", tone)
        self.count.setText(f"{now.checked} checked")
        more = [f"{now.checked} of {now.count} checked"]
        more += [f"{now.unusable} left out"] if now.unusable else []
        more += [f"{now.unreadable} cannot be read"] if now.unreadable else []
        self.count.setToolTip(", ".join(more))
        self.line.setToolTip(", ".join(more))
        self.line.setRange(0, now.count)
        self.line.setValue(now.checked + now.unusable)
        self.check.setEnabled(bool(now.place) and not now.opening)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what there is no room for."""
        super().resizeEvent(event)
        self.count.setVisible(self.width() >= ROOMY)
        self.state.setVisible(self.width() >= NARROW)
