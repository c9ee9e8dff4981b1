"""Temporary files beside the files that they will replace, and the removal of those left by killed processes.

A file is held by a system lock as long as its writer lives. If another process can lock it, its writer is dead.
Systems without such locks (Windows) do not let an open file be removed, which serves the same purpose.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCKS = fcntl is not None
PREFIX = ".contrapposto-"
OURS = re.compile(re.escape(PREFIX) + r"[0-9a-f]{12}\.tmp")


def create_temporary(folder: Path, mode: int) -> tuple[int, Path]:
    """A new temporary file in the folder, open for writing and held until it is closed: its handle and its path.

    mode: permissions, less what the umask takes away. OSError if it cannot be made.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        path = folder / f"{PREFIX}{secrets.token_hex(6)}.tmp"
        handle = os.open(path, flags, mode)
        _hold(handle)
        if os.fstat(handle).st_nlink or not LOCKS:
            return handle, path
        os.close(handle)  # another process swept it in the moment before it was held


def remove_abandoned(folder: Path) -> None:
    """Removes what killed writers left in the folder; the files of running ones stay."""
    try:
        with os.scandir(folder) as entries:
            ours = [entry.path for entry in entries if OURS.fullmatch(entry.name)]
    except OSError:
        return
    for path in ours:
        with contextlib.suppress(OSError):
            _remove_if_free(path)


def _hold(handle: int) -> None:
    if fcntl is not None:
        with contextlib.suppress(OSError):  # not every file system has locks; there, nothing is swept
            fcntl.flock(handle, fcntl.LOCK_EX)


def _remove_if_free(path: str) -> None:
    if fcntl is None:
        os.unlink(path)
        return
    handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
    finally:
        os.close(handle)
