"""Which estimators of poses are installed; none of them is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

GROUP = "contrapposto.estimators"
BUILT_IN = "built-in"


def estimator_names() -> tuple[str, ...]:
    """Our own estimator, and those of installed packages by name."""
    return (BUILT_IN, *sorted(installed_entry_points()))


def installed_entry_points() -> Mapping[str, EntryPoint]:
    """The entry points of other packages by name."""
    return {point.name: point for point in entry_points(group=GROUP) if point.name != BUILT_IN}
