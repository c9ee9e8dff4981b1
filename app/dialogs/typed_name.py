"""The file that a typed name means."""

from __future__ import annotations

from itertools import count
from os.path import exists, isfile  # False for a name too long, where Path's raise OSError
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.dialogs import messages
from app.document.exchange.file_kind import SUFFIXES
from solver.files.file_names import fit_stem, unfit_for_windows


def file_of(window: QWidget, typed: str, *suffixes: str) -> Path | None:
    """The file of a name from a dialog, with the first of the suffixes added to a name that has none of them.

    A name may have dots ("walk 1.2"), and a suffix of another format ("walk.glb" for BVH) would say what the file is
    not. None for no name, and if a file with the longer name, which the dialog did not see, is to stay as it is.
    A name that Windows allows no file is asked about: whoever gets the file could not open it there. Whether the file
    can be written at all is for the writer to say: a folder of that name, or a name too long, is not asked about.
    """
    if not typed:
        return None
    seen = Path(typed)
    file = seen if seen.suffix.lower() in suffixes else seen.with_name(seen.name + suffixes[0])
    if reason := unfit_for_windows(file.name):
        better = fit_stem(file.name.removesuffix(file.suffix), "Untitled") + file.suffix
        answer = messages.ask_about_name(window, file.name, reason, better)
        if answer == messages.CANCEL:
            return None
        file = file if answer == messages.THIS_NAME else file.with_name(better)
    return file if file == seen or not isfile(file) or messages.ask_to_replace(window, file.name) else None


def with_ending(file: Path, suffix: str) -> Path:
    """The name to propose for a file whose name may end as another format's: “walk.json” for a scene in “walk.bvh”."""
    return file.with_suffix(suffix) if file.suffix.lower() in SUFFIXES else file


def free_beside(file: Path) -> Path:
    """A file that is not there yet, beside one that is to stay: “scene 2.json” beside “scene.json”."""
    others = (file.with_stem(f"{file.stem} {number}") for number in count(2))
    return next(other for other in others if not exists(other))
