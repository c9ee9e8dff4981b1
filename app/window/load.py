"""Imports the window in one go, without Python's collector looking through it again and again."""

from __future__ import annotations

import gc
from importlib import import_module
from types import ModuleType


def load_window() -> ModuleType:
    """`app.window.start`, imported. What imports make stays for good, so the collector is told to leave it alone."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return import_module("app.window.start")
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
