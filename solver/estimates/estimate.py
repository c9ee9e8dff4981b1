"""The estimates of any estimator about the people in a picture, in one form for all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.body.bone_lengths import Lengths
from solver.errors import InputRefused
from solver.formats.smpl.motion import MEAN_BODIES
from solver.formats.smpl.npz import LARGEST_TURN
from solver.kinematics.rotations import from_rotation_vector, nearest_rotation

Array = NDArray[np.float64]
MOST_PEOPLE = 100
FARTHEST = 1e4  # metres
_PERSON = {63: 21, 69: 23, 189: 21, 207: 23}  # length of a body's pose: joints, as axis and angle or as matrices
_NOT_SQUARE = 0.05  # by how much a matrix may miss a rotation


@dataclass(frozen=True, eq=False)
class SmplParameters:
    """One person as SMPL's parameters. rotations: (24, 3, 3) local rotations. hip_centre: (3,) metres, the middle
    between them.

    Axes of the file's frame: see `Estimate.up`. leg_length: metres from hip to ankle in the file. betas: (10,) of SMPL,
    or None. bone_lengths: bones, where the file has joints.
    """

    rotations: Array
    hip_centre: Array
    leg_length: float
    betas: Array | None = None
    gender: str = "neutral"
    bone_lengths: Lengths | None = None


@dataclass(frozen=True, eq=False)
class KeyPoints:
    """One person as points. pixels: (33, 2) by BlazePose's numbers, NaN where there is none. confidence: (33,) 0..1.

    positions: (33, 3) metres in the camera's frame (x right, y down, z forward), or None for key points in 2D.
    world: (33, 3) metres about the middle of the hips, as MediaPipe's networks see them; or only depths: (33,) pixels.
    """

    pixels: Array
    confidence: Array
    positions: Array | None = None
    world: Array | None = None
    depths: Array | None = None


@dataclass(frozen=True, eq=False)
class Person:
    """score: 0..1, None where nothing says how sure the estimator is. track, frame: which person of a film it is, and
    when; "" and 0 in a picture."""

    content: SmplParameters | KeyPoints
    score: float | None = None
    track: str = ""
    frame: int = 0


@dataclass(frozen=True, eq=False)
class Estimate:
    """The content of a file. kind: which estimator's layout it has.

    focal_px, or else focal_share of the picture's longer side. image_size: (width, height) where the file has it.
    up: "camera" (x right, y down, z forward), or the world's axis that points up: "+Y", "+Z". picture: its path as the
    file says it, as seen from the file's folder; "" where it says none. shares: whether its pixels are shares of the
    picture's width and height.
    """

    source: str
    kind: str
    people: tuple[Person, ...]
    focal_px: float | None = None
    focal_share: float | None = None
    image_size: tuple[int, int] | None = None
    principal: tuple[float, float] | None = None
    up: str = "camera"
    notes: tuple[str, ...] = ()
    picture: str = ""
    shares: bool = False


def score_of(value: object) -> float | None:
    """The score that a file gives a person, 0..1; None for anything else, and for NaN, which pickles may hold."""
    return float(np.clip(value, 0.0, 1.0)) if isinstance(value, int | float) and not np.isnan(value) else None


def rescaled_estimate(estimate: Estimate, size: tuple[int, int], shown: tuple[int, int]) -> Estimate:
    """An estimate made on a picture of one size (width, height), in pixels of the same picture at another size."""
    scale = shown[0] / size[0]

    def scaled(person: Person) -> Person:
        content = person.content
        if not isinstance(content, KeyPoints):
            return person
        depths = None if content.depths is None else content.depths * scale
        return replace(person, content=replace(content, pixels=content.pixels * scale, depths=depths))

    focal, principal = estimate.focal_px, estimate.principal
    return replace(
        estimate,
        people=tuple(map(scaled, estimate.people)),
        focal_px=None if focal is None else focal * scale,
        principal=None if principal is None else (principal[0] * scale, principal[1] * scale),
        image_size=shown,
    )


def smpl_rotations(orient: Array, pose: Array, source: object) -> tuple[Array, str]:
    """(N, 24, 3, 3) local rotations, and of which model: "SMPL" (23 joints after the root) or "SMPL-X" (21).

    orient: the root's, N of 3 or 9 numbers. pose: N of 63 or 69 numbers (axis times angle), or of 189 or 207
    (matrices). For one person the first axis may be missing. InputRefused for anything else.
    """
    many = pose.ndim >= 2 and orient.ndim >= 2 and len(pose) == len(orient)
    count = len(pose) if many else 1
    width, root = (part.size // max(count, 1) for part in (pose, orient))
    joints = _PERSON.get(width)
    if joints is None or root not in (3, 9) or not count:
        reason = f"has the shapes {orient.shape} and {pose.shape}, not those of SMPL's rotations"
        way_out = "Save N of 3 numbers and N of 63 or 69, or matrices"
        raise InputRefused(source, reason, way_out, "global_orient, body_pose")
    turns = np.broadcast_to(np.eye(3), (count, 24, 3, 3)).copy()
    turns[:, 0] = rotation_matrices(orient.reshape(count, 1, -1), root == 9, source, "global_orient")[:, 0]
    turns[:, 1 : 1 + joints] = rotation_matrices(pose.reshape(count, joints, -1), width > 69, source, "body_pose")
    return turns, "SMPL" if joints == 23 else "SMPL-X"


def parameters_of_mean_body(turns: Array, shift: Array, model: str, betas: Array | None = None) -> SmplParameters:
    """One person's parameters. shift: (3,) what the file adds to the model's vertices; the mean body is assumed."""
    body = MEAN_BODIES[model]
    return SmplParameters(turns, shift + body.pelvis + turns[0] @ np.array(body.hips), body.leg, betas)


def rows(value: ArrayLike, count: int, width: int, source: object, place: str) -> Array:
    """(N, width) of an array with that many numbers per person; for one person the first axis may be missing."""
    array = np.asarray(value, dtype=np.float64)
    others = count > 1 and array.ndim > 1 and len(array) != count  # rows of something else, even if the size fits
    if array.size == 0 or array.size % count or array.size // count < width or others:
        raise InputRefused(source, f"has the shape {array.shape}, not ({count}, {width})", "Save it again", place)
    return array.reshape(count, -1)[:, :width]


def rotation_matrices(values: Array, squared: bool, source: object, place: str) -> Array:
    """(N, J, 3, 3) of (N, J, 3) turns or (N, J, 9) matrices."""
    if not squared:
        if np.abs(values).max(initial=0.0) > LARGEST_TURN:
            raise InputRefused(source, f"holds turns beyond {LARGEST_TURN:.0f}", "Angles are radians", place)
        return np.asarray(from_rotation_vector(values), dtype=np.float64)
    turns = values.reshape(*values.shape[:2], 3, 3)
    misses = np.abs(turns @ np.swapaxes(turns, -1, -2) - np.eye(3)).max(axis=(-2, -1))
    wrong = np.argwhere((misses > _NOT_SQUARE) | (np.linalg.det(turns) < 0))
    if len(wrong):
        person, joint = (int(part) for part in wrong[0])
        reason, where = "holds a matrix that is not a rotation", f"{place}[{person}, {joint}]"
        raise InputRefused(source, reason, "Save rotation matrices, or axis and angle", where)
    return np.asarray(nearest_rotation(turns), dtype=np.float64)
