"""How the studies of drags print what they measured: a row at a time, percentiles and shares in its cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = Sequence[float] | NDArray[np.float64]


def print_row(*cells: str) -> None:
    """Print a row of a table at once: the next one may take minutes."""
    print("| " + " | ".join(cells) + " |", flush=True)


def percentiles(values: Values, *shares: float, digits: int = 1) -> list[str]:
    """A cell for each share in percent: 50 is the median, 100 the worst. digits: behind the point."""
    return [f"{share:.{digits}f}" for share in np.percentile(values, shares)]


def mean_and_worst(values: Values, digits: int = 1) -> list[str]:
    """Two cells. digits: behind the point."""
    return [f"{np.mean(values):.{digits}f}", f"{np.max(values):.{digits}f}"]


def percent_over(values: Values, most: float, digits: int = 0) -> str:
    """How many of the values are above that one, in percent. digits: behind the point."""
    return f"{100 * np.mean(np.asarray(values) > most):.{digits}f}"
