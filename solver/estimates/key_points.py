"""People as points: OpenPose's and COCO's key points in 2D, and those of SAM 3D Body (MHR) in 3D.

The layouts are in docs/estimates.md. Points are brought to BlazePose's 33 numbers, by which the photo's fit knows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.camera_numbers import focal_length, picture_side
from solver.estimates.content import numbers
from solver.estimates.estimate import Estimate, KeyPoints, Person
from solver.rig.roles import SIDES

Array = NDArray[np.float64]
Content = Mapping[str, Any]
# BlazePose's number for each point of a layout that it has; left before right.
BODY_25 = {0: 0, 16: 2, 15: 5, 5: 11, 2: 12, 6: 13, 3: 14, 7: 15, 4: 16, 12: 23, 9: 24, 13: 25, 10: 26, 14: 27, 11: 28,
           18: 7, 17: 8, 21: 29, 24: 30, 19: 31, 22: 32}  # fmt: skip
COCO_17 = {0: 0, 1: 2, 2: 5, 3: 7, 4: 8, 5: 11, 6: 12, 7: 13, 8: 14, 9: 15, 10: 16, 11: 23, 12: 24, 13: 25, 14: 26,
           15: 27, 16: 28}  # fmt: skip
OPENPOSE_18 = {0: 0, 15: 2, 14: 5, 5: 11, 2: 12, 6: 13, 3: 14, 7: 15, 4: 16, 11: 23, 8: 24, 12: 25, 9: 26, 13: 27,
               10: 28, 17: 7, 16: 8}  # fmt: skip
MHR_70 = {0: 0, 1: 2, 2: 5, 3: 7, 4: 8, 5: 11, 6: 12, 7: 13, 8: 14, 62: 15, 41: 16, 61: 17, 40: 18, 49: 19, 28: 20,
          9: 23, 10: 24, 11: 25, 12: 26, 13: 27, 14: 28, 17: 29, 20: 30, 15: 31, 18: 32}  # fmt: skip
_LAYOUTS_2D = {75: BODY_25, 54: OPENPOSE_18, 51: COCO_17}
_OF_MHR = ("mhr_model_params", "body_pose_params", "shape_params")
_LIMBS = tuple(range(11, 17)) + tuple(range(23, 29))
_FEWEST = 6  # of the twelve joints of limbs
_SMALLEST_M, _SMALLEST_PX = 0.05, 2.0  # extent of a person's points, below which they are ignored
_COCO_SURE = {0: 0.0, 1: 0.4, 2: 1.0}  # not labelled, hidden, seen
_NAMED = 5  # pictures that a message names of those in a file
_PAIRS = ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
COCO_NAMES = ("nose", *(f"{side}_{part}" for part in _PAIRS for side in SIDES))


ONE_OF_THEM = "Name one of those pictures with “convert --picture”, or save its key points as a file of their own"


def read_openpose(content: Any, source: str) -> Estimate | None:
    """OpenPose's JSON: `people`, each with `pose_keypoints_2d` of 25 or 18 points (x, y, certainty)."""
    if isinstance(content, list) and len(content) == 1:  # as ComfyUI has it, a list of pictures
        content = content[0]
    if not isinstance(content, Mapping) or not isinstance(content.get("people"), list):
        return None
    found = content["people"]
    if found and not all(isinstance(one, Mapping) and "pose_keypoints_2d" in one for one in found):
        return None
    size = _size(content, source, "canvas_")
    people, left_out = [], 0
    for i, one in enumerate(found):
        place = f"people[{i}].pose_keypoints_2d"
        values = numbers(one["pose_keypoints_2d"] or [], source, place)
        marks = _marks(values, source, place) if values.size else None
        if marks is None:
            left_out += 1
        else:
            people.append(Person(marks, float(marks.confidence[list(_LIMBS)].mean())))
    return Estimate(source, "OpenPose key points", tuple(people), image_size=size, notes=_left_out(left_out))


