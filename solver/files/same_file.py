"""Whether two paths name one file, whichever way they lead to it."""

from __future__ import annotations

import os
from pathlib import Path


def same_file(one: Path, other: Path | None) -> bool:
    """Whether two paths name one file, also through a link, or in other capitals where the disk ignores them."""
    if other is None:
        return False
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # one of them is not there yet, or no file can be called so
        return one.absolute() == other.absolute()
