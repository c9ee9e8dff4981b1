"""GLB files of our own, and as other programs would have written them."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from app.document import edits
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Document
from app.document.posing.create import new_character
from solver.body.body import BodyShape
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector

SHAPE = BodyShape(np.array([1.5, 0, 0, 1, -1, 0, 0, 0, 0, 0], np.float32))


def posed(seed: int = 1, place: tuple[float, float, float] = (0.3, 0.95, -0.5)) -> Document:
    turns = from_rotation_vector(np.random.default_rng(seed).normal(0, 0.35, (24, 3))).astype(np.float32)
    character = new_character(Document(), shape=SHAPE, pose=Pose(np.array(place, np.float32), turns))
    return edits.add_character(character)(Document())


def exported(folder: Path, document: Document, names: str = "smpl", whole_motion: bool = False) -> Path:
    (file,) = export_skinned(folder / "a.glb", document.characters, names=names, whole_motion=whole_motion)
    return file


def changed(path: Path, change: Any) -> Path:
    """The file with its JSON changed."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    content = json.loads(data[20 : 20 + length])
    change(content)
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + data[20 + length :]
    path.write_bytes(data[:8] + struct.pack("<I", 12 + len(body)) + body)
    return path


def moving(frames: int = 9, fps: float = 24.0) -> Document:
    """Somebody who turns every joint steadily and goes along +Z."""
    vectors = np.random.default_rng(3).normal(0, 0.35, (24, 3))
    share = np.linspace(0, 1, frames)
    turns = from_rotation_vector(share[:, None, None] * vectors).astype(np.float32)
    way = np.stack([0.2 + 0 * share, 0.95 + 0 * share, share], axis=-1).astype(np.float32)
    return edits.import_motion("c1", Motion(way, turns, fps))(posed())


def description(path: Path) -> dict[str, Any]:
    """The JSON of a GLB file."""
    return parts(path)[0]


def parts(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON of a GLB file and its buffer."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[20 + length + 8 :]
