"""How long scenes with motions take to be saved and opened."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from app.benchmark.walk import walk
from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_character
from app.document.scene_file.io import load_scene, save_scene

PEOPLE, FRAMES, RUNS = 10, 2000, 3
SCENE = f"scene of {PEOPLE} people, {FRAMES:,} frames each"


def file_times(people: int = PEOPLE, frames: int = FRAMES, runs: int = RUNS) -> tuple[list[float], list[float]]:
    """Seconds in which a scene of walking people is saved, and opened, a few times after one that does not count."""
    document = walkers(people, frames)
    saved: list[float] = []
    opened: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.json"
        for _ in range(1 + runs):
            started = time.perf_counter()
            save_scene(path, document)
            saved.append(time.perf_counter() - started)
            started = time.perf_counter()
            load_scene(path)
            opened.append(time.perf_counter() - started)
    return saved[1:], opened[1:]


def walkers(people: int, frames: int) -> Document:
    """People who walk side by side, each with a motion of their own."""
    document, motion = Document(), walk(frames)
    for _ in range(people):
        person = new_character(document)
        document = edits.add_character(person)(document)
        document = edits.import_motion(person.id, motion)(document)
    return document
