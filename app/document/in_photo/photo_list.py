"""The names of a scene's photos in a list, and their order there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from app.document.model.document import Photo


def in_order(photos: Sequence[Photo], before: Sequence[Photo]) -> list[int]:
    """Places of the photos in the order of the list: each keeps its number, whichever is behind the scene.

    The document rotates its photos until the chosen one is first. before: the photos as last listed, which tells apart
    two photos of one file, even when one of them has changed since. At first the lowest path leads.
    """
    count = len(photos)

    def alike(first: int) -> int:
        return sum(photos[(first + n) % count] is photo for n, photo in enumerate(before))

    first = max(range(count), key=alike, default=0)
    if len(before) > count or (count and not alike(first)):
        first = min(range(count), key=lambda place: photos[place].path, default=0)
    return [(first + n) % count for n in range(count)]


def photo_names(paths: Sequence[str]) -> list[str]:
    """“1 of 2: front.png”; with the folder if several folders have a file of that name, numbered if it is one file."""
    files, seen = [Path(path) for path in paths], Counter[str]()
    folders = {file.name: {other.parent for other in files if other.name == file.name} for file in files}
    names = []
    for place, (path, file) in enumerate(zip(paths, files, strict=True), 1):
        seen[path] += 1
        folder = f" — {file.parent.name}" if len(folders[file.name]) > 1 and file.parent.name else ""
        again = f" ({seen[path]})" if paths.count(path) > 1 else ""
        names.append(f"{place} of {len(files)}: {file.name}{again}{folder}")
    return names
