"""The file that a name means which the user types into a dialog."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import count
from os.path import exists, isfile  # False for a name too long, where Path's raise OSError
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.dialogs import messages
from app.document.exchange.file_kind import SUFFIXES
from solver.files.file_names import fit_stem, unfit_for_windows


def asked_files(
    window: QWidget, title: str, start: str, filter: str, *suffixes: str,
    others: Collection[str] = (), change: Callable[[Path], None] = lambda typed: None,
) -> Iterator[Path]:  # fmt: skip
    """The files that the user names, until nothing is asked for any more or the user cancels.

    start: the name to propose. Whoever cannot write the file that was named asks for the next one: the dialog comes
    back with what was typed, as it does when a file of that name is to stay. suffixes: see `file_of`.
    others: suffixes of other formats that could be chosen. A name with one of them is asked about; `change` is called
    with it, and no more is asked for, where its format is wanted.
    """
    proposed = Path(start).stem
    while True:
        start, _ = QFileDialog.getSaveFileName(window, title, start, filter)
        if not start:
            return
        typed = Path(start)
        if typed.suffix.lower() in others and typed.suffix.lower() not in suffixes:
            better = typed.with_suffix(suffixes[0])
            answer = messages.ask_about_ending(window, typed.name, better.name)
            if answer == messages.OTHER_FORMAT:
                change(typed)
                return
            if answer == messages.CANCEL or (isfile(better) and not messages.ask_to_replace(window, better.name)):
                continue
            start = str(better)
        if (file := file_of(window, start, *suffixes, otherwise=proposed)) is not None:
            yield file


def file_of(window: QWidget, typed: str, *suffixes: str, otherwise: str = "Untitled") -> Path | None:
    """The file of a name from a dialog, with the first of the suffixes added to a name that has none of them.

    A name may have dots ("walk 1.2"), and a suffix of another format ("walk.glb" for BVH) would say what the file is
    not. Dots and blanks at its end go, and a suffix alone (".bvh") is added to the name `otherwise`. None for no name,
    and if a file with the longer name, which the dialog did not see, is to stay as it is.
    A name that Windows allows no file is asked about: whoever gets the file could not open it there. Whether the file
    can be written at all is for the writer to say: a folder of that name, or a name too long, is not asked about.
    """
    if not typed:
        return None
    seen = Path(typed)
    stem = "" if seen.name.lower() in (*suffixes, *SUFFIXES) else seen.name.rstrip(" .")
    file = seen if seen.suffix.lower() in suffixes else seen.with_name((stem or otherwise) + suffixes[0])
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