def read_coco(content: Any, source: str) -> Estimate | None:
    """COCO's key points: a file of annotations with one picture, or a list of results for one, 17 points each."""
    entries = content.get("annotations") if isinstance(content, Mapping) else content
    if not isinstance(entries, list) or not all(isinstance(one, Mapping) for one in entries):
        return None
    entries = [{k: v for k, v in one.items() if k != "keypoints" or v is not None} for one in entries]
    if not any("keypoints" in one for one in entries):
        if not isinstance(content, Mapping) or not isinstance(content.get("images"), list):
            return None
        notes = ("none of its annotations has keypoints",) if entries else ()
        return Estimate(source, "COCO key points", (), notes=notes)
    images = content.get("images", []) if isinstance(content, Mapping) else []
    if isinstance(content, Mapping):
        _check_names(content, source)
    ids = list(dict.fromkeys(str(one.get("image_id", "")) for one in entries if "keypoints" in one))
    if len(ids) > 1:
        raise InputRefused(source, f"holds the key points of {_pictures(ids, images)}", ONE_OF_THEM, "image_id")
    numbered = [(i, one) for i, one in enumerate(images) if isinstance(one, Mapping) and str(one.get("id")) == ids[0]]
    size = next((_size(one, source, f"images[{i}].") for i, one in numbered), None)
    people, left_out = [], 0
    annotated = isinstance(content, Mapping)
    for i, one in enumerate(entries):
        if "keypoints" not in one:
            continue
        place = f"{'annotations' if annotated else ''}[{i}].keypoints"
        values = numbers(one["keypoints"], source, place)
        if annotated and values.size % 3 == 0:
            values = values.reshape(-1, 3).copy()
            values[:, 2] = [_COCO_SURE.get(int(flag), 1.0) for flag in values[:, 2]]
        elif values.size % 3 == 0 and not values.reshape(-1, 3)[:, 2].any():  # results need not set their flags
            values = values.reshape(-1, 3).copy()
            values[:, 2] = 1.0
        marks = _marks(values, source, place)
        score = one.get("score", 1.0)
        if marks is None:
            left_out += 1
        else:
            people.append(Person(marks, float(np.clip(score, 0, 1)) if isinstance(score, int | float) else 1.0))
    return Estimate(source, "COCO key points", tuple(people), image_size=size, notes=_left_out(left_out))


def _pictures(ids: list[str], images: Any) -> str:
    """How many pictures, with the names of some: "2 pictures (a.jpg, b.jpg)"."""
    listed = images if isinstance(images, list) else []
    names = {str(one.get("id")): str(one.get("file_name", "")) for one in listed if isinstance(one, Mapping)}
    some = [names.get(id) or id for id in ids[:_NAMED]]
    return f"{len(ids)} pictures ({', '.join(some)}{', …' * (len(ids) > _NAMED)})"


def _check_names(content: Content, source: str) -> None:
    """InputRefused where the file names other points: animals may have 17 of their own."""
    categories = content.get("categories")
    for i, one in enumerate(categories if isinstance(categories, list) else ()):
        names = one.get("keypoints") if isinstance(one, Mapping) else None
        if isinstance(names, list) and names and tuple(names) != COCO_NAMES:
            reason = "names points other than COCO's 17 of a person, or in another order"
            raise InputRefused(source, reason, "Save COCO's, from nose to right_ankle", f"categories[{i}].keypoints")


