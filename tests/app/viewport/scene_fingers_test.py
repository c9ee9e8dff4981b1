"""Fingers are drawn with the bones and found under the pointer there; dots and menus name what can be posed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.create import new_document
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.camera.camera import OrbitCamera, View
from rendering.camera.moving import standard_view
from rendering.items.bones import bone_instances
from rendering.picking.picking import pick_figure
from rendering.scene.values import Figure
from rendering.shapes.capsules import bone_capsules, bone_owners, drawn_bones
from solver.kinematics.pose import rest_pose
from solver.kinematics.skeleton import SMPL_JOINTS

LOOK = Look("#d9a98b", "#4a5568")


@pytest.fixture
def document() -> Document:
    """Somebody in the T-pose, fingers at rest."""
    document = new_document()
    character = document.characters[0]
    return document.with_character(replace(character, pose=rest_pose(skeleton_of(character)), effectors=(), hands=None))


def figure(document: Document, show: str) -> Figure:
    view = ViewState(character=document.characters[0].id, show=show)
    return SceneBuilder().build(document, view, LOOK).figures[0]


@pytest.mark.parametrize("show", ["bones", "both"])
def test_a_skeleton_shows_its_fingers_where_the_body_has_them(document: Document, show: str) -> None:
    shown, character = figure(document, show), document.characters[0]
    rig = body_of(character).whole_rig(character.shape)
    joints, bones = drawn_bones(shown)
    assert joints == pytest.approx(rig.rest_positions, abs=1e-5)
    named = {(rig.names[a], rig.names[b]) for a, b in bones}
    assert ("left_index1", "left_index2") in named
    assert ("left_wrist", "left_hand") in named
    assert not any("eye" in b or b == "jaw" or b.endswith("thumb1") for _, b in named)
    rows, balls = bone_instances(shown)
    assert (len(rows), len(balls)) == (23 + 20, 57)


def test_a_body_alone_is_drawn_without_them(document: Document) -> None:
    shown = figure(document, "body")
    assert shown.rigid is None
    assert drawn_bones(shown)[0].shape == (24, 3)


def test_a_new_pose_takes_the_fingers_along(document: Document) -> None:
    character = document.characters[0]
    moved = replace(character.pose, root_position=character.pose.root_position + np.float32(0.5))
    before, after = figure(document, "bones"), figure(document.with_character(replace(character, pose=moved)), "bones")
    assert np.asarray(after.rigid) == pytest.approx(np.asarray(before.rigid) + 0.5, abs=1e-5)


def test_a_finger_under_the_pointer_is_the_hand_that_moves_it(document: Document) -> None:
    shown, character = figure(document, "bones"), document.characters[0]
    rig = body_of(character).whole_rig(character.shape)
    view = View(standard_view(OrbitCamera(), "top", orthographic=True), 900, 600)
    for side in ("left", "right"):
        for finger in ("index", "pinky", "thumb"):
            a, b = (rig.rest_positions[rig.index(f"{side}_{finger}{i}")] for i in (2, 3))
            hit = pick_figure(view, (shown,), view.project(0.5 * (a + b)))
            assert hit is not None
            assert hit.joint == SMPL_JOINTS.index(f"{side}_hand")


def test_every_bone_has_a_joint_that_can_be_posed_for_its_owner(document: Document) -> None:
    shown = figure(document, "bones")
    owners = bone_owners(shown)
    start, _, radius = bone_capsules(shown)
    assert len(owners) == len(start) == len(radius) == 43
    assert max(owners) < 24
    assert {SMPL_JOINTS[o] for o in owners[23:]} == {"left_hand", "right_hand"}
    assert radius[23:].max() < radius[:23].min()


def test_dots_stand_on_joints_that_can_be_posed_alone(document: Document) -> None:
    view = ViewState(character=document.characters[0].id, show="bones")
    scene = SceneBuilder().build(document, view, LOOK)
    assert set(scene.joints.ids) == {("joint", name) for name in SMPL_JOINTS}
