"""The parts of a scene: shape, pose, motion, preservation, photo and camera, each from its JSON node.

A part comes with the keys that this version does not know, for the next save.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from app.document.scene_write import MOTION_ENCODING
from app.document.state import EMPTY, Photo, PhotoCamera, Preserve
from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.formats.json_checks import Node
from solver.formats.motion_bounds import motion_fault
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import nearest_rotation
from solver.size_limits import FPS_RANGE, MAX_FRAMES
from solver.values import FloatArray, frozen_array

EXACT = 1e-5  # what float32 spells is closer; through all joints of a body it adds up to less than anybody minds
CHUNK = 4096  # frames looked at at once

PHOTO_KEYS = frozenset({"path", "sha256", "visible", "opacity", "camera"})
POSE_KEYS = frozenset({"root_position", "rotations"})
SHAPE_KEYS = frozenset({"gender", "betas"})
PRESERVE_KEYS = frozenset({"strength", "place", "shape"})
MOTION_KEYS = frozenset({"fps", "frames", "joints", "encoding", "root_positions", "rotations"})
CAMERA_KEYS = frozenset({"position", "rotation", "focal_px", "principal_px", "image_size"})


def read_shape(node: Node | None) -> tuple[BodyShape, dict[str, Any]]:
    """The body shape; the mean of the neutral body without a node."""
    if node is None:
        return BodyShape(), {}
    gender = value.choice(GENDERS) if (value := node.get("gender")) else GENDERS[0]
    betas = node.get("betas")
    if betas is None:
        return BodyShape(gender=gender), node.others(SHAPE_KEYS)
    numbers = betas.vector(SHAPE_COMPONENTS, SHAPE_LIMIT)
    return BodyShape(numbers.astype(np.float32), gender), node.others(SHAPE_KEYS)


def read_pose(node: Node, names: tuple[str, ...]) -> tuple[Pose, dict[str, Any]]:
    """The pose of a body whose joints are `names`; every one must be there."""
    rotations_node = node["rotations"]
    missing = [name for name in names if name not in rotations_node]
    if missing:
        rotations_node.refuse(
            f"{len(missing)} of {len(names)} joints are missing: {', '.join(missing)}", "Give every joint a rotation"
        )
    rotations = np.stack([_matrix(rotations_node[name]) for name in names])
    extra = node.others(POSE_KEYS)
    if strangers := rotations_node.others(names):
        extra["rotations"] = strangers
    return Pose(_point(node["root_position"]), rotations), extra


def _point(node: Node) -> FloatArray:
    return node.vector(3).astype(np.float32)


def _matrix(node: Node) -> FloatArray:
    matrix = node.vector(9, limit=1.1).astype(np.float32).reshape(3, 3)
    if not _are_rotations(matrix):
        node.refuse("is not a rotation matrix", "Write nine numbers row by row, with rows of length 1 at right angles")
    return _straightened(matrix[None])[0]


def _are_rotations(matrices: FloatArray) -> bool:
    return bool(_skewness(matrices).max() < 1e-2 and np.linalg.det(matrices).min() > 0)


def _skewness(matrices: FloatArray) -> FloatArray:
    """How far each (..., 3, 3) is from having rows of length 1 at right angles."""
    off = np.abs(matrices @ np.swapaxes(matrices, -1, -2) - np.eye(3, dtype=np.float32))
    skew: FloatArray = off.max(axis=(-1, -2))
    return skew


def _all_rotations(matrices: FloatArray) -> bool:
    """The same for a whole motion, (F, J, 3, 3), some frames at a time."""
    return all(_are_rotations(matrices[at : at + CHUNK]) for at in range(0, len(matrices), CHUNK))


def _straightened(matrices: FloatArray) -> FloatArray:
    """(N, ..., 3, 3): those of few decimals made exact, else products along the joints would be no rotations."""
    mended = matrices
    for at in range(0, len(matrices), CHUNK):
        skew = _skewness(matrices[at : at + CHUNK]) > EXACT
        if skew.any():
            mended = mended if mended is not matrices else matrices.copy()
            part = mended[at : at + CHUNK]
            part[skew] = nearest_rotation(part[skew])
    return mended


def read_preserve(node: Node | None, names: tuple[str, ...]) -> tuple[Preserve, dict[str, Any]]:
    """What is kept of the base pose."""
    if node is None:
        return Preserve(), {}

    def joints(key: str) -> frozenset[str]:
        listed = node.get(key)
        return frozenset(each.choice(names) for each in listed.items()) if listed else frozenset()

    strength = value.number(0, 1) if (value := node.get("strength")) else Preserve.strength
    return Preserve(strength, joints("place"), joints("shape")), node.others(PRESERVE_KEYS)


def read_motion(node: Node, joints: int, most_frames: int = MAX_FRAMES) -> tuple[Motion, dict[str, Any]]:
    """The packed motion of at most so many frames; no more is unpacked than it announces."""
    frames = node["frames"].integer(1, 10**9)
    if frames > most_frames:
        reason = f"the motions of the scene have more than {MAX_FRAMES:,} frames together"
        node["frames"].refuse(reason, "Take one out, or import a shorter part of it")
    node["joints"].integer(joints, joints)
    node["encoding"].choice((MOTION_ENCODING,))
    fps = node["fps"].number(*FPS_RANGE)
    roots = _unpacked(node["root_positions"], (frames, 3))
    rotations = _unpacked(node["rotations"], (frames, joints, 3, 3))
    if not _all_rotations(rotations):
        node["rotations"].refuse("holds matrices that are no rotations", "Use an earlier copy of the file")
    if fault := motion_fault(roots, fps):
        node["root_positions"].refuse(f"{fault.place}: {fault.reason}", fault.way_out)
    return Motion(roots, _straightened(rotations), fps), node.others(MOTION_KEYS)


def _unpacked(node: Node, shape: tuple[int, ...]) -> FloatArray:
    size = 4 * int(np.prod(shape))
    try:
        packed = base64.b64decode(node.string(limit=1 << 30), validate=True)
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(packed, size + 1)  # never more than was announced, whatever the file says
    except (binascii.Error, ValueError, zlib.error):
        node.refuse("the packed numbers are damaged", "Use an earlier copy of the file")
    if len(data) != size:
        node.refuse(f"does not hold the {size // 4} numbers that the frames need", "Use an earlier copy of the file")
    array = np.frombuffer(data, dtype="<f4").reshape(shape)
    try:
        return frozen_array(array, shape, "motion")  # no copy: the bytes are its own
    except ValueError:
        node.refuse("holds a number that is not finite", "Use an earlier copy of the file")


def read_photo(node: Node, folder: Path) -> Photo:
    """The photo, its path made absolute from the scene's `folder`."""
    sha256 = node["sha256"].string(64)
    if not re.fullmatch("[0-9a-f]{64}", sha256):
        node["sha256"].refuse("is not a SHA-256 in 64 hexadecimal digits", "Leave the photo out and open it again")
    camera_node = node["camera"]
    extra = node.others(PHOTO_KEYS)
    if others := camera_node.others(CAMERA_KEYS):
        extra["camera"] = others
    opacity = node.get("opacity")
    return Photo(
        path=os.path.normpath(folder / node["path"].string(4096)),
        sha256=sha256,
        camera=_camera(camera_node),
        visible=optional_boolean(node, "visible", True),
        opacity=opacity.number(0, 1) if opacity else 1.0,
        extra=kept(extra),
    )


def _camera(node: Node) -> PhotoCamera:
    size = node["image_size"].items()
    if len(size) != 2:
        node["image_size"].refuse("is not a width and a height", "Write two whole numbers")
    principal = node["principal_px"].vector(2)
    return PhotoCamera(
        _point(node["position"]),
        _matrix(node["rotation"]),
        node["focal_px"].number(1e-3, 1e6),
        (float(principal[0]), float(principal[1])),
        (size[0].integer(1, 100_000), size[1].integer(1, 100_000)),
    )


def optional_string(node: Node, key: str, default: str) -> str:
    """A text of at most 4096 characters, or `default` where the key is missing."""
    value = node.get(key)
    return default if value is None else value.string(4096)


def optional_boolean(node: Node, key: str, default: bool) -> bool:
    """True or false, or `default` where the key is missing."""
    value = node.get(key)
    return default if value is None else value.boolean()


def kept(extra: Mapping[str, Any]) -> Mapping[str, Any]:
    """Unknown keys as the document holds them."""
    return dict(extra) if extra else EMPTY
