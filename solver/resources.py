"""Where the program's own data lies: in the packages `assets` and `weights`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def resource_folder(package: str, *parts: str) -> Path:
    """The folder of a data package, or one inside it, wherever the program is installed.

    A real folder, since networks and bodies are opened by their path.
    """
    return Path(str(files(package).joinpath(*parts)))
