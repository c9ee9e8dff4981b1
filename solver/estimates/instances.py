"""Key points by person as libraries for Python and the web save them: mmpose, YOLO, TensorFlow.js, and AlphaPose.

The layouts are in docs/estimates.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from solver.errors import InputRefused
from solver.estimates.content import numbers
from solver.estimates.estimate import Estimate, Person, score_of
from solver.estimates.key_points import read_openpose
from solver.estimates.picture_shares import are_shares
from solver.estimates.point_layouts import COCO_NAMES, left_out_note, marks_of
from solver.estimates.several_pictures import PictureInFile, SeveralPictures

Content = Mapping[str, Any]
_BODIES = ("people", "bodies")  # AlphaPose's --format open and cmu


def read_instances(content: Any, source: str) -> Estimate | None:
    """mmpose's `keypoints` (K, 2) with `keypoint_scores` (K), also as `instances` or `instance_info`; Ultralytics'
    `keypoints` of `x`, `y`, `visible`; TensorFlow.js's of `x`, `y`, `score`, `name`."""
    entries = content
    if isinstance(content, Mapping) and isinstance(content.get("instance_info"), list):
        entries = content["instance_info"]
    if isinstance(entries, Mapping) and isinstance(entries.get("instances"), list):
        entries = [entries]
    if not isinstance(entries, list) or not entries or not all(isinstance(one, Mapping) for one in entries):
        return None
    where = ""
    if len(entries) == 1 and isinstance(entries[0].get("instances"), list):  # of a film, one_picture.py takes a frame
        entries, where = entries[0]["instances"], "instances"
        if not all(isinstance(one, Mapping) for one in entries):
            return None
    writer = next((writer for writer in _WRITERS if all(map(writer, entries))), None)
    if writer is None:
        return None
    kind, flat = _WRITERS[writer]
    people, left_out = [], 0
    for i, one in enumerate(entries):
        place = f"{where}[{i}].keypoints"
        values = flat(one, source, place)
        marks = marks_of(values, source, place) if values.size else None
        score = next((one[name] for name in ("bbox_score", "score", "confidence") if name in one), None)
        if marks is None:
            left_out += 1
        else:
            people.append(Person(marks, score_of(score)))
    notes, shares = left_out_note(left_out), are_shares(people)
    return Estimate(source, f"{kind} key points", tuple(people), notes=notes, shares=shares)


def read_by_picture(content: Any, source: str) -> Estimate | None:
    """AlphaPose's `--format open` and `cmu`: a picture's name -> `people` as OpenPose has them, or `bodies`."""
    if not isinstance(content, Mapping) or not content:
        return None
    pictures = {name: one for name, one in content.items() if isinstance(one, Mapping)}
    if len(pictures) < len(content) or not all(any(n in one for n in _BODIES) for one in pictures.values()):
        return None
    if len(pictures) > 1:
        raise SeveralPictures(source, [_picture(str(name), one) for name, one in pictures.items()])
    ((name, one),) = pictures.items()
    bodies = one.get("bodies")
    if isinstance(bodies, list):
        found = [{"pose_keypoints_2d": body.get("joints")} for body in bodies if isinstance(body, Mapping)]
        one = {**one, "people": found}
    estimate = read_openpose(one, source)
    return None if estimate is None else _seen_in(estimate, str(name))


def _picture(name: str, one: Content) -> PictureInFile:
    return PictureInFile(name, name, next((len(one[key]) for key in _BODIES if isinstance(one.get(key), list)), 0))


def _seen_in(estimate: Estimate, picture: str) -> Estimate:
    return replace(estimate, kind="AlphaPose key points", picture=picture)


def _is_mmpose(one: Content) -> bool:
    return "keypoint_scores" in one and "keypoints" in one


def _is_yolo(one: Content) -> bool:
    return isinstance(one.get("keypoints"), Mapping) and {"x", "y"} <= set(one["keypoints"])


def _is_tensorflow(one: Content) -> bool:
    points = one.get("keypoints")
    return isinstance(points, list) and bool(points) and all(isinstance(p, Mapping) and "x" in p for p in points)


def _mmpose(one: Content, source: str, place: str) -> np.ndarray:
    points, scores = (numbers(one[key], source, place, gaps=True) for key in ("keypoints", "keypoint_scores"))
    if not points.size:
        return points
    if points.ndim == 3 and len(points) == 1:
        points = points[0]
    if points.ndim == 2 and points.shape[1] == 3:
        reason = "holds points in 3D, whose axes mmpose has turned to draw them"
        raise InputRefused(source, reason, "Save the points in 2D that were lifted", place)
    if points.ndim != 2 or points.shape[1] != 2 or scores.size != len(points):
        raise InputRefused(source, f"has the shape {points.shape}, not two numbers a point", "Save it again", place)
    return np.column_stack([points, scores.ravel()]).ravel()


def _yolo(one: Content, source: str, place: str) -> np.ndarray:
    told = one["keypoints"]
    x, y = (numbers(told[axis], source, f"{place}.{axis}", gaps=True).ravel() for axis in "xy")
    sure = (
        numbers(told["visible"], source, f"{place}.visible", gaps=True).ravel()
        if told.get("visible") is not None
        else np.ones(len(x))
    )
    if not len(x) == len(y) == len(sure):
        raise InputRefused(source, "has not as many x as y and visible", "Save it again", place)
    return np.column_stack([x, y, sure]).ravel()


def _tensorflow(one: Content, source: str, place: str) -> np.ndarray:
    names = [point.get("name") for point in one["keypoints"]]
    if len(names) == len(COCO_NAMES) and all(names) and tuple(names) != COCO_NAMES:
        raise InputRefused(source, "names points other than COCO's 17 of a person", "Save COCO's", place)
    rows = [[point["x"], point.get("y"), point.get("score", 1.0)] for point in one["keypoints"]]
    return numbers(rows, source, place, gaps=True).ravel()


_WRITERS = {
    _is_mmpose: ("mmpose", _mmpose),
    _is_yolo: ("YOLO", _yolo),
    _is_tensorflow: ("TensorFlow.js", _tensorflow),
}
