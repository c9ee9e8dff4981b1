"""A folder of pictures, prepared for labelling: a scene and a proposed label of each, and COCO key points of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.document.exchange.estimates import PICTURE_SUFFIXES
from app.document.exchange.label import is_label, label_edit, label_of, refuse_other, write_label
from app.document.exchange.label_coco import coco_of
from app.document.model.document import Document
from app.document.scene_file.io import save_scene
from solver.errors import InputRefused, PoserError
from solver.files.atomic import write_text
from solver.files.json_checks import Node, parse_json
from solver.files.json_text import json_text
from solver.files.reading import MEBIBYTE, read_text

COCO_FILE = "coco.json"
FOLDER = "labels"  # in the folder of the pictures
_LARGEST = 64 * MEBIBYTE
Tell = Callable[[str], None]


@dataclass(frozen=True)
class LabelFiles:
    """Where what belongs to one picture is. scene: to be corrected; label: JSON, with an .npz of the same name."""

    picture: Path
    scene: Path
    label: Path

    def read(self) -> dict[str, Any] | None:
        """The label; None where there is none yet. InputRefused for a file in its place that is none."""
        if not self.label.exists():
            return None
        top = parse_json(read_text(self.label, _LARGEST), self.label)
        if not is_label(top):
            raise refuse_other(self.label)
        label_edit(top, self.label)
        return dict(top.value)


def files_of(folder: Path, out: Path) -> list[LabelFiles]:
    """Every picture of the folder by name, and its files in `out`. InputRefused where there is no picture.

    Pictures that differ in their suffix alone keep it in the names of their files.
    """
    try:
        pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
    except OSError as error:
        raise InputRefused(folder, f"cannot be read ({error.strerror})", "Name a folder of pictures") from None
    if not pictures:
        raise InputRefused(folder, "there is no picture in it", "Name a folder of pictures")
    stems = [path.stem.lower() for path in pictures]
    named = [path.name if stems.count(path.stem.lower()) > 1 else path.stem for path in pictures]
    reserved = Path(COCO_FILE).stem
    named = [path.name if name.lower() == reserved else name for path, name in zip(pictures, named, strict=True)]
    return [
        LabelFiles(picture, out / f"{name}.scene.json", out / f"{name}.json")
        for picture, name in zip(pictures, named, strict=True)
    ]


def save_label(files: LabelFiles, document: Document, checked: bool) -> None:
    """Write scene and label of one picture, each all or nothing."""
    label = label_of(document, files.label.parent.absolute(), checked)
    save_scene(files.scene, document)
    write_label(files.label, label)


def prepare(folder: Path, out: Path, read: Callable[[Path], Document], tell: Tell) -> tuple[int, list[str]]:
    """Read every picture that has no label yet; how many were read, and what was said of those that cannot be.

    read: a picture's people as a document with its photo. Labels that are there stay. `coco.json` comes in the end.
    """
    every, read_now, failed = files_of(folder, out), 0, []
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputRefused(out, f"cannot be made ({error.strerror})", "Choose another folder with --out") from None
    for number, files in enumerate(every, start=1):
        place = f"{number} of {len(every)}  {files.picture.name}"
        try:
            if files.read() is not None:
                tell(f"{place}: done already")
                continue
            document = read(files.picture)
            save_label(files, document, checked=False)
        except PoserError as error:
            failed.append(str(error))
            tell(f"{place}: left out")
            continue
        read_now += 1
        found = len(document.characters)
        tell(f"{place}: {'1 person' if found == 1 else f'{found} people'}")
    write_coco(every, out)
    return read_now, failed


def write_coco(every: Sequence[LabelFiles], out: Path) -> None:
    """Write the labels that are there as COCO key points. A file in a label's place that is none is left out."""
    documents: list[tuple[LabelFiles, Document, bool]] = []
    for files in every:
        try:
            label = files.read()
        except PoserError:
            continue
        if label is not None:
            edit = label_edit(Node(label, str(files.label)), files.label)
            documents.append((files, edit(Document()), bool(label.get("checked"))))
    rows = [(files.picture, document, checked) for files, document, checked in documents]
    write_text(out / COCO_FILE, json_text(coco_of(rows, out)))
