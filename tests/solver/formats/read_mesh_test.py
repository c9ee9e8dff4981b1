"""Mesh files of others: what is read of them, and what is refused, each in one line that says what to do."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path

import numpy as np
import pytest
import trimesh

from solver.errors import InputRefused
from solver.formats.mesh import read_mesh as module
from solver.formats.mesh.read_mesh import READ_FORMATS, read_mesh

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def saved(path: Path, mesh: object) -> Path:
    mesh.export(path)  # type: ignore[attr-defined]
    return path


@pytest.mark.parametrize("kind", READ_FORMATS)
def test_all_formats_give_the_same_surface(kind: str, tmp_path: Path) -> None:
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    found = read_mesh(saved(tmp_path / f"box.{kind}", box))
    assert len(found.faces) == 12
    assert np.ptp(found.vertices, axis=0) == pytest.approx([1, 2, 3], abs=1e-5)


def test_a_gltf_file_is_read_with_the_buffers_beside_it_and_refused_without_them(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    for place in (0.0, 3.0):
        moved = trimesh.transformations.translation_matrix((place, 0, 0))
        scene.add_geometry(trimesh.creation.box((1, 1, 1)), transform=moved)
    for name, content in scene.export(file_type="gltf").items():
        (tmp_path / name).write_bytes(content)
    mesh = read_mesh(tmp_path / "model.gltf")
    assert len(mesh.faces) == 24
    assert np.ptp(mesh.vertices, axis=0) == pytest.approx([4, 1, 1])
    buffer = next(tmp_path.glob("*.bin"))
    buffer.unlink()
    with pytest.raises(InputRefused, match=f"the file {buffer.name} that belongs to it is not there"):
        read_mesh(tmp_path / "model.gltf")


def test_parts_of_a_file_are_where_it_puts_them(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    box = trimesh.creation.box((1, 1, 1))
    scene.add_geometry(box, node_name="a", geom_name="box")
    scene.graph.update("b", geometry="box", matrix=trimesh.transformations.translation_matrix((3, 0, 0)))
    found = read_mesh(saved(tmp_path / "two.glb", scene))
    assert len(found.faces) == 24
    assert np.ptp(found.vertices, axis=0) == pytest.approx([4, 1, 1], abs=1e-5)


def test_a_small_file_that_shows_a_part_again_and_again_is_counted_before_it_is_put_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_PROP_TRIANGLES", 20)
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box((1, 1, 1)), node_name="a", geom_name="box")
    scene.graph.update("b", geometry="box")
    with pytest.raises(InputRefused, match="two.glb holds 24 triangles, and a prop has up to 20. Reduce it"):
        read_mesh(saved(tmp_path / "two.glb", scene))


@pytest.mark.slow
def test_a_million_triangles_are_refused_with_a_way_to_reduce_them(tmp_path: Path) -> None:
    path = tmp_path / "statue.stl"
    count = 1_000_000
    path.write_bytes(bytes(80) + struct.pack("<I", count) + bytes(50) * count)
    with pytest.raises(InputRefused, match=r"statue.stl holds 1,000,000 triangles.*Decimate"):
        read_mesh(path)


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_MESH_BYTES", 100)
    path = saved(tmp_path / "box.stl", trimesh.creation.box((1, 1, 1)))
    with pytest.raises(InputRefused, match="box.stl is larger than"):
        read_mesh(path)


@pytest.mark.parametrize(("name", "content", "why"), [
    ("empty.obj", b"", "holds no triangles"),
    ("points.obj", TRIANGLE.encode(), "holds no triangles"),
    ("line.obj", b"v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n", "without any area"),
    ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not a number"),
    ("far.obj", b"v 1e20 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "absurdly far"),
    ("gone.obj", TRIANGLE.encode() + b"f 1 2 9\n", "gone.obj"),
    ("words.ply", b"these are words\n", "not a valid PLY"),
    ("short.stl", bytes(80) + struct.pack("<I", 9) + bytes(20), "short.stl"),
    ("bad.glb", b"glTF\x02\x00\x00\x00", "not a valid GLB"),
    ("letter.txt", b"hello", "not a mesh file"),
])  # fmt: skip
def test_what_is_no_surface_is_refused_in_one_line(name: str, content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputRefused, match=why) as refused:
        read_mesh(path)
    assert "\n" not in str(refused.value)
    assert name in str(refused.value)


def test_a_file_names_no_other_that_would_be_read(tmp_path: Path) -> None:
    other = tmp_path / "secret.bin"
    other.write_bytes(np.zeros((3, 3), "<f4").tobytes())
    content = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": "secret.bin"}],
    }  # fmt: skip
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    path = tmp_path / "a.glb"
    path.write_bytes(
        struct.pack("<4sII", b"glTF", 2, 20 + len(text)) + struct.pack("<II", len(text), 0x4E4F534A) + text
    )
    with pytest.raises(InputRefused, match="a.glb"):
        read_mesh(path)


@pytest.mark.parametrize("kind", READ_FORMATS)
def test_a_damaged_file_is_refused_in_one_line_or_gives_a_sound_surface(kind: str, tmp_path: Path) -> None:
    sound = saved(tmp_path / f"sound.{kind}", trimesh.creation.icosphere(1)).read_bytes()
    rng = random.Random(kind)
    path, refused = tmp_path / f"damaged.{kind}", 0
    for _ in range(60):
        data = bytearray(sound)
        for _ in range(rng.choice((1, 2, 8, 40))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data[: rng.choice((len(data), rng.randrange(len(data))))])
        refusal = outcome(path)
        refused += refusal is not None
        if refusal is not None:
            assert "\n" not in refusal
            assert path.name in refusal
            assert len(refusal) < 400 + len(str(path))
    assert refused


def outcome(path: Path) -> str | None:
    """The refusal, or None for a file that gave a sound surface."""
    try:
        found = read_mesh(path)
    except InputRefused as error:
        return str(error)
    assert len(found.faces)
    assert found.faces.max() < len(found.vertices)
    assert np.isfinite(found.vertices).all()
    return None


@pytest.mark.parametrize(
    ("packing", "name"), [("KHR_draco_mesh_compression", "Draco"), ("EXT_meshopt_compression", "meshopt")]
)
def test_a_compressed_mesh_is_refused_by_its_name(packing: str, name: str, tmp_path: Path) -> None:
    text = json.dumps({"asset": {"version": "2.0"}, "extensionsRequired": [packing]}).encode()
    text += b" " * (-len(text) % 4)
    path = tmp_path / "vase.glb"
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text), len(text), 0x4E4F534A) + text)
    with pytest.raises(InputRefused, match=rf"vase\.glb is compressed with {name}, which .* Export it again without"):
        read_mesh(path)
