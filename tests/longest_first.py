"""Files of tests in the order of the seconds they take: one begun last would keep every other process waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

KEPT = Path(__file__).with_name("seconds.txt")
LEAST_S = 3.0  # a file that takes less is not worth a line
USUAL_S = 0.15  # a test of a file without one

T = TypeVar("T")


def file_of(nodeid: str) -> str:
    """The file of a test, from the root of the checkout: tests/solver/devices_test.py."""
    return nodeid.split("::", 1)[0]


def longest_first(tests: Sequence[tuple[str, T]], known: Mapping[str, float]) -> list[T]:
    """Tests by their node ids, a whole file after the other, the longest first; within a file in their own order.

    known: seconds by file; a file that is not in there is taken for as long as it has tests.
    """
    count = Counter(file_of(nodeid) for nodeid, _ in tests)
    seconds = {file: known.get(file, USUAL_S * number) for file, number in count.items()}
    place = {file: number for number, file in enumerate(sorted(seconds, key=lambda file: (-seconds[file], file)))}
    return [test for _, test in sorted(tests, key=lambda each: place[file_of(each[0])])]


def read_seconds(text: str) -> dict[str, float]:
    """Seconds by file, from lines such as “26 tests/kill/kill_test.py”."""
    pairs = (line.split(maxsplit=1) for line in text.splitlines())
    return {file: float(seconds) for seconds, file in pairs}


def seconds_text(known: Mapping[str, float], measured: Mapping[str, float], there: Iterable[str]) -> str:
    """What is kept after a run: of files that are still there what was measured last, the longest first."""
    whole = {file: round(seconds) for file, seconds in {**known, **measured}.items() if seconds >= LEAST_S}
    kept = sorted(whole.keys() & set(there), key=lambda file: (-whole[file], file))
    return "".join(f"{whole[file]} {file}\n" for file in kept)
