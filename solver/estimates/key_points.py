"""People as points: OpenPose's and COCO's key points in 2D, and those of SAM 3D Body (MHR) in 3D.

The layouts are in docs/estimates.md. Points are brought to BlazePose's 33 numbers, by which the photo's fit knows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.checks import focal_length, outside_doubt, picture_side, whole_people
from solver.estimates.content import numbers
from solver.estimates.estimate import FARTHEST, Estimate, KeyPoints, Person, score_of
from solver.estimates.picture_shares import are_shares
from solver.estimates.point_layouts import COCO_NAMES, LIMB_MARKS, MHR_70, left_out_note, marks_of
from solver.estimates.several_pictures import SeveralPictures, pictures_of

Array = NDArray[np.float64]
Content = Mapping[str, Any]
_OF_MHR = ("mhr_model_params", "body_pose_params", "shape_params")
_CAMERA = "pred_cam_t"
_SMALLEST_M = 0.05  # extent of a person's points, below which they are ignored
_NEAREST_M = 0.1  # in front of the camera
_COCO_SURE = {0: 0.0, 1: 0.4, 2: 1.0}  # not labelled, hidden, seen


def read_openpose(content: Any, source: str) -> Estimate | None:
    """OpenPose's JSON: `people`, each with `pose_keypoints_2d` of 25 or 18 points (x, y, certainty)."""
    if isinstance(content, list) and len(content) == 1:  # as ComfyUI has it, a list of pictures
        content = content[0]
    if not isinstance(content, Mapping) or not isinstance(content.get("people"), list):
        return None
    found = content["people"]
    if found and not all(isinstance(one, Mapping) and "pose_keypoints_2d" in one for one in found):
        return None
    size = size_in(content, source, "canvas_")
    people, left_out = [], 0
    for i, one in enumerate(found):
        place = f"people[{i}].pose_keypoints_2d"
        listed = [] if one["pose_keypoints_2d"] is None else one["pose_keypoints_2d"]
        values = numbers(listed, source, place, gaps=True)
        marks = marks_of(values, source, place) if values.size else None
        if marks is None:
            left_out += 1
        else:
            people.append(Person(marks, float(marks.confidence[list(LIMB_MARKS)].mean())))
    shares = are_shares(people)
    notes = (*left_out_note(left_out), *(() if shares else outside_doubt(people, size)))
    return Estimate(source, "OpenPose key points", tuple(people), image_size=size, notes=notes, shares=shares)


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
    pictures = pictures_of((str(one.get("image_id", "")) for one in entries if "keypoints" in one), images)
    if len(pictures) > 1:
        raise SeveralPictures(source, pictures, "image_id")
    ((id, name, _),) = pictures
    numbered = [(i, one) for i, one in enumerate(images) if isinstance(one, Mapping) and str(one.get("id")) == id]
    size = next((size_in(one, source, f"images[{i}].") for i, one in numbered), None)
    people, left_out = [], 0
    annotated = isinstance(content, Mapping)
    for i, one in enumerate(entries):
        if "keypoints" not in one:
            continue
        place = f"{'annotations' if annotated else ''}[{i}].keypoints"
        values = numbers(one["keypoints"], source, place, gaps=True)
        if annotated and values.size % 3 == 0:
            values = values.reshape(-1, 3).copy()
            values[:, 2] = [_COCO_SURE.get(int(flag), 1.0) for flag in np.nan_to_num(values[:, 2])]
        elif values.size % 3 == 0 and not values.reshape(-1, 3)[:, 2].any():  # results need not set their flags
            values = values.reshape(-1, 3).copy()
            values[:, 2] = 1.0
        marks = marks_of(values, source, place)
        score = one.get("score")
        if marks is None:
            left_out += 1
        else:
            people.append(Person(marks, score_of(score)))
    shares = are_shares(people)
    told = (*left_out_note(left_out), *(() if shares else outside_doubt(people, size)))
    return Estimate(source, "COCO key points", tuple(people), image_size=size, notes=told, picture=name, shares=shares)


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
    listed = isinstance(content, list)  # HMR2's parameters, one by one, have a pred_cam_t as well
    if isinstance(content, Mapping):
        inside = next((content[name] for name in ("outputs", "data", "people") if name in content), content)
        content = inside if isinstance(inside, list) else [inside]
    if not isinstance(content, list) or not content or not all(isinstance(one, Mapping) for one in content):
        return None
    without = [i for i, one in enumerate(content) if "pred_keypoints_3d" not in one]
    if without:
        if (own := any(name in content[without[0]] for name in _OF_MHR)) or (listed and _CAMERA in content[without[0]]):
            what = "the parameters of MHR's own rig" if own else _CAMERA
            reason = f"holds {what}, but no pred_keypoints_3d"
            way_out = "Save pred_keypoints_3d, pred_cam_t and focal_length with each person"
            raise InputRefused(source, reason, way_out, f"[{without[0]}]")
        return None
    people, focal = [], None
    left_out, notes = whole_people(content, ("pred_keypoints_3d", _CAMERA))
    for i, one in enumerate(content):
        if i in left_out:
            continue
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
        places = points + shift.reshape(-1, 1, 3)
        depths = np.median(places[:, :, 2], axis=1)
        if depths.min() < _NEAREST_M or np.abs(places).max() > FARTHEST:
            where = "behind its camera" if depths.min() < _NEAREST_M else "kilometres away"
            way_out = "Save pred_cam_t in metres, in the camera's frame: x right, y down, z forward"
            raise InputRefused(source, f"has somebody {where}", way_out, f"[{i}].pred_cam_t")
        people += [Person(_in_3d(body, focal)) for body in places]
    return Estimate(source, "SAM 3D Body key points", tuple(people), focal, notes=notes)


def _in_3d(places: Array, focal: float) -> KeyPoints:
    marks, order = np.full((33, 3), np.nan), list(MHR_70.values())
    marks[order] = places[list(MHR_70)]
    return in_camera(marks, focal, ~np.isnan(marks[:, 0]))


def in_camera(marks: Array, focal: float, sure: NDArray[Any]) -> KeyPoints:
    """Marks (33, 3) of the camera's frame; their pixels are about the middle of the picture, until its size is known.
    sure: (33,)."""
    pixels = focal * marks[:, :2] / np.maximum(marks[:, 2:], 1e-3)
    return KeyPoints(pixels, sure.astype(np.float64), marks)


def size_in(content: Content, source: str, place: str) -> tuple[int, int] | None:
    """Width and height where the file gives them, under names that begin with `place`."""
    names = [f"{place}{side}" for side in ("width", "height")]
    width, height = (content.get(name.rpartition(".")[2]) for name in names)
    if width is None or height is None:
        return None
    return picture_side(width, source, names[0]), picture_side(height, source, names[1])
