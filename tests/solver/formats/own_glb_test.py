"""A pose or a motion of ours on the user's own skinned character: only its rig is posed, all else stays as it was."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from formats_samples import sample_motion
from gltf_changes import SHAPE, changed, description, exported, moving, parts, posed
from gltf_reader import read_glb

from app.document.exchange.skinned_export import export_skinned
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import posed_vertices
from solver.body.hand_presets import preset_hands
from solver.body.hands import relaxed_hands, skin_with
from solver.errors import InputRefused
from solver.formats.bvh.fingers import bvh_hands
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.bvh.read import to_motion
from solver.formats.bvh.world import BvhWorld
from solver.formats.gltf.skeletons import read_skeletons
from solver.formats.mesh.glb import GlbBuffer
from solver.formats.mesh.own_character import posed as posed_onto
from solver.formats.mesh.own_character import read_own_character
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

BODY = load_body(DEFAULT_BODY)
SKELETON = BODY.skeleton(SHAPE)
HALF = float(np.sqrt(0.5))
TENTH_OF_A_MILLIMETRE, TENTH_OF_A_DEGREE = 1e-4, np.radians(0.1)


def in_centimetres(content: dict[str, Any]) -> None:
    """Below an armature that is scaled and lies on its back, as of FBX files."""
    nodes, count = content["nodes"], len(content["nodes"])
    nodes.append({"name": "Armature", "scale": [0.01] * 3, "rotation": [-HALF, 0, 0, HALF], "children": [count + 1]})
    nodes.append({"name": "Scene", "scale": [100.0] * 3, "rotation": [HALF, 0, 0, HALF], "children": [0]})
    content["scenes"][0]["nodes"] = [count, *content["scenes"][0]["nodes"][1:]]


def bound_elsewhere(content: dict[str, Any]) -> None:
    """Bound in an armature's own space of centimetres, which faces +X."""
    content["nodes"][0] |= {"scale": [0.01] * 3, "rotation": [0.0, HALF, 0.0, HALF]}


def uneven(content: dict[str, Any]) -> None:
    content["nodes"][0] |= {"scale": [1.2, 0.9, 1.0], "rotation": [0.0, 0.3, 0.1, 0.9]}
    content["nodes"][5]["scale"] = [1.1, 1.0, 0.9]


def low_and_wide(content: dict[str, Any]) -> None:
    """Below an armature that is turned, low and wide, so that a bone is longer in one pose than in another."""
    content["nodes"][0] |= {"scale": [1.1, 0.85, 1.0], "rotation": [0.1, -0.5, 0.3, 0.8]}


def backwards(content: dict[str, Any]) -> None:
    content["extensions"] = {"VRM": {}}


def as_matrices(content: dict[str, Any]) -> None:
    for node in content["nodes"][1:10]:
        x, y, z, w = node.pop("rotation")
        s = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        matrix = np.eye(4)
        matrix[:3, :3] += 2 * w * s + 2 * s @ s
        matrix[:3, 3] = node.pop("translation")
        node["matrix"] = matrix.T.ravel().tolist()


def as_it_is(_content: dict[str, Any]) -> None:
    """Nothing."""


RIGS = [as_it_is, in_centimetres, bound_elsewhere, uneven, low_and_wide, backwards, as_matrices]


def onto(path: Path, motion: Motion | Pose, **own: Any) -> Path:
    """Beside the file: the file again in the motion."""
    if isinstance(motion, Pose):
        motion = Motion(motion.root_position[None], motion.rotations[None])
    target = path.with_name("posed.glb")
    target.write_bytes(posed_onto(read_own_character(path, False), 0, OwnMotion(SKELETON, motion, **own)))
    return target


def read(path: Path) -> Motion:
    return to_motion(read_skeletons(path).people[0], SKELETON)[0]


def joints(motion: Motion) -> np.ndarray:
    return forward_kinematics_batch(
        SKELETON.parents, SKELETON.offsets, motion.root_positions, motion.rotations
    ).positions


def skin(pose: Pose) -> np.ndarray:
    """(V, 3) metres: our own skin in a pose, with hands at ease."""
    return posed_vertices(BODY, SHAPE, pose, rest=skin_with(BODY, SHAPE, relaxed_hands()))


def places_in(path: Path) -> np.ndarray:
    """(F, J, 3) the file's own mapped joints in its world."""
    (person,) = read_skeletons(path).people
    world = BvhWorld(person, slice(None))
    return np.stack([world.position(j) for j in person.joint_map.joints.values()], axis=1)


