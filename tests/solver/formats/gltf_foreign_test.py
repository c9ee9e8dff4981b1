"""Animated characters of other programs: what moves, at which rate, in which units, and in which files."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_changes import changed, exported, moving, parts, posed

from app.document.exchange.open_file import LEFT_OUT, open_file
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from solver.errors import InputRefused
from solver.formats.gltf import animation, skeletons
from solver.formats.gltf.skeletons import holds_skeleton, read_skeletons
from solver.kinematics.rotations import from_quaternion_xyzw
from solver.kinematics.skeleton import SMPL_JOINTS

FRAMES = 9
VRM = {
    "pelvis": "hips", "spine1": "spine", "spine2": "chest", "spine3": "upperChest", "neck": "neck", "head": "head",
    "hip": "UpperLeg", "knee": "LowerLeg", "ankle": "Foot", "foot": "Toes", "collar": "Shoulder",
    "shoulder": "UpperArm", "elbow": "LowerArm", "wrist": "Hand",
}  # fmt: skip


def opened(path: Path) -> Document:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document())


def ways(document: Document, place: int = 0) -> np.ndarray:
    """(F, 22, 3) metres, where somebody's joints are in each frame."""
    actor = document.actors[place]
    frames = range(len(actor.clip))
    at = [joints_of(document.at_frame(actor.id, f).character(actor.id)).positions[:22] for f in frames]
    return np.stack(at)


def miss(back: Document, document: Document) -> float:
    return float(np.linalg.norm(ways(back) - ways(document), axis=-1).max())


@pytest.fixture(scope="module")
def walk() -> Document:
    return moving(FRAMES)


def test_a_motion_comes_back_at_its_own_rate(walk: Document, tmp_path: Path) -> None:
    back = opened(exported(tmp_path, walk, whole_motion=True))
    assert back.actors[0].clip.fps == 24.0
    assert len(back.actors[0].clip) == FRAMES
    assert miss(back, walk) < 0.001


def test_an_armature_in_centimetres_with_z_up_moves_as_before(walk: Document, tmp_path: Path) -> None:
    half = float(np.sqrt(0.5))

    def in_centimetres(content: dict[str, Any]) -> None:
        nodes, count = content["nodes"], len(content["nodes"])
        up, back = [-half, 0.0, 0.0, half], [half, 0.0, 0.0, half]  # X turned by -90 degrees, as of FBX files
        nodes.append({"name": "Armature", "scale": [0.01] * 3, "rotation": up, "children": [count + 1]})
        nodes.append({"name": "Scene", "scale": [100.0] * 3, "rotation": back, "children": [0]})
        content["scenes"][0]["nodes"] = [count, *content["scenes"][0]["nodes"][1:]]

    assert miss(opened(changed(exported(tmp_path, walk, whole_motion=True), in_centimetres)), walk) < 0.001


@pytest.mark.parametrize("mesh", ["below it", "beside it"])
def test_a_skin_that_is_bound_in_the_armature_s_own_space_is_as_large_and_turned_as_it_stands(
    walk: Document, tmp_path: Path, mesh: str
) -> None:
    half = float(np.sqrt(0.5))

    def above(content: dict[str, Any]) -> None:
        armature = content["nodes"][0]
        armature |= {"scale": [0.01] * 3, "rotation": [0.0, half, 0.0, half]}
        (skinned,) = (place for place, node in enumerate(content["nodes"]) if "skin" in node)
        if mesh == "below it":
            armature["children"].append(skinned)
            content["scenes"][0]["nodes"].remove(skinned)

    back = ways(opened(changed(exported(tmp_path, walk, whole_motion=True), above)))
    there = ways(walk)[..., [2, 1, 0]] * [1.0, 1.0, -1.0]  # a quarter turn to +X
    assert np.linalg.norm((back - back[:1, :1]) - (there - there[:1, :1]), axis=-1).max() < 0.01, (
        "the shape is fitted anew"
    )


@pytest.mark.parametrize("side", [1.0, -1.0], ids=["face down", "on the back"])
def test_somebody_who_lies_by_the_node_above_the_skeleton_is_opened_lying(side: float, tmp_path: Path) -> None:
    half = float(np.sqrt(0.5))

    def laid_down(content: dict[str, Any]) -> None:
        content["nodes"][0]["rotation"] = [side * half, 0.0, 0.0, half]

    back = ways(opened(changed(exported(tmp_path, new_document()), laid_down)))[0]
    up = back[SMPL_JOINTS.index("head")] - back[0]
    assert up / np.linalg.norm(up) == pytest.approx([0.0, 0.0, side], abs=0.1)


