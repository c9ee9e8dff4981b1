"""Compiled functions: one decorator, and a cache of machine code that works where the install folder is read-only.

Numba's own cache looks only at the file of the function itself; ours is named after the content of every kernel file,
so that an update of one of them never meets machine code made from another.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def user_cache_folder() -> Path:
    """Where this user's caches go on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "contrapposto" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "contrapposto"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "contrapposto"


def _sources_digest() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted(Path(__file__).parent.rglob("*kernels.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _choose_cache() -> bool:
    """Point numba at a folder that can be written; False where there is none (then nothing is kept between runs)."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return _usable(Path(os.environ["NUMBA_CACHE_DIR"]))
    name = f"kernels-{_sources_digest()}"
    for folder in (user_cache_folder() / name, Path(tempfile.gettempdir()) / f"contrapposto-{name}"):
        if _usable(folder):
            numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
            return True
    return False


_CACHE = _choose_cache()
_LOOSE = {"reassoc", "contract", "arcp", "nsz"}


def kernel(function: F) -> F:
    """Compile at first call, keep the machine code, and let go of Python's lock while it runs.

    Sums may be taken in any order, so that they are computed several terms at once; what is not a number stays so.
    """
    return cast(F, numba.njit(cache=_CACHE, nogil=True, error_model="numpy", fastmath=_LOOSE)(function))
