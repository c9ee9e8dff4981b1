"""A skeleton and its skin as GLB, read by a reader of the tests' own: the bind, the pose, the clip, and the weights."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from formats_samples import any_motion, sample_motion
from gltf_reader import Gltf, read_glb
from rig_samples import with_rest_frames

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.body.whole_rig import as_whole_motion, as_whole_pose
from solver.errors import InputRefused, UnknownName
from solver.formats.mesh.skinned_glb import Part, SkinnedFigure, joint_sets, skinned_glb, write_skinned_glb
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose, rest_pose
from solver.kinematics.skeleton import Skeleton

BODY = load_body("anny")
SHAPE = BodyShape(np.random.default_rng(5).normal(size=10), "female")
PARTS = (Part("skin", "#ff8000", BODY.faces[::2]), Part("suit", "#405060", BODY.faces[1::2]))
MOTION = sample_motion(9, seed=2, fps=24.0)
THIRD = MOTION.pose(3)
TENTH_OF_A_MILLIMETRE = 1e-4


def figure(pose: Pose, motion: Motion | None = None) -> SkinnedFigure:
    return SkinnedFigure("Änna 1", BODY.skeleton(SHAPE), BODY.vertices(SHAPE), BODY.weights, PARTS, pose, motion)


def written(pose: Pose = THIRD, motion: Motion | None = None) -> Gltf:
    return read_glb(skinned_glb([figure(pose, motion)]))


@pytest.mark.parametrize("seed", range(3))
def test_the_skin_is_where_ours_is_within_a_tenth_of_a_millimetre(seed: int) -> None:
    pose = any_motion(1, seed).pose(0)
    ours = posed_vertices(BODY, SHAPE, pose)
    assert np.abs(written(pose).skin_at() - ours).max() < TENTH_OF_A_MILLIMETRE


def test_four_joints_alone_are_off_by_little_in_a_pose_that_people_take() -> None:
    ours = posed_vertices(BODY, SHAPE, THIRD)
    assert np.linalg.norm(written().skin_at(sets=1) - ours, axis=1).max() < 5e-3


def test_it_is_bound_at_rest_in_the_t_pose_and_the_nodes_hold_the_pose() -> None:
    gltf, skeleton = written(), BODY.skeleton(SHAPE)
    assert gltf.rest_joints() == pytest.approx(skeleton.rest_positions, abs=1e-6)
    primitive = gltf.content["meshes"][0]["primitives"][0]
    assert np.array_equal(gltf.array(primitive["attributes"]["POSITION"]), BODY.vertices(SHAPE))
    joints, posed = gltf.joints_at(), forward_kinematics(skeleton, THIRD).positions
    assert tuple(joints) == skeleton.names
    assert np.stack([*joints.values()]) == pytest.approx(posed, abs=1e-5)
    assert "animations" not in gltf.content


def test_the_clip_plays_at_its_rate_and_each_frame_is_ours() -> None:
    gltf = written(THIRD, MOTION)
    for frame in range(len(MOTION)):
        ours = posed_vertices(BODY, SHAPE, MOTION.pose(frame))
        assert np.abs(gltf.skin_at(frame / 24.0) - ours).max() < TENTH_OF_A_MILLIMETRE
    assert np.abs(gltf.skin_at() - posed_vertices(BODY, SHAPE, THIRD)).max() < TENTH_OF_A_MILLIMETRE


def test_between_two_frames_no_joint_takes_the_long_way_round() -> None:
    turns = np.tile(np.eye(3, dtype=np.float32), (60, 24, 1, 1))
    angles = np.linspace(0, 4 * np.pi, 60)
    turns[:, 0, 0, 0] = turns[:, 0, 2, 2] = np.cos(angles)
    turns[:, 0, 0, 2], turns[:, 0, 2, 0] = np.sin(angles), -np.sin(angles)
    motion = Motion(np.zeros((60, 3)), turns, 30.0)
    gltf = written(motion.pose(0), motion)
    sampler = gltf.content["animations"][0]["samplers"][1]
    assert np.linalg.norm(np.diff(gltf.array(sampler["output"]), axis=0), axis=1).max() < 0.2


def test_joints_that_stand_as_their_nodes_say_have_no_curve() -> None:
    rotations = np.tile(np.eye(3, dtype=np.float32), (4, 24, 1, 1))
    rotations[:, 16] = MOTION.rotations[:4, 16]
    motion = Motion(MOTION.root_positions[:4], rotations, 24.0)
    bent = np.array(rotations[0])
    bent[5] = MOTION.rotations[0, 5]
    gltf = written(Pose(motion.root_positions[0], bent), motion)
    names = [gltf.content["nodes"][c["target"]["node"]]["name"] for c in gltf.content["animations"][0]["channels"]]
    assert names == ["pelvis", "right_knee", "left_shoulder"]
    assert gltf.skin_at(0.0) == pytest.approx(posed_vertices(BODY, SHAPE, motion.pose(0)), abs=1e-4)


@pytest.mark.sweep
@pytest.mark.parametrize("names", ["smpl", "humanik", "mixamo"])
def test_fingers_are_joints_with_names_of_their_own(names: str) -> None:
    whole = BODY.whole_rig(SHAPE)
    made = SkinnedFigure(
        "Ann", whole, BODY.vertices(SHAPE), BODY.whole_weights, PARTS, as_whole_pose(whole, MOTION.pose(0)),
        as_whole_motion(whole, MOTION),
    )  # fmt: skip
    gltf = read_glb(skinned_glb([made], names))
    joints = gltf.joints_at()
    assert len(joints) == len(whole)
    assert gltf.skin_at(2 / 24.0) == pytest.approx(posed_vertices(BODY, SHAPE, MOTION.pose(2)), abs=1e-4)


def test_a_rig_whose_joints_stand_turned_at_rest_is_bound_as_it_stands() -> None:
    rig = with_rest_frames()
    made = SkinnedFigure("Ann", rig, BODY.vertices(BodyShape()), BODY.weights, PARTS, rest_pose(rig))
    gltf = read_glb(skinned_glb([made]))
    assert gltf.rest_joints() == pytest.approx(rig.rest_positions, abs=1e-5)
    assert gltf.skin_at() == pytest.approx(BODY.vertices(BodyShape()), abs=1e-5)


def test_the_file_is_as_the_specification_wants_it() -> None:
    content = written(MOTION.pose(0), MOTION).content
    assert content["asset"]["version"] == "2.0"
    assert (
        content["buffers"][0]["byteLength"]
        == content["bufferViews"][-1]["byteOffset"] + (content["bufferViews"][-1]["byteLength"] + 3) // 4 * 4
    )
    names = [node["name"] for node in content["nodes"]]
    assert len(set(names)) == len(names)
    mesh_node = next(node for node in content["nodes"] if "mesh" in node)
    assert set(mesh_node) == {"name", "mesh", "skin"}, "a skinned mesh has no transform of its own"
    assert names.index(mesh_node["name"]) in content["scenes"][0]["nodes"]
    for sampler in content["animations"][0]["samplers"]:
        assert {"min", "max"} <= set(content["accessors"][sampler["input"]])
    for primitive in content["meshes"][0]["primitives"]:
        assert {"min", "max"} <= set(content["accessors"][primitive["attributes"]["POSITION"]])


def test_weights_are_whole_sorted_and_name_no_joint_in_vain() -> None:
    gltf = written()
    attributes = gltf.content["meshes"][0]["primitives"][0]["attributes"]
    joints = np.concatenate([gltf.array(attributes[f"JOINTS_{i}"]) for i in range(2)], axis=1)
    weights = np.concatenate([gltf.array(attributes[f"WEIGHTS_{i}"]) for i in range(2)], axis=1)
    assert "JOINTS_2" not in attributes
    assert np.abs(weights.sum(axis=1) - 1.0).max() < 1e-6
    assert (np.diff(weights, axis=1) <= 0).all()
    assert not joints[weights == 0].any()
    assert (np.take_along_axis(BODY.weights, joints.astype(int), 1)[weights > 0] > 0).all()


def test_few_joints_fill_one_set_and_many_take_wider_numbers() -> None:
    ((joints, weights),) = joint_sets(np.array([[0.25, 0.75]], np.float32))
    assert (joints.tolist(), weights.tolist()) == ([[1, 0, 0, 0]], [[0.75, 0.25, 0.0, 0.0]])
    many = np.zeros((1, 300), np.float32)
    many[0, [5, 299]] = 0.4, 0.6
    ((joints, _),) = joint_sets(many)
    assert joints.dtype == np.uint16
    assert joints.tolist() == [[299, 5, 0, 0]]


def test_the_materials_are_plain_and_in_linear_light() -> None:
    skin, suit = written().content["materials"]
    assert (skin["name"], suit["name"]) == ("skin", "suit")
    color = skin["pbrMetallicRoughness"]["baseColorFactor"]
    assert color == pytest.approx([1.0, 0.2158, 0.0, 1.0], abs=0.01)  # #ff8000


def test_trimesh_opens_it_with_every_face_and_outward_normals() -> None:
    scene: Any = trimesh.load(io.BytesIO(skinned_glb([figure(MOTION.pose(0))])), file_type="glb", process=False)
    meshes = [*scene.geometry.values()]
    assert sum(len(mesh.faces) for mesh in meshes) == len(BODY.faces)
    for mesh in meshes:
        stored = np.asarray(mesh.vertex_normals)[mesh.faces].mean(axis=1)
        assert np.median((stored * mesh.face_normals).sum(axis=1)) > 0.98


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_skinned_glb(tmp_path / "a.glb", [figure(MOTION.pose(0))])
    assert read_glb(tmp_path / "a.glb").skin_at().shape == (len(BODY.weights), 3)
    with pytest.raises(UnknownName, match="lego"):
        write_skinned_glb(tmp_path / "b.glb", [figure(MOTION.pose(0))], names="lego")
    with pytest.raises(InputRefused, match="folder does not exist"):
        write_skinned_glb(tmp_path / "none" / "a.glb", [figure(MOTION.pose(0))])
    assert not (tmp_path / "b.glb").exists()


def test_weights_and_joints_must_belong_together() -> None:
    two = Skeleton(("a", "b"), (-1, 0), np.zeros((2, 3)))
    with pytest.raises(ValueError, match="weights"):
        SkinnedFigure("x", two, BODY.vertices(SHAPE), BODY.weights, PARTS, rest_pose(two))
