"""The files that belong to a scene: exports from it must not overwrite them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from app.document.model.document import Document
from solver.errors import InputRefused
from solver.files.same_file import same_file


def own_files(document: Document, scene: Path | None) -> dict[Path, str]:
    """The scene's photos and its own file, `scene` (None if not saved yet), with what each is."""
    files = {Path(photo.path): "a photo of this scene" for photo in document.photos if photo.path}
    return files | ({scene: "the scene itself"} if scene is not None else {})


def safe_path(path: Path, own: Mapping[Path, str], opened: Collection[str] = ()) -> Path:
    """The path to offer for an export: `path`, or one beside it where that is the scene's own or one of the files
    opened before, as the motion that a person came from."""
    taken = str(path.resolve()) in opened or what_it_is(path, own)
    return path.with_name(f"{path.stem}_export{path.suffix}") if taken else path


def check_not_own_files(files: Sequence[Path], own: Mapping[Path, str]) -> None:
    """InputRefused where an export would be written over one of the scene's own files."""
    for file in files:
        if what := what_it_is(file, own):
            raise InputRefused(file, f"is {what}, which the export would replace", "Give the export another name")


def what_it_is(file: Path, own: Mapping[Path, str]) -> str:
    """What `file` is among these files; "" if it is none of them."""
    return next((what for known, what in own.items() if same_file(file, known)), "")
