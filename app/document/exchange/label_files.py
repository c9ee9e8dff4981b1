"""Which files belong to the pictures of a folder that is being labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os.path import exists, isdir  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import Any

from app.document.exchange.estimates import PICTURE_SUFFIXES
from app.document.exchange.file_kind import PHOTO_SUFFIXES
from app.document.exchange.label import is_label, label_edit, refuse_other
from app.document.model.document import Photo
from solver.errors import InputRefused
from solver.files.json_checks import parse_json
from solver.files.reading import MEBIBYTE, read_text
from solver.sentences import and_more

COCO_FILE = "coco.json"
SCENE, LABEL = ".scene.json", ".json"
FOLDER = "labels"  # in the folder of the pictures
LARGEST = 64 * MEBIBYTE
MOVING = (".bvh", ".glb", ".gltf", ".vrm")  # suffixes of motions and characters


@dataclass(frozen=True)
class LabelFiles:
    """The paths of what belongs to one picture. scene: to be corrected. label: JSON, with an .npz of the same name."""

    picture: Path
    scene: Path
    label: Path

    def by_name(self, text: str) -> str:
        """A text that names the files by their names alone, without their folders."""
        for path in (self.picture, self.scene, self.label):
            text = text.replace(str(path), path.name)
        return text

    def read(self) -> dict[str, Any] | None:
        """The label; None if there is none yet. InputRefused for a file in its place that is no label."""
        if not exists(self.label):
            return None
        top = parse_json(read_text(self.label, LARGEST), self.label)
        if not is_label(top):
            raise refuse_other(self.label)
        label_edit(top, self.label)
        return dict(top.value)

    def photo_among(self, photos: Iterable[Photo]) -> Photo | None:
        """Which of a scene's photos is of the picture: that of its file, or else one of its name; None for none.

        Several cameras' folders often have the same names, and a scene may have a photo of each.
        """
        named = [photo for photo in photos if Path(photo.path).name == self.picture.name]
        own = (photo for photo in named if Path(photo.path).resolve() == self.picture.resolve())
        return next(own, next(iter(named), None))


def files_of(folder: Path, out: Path) -> list[LabelFiles]:
    """Every picture of the folder by name, with its files in `out`. InputRefused where there is no picture.

    Folders within it are not searched.
    Pictures whose names differ only in the suffix keep it in the names of their files.
    """
    try:
        content = sorted(folder.iterdir())
    except NotADirectoryError:
        raise InputRefused(folder, "is a file, not a folder", "Choose the folder that it is in") from None
    except FileNotFoundError:
        raise InputRefused(folder, "there is no such folder", "Check the name") from None
    except OSError as error:
        raise InputRefused(
            folder, f"cannot be read ({error.strerror})", "Choose a folder with pictures in it"
        ) from None
    pictures = [path for path in content if _is_picture(path)]
    if not pictures:
        raise InputRefused(folder, _why_none(content), _instead(content))
    return [
        LabelFiles(picture, out / f"{name}{SCENE}", out / f"{name}{LABEL}")
        for picture, name in zip(pictures, _names_apart(pictures), strict=True)
    ]


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURE_SUFFIXES and not path.is_dir()


def _content(folder: Path) -> list[Path]:
    """What is in a folder, in order; nothing of one that cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def label_place(picture: Path) -> Path:
    """Where the label of one picture belongs: among those of its folder if that is labelled, else beside it."""
    folder = picture.parent / FOLDER
    try:
        every = files_of(picture.parent, folder) if isdir(folder) else []
    except InputRefused:
        every = []
    beside = picture.with_name(f"{picture.stem}{LABEL}")
    return next((files.label for files in every if files.picture.name == picture.name), beside)


def passed_over(folder: Path) -> str:
    """The pictures of a folder that are of no kind that is labelled, and folders with pictures within it, in sentences;
    "" where there are none."""
    content = _content(folder)
    deeper = [path.name for path in content if path.is_dir() and any(map(_is_picture, _content(path)))]
    told = []
    if others := _others(content):
        told.append(f"{and_more(others[0].name, len(others))} skipped. Save such pictures as JPEG or PNG.")
    if deeper:
        told.append(
            f"Pictures in folders within it are not read ({and_more(deeper[0], len(deeper))}): label each folder."
        )
    return " ".join(told)


def _why_none(content: Sequence[Path]) -> str:
    if others := _others(content):
        kinds = ", ".join(sorted({path.suffix.upper().removeprefix(".") for path in others}))
        return f"its pictures are {kinds} files, and only JPEG, PNG, WebP, TIFF and BMP files are labelled"
    deeper = any(path.is_dir() for path in content)
    return "there is no picture in it" + (", and folders within it are not searched" if deeper else "")


def _instead(content: Sequence[Path]) -> str:
    """What to do with a folder without pictures, which may be one of motions."""
    moving = [path.name for path in content if path.suffix.lower() in MOVING]
    files = f", or open its files instead: {and_more(moving[0], len(moving))}" if moving else ""
    return f"Choose a folder with pictures in it{files}"


def _others(content: Sequence[Path]) -> list[Path]:
    kinds = (*PHOTO_SUFFIXES, ".heif")
    return [path for path in content if path.suffix.lower() in set(kinds) - set(PICTURE_SUFFIXES) and path.is_file()]


def _names_apart(pictures: Sequence[Path]) -> list[str]:
    """What the files of each picture are called, without their endings: its stem, or its whole name where the files of
    another picture, or of the folder, would have the same names, as those of a.scene.jpg and a.jpg would."""
    named = [path.stem for path in pictures]
    while True:
        times = Counter(file for name in named for file in _files_named(name)) + Counter([COCO_FILE])
        apart = [
            path.name if any(times[file] > 1 for file in _files_named(name)) else name
            for path, name in zip(pictures, named, strict=True)
        ]
        if apart == named:
            return named
        named = apart


def _files_named(name: str) -> set[str]:
    return {f"{name}{ending}".lower() for ending in (SCENE, LABEL)}
