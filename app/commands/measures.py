"""What `bench` measures, part by part; each figure is there as soon as it is measured."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from solver.benchmarks import Figure, bench_dls, bench_smplik, figure, timing
from solver.errors import PoserError
from solver.resources import resource_folder


def measure(parts: Sequence[str], photo: str | None = None) -> Iterator[Figure]:
    """The figures of these parts, of “solver”, “drawing”, “start”, “memory” and “photo”. photo: the image for it."""
    for part in parts:
        if part == "solver":
            yield from bench_dls()
            yield from bench_smplik()
        elif part == "drawing":
            yield from drawing_figures()
        elif part == "start":
            yield from start_figures()
        elif part == "memory":
            yield figure("memory of the running application", _in_window("memory"), 900, "MB")
        elif part == "photo":
            yield photo_figure(photo)


def drawing_figures() -> Iterator[Figure]:
    """From an edit to the painted frame, in the real window at 1280 x 800."""
    yield timing("edit to painted frame, 1280 x 800", _in_window("frames"), aim_ms=1000 / 30)


def start_figures() -> Iterator[Figure]:
    """From the command to its answer: the help, and the window until it has painted itself."""
    help_command = [sys.executable, "-m", "app", "--help"]
    yield timed(
        "--help",
        lambda: subprocess.run(help_command, stdout=subprocess.DEVNULL, check=True, env=_environment()),
        7,
        300,
    )
    yield timing("window up", [seconds for _ in range(4) for seconds in _in_window("start")][1:], aim_ms=3000)


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
    times = []
    for _ in range(warm + count):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return timing(name, times[warm:], aim_ms)


def _in_window(what: str) -> list[float]:
    """Seconds, or megabytes, that a window of its own process measures; see app.commands.window_times."""
    from app.commands.screen import screen

    with screen():
        command = [sys.executable, "-m", "app.commands.window_times", what, repr(time.time())]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise PoserError(f"The window could not be measured: {reason}.")
    return [float(number) for number in done.stdout.split()]


def _environment() -> dict[str, str]:
    """For another Python that finds this very program, from whatever folder it is asked."""
    here = str(resource_folder("app").parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))}
