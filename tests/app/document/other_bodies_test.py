"""Another body for somebody: child, elder, chibi and back, in pose, hands and handles; in files and exports as well."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only, whole_motion
from gltf_reader import read_glb
from motion_samples import raised, walker

from app.cli.main import main
from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, on_patch, patches_of
from app.document.posing.create import new_document
from app.document.posing.fingertips import finger_effector, finger_name
from app.document.posing.solving import solution_of, with_solution
from app.document.posing.sources import with_resolved_targets
from app.document.scene_file.io import read_scene_text, save_scene, scene_text
from solver.body.body import BodyShape
from solver.body.catalog import VARIANTS
from solver.body.floor import posed_vertices, sole_heights
from solver.body.hand_presets import preset_hands
from solver.body.kept_volume import skin_for
from solver.effectors.contact import Contact
from solver.effectors.forms import PointEffector
from solver.errors import InputRefused, UnknownName
from solver.formats.bvh.read import read_bvh
from solver.formats.pose_json.write import read_pose_json
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

MEAN = BodyShape()


def embodied(document: Document, body: str) -> Character:
    return only(edits.set_body("c1", body, MEAN)(document))


def missed(character: Character) -> float:
    """Metres by which what is held is off its targets."""
    world, skeleton = joints_of(character), skeleton_of(character)
    held = [e for e in character.effectors if isinstance(e, PointEffector)]
    return max(float(np.linalg.norm(e.held_at(skeleton, world) - e.target)) for e in held)


def lowest(character: Character) -> float:
    return float(posed_vertices(body_of(character), character.shape, character.pose)[:, 1].min())


@pytest.mark.parametrize("id", VARIANTS)
def test_in_another_body_somebody_keeps_pose_floor_and_handles_and_solving_changes_nothing(id: str) -> None:
    document = new_document()
    adult, other = only(document), embodied(document, id)
    assert (other.body, other.shape) == (id, MEAN)
    shoulders = [skeleton_of(adult).index(f"{side}_shoulder") for side in ("left", "right")]
    kept = np.delete(np.arange(len(adult.pose.rotations)), shoulders)
    np.testing.assert_array_equal(other.pose.rotations[kept], adult.pose.rotations[kept])
    turned = np.degrees(geodesic_angle(other.pose.rotations[shoulders], adult.pose.rotations[shoulders]))
    assert turned.max() < (20 if id == "anny:chibi" else 1), "arms hang beside the flanks"
    np.testing.assert_array_equal(other.pose.root_position[[0, 2]], adult.pose.root_position[[0, 2]])
    assert lowest(other) == pytest.approx(lowest(adult), abs=1e-4)
    assert missed(other) == pytest.approx(missed(adult), abs=1e-5)
    solved = with_solution(other, solution_of(other))
    assert np.degrees(geodesic_angle(solved.pose.rotations, other.pose.rotations)).max() < 2


@pytest.mark.parametrize("way", ["on the back", "in the air"])
def test_a_lying_person_goes_on_lying_and_one_in_the_air_keeps_the_pelvis_there(way: str) -> None:
    adult = only(new_document())
    rotations = np.array(adult.pose.rotations)
    rotations[0] = from_rotation_vector([-np.pi / 2, 0, 0])
    height = 0.0 if way == "on the back" else 1.5
    low = posed_vertices(body_of(adult), MEAN, Pose(np.zeros(3, np.float32), rotations))[:, 1].min()
    document = edits.set_pose("c1", Pose(np.array([0, height - low, 0], np.float32), rotations))(new_document())
    child = embodied(document, "anny:child")
    if way == "on the back":
        assert lowest(child) == pytest.approx(0.0, abs=1e-4)
    else:
        assert child.pose == only(document).pose


def test_there_and_back_gives_everything_back() -> None:
    document = new_document()
    back = edits.set_body("c1", "anny", MEAN)(edits.set_body("c1", "anny:chibi", MEAN)(document))
    before, after = only(document), only(back)
    np.testing.assert_allclose(after.pose.root_position, before.pose.root_position, atol=1e-6)
    for old, new in zip(before.effectors, after.effectors, strict=True):
        np.testing.assert_allclose(new.target, old.target, atol=1e-5)


def test_in_the_same_body_only_the_shape_changes() -> None:
    shape = BodyShape(np.eye(10)[0])
    document = new_document()
    assert edits.set_body("c1", "anny", shape)(document) == edits.set_shape("c1", shape)(document)
    with pytest.raises(UnknownName, match="anny:child"):
        edits.set_body("c1", "anny:giant", MEAN)


def test_hands_stay_as_they_are_held_and_a_finger_that_is_held_stays_held() -> None:
    document = new_document()
    fist = preset_hands("fist", body_of(only(document)))
    document = edits.set_hands("c1", fist)(document)
    held = finger_effector(only(document), "left_thumb_tip")
    document = edits.add_effector("c1", held)(document)
    child = embodied(document, "anny:child")
    assert child.hands == fist
    (effector,) = [e for e in child.effectors if e.id == held.id]
    assert finger_name(child, effector) == "left_thumb_tip"
    assert missed(child) < 1e-5


def test_a_contact_holds_the_same_patch_of_the_other_skin_and_is_met_there() -> None:
    document = new_document()
    source, place, normal = on_patch(only(document), "left_hip")
    contact = replace(contact_of(patches_of(only(document))["left_palm"], place, normal), source=source)
    document = edits.hold("c1", contact)(document)
    child = embodied(document, "anny:child")
    (held,) = [e for e in child.effectors if isinstance(e, Contact)]
    assert held.source == source
    np.testing.assert_allclose(held.offset, patches_of(child)["left_palm"].middle, atol=1e-6)
    asked = with_resolved_targets(document.with_character(child)).character("c1").effectors
    solution = solution_of(replace(child, effectors=asked))
    (left,) = [r for r, e in zip(solution.residuals, asked, strict=True) if isinstance(e, Contact)]
    assert left.value < 1e-3


def test_a_motion_goes_on_with_its_soles_as_high_as_they_were_and_comes_back_as_it_was() -> None:
    document = raised(walker().at_frame("c1", 20)).at_frame("c1", 33)
    child = edits.set_body("c1", "anny:child", MEAN)(document)
    assert len(only(child).clip.keys) == len(only(document).clip.keys)
    before, after = whole_motion(only(document)), whole_motion(only(child))
    bodies = body_of(only(document)), body_of(only(child))
    old, new = (
        sole_heights(b, MEAN, m.root_positions, m.rotations) for b, m in zip(bodies, (before, after), strict=True)
    )
    far = np.abs(np.arange(len(old)) - 20) >= only(document).clip.ease
    np.testing.assert_allclose(new[far], old[far], atol=1e-4)
    ways = [motion.root_positions[-1] - motion.root_positions[0] for motion in (before, after)]
    legs = [body.rig(MEAN).leg_length for body in bodies]
    assert ways[1][2] / ways[0][2] == pytest.approx(legs[1] / legs[0], abs=1e-3), "steps are as long as the legs"
    assert 0.6 < legs[1] / legs[0] < 0.75
    key = only(child).clip.key(20)
    assert key is not None
    there = only(child.at_frame("c1", 20))
    np.testing.assert_allclose(there.pose.root_position, after.root_positions[20], atol=1e-5)
    assert missed(there) == pytest.approx(missed(only(document.at_frame("c1", 20))), abs=1e-4)
    back = whole_motion(only(edits.set_body("c1", "anny", MEAN)(child)))
    np.testing.assert_allclose(back.root_positions, before.root_positions, atol=1e-5)


@pytest.mark.sweep
@pytest.mark.parametrize("id", VARIANTS)
def test_a_scene_keeps_a_person_with_another_body(id: str) -> None:
    shape = BodyShape(np.eye(10)[1], "female")
    document = edits.set_body("c1", id, shape)(new_document())
    found = only(read_scene_text(scene_text(document, Path()), Path("scene.json")))
    assert (found.body, found.shape) == (id, shape)
    assert found.pose == only(document).pose


def test_a_scene_that_names_a_body_there_is_not_is_refused_with_its_place_and_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, new_document())
    content = json.loads(path.read_text(encoding="utf-8"))
    content["characters"][0]["body"] = "anny:giant"
    path.write_text(json.dumps(content), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(InputRefused, match=r"scene\.json, characters\[0\]\.body: .*anny:giant.*anny:child.*“anny”"):
        read_scene_text(path.read_text(encoding="utf-8"), path)
    assert path.read_bytes() == before


def test_exports_have_the_childs_skin_and_bones(tmp_path: Path) -> None:
    document = edits.set_body("c1", "anny:child", MEAN)(new_document())
    child = only(document)
    scene = tmp_path / "scene.json"
    save_scene(scene, document)
    for suffix in ("obj", "glb", "bvh", "npz", "json"):
        assert main(["export", str(scene), "-o", str(tmp_path / f"child.{suffix}")]) == 0, suffix
    lines = (tmp_path / "child.obj").read_text(encoding="utf-8").splitlines()
    skin = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], np.float64)
    rest = skin_for(body_of(child), MEAN, child.hands, child.pose)
    np.testing.assert_allclose(skin, posed_vertices(body_of(child), MEAN, child.pose, rest=rest), atol=1e-4)
    bones = {joint.name: joint.offset for joint in read_bvh(tmp_path / "child.bvh").joints}
    for name, offset in zip(skeleton_of(child).names[1:], skeleton_of(child).offsets[1:], strict=True):
        np.testing.assert_allclose(bones[name], offset, atol=1e-4, err_msg=name)
    (person,) = read_pose_json(tmp_path / "child.json").people
    assert (person.body, person.shape) == ("anny:child", MEAN)
    opened = open_file(tmp_path / "child.json").edit
    assert opened is not None
    assert [c.body for c in opened(new_document()).characters] == ["anny", "anny:child"]
    np.testing.assert_allclose(read_glb(tmp_path / "child.glb").skin_at(), skin, atol=2e-3)
