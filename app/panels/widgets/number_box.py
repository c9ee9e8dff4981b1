"""Boxes for a number to type or step, in which arithmetic and a comma mean the same as in other fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox

from app.panels.widgets.arithmetic import parse_number, without_thousands

INDENT = 6  # pixels: a style sheet's padding does not move the text of a box without buttons
TYPED = re.compile(r"[\d.,\s+*/()-]*")
LETTER, WORD = re.compile(r"""[a-z"']""", re.IGNORECASE), re.compile(r"[a-z]+")
OPERATORS = re.compile(r"[+*/()-]")

Box = TypeVar("Box", QSpinBox, QDoubleSpinBox)


class WholeBox(QSpinBox):
    """A whole number; what is typed is rounded. Qt takes "2,5" for 25.

    units: factors of what may be typed behind a number. unit: of a bare one.
    """

    def __init__(self, units: Mapping[str, float] | None = None, unit: str = "") -> None:
        super().__init__()
        self._units, self._unit = units, unit
        _set_up(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step in the box that has the keyboard; over others the wheel scrolls."""
        if _takes_wheel(self, event):
            super().wheelEvent(event)

    def valueFromText(self, text: str) -> int:
        """The number that a text means."""
        return round(_within(self, self._number(_bare(self, text))))

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Whether a text is a number, or may become one. One outside the range counts as its nearest end."""
        bare = _bare(self, text)
        if self._units is None or not LETTER.search(bare):
            return _state(without_thousands(bare), self.minimum()), text, place
        try:
            self._number(bare)
        except ValueError:
            begun = all(any(unit.startswith(word) for unit in self._units) for word in WORD.findall(bare.lower()))
            return QValidator.State.Intermediate if begun else QValidator.State.Invalid, text, place
        return QValidator.State.Acceptable, text, place

    def _number(self, bare: str) -> float:
        if self._units is None or not LETTER.search(bare):
            return parse_number(without_thousands(bare))
        return parse_number(bare, self._units, self._unit)


class DecimalBox(QDoubleSpinBox):
    """A number that shows only the decimals it has."""

    def __init__(self) -> None:
        super().__init__()
        _set_up(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step in the box that has the keyboard; over others the wheel scrolls."""
        if _takes_wheel(self, event):
            super().wheelEvent(event)

    def valueFromText(self, text: str) -> float:
        """The number that a text means."""
        return round(_within(self, parse_number(_bare(self, text))), self.decimals())

    def textFromValue(self, value: float) -> str:
        """The number, with a point whatever the system's language."""
        return f"{value:.{self.decimals()}f}".rstrip("0").rstrip(".")

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Whether a text is a number, or may become one. One outside the range counts as its nearest end."""
        return _state(_bare(self, text), self.minimum()), text, place


def _set_up(box: Box) -> None:
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # not by the wheel
    box.lineEdit().setTextMargins(INDENT, 0, INDENT, 0)
    box.editingFinished.connect(lambda: box.setValue(box.value()))  # shows the number, not what was typed


def _takes_wheel(box: QSpinBox | QDoubleSpinBox, event: QWheelEvent) -> bool:
    """Whether a box has the keyboard; if not, the wheel is left to what is around it."""
    if not box.hasFocus():
        event.ignore()
    return box.hasFocus()


def _bare(box: QSpinBox | QDoubleSpinBox, text: str) -> str:
    return text.removesuffix(box.suffix()).strip()


def _within(box: QSpinBox | QDoubleSpinBox, number: float) -> float:
    return min(max(number, box.minimum()), box.maximum())


def _state(text: str, least: float) -> QValidator.State:
    numbers = OPERATORS.split(text)
    if not TYPED.fullmatch(text) or any(number.count(".") + number.count(",") > 1 for number in numbers):
        return QValidator.State.Invalid
    if least >= 0 and text.startswith("-"):
        return QValidator.State.Invalid
    try:
        parse_number(text)
    except ValueError:
        return QValidator.State.Intermediate  # nothing yet, or a point alone
    return QValidator.State.Acceptable  # refusing further digits would make 999 of 9999 unnoticed
