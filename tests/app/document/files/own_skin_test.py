"""A person who comes from a file with a skin is drawn with it: in the scene, in scene files, and where it cannot be."""

from __future__ import annotations

import base64
import json
import zlib
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from copies import copy_of
from gltf_changes import changed, posed
from odd_rigs import written

from app.document import edits
from app.document.exchange.onto.own_character import export_onto, own_character_in
from app.document.exchange.onto.own_skin_file import own_skin_in
from app.document.exchange.open_file import Opened, open_file
from app.document.exchange.own.own_pose import own_matrices
from app.document.exchange.own.own_skin import hidden_colours
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.posing.create import new_character
from app.document.scene_file.io import load_scene, read_scene_text, save_scene
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.shapes.posed_skin import posed_skin
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.hand_presets import preset_hands
from solver.body.hands import hands_at_rest, relaxed_hands
from solver.errors import InputRefused
from solver.formats.bvh.motion import relation_of
from solver.formats.gltf.nodes import StandingNodes, node_parents
from solver.formats.mesh.rig_skin import RigSkin
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.joint_map_file import JointMaps

TENTH_OF_A_MILLIMETRE = 1e-4


def as_it_is(_content: dict[str, Any]) -> None:
    """Nothing."""


def trunk_beside_the_hips(content: dict[str, Any]) -> None:
    """Both hang from a joint that is none of ours, and carries all of them."""
    nodes = {node["name"].partition(":")[2]: (number, node) for number, node in enumerate(content["nodes"])}
    (spine, moved), (_, hips), (_, root) = nodes["Spine"], nodes["Hips"], nodes["Root"]
    hips["children"].remove(spine)
    root["children"].append(spine)
    moved["translation"] = (np.array(moved["translation"]) + hips["translation"]).tolist()


def without_meshes(content: dict[str, Any]) -> None:
    del content["meshes"], content["skins"]
    content["nodes"] = [{k: v for k, v in node.items() if k not in ("mesh", "skin")} for node in content["nodes"]]


def two_robots(content: dict[str, Any]) -> None:
    """A second one two metres beside, with a skeleton and a skin of its own."""
    nodes, (skin,) = content["nodes"], content["skins"]
    count = len(nodes)
    for node in deepcopy(nodes):
        node["children"] = [count + child for child in node.get("children", ())]
        nodes.append(node | ({"skin": 1} if "skin" in node else {}))
    nodes[count]["translation"] = [2.0, 0.0, 0.0]
    content["skins"].append({**skin, "joints": [count + joint for joint in skin["joints"]]})


def two_robots_who_share_their_skins(content: dict[str, Any]) -> None:
    """Each skin names the joints of both, its own ones first."""
    two_robots(content)
    first, second = content["skins"]
    first["joints"], second["joints"] = first["joints"] + second["joints"], second["joints"] + first["joints"]
    del first["inverseBindMatrices"], second["inverseBindMatrices"]


def opened(path: Path) -> tuple[Opened, Document]:
    found = open_file(path)
    assert found.edit is not None
    return found, found.edit(Document())


def bent(character: Character) -> Character:
    turns = from_rotation_vector(np.random.default_rng(5).normal(0, 0.4, (24, 3))).astype(np.float32)
    return replace(character, pose=Pose(np.array([0.3, 0.9, -0.2], np.float32), turns))


def skin(character: Character) -> np.ndarray:
    """(V, 3) metres: the vertices as the scene has them."""
    document = edits.add_character(character)(Document())
    (figure,) = SceneBuilder().build(document, ViewState(handles=False), Look("#ffffff", "#ffffff")).figures
    assert figure.mesh is not None
    return posed_skin(figure)


def test_a_person_from_a_file_with_a_skin_is_drawn_with_it(robot: Path) -> None:
    found, document = opened(robot)
    (person,) = document.characters
    assert found.hint == "", "its helmet is not left out"
    assert person.own_skin is not None
    assert (person.own_skin.name, person.own_skin.shown) == ("robot.glb", True)
    assert person.own_skin.hides_fingers, "robots have none"
    assert len(skin(person)) == len(person.own_skin.rig().vertices)
    ours = edits.show_own_skin(person.id, False)(document)
    assert len(skin(ours.characters[0])) != len(skin(person)), "our body instead"
    assert edits.show_own_skin(person.id, True)(ours) == document


