"""COCO files hold many pictures: the key points of one of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def of_one_picture(content: Any, picture: Path) -> Any:
    """The content of a COCO file with the key points of one picture alone; as it is where it does not know the picture.

    Annotations name it by its image's `file_name`. Results have ids alone: theirs is the picture's name, or its number,
    as 139 for 000000000139.jpg. Entries of other pictures stay, without their points, so that places stay true.
    """
    if isinstance(content, Mapping) and picture.name in content:  # AlphaPose's, by picture
        return {picture.name: content[picture.name]}
    entries = content.get("annotations") if isinstance(content, Mapping) else content
    if not isinstance(entries, list) or not all(isinstance(one, Mapping) for one in entries):
        return content
    ids = {str(one["image_id"]) for one in entries if "image_id" in one}
    images = content.get("images") if isinstance(content, Mapping) else None
    if isinstance(images, list):
        named = [one for one in images if isinstance(one, Mapping) and _name(one) == picture.name]
        chosen = {str(one.get("id")) for one in named}
    else:
        chosen = {id for id in ids if id in (picture.name, picture.stem) or _number(id) == _number(picture.stem) != ""}
    if len(ids) < 2 or len(chosen) != 1:
        return content
    kept = [one if str(one.get("image_id")) in chosen else _without_points(one) for one in entries]
    return {**content, "annotations": kept} if isinstance(content, Mapping) else kept


def _name(image: Mapping[str, Any]) -> str:
    return str(image.get("file_name", "")).replace("\\", "/").rpartition("/")[2]


def _number(text: str) -> str:
    """A number without the zeros before it; "" for another text."""
    return (text.lstrip("0") or "0") if text.isascii() and text.isdigit() else ""


def _without_points(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "keypoints"}
