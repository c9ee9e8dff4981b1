"""The photo behind the scene and its camera in a scene file: their tables."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from app.document.model.document import FOCAL_FROM, UNKNOWN, Photo
from solver.camera import PinholeCamera
from solver.files.json_checks import Node
from solver.files.json_forms import Boolean, Choice, Context, Integer, ListOf, Number, Numbers, Text, Vector
from solver.files.json_record import Field, Record, made_as
from solver.formats.pose_json.rotation_json import Matrix


class PhotoPath(Text):
    """A path: absolute in the program, relative to the scene's folder in the file."""

    def value(self, node: Node, context: Context) -> str:
        """The absolute path."""
        return os.path.normpath(context.folder / super().value(node, context))

    def write(self, value: Any, context: Context) -> str:
        """The path relative to the scene."""
        return relative_path(value, context.folder)


def relative_path(path: str, folder: Path) -> str:
    """The path relative to `folder`, with forward slashes; unchanged where there is none (another drive)."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path


def _sha256(text: str, node: Node) -> None:
    if not re.fullmatch("[0-9a-f]{64}", text):
        node.refuse("is not a SHA-256 in 64 hexadecimal digits", "Leave the photo out and open it again")


CAMERA = Record(
    "camera",
    "A pinhole camera. Its frame: x right, y up, it looks along -z.",
    (
        Field("position", Vector(), "Where it is in the world, metres."),
        Field("rotation", Matrix(), "R_world_camera."),
        Field("focal_px", Number(1e-3, 1e6), "Focal length in pixels."),
        Field("principal_px", Numbers(2), "Where the optical axis meets the picture, pixels from its top left."),
        Field("image_size", ListOf(Integer(1, 100_000), exactly=2), "Width and height in pixels."),
    ),
    made_as(PinholeCamera),
)
PHOTO = Record(
    "photo",
    "A photo and the camera that took it.",
    (
        Field("path", PhotoPath(), "Relative to the scene file, with forward slashes."),
        Field("sha256", Text(64, pattern="^[0-9a-f]{64}$", check=_sha256), "Of the photo's file, to recognise it by."),
        Field("visible", Boolean(), "Whether it is shown.", True),
        Field("opacity", Number(0, 1), "How far it covers the background.", 1.0),
        Field("camera", CAMERA, "The camera that took it."),
        Field(
            "focal_from",
            Choice(FOCAL_FROM),
            "Where the focal length comes from: noted in the photo's file, guessed, or set by hand or an estimator.",
            UNKNOWN,
            quiet=True,
        ),
    ),
    made_as(Photo),
    keeps=True,
)
