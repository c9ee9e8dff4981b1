"""Importing the window in one go, without Python's collector or PySide looking through it again and again."""

from __future__ import annotations

import builtins
import gc
from importlib import import_module
from types import ModuleType


def import_window() -> ModuleType:
    """`app.window.start`, imported. What imports create stays for good, so the collector is told to leave it alone."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        import_module("PySide6.QtCore")
        remove_import_hook()
        return import_module("app.window.start")
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def remove_import_hook() -> None:
    """Take PySide out of imports. For each module imported after it, it reads and keeps the source to see whether the
    module wants Qt's methods under other names (`from __feature__ import …`), which none here does."""
    original = getattr(builtins, "__orig_import__", None)
    if original is not None:
        builtins.__import__ = original
