"""Characters from files have fewer triangles in motion where the processor draws: parts, colours and outline stay."""

from __future__ import annotations

import numpy as np
import pytest
from rendering_capsule_man import mesh as capsule_mesh

from rendering.scene.clustered import clustered_faces
from rendering.scene.mesh_data import same_places, smooth_normals
from rendering.scene.values import Mesh


@pytest.fixture(scope="module")
def fine() -> Mesh:
    return capsule_mesh(rings=14, sides=22)


def parts_of(mesh: Mesh) -> np.ndarray:
    """(V,) for each vertex the first of those that it hangs together with."""
    first, place = same_places(np.asarray(mesh.vertices))
    label, whole = np.arange(len(first)), place[np.asarray(mesh.faces)]
    while True:
        least = label[whole].min(axis=1)
        before = label.copy()
        np.minimum.at(label, whole, least[:, None])
        if np.array_equal(label, before):
            return label[place]


def test_there_are_about_as_many_triangles_as_wanted(fine: Mesh) -> None:
    goal = len(fine.faces) // 6
    made = clustered_faces(fine.vertices, fine.faces, fine.weights, None, goal)
    assert 0.5 * goal < len(made) < 1.8 * goal


def test_no_triangle_joins_parts_that_do_not_hang_together(fine: Mesh) -> None:
    made = clustered_faces(fine.vertices, fine.faces, fine.weights, None, len(fine.faces) // 6)
    label = parts_of(fine)
    assert (np.ptp(label[made], axis=1) == 0).all()
    assert set(label[made].ravel()) == set(label[np.asarray(fine.faces)].ravel()), "no part is lost"


def test_the_surface_stays_where_it_was_and_faces_outwards(fine: Mesh) -> None:
    made = clustered_faces(fine.vertices, fine.faces, fine.weights, None, len(fine.faces) // 6)
    vertices = np.asarray(fine.vertices, np.float64)
    area = [np.linalg.norm(cross(vertices, faces), axis=1).sum() for faces in (made, np.asarray(fine.faces))]
    assert area[0] == pytest.approx(area[1], rel=0.06)
    outwards = smooth_normals(vertices, np.asarray(fine.faces))[made].mean(axis=1)
    across = cross(vertices, made)
    turned = (outwards * across).sum(axis=1) < 0
    assert np.linalg.norm(across[turned], axis=1).sum() < 0.005 * area[1]


def cross(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    return np.asarray(np.cross(b - a, c - a))


def test_colours_on_both_sides_of_a_seam_stay_apart() -> None:
    """A strip whose vertices are there twice along its middle, once in each colour."""
    x, y = np.meshgrid(np.linspace(0.0, 1.0, 41), np.linspace(0.0, 0.5, 21))
    right = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
    left = right * [-1.0, 1.0, 1.0]
    first = (np.arange(20)[:, None] * 41 + np.arange(40)).ravel()
    quads = np.concatenate([np.stack([first, first + 1, first + 42], 1), np.stack([first, first + 42, first + 41], 1)])
    faces = np.concatenate([quads, quads[:, ::-1] + len(right)])
    colors = np.repeat([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], len(right), axis=0)
    made = clustered_faces(np.concatenate([right, left]), faces, np.ones((2 * len(right), 1)), colors, len(faces) // 6)
    mixed = np.ptp(colors[made], axis=1).any(axis=1)
    assert len(made) < len(faces) / 2
    assert mixed.mean() < 0.1, "but for a few triangles that lost both of a place's colours"
