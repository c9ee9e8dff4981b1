"""The file that a typed name means."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.dialogs import messages


def file_of(window: QWidget, typed: str, *suffixes: str) -> Path | None:
    """The file of a name from a dialog, with the first of the suffixes added to a name that has none of them.

    A name may have dots ("walk 1.2"), and a suffix of another format ("walk.glb" for BVH) would say what the file is
    not. None for no name, and if a file with the longer name, which the dialog did not see, is to stay as it is.
    """
    file = Path(typed)
    if not typed or file.suffix.lower() in suffixes:
        return file if typed else None
    file = file.with_name(file.name + suffixes[0])
    return file if not file.exists() or messages.ask_to_replace(window, file.name) else None