@pytest.mark.parametrize("change", RIGS)
def test_a_pose_that_nobody_edited_leaves_the_rig_where_it_stood(change: Any, tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), change)
    again = onto(path, read(path))
    assert np.abs(places_in(again) - places_in(path)).max() < 1e-6
    assert geodesic_angle(read(again).rotations, read(path).rotations).max() < TENTH_OF_A_DEGREE
    assert "animations" not in description(again)


@pytest.mark.parametrize("change", RIGS)
def test_an_edited_pose_comes_back_as_it_was_edited(change: Any, tmp_path: Path) -> None:
    path, edited = changed(exported(tmp_path, posed()), change), sample_motion(1, seed=8).pose(0)
    back = read(onto(path, edited))
    assert geodesic_angle(back.rotations[0], edited.rotations).max() < TENTH_OF_A_DEGREE
    there = joints(Motion(edited.root_position[None], edited.rotations[None]))
    assert np.abs(joints(back) - there).max() < TENTH_OF_A_MILLIMETRE


@pytest.mark.parametrize("change", [as_it_is, in_centimetres, uneven, backwards])
def test_a_motion_is_the_first_animation_and_the_file_s_own_stay_behind_it(change: Any, tmp_path: Path) -> None:
    path, edited = changed(exported(tmp_path, moving(), whole_motion=True), change), sample_motion(6, seed=8, fps=25.0)
    again = onto(path, edited)
    back = read(again)
    assert (len(back), back.fps) == (6, 25.0)
    assert geodesic_angle(back.rotations, edited.rotations).max() < TENTH_OF_A_DEGREE
    assert np.abs(joints(back) - joints(edited)).max() < TENTH_OF_A_MILLIMETRE
    first, *others = description(again)["animations"]
    assert first["name"] == "motion 2"
    assert others == description(path)["animations"]


def test_a_motion_that_nobody_edited_leaves_every_frame_as_it_was(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, moving(), whole_motion=True), in_centimetres)
    assert np.abs(places_in(onto(path, read(path))) - places_in(path)).max() < 1e-6


def test_a_pose_is_not_hidden_by_an_animation_of_the_file(tmp_path: Path) -> None:
    path, edited = exported(tmp_path, moving(), whole_motion=True), sample_motion(1, seed=8)
    again = onto(path, edited)
    assert [one["name"] for one in description(again)["animations"]] == ["pose", "motion"]
    assert len(read(again)) == 1
    assert geodesic_angle(read(again).rotations, edited.rotations).max() < TENTH_OF_A_DEGREE


def test_bones_without_a_bind_keep_their_rest_pose(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lambda content: content["skins"][0].pop("inverseBindMatrices"))
    again, edited = onto(path, sample_motion(1, seed=8)), sample_motion(1, seed=8)
    assert description(again)["nodes"] == description(path)["nodes"]
    assert geodesic_angle(read(again).rotations, edited.rotations).max() < TENTH_OF_A_DEGREE


def test_all_but_the_posed_nodes_stays_byte_for_byte(tmp_path: Path) -> None:
    def extras(content: dict[str, Any]) -> None:
        content["extras"] = {"mine": [1, 2.5, "ä"]}
        content["nodes"][3]["extras"] = {"ik": True}
        content["extensionsUsed"] = ["VENDOR_thing"]
        content["materials"][0]["extensions"] = {"VENDOR_thing": {"a": 0.1}}

    path = changed(exported(tmp_path, moving(), whole_motion=True), extras)
    (before, buffer), (after, longer) = parts(path), parts(onto(path, sample_motion(5)))
    assert longer[: len(buffer)] == buffer
    for key in before.keys() - {"animations", "accessors", "bufferViews", "buffers"}:
        assert after[key] == before[key], key
    for key in ("accessors", "bufferViews"):
        assert after[key][: len(before[key])] == before[key]
    still, _ = parts(onto(path, sample_motion(1)))
    pairs = zip(still["nodes"], before["nodes"], strict=True)
    changes = [{key for key in now if now[key] != then.get(key)} for now, then in pairs]
    assert set().union(*changes) == {"translation", "rotation"}
    assert sum("translation" in change for change in changes) == 1, "only the pelvis goes anywhere"


