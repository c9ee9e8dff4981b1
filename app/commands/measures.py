"""What `bench` measures, part by part; each figure is there as soon as it is measured."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from solver.errors import PoserError

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Figure:
    """One measured time. aim_ms: what it should stay below, None where nothing is aimed at."""

    name: str
    median_ms: float
    p95_ms: float
    count: int
    aim_ms: float | None = None


def measure(parts: Sequence[str], photo: str | None = None) -> Iterator[Figure]:
    """The figures of these parts, of “solver”, “drawing”, “start” and “photo”. photo: the image for the last one."""
    for part in parts:
        if part == "solver":
            yield from solver_figures()
        elif part == "drawing":
            yield from drawing_figures()
        elif part == "start":
            yield from start_figures()
        elif part == "photo":
            yield photo_figure(photo)


def solver_figures() -> Iterator[Figure]:
    """Solving cold and while dragging, and effector recovery."""
    from solver.benchmarks import bench_dls

    for timing in bench_dls():
        yield Figure(timing.name, timing.median_ms, timing.p95_ms, timing.count, timing.aim_ms)


def drawing_figures() -> Iterator[Figure]:
    """From an edit to the painted frame, in the real window at 1280 x 800."""
    yield figure("edit to painted frame, 1280 x 800", _in_window("frames"), aim_ms=1000 / 30)


def start_figures() -> Iterator[Figure]:
    """From the command to its answer: the help, and the window until it has painted itself."""
    help_command = [sys.executable, str(ROOT / "main.py"), "--help"]
    yield timed("--help", lambda: subprocess.run(help_command, stdout=subprocess.DEVNULL, check=True), 7, 300)
    yield figure("window up", [time_ms for _ in range(4) for time_ms in _in_window("start")][1:], aim_ms=3000)


def photo_figure(photo: str | None) -> Figure:
    """A photo to characters with effectors: two people are drawn for it unless a photo is named."""
    from app.commands.photo import document_of_photo
    from app.commands.picture import save_picture
    from app.commands.sample import two_people

    with tempfile.TemporaryDirectory() as folder:
        path = Path(photo) if photo else save_picture(Path(folder) / "two.png", two_people(), (1280, 960), "front")
        people = len(document_of_photo(path).characters)
        name = f"photo with {people} {'person' if people == 1 else 'people'}, effectors recovered"
        return timed(name, lambda: document_of_photo(path), 3, aim_ms=3000, warm=0)


def timed(name: str, work: Callable[[], object], count: int, aim_ms: float | None = None, warm: int = 1) -> Figure:
    """Run `work` `count` times after `warm` runs that do not count."""
    for _ in range(warm):
        work()
    times = []
    for _ in range(count):
        start = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - start))
    return figure(name, times, aim_ms)


def figure(name: str, times_ms: Sequence[float], aim_ms: float | None = None) -> Figure:
    """Median and 95th percentile of some times."""
    ordered = sorted(times_ms)
    p95 = ordered[round(0.95 * (len(ordered) - 1))]
    return Figure(name, statistics.median(ordered), p95, len(ordered), aim_ms)


def _in_window(what: str) -> list[float]:
    """Times in milliseconds that a window of its own process measures; see app.commands.window_times."""
    from app.commands.screen import screen

    with screen():
        command = [sys.executable, "-m", "app.commands.window_times", what, repr(time.time())]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=dict(os.environ))
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise PoserError(f"The window could not be measured: {reason}.")
    return [float(number) for number in done.stdout.split()]