@pytest.mark.parametrize("change", [as_it_is, trunk_beside_the_hips])
def test_the_scene_has_the_skin_where_an_export_has_it(change: Any, robot: Path, tmp_path: Path) -> None:
    path = tmp_path / "robot.glb"
    path.write_bytes(robot.read_bytes())
    _, document = opened(changed(path, change))
    person = bent(document.characters[0])
    assert person.own_skin is not None
    own_matrices(person, person.own_skin)
    assert all(rig.quick for rig in person.own_skin.rig()._rigs)
    export_onto(tmp_path / "posed.glb", person, own_character_in(path))
    again = own_skin_in(tmp_path / "posed.glb", "").skin.rig()
    assert np.abs(skin(person) - as_it_stands(again, person, path)).max() < TENTH_OF_A_MILLIMETRE


def as_it_stands(rig: RigSkin, person: Character, original: Path) -> np.ndarray:
    """(V, 3) metres: the vertices of a posed file by its nodes, as large as our body. original: the file before."""
    nodes = rig.found.gltf.content["nodes"]
    standing = StandingNodes(nodes, node_parents(nodes), {}, above=rig.found.above)
    matrices = np.stack([standing.world(int(bone))[0] for bone in rig.bones]) @ rig.binds
    blended = np.einsum("vb,bij->vij", rig.weights.astype(np.float64), matrices)
    places = np.einsum("vij,vj->vi", blended[:, :3, :3], rig.vertices.astype(np.float64)) + blended[:, :3, 3]
    related = relation_of(own_character_in(original).people[0], skeleton_of(person))
    return places * related.scale @ related.upright.T


def test_a_file_that_this_program_wrote_of_our_body_is_drawn_as_our_body_at_first(tmp_path: Path) -> None:
    (path,) = export_skinned(tmp_path / "ours.glb", posed().characters)
    (person,) = opened(path)[1].characters
    assert person.own_skin is not None
    assert not person.own_skin.shown
    assert own_skin_in(path, "").skin.shown, "but is drawn where somebody chooses it"


def test_somebody_posed_here_takes_the_skin_of_a_file(robot: Path) -> None:
    person = new_character(Document(), name="Ann")
    found = own_skin_in(robot, person.name)
    document = edits.set_own_skin(person.id, found.skin)(edits.add_character(person)(Document()))
    (drawn,) = document.characters
    assert found.hint == ""
    assert (drawn.pose, drawn.shape) == (person.pose, person.shape)
    places = skin(drawn)
    assert -0.05 < places[:, 1].min() < 0.1, "it stands about where our body stands"
    assert edits.set_own_skin(person.id, None)(document).characters[0].own_skin is None


def with_fingers(folder: Path) -> Character:
    """Somebody from a file of another program, whose fingers are stretched."""

    def foreign(content: dict[str, Any]) -> None:
        content["asset"]["generator"] = "another program"

    upright = Pose(np.array([0.0, 0.95, 0.0], np.float32), np.tile(np.eye(3, dtype=np.float32), (24, 1, 1)))
    stretched = replace(posed().characters[0], hands=None, pose=upright)
    (path,) = export_skinned(folder / "fingers.glb", [stretched], names="mixamo", fingers=True)
    return opened(changed(path, foreign))[1].characters[0]


def test_fingers_are_as_the_file_has_them_until_relaxed_ones_are_chosen(tmp_path: Path) -> None:
    person = with_fingers(tmp_path)
    assert person.own_skin is not None
    assert person.own_skin.shown
    assert not person.own_skin.hides_fingers
    assert person.hands is not None
    assert person.hands.rotations == pytest.approx(hands_at_rest().rotations, abs=1e-3)
    again = export_onto(tmp_path / "again.glb", person, own_character_in(tmp_path / "fingers.glb")).file
    fingers = [
        as_it_stands(own_skin_in(file, "").skin.rig(), person, again) for file in (tmp_path / "fingers.glb", again)
    ]
    assert np.abs(fingers[0] - fingers[1]).max() < TENTH_OF_A_MILLIMETRE, "an export leaves them as they are"
    relaxed, barely = (
        replace(person, hands=hands)
        for hands in (relaxed_hands(), relaxed_hands().mixed(preset_hands("fist", load_body(DEFAULT_BODY)), 0.01))
    )
    bent = np.linalg.norm(skin(relaxed) - skin(person), axis=1)
    assert bent.max() > 0.02, "fingertips"
    assert np.linalg.norm(skin(relaxed) - skin(barely), axis=1).max() < 0.003, "nothing jumps as a fist begins"
    document = edits.add_character(relaxed)(Document())
    save_scene(tmp_path / "relaxed.json", document)
    again = load_scene(tmp_path / "relaxed.json").characters[0]
    assert skin(again) == pytest.approx(skin(relaxed), abs=1e-5)


