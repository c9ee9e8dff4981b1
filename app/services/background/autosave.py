"""The unsaved document, written to disk soon after each edit and offered again after a crash."""

from __future__ import annotations

import threading
import time
import traceback
import uuid
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from app.document.model.document import Document
from app.services.background import recovery_files
from app.services.background.recovery_files import discard, keep, lock_of, make_private
from app.services.session import Session
from app.services.view_state import as_saved
from solver.errors import PoserError
from solver.files.atomic import reason_of

DEBOUNCE_S = 2.0
LONGEST_DEBOUNCE_S = 10.0
SLOW_S = 0.5  # of writing, for which the pause is as long again: a scene of long motions is not written all the time
AT_LEAST_EVERY_S = 60.0


class Autosave(QObject):
    """Writes the session's unsaved document `debounce_s` after the last edit, and at least every `every_s`.

    The pause is longer for a scene that takes long to write, up to LONGEST_DEBOUNCE_S.

    failed(reason): it could not be written; emitted once until a write succeeds. The next edit tries again.
    """

    failed = Signal(str)

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
        self.folder = folder or recovery_files.recovery_folder()
        self.file = self.folder / f"{uuid.uuid4().hex}.json"
        self._lock: QLockFile | None = None
        self._debounce_s, self._every_s = debounce_s, every_s
        self._took_s = 0.0  # to write the last time
        self._first_edit: float | None = None
        self._written: Document | None = session.history.document
        self._told = False
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.write)
        self._end = session.history.subscribe(self._document_changed)

    def write(self) -> None:
        """Write now, in a thread of its own; the document is a value, so nothing changes it under the writer."""
        if self._thread is not None and self._thread.is_alive():
            self._wait_for_rest()
            return
        session = self._session
        self._first_edit = None
        if not session.history.dirty:
            self._remove_files()
            return
        if session.history.document is self._written or not self._take_lock():
            return
        self._written = session.history.document
        what = as_saved(session.document, session.view), session.path, session.seen
        self._thread = threading.Thread(target=self._write, args=what, name="autosave", daemon=True)
        self._thread.start()

    def write_now(self) -> Path | None:
        """Write at once, in this thread, before anything may be lost; return the file, or None if that failed."""
        if not self._take_lock():
            return None
        self.wait()
        session = self._session
        document = as_saved(session.document, session.view)
        return self.file if self._write(document, session.path, session.seen) else None

    def wait(self) -> None:
        """Wait until the writer has ended."""
        if self._thread is not None:
            self._thread.join()

    def close(self, keep: bool = False) -> None:
        """Stop: the recovery file goes, or with `keep` it stays for the next start."""
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
            self._wait_for_rest()

    def _wait_for_rest(self) -> None:
        rest = min(max(self._debounce_s, LONGEST_DEBOUNCE_S), self._debounce_s * (1 + self._took_s / SLOW_S))
        self._timer.start(round(1000 * rest))

    def _write(self, document: Document, original: Path | None, seen: str) -> bool:
        began = time.monotonic()
        try:
            keep(self.file, document, original, seen)
        except Exception as error:  # whatever it is, it must not interrupt the work; the next edit tries again
            self._written = None
            if not isinstance(error, PoserError | OSError):
                traceback.print_exc()
            self._tell(str(error) or type(error).__name__)
            return False
        self._told, self._took_s = False, time.monotonic() - began
        return True

    def _tell(self, reason: str) -> None:
        if not self._told:
            self._told = True
            self.failed.emit(reason)

    def _take_lock(self) -> bool:
        if self._lock is None:
            try:
                make_private(self.folder)
            except OSError as error:
                self._tell(f"{self.folder}: {reason_of(error)}.")
                return False
            self._lock = lock_of(self.file)
            self._lock.tryLock(0)
        return True

    def _remove_files(self) -> None:
        discard(self.file)
        self._written = None
