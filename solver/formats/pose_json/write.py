"""Pose JSON: posed people for other programs, and back again. docs/pose-format.md describes it."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from solver.camera import PinholeCamera
from solver.errors import InputRefused
from solver.files.atomic import write_text
from solver.files.json_checks import parse_json, plain
from solver.files.json_text import json_text
from solver.files.reading import MEBIBYTE, read_text
from solver.formats.pose_json.effector_json import effector_to_json
from solver.formats.pose_json.motion_json import motion_to_json, values_of
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.formats.pose_json.read import FORMAT, VERSION, pose_file_from_json
from solver.formats.pose_json.rotation_json import quaternion_to_json
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.size_limits import MAX_JSON_VALUES

__all__ = ["MAX_BYTES", "parse_pose_json", "pose_json", "pose_json_text", "read_pose_json", "write_pose_json"]

REST = np.eye(3, dtype=np.float32)
MAX_BYTES = 64 * MEBIBYTE


def pose_json(content: PoseFile, generator: str = "Contrapposto") -> dict[str, Any]:
    """The plain object that is written: units, axes and conventions first, then people, camera and photo."""
    result: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "generator": generator,
        "units": "m",
        "up": "+Y",
        "forward": "+Z",
        "handedness": "right",
        "quaternion": "xyzw",
    }
    if content.name:
        result["name"] = content.name
    if content.tags:
        result["tags"] = list(content.tags)
    result["people"] = [_person(person) for person in content.people]
    if content.camera is not None:
        result["camera"] = _camera(content.camera)
    if content.photo is not None:
        result["photo"] = {"sha256": content.photo.sha256, "relative_path": content.photo.relative_path}
    return result


def pose_json_text(content: PoseFile, generator: str = "Contrapposto") -> str:
    """The pose file's text: indented, lists of numbers on one line."""
    return json_text(pose_json(content, generator))


def write_pose_json(path: str | os.PathLike[str], content: PoseFile, generator: str = "Contrapposto") -> None:
    """Write a pose file, all or nothing; InputRefused if it cannot be written.

    The text is read back first: a file that could not be opened again never replaces one that can.
    """
    moving = [(person.motion, person.moving_hands) for person in content.people if person.motion is not None]
    if moving and (share := MAX_JSON_VALUES / sum(values_of(*each) for each in moving)) < 1:
        frames = sum(len(motion) for motion, _ in moving)
        reason = f"cannot hold all {frames:,} frames: a pose file has room for about {int(share * frames):,} of them"
        raise InputRefused(path, reason, "Write the motion as BVH, GLB or .npz, or the frame shown alone")
    text = pose_json_text(content, generator)
    parse_pose_json(text, path)
    write_text(path, text)


def parse_pose_json(text: str, source: object) -> PoseFile:
    """Text to its content; InputRefused names the key path otherwise."""
    return pose_file_from_json(parse_json(text, source))


def read_pose_json(path: str | os.PathLike[str]) -> PoseFile:
    """Read a pose file; InputRefused otherwise."""
    return parse_pose_json(read_text(path, MAX_BYTES), path)


def _person(person: PosePerson) -> dict[str, Any]:
    skeleton, names = person.skeleton, person.skeleton.names
    joints = forward_kinematics(skeleton, person.pose)
    result: dict[str, Any] = {
        "id": person.id,
        "name": person.name,
        "body": {
            "model": person.body,
            "gender": person.shape.gender,
            "betas": plain(person.shape.betas),
            "rest_joints": dict(zip(names, plain(skeleton.rest_positions), strict=True)),
            "parents": {n: names[p] if p >= 0 else None for n, p in zip(names, skeleton.parents, strict=True)},
        },
        **_pose(skeleton, person.pose),
    }
    if names == SMPL_JOINTS:
        vectors = to_rotation_vector(person.pose.rotations).reshape(-1)
        result["axis_angle_smpl"] = [round(v, 9) + 0.0 for v in vectors.tolist()]
    if person.hands is not None:
        turned = person.hands.by_joint().items()
        result["hands"] = {name: quaternion_to_json(each) for name, each in turned if not np.array_equal(each, REST)}
    result["global_positions"] = dict(zip(names, plain(joints.positions), strict=True))
    result["effectors"] = [effector_to_json(effector) for effector in person.effectors]
    if person.base_pose is not None:
        result["base_pose"] = _pose(skeleton, person.base_pose)
    if person.motion is not None:
        result["motion"] = motion_to_json(person.motion, names, person.frame, person.moving_hands)
    return result


def _pose(skeleton: Skeleton, pose: Pose) -> dict[str, Any]:
    quaternions = [quaternion_to_json(rotation) for rotation in pose.rotations]
    return {
        "root": {"translation": plain(pose.root_position), "rotation": quaternions[0]},
        "local_rotations": dict(zip(skeleton.names, quaternions, strict=True)),
    }


def _camera(camera: PinholeCamera) -> dict[str, Any]:
    height = camera.image_size[1]
    return {
        "position": plain(camera.position),
        "rotation": quaternion_to_json(camera.rotation),
        "focal_px": float(camera.focal_px),
        "fov_y_deg": round(math.degrees(2 * math.atan2(height / 2, camera.focal_px)), 6),
        "principal_px": [float(v) for v in np.asarray(camera.principal_px)],
        "image_size": [int(v) for v in camera.image_size],
    }
