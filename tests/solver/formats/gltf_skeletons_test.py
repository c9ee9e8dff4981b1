"""A rigged GLB file opens as it stands: our own export, several people, and MHR's names; damage is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_changes import changed, exported, posed

from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.model.figure import joints_of
from solver.errors import InputRefused
from solver.formats.gltf.skeletons import read_skeletons
from solver.kinematics.skeleton import SMPL_JOINTS

MHR = {
    "pelvis": "root", "spine1": "c_spine0", "spine2": "c_spine2", "spine3": "c_spine3", "neck": "c_neck",
    "head": "c_head", "hip": "upleg", "knee": "lowleg", "ankle": "foot", "foot": "ball", "collar": "clavicle",
    "shoulder": "uparm", "elbow": "lowarm", "wrist": "wrist", "hand": "middle1",
}  # fmt: skip


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


def test_the_report_knows_mixamo_s_names_with_a_numbered_prefix(tmp_path: Path) -> None:
    def numbered(content: dict[str, Any]) -> None:
        for node in content["nodes"]:
            node["name"] = node.get("name", "").replace("mixamorig:", "mixamorig7:")

    path = changed(exported(tmp_path, posed(), "mixamo"), numbered)
    assert "Joint names: Mixamo;" in open_file(path).report


def test_a_scaled_armature_above_the_joints_does_not_change_the_pose(tmp_path: Path) -> None:
    document = posed(3)

    def above(content: dict[str, Any]) -> None:
        content["nodes"][0]["scale"] = [2.0, 2.0, 2.0]

    back = read(changed(exported(tmp_path, document), above))
    ours, theirs = (joints_of(d.characters[0]).rotations for d in (back, document))
    assert np.abs(ours - theirs).max() < 0.02


def doubled(content: dict[str, Any]) -> None:
    """Everything once more, as another person beside the first."""
    nodes, count = content["nodes"], len(content["nodes"])
    for node in list(nodes):
        moved = {"children": [child + count for child in node.get("children", ())]}
        nodes.append({**node, **moved, **({"skin": 1} if "skin" in node else {})})
    skin = content["skins"][0]
    content["skins"].append({**skin, "joints": [joint + count for joint in skin["joints"]]})


def test_each_skeleton_becomes_a_person(tmp_path: Path) -> None:
    assert len(read(changed(exported(tmp_path, posed()), doubled)).characters) == 2


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("above", ["nothing", "one node"])
def test_two_skeletons_without_a_skin_are_two_people(tmp_path: Path, above: str, named: bool) -> None:
    def bones_alone(content: dict[str, Any]) -> None:
        count = len(content["nodes"])
        doubled(content)
        content.pop("skins")
        content.pop("meshes")
        nodes = content["nodes"]
        for node in nodes:
            node.pop("mesh", None)
            node.pop("skin", None)
            if not named:
                node.pop("name", None)
        nodes[count]["translation"] = [1.0, 0.0, 0.0]  # the armature of the second
        if above == "one node":
            nodes.append({"name": "Scene", "children": [0, count]})

    assert len(read(changed(exported(tmp_path, posed()), bones_alone)).characters) == 2


def test_clothes_and_hair_on_the_same_skeleton_are_no_people(tmp_path: Path) -> None:
    def dressed(content: dict[str, Any]) -> None:
        skin = content["skins"][0]
        content["skins"] += [{**skin, "joints": skin["joints"][:9]}, {**skin, "joints": skin["joints"][12:16]}]

    document = posed(4)
    back = read(changed(exported(tmp_path, document), dressed))
    assert len(back.characters) == 1
    apart = joints_of(back.characters[0]).positions - joints_of(document.characters[0]).positions
    assert np.linalg.norm(apart, axis=1).max() < 0.01


def test_a_mesh_without_a_skeleton_is_refused_with_a_way_out(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lambda content: content.pop("skins"))
    with pytest.raises(InputRefused, match=r"a\.glb holds a mesh without a skeleton\. Export the rig with its skin"):
        read_skeletons(path)


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
        read_skeletons(changed(exported(tmp_path, posed()), change))


@pytest.mark.parametrize("length", [0, 4, 19, 300, 5000])
def test_a_file_that_was_cut_short_is_refused(tmp_path: Path, length: int) -> None:
    path = exported(tmp_path, posed())
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(InputRefused, match=r"a\.glb"):
        read_skeletons(path)
