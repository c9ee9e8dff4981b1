"""The names of recent files in their menu."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def distinct_names(paths: Sequence[str]) -> list[str]:
    """The files' names; equal names are followed by as much of their folders' paths as tells them apart."""
    files = [Path(path) for path in paths]
    return [_among(file, [other for other in files if other.name == file.name and other != file]) for file in files]


def _among(file: Path, others: Sequence[Path]) -> str:
    if not others:
        return file.name
    folders, theirs = file.parent.parts, [other.parent.parts for other in others]
    most = len(folders)
    count = next((n for n in range(1, most) if all(folders[-n:] != each[-n:] for each in theirs)), most)
    return f"{file.name} — {Path(*folders[-count:])}"
