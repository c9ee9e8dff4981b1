"""The user's own character in our pose: its skin is where the exported file has it, whatever the rig."""

from __future__ import annotations

import json
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from formats_samples import sample_motion
from gltf_changes import SHAPE, changed, description, exported, moving, parts, posed
from gltf_reader import read_glb
from own_glb_test import RIGS, SKELETON, in_centimetres, onto, uneven
from PIL import Image
from solver_colors import with_picture

from app.document.exchange.skinned_export import export_skinned
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.hand_presets import preset_hands
from solver.errors import InputRefused
from solver.formats.bvh.motion import relation_of
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.gltf.skeletons import read_skeletons
from solver.formats.mesh.packed_skin import packed_skin
from solver.formats.mesh.rig_skin import RigSkin, read_rig_skin
from solver.kinematics.pose import Motion, Pose
from solver.rig.joint_map_file import JointMaps

TENTH_OF_A_MILLIMETRE = 1e-4
EDITED = sample_motion(1, seed=8)


@cache
def plain_file(names: str = "smpl", fingers: bool = False) -> bytes:
    """A file whose skin has no shapes, in which a pose would be kept."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.glb"
        export_skinned(path, moving().characters, whole_motion=True, names=names, fingers=fingers)
        return changed(path, lambda content: content.pop("animations")).read_bytes()


def rig(folder: Path, change: Any = None, **how: Any) -> Path:
    path = folder / "a.glb"
    path.write_bytes(plain_file(**how))
    return path if change is None else changed(path, change)


def skin_of(path: Path, person: int = 0) -> RigSkin:
    found = read_skeletons(path)
    packed = packed_skin(found, found.people[person])
    assert packed is not None
    return read_rig_skin(packed, path.name)


def drawn(skin: RigSkin, motion: Motion | Pose, **own: Any) -> np.ndarray:
    """(V, 3) metres: the vertices as the view has them."""
    if isinstance(motion, Pose):
        motion = Motion(motion.root_position[None], motion.rotations[None])
    matrices = skin.matrices(OwnMotion(SKELETON, motion, **own))
    blended = np.einsum("vb,bij->vij", skin.weights.astype(np.float64), matrices)
    return np.einsum("vij,vj->vi", blended[:, :3, :3], skin.vertices.astype(np.float64)) + blended[:, :3, 3]


def written(path: Path, original: Path) -> np.ndarray:
    """(V, 3) metres: the vertices of a posed file as its nodes stand, in our world, in the order in which they are
    drawn. original: the file before it was posed."""
    found = read_skeletons(original)
    related = relation_of(found.people[0], SKELETON)
    places = read_glb(path).skin_at() @ found.above[:3, :3].T
    return places[drawn_vertices(original)] * related.scale @ related.upright.T


def drawn_vertices(path: Path) -> np.ndarray:
    """Which of a mesh's vertices are drawn, in their order: each part's, in which our exports divide the body."""
    gltf = read_glb(path)
    return np.concatenate([np.unique(gltf.array(part["indices"])) for part in gltf.content["meshes"][0]["primitives"]])


@pytest.mark.parametrize("change", RIGS)
def test_the_view_and_the_export_have_the_skin_at_the_same_place(change: Any, tmp_path: Path) -> None:
    path = rig(tmp_path, change)
    off = np.abs(drawn(skin_of(path), EDITED) - written(onto(path, EDITED), path))
    assert off.max() < TENTH_OF_A_MILLIMETRE


@pytest.mark.parametrize("names", ["mixamo", "humanik"])
def test_whatever_its_joints_are_called_and_with_fingers_posed(names: str, tmp_path: Path) -> None:
    body = load_body(DEFAULT_BODY)
    own = {"whole": body.whole_rig(SHAPE), "turned": preset_hands("fist", body).by_joint()}
    path = rig(tmp_path, names=names, fingers=True)
    skin = skin_of(path)
    off = np.abs(drawn(skin, EDITED, **own) - written(onto(path, EDITED, **own), path))
    assert off.max() < TENTH_OF_A_MILLIMETRE
    moved = np.abs(drawn(skin, EDITED, **own) - drawn(skin, EDITED)).max()
    assert moved > 0.02, "a fist is not an open hand"


def test_a_file_with_a_motion_is_drawn_in_each_pose_as_an_export_of_that_pose(tmp_path: Path) -> None:
    (path,) = export_skinned(tmp_path / "a.glb", moving().characters, whole_motion=True)
    skin, way = skin_of(path), sample_motion(5, seed=3)
    for frame in (0, 4):
        again = onto(path, way.pose(frame))
        changed(again, lambda content: frame_into_nodes(content, again))  # noqa: B023
        off = np.abs(drawn(skin, way.pose(frame)) - written(again, path))
        assert off.max() < TENTH_OF_A_MILLIMETRE


def test_the_shape_that_our_exports_have_for_their_pose_is_for_no_other(tmp_path: Path) -> None:
    path = exported(tmp_path, posed())
    assert description(path)["meshes"][0]["weights"] == [1.0]
    again = onto(path, EDITED)
    assert description(again)["meshes"][0]["weights"] == [0.0]
    assert np.abs(drawn(skin_of(path), EDITED) - written(again, path)).max() < TENTH_OF_A_MILLIMETRE


def frame_into_nodes(content: dict[str, Any], path: Path) -> None:
    """The first animation's only frame, as the nodes stand."""
    gltf = read_glb(path)
    first = content.pop("animations")[0]
    for channel in first["channels"]:
        target, output = channel["target"], first["samplers"][channel["sampler"]]["output"]
        content["nodes"][target["node"]][target["path"]] = gltf.array(output)[0].tolist()


