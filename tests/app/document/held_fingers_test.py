"""How a person holds their fingers: in the document, in files, in the view and in what is exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pybvh
import pytest

from app.document import edits
from app.document.exchange.export import export_bvh, export_meshes, export_smpl
from app.document.exchange.skinned_export import figure_of
from app.document.model.actor import actor_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of
from app.document.model.history import History
from app.document.posing.create import new_document
from app.document.posing.mirroring import mirrored
from app.document.scene_file.io import load_scene, save_scene
from app.look.figure_colors import SKIN_TONE, SUIT_COLOR
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from solver.body.hands import Hands, relaxed_hands, skin_with
from solver.body.whole_rig import FINGER_JOINTS, SMPLH_JOINTS, as_whole_pose
from solver.errors import InputRefused
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector

BENT = FINGER_JOINTS.index("left_index2")


def held() -> Hands:
    """Only the left index finger bent, by one radian at its middle joint."""
    vectors = np.zeros((len(FINGER_JOINTS), 3))
    vectors[BENT, 2] = -1.0
    return Hands(from_rotation_vector(vectors))


@pytest.fixture
def document() -> Document:
    return with_hands(held())


def with_hands(hands: Hands | None) -> Document:
    document = new_document()
    return document.with_character(replace(document.characters[0], hands=hands))


def test_a_new_person_holds_their_hands_at_ease(tmp_path: Path) -> None:
    assert new_document().characters[0].hands == relaxed_hands()
    save_scene(tmp_path / "new.json", new_document())
    assert load_scene(tmp_path / "new.json").characters[0].hands == relaxed_hands()


def test_fingers_are_kept_in_the_file(document: Document, tmp_path: Path) -> None:
    save_scene(tmp_path / "one.json", document)
    written = json.loads((tmp_path / "one.json").read_text())["characters"][0]["hands"]
    assert list(written) == ["left_index2"]
    assert load_scene(tmp_path / "one.json").characters[0].hands == held()
    save_scene(tmp_path / "flat.json", with_hands(None))
    assert "hands" not in json.loads((tmp_path / "flat.json").read_text())["characters"][0]
    assert load_scene(tmp_path / "flat.json").characters[0].hands is None


def test_a_file_with_fingers_that_are_not_turned_is_refused_by_name(document: Document, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    save_scene(file, document)
    content = json.loads(file.read_text())
    content["characters"][0]["hands"]["left_index2"][0] = 7.0
    file.write_text(json.dumps(content))
    with pytest.raises(InputRefused, match="left_index2"):
        load_scene(file)


def test_fingers_stay_through_edits_and_undo_takes_them_back(document: Document) -> None:
    (character,) = document.characters
    history = History(with_hands(None))
    history.apply("Hands", lambda now: now.with_character(replace(now.characters[0], hands=relaxed_hands())))
    assert history.document.characters[0].hands == relaxed_hands()
    history.undo()
    assert history.document.characters[0].hands is None
    assert edits.solve(character.id)(document).characters[0].hands == held()
    assert actor_of(character).at(0).hands == held()
    assert mirrored(character).hands == held().mirrored()


def test_the_view_draws_fingers_as_they_are_held(document: Document) -> None:
    builder, look = SceneBuilder(), Look(SKIN_TONE, SUIT_COLOR)
    (flat,) = builder.build(with_hands(None), ViewState(), look, None).figures
    (figure,) = builder.build(document, ViewState(), look, None).figures
    moved = np.linalg.norm(np.asarray(figure.mesh.vertices) - np.asarray(flat.mesh.vertices), axis=1)
    assert 0.01 < moved.max() < 0.1
    assert 50 < (moved > 1e-4).sum() < 1000, "one finger"


def _body_skin(character: Character) -> np.ndarray:
    return np.asarray(skin_with(body_of(character), character.shape, character.hands))


@pytest.mark.slow
def test_exports_of_whole_rigs_turn_the_finger_and_others_show_it_in_the_skin(
    document: Document, tmp_path: Path
) -> None:
    (character,) = document.characters
    (file,) = export_bvh(tmp_path / "hands.bvh", document.characters, fingers=True)
    whole = body_of(character).whole_rig(character.shape)
    world = forward_kinematics(whole, as_whole_pose(whole, character.pose, held().by_joint()))
    theirs = pybvh.read_bvh_file(file, world_up="+y")
    found = dict(zip(theirs.joint_names, theirs.joint_positions()[0], strict=True))
    tip = whole.names.index("left_index3")
    assert found["left_index3"] == pytest.approx(world.positions[tip], abs=1e-4)
    flat = forward_kinematics(whole, as_whole_pose(whole, character.pose)).positions[tip]
    assert np.linalg.norm(found["left_index3"] - flat) > 0.01
    (file,) = export_smpl(tmp_path / "hands.npz", document.characters)
    poses = np.load(file)["poses"].reshape(-1, 3)
    assert poses[SMPLH_JOINTS.index("left_index2")] == pytest.approx([0, 0, -1.0], abs=1e-4)
    colors = (SKIN_TONE, SUIT_COLOR)
    plain = figure_of(character, colors, whole_motion=False, fingers=False)
    np.testing.assert_allclose(plain.vertices, _body_skin(character), rtol=1e-6, atol=1e-12)
    rigged = figure_of(character, colors, whole_motion=False, fingers=True)
    np.testing.assert_allclose(rigged.vertices, body_of(character).vertices(character.shape), rtol=1e-6, atol=1e-12)
    turned = rigged.pose.rotations[rigged.skeleton.index("left_index2")]
    assert to_rotation_vector(turned) == pytest.approx([0, 0, -1.0], abs=1e-4)
    (bent,) = export_meshes(tmp_path / "bent.obj", document.characters, "obj")
    (flat,) = export_meshes(tmp_path / "flat.obj", [replace(character, hands=None)], "obj")
    assert bent.read_text() != flat.read_text()


def test_somebody_whose_fingers_are_as_at_rest_is_exported_with_smpls_own_joints(tmp_path: Path) -> None:
    (file,) = export_smpl(tmp_path / "rest.npz", with_hands(None).characters)
    with np.load(file) as stored:
        fingers = stored["poses"][:, 66:]
    assert not fingers.any()


def test_hands_are_held_another_way_in_one_step_and_the_same_way_in_none(document: Document) -> None:
    other = edits.set_hands("c1", relaxed_hands())(document)
    assert other.character("c1").hands == relaxed_hands()
    assert other.character("c1").pose is document.character("c1").pose
    assert edits.set_hands("c1", relaxed_hands())(other) == other