def test_its_own_skin_is_where_ours_would_be(tmp_path: Path) -> None:
    (path,) = export_skinned(tmp_path / "a.glb", moving().characters, whole_motion=True)  # without kept volume
    edited = sample_motion(4, seed=8).pose(2)
    changed(path, lambda content: content.pop("animations"))
    again = onto(path, edited)
    assert np.abs(read_glb(again).skin_at() - skin(edited)).max() < TENTH_OF_A_MILLIMETRE
    seen = trimesh.load(again, process=False)
    assert sum(len(mesh.faces) for mesh in seen.geometry.values()) == len(BODY.faces)


def test_a_character_bound_in_an_a_pose_stands_in_our_pose(tmp_path: Path) -> None:
    lowered = np.tile(np.eye(3), (24, 1, 1))
    lowered[SKELETON.index("left_shoulder")] = from_rotation_vector([0.0, 0.0, -0.8])
    lowered[SKELETON.index("right_shoulder")] = from_rotation_vector([0.0, 0.0, 0.8])
    lowered[SKELETON.index("left_hip")] = from_rotation_vector([0.0, 0.0, 0.2])
    (path,) = export_skinned(tmp_path / "a.glb", moving().characters, names="mixamo", whole_motion=True)
    changed(path, lambda content: content.pop("animations"))
    path = bound_as_it_stands(onto(path, Pose(SKELETON.offsets[0], lowered)))
    edited = sample_motion(1, seed=8).pose(0)
    again = onto(path.rename(tmp_path / "bound.glb"), edited)
    assert geodesic_angle(read(again).rotations[0], edited.rotations).max() < TENTH_OF_A_DEGREE
    off = np.linalg.norm(read_glb(again).skin_at() - skin(edited), axis=1)
    assert off.mean() < 2e-3
    assert off.max() < 0.04, "where several joints share skin, it was bound bent"


def bound_as_it_stands(path: Path) -> Path:
    """The file with its skin bound in the pose in which its nodes stand."""
    gltf = read_glb(path)
    binary, content = bytearray(gltf.binary), gltf.content
    inverse = np.linalg.inv(gltf.worlds_at()[content["skins"][0]["joints"]]).swapaxes(1, 2)
    attributes = content["meshes"][0]["primitives"][0]["attributes"]
    for accessor, values in ((content["skins"][0]["inverseBindMatrices"], inverse),
                             (attributes["POSITION"], gltf.skin_at())):  # fmt: skip
        start = content["bufferViews"][content["accessors"][accessor]["bufferView"]]["byteOffset"]
        data = values.astype("<f4").tobytes()
        binary[start : start + len(data)] = data
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x4E4942) + binary
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path


def test_fingers_go_along_and_stay_as_the_rig_has_them_where_they_are_not_posed(tmp_path: Path) -> None:
    whole, fist = BODY.whole_rig(SHAPE), preset_hands("fist", BODY)
    (path,) = export_skinned(tmp_path / "a.glb", posed().characters, fingers=True)
    again = onto(path, sample_motion(1), whole=whole, turned=fist.by_joint())
    back = bvh_hands(read_skeletons(again).people[0], whole)
    assert back is not None
    assert geodesic_angle(back.rotations, fist.rotations).max() < np.radians(0.2)
    unposed = description(onto(path, sample_motion(1)))["nodes"]
    index = next(i for i, node in enumerate(unposed) if node["name"] == "left_index2")
    assert unposed[index] == description(path)["nodes"][index]


def test_a_gltf_file_becomes_one_file_with_its_buffers_and_pictures(tmp_path: Path) -> None:
    content, buffer = parts(exported(tmp_path, posed()))
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(57))
    content["buffers"][0]["uri"] = "a.bin"
    within = "data:image/png;base64,iVBORw0KGgo="
    content["images"] = [{"uri": "skin.png", "name": "skin"}, {"uri": "skin.png"}, {"uri": within}]
    (tmp_path / "a.bin").write_bytes(buffer)
    (tmp_path / "skin.png").write_bytes(picture)
    (tmp_path / "a.gltf").write_text(json.dumps(content))
    after, longer = parts(onto(tmp_path / "a.gltf", sample_motion(3)))
    assert longer[: len(buffer)] == buffer
    image, again, untouched = after["images"]
    assert again["bufferView"] == image["bufferView"], "a picture that is named twice is written once"
    assert untouched == {"uri": within}
    view = after["bufferViews"][image["bufferView"]]
    assert longer[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] == picture
    assert (image["mimeType"], image["name"], "uri" in image) == ("image/png", "skin", False)
    (tmp_path / "skin.png").unlink()
    with pytest.raises(InputRefused, match=r"a\.gltf: the file skin\.png that belongs to it is not there"):
        onto(tmp_path / "a.gltf", sample_motion(3))


