"""A rigged GLB file opens as it stands: our own export, several people, and MHR's names; damage is refused."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.exchange.skinned import export_skinned
from app.document.model.document import Document
from app.document.posing.create import new_character
from app.document.posing.solving import joints_of
from solver.body.body import BodyShape
from solver.errors import InputRefused
from solver.estimates.glb import read_glb
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

SHAPE = BodyShape(np.array([1.5, 0, 0, 1, -1, 0, 0, 0, 0, 0], np.float32))
MHR = {
    "pelvis": "root", "spine1": "c_spine0", "spine2": "c_spine2", "spine3": "c_spine3", "neck": "c_neck",
    "head": "c_head", "hip": "upleg", "knee": "lowleg", "ankle": "foot", "foot": "ball", "collar": "clavicle",
    "shoulder": "uparm", "elbow": "lowarm", "wrist": "wrist", "hand": "middle1",
}  # fmt: skip


def posed(seed: int = 1, place: tuple[float, float, float] = (0.3, 0.95, -0.5)) -> Document:
    turns = from_rotation_vector(np.random.default_rng(seed).normal(0, 0.35, (24, 3))).astype(np.float32)
    character = new_character(Document(), shape=SHAPE, pose=Pose(np.array(place, np.float32), turns))
    return edits.add_character(character)(Document())


def exported(folder: Path, document: Document, names: str = "smpl") -> Path:
    (file,) = export_skinned(folder / "a.glb", document.characters, names=names)
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


def read(path: Path) -> Document:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document())


@pytest.mark.parametrize("names", ["smpl", "humanik", "mixamo"])
def test_our_own_export_comes_back_in_its_pose_and_shape(tmp_path: Path, names: str) -> None:
    document = posed()
    back = read(exported(tmp_path, document, names))
    apart = joints_of(back.characters[0]).positions - joints_of(document.characters[0]).positions
    assert np.linalg.norm(apart, axis=1).max() < 0.01


def test_a_rig_with_mhr_s_names_is_recognised(tmp_path: Path) -> None:
    document = posed(2)

    def renamed(content: dict[str, Any]) -> None:
        for node in content["nodes"]:
            side, _, part = node.get("name", "").rpartition("_")
            if node.get("name") in SMPL_JOINTS:
                node["name"] = (f"{side[0]}_" if side else "") + MHR[part]

    back = read(changed(exported(tmp_path, document), renamed))
    apart = joints_of(back.characters[0]).positions - joints_of(document.characters[0]).positions
    assert np.linalg.norm(apart[:22], axis=1).max() < 0.01


def test_a_scaled_armature_above_the_joints_does_not_change_the_pose(tmp_path: Path) -> None:
    document = posed(3)

    def above(content: dict[str, Any]) -> None:
        content["nodes"][0]["scale"] = [2.0, 2.0, 2.0]

    back = read(changed(exported(tmp_path, document), above))
    ours, theirs = (joints_of(d.characters[0]).rotations for d in (back, document))
    assert np.abs(ours - theirs).max() < 0.02


def test_each_skin_becomes_a_person(tmp_path: Path) -> None:
    path = exported(tmp_path, posed())
    back = read(changed(path, lambda content: content["skins"].append(content["skins"][0])))
    assert len(back.characters) == 2


def test_a_mesh_without_a_skeleton_is_refused_with_a_way_out(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lambda content: content.pop("skins"))
    with pytest.raises(InputRefused, match=r"a\.glb: holds a mesh without a skeleton\. Export the rig with its skin"):
        read_glb(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c["nodes"][3].update(children=[1]), "hangs from two others"),
        (lambda c: c["skins"][0].update(inverseBindMatrices=999), "not valid glTF"),
        (lambda c: c["nodes"][4].update(rotation=[0, 0, 0, 0]), "a quaternion of length 0"),
        (lambda c: c["nodes"][4].update(translation=[float("nan"), 0, 0]), "stands nowhere"),
        (lambda c: c.update(nodes=5), "not valid glTF"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, change: Any, said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        read_glb(changed(exported(tmp_path, posed()), change))


@pytest.mark.parametrize("length", [0, 4, 19, 300, 5000])
def test_a_file_that_was_cut_short_is_refused(tmp_path: Path, length: int) -> None:
    path = exported(tmp_path, posed())
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(InputRefused, match=r"a\.glb"):
        read_glb(path)


def test_an_animation_that_is_not_read_is_said(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lambda content: content.update(animations=[{}]))
    assert "animation is not read" in open_file(path).report
