"""The posed skin as a mesh: read back by trimesh, and its GLB by hand."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.errors import InputRefused, UnknownName
from solver.formats.mesh.mesh_file import MESH_FORMATS, PosedMesh, mesh_bytes, write_mesh
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def mesh() -> PosedMesh:
    rng = np.random.default_rng(5)
    body, shape = load_body("anny"), BodyShape(rng.normal(size=10), "female")
    pose = Pose((0.3, 0.9, -0.2), from_rotation_vector(0.4 * rng.normal(size=(24, 3))))
    return PosedMesh("Änna 1", posed_vertices(body, shape, pose), body.faces, "#ff8000")


def read_back(data: bytes, kind: str) -> Any:
    return trimesh.load_mesh(io.BytesIO(data), file_type=kind, process=False)


def corners(vertices: NDArray, faces: NDArray) -> NDArray[np.float64]:
    """(F, 3, 3): the places of each face's corners."""
    return np.asarray(vertices, dtype=np.float64)[np.asarray(faces)]


@pytest.mark.sweep
@pytest.mark.parametrize("kind", MESH_FORMATS)
def test_every_face_comes_back_where_our_skinning_put_it(mesh: PosedMesh, kind: str) -> None:
    again = read_back(mesh_bytes(mesh, kind), kind)
    there, back = corners(mesh.vertices, mesh.faces), corners(again.vertices, again.faces)
    np.testing.assert_allclose(back, there, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize("kind", ["glb", "obj"])
def test_vertices_keep_their_order_and_have_smooth_normals(mesh: PosedMesh, kind: str) -> None:
    again = read_back(mesh_bytes(mesh, kind), kind)
    np.testing.assert_allclose(again.vertices, mesh.vertices, rtol=0.0, atol=1e-5)
    # an oracle of our own: each vertex's normal leans to the sum of its faces' normals
    triangles = corners(mesh.vertices, mesh.faces)
    face = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    total = np.zeros_like(mesh.vertices, dtype=np.float64)
    for corner in range(3):
        np.add.at(total, mesh.faces[:, corner], face)
    total /= np.linalg.norm(total, axis=1, keepdims=True)
    assert np.median((again.vertex_normals * total).sum(axis=1)) > 0.999


def test_a_glb_file_holds_one_named_mesh_with_normals_and_one_material(mesh: PosedMesh) -> None:
    data = mesh_bytes(mesh, "glb")
    magic, version, length, json_length = struct.unpack("<4sIII", data[:16])
    content = json.loads(data[20 : 20 + json_length])
    assert (magic, version, length) == (b"glTF", 2, len(data))
    assert [m["name"] for m in content["meshes"]] == ["Änna 1"]
    assert set(content["meshes"][0]["primitives"][0]["attributes"]) == {"POSITION", "NORMAL"}
    (material,) = content["materials"]
    color = material["pbrMetallicRoughness"]["baseColorFactor"]
    assert color == pytest.approx([1.0, 0.2158, 0.0, 1.0], abs=0.01)  # #ff8000 in linear light
    assert material["pbrMetallicRoughness"]["metallicFactor"] == 0.0


def test_a_mesh_replaces_a_file_whole_or_not_at_all(mesh: PosedMesh, tmp_path: Path) -> None:
    write_mesh(tmp_path / "a.obj", mesh, "obj")
    assert (tmp_path / "a.obj").read_text(encoding="utf-8").startswith("# Contrapposto: metres, Y up\nv ")
    before = (tmp_path / "a.obj").read_bytes()
    with pytest.raises(UnknownName, match="fbx"):
        write_mesh(tmp_path / "a.obj", mesh, "fbx")
    assert (tmp_path / "a.obj").read_bytes() == before
    with pytest.raises(InputRefused, match="folder does not exist"):
        write_mesh(tmp_path / "none" / "a.obj", mesh, "obj")


@pytest.mark.slow
def test_trimesh_waits_for_the_first_mesh() -> None:
    code = (
        "import sys, app.cli.export, app.document.exchange.export, app.window.files; sys.exit('trimesh' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