def test_fingers_that_are_recognised_are_not_told_as_left_out(tmp_path: Path) -> None:
    with_fingers(tmp_path)
    assert "Index" not in opened(tmp_path / "fingers.glb")[0].report


def test_a_posed_character_that_is_opened_again_is_as_large_as_before(robot: Path, tmp_path: Path) -> None:
    person = opened(robot)[1].characters[0]
    crouched = replace(person, pose=Pose(np.array([0.0, 0.4, 0.0], np.float32), person.pose.rotations))
    export_onto(tmp_path / "posed.glb", crouched, own_character_in(robot))
    bones = [
        np.diff(own_character_in(path).people[0].rest_positions, axis=0) for path in (robot, tmp_path / "posed.glb")
    ]
    assert bones[1][1:] == pytest.approx(bones[0][1:], abs=1e-6), "though its hips are nearer to the joint below them"


def test_a_file_without_a_skin_gives_none(tmp_path: Path) -> None:
    _, document = opened(written(tmp_path / "hero.bvh"))
    assert document.characters[0].own_skin is None
    with pytest.raises(InputRefused, match=r"hero\.bvh has joints but no skin\. Choose a GLB, glTF or VRM file"):
        own_skin_in(tmp_path / "hero.bvh", "")
    bones = tmp_path / "bones.glb"
    export_skinned(bones, posed().characters)
    with pytest.raises(InputRefused, match=r"bones\.glb has joints but no skin"):
        own_skin_in(changed(bones, without_meshes), "")