def test_one_pose_after_another_is_quick_unless_joints_are_scaled_unevenly(tmp_path: Path) -> None:
    for change, quick in ((in_centimetres, True), (uneven, False)):
        skin = skin_of(rig(tmp_path, change))
        drawn(skin, EDITED)
        assert [each.quick for each in skin._rigs] == [quick]


def test_a_packed_skin_holds_neither_pictures_nor_animations_nor_shapes(tmp_path: Path) -> None:
    path = exported(tmp_path, moving(), whole_motion=True)
    found = read_skeletons(exported(tmp_path, posed()))
    packed = packed_skin(found, found.people[0])
    assert packed is not None
    (tmp_path / "packed.glb").write_bytes(packed)
    told = description(tmp_path / "packed.glb")
    assert told.keys().isdisjoint({"animations", "images", "textures", "cameras"})
    assert all("targets" not in primitive for mesh in told["meshes"] for primitive in mesh["primitives"])
    assert len(packed) < path.stat().st_size


def test_what_a_person_said_about_its_joints_is_packed_with_it(tmp_path: Path) -> None:
    def nameless(content: dict[str, Any]) -> None:
        for number, node in enumerate(content["nodes"]):
            node["name"] = f"bone {number}"

    path = rig(tmp_path)
    named = read_skeletons(path).people[0]
    expected = drawn(skin_of(path), EDITED)
    labels = {role: f"bone {(named.places or ())[j]}" for role, j in named.joint_map.joints.items()}
    changed(path, nameless)
    found = read_skeletons(path, JointMaps(everywhere=labels, source="mine.json"))
    packed = packed_skin(found, found.people[0])
    assert packed is not None
    skin = read_rig_skin(packed, "a.glb")
    assert skin.person.given is not None
    assert np.abs(drawn(skin, EDITED) - expected).max() < 2e-3


def test_a_surface_that_hangs_from_a_joint_goes_along_and_one_beside_the_skeleton_is_left_out(tmp_path: Path) -> None:
    def hang(content: dict[str, Any]) -> None:
        nodes = content["nodes"]
        head = next(node for node in nodes if node["name"] == "head")
        body = next(node for node in nodes if "skin" in node)
        nodes.append({"name": "hat", "mesh": body["mesh"], "translation": [0.0, 0.2, 0.0], "scale": [0.1, 0.1, 0.1]})
        head["children"] = [*head.get("children", []), len(nodes) - 1]
        nodes.append({"name": "prop", "mesh": body["mesh"]})

    without, path = skin_of(rig(tmp_path)), rig(tmp_path, hang)
    skin = skin_of(path)
    hat = drawn(skin, EDITED)[len(without.vertices) :]
    assert len(hat) == len(without.vertices), "the hat, and not the prop"
    again = read_glb(onto(path, EDITED))
    number = next(n for n, node in enumerate(again.content["nodes"]) if node["name"] == "hat")
    world = again.worlds_at()[number]
    places = again.shaped()[drawn_vertices(rig(tmp_path))]
    assert np.abs(hat - (places @ world[:3, :3].T + world[:3, 3])).max() < TENTH_OF_A_MILLIMETRE
    assert set(skin.joints[skin.weights[-1] > 0].tolist()) == {SKELETON.index("head")}


def test_a_picture_on_the_surface_colours_its_vertices(tmp_path: Path) -> None:
    half = np.zeros((4, 4, 3), np.uint8)
    half[:, :2] = (255, 0, 0)
    half[:, 2:] = (0, 0, 255)
    file = BytesIO()
    Image.fromarray(half).save(file, "PNG")
    path = with_picture(rig(tmp_path), file.getvalue(), lambda vertices: vertices[:, 0] > 0)
    skin = skin_of(path)
    across = drawn(skin, Pose(SKELETON.offsets[0], np.tile(np.eye(3), (24, 1, 1))))[:, 0]
    assert (skin.colors[across > 0.05] == [0.0, 0.0, 1.0]).all()
    assert (skin.colors[across < -0.05] == [1.0, 0.0, 0.0]).all()


def test_a_material_that_hides_nothing_is_drawn_from_both_sides_where_it_says_so(tmp_path: Path) -> None:
    def clear_suit(content: dict[str, Any]) -> None:
        content["materials"][0]["doubleSided"] = True
        content["materials"][1]["alphaMode"] = "BLEND"
        content["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"][3] = 0.0

    plain, skin = skin_of(rig(tmp_path)), skin_of(rig(tmp_path, clear_suit))
    assert (plain.two_sided, skin.two_sided) == (False, True)
    assert len(skin.faces) < len(plain.faces), "nobody sees the suit"