def read_sam3d(content: Any, source: str) -> Estimate | None:
    """SAM 3D Body's output: for each person `pred_keypoints_3d` (70, 3), `pred_cam_t`, `focal_length`."""
    if isinstance(content, Mapping):
        inside = next((content[name] for name in ("outputs", "data", "people") if name in content), content)
        content = inside if isinstance(inside, list) else [inside]
    if not isinstance(content, list) or not content or not all(isinstance(one, Mapping) for one in content):
        return None
    without = [i for i, one in enumerate(content) if "pred_keypoints_3d" not in one]
    if without:
        if any(name in content[without[0]] for name in _OF_MHR):
            reason = "holds the parameters of MHR's own rig, but no pred_keypoints_3d"
            way_out = "Save pred_keypoints_3d, pred_cam_t and focal_length with each person"
            raise InputRefused(source, reason, way_out, f"[{without[0]}]")
        return None
    people, focal = [], None
    for i, one in enumerate(content):
        points = numbers(one["pred_keypoints_3d"], source, f"[{i}].pred_keypoints_3d")
        if "pred_cam_t" not in one or "focal_length" not in one:
            way_out = "Save pred_cam_t and focal_length with each person, as the estimator returns them"
            raise InputRefused(source, "does not say where the person stands", way_out, f"[{i}]")
        shift = numbers(one["pred_cam_t"], source, f"[{i}].pred_cam_t")
        if points.ndim == 2:
            points = points[None]
        lens = numbers(one["focal_length"], source, f"[{i}].focal_length").ravel()
        same = len(lens) == len(points)  # one for each of several people in one picture
        focal = focal_length(lens[:1] if same else lens, source, f"[{i}].focal_length")
        if points.ndim != 3 or points.shape[1:] != (70, 3):
            reason = f"has the shape {points.shape[-2:]}, not (70, 3)"
            raise InputRefused(source, reason, "Save the 70 key points of MHR", f"[{i}].pred_keypoints_3d")
        if np.ptp(points, axis=1).max(axis=1).min() < _SMALLEST_M:
            way_out = "Leave that person out of the file"
            raise InputRefused(source, "has all points in one place", way_out, f"[{i}].pred_keypoints_3d")
        if shift.size != 3 * len(points):
            reason = f"has the shape {shift.shape}, not ({len(points)}, 3)"
            raise InputRefused(source, reason, "Save three numbers for each person", f"[{i}].pred_cam_t")
        moves = shift.reshape(-1, 3)
        people += [Person(_in_3d(body + moved, focal)) for body, moved in zip(points, moves, strict=True)]
    return Estimate(source, "SAM 3D Body key points", tuple(people), focal)


def _in_3d(places: Array, focal: float) -> KeyPoints:
    """Points of the camera's frame; their pixels are about the middle of the picture, until its size is known."""
    depth = np.maximum(places[:, 2:], 1e-3)
    chosen, order = list(MHR_70), list(MHR_70.values())
    pixels, points, sure = np.full((33, 2), np.nan), np.full((33, 3), np.nan), np.zeros(33)
    pixels[order], points[order], sure[order] = (focal * places[:, :2] / depth)[chosen], places[chosen], 1.0
    return KeyPoints(pixels, sure, points)


def _marks(values: Array, source: str, place: str) -> KeyPoints | None:
    """From a flat list of (x, y, certainty); None where there are too few joints to tell a pose."""
    layout = _LAYOUTS_2D.get(values.size)
    if layout is None:
        *others, last = (str(size // 3) for size in _LAYOUTS_2D)
        reason = f"has {values.size} numbers, not three for each of {', '.join(others)} or {last} points"
        raise InputRefused(source, reason, "Save BODY_25, or COCO's 17 or 18 points", place)
    points = values.reshape(-1, 3)
    if np.abs(points[:, :2]).max() > 1e6:
        raise InputRefused(source, "holds pixels beyond 1,000,000", "Save pixels of the picture", place)
    if 0.0 < np.abs(points[:, :2]).max() <= 1.0:
        reason = "holds shares of the picture, not its pixels"
        raise InputRefused(source, reason, "Save pixels: OpenPose's --keypoint_scale 0, as it is by default", place)
    pixels, sure = np.full((33, 2), np.nan), np.zeros(33)
    for number, mark in layout.items():
        x, y, certainty = points[number]
        if certainty > 0 and (x or y):
            pixels[mark], sure[mark] = (x, y), min(certainty, 1.0)
    seen = ~np.isnan(pixels[:, 0])
    enough = seen[list(_LIMBS)].sum() >= _FEWEST and seen[[11, 12]].any() and seen[[23, 24]].any()
    return KeyPoints(pixels, sure) if enough and np.ptp(pixels[seen], axis=0).max() >= _SMALLEST_PX else None


def _left_out(count: int) -> tuple[str, ...]:
    many, were = ("one person shows", "was") if count == 1 else (f"{count} people show", "were")
    return (f"{many} too few joints to tell a pose, and {were} left out",) if count else ()


def _size(content: Content, source: str, place: str) -> tuple[int, int] | None:
    """Width and height where the file gives them, under names that begin with `place`."""
    names = [f"{place}{side}" for side in ("width", "height")]
    width, height = (content.get(name.rpartition(".")[2]) for name in names)
    if width is None or height is None:
        return None
    return picture_side(width, source, names[0]), picture_side(height, source, names[1])
