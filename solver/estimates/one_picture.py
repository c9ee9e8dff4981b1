"""Files with key points of many pictures, or of a film's frames: those of one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from solver.errors import InputRefused
from solver.estimates.mediapipe import IMAGE, WORLD, are_frames, read_mediapipe


def of_one_picture(content: Any, picture: Path) -> Any:
    """The content of a COCO file with the key points of one picture alone; as it is where it does not know the picture.

    Annotations name it by its image's `file_name`. Results have ids alone: theirs is the picture's name, or its number,
    as 139 for 000000000139.jpg. Of images with that name in several folders it is the one whose `file_name` ends as the
    path does. Entries of other pictures stay, without their points, so that places stay true.
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
        if len(named) > 1:
            named = [one for one in named if _ends_as(picture, _slashed(one))]
        chosen = {str(one.get("id")) for one in named}
    else:
        chosen = {id for id in ids if id in (picture.name, picture.stem) or _number(id) == _number(picture.stem) != ""}
    return _with_points_of(content, *chosen) if len(ids) > 1 and len(chosen) == 1 else content


def of_picture_called(content: Any, key: str) -> Any:
    """Likewise of the picture that the file calls so: an image's id as text, or a picture's name, as
    `several_pictures.PictureInFile` has it."""
    if isinstance(content, Mapping) and key in content:
        return {key: content[key]}
    return _with_points_of(content, key)


def _with_points_of(content: Any, id: str) -> Any:
    entries = content["annotations"] if isinstance(content, Mapping) else content
    kept = [one if str(one.get("image_id")) == id else _without_points(one) for one in entries]
    return {**content, "annotations": kept} if isinstance(content, Mapping) else kept


def of_one_frame(content: Any, number: int | None, source: object) -> tuple[Any, str]:
    """Of a film of key points the content of one frame alone, and a note that says so; other content as it is, and "".

    number: counted from 1; None for the first frame that has somebody in it. InputRefused where there is none of that
    number, or where the file is no such film.
    """
    frames = _frames_in(content)
    if frames is None:
        if number is not None:
            raise no_key_points_film(source)
        return content, ""
    if number is None:
        seen = [i for i, frame in enumerate(frames) if _has_people(frame)]
        chosen = next((i for i in seen if _is_sound(frames[i])), seen[0] if seen else 0)
    elif 1 <= number <= len(frames):
        chosen = number - 1
    else:
        raise InputRefused(source, f"has no frame {number}", f"Give --frame a number from 1 to {len(frames)}")
    ways = "" if number is not None else "; “convert --frame” reads another one"
    return frames[chosen], f"of {len(frames)} frames of key points, frame {chosen + 1} was read{ways}"


def no_key_points_film(source: object) -> InputRefused:
    """What is said where one frame is asked of a file that holds something else, such as a motion."""
    return InputRefused(source, "is not a film of key points, so there is no frame to choose", "Leave out --frame")


def _frames_in(content: Any) -> list[Any] | None:
    """The frames of a film as mmpose saves it, as ComfyUI lists OpenPose's, and as MediaPipe's landmarks are saved."""
    frames = content
    if isinstance(content, Mapping):
        frames = content.get("instance_info", content.get("frames"))
    if not isinstance(frames, list) or len(frames) < 2 or not all(isinstance(one, Mapping) for one in frames):
        return None
    listed = any(all(isinstance(one.get(name), list) for one in frames) for name in ("instances", "people"))
    return frames if listed or are_frames(frames) else None


def _has_people(frame: Mapping[str, Any]) -> bool:
    held = (frame.get(name) for name in ("instances", "people", *IMAGE, *WORLD))
    listed = (one.get("landmark") if isinstance(one, Mapping) else one for one in held)
    return any(isinstance(one, list | np.ndarray) and len(one) > 0 for one in listed)


def _is_sound(frame: Mapping[str, Any]) -> bool:
    """Whether landmarks in it, if any, can be read: in a frame of a film a number may not be finite."""
    try:
        read_mediapipe(frame, "")
    except InputRefused:
        return False
    return True


def _ends_as(picture: Path, path: str) -> bool:
    end = PurePosixPath(path).parts
    return picture.absolute().parts[-len(end) :] == end


def _name(image: Mapping[str, Any]) -> str:
    return _slashed(image).rpartition("/")[2]


def _slashed(image: Mapping[str, Any]) -> str:
    """Its path as the file says it, without the steps up from the file's folder."""
    return re.sub(r"^(\.{1,2}/)+", "", str(image.get("file_name", "")).replace("\\", "/"))


def _number(text: str) -> str:
    """A number without the zeros before it; "" for another text."""
    return (text.lstrip("0") or "0") if text.isascii() and text.isdigit() else ""


def _without_points(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "keypoints"}