def test_a_skin_that_cannot_be_drawn_is_refused_in_words(tmp_path: Path) -> None:
    def too_large(content: dict[str, Any]) -> None:
        content["accessors"][content["meshes"][0]["primitives"][0]["indices"]]["count"] = 3 * 200_001

    def draco(content: dict[str, Any]) -> None:
        content["extensionsUsed"] = ["KHR_draco_mesh_compression"]
        place = content["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
        del content["accessors"][place]["bufferView"]

    def damaged(content: dict[str, Any]) -> None:
        content["accessors"][content["meshes"][0]["primitives"][0]["indices"]]["componentType"] = 5126

    for change, said in (
        (too_large, "has more than 200,000 triangles, too many to be posed. Reduce it to 200,000 or fewer"),
        (draco, "is compressed with Draco, which this program does not read"),
        (damaged, "its meshes cannot be read"),
    ):
        with pytest.raises(InputRefused, match=said):
            skin_of(rig(tmp_path, change))


def test_a_damaged_packed_skin_is_refused(tmp_path: Path) -> None:
    found = read_skeletons(rig(tmp_path))
    packed = packed_skin(found, found.people[0])
    assert packed is not None
    with pytest.raises(InputRefused, match=r"a\.glb was cut short"):
        read_rig_skin(packed[:-100], "a.glb")
    (tmp_path / "b.glb").write_bytes(packed)
    changed(tmp_path / "b.glb", lambda content: content["extras"]["contrapposto"].update(person=3))
    with pytest.raises(InputRefused, match="its skin has lost its skeleton"):
        read_rig_skin((tmp_path / "b.glb").read_bytes(), "b.glb")
    for change, said in (
        ({"buffers": 5}, "its skin is not valid"),
        ({"meshes": [{"primitives": []}]}, "has no skin"),
        ({"extras": {"contrapposto": [3]}}, "its skin is not valid"),
    ):
        (tmp_path / "c.glb").write_bytes(packed)
        changed(tmp_path / "c.glb", lambda content, change=change: content.update(change))
        with pytest.raises(InputRefused, match=said):
            read_rig_skin((tmp_path / "c.glb").read_bytes(), "c.glb")


@pytest.mark.parametrize("key", ["buffers", "images"])
def test_a_packed_skin_reads_no_other_file(key: str, tmp_path: Path) -> None:
    found = read_skeletons(rig(tmp_path))
    packed = packed_skin(found, found.people[0])
    assert packed is not None
    (tmp_path / "sent.glb").write_bytes(packed)
    (tmp_path / "secret.bin").write_bytes(bytes(10_000_000))
    changed(
        tmp_path / "sent.glb", lambda content: content.update({key: [{"uri": "secret.bin", "byteLength": 10_000_000}]})
    )
    with pytest.raises(InputRefused, match="its packed skin asks for another file"):
        read_rig_skin((tmp_path / "sent.glb").read_bytes(), str(tmp_path / "sent.glb"))


def test_a_gltf_file_without_a_skin_has_nothing_to_draw(tmp_path: Path) -> None:
    content, buffer = parts(rig(tmp_path))
    content["buffers"][0]["uri"] = "a.bin"
    del content["meshes"], content["skins"]
    content["nodes"] = [{k: v for k, v in node.items() if k not in ("mesh", "skin")} for node in content["nodes"]]
    (tmp_path / "a.bin").write_bytes(buffer)
    (tmp_path / "a.gltf").write_text(json.dumps(content))
    found = read_skeletons(tmp_path / "a.gltf")
    assert packed_skin(found, found.people[0]) is None


def test_a_picture_that_cannot_be_read_leaves_the_plain_colour(tmp_path: Path) -> None:
    skin = skin_of(with_picture(rig(tmp_path), b"no picture", lambda vertices: vertices[:, 0] > 0))
    assert (skin.colors == 1.0).all()


def test_lines_are_left_out_and_a_file_without_normals_is_drawn(tmp_path: Path) -> None:
    def odd(content: dict[str, Any]) -> None:
        first, second = content["meshes"][0]["primitives"]
        first["mode"] = 1
        del second["attributes"]["NORMAL"]

    plain, skin = skin_of(rig(tmp_path)), skin_of(rig(tmp_path, odd))
    assert (plain.normals is None, skin.normals is None) == (False, True)
    assert 0 < len(skin.faces) < len(plain.faces)


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("MAX_BONES", 10, "its skin hangs on 24 bones, and at most 10 can be drawn. Join its meshes"),
        ("_MOST_WEIGHTS", 1000, r"its skin has 13,563 vertices on 24 bones, too many to be posed. Reduce its meshes"),
    ],
)
def test_more_bones_or_vertices_than_can_be_drawn_are_refused(
    limit: str, most: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"solver.formats.mesh.rig_skin.{limit}", most)
    with pytest.raises(InputRefused, match=said):
        skin_of(rig(tmp_path))
