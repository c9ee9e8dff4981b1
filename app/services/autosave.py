"""The recovery file: the unsaved document on disk soon after each edit, offered again after a crash.

Each running window has a file of its own in the application's data folder, and a lock beside it that the system gives
up when the process dies: a recovery file without a living owner is what a crash left behind.
"""

from __future__ import annotations

import json
import os
import threading
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer

from app.document.io import load_scene, save_scene
from app.document.state import Document
from app.services.session import Session
from solver.errors import PoserError

DEBOUNCE_S = 10.0
AT_LEAST_EVERY_S = 60.0


def recovery_folder() -> Path:
    """Where recovery files live: the application's data folder, which no clean-up of temporary files touches."""
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(base) / "recovery"


@dataclass(frozen=True)
class Recovered:
    """An unsaved document of a run that did not end well. original: the scene file that it was opened from, if any."""

    file: Path
    original: Path | None
    saved_at: float


class Autosave(QObject):
    """Writes the session's unsaved document `debounce_s` after the last edit, and at least every `every_s`."""

    def __init__(
        self,
        session: Session,
        folder: Path | None = None,
        debounce_s: float = DEBOUNCE_S,
        every_s: float = AT_LEAST_EVERY_S,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self.folder = folder or recovery_folder()
        self.file = self.folder / f"{uuid.uuid4().hex}.json"
        self._lock: QLockFile | None = None
        self._every_s = every_s
        self._first_edit: float | None = None
        self._written: Document | None = session.document
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(round(debounce_s * 1000))
        self._timer.timeout.connect(self.write)
        self._end = session.history.subscribe(self._document_changed)

    def write(self) -> None:
        """Write now, in a thread of its own; the document is a value, nobody changes it under the writer's hands."""
        if self._thread is not None and self._thread.is_alive():
            self._timer.start()
            return
        document, original = self._session.document, self._session.path
        self._first_edit = None
        if not self._session.history.dirty:
            self._remove_files()
            return
        if document is self._written or not self._take_lock():
            return
        self._written = document
        self._thread = threading.Thread(target=self._write, args=(document, original), name="autosave", daemon=True)
        self._thread.start()

    def write_now(self) -> Path | None:
        """Write at once, in this thread, as the last thing before a crash; the file, or None if that failed too."""
        if not self._take_lock():
            return None
        self._write(self._session.document, self._session.path)
        return self.file if self.file.is_file() else None

    def wait(self) -> None:
        """Until the writer has ended."""
        if self._thread is not None:
            self._thread.join()

    def close(self, keep: bool = False) -> None:
        """The end: the recovery file goes, or with `keep` it stays for the next start."""
        self._end()
        self._timer.stop()
        self.wait()
        if not keep:
            self._remove_files()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _document_changed(self, document: Document) -> None:
        now = time.monotonic()
        if self._first_edit is None:
            self._first_edit = now
        if now - self._first_edit >= self._every_s:
            self.write()
        else:
            self._timer.start()

    def _write(self, document: Document, original: Path | None) -> None:
        try:
            save_scene(self.file, document)
            note = {"original": str(original) if original else None, "saved_at": time.time()}
            _note_file(self.file).write_text(json.dumps(note), encoding="utf-8")
        except (PoserError, OSError):
            self._written = None  # a full disk must not interrupt the work; the next edit tries again

    def _take_lock(self) -> bool:
        if self._lock is None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError:
                return False
            self._lock = _lock_of(self.file)
            self._lock.tryLock(0)
        return True

    def _remove_files(self) -> None:
        discard(self.file)
        self._written = None


def left_behind(folder: Path | None = None) -> list[Recovered]:
    """What crashed runs left, newest first; files of windows that are still open are not among it."""
    found = []
    for file in sorted((folder or recovery_folder()).glob("*.json")):
        lock = _lock_of(file)
        if not lock.tryLock(0):
            continue
        lock.unlock()
        original, saved_at = None, file.stat().st_mtime
        try:
            note = json.loads(_note_file(file).read_text(encoding="utf-8"))
            original = Path(note["original"]) if note["original"] else None
        except (OSError, ValueError, KeyError, TypeError):
            pass  # the note is a courtesy; the document counts
        found.append(Recovered(file, original, saved_at))
    return sorted(found, key=lambda r: -r.saved_at)


def restore(recovered: Recovered) -> Document:
    """The document of a recovery file; InputRefused where it cannot be read."""
    return load_scene(recovered.file)


def discard(file: Path) -> None:
    """Remove a recovery file and its note."""
    for path in (file, _note_file(file)):
        try:
            os.unlink(path)
        except OSError:
            continue


def _note_file(file: Path) -> Path:
    return file.with_suffix(".note")


def _lock_of(file: Path) -> QLockFile:
    lock = QLockFile(str(file.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # only a dead owner makes a lock stale, not its age
    return lock
