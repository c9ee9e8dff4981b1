"""A fixed piece of work to compare times with, so that runs on faster, slower and busier machines are comparable."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from solver.evaluation.speed import Figure

RATIOS = Path(__file__).with_name("bench_ratios.json")
SLACK = 1.6  # shared machines vary by half within a quarter of an hour, even relative to fixed work
REPEATS = 40
FIXED = "the fixed work itself, ms"  # its entry among the recorded ratios: how long it took where they were recorded


def fixed_work() -> float:
    """Do some arithmetic in Python and on small matrices, a millisecond's worth, always the same."""
    matrix = np.eye(24) * 25.0 + np.outer(np.arange(24.0), np.arange(24.0)) / 600.0
    total = 0.0
    for step in range(40):
        total += float(np.linalg.solve(matrix, matrix[step % 24])[0])
        total += sum(number * number % 7 for number in range(150))
    return total


def yardstick_ms() -> float:
    """Milliseconds that the fixed work takes now, the median of several."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        fixed_work()
        times.append(time.perf_counter() - started)
    return 1e3 * float(np.median(times))


def ratios_to_fixed_work(figures: Iterable[Figure]) -> Iterator[Figure]:
    """Figures as they come, times with their ratio to the fixed work, which is done before and after each."""
    before = yardstick_ms()
    for figure in figures:
        after = yardstick_ms()
        ratio = figure.median / (0.5 * (before + after)) if figure.unit == "ms" else None
        yield replace(figure, ratio=ratio)
        before = after


def recorded_ratios(path: Path = RATIOS) -> dict[str, float]:
    """The recorded ratio of each row, by its name."""
    return {str(name): float(ratio) for name, ratio in json.loads(path.read_text(encoding="utf-8")).items()}


def slowdown_text(figure: Figure, recorded: Mapping[str, float]) -> str:
    """Why a row fails the check, "" if it does not.

    A time fails if it is far above its recorded ratio to the fixed work, whatever the machine, and if it would be far
    above its aim on the recording machine; anything else, such as memory, fails if it is above its aim.
    """
    if figure.ratio is None:
        over = figure.aim is not None and figure.median > figure.aim
        return f"{figure.name}: {figure.median:.0f} {figure.unit}, meant to be below {figure.aim:g}" if over else ""
    known = recorded.get(figure.name)
    if known is None:
        return f"{figure.name}: no ratio is recorded; python main.py bench --record does it"
    if figure.ratio > SLACK * known:
        return f"{figure.name}: {figure.ratio / known:.1f} times as long as recorded, measured beside fixed work"
    there = figure.ratio * recorded.get(FIXED, 0.0)
    if figure.aim is not None and there > SLACK * figure.aim:
        return f"{figure.name}: {there:.1f} ms where its ratio was recorded, meant to be below {figure.aim:g}"
    return ""
