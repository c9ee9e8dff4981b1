"""The scene says what the document and the view state say, and unchanged parts are the very same objects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import two_new_people

from app.document import edits
from app.document.model.document import Document
from app.services.view_state import ViewState, pruned
from app.viewport.scene_builder import Look, SceneBuilder
from solver.camera import PinholeCamera
from solver.ik.problem import Residual
from solver.kinematics.pose import Pose

LOOK = Look("#d9a98b", "#4a5568")


@pytest.fixture
def two() -> Document:
    return two_new_people()


def view_of(document: Document, **changes: object) -> ViewState:
    return replace(ViewState(character=document.characters[0].id), **changes)


def test_what_did_not_change_is_the_same_object(two: Document) -> None:
    builder = SceneBuilder()
    view = view_of(two)
    first = builder.build(two, view, LOOK)
    second = builder.build(two, view, LOOK)
    assert all(a is b for a, b in zip(first.figures, second.figures, strict=True))
    assert first.handles is second.handles
    assert first.joints is second.joints


def test_a_moved_target_redraws_handles_and_no_figure(two: Document) -> None:
    builder, view = SceneBuilder(), view_of(two)
    first = builder.build(two, view, LOOK)
    effector = two.characters[0].effectors[0]
    moved = edits.set_target(two.characters[0].id, effector.id, effector.target + np.float32(0.1))(two)
    second = builder.build(moved, view, LOOK)
    assert first.figures[0] is second.figures[0]
    assert first.handles is not second.handles
    assert np.allclose(second.handles[0].position, effector.target + 0.1)


def test_a_new_pose_keeps_the_mesh_and_the_other_person(two: Document) -> None:
    builder, view = SceneBuilder(), view_of(two)
    first = builder.build(two, view, LOOK)
    character = two.characters[0]
    pose = Pose(character.pose.root_position + np.float32(0.2), character.pose.rotations)
    second = builder.build(two.with_character(replace(character, pose=pose)), view, LOOK)
    assert second.figures[0] is not first.figures[0]
    assert second.figures[0].mesh is first.figures[0].mesh
    assert second.figures[1] is first.figures[1]
    assert np.allclose(second.figures[0].joints, first.figures[0].joints + 0.2, atol=1e-6)


def test_only_the_active_unlocked_person_shows_handles(two: Document) -> None:
    builder, view = SceneBuilder(), view_of(two)
    ids = {h.id[1] for h in builder.build(two, view, LOOK).handles}
    assert ids == {e.id for e in two.characters[0].effectors}
    locked = edits.set_locked(two.characters[0].id, True)(two)
    assert builder.build(locked, view, LOOK).handles == ()
    assert builder.build(two, replace(view, handles=False), LOOK).handles == ()


def test_hidden_people_are_not_drawn(two: Document) -> None:
    hidden = edits.set_visible(two.characters[1].id, False)(two)
    assert [f.id for f in SceneBuilder().build(hidden, view_of(hidden), LOOK).figures] == [two.characters[0].id]


def test_states_come_from_the_residuals(two: Document) -> None:
    character = edits.make_strict(two.characters[0].id, ["e1", "e2"])(two).characters[0]
    states = ["met", "tolerated", "unreachable", "met", "met", "met", "met"][: len(character.effectors)]
    residuals = tuple(Residual(0.0, s) for s in states)
    document = two.with_character(character)
    document = edits.set_enabled(character.id, character.effectors[3].id, False)(document)
    handles = SceneBuilder().build(document, view_of(document), LOOK, residuals=residuals).handles
    assert [h.state for h in handles][:4] == ["met", "tolerated", "unreachable", "disabled"]


def test_the_ghost_shows_only_where_it_differs(two: Document) -> None:
    builder, view = SceneBuilder(), view_of(two, ghost=True)
    assert not any(f.ghost for f in builder.build(two, view, LOOK).figures)
    character = two.characters[0]
    moved = replace(character, pose=Pose(character.pose.root_position + np.float32(0.2), character.pose.rotations))
    ghosts = [f for f in builder.build(two.with_character(moved), view, LOOK).figures if f.ghost]
    assert len(ghosts) == 1
    assert np.allclose(ghosts[0].joints[0], character.base_pose.root_position)


def test_one_selected_effector_gets_its_gizmo(two: Document) -> None:
    builder, character = SceneBuilder(), two.characters[0]
    by_kind = {e.kind: e for e in character.effectors}
    for kind, gizmo_kind in (("position", "move"), ("rotation", "rotate"), ("lookat", "move")):
        view = view_of(two, effectors=frozenset({by_kind[kind].id}))
        gizmo = builder.build(two, view, LOOK).gizmo
        assert gizmo is not None
        assert gizmo.kind == gizmo_kind
    assert builder.build(two, view_of(two), LOOK).gizmo is None


def test_joints_with_a_position_effector_have_no_dot(two: Document) -> None:
    dots = {name for _, name in SceneBuilder().build(two, view_of(two), LOOK).joints.ids}  # type: ignore[misc]
    held = {e.joint for e in two.characters[0].effectors if e.kind == "position"}
    assert dots.isdisjoint(held)
    assert len(dots) + len(held) == 24


def test_the_photo_shows_only_through_its_camera(two: Document) -> None:
    from app.document.model.document import Photo

    camera = PinholeCamera(np.zeros(3), np.eye(3), 800.0, (320.0, 240.0), (640, 480))
    document = edits.set_photo(Photo("p.jpg", "0", camera))(two)
    image = np.zeros((480, 640, 4), np.uint8)
    builder = SceneBuilder()
    assert builder.build(document, view_of(document), LOOK, image).backplate is None
    shown = builder.build(document, view_of(document, through_photo=True), LOOK, image).backplate
    assert shown is not None
    assert shown.camera is document.photo.camera
    hidden = edits.set_photo_visible(False)(document)
    assert builder.build(hidden, view_of(document, through_photo=True), LOOK, image).backplate is None


def test_the_view_state_drops_what_the_document_lost(two: Document) -> None:
    second = two.characters[1]
    view = ViewState(character=second.id, effectors=frozenset({"e1", "e99"}), through_photo=True)
    kept = pruned(view, two)
    assert kept.effectors == {"e1"}
    assert not kept.through_photo
    gone = pruned(kept, edits.remove_character(second.id)(two))
    assert gone.character == two.characters[0].id
    assert gone.effectors == frozenset()
