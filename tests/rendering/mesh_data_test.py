"""Meshes as the GPU is given them, and bodies as capsules: what is reordered or thinned out says the same as before."""

from __future__ import annotations

from dataclasses import replace
from weakref import ref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rendering_capsule_man import figure, mesh

from rendering.scene.mesh_data import draw_order, moved_normals, smooth_normals, strongest_weights
from rendering.scene.prepared_mesh import prepared
from rendering.scene.values import NO_DOTS, Gizmo, Handle, JointDots, Mesh, RootHandle, Scene
from rendering.shapes.capsules import bone_capsules, bone_owners, drawn_bones, posed_capsules
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 60), st.integers(1, 80))
def test_another_order_of_drawing_draws_the_same_triangles(seed: int, vertices: int, faces: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(vertices, 3))
    triangles = np.array([rng.choice(vertices, 3, replace=False) for _ in range(faces)])
    order, reordered = draw_order(places, triangles)
    assert sorted(order) == sorted(set(triangles.ravel()))
    before = sorted(map(tuple, places[triangles].reshape(faces, 9).tolist()))
    after = sorted(map(tuple, places[order][reordered].reshape(faces, 9).tolist()))
    assert after == before


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.0, 1.0))
def test_where_some_of_a_mesh_has_moved_its_normals_are_those_of_the_whole_mesh(seed: int, share: float) -> None:
    body, rng = mesh(), np.random.default_rng(seed)
    before = np.asarray(body.vertices)
    moved = rng.random(len(before)) < share
    after = before + np.where(moved[:, None], rng.normal(scale=0.02, size=before.shape), 0.0).astype(before.dtype)
    found = moved_normals(smooth_normals(before, body.faces), before, after, body.faces)
    assert found == pytest.approx(smooth_normals(after, body.faces), abs=1e-6)


def test_a_normal_is_the_mean_of_the_faces_about_it_by_their_area() -> None:
    roof = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 1.0], [5, 5, 5]])
    normals = smooth_normals(roof, np.array([[0, 1, 2], [0, 2, 3]]))
    assert normals[0] == pytest.approx(np.array([1, 0, 1]) / np.sqrt(2))
    assert normals[1] == pytest.approx([0, 0, 1])
    assert normals[4] == pytest.approx([0, 0, 0]), "of no face"


def test_in_the_order_of_drawing_neighbours_stand_together() -> None:
    body = mesh()
    order, faces = draw_order(body.vertices, body.faces)
    steps = np.linalg.norm(np.diff(body.vertices[order][faces].mean(axis=1), axis=0), axis=1)
    shuffled = np.random.default_rng(0).permutation(body.faces)
    random = np.linalg.norm(np.diff(body.vertices[shuffled].mean(axis=1), axis=0), axis=1)
    assert steps.mean() < 0.2 * random.mean()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_the_weights_that_are_kept_are_the_largest_of_each_vertex(seed: int, joints: int) -> None:
    weights = np.random.default_rng(seed).dirichlet(np.full(joints, 0.3), size=20)
    which, kept = strongest_weights(weights)
    assert kept.sum(axis=1) == pytest.approx(np.ones(20), abs=1e-5)
    for row, chosen, shares in zip(weights, which.astype(int), kept, strict=True):
        largest = np.sort(row)[::-1][:4]
        assert np.sort(shares)[::-1][: len(largest)] == pytest.approx(largest / largest.sum(), abs=1e-5)
        assert row[chosen[shares.argmax()]] == row.max()


def test_a_normal_of_a_vertex_without_a_face_is_nothing_and_no_nan() -> None:
    normals = smooth_normals(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 5.0]]), np.array([[0, 1, 2]]))
    assert normals[:3] == pytest.approx(np.tile([0.0, 0, 1], (3, 1)))
    assert not normals[3].any()


def test_the_capsules_of_a_body_go_with_its_pose() -> None:
    turn = from_rotation_vector([0, 0.8, 0])
    still, pose = figure(), None
    rotations = np.tile(np.eye(3), (24, 1, 1))
    rotations[0] = turn
    pose = Pose((1.0, 1.95, -2.0), rotations)
    moved = figure(pose, still.mesh)
    a, b, radius = posed_capsules(still)
    a2, b2, radius2 = posed_capsules(moved)
    assert radius2 == pytest.approx(radius)
    for before, after in ((a, a2), (b, b2)):
        assert after == pytest.approx((before - [0, 0.95, 0]) @ turn.T + [1, 1.95, -2], abs=1e-5)


