"""What labelling has a say in when files are opened and saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class FileHooks(NamedTuple):
    """may_go: whether the open document may go. keep: saves a picture that is being labelled; None where none is.
    open_folder: opens a folder of pictures."""

    may_go: Callable[[], bool] = lambda: True
    keep: Callable[[], bool | None] = lambda: None
    open_folder: Callable[[Path], object] = lambda _folder: None
