"""The tolerance of an effector as a column: a number to drag or type, and below it the strength in percent."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.panels.widgets.elided import ElidedText
from app.panels.widgets.value_slider import ValueSlider
from solver.effectors.effector import Effector

WIDTH = 46  # pixels
PERCENT = "%"


class ToleranceField(ValueSlider):
    """A tolerance; a number typed with a percent sign is a strength."""

    def __init__(self) -> None:
        super().__init__("Tolerance", 0.0, 1.0, decimals=2, compact=True)
        self.setFixedWidth(WIDTH)

    def _typed(self, text: str) -> None:
        typed = text.strip()
        super()._typed(f"1-({typed.removesuffix(PERCENT)})/100" if typed.endswith(PERCENT) else text)


class ToleranceColumn(QWidget):
    """A column of an effector's row: the tolerance, and the strength in small print."""

    def __init__(self) -> None:
        super().__init__()
        self.tolerance = ToleranceField()
        self.strength = ElidedText(tone="muted", smaller=1.5, center=True)
        self.strength.setFixedWidth(WIDTH)
        self.strength.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3, 0, 2)
        column.setSpacing(0)
        column.addWidget(self.tolerance)
        column.addWidget(self.strength)

    def show_effector(self, effector: Effector) -> None:
        """Show how firmly an effector holds."""
        self.tolerance.set_value(round(effector.tolerance, 3))
        tone = "faint" if not effector.is_active else "accent" if effector.pinned else "muted"
        self.strength.set_text(strength_text(effector), tone)


def strength_text(effector: Effector) -> str:
    """How firmly an effector holds: 100% is strict, 0% barely a hint, or nothing at all while it is loose or off."""
    firm = 1.0 - effector.effective_tolerance if effector.is_active else 0.0
    return f"{100.0 * firm:.0f}{PERCENT}"