def test_a_skin_that_cannot_be_drawn_is_said_and_our_body_is_drawn(robot: Path, tmp_path: Path) -> None:
    def draco(content: dict[str, Any]) -> None:
        content["extensionsUsed"] = ["KHR_draco_mesh_compression"]
        del content["accessors"][content["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["bufferView"]

    path = tmp_path / "packed.glb"
    path.write_bytes(robot.read_bytes())
    found, document = opened(changed(path, draco))
    assert document.characters[0].own_skin is None
    assert "is compressed with Draco, which this program does not read" in found.hint
    assert found.hint.endswith("Our body is drawn in its place.")


@pytest.mark.parametrize("change", [two_robots, two_robots_who_share_their_skins])
def test_two_people_of_a_file_have_each_their_own_skin(change: Any, robot: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.glb"
    path.write_bytes(robot.read_bytes())
    _, document = opened(changed(path, change))
    one, two = document.characters
    whole = len(skin(opened(robot)[1].characters[0]))
    assert (len(skin(one)), len(skin(two))) == (whole, whole)
    if change is two_robots:
        away = np.abs(skin(two).mean(axis=0) - skin(one).mean(axis=0))
        assert away == pytest.approx([2.0, 0.0, 0.0], abs=0.07), "legs, and so the room, are 3% larger"


def test_another_joint_map_is_for_the_skin_as_well(robot: Path) -> None:
    _, document = opened(robot)
    person = document.characters[0]
    joints = own_character_in(robot).people[0].joint_map.joints
    names = own_character_in(robot).people[0].names
    labels: dict[str, str | None] = {role: names[j] for role, j in joints.items()}
    labels["left_elbow"], labels["left_wrist"] = labels["left_wrist"], None
    again = open_file(robot, person.id, joint_maps=JointMaps(everywhere=labels, source="mine"), person=0)
    assert again.edit is not None
    hidden = edits.show_own_skin(person.id, False)(document)
    (read,) = again.edit(hidden).characters
    assert read.own_skin is not None
    assert person.own_skin is not None
    assert not read.own_skin.shown, "it stays as it was chosen"
    given = read.own_skin.rig().person.given
    assert given is not None
    assert given["left_elbow"] == joints["left_wrist"]


def test_a_motion_for_somebody_who_is_there_leaves_how_they_are_drawn(robot: Path) -> None:
    ann = new_character(Document(), name="Ann")
    found = open_file(robot, ann.id)
    assert found.edit is not None
    (person,) = found.edit(edits.add_character(ann)(Document())).characters
    assert person.own_skin is None


def test_a_scene_keeps_the_skin_without_the_file(robot: Path, tmp_path: Path) -> None:
    mine = tmp_path / "gone.glb"
    mine.write_bytes(robot.read_bytes())
    _, document = opened(mine)
    person = bent(document.characters[0])
    document = document.with_character(person)
    save_scene(tmp_path / "scene.json", edits.show_own_skin(person.id, False)(document))
    mine.unlink()
    (again,) = load_scene(tmp_path / "scene.json").characters
    assert again.own_skin is not None
    assert (again.own_skin.name, again.own_skin.shown) == ("gone.glb", False)
    shown = edits.show_own_skin(person.id, True)(load_scene(tmp_path / "scene.json")).characters[0]
    assert np.abs(skin(shown) - skin(person)).max() < 1e-5
    assert (tmp_path / "scene.json").stat().st_size < 2 * robot.stat().st_size
    read = open_file(tmp_path / "scene.json").document
    assert read is not None
    assert read.characters[0].own_skin == again.own_skin


def test_a_scene_of_people_without_one_says_nothing_of_skins(tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", edits.add_character(new_character(Document()))(Document()))
    assert "own_skin" not in json.loads((tmp_path / "scene.json").read_text())["characters"][0]


def test_a_damaged_skin_is_refused_with_its_place_and_what_to_do(robot: Path, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, opened(robot)[1])
    whole = json.loads(path.read_text())
    told = whole["characters"][0]["own_skin"]
    for change, said in (
        ({"data": "AAAA"}, r"own_skin\.data:? the packed skin is damaged"),
        (cut_short(told), r"own_skin:? the skin cannot be drawn \(robot\.glb was cut short"),
        ({"bytes": told["bytes"] - 1}, r"own_skin\.data does not hold the [\d,]+ bytes that were announced"),
    ):
        whole["characters"][0]["own_skin"] = told | change
        with pytest.raises(InputRefused, match=said) as refused:
            read_scene_text(json.dumps(whole), path)
        assert "remove “own_skin”: then our body is drawn" in str(refused.value)


def cut_short(told: dict[str, Any]) -> dict[str, Any]:
    """A skin without its last bytes."""
    data = zlib.decompress(base64.b64decode(told["data"]))[:-100]
    return {"data": base64.b64encode(zlib.compress(data)).decode(), "bytes": len(data)}


def test_what_a_newer_program_says_of_a_skin_is_kept(robot: Path, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, opened(robot)[1])
    whole = json.loads(path.read_text())
    whole["characters"][0]["own_skin"]["gloss"] = 0.5
    path.write_text(json.dumps(whole))
    save_scene(tmp_path / "again.json", load_scene(path))
    assert json.loads((tmp_path / "again.json").read_text())["characters"][0]["own_skin"]["gloss"] == 0.5


def test_the_shape_of_somebody_drawn_as_the_users_own_character_has_no_presets(robot: Path) -> None:
    _, document = opened(robot)
    (person,) = document.characters
    assert edits.presets_for(person) == ()
    (ours,) = edits.show_own_skin(person.id, False)(document).characters
    assert edits.presets_for(ours) == (), "its joints are the robot's"
    assert edits.presets_for(replace(ours, body=DEFAULT_BODY)), "as of a file that holds our own body"


def test_how_somebody_is_drawn_changes_neither_body_nor_motion_and_another_shape_leaves_the_skin(robot: Path) -> None:
    _, document = opened(robot)
    (person,) = document.characters
    ours = edits.show_own_skin(person.id, False)(document)
    assert ours.actor(person.id).build == document.actor(person.id).build, "so nothing is solved again"
    assert ours.actor(person.id).clip is document.actor(person.id).clip
    taller = edits.set_stature(person.id, 1.9)(ours)
    assert taller.characters[0].shape != person.shape
    back = edits.show_own_skin(person.id, True)(taller).characters[0]
    assert np.ptp(skin(back)[:, 1]) > 1.03 * np.ptp(skin(person)[:, 1]), "as tall as the body's legs make it"


def test_a_copy_of_a_person_has_the_skin_too(robot: Path) -> None:
    _, document = opened(robot)
    (person,) = document.characters
    copy = copy_of(document, person.id)
    assert copy.own_skin is person.own_skin
    assert own_matrices(copy, copy.own_skin) == pytest.approx(own_matrices(person, person.own_skin), abs=2.0)


def test_colours_that_a_look_does_not_show_are_said(robot: Path) -> None:
    _, document = opened(robot)
    people = document.characters
    differ = np.ptp(people[0].own_skin.rig().colors, axis=0).max() > 0.1  # type: ignore[union-attr]
    assert differ
    assert "Suit and Flat" in hidden_colours(people, "clay")
    assert hidden_colours(people, "flat") == ""
    assert hidden_colours(edits.show_own_skin(people[0].id, False)(document).characters, "clay") == ""
