"""A document as a scene: plain values ready for JSON. docs/scene-format.md describes the format."""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app import __version__
from app.document.problem import skeleton_of
from app.document.state import FORMAT_VERSION, Character, Document, Photo, PhotoCamera
from solver.formats.effector_json import effector_to_json
from solver.formats.json_checks import plain
from solver.kinematics.pose import Motion, Pose

FORMAT = "contrapposto-scene"
MIN_READER_VERSION = 1  # the oldest reader that may open what is written here
MOTION_ENCODING = "float32-le zlib base64"


def scene_dict(document: Document, folder: Path) -> dict[str, Any]:
    """The scene as it is saved into `folder`: photo paths are written relative to it; unknown keys are put back."""
    scene = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "min_reader_version": MIN_READER_VERSION,
        "generator": f"contrapposto {__version__}",
        "characters": [_character(character) for character in document.characters],
        "photo": None if document.photo is None else _photo(document.photo, folder),
    }
    return merged(scene, document.extra)


def merged(known: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """`known` with the keys of `extra` that it lacks; objects within are merged in the same way.

    Where `known` holds a list of objects with ids, `extra` holds an object of such leftovers by id.
    """
    result = dict(known)
    for key, value in extra.items():
        mine = result.get(key)
        if key not in result:
            result[key] = value
        elif isinstance(mine, dict) and isinstance(value, Mapping):
            result[key] = merged(mine, value)
        elif isinstance(mine, list) and isinstance(value, Mapping):
            result[key] = [merged(item, value.get(item.get("id"), {})) for item in mine]
    return result


def relative_path(path: str, folder: Path) -> str:
    """The path as seen from `folder`, with forward slashes; as it is where that cannot be said (another drive)."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path


def _character(character: Character) -> dict[str, Any]:
    names = skeleton_of(character).names
    known: dict[str, Any] = {
        "id": character.id,
        "name": character.name,
        "color": character.color,
        "visible": character.visible,
        "locked": character.locked,
        "body": character.body,
        "shape": {"gender": character.shape.gender, "betas": plain(character.shape.betas)},
        "pose": _pose(character.pose, names),
        "base_pose": _pose(character.base_pose, names),
        "effectors": [effector_to_json(effector, exact=True) for effector in character.effectors],
        "preserve": {
            "strength": character.preserve.strength,
            "place": sorted(character.preserve.place),
            "shape": sorted(character.preserve.shape),
        },
        "solver": character.solver,
        "raw": character.raw,
        "motion": None if character.motion is None else _motion(character.motion),
        "frame": character.frame,
    }
    return merged(known, character.extra)


def _pose(pose: Pose, names: tuple[str, ...]) -> dict[str, Any]:
    matrices = plain(pose.rotations.reshape(-1, 9))
    return {"root_position": plain(pose.root_position), "rotations": dict(zip(names, matrices, strict=True))}


def _motion(motion: Motion) -> dict[str, Any]:
    return {
        "fps": motion.fps,
        "frames": len(motion),
        "joints": motion.rotations.shape[1],
        "encoding": MOTION_ENCODING,
        "root_positions": _packed(motion.root_positions),
        "rotations": _packed(motion.rotations),
    }


def _packed(array: NDArray[np.floating]) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(array, dtype="<f4").tobytes(), 6)).decode("ascii")


def _photo(photo: Photo, folder: Path) -> dict[str, Any]:
    known = {
        "path": relative_path(photo.path, folder),
        "sha256": photo.sha256,
        "visible": photo.visible,
        "opacity": photo.opacity,
        "camera": _camera(photo.camera),
    }
    return merged(known, photo.extra)


def _camera(camera: PhotoCamera) -> dict[str, Any]:
    return {
        "position": plain(camera.position),
        "rotation": plain(camera.rotation.reshape(9)),
        "focal_px": camera.focal_px,
        "principal_px": list(camera.principal_px),
        "image_size": list(camera.image_size),
    }
