"""How large a picture of so many pixels is on paper."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QSpinBox

DPI = 300  # as printers ask for
CM_AN_INCH = 2.54


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
        width, height = (f"{side.value() / DPI * CM_AN_INCH:.1f}" for side in self._sides)
        self.setText(f"{width} × {height} cm on paper, at {DPI} dpi")