def test_the_hips_move_below_a_root_that_stays(walk: Document, tmp_path: Path) -> None:
    def under_a_root(content: dict[str, Any]) -> None:
        content["skins"][0]["joints"].append(0)
        content["skins"][0].pop("inverseBindMatrices")
        content["nodes"][0]["name"] = "root"

    back = opened(changed(exported(tmp_path, walk, whole_motion=True), under_a_root))
    way = ways(back)[:, 0] - ways(walk)[:, 0]
    assert np.linalg.norm(way - way[0], axis=-1).max() < 0.02


def test_the_first_of_several_animations_is_read_and_named(walk: Document, tmp_path: Path) -> None:
    def twice(content: dict[str, Any]) -> None:
        (first,) = content["animations"]
        content["animations"] = [{**first, "name": "idle"}, {**first, "name": "run"}]

    path = changed(exported(tmp_path, walk, whole_motion=True), twice)
    assert open_file(path).hint == "Of 2 animations the first was read (“idle”)."
    assert miss(opened(path), walk) < 0.001


def test_animations_of_one_joint_each_go_together(walk: Document, tmp_path: Path) -> None:
    def apart(content: dict[str, Any]) -> None:
        (whole,) = content["animations"]
        content["animations"] = [
            {"samplers": [whole["samplers"][channel["sampler"]]], "channels": [{**channel, "sampler": 0}]}
            for channel in whole["channels"]
        ]

    path = changed(exported(tmp_path, walk, whole_motion=True), apart)
    assert open_file(path).hint == ""
    assert miss(opened(path), walk) < 0.001


def test_curves_that_step_stay_at_each_key(walk: Document, tmp_path: Path) -> None:
    def stepping(content: dict[str, Any]) -> None:
        for sampler in content["animations"][0]["samplers"]:
            sampler["interpolation"] = "STEP"

    assert miss(opened(changed(exported(tmp_path, walk, whole_motion=True), stepping)), walk) < 0.001


@pytest.mark.parametrize("how", ["beside it", "within it"])
def test_a_gltf_file_is_read_with_its_buffer(walk: Document, tmp_path: Path, how: str) -> None:
    content, buffer = parts(exported(tmp_path, walk, whole_motion=True))
    uri = "her%20data.bin"
    if how == "within it":
        uri = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
    else:
        (tmp_path / "her data.bin").write_bytes(buffer)
    content["buffers"][0]["uri"] = uri
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(content))
    assert miss(opened(path), walk) < 0.001


def test_a_file_of_a_sword_alone_is_refused(tmp_path: Path) -> None:
    def sword(content: dict[str, Any]) -> None:
        content["nodes"] = [{"name": "hilt", "children": [1]}, {"name": "blade", "translation": [0, 1, 0]}]
        content["skins"] = [{"joints": [0, 1]}]

    with pytest.raises(InputRefused, match=r"a\.glb: no human body was recognised in its skeleton"):
        open_file(changed(exported(tmp_path, posed()), sword))


def test_nodes_may_be_told_by_their_matrices(tmp_path: Path) -> None:
    document = posed(5)

    def as_matrices(content: dict[str, Any]) -> None:
        for node in content["nodes"]:
            matrix = np.eye(4)
            matrix[:3, :3] = from_quaternion_xyzw(np.array(node.pop("rotation", [0, 0, 0, 1.0])))
            matrix[:3, 3] = node.pop("translation", [0, 0, 0])
            node["matrix"] = matrix.T.ravel().tolist()

    assert miss(opened(changed(exported(tmp_path, document), as_matrices)), document) < 0.01


def test_an_animation_of_a_face_alone_leaves_the_person_still(walk: Document, tmp_path: Path) -> None:
    def smiling(content: dict[str, Any]) -> None:
        (animation,) = content["animations"]
        animation["channels"] = [{"sampler": 0, "target": {"node": 25, "path": "weights"}}]

    back = opened(changed(exported(tmp_path, walk, whole_motion=True), smiling))
    assert len(back.actors[0].clip) == 1


