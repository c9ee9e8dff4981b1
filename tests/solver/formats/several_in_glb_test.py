"""Several people in one GLB file: a skin each, names used once, and one animation on one clock."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import trimesh
from formats_samples import sample_motion
from gltf_reader import Gltf, read_glb

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.formats.mesh.mesh_file import Path, PlacedMesh
from solver.formats.mesh.skinned_glb import Part, SkinnedFigure, skinned_glb
from solver.kinematics.pose import Motion

BODY = load_body("anny")
BETAS = np.linspace(-1, 1, 10, dtype=np.float32)
SHAPES = [BodyShape(BETAS), BodyShape(-BETAS, "female"), BodyShape()]
LONG, SHORT = sample_motion(9, seed=2, fps=24.0), sample_motion(4, seed=5, fps=30.0)
BEND = 0.02  # metres
TENTH_OF_A_MILLIMETRE = 1e-4
PARTS = (Part("skin", "#ff8000", BODY.faces[::2]), Part("suit", "#405060", BODY.faces[1::2]))


def figure(name: str, number: int, motion: Motion, moves: bool = True) -> SkinnedFigure:
    shape = SHAPES[number]
    made = SkinnedFigure(name, BODY.skeleton(shape), BODY.vertices(shape), BODY.weights, PARTS, motion.pose(0))
    return replace(made, motion=motion) if moves else replace(made, kept=made.vertices + np.float32(BEND))


def ball(name: str) -> PlacedMesh:
    made = trimesh.creation.icosphere(subdivisions=1)
    places, turns = (
        np.array([[0, 2, 0], [0, 1, 1], [1, 1, 0]], np.float32),
        np.tile(np.eye(3, dtype=np.float32), (3, 1, 1)),
    )
    return PlacedMesh(
        name, made.vertices, made.faces, made.vertex_normals, places[0], turns[0], path=Path(places, turns, 12.0)
    )


@pytest.fixture(scope="module")
def content() -> bytes:
    """Two who move at rates of their own, one who stands still, and a ball that flies; three of them are called Ann."""
    people = [figure("Ann", 0, LONG), figure("Ben", 1, SHORT), figure("Ann", 2, LONG, moves=False)]
    return skinned_glb(people, things=[ball("Ann")])


@pytest.fixture(scope="module")
def gltf(content: bytes) -> Gltf:
    return read_glb(content)


def test_each_person_s_skin_is_ours_at_each_time(gltf: Gltf) -> None:
    for number, motion, frame in ((0, LONG, 5), (1, SHORT, 2)):
        ours = posed_vertices(BODY, SHAPES[number], motion.pose(frame))
        assert np.abs(gltf.skin_at(frame / motion.fps, number=number) - ours).max() < TENTH_OF_A_MILLIMETRE
    late = gltf.skin_at(8 / 24.0, number=1)
    assert np.abs(late - posed_vertices(BODY, SHAPES[1], SHORT.pose(3))).max() < TENTH_OF_A_MILLIMETRE, "holds its end"
    still = posed_vertices(BODY, SHAPES[2], LONG.pose(0), rest=BODY.vertices(SHAPES[2]) + np.float32(BEND))
    assert np.abs(gltf.skin_at(0.2, number=2) - still).max() < TENTH_OF_A_MILLIMETRE


def test_each_person_is_bound_in_their_own_t_pose(gltf: Gltf) -> None:
    for number, shape in enumerate(SHAPES):
        assert gltf.rest_joints(number) == pytest.approx(BODY.skeleton(shape).rest_positions, abs=1e-6)
    skins = gltf.content["skins"]
    joints = [joint for skin in skins for joint in skin["joints"]]
    assert (len(skins), len(set(joints))) == (3, 3 * len(BODY.skeleton(SHAPES[0]))), "a skeleton is nobody else's"


def test_all_that_moves_is_in_one_animation_that_begins_at_0(gltf: Gltf) -> None:
    (animation,) = gltf.content["animations"]
    assert {gltf.array(sampler["input"])[0, 0] for sampler in animation["samplers"]} == {0.0}
    nodes = gltf.content["nodes"]
    moved = {channel["target"]["node"] for channel in animation["channels"]}
    (ball_node,) = (place for place, node in enumerate(nodes) if node["name"] == "Ann 3")
    parted = [moved & set(skin["joints"]) for skin in gltf.content["skins"]]
    assert [bool(part) for part in parted] == [True, True, False]
    assert moved == set.union({ball_node}, *parted)
    assert gltf.worlds_at(1 / 12.0)[ball_node, :3, 3] == pytest.approx([0, 1, 1], abs=1e-6)


def test_names_are_used_once_and_joints_are_called_alike_in_each_skeleton(gltf: Gltf) -> None:
    nodes = gltf.content["nodes"]
    skeletons = [skin["joints"] for skin in gltf.content["skins"]]
    joints = {joint for skeleton in skeletons for joint in skeleton}
    others = [node["name"] for place, node in enumerate(nodes) if place not in joints]
    assert others == ["Ann", "Ann body", "Ben", "Ben body", "Ann 2", "Ann 2 body", "Ann 3"]
    for skeleton in skeletons:
        assert tuple(nodes[joint]["name"] for joint in skeleton) == BODY.skeleton(SHAPES[0]).names
    assert [skin["name"] for skin in gltf.content["skins"]] == ["Ann", "Ben", "Ann 2"]
    for listed in ("meshes", "materials"):
        names = [each["name"] for each in gltf.content[listed]]
        assert len(set(names)) == len(names), listed
    assert [each["name"] for each in gltf.content["materials"]][:2] == ["Ann skin", "Ann suit"]


def test_trimesh_opens_it_with_everybody_s_faces_in_their_material(content: bytes) -> None:
    scene: Any = trimesh.load(io.BytesIO(content), file_type="glb", process=False)
    faces: dict[str, int] = {}
    for mesh in scene.geometry.values():
        name = mesh.visual.material.name
        faces[name] = faces.get(name, 0) + len(mesh.faces)
    people = {f"{who} {part.name}": len(part.faces) for who in ("Ann", "Ben", "Ann 2") for part in PARTS}
    assert faces == people | {"Ann": len(ball("").faces)}
