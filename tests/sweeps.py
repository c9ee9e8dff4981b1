"""Sweeps: tests of which every parameter shows the same of something else. `make test` runs few of them.

`@pytest.mark.sweep` leaves the first and the last parameters in it, `@pytest.mark.sweep("id", …)` those with these ids;
all others are marked slow, so that `make slow` runs the rest of the sweep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import pytest


def mark_sweeps(items: Iterable[pytest.Item], whole: bool) -> None:
    """Mark slow what `make test` leaves out.

    whole: no test was asked for by its own name, so a name that no parameters of a test have is refused.
    """
    sweeps: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sweep") and not item.get_closest_marker("slow"):
            sweeps[item.nodeid.split("[", 1)[0]].append(item)
    for test, members in sweeps.items():
        mark = members[0].get_closest_marker("sweep")
        assert mark is not None
        ids = [item.callspec.id for item in members]  # type: ignore[attr-defined]
        if whole and (lost := set(mark.args) - set(ids)):
            raise pytest.UsageError(f"{test}: the sweep has no “{min(lost)}”")
        kept = kept_of(ids, mark.args)
        for id, item in zip(ids, members, strict=True):
            if id not in kept:
                item.add_marker(pytest.mark.slow)


def kept_of(ids: Sequence[str], named: Sequence[str]) -> set[str]:
    """The ids that stay: those named or, where none of these is there, the ends."""
    return set(named) & set(ids) or {ids[0], ids[-1]}
