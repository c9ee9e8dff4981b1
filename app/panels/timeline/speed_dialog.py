"""Asks how fast what somebody does is to go: in percent of its present speed, or by its new number of frames."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.external_text import escaped, in_title
from app.panels.widgets.number_box import DecimalBox, WholeBox
from app.panels.widgets.section import wrapped_label
from solver.size_limits import MAX_FRAMES

SLOWEST, FASTEST = 10.0, 1000.0  # percent
WIDTH = 320  # pixels
SAYS = (
    "Keys go along, and planted feet stay planted. There are still {:g} frames a second: those between recorded ones "
    "are made anew."
)


class SpeedDialog(QDialog):
    """count, fps: how many frames the clip has, two or more, and how many a second. name: whose it is. recorded:
    whether there is a motion beneath the keys. others: whether anything else moves that could go along.

    Both fields say the same; the one that is typed in leads.
    """

    def __init__(
        self, name: str, count: int, fps: float, recorded: bool, others: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(in_title(f"Speed of {name}"))
        self._count, self._fps = count, fps
        self.percent, self.frames = DecimalBox(), WholeBox()
        self.percent.setDecimals(1)
        self.percent.setRange(SLOWEST, FASTEST)
        self.percent.setSuffix("%")
        self.frames.setRange(self._frames_at(FASTEST), self._frames_at(SLOWEST))
        self.percent.setValue(100.0)
        self.frames.setValue(count)
        self.percent.valueChanged.connect(self._from_percent)
        self.frames.valueChanged.connect(self._from_frames)
        self.length = wrapped_label()
        form = QFormLayout()
        form.setSpacing(SPACE)
        form.addRow("Speed", self.percent)
        form.addRow("Frames", self.frames)
        form.addRow("", self.length)
        self.everything = QCheckBox("Everybody and every prop that moves")
        self.everything.setToolTip(f"Off, only {escaped(name)} is changed, and falls out of step with the others")
        if others:
            form.addRow("", self.everything)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        change = buttons.addButton("Change", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 3, SPACE * 3, SPACE * 3, SPACE * 2)
        column.setSpacing(SPACE * 2)
        column.addLayout(form)
        if recorded:
            column.addWidget(wrapped_label(SAYS.format(fps)))
        column.addWidget(buttons)
        change.setDefault(True)  # only now is it one of this dialog's
        self.setMinimumWidth(WIDTH)
        self._say()
        self.percent.setFocus()
        self.percent.selectAll()

    def _frames_at(self, percent: float) -> int:
        return min(max(round((self._count - 1) * 100.0 / percent) + 1, 2), MAX_FRAMES)

    def _from_percent(self, percent: float) -> None:
        with QSignalBlocker(self.frames):  # the one that follows must not lead
            self.frames.setValue(self._frames_at(percent))
        self._say()

    def _from_frames(self, frames: int) -> None:
        with QSignalBlocker(self.percent):
            self.percent.setValue(100.0 * (self._count - 1) / (frames - 1))
        self._say()

    def _say(self) -> None:
        now, then = ((frames - 1) / self._fps for frames in (self._count, self.frames.value()))
        self.length.setText(f"{then:.2f} s; now {self._count:,} frames, {now:.2f} s")
