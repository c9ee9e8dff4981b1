"""What `bench` measures, part by part; each figure comes as soon as it is measured."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from solver.errors import PoserError
from solver.evaluation.speed import Figure, bench_dls, bench_smplik, figure, timing
from solver.resources import resource_folder

LEFT_WRIST = 15  # among BlazePose's landmarks


def measure(parts: Sequence[str], photo: str | None = None) -> Iterator[Figure]:
    """The figures of some of the parts “solver”, “contacts”, “motion”, “drawing”, “start”, “memory” and “photo”.

    photo: the image for the last of these.
    """
    for part in parts:
        if part == "solver":
            yield from bench_dls()
            yield from bench_smplik()
        elif part == "contacts":
            yield from contact_figures()
        elif part == "motion":
            yield from motion_figures()
        elif part == "drawing":
            yield from drawing_figures()
        elif part == "start":
            yield from start_figures()
        elif part == "memory":
            yield from memory_figures()
        elif part == "photo":
            yield from photo_figures(photo)
            yield refit_figure()


def contact_figures() -> Iterator[Figure]:
    """Drags that have contacts to keep: the solves alone, then from the edit to the painted frame at 1280 x 800."""
    from app.benchmark.contact_times import drawn_figures, solved_figures

    yield from solved_figures()
    yield from drawn_figures(_in_window("contacts"))


def motion_figures() -> Iterator[Figure]:
    """Editing a motion: the frames between keys, variations, then from a scrubbed frame to its picture."""
    from app.benchmark.motion_times import crowd_figure, scrubbed_figure, solved_figures

    yield from solved_figures()
    yield scrubbed_figure(_in_window("scrub"))
    yield crowd_figure(_in_window("crowd"))


def drawing_figures() -> Iterator[Figure]:
    """What follows a solve: building the scene, room for people and props, a prop's shadow, files, and the whole from
    an edit to the painted frame at 1280 x 800, with a solve and with fingers."""
    from app.benchmark.file_times import SCENE, file_times
    from app.benchmark.scene_times import crowded_times, room_times, scene_times, shadow_times

    yield timing("scene of two people after a solve, built", scene_times(), aim_ms=0.2)
    yield timing("room for a person among 36 props", room_times(), aim_ms=200)
    yield timing("the fortieth prop wished for at one place", crowded_times(), aim_ms=200)
    yield timing("shadow of a turning chair, made anew", shadow_times(), aim_ms=8)
    saved, opened = file_times()
    yield timing(f"{SCENE}, saved", saved)
    yield timing(f"{SCENE}, opened", opened)
    yield timing("edit to painted frame, 1280 x 800", _in_window("frames"), aim_ms=1000 / 30)
    yield timing("finger's bar to painted frame, 1280 x 800", _in_window("hands"), aim_ms=1000 / 30)
    yield timing("library of 500 poses opened", _in_window("library"), aim_ms=500)


def memory_figures() -> Iterator[Figure]:
    """The memory of the window after the first edit, and how much of it OpenGL in software takes, if it is used."""
    _in_window("start")  # on a new machine compiles the kernels, so that the compiler's memory does not count
    yield figure("memory after the first edit", _in_window("memory"), 350, "MB")
    taken = _apart("app.benchmark.opengl_memory")
    if taken[0] > 0.0:
        yield figure("of it software OpenGL", taken, None, "MB")


def start_figures() -> Iterator[Figure]:
    """From the command to its answer: the help, the window until it is painted, and until its solver is ready.

    Files are in the system's cache, as the first of several starts does not count.
    """
    help_command = [sys.executable, "-m", "app", "--help"]
    yield timed(
        "--help",
        lambda: subprocess.run(help_command, stdout=subprocess.DEVNULL, check=True, env=_environment()),
        7,
        300,
    )
    up, ready = zip(*[_in_window("start") for _ in range(4)][1:], strict=True)
    yield timing("window up", up, aim_ms=1000)
    yield timing("window up, solver ready", ready, aim_ms=1500)


def photo_figures(photo: str | None) -> Iterator[Figure]:
    """From a photo to characters with effectors, and to the first bodies in the window; two people are drawn for it
    unless a photo is named."""
    from app.benchmark.sample import two_people
    from app.document.exchange.photo_document import document_of_photo
    from app.viewport.picture import save_picture
    from rendering.scene.style import PLAIN  # which earlier times were measured with

    with tempfile.TemporaryDirectory() as folder:
        path = (
            Path(photo)
            if photo
            else save_picture(Path(folder) / "two.png", two_people(), (1280, 960), "front", style=PLAIN)
        )
        people = len(document_of_photo(path).characters)
        name = f"photo with {people} {'person' if people == 1 else 'people'}, effectors recovered"
        yield timed(name, lambda: document_of_photo(path), 3, aim_ms=2000, warm=0)
        windows = [_in_window("photo", str(path)) for _ in range(3)]
        first, later = [times[0] for times in windows], [time for times in windows for time in times[1:]]
        yield timing("first bodies over the first photo of a session", first, aim_ms=800)
        yield timing("first bodies over a later photo", later, aim_ms=800)


def refit_figure() -> Figure:
    """A person's point dragged across a photo, with the body fitted again at every step of the pointer."""
    import numpy as np

    from solver.body.catalog import DEFAULT_BODY, load_body
    from solver.camera import PinholeCamera
    from solver.photo.person_in_box import standing_in_box
    from solver.photo.refit import marked_points, refit

    body, level = load_body(DEFAULT_BODY), np.eye(3, dtype=np.float32)
    camera = PinholeCamera(np.array([0.0, 1.6, 4.0], np.float32), level, 1000.0, (480.0, 360.0), (960, 720))
    shape, pose = standing_in_box(body, (380.0, 100.0, 580.0, 620.0), camera)
    points = marked_points(body, shape, pose, camera)
    at = points.pixels[int(np.flatnonzero(points.landmark == LEFT_WRIST)[0])]
    times = []
    for step in range(1, 41):
        began = time.perf_counter()
        pose = refit(body, shape, pose, camera, {LEFT_WRIST: at + step * np.array([2.0, -4.0])})
        times.append(time.perf_counter() - began)
    return timing("point dragged in a photo, body fitted again", times[1:], aim_ms=30)


def timed(name: str, work: Callable[[], object], count: int, aim_ms: float | None = None, warm: int = 1) -> Figure:
    """Run `work` `count` times after `warm` runs that do not count."""
    times = []
    for _ in range(warm + count):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return timing(name, times[warm:], aim_ms)


def _in_window(what: str, *arguments: str) -> list[float]:
    """Seconds, or megabytes, measured in a window in a process of its own; see app.benchmark.window_times."""
    return _apart("app.benchmark.window_times", what, *arguments)


def _apart(module: str, *arguments: str) -> list[float]:
    """What a module prints when run with a screen, in a process of its own, whose start time is its last argument."""
    from app.services.screen import screen

    with screen():
        command = [sys.executable, "-m", module, *arguments, repr(time.time())]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise PoserError(f"The window could not be measured: {reason}.")
    return [float(number) for number in done.stdout.split()]


def _environment() -> dict[str, str]:
    """The environment for another Python to find this very program, from any folder, compiled as for users."""
    here = str(resource_folder("app").parent)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))}
