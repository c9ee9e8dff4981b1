"""The vertical axis of curves, its range and its numbers; and curves reduced to the points that show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEAST = {"m/s": 0.1, "cm": 2.0, "mm": 1.0, "°": 1.0}  # least range, so that noise does not fill the picture
SPIKE, SPIKE_FRAMES, FEWEST = 1.5, 3, 24  # ranges of the rest beyond it; frames of a spike, and of a curve that has one
HEADROOM, FOOTROOM = 0.2, 0.06  # shares of the height above the highest point, where the names are, and below


@dataclass(frozen=True)
class Axis:
    """From low, at the lower edge, to high. ticks: the values that have a number."""

    low: float
    high: float
    ticks: tuple[float, ...]
    decimals: int

    def y(self, value: float, height: float) -> float:
        """How far a value is below the upper edge, in pixels."""
        return height * (self.high - value) / (self.high - self.low)

    def text(self, value: float) -> str:
        """The text of a number on the axis."""
        return number(value, self.decimals)


def axis_of(
    values: Sequence[Array], unit: str, most: int, headroom: float = HEADROOM, footroom: float = FOOTROOM
) -> Axis:
    """The axis that shows some curves, with `most` numbers at most, and shares of the height free above and below them.

    Speeds and errors begin at zero. A spike of a few frames, far beyond all else, may leave the picture.
    """
    ends = [_range(part[np.isfinite(part)]) for part in values if np.isfinite(part).any()]
    low, high = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else (0.0, 0.0)
    if unit == "cm":
        spare = max(LEAST[unit] - (high - low), 0.0) / 2
        low, high = low - spare, high + spare
    else:
        low, high = 0.0, max(high, LEAST[unit])
    span = (high - low) / (1.0 - headroom - footroom)
    low, high = low - footroom * span, high + headroom * span
    step = _step((high - low) / max(most, 1))
    first = ceil(low / step - 1e-9)
    ticks = tuple(step * i for i in range(first, floor(high / step + 1e-9) + 1))
    return Axis(low, high, ticks, max(0, -floor(log10(step) + 1e-9)))


def _range(values: Array) -> tuple[float, float]:
    """The least and the largest of some values, without the few that are so far beyond the rest that it would look
    flat."""
    ordered = np.sort(values)
    few = max(SPIKE_FRAMES, len(ordered) // 100)
    low, high = float(ordered[0]), float(ordered[-1])
    if len(ordered) < FEWEST:
        return low, high
    least, most = float(ordered[few]), float(ordered[-1 - few])
    far = SPIKE * (most - least)
    return (low if least - low <= far else least), (high if high - most <= far else most)


def number(value: float, decimals: int) -> str:
    """A number as written on axes and beside names."""
    text = f"{value:,.{decimals}f}".replace("-", "−")
    return text.removeprefix("−") if not text.strip("−0.,") else text


def thinned(x: Array, y: Array, columns: int) -> tuple[Array, Array]:
    """A curve with no more points than show in so many columns of pixels: each column's lowest and highest."""
    size = len(x) // max(columns, 1)
    if size < 4:
        return x, y
    whole = len(x) // size * size
    rows = y[:whole].reshape(-1, size)
    with np.errstate(invalid="ignore"):
        low, high = np.fmin.reduce(rows, axis=1), np.fmax.reduce(rows, axis=1)
    places = np.repeat(x[:whole].reshape(-1, size)[:, size // 2], 2)
    return np.append(places, x[whole:]), np.append(np.column_stack([low, high]).ravel(), y[whole:])


def _step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least * (1 - 1e-9))
