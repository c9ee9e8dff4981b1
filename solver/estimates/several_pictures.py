"""Files with the key points of several pictures, of which one has to be chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from solver.errors import InputRefused

ONE_OF_THEM = "Name one of those pictures with “convert --picture”, or save its key points as a file of their own"
_NAMED = 5  # pictures that a message names of those in a file


class PictureInFile(NamedTuple):
    """key: what the file calls it by, its image's id or its name. name: its path as the file says it, else the key.
    people: how many the file has of it."""

    key: str
    name: str
    people: int


class SeveralPictures(InputRefused):
    """A file has the key points of several pictures, and nobody said whose are wanted. pictures: in its order."""

    def __init__(self, source: object, pictures: Sequence[PictureInFile], place: str = "") -> None:
        self.pictures = tuple(pictures)
        some = ", ".join(one.name for one in pictures[:_NAMED]) + ", …" * (len(pictures) > _NAMED)
        super().__init__(source, f"holds the key points of {len(pictures)} pictures ({some})", ONE_OF_THEM, place)


def pictures_of(ids: Iterable[str], images: Any) -> list[PictureInFile]:
    """The pictures of annotations. ids: the image's of each of them. images: the file's, with `id` and `file_name`."""
    listed = images if isinstance(images, list) else []
    names = {str(one.get("id")): str(one.get("file_name", "")) for one in listed if isinstance(one, Mapping)}
    return [PictureInFile(id, names.get(id) or id, people) for id, people in Counter(ids).items()]
