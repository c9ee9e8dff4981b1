"""A bar for curl and one for spread, in one row for each finger and one for all four."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.panels.widgets.section import wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from solver.body.curl import ACROSS, CURL, FAN, FOUR, SPREAD, FingerTravel

LINES = {"All four": FOUR, "Thumb": (0,), "Index": (1,), "Middle": (2,), "Ring": (3,), "Little": (4,)}
ACROSS_TITLE = "Thumb across the palm"


@dataclass(frozen=True)
class FingerBar:
    """A bar, what it moves, and for which fingers. title: as undo shows it."""

    slider: ValueSlider
    travel: FingerTravel
    fingers: tuple[int, ...]
    title: str

    def differs(self, angles: NDArray[np.float64]) -> bool:
        """Whether the bar would show the hands more than one percent apart. angles: (2, 5, 4) degrees."""
        left, right = (self.travel.of(angles, (side,), self.fingers) for side in (0, 1))
        return abs(left - right) > 0.01


class FingerRows(QWidget):
    """The bars, in percent."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        for column, title in ((1, "Curl"), (2, "Spread")):
            grid.addWidget(wrapped_label(title), 0, column, Qt.AlignmentFlag.AlignHCenter)
        self.bars: dict[tuple[str, str], FingerBar] = {}
        for line, (title, fingers) in enumerate(LINES.items(), start=1):
            grid.addWidget(wrapped_label(title), line, 0)
            for column, (what, travel) in enumerate(
                (("curl", CURL), ("spread", FAN if fingers == FOUR else SPREAD)), 1
            ):
                bar = _bar(f"{what.capitalize()} of {_of(title)}", travel, fingers, compact=True)
                self.bars[title, what] = bar
                grid.addWidget(bar.slider, line, column)
        across = _bar(ACROSS_TITLE, ACROSS, (0,), compact=False)
        self.bars["Thumb", "across"] = across
        grid.addWidget(across.slider, len(LINES) + 1, 0, 1, 3)

    def __iter__(self) -> Iterator[FingerBar]:
        return iter(self.bars.values())


def _of(title: str) -> str:
    return {"All four": "all four fingers", "Thumb": "the thumb"}.get(title, f"the {title.lower()} finger")


def _bar(title: str, travel: FingerTravel, fingers: tuple[int, ...], compact: bool) -> FingerBar:
    slider = ValueSlider(title, 100 * travel.least, 100.0, decimals=0, suffix="%", compact=compact)
    return FingerBar(slider, travel, fingers, title)
