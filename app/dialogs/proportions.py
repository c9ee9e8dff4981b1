"""The size of a picture: sides that keep their proportions unless the user says otherwise, and its size on paper."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QLabel, QSpinBox

from app.look.paper import DPI
from app.panels.widgets.arithmetic import INCH, LENGTHS
from app.panels.widgets.number_box import WholeBox

PIXELS = {**LENGTHS, "px": INCH / DPI}  # metres on paper


def paper_side(value: int, least: int, most: int) -> WholeBox:
    """A field for a side in pixels, which may be typed as a length on paper: “17 cm”."""
    box = WholeBox(PIXELS, "px")
    box.setRange(least, most)
    box.setValue(value)
    box.setSuffix(" px")
    return box


class Proportions(QCheckBox):
    """While ticked, the height follows the width and the width the height, in the proportions they had."""

    def __init__(self, width: QSpinBox, height: QSpinBox) -> None:
        super().__init__("Keep proportions")
        self._sides = width, height
        self._ranges = tuple((side.minimum(), side.maximum()) for side in self._sides)
        self.setChecked(True)
        self._take(True)
        self.toggled.connect(self._take)
        width.valueChanged.connect(lambda value: self._follow(0, value))
        height.valueChanged.connect(lambda value: self._follow(1, value))

    def take(self, size: tuple[int, int]) -> None:
        """Set both sides, in pixels; if proportions are kept, theirs."""
        keep = self.isChecked()
        self.setChecked(False)
        for side, value in zip(self._sides, size, strict=True):
            side.setValue(value)
        self.setChecked(keep)

    def _take(self, keep: bool) -> None:
        """Keep the present proportions or none; if kept, no side gets so long that the other cannot follow."""
        if keep:
            self._shape = self._sides[0].value(), self._sides[1].value()
        for side, box in enumerate(self._sides):
            least, most = self._ranges[side]
            if keep:
                own, others = self._shape[side], self._shape[1 - side]
                other_least, other_most = self._ranges[1 - side]
                least = min(own, max(least, round(other_least * own / others)))
                most = max(own, min(most, round(other_most * own / others)))
            box.setRange(least, most)

    def _follow(self, side: int, value: int) -> None:
        other, own, others = self._sides[1 - side], self._shape[side], self._shape[1 - side]
        fits = value == round(other.value() * own / others)  # as when Return announces a side that has followed
        if self.isChecked() and not fits:
            other.blockSignals(True)  # the one that follows must not lead
            other.setValue(round(value * others / own))
            other.blockSignals(False)


class PrintedSize(QLabel):
    """Width and height in centimetres, as they are in two fields of pixels."""

    def __init__(self, width: QSpinBox, height: QSpinBox) -> None:
        super().__init__()
        self.setProperty("role", "muted")
        self._sides = width, height
        for side in self._sides:
            side.valueChanged.connect(self._show)
        self._show()

    def _show(self) -> None:
        width, height = (f"{side.value() * PIXELS['px'] / PIXELS['cm']:.1f}" for side in self._sides)
        self.setText(f"{width} × {height} cm on paper, at {DPI} dpi (cm, mm or in may be typed)")
