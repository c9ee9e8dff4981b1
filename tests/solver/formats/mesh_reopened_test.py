"""A mesh of every format, reopened by trimesh: size, place, sense of its faces, colour and name."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.formats.mesh.mesh_file import MESH_FORMATS, PosedMesh, mesh_bytes, write_mesh

BALL = trimesh.creation.icosphere(subdivisions=2, radius=0.25)


def ball(place: tuple[float, float, float] = (0, 0, 0), **how: Any) -> PosedMesh:
    return PosedMesh(how.pop("name", "Ball"), BALL.vertices + place, np.asarray(BALL.faces, np.int32), **how)


def reopened(mesh: PosedMesh, kind: str) -> Any:
    return trimesh.load_mesh(io.BytesIO(mesh_bytes(mesh, kind)), file_type=kind, process=False)


def gltf(mesh: PosedMesh) -> Any:
    data = mesh_bytes(mesh, "glb")
    return json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])


@pytest.mark.parametrize("kind", MESH_FORMATS)
@pytest.mark.parametrize("place", [(0, 0, 0), (-3.5, 0.9, 12.25)], ids=["origin", "aside"])
def test_a_closed_surface_is_as_large_closed_and_in_the_same_place(
    kind: str, place: tuple[float, float, float]
) -> None:
    again = reopened(ball(place), kind)
    again.merge_vertices(merge_norm=True, merge_tex=True)
    assert again.is_watertight
    assert again.volume == pytest.approx(BALL.volume, rel=1e-3)  # a volume below zero would be inside out
    assert again.bounds == pytest.approx(BALL.bounds + np.asarray(place), abs=1e-5)
    assert again.center_mass == pytest.approx(place, abs=1e-4)


@pytest.mark.parametrize("kind", MESH_FORMATS)
def test_a_file_is_the_bytes_that_are_written_and_the_same_every_time(kind: str, tmp_path: Path) -> None:
    target = tmp_path / f"a.{kind}"
    target.write_bytes(b"an older file, longer than nothing")
    write_mesh(target, ball(), kind)
    assert target.read_bytes() == mesh_bytes(ball(), kind)
    assert list(tmp_path.iterdir()) == [target]


@settings(max_examples=30, deadline=None)
@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_a_colour_as_shown_comes_back_from_linear_light(color: tuple[int, int, int]) -> None:
    (material,) = gltf(ball(color="#{:02x}{:02x}{:02x}".format(*color)))["materials"]
    linear = np.array(material["pbrMetallicRoughness"]["baseColorFactor"])
    shown = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    assert shown[3] == pytest.approx(1)
    assert 255 * shown[:3] == pytest.approx(color, abs=6.5)  # the library keeps eight bits of linear light


@pytest.mark.parametrize("name", ["Jörg & Søren", "名前", "a/b\\c", 'with "quotes"'])
def test_a_name_of_any_script_names_mesh_and_node(name: str) -> None:
    content = gltf(ball(name=name))
    assert [mesh["name"] for mesh in content["meshes"]] == [name]
    assert name in [node.get("name") for node in content["nodes"]]


def test_an_obj_says_its_unit_first_and_numbers_faces_from_one() -> None:
    lines = mesh_bytes(ball(), "obj").decode().splitlines()
    assert lines[0] == "# Contrapposto: metres, Y up"
    used = {int(corner.split("/")[0]) for line in lines if line.startswith("f ") for corner in line.split()[1:]}
    assert used == set(range(1, len(BALL.vertices) + 1))
    assert sum(line.startswith("vn ") for line in lines) == len(BALL.vertices)


def test_the_vertices_of_a_mesh_are_checked_and_not_changed_behind_its_back() -> None:
    with pytest.raises(ValueError, match=r"vertices has shape \(4, 2\), expected"):
        PosedMesh("a", np.zeros((4, 2)), np.zeros((1, 3), np.int32))
    with pytest.raises(ValueError, match="vertices holds a value that is not finite"):
        PosedMesh("a", np.full((4, 3), np.nan), np.zeros((1, 3), np.int32))
    places = np.zeros((3, 3))
    mesh = PosedMesh("a", places, np.array([[0, 1, 2]], np.int32))
    places += 1
    assert not mesh.vertices.any()
