"""The bar of a folder being labelled: which picture, how many are checked, buttons to go on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QWidget

from app.labelling.values import Standing
from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.external_text import shortened
from solver.sentences import counted

HEIGHT, LINE = 36, 2
ROOMY = 480  # pixels: below this there is no count
NAMED = 400  # pixels: below this there is no name either, except in the tool tip of the number
NAME_SHARE = 0.35  # of the width, at most
SHORTEST_NAME = 60  # pixels: a few letters; below that, the state is cut short
MOST_REASONS = 12  # of pictures that cannot be read, in the tool tip of the count
STATES = {
    "checked": ("Checked", "met"), "unusable": ("Left out", "tolerated"), "unreadable": ("Cannot be read", "tolerated"),
}  # fmt: skip


class LabelBar(QWidget):
    """moved(step), confirmed(), closed(): by the user."""

    moved = Signal(int)
    confirmed = Signal()
    closed = Signal()

    def __init__(self, check_key: str) -> None:
        """check_key: the key that does what the button does, as shown to the user."""
        super().__init__()
        self.setObjectName("panel")
        self.back = IconButton("frame_before", "Previous picture (Alt+Left)")
        self.on = IconButton("frame_after", "Next picture (Alt+Right)")
        self.place = QLabel()
        self.place.setProperty("role", "muted")
        self.name = ElidedText()
        self.name.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.state = ElidedText(tone="muted")  # or a note on the picture
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        self.check = QPushButton("Check")
        self.check.setToolTip(f"Checked: save, and go on to the next picture ({check_key})")
        self.close_folder = IconButton("cross", "Stop labelling; everything is saved (Ctrl+W)")
        self.line = QProgressBar(self)
        self.line.setObjectName("thin")
        self.line.setTextVisible(False)
        self.line.setAccessibleName("Pictures checked")
        self.back.clicked.connect(lambda: self.moved.emit(-1))
        self.on.clicked.connect(lambda: self.moved.emit(1))
        self.check.clicked.connect(self.confirmed)
        self.close_folder.clicked.connect(self.closed)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE, 0, SPACE, LINE)
        row.setSpacing(SPACE)
        parts = (self.back, self.on, self.place, self.name, self.state, self.count, self.check, self.close_folder)
        for widget in parts:
            row.addWidget(widget, 1 if widget is self.state else 0)
        self.setFixedHeight(HEIGHT)

    def show_standing(self, now: Standing) -> None:
        """Show how far the labelling of the folder has come."""
        text, tone = STATES.get(now.state, ("Not checked", "muted"))
        place, name = now.place, now.name
        if now.opening:
            text, tone, place, name = "Opening…", "muted", now.next_place, now.opening
        elif now.note:
            text, tone = now.note, "tolerated"
        self.place.setText(f"{place} of {now.count}" if place else counted(now.count, "picture"))
        self.place.setToolTip(shortened(name))
        self.name.set_text(shortened(name))
        self.state.set_text(text, tone)
        for part in (self.name, self.state):
            part.setToolTip(part.text())
        self.count.setText(f"{now.checked} of {now.count} checked")
        self.count.setToolTip("\n".join((now.counted, *now.reasons[:MOST_REASONS])))
        self.line.setToolTip(now.counted)
        self.line.setRange(0, max(now.count - now.unreadable, 1))
        self.line.setValue(now.checked + now.unusable)
        self.check.setEnabled(bool(now.place) and not now.opening and now.seen)
        self._fit_name()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what there is no room for; the line runs along the lower edge."""
        super().resizeEvent(event)
        self.line.setGeometry(0, HEIGHT - LINE, self.width(), LINE)
        self.count.setVisible(self.width() >= ROOMY)
        self.name.setVisible(self.width() >= NAMED)
        self._fit_name()

    def _fit_name(self) -> None:
        """The name has what is left when the state shows whole; its tool tip has it all."""
        beside = [self.back, self.on, self.place, self.check, self.close_folder]
        beside += [self.count] if self.width() >= ROOMY else []
        taken = sum(part.sizeHint().width() for part in beside) + SPACE * (len(beside) + 3)
        left = self.width() - taken - self.state.needed(self.state.text())
        wanted = self.name.needed(self.name.text())
        self.name.setFixedWidth(min(wanted, round(NAME_SHARE * self.width()), max(left, SHORTEST_NAME)))
