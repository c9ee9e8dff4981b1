"""The skin that is drawn is the skin of exports, contacts and intersections, and the floor holds it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from gltf_reader import read_glb

from app.document.exchange.export import export_meshes
from app.document.exchange.skinned_export import export_skinned
from app.document.library.shelf import poses_of, shelf_of
from app.document.model.combine import on_character
from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import on_skin
from app.document.posing.create import new_document
from app.look.figure_colors import SKIN_TONE, SUIT_COLOR
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.scene.values import Figure
from rendering.shapes.capsules import capsule_rows
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.body.hand_presets import preset_hands
from solver.body.hands import skin_with
from solver.body.kept_volume import skin_for
from solver.contact.intersections import Skinned, intersections
from solver.contact.skins import skin
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import Role

BENDS = {
    Role.LEFT_KNEE: (2.1, 0.0, 0.0), Role.RIGHT_HIP: (-1.9, 0.0, 0.0), Role.LEFT_ELBOW: (0.0, -2.2, 0.0),
    Role.RIGHT_SHOULDER: (0.0, 1.4, 0.0),
}  # fmt: skip
BELOW_M = -0.005


@pytest.fixture
def bent() -> Character:
    """Somebody in the air with a knee, a hip, an elbow and a shoulder bent, of a shape of their own."""
    (character,) = new_document().characters
    character = replace(character, shape=BodyShape(np.linspace(-1.5, 1.5, 10)))
    rig, rotations = rig_of(skeleton_of(character)), np.array(character.pose.rotations)
    for role, vector in BENDS.items():
        rotations[rig.index(role)] = from_rotation_vector(np.array(vector))
    return replace(character, pose=Pose(character.pose.root_position + np.float32([0.0, 0.5, 0.0]), rotations))


def figure_of(character: Character) -> Figure:
    document = on_character(character.id, lambda _: character)(new_document())
    scene = SceneBuilder().build(document, ViewState(character=character.id), Look(SKIN_TONE, SUIT_COLOR))
    return scene.figures[0]


def drawn(character: Character) -> np.ndarray:
    """(V, 3) metres, as the shaders put it."""
    figure = figure_of(character)
    assert figure.mesh is not None
    assert figure.rest is not None
    rest = np.column_stack([figure.rest, np.ones(len(figure.rest))])
    return np.einsum("vj,jab,vb->va", figure.mesh.weights, figure.skinning[:, :3], rest)


def test_somebody_who_bends_is_drawn_by_another_skin_than_the_mesh_s_and_shaded_by_that(bent: Character) -> None:
    figure = figure_of(bent)
    assert figure.mesh is not None
    plain = skin_with(body_of(bent), bent.shape, bent.hands)
    assert figure.mesh.vertices is plain
    assert figure.rest is skin_for(body_of(bent), bent.shape, bent.hands, bent.pose)
    assert np.linalg.norm(figure.rest - plain, axis=1).max() > 0.02


def test_the_shadow_of_a_fist_does_not_depend_on_the_hand_drawn_before(bent: Character) -> None:
    open_hands, fists = (replace(bent, hands=preset_hands(name, body_of(bent))) for name in ("spread", "fist"))
    first = [capsule_rows(figure_of(one)) for one in (fists, open_hands)]
    for size in np.linspace(-1.0, 1.0, 9):  # as many as are remembered, and one more
        capsule_rows(figure_of(replace(bent, shape=BodyShape(np.full(10, size)))))
    then = [capsule_rows(figure_of(one)) for one in (open_hands, fists)]
    for ours, theirs in zip([*first[0], *first[1]], [*then[1], *then[0]], strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("kind", ["obj", "stl", "glb"])
def test_a_mesh_of_the_posed_skin_is_what_is_drawn(bent: Character, tmp_path: Path, kind: str) -> None:
    (file,) = export_meshes(tmp_path / f"a.{kind}", [bent], kind)
    read = trimesh.load(file, process=False, force="mesh")
    ours = drawn(bent)[body_of(bent).faces].reshape(-1, 9)
    theirs = np.asarray(read.vertices)[read.faces].reshape(-1, 9)
    assert np.abs(theirs - ours).max() < 1e-5


@pytest.mark.parametrize("fingers", [False, True])
def test_a_glb_file_of_one_pose_shows_what_is_drawn_by_a_shape_that_can_be_switched_off(
    bent: Character, tmp_path: Path, fingers: bool
) -> None:
    bent = replace(bent, hands=None)  # finger joints pose their skin a little otherwise
    (file,) = export_skinned(tmp_path / "a.glb", [bent], fingers=fingers)
    gltf = read_glb(file)
    assert np.abs(gltf.skin_at() - drawn(bent)).max() < 1e-4
    mesh = gltf.content["meshes"][0]
    assert mesh["extras"]["targetNames"] == ["kept volume"]
    mesh["weights"] = [0.0]
    assert np.abs(gltf.skin_at() - posed_vertices(body_of(bent), bent.shape, bent.pose)).max() < 1e-4


@pytest.mark.slow
def test_what_touches_somebody_touches_the_skin_that_is_drawn(bent: Character) -> None:
    rig, ours = rig_of(skeleton_of(bent)), drawn(bent)
    knee = joints_of(bent).positions[rig.index(Role.LEFT_KNEE)]
    near = np.argsort(np.linalg.norm(ours - knee, axis=1))[:40]
    plain = posed_vertices(body_of(bent), bent.shape, bent.pose)
    vertex = int(near[np.linalg.norm(ours - plain, axis=1)[near].argmax()])
    assert np.linalg.norm(ours[vertex] - plain[vertex]) > 0.01
    source, at, _ = on_skin(bent, ours[vertex])
    assert at == pytest.approx(ours[vertex], abs=1e-4)
    touched = skin(body_of(bent), bent.shape, bent.hands)
    assert touched.point_at(source.triangle, source.shares, joints_of(bent))[0] == pytest.approx(ours[vertex], abs=1e-4)


def test_intersections_are_measured_on_the_skin_that_is_drawn(bent: Character) -> None:
    ((measured, _),) = intersections([Skinned(body_of(bent), bent.shape, bent.pose, bent.hands)])
    assert np.abs(measured - drawn(bent)).max() < 1e-5


@pytest.mark.slow
def test_nobody_in_the_library_is_drawn_below_the_floor() -> None:
    lowest = {}
    for entry in shelf_of(resource_folder("assets", "poses")).entries:
        for person in poses_of(entry).people:
            (character,) = new_document().characters
            body = body_of(character)
            rest = skin_for(body, person.shape, person.hands or character.hands, person.pose)
            lowest[entry.name] = float(posed_vertices(body, person.shape, person.pose, rest=rest)[:, 1].min())
    assert len(lowest) > 100
    assert {name: low for name, low in lowest.items() if low < BELOW_M} == {}