def test_the_capsules_hold_most_of_the_skin() -> None:
    man = figure()
    assert man.mesh is not None
    a, b, radius = posed_capsules(man)
    points = np.asarray(man.mesh.vertices, np.float64)
    along = b - a
    share = np.clip(np.einsum("vni,ni->vn", points[:, None] - a, along) / (along**2).sum(axis=1), 0, 1)
    away = np.linalg.norm(points[:, None] - a - share[..., None] * along, axis=2) - radius
    assert (away.min(axis=1) < 0.02).mean() > 0.9


def test_a_figure_without_a_mesh_has_a_capsule_on_every_bone() -> None:
    man = replace(figure(), mesh=None)
    a, b, radius = posed_capsules(man)
    assert len(a) == len(b) == len(radius) == 23
    assert all(np.array_equal(x, y) for x, y in zip((a, b, radius), bone_capsules(man), strict=True))


def test_fingers_are_drawn_thin_from_the_second_joint_on_and_moved_by_the_hand() -> None:
    man = figure()
    hand = man.joints[22]
    fingers = np.array([hand + [0.05, 0, 0], hand + [0.08, 0, 0], hand + [0.1, 0, 0]])
    man = replace(man, rigid=fingers, rigid_parents=(22, 24, 25))
    joints, bones = drawn_bones(man)
    assert len(joints) == 27
    assert [tuple(bone) for bone in bones[23:]] == [(24, 25), (25, 26)], "no bone from the hand to the first knuckle"
    assert bone_owners(man)[23:] == [22, 22]
    radius = bone_capsules(man)[2]
    assert radius[23:].max() < radius[:23].min()


def test_a_picture_without_tools_shows_the_same_people_unmarked() -> None:
    man, other = figure(selected=True), figure(id="other")
    at = np.zeros(3)
    scene = Scene(
        (man, other), (Handle("h", "ball", at, at),), JointDots(("j",), at[None]), Gizmo("move", at, np.eye(3)),
        RootHandle(at, 0.0), grid=False,
    )  # fmt: skip
    shown = scene.without_tools()
    assert (shown.handles, shown.joints, shown.gizmo, shown.root, shown.grid) == ((), NO_DOTS, None, None, False)
    assert [f.id for f in shown.figures] == ["man", "other"]
    assert not any(f.selected for f in shown.figures)
    assert shown.figures[1] is other, "what is as it was costs nothing to draw again"


def some_mesh(seed: int = 5) -> Mesh:
    rng = np.random.default_rng(seed)
    faces, vertices = rng.permuted(np.arange(30).repeat(2)).reshape(-1, 3), rng.normal(size=(30, 3))
    weights = rng.random((30, 6))
    return Mesh(vertices, faces, weights / weights.sum(axis=1, keepdims=True), rng.random(30), coarse=faces[::2].copy())


def test_a_mesh_that_is_prepared_again_is_not_worked_out_again() -> None:
    mesh = some_mesh()
    assert mesh.coarse is not None
    again = replace(mesh, vertices=mesh.vertices.copy())
    fine, coarse = prepared(mesh, mesh.faces), prepared(mesh, mesh.coarse)
    assert prepared(again, again.faces) is fine
    assert prepared(again, mesh.coarse) is coarse
    assert len(coarse.faces) == len(mesh.coarse)
    assert fine.skin.shape == (len(fine.order), 11)
    assert (fine.order[fine.faces.ravel()].size, fine.skin.dtype) == (mesh.faces.size, np.float32)


@pytest.mark.parametrize("part", ["vertices", "faces", "weights", "suit"])
def test_a_mesh_with_anything_else_is_worked_out_for_itself(part: str) -> None:
    mesh, other = some_mesh(), some_mesh(seed=6)
    prepared(mesh, mesh.faces)
    mixed = replace(mesh, **{part: getattr(other, part)})
    found = prepared(mixed, mixed.faces)
    order, faces = draw_order(mixed.vertices, mixed.faces)
    joints, weights = strongest_weights(mixed.weights)
    assert np.array_equal(found.order, order)
    assert np.array_equal(found.faces, faces)
    assert np.allclose(found.skin[:, :9], np.column_stack([joints, weights, mixed.suit])[order])


def test_what_was_prepared_keeps_no_mesh_alive() -> None:
    mesh = some_mesh(seed=7)
    prepared(mesh, mesh.faces)
    gone = ref(mesh.weights)
    del mesh
    assert gone() is None
