"""Which files belong to the pictures of a folder that is being labelled."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.document.exchange.estimates import PICTURE_SUFFIXES
from app.document.exchange.label import is_label, label_edit, refuse_other
from solver.errors import InputRefused
from solver.files.json_checks import parse_json
from solver.files.reading import MEBIBYTE, read_text

COCO_FILE = "coco.json"
FOLDER = "labels"  # in the folder of the pictures
LARGEST = 64 * MEBIBYTE


@dataclass(frozen=True)
class LabelFiles:
    """The paths of what belongs to one picture. scene: to be corrected. label: JSON, with an .npz of the same name."""

    picture: Path
    scene: Path
    label: Path

    def read(self) -> dict[str, Any] | None:
        """The label; None if there is none yet. InputRefused for a file in its place that is no label."""
        if not self.label.exists():
            return None
        top = parse_json(read_text(self.label, LARGEST), self.label)
        if not is_label(top):
            raise refuse_other(self.label)
        label_edit(top, self.label)
        return dict(top.value)


def files_of(folder: Path, out: Path) -> list[LabelFiles]:
    """Every picture of the folder by name, with its files in `out`. InputRefused where there is no picture.

    Folders within it are not searched.
    Pictures whose names differ only in the suffix keep it in the names of their files.
    """
    try:
        content = sorted(folder.iterdir())
    except OSError as error:
        raise InputRefused(
            folder, f"cannot be read ({error.strerror})", "Choose a folder with pictures in it"
        ) from None
    pictures = [path for path in content if path.suffix.lower() in PICTURE_SUFFIXES and not path.is_dir()]
    if not pictures:
        deeper = any(path.is_dir() for path in content)
        raise InputRefused(
            folder,
            "there is no picture in it" + (", and folders within it are not searched" if deeper else ""),
            "Choose a folder with pictures in it",
        )
    times = Counter(path.stem.lower() for path in pictures)
    named = [path.name if times[path.stem.lower()] > 1 else path.stem for path in pictures]
    reserved = Path(COCO_FILE).stem
    named = [path.name if name.lower() == reserved else name for path, name in zip(pictures, named, strict=True)]
    return [
        LabelFiles(picture, out / f"{name}.scene.json", out / f"{name}.json")
        for picture, name in zip(pictures, named, strict=True)
    ]
