"""Old machine code leaves the disk: each version of the kernels has a folder of its own, 5 to 70 MB."""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

KEPT_S = 30 * 24 * 3600.0
_KERNELS = re.compile(r"kernels-[0-9a-f]{16}")
_GONE = ".gone"  # after the name of a folder that is being removed


def remove_unused(mine: Path) -> None:
    """Note that the folder `mine` is in use, and remove those beside it that no program has used for 30 days.

    The folder around them must be the user's own, where nobody else can write. A program that still runs with a folder
    loses nothing but time: what it has loaded stays, and what it cannot find or keep is compiled again.
    """
    with suppress(OSError):
        os.utime(mine)
        for folder in list(mine.parent.iterdir()):
            known = _KERNELS.fullmatch(folder.name.removesuffix(_GONE))
            if known and folder != mine and folder.is_dir() and not folder.is_symlink():
                _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder if it is old. It is renamed first, so that for everybody else it goes at once.

    A program may take it into use until then; if it has, it gets it back.
    """
    with suppress(OSError):
        if folder.name.endswith(_GONE):
            shutil.rmtree(folder, ignore_errors=True)
        elif _is_old(folder):
            gone = folder.rename(folder.with_name(folder.name + _GONE))
            if _is_old(gone):
                shutil.rmtree(gone, ignore_errors=True)
            else:
                gone.rename(folder)


def _is_old(folder: Path) -> bool:
    return time.time() - folder.stat().st_mtime > KEPT_S
