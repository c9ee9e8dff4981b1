"""The scene that a command is to write: under a name that it opens by, and never over what the command reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.document.scene_file.own_files import what_it_is
from solver.errors import InputRefused
from solver.files.atomic import check_writable

SUFFIX = ".json"


def check_scene_output(output: str, read: Mapping[Path, str]) -> None:
    """InputRefused, before anything slow is done, where the scene would be written over one of the files read, where
    its name ends as that of another kind of file does, and where nothing can be written.

    read: the files that the command reads, with what each is.
    """
    file = Path(output)
    if what := what_it_is(file, read):
        raise InputRefused(file, f"is {what}, which the scene would replace", "Give the scene another name")
    if file.suffix.lower() not in (SUFFIX, ""):
        raise InputRefused(file, "what is written is a scene, and its name does not end in .json", "Change the name")
    check_writable(file)
