"""Programs to be killed: each edits, saves and autosaves a scene until that happens.

The imports are done once; every line on stdin (scene file, recovery folder, first number) forks one of them, so that
a kill costs no start of Python. What it does it says on stdout: "pid N" first, "saving N", "saved N", "keeping N",
"kept N" on the way, and "dead" when it was killed.
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.scene_file.io import read_scene_text, save_scene, scene_text
from app.services.background.autosave import Autosave
from app.services.session import Session
from app.services.solve_service import SolveService
from solver.kinematics.pose import Motion

FRAMES = 200
SAVED_EVERY = 4


def numbered(start: Document, number: int) -> Document:
    """The document with its number in two places far apart in the file, and enough between them to be cut off."""
    (person,) = start.characters
    roots = np.full((FRAMES, 3), number, np.float32)
    rotations = np.broadcast_to(person.pose.rotations, (FRAMES, *person.pose.rotations.shape)).copy()
    angles = np.random.default_rng(number).normal(size=FRAMES)
    turns = np.zeros((FRAMES, 3, 3))
    turns[:, 0, 0] = turns[:, 2, 2] = np.cos(angles)
    turns[:, 0, 2], turns[:, 2, 0] = np.sin(angles), -np.sin(angles)
    turns[:, 1, 1] = 1
    rotations[:, 0] = turns
    named = edits.rename_character(person.id, f"Name {number}")(start)
    return edits.import_motion(person.id, Motion(roots, rotations))(named)


def number_of(document: Document) -> int:
    """The number of a whole document; a mix of two fails."""
    (person,) = document.characters
    assert person.clip.source is not None
    roots = person.clip.source.motion.root_positions
    assert person.name == f"Name {roots[0, 0]:.0f}"
    return int(roots[-1, -1])


def live(scene: Path, folder: Path, first: int, start: Document) -> None:
    """What a window does with its document, without end."""
    application = QCoreApplication([])
    session = Session(SolveService())
    session.open(start, scene)
    autosave = Autosave(session, folder, debounce_s=0.0)
    for number in itertools.count(first):
        session.edit("Next", lambda _, number=number: numbered(start, number))
        if number % SAVED_EVERY == 0:
            say(f"saving {number}")
            session.saved_as(scene, save_scene(scene, session.document))
            say(f"saved {number}")
        else:
            say(f"keeping {number}")
            autosave.write()
            autosave.wait()
            say(f"kept {number}")
        application.processEvents()


def say(line: str) -> None:
    """One line in one piece."""
    os.write(1, f"{line}\n".encode())


def main() -> None:
    """Fork one after another as asked, until nobody asks any more."""
    start = new_document()
    read_scene_text(scene_text(numbered(start, 0), Path()), Path("warm.json"))  # loads all that is loaded when needed
    for line in sys.stdin:
        scene, folder, first = line.split()
        pid = os.fork()
        if not pid:
            try:
                live(Path(scene), Path(folder), int(first), start)
            finally:
                os._exit(1)
        say(f"pid {pid}")
        os.waitpid(pid, 0)
        say("dead")


if __name__ == "__main__":
    main()
