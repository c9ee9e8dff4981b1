"""Props in scene files and from mesh files: kept as they are, refused with the place, brought to a size that fits."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from copies import copy_of

from app.document import edits
from app.document.edits.props import new_prop
from app.document.exchange.export import export_bvh, export_meshes, placed_props
from app.document.exchange.open_file import open_file
from app.document.exchange.prop_file import read_prop
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Document
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.document.posing.create import new_document
from app.document.scene_file import props as props_file
from app.document.scene_file.io import load_scene, read_scene_text, save_scene, scene_text
from solver.errors import InputRefused
from solver.kinematics.rotations import from_rotation_vector

SCENE = Path("/scenes/scene.json")
TILT = from_rotation_vector(np.array([0.2, 0.7, -0.1]))


def furnished() -> Document:
    """Somebody with a tilted box, a ball and a mesh."""
    document = new_document()
    for kind in ("box", "ball"):
        document = edits.add_prop(new_prop(document, kind))(document)
    document = edits.set_prop_turn("p1", TILT)(document)
    shape = surface_of("chair")
    mesh = Prop("p3", "Throne", MESH, np.array([1, 2, 1]), mesh=PropMesh(shape.vertices, shape.faces))
    return edits.add_prop(replace(mesh, place=np.array([0.0, 0.0, -1.0])))(document)


def as_json(document: Document) -> dict[str, Any]:
    return json.loads(scene_text(document, SCENE.parent))


def read(value: dict[str, Any]) -> Document:
    return read_scene_text(json.dumps(value), SCENE)


def test_a_scene_with_a_table_or_a_cup_says_that_a_reader_has_to_know_them() -> None:
    document = furnished()
    assert "needs" not in as_json(document)
    for kinds, needs in (
        (["cup"], ["props of the kind cup"]),
        (["cup", "table", "cup"], ["props of the kind cup", "props of the kind table"]),
    ):
        document = furnished()
        for kind in kinds:
            document = edits.add_prop(new_prop(document, kind))(document)
        assert as_json(document)["needs"] == needs, "so that programs before them refuse it in words"
        assert read(as_json(document)) == document
    rid = edits.remove_prop("p4")(edits.add_prop(new_prop(furnished(), "cup"))(furnished()))
    assert "needs" not in as_json(rid)


def test_a_scene_comes_back_with_its_props_and_one_of_before_has_none(tmp_path: Path) -> None:
    document = furnished()
    save_scene(tmp_path / "scene.json", document)
    assert load_scene(tmp_path / "scene.json") == document
    assert as_json(new_document())["props"] == []
    assert read({k: v for k, v in as_json(document).items() if k != "props"}).props == ()


def test_unknown_keys_of_a_prop_are_kept() -> None:
    value = as_json(furnished())
    value["props"][0]["weight_kg"] = 12
    assert as_json(read(value))["props"][0]["weight_kg"] == 12


def test_what_a_newer_version_knows_of_props_is_kept_and_not_used() -> None:
    value = as_json(furnished())
    value["version"] = 99
    value["props"][0]["kind"] = "trampoline"
    opened = read(value)
    assert opened.props == ()
    assert as_json(opened)["props"] == value["props"]


def packed(array: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(array.tobytes())).decode()


WRONG = {
    "no kind": (lambda p, s: p[0].pop("kind"), r"props\[0\].kind is missing"),
    "another kind": (lambda p, s: p[0].update(kind="sofa"), r"props\[0\].kind.*sofa"),
    "no volume": (lambda p, s: p[0].update(size=[1, 0, 1]), r"props\[0\]: a prop measures from 1 mm"),
    "too large": (lambda p, s: p[0].update(size=[1, 5000, 1]), r"props\[0\].size"),
    "an oval ball": (lambda p, s: p[1].update(size=[1, 2, 1]), r"props\[1\]: a ball is round"),
    "a skewed turn": (lambda p, s: p[0].update(turn=[1, 1, 0, 0, 1, 0, 0, 0, 1]), r"props\[0\].turn"),
    "no colour": (lambda p, s: p[0].update(color="red"), r"props\[0\].color.*#rrggbb"),
    "a box with a mesh": (lambda p, s: p[0].update(mesh=p[2]["mesh"]), r"props\[0\]: a prop of the kind “mesh”"),
    "a mesh without one": (lambda p, s: p[2].pop("mesh"), r"props\[2\]: a prop of the kind “mesh”"),
    "one id twice": (lambda p, s: p[1].update(id="p1"), "props: two props have the same id"),
    "too many": (lambda p, s: s.update(props=[p[0]] * 201), "props has 201 elements"),
    "damaged numbers": (lambda p, s: p[2]["mesh"].update(vertices="!"), "mesh.vertices: the packed numbers"),
    "too few numbers": (lambda p, s: p[2]["mesh"].update(face_count=7), "mesh.faces does not hold the 21 numbers"),
    "a vertex too far": (
        lambda p, s: p[2]["mesh"].update(vertex_count=3, vertices=packed(np.full((3, 3), 9, "<f4"))), "mesh: ",
    ),
    "a vertex that is gone": (
        lambda p, s: p[2]["mesh"].update(face_count=1, faces=packed(np.array([[0, 1, 9999]], "<i4"))),
        "mesh: a triangle names a vertex that is not there",
    ),
    "more triangles than may be": (lambda p, s: p[2]["mesh"].update(face_count=10**7), "mesh.face_count"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_prop_is_refused_with_its_place(case: str) -> None:
    change, why = WRONG[case]
    value = as_json(furnished())
    change(value["props"], value)
    with pytest.raises(InputRefused, match=why):
        read(value)


def test_no_more_is_unpacked_than_was_announced() -> None:
    value = as_json(furnished())
    value["props"][2]["mesh"]["vertices"] = packed(np.zeros(50_000_000, np.uint8))
    with pytest.raises(InputRefused, match="does not hold the"):
        read(value)
    assert props_file.MESH_ENCODING in json.dumps(value)


@pytest.mark.sweep
@pytest.mark.parametrize(("scale", "size", "note"), [
    (1.0, 2.0, ""), (19.0, 0.38, "centimetres"), (100.0, 2.0, "centimetres"), (3000.0, 6.0, "millimetres"),
    (1e5, 1.0, "scaled to 1 m"), (1e-3, 1.0, "so it was scaled to 1 m"),
])  # fmt: skip
def test_a_file_in_another_unit_is_brought_to_a_size_that_fits_and_says_so(
    scale: float, size: float, note: str, tmp_path: Path
) -> None:
    path = tmp_path / "statue.stl"
    trimesh.creation.box(np.array([1.0, 2.0, 0.5]) * scale).export(path)
    found = read_prop(path)
    assert found.prop.size[1] == pytest.approx(size, rel=1e-4)
    assert note in found.notes
    assert ("statue.stl" in found.notes) == bool(note)
    assert found.prop.name == "statue"
    assert "open" not in found.notes
    assert found.prop.frame.points(found.prop.surface.vertices)[:, 1].min() == pytest.approx(0.0, abs=1e-6)


def test_an_open_or_flat_mesh_is_taken_and_said_to_be_open(tmp_path: Path) -> None:
    path = tmp_path / "sheet of paper.obj"
    path.write_text("v 0 1 0\nv 2 1 0\nv 2 1 3\nf 1 2 3\n")
    found = read_prop(path)
    assert found.notes == "1 triangle. Its surface is open, so it is not solid."
    assert found.prop.size == pytest.approx([2.0, 0.001, 3.0])
    assert found.prop.name == "sheet of paper"
    document = edits.add_prop(found.placed(new_document()))(new_document())
    assert read(as_json(document)) == document


def test_a_second_of_the_same_name_gets_its_own(tmp_path: Path) -> None:
    path = tmp_path / "Box.ply"
    trimesh.creation.box((1, 1, 1)).export(path)
    document = edits.add_prop(new_prop(new_document(), "box"))(new_document())
    placed = read_prop(path).placed(document, (3.0, 0.0, 0.0))
    assert (placed.id, placed.name) == ("p2", "Box 2")
    assert placed.place == pytest.approx([3.0, 0.0, 0.0])


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["obj", "stl", "ply", "glb"])
def test_opening_a_mesh_file_gives_a_prop(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"crate.{kind}"
    trimesh.creation.box((1, 1, 1)).export(path)
    opened = open_file(path)
    assert opened.prop is not None
    assert opened.edit is None
    assert opened.prop.prop.name == "crate"
    assert opened.text == "Add crate"


def test_a_skeleton_is_still_a_person(tmp_path: Path) -> None:
    document = new_document()
    (path,) = export_skinned(tmp_path / "p.glb", document.characters)
    opened = open_file(path)
    assert opened.prop is None
    assert opened.edit is not None


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["glb", "obj", "stl"])
def test_exports_hold_the_props_where_they_stand(kind: str, tmp_path: Path) -> None:
    document = furnished()
    things = placed_props(document)
    (path,) = export_meshes(tmp_path / f"out.{kind}", document.characters, kind, things)
    scene = trimesh.load_scene(path)
    corners = np.concatenate([p.frame.points(p.surface.vertices) for p in document.props])
    low, high = scene.bounds
    assert (low <= corners.min(axis=0) + 1e-4).all()
    assert (high >= corners.max(axis=0) - 1e-4).all()
    (bare,) = export_meshes(tmp_path / f"bare.{kind}", document.characters, kind)
    count = lambda file: sum(len(part.faces) for part in trimesh.load_scene(file).geometry.values())  # noqa: E731
    assert count(path) - count(bare) == sum(len(prop.surface.faces) for prop in document.props)


@pytest.mark.parametrize("skinned", [True, False])
def test_in_glb_each_prop_is_a_node_of_its_name_that_stands_as_it_does(skinned: bool, tmp_path: Path) -> None:
    document, path = furnished(), tmp_path / "out.glb"
    if skinned:
        export_skinned(path, document.characters, things=placed_props(document))
    else:
        export_meshes(path, document.characters, "glb", placed_props(document))
    scene = trimesh.load_scene(path)
    for prop in document.props:
        matrix, geometry = scene.graph[prop.name]
        vertices = trimesh.transform_points(scene.geometry[geometry].vertices, matrix)
        assert np.sort(vertices, axis=0) == pytest.approx(
            np.sort(prop.frame.points(prop.surface.vertices), axis=0), abs=1e-4
        )
        assert matrix[:3, 3] == pytest.approx(prop.place, abs=1e-5)


def test_a_hidden_prop_is_not_exported_and_of_several_people_the_first_file_holds_them(tmp_path: Path) -> None:
    document = edits.set_prop_visible("p2", False)(furnished())
    things = placed_props(document)
    assert [thing.name for thing in things] == ["Box", "Throne"]
    two = edits.add_character(copy_of(document, "c1"))(document)
    first, second = export_meshes(tmp_path / "out.obj", two.characters, "obj", things)
    assert "o Box" in first.read_text()
    assert "o Box" not in second.read_text()
    first, second = export_skinned(tmp_path / "out.glb", two.characters, things=things, together=False)
    assert "Box" in trimesh.load_scene(first).graph.nodes
    assert "Box" not in trimesh.load_scene(second).graph.nodes


def test_props_alone_can_be_exported_and_two_of_one_name_are_both_there(tmp_path: Path) -> None:
    document = furnished()
    twice = replace(document, actors=(), props=(document.props[0], replace(document.props[0], id="p9")))
    (path,) = export_meshes(tmp_path / "out.glb", (), "glb", placed_props(twice))
    assert {"Box", "Box 2"} <= set(trimesh.load_scene(path).graph.nodes)


def test_a_bvh_file_is_what_it_was(tmp_path: Path) -> None:
    document = furnished()
    (one,) = export_bvh(tmp_path / "a.bvh", document.characters)
    (other,) = export_bvh(tmp_path / "b.bvh", new_document().characters)
    assert one.read_text() == other.read_text()