def test_a_file_that_cannot_be_written_again_is_refused_in_words(tmp_path: Path) -> None:
    def not_a_number(content: dict[str, Any]) -> None:
        content["extras"] = float("nan")

    with pytest.raises(InputRefused, match=r"a\.glb cannot be written again: .*\. Export it again as GLB"):
        onto(changed(exported(tmp_path, posed()), not_a_number), sample_motion(1))


def test_a_file_whose_meshes_are_packed_beside_it_is_refused(tmp_path: Path) -> None:
    content, buffer = parts(exported(tmp_path, posed()))
    content["buffers"][0]["uri"] = "a.bin"
    content["bufferViews"].append({"buffer": 0, "byteLength": 4, "extensions": {"EXT_meshopt_compression": {}}})
    (tmp_path / "a.bin").write_bytes(buffer)
    (tmp_path / "a.gltf").write_text(json.dumps(content))
    with pytest.raises(InputRefused, match="is compressed with meshopt, which this program does not read"):
        onto(tmp_path / "a.gltf", sample_motion(1))


def test_a_rig_without_a_joint_that_carries_all_of_it_is_refused(tmp_path: Path) -> None:
    def in_two_halves(content: dict[str, Any]) -> None:
        """The spine beside the pelvis, below the first node, which is not a joint."""
        nodes = content["nodes"]
        pelvis, spine = (next(i for i, n in enumerate(nodes) if n["name"] == name) for name in ("pelvis", "spine1"))
        nodes[pelvis]["children"].remove(spine)
        nodes[0]["children"].append(spine)
        x, y, z, w = nodes[pelvis]["rotation"]
        s = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        turn = np.eye(3) + 2 * w * s + 2 * s @ s
        where = turn @ nodes[spine]["translation"] + nodes[pelvis]["translation"]
        nodes[spine]["translation"] = where.tolist()

    with pytest.raises(InputRefused, match="no joint of its rig carries the whole body. Parent its joints to one root"):
        onto(changed(exported(tmp_path, posed()), in_two_halves), sample_motion(1))


def test_a_glb_file_without_numbers_names_no_buffer() -> None:
    data = GlbBuffer().file({"asset": {"version": "2.0"}})
    length = struct.unpack_from("<I", data, 12)[0]
    assert json.loads(data[20 : 20 + length]) == {"asset": {"version": "2.0"}}


@pytest.mark.slow
def test_a_motion_too_long_for_all_the_joints_of_a_rig_is_refused(tmp_path: Path) -> None:
    frames = 200_000
    long = Motion(np.zeros((frames, 3), np.float32), np.broadcast_to(np.eye(3, dtype=np.float32), (frames, 24, 3, 3)))
    with pytest.raises(InputRefused, match="has too many joints for a motion this long. Export a shorter part"):
        onto(exported(tmp_path, posed()), long)


def test_joints_of_the_rig_s_own_go_on_as_the_file_moves_them_where_its_motion_was_edited(tmp_path: Path) -> None:
    def with_twist(content: dict[str, Any]) -> None:
        """A joint of its own between elbow and wrist, which the animation turns."""
        nodes, (animation,) = content["nodes"], content["animations"]
        elbow = next(i for i, node in enumerate(nodes) if node["name"] == "left_elbow")
        turned = next(c for c in animation["channels"] if c["target"] == {"node": elbow, "path": "rotation"})
        nodes.append({"name": "left_extra", "children": nodes[elbow]["children"]})
        nodes[elbow]["children"] = [len(nodes) - 1]
        animation["channels"].append({**turned, "target": {"node": len(nodes) - 1, "path": "rotation"}})

    path = changed(exported(tmp_path, moving(), whole_motion=True), with_twist)
    motion = read(path)
    assert np.abs(places_in(onto(path, motion)) - places_in(path)).max() < 1e-6
    other = sample_motion(4, seed=8)
    back = onto(path, other)
    assert geodesic_angle(read(back).rotations, other.rotations).max() < TENTH_OF_A_DEGREE


def test_a_smaller_character_takes_smaller_steps(tmp_path: Path) -> None:
    def half_as_large(content: dict[str, Any]) -> None:
        content["nodes"][0]["scale"] = [0.5] * 3

    path, way = changed(exported(tmp_path, posed()), half_as_large), sample_motion(8)
    there = places_in(onto(path, way))[:, 0]
    ours = joints(way)[:, 0]
    assert there[-1] - there[0] == pytest.approx((ours[-1] - ours[0]) / 2, abs=1e-4)