@pytest.mark.parametrize("suffix", ["gltf", "vrm", "vrma", "glb"])
def test_what_is_called_so_but_holds_something_else_is_refused_as_no_gltf(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_text("no model")
    with pytest.raises(InputRefused, match=rf"a\.{suffix} is not a GLB file of glTF 2\.0\. Export it again"):
        open_file(path)


@pytest.mark.parametrize("version", ["VRM", "VRMC_vrm", "VRMC_vrm_animation"])
def test_of_a_vrm_file_its_own_table_says_which_bone_is_which(tmp_path: Path, version: str) -> None:
    document = posed(6)

    def as_vrm(content: dict[str, Any]) -> None:
        bones = {}
        for place, node in enumerate(content["nodes"]):
            side, _, part = node["name"].rpartition("_")
            if part in VRM:
                bones[side + VRM[part]] = place
            node["name"] = f"n{place}"
        if version != "VRM":
            told = {bone: {"node": place} for bone, place in bones.items()}
            content["extensions"] = {version: {"humanoid": {"humanBones": told}}}
        else:
            told = [{"bone": bone, "node": place} for bone, place in bones.items()]
            content["extensions"] = {"VRM": {"humanoid": {"humanBones": told}}}

    path = changed(exported(tmp_path, document), as_vrm)
    assert "Joint names: VRM;" in open_file(path).report
    back, there = (ways(d)[0] for d in (opened(path), document))
    if version == "VRM":  # its people look along -Z, and come in looking along +Z
        back = back * [-1.0, 1.0, -1.0]
    apart = (back - back[0]) - (there - there[0])
    assert np.linalg.norm(apart, axis=-1).max() < 0.01


def test_bones_without_a_skin_are_a_person(walk: Document, tmp_path: Path) -> None:
    def bare(content: dict[str, Any]) -> None:
        for key in ("skins", "meshes", "materials"):
            content.pop(key)
        for node in content["nodes"]:
            node.pop("skin", None)
            node.pop("mesh", None)
            if node["name"] != "pelvis":  # at rest, as files without skin have their nodes
                node.pop("rotation", None)
        content["nodes"][1]["rotation"] = [0.0, 0.0, 0.0, 1.0]

    path = changed(exported(tmp_path, walk, whole_motion=True), bare)
    assert holds_skeleton(path)
    assert miss(opened(path), walk) < 0.001


def test_a_skeleton_that_is_no_person_is_left_out_and_named(tmp_path: Path) -> None:
    def with_a_sword(content: dict[str, Any]) -> None:
        count = len(content["nodes"])
        content["nodes"] += [{"name": "hilt", "children": [count + 1]}, {"name": "blade", "translation": [0, 1, 0]}]
        content["skins"].insert(0, {"name": "Sword", "joints": [count, count + 1]})
        content["nodes"][25]["skin"] = 1

    path = changed(exported(tmp_path, posed()), with_a_sword)
    found = open_file(path)
    assert found.hint == "Left out, as no human body was recognised in it: Sword."
    assert LEFT_OUT not in found.hint
    assert len(opened(path).actors) == 1


def test_so_many_joints_for_so_long_that_memory_would_not_hold_them_are_refused(
    walk: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = exported(tmp_path, walk, whole_motion=True)
    for module, numbers in ((animation, 4), (skeletons, 6)):
        monkeypatch.setattr(module, "MAX_CURVE_VALUES", FRAMES * 24 * numbers - 1)
        with pytest.raises(InputRefused, match="moves too many joints for too long"):
            read_skeletons(path)
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c["bufferViews"][c["accessors"][c["skins"][0]["inverseBindMatrices"]]["bufferView"]].update(
            extensions={"EXT_meshopt_compression": {}}), r"\.glb is compressed with meshopt, which .*\. Export"),
        (lambda c: (c.update(extensionsUsed=["KHR_draco_mesh_compression"]),
                    c["accessors"][c["skins"][0]["inverseBindMatrices"]].pop("bufferView")), "with Draco"),
        (lambda c: c["accessors"][c["skins"][0]["inverseBindMatrices"]].update(sparse={}), "sparse numbers"),
        (lambda c: c["accessors"][c["animations"][0]["samplers"][0]["input"]].update(count=10**9), "not valid glTF"),
        (lambda c: c["animations"][0]["samplers"][0].update(output=0), "not valid glTF"),
        (lambda c: c["animations"][0]["channels"][0].update(sampler=-99), "not valid glTF"),
        (lambda c: c["skins"][0].update(joints=[1, 1]), "a joint stands twice in its skin"),
        (lambda c: c["skins"][0]["joints"].append(0), "inverse bind matrices are not one for each joint"),
        (lambda c: c["accessors"][0].update(type="MAT4", byteOffset=-4) or c["skins"][0].update(inverseBindMatrices=0),
         "lies nowhere"),
        (lambda c: c["nodes"][5].update(children=[5]), "hang"),
        (lambda c: c["nodes"].extend({} for _ in range(20_000)), "more than 20,000 nodes"),
    ],
)  # fmt: skip
def test_numbers_that_cannot_be_read_are_refused(walk: Document, tmp_path: Path, change: Any, said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        read_skeletons(changed(exported(tmp_path, walk, whole_motion=True), change))
