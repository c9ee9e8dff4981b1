"""Sound files of every kind that the program reads, made by its own writers, for the fuzz to damage."""

from __future__ import annotations

import io
import json
import random
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from app.document import edits
from app.document.exchange.pose_exchange import pose_file_of
from app.document.model.document import Document, Photo
from app.document.model.figure import skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import scene_text
from solver.body.embedded_body import BODY_FOLDER
from solver.camera import PinholeCamera
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.formats.bvh.write import bvh_text
from solver.formats.pose_json.write import pose_json_text
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

FOLDER = Path("/scenes")


@cache
def walking(frames: int = 5) -> Motion:
    """Somebody who sways and walks on a little."""
    rng = np.random.default_rng(frames)
    turns = 0.3 * rng.normal(size=(1, 24, 3)) + 0.1 * rng.normal(size=(frames, 24, 3))
    path = np.linspace([0, 0.95, 0], [0.1, 0.97, 0.5], frames)
    return Motion(path.astype(np.float32), from_rotation_vector(turns).astype(np.float32))


@cache
def document() -> Document:
    """Two people, effectors of every kind, a motion, a photo and two props."""
    made = new_document()
    first = made.characters[0]
    made = edits.import_motion(first.id, walking())(made)
    more = (
        Position("left_wrist", (0.4, 1.2, 0.3), pinned=True, id="e20"),
        Rotation("head", from_rotation_vector(np.array([0, 0.3, 0])), tolerance=0.4, id="e21"),
        LookAt("head", (1, 1.5, 3), id="e22"),
    )
    made = made.with_character(replace(made.character(first.id), effectors=more))
    made = edits.add_character(replace(new_character(made), effectors=more[:2]))(made)
    camera = PinholeCamera((0, 1.5, 4), np.eye(3), 1200.0, (320.0, 240.0), (640, 480))
    shape = surface_of("box")
    box = Prop("p1", "Box", "box", np.array([0.5, 0.4, 0.5]), place=np.array([1.0, 0.0, 0.0]))
    mesh = Prop("p2", "Crate", "mesh", np.ones(3), mesh=PropMesh(shape.vertices, shape.faces))
    return replace(made, photos=(Photo("/photos/team.jpg", "0" * 64, camera),), props=(box, mesh))


@cache
def bvh_seeds() -> tuple[str, ...]:
    """One motion in each spelling that we write."""
    skeleton = skeleton_of(document().characters[0])
    return (
        bvh_text(skeleton, walking(), names="smpl"),
        bvh_text(skeleton, walking(3), names="humanik", unit="cm"),
        bvh_text(skeleton, walking(1), names="mixamo", unit="cm"),
    )


@cache
def scene_seed() -> str:
    """The document as a scene."""
    return scene_text(document(), FOLDER)


@cache
def pose_seed() -> str:
    """The document's people as a pose file, with the motion of who moves."""
    return pose_json_text(pose_file_of(document(), FOLDER, motions=True))


@cache
def motion_arrays(width: int) -> dict[str, Any]:
    """The arrays of an AMASS file with so many numbers a frame; 0 for one in parts."""
    rng = np.random.default_rng(width)
    count = width or 66
    poses, trans = 0.3 * rng.normal(size=(6, count)), rng.normal(size=(6, 3))
    whole: dict[str, Any] = {"trans": trans, "mocap_framerate": np.array(120.0), "betas": np.zeros(16)}
    return whole | ({"poses": poses} if width else {"root_orient": poses[:, :3], "pose_body": poses[:, 3:]})


@cache
def body_arrays() -> dict[str, Any]:
    """Our neutral body with a tenth of its vertices, in the layout of an official file."""
    with np.load(BODY_FOLDER / "neutral.npz") as file:
        some = np.arange(0, len(file["v_template"]), 10)
        regressor = file["J_regressor"]
        joints = regressor @ file["v_template"]
        template = file["v_template"][some].astype(np.float64)
        nearest = np.argsort(np.linalg.norm(joints[:, None] - template, axis=-1), axis=1)[:, :8]
        small = np.zeros((24, len(some)))
        np.put_along_axis(small, nearest, 1 / 8, axis=1)
        faces = np.arange(3 * (len(some) // 3)).reshape(-1, 3)
        return {
            "v_template": template, "shapedirs": file["shapedirs"][some].astype(np.float64),
            "J_regressor": small, "weights": file["weights"][some].astype(np.float64), "f": faces,
        }  # fmt: skip


@cache
def model_seed() -> bytes:
    """A small network of random weights as an ONNX file."""
    import torch

    from solver.networks.residual import NetworkShape
    from solver.networks.smplik import SmplIK
    from solver.training.export.onnx_model import onnx_bytes

    torch.manual_seed(3)
    return onnx_bytes(SmplIK(22, NetworkShape(width=16, embedding=4)).eval())


def weights_config(fingerprint: str) -> str:
    """The config.json that belongs to a model with that SHA-256."""
    from solver.solvers.learned.weights import WeightsConfig

    values = WeightsConfig(
        "smplik", "smplik", SMPL_JOINTS[:22], "anny", "columns", "fp32", fingerprint, {}, "none", "none", "", ""
    )
    return json.dumps(asdict(values))


def picture_seed(rng: random.Random) -> tuple[str, bytes]:
    """A suffix and a small picture in one of the formats and modes that cameras and programs write."""
    from PIL import Image

    kind, modes = rng.choice(
        (("JPEG", ("RGB", "L", "CMYK")), ("PNG", ("RGB", "RGBA", "P", "L", "I;16", "1", "LA")),
         ("WEBP", ("RGB", "RGBA")), ("TIFF", ("RGB", "I;16", "F", "L", "CMYK")), ("BMP", ("RGB", "L")),
         ("GIF", ("P", "L")))
    )  # fmt: skip
    mode = rng.choice(modes)
    pixels = np.random.default_rng(1).integers(0, 255, (40, 60, 3)).astype(np.uint8)
    image = Image.fromarray(pixels, "RGB")
    if mode in ("I;16", "F"):
        image = Image.fromarray(pixels[..., 0].astype(np.uint16 if mode == "I;16" else np.float32))
    else:
        image = image.convert(mode)
    exif = Image.Exif()
    exif[0x0112] = rng.choice((1, 3, 6, 8))
    buffer = io.BytesIO()
    image.save(buffer, format=kind, **({"exif": exif} if kind in ("JPEG", "PNG", "WEBP") else {}))
    return "." + kind.lower(), buffer.getvalue()
