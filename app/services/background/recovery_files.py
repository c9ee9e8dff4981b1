"""Recovery files on disk: what they hold, whose they are, and what a crash left behind.

Each running window has a file of its own, a note beside it that says what was open, and a lock that the system releases
when the process dies: a recovery file without a living owner was left behind by a crash. Nobody but the user can read
any of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QStandardPaths

from app.document.model.document import Document
from solver.files.atomic import write_text
from solver.files.temporary import remove_abandoned

OWNER_ONLY = 0o700
EMPTY_LOCK_S = 10.0  # an owner writes its name at once; a lock still empty after that is left from a power cut


def recovery_folder() -> Path:
    """Where recovery files live: the application's data folder, which no clean-up of temporary files touches."""
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(base) / "recovery"


@dataclass(frozen=True)
class RecoveredDocument:
    """An unsaved document of a run that crashed. original: the scene file it was opened from, if any.

    seen: the SHA-256 of that file's content when it was last opened or saved, "" if unknown.
    """

    file: Path
    original: Path | None
    saved_at: float
    seen: str = ""


def make_private(folder: Path) -> None:
    """Make the folder, or make it private if it is there already. OSError if that fails."""
    folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(OWNER_ONLY)


def keep(file: Path, document: Document, original: Path | None, seen: str = "") -> None:
    """Write a recovery file and its note, each all or nothing. PoserError if that fails."""
    from app.document.scene_file.io import save_scene  # the window starts without scene files

    note = {"original": str(original) if original else None, "seen": seen, "saved_at": time.time()}
    write_text(_note_file(file), json.dumps(note), private=True)
    save_scene(file, document, private=True)


def found_recoveries(folder: Path) -> list[RecoveredDocument]:
    """What crashed runs left, newest first, without the files of windows that are still open."""
    found = []
    for file in sorted(path for path in folder.glob("*.json") if path.is_file()):
        if (lock := _taken(file)) is None:
            continue
        lock.unlock()
        try:
            saved_at = file.stat().st_mtime
        except OSError:
            continue  # its owner has just ended normally
        original, seen = None, ""
        try:
            note = json.loads(_note_file(file).read_text(encoding="utf-8"))
            original = Path(note["original"]) if note["original"] else None
            seen = str(note.get("seen", ""))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass  # the note is optional; the document is what counts
        found.append(RecoveredDocument(file, original, saved_at, seen))
    return sorted(found, key=lambda r: -r.saved_at)


def clean(folder: Path) -> None:
    """Remove what killed runs left beside their recovery files: half-written files, and notes and locks of no owner."""
    remove_abandoned(folder)
    for path in [*folder.glob("*.note"), *folder.glob("*.lock")]:
        document = path.with_suffix(".json")
        if document.exists():
            continue
        if lock := _taken(document):
            with contextlib.suppress(OSError):
                _note_file(document).unlink()
            lock.unlock()  # removes the lock's file


def restore(recovered: RecoveredDocument) -> Document:
    """The document of a recovery file; InputRefused if it cannot be read."""
    from app.document.scene_file.io import load_scene

    return load_scene(recovered.file, bodies=None)  # its owner had agreed to the bodies it names


def discard(file: Path) -> None:
    """Remove a recovery file and its note."""
    for path in (file, _note_file(file)):
        with contextlib.suppress(OSError):
            os.unlink(path)


def lock_of(file: Path) -> QLockFile:
    """The lock that says whether a recovery file has a living owner."""
    lock = QLockFile(str(file.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # only a dead owner makes a lock stale, not its age
    return lock


def _taken(file: Path) -> QLockFile | None:
    """The lock of a recovery file, taken; None where its owner lives."""
    lock = lock_of(file)
    if lock.tryLock(0):
        return lock
    path = file.with_suffix(".lock")
    try:
        state = path.stat()
        if state.st_size or time.time() - state.st_mtime < EMPTY_LOCK_S:
            return None
        path.unlink()
    except OSError:
        return None
    return lock if lock.tryLock(0) else None


def _note_file(file: Path) -> Path:
    return file.with_suffix(".note")
