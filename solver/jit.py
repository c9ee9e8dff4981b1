"""Compiled functions: one decorator, and a cache of machine code that works where the install folder is read-only.

Numba's own cache looks only at the file of the function itself; ours is named after the content of every file that
goes into machine code, so that an update of one of them never meets what was made from another. It is run as it is
found, so it is looked for only where nobody but this user can put anything.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from solver.kernel_cache import keep
from solver.unused_kernels import remove_unused

F = TypeVar("F", bound=Callable[..., object])


def user_cache_folder() -> Path:
    """Where this user's caches go on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "contrapposto" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "contrapposto"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "contrapposto"


_COMPILED = ("*kernels.py", "effectors/form_ids.py", "jit.py")  # kernels, the numbers that they name, the options below


def sources_digest() -> str:
    """Names this content of all that is compiled, and this numba."""
    digest, solver = hashlib.sha256(numba.__version__.encode()), Path(__file__).parent
    for file in sorted(file for pattern in _COMPILED for file in solver.rglob(pattern)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def is_usable(folder: Path) -> bool:
    """Whether the folder can be written, and by nobody else: machine code is run as it lies there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(folder):
            return False
        if os.name == "posix":
            folder.chmod(0o700)  # numba's own folders in it follow the umask
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def is_private(folder: Path) -> bool:
    """Whether the folder is this user's own and nobody else can write there, or put another in its place.

    Windows keeps each user's folders to that user by itself.
    """
    if os.name != "posix":
        return True
    try:
        own, above = os.lstat(folder), [os.stat(parent) for parent in Path(os.path.abspath(folder)).parents]
        above += [os.stat(parent) for parent in Path(os.path.realpath(folder)).parents]
    except OSError:
        return False
    user = os.getuid()
    if not stat.S_ISDIR(own.st_mode) or own.st_uid != user or _others_write(own):
        return False
    return all(parent.st_uid in (user, 0) and _keeps(parent) for parent in above)


def _keeps(parent: os.stat_result) -> bool:
    """Whether others cannot rename what is ours in this folder: in a sticky one, as /tmp is, only owners do."""
    return not _others_write(parent) or bool(parent.st_mode & stat.S_ISVTX)


def _others_write(folder: os.stat_result) -> bool:
    # Many systems give each user a group of its own, of the same number, and let it write what the user writes.
    group = folder.st_mode & stat.S_IWGRP and folder.st_gid != folder.st_uid
    return bool(group or folder.st_mode & stat.S_IWOTH)


def choose_cache() -> bool:
    """Point numba at a folder that this user alone can write; False where there is none: nothing is kept then.

    Also NUMBA_CACHE_DIR, where it is set, is taken only if nobody else can write there.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return is_usable(Path(os.environ["NUMBA_CACHE_DIR"]))
    name = f"kernels-{sources_digest()}"
    user = os.getuid() if os.name == "posix" else "user"
    for folder in (user_cache_folder() / name, Path(tempfile.gettempdir()) / f"contrapposto-{user}-{name}"):
        if is_usable(folder):
            if folder.parent == user_cache_folder() and is_private(folder.parent):
                remove_unused(folder)
            numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
            return True
    return False


_CACHE = choose_cache()
_LOOSE = {"reassoc", "contract", "arcp", "nsz"}


def kernel(function: F) -> F:
    """Compile at first call, keep the machine code, and let go of Python's lock while it runs.

    Sums may be taken in any order, so that they are computed several terms at once; what is not a number stays so.
    """
    return _compiled(function, counts=True)


def kernel_in_place(function: F) -> F:
    """As `kernel`, for what makes no arrays and returns none: none of those that it is handed are counted, which takes
    long where they are many and the work is short."""
    return _compiled(function, counts=False)


def _compiled(function: F, counts: bool) -> F:
    options: dict[str, Any] = {"_nrt": counts}  # said either way: else a function takes it from the first that calls it
    compiled = numba.njit(nogil=True, error_model="numpy", fastmath=_LOOSE, **options)(function)
    return cast(F, keep(compiled) if _CACHE else compiled)


def kernel_now(signature: str) -> Callable[[F], F]:
    """As `kernel`, compiled for these types when its file is imported: whoever finds it loaded never waits for it."""

    def compiled(function: F) -> F:
        made = kernel(function)
        if hasattr(made, "compile"):  # not so where the compiler is off
            made.compile(signature)
            made.disable_compile()  # type: ignore[attr-defined]
        return made

    return compiled
