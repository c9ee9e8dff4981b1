"""Closed meshes as solids: how far from them a place is, and which places are inside."""

from __future__ import annotations

import numpy as np
import pytest

from solver.contact.distance_grid import DistanceGrid, distance_grid, to_triangles
from solver.contact.solid_kernels import gap_to_grid
from solver.contact.solids import Solid, SolidForm
from solver.kinematics.rotations import from_rotation_vector

FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7], [0, 5, 1], [0, 4, 5], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 7, 3], [1, 5, 7]], np.int32,
)  # fmt: skip
TURN = from_rotation_vector(np.array([0.3, -0.8, 0.5]))


def block(low: float = -0.5, high: float = 0.5) -> np.ndarray:
    """(8, 3) the corners of a cube, of FACES."""
    return np.array([[x, y, z] for x in (low, high) for y in (low, high) for z in (low, high)])


def solid(grid: DistanceGrid, size: tuple[float, float, float] = (0.6, 0.4, 0.9)) -> Solid:
    return Solid(SolidForm.GRID, np.array(size), np.array([0.2, 0.5, -1.0]), TURN, grid)


@pytest.fixture(scope="module")
def cube() -> DistanceGrid:
    return distance_grid(block(), FACES)


def test_a_cube_of_triangles_is_as_far_away_as_a_box(cube: DistanceGrid) -> None:
    mesh = solid(cube)
    box = Solid(SolidForm.BOX, mesh.size, mesh.place, mesh.turn)
    places = mesh.place + np.random.default_rng(2).uniform(-0.4, 0.4, (4000, 3)) @ mesh.turn.T
    wanted, found = box.distances(places), mesh.distances(places)
    assert ((wanted < 0.0) == (found < 0.0))[np.abs(wanted) > 0.002].all()
    touching = np.abs(wanted) < 0.03
    assert np.percentile(np.abs(wanted - found)[touching], 95) < 0.006
    assert touching.sum() > 300


def test_kernels_see_the_same_distances_and_where_they_grow(cube: DistanceGrid) -> None:
    mesh = solid(cube)
    size = np.concatenate([mesh.place, mesh.turn.ravel(), mesh.size / 2, [0.0]]).astype(np.float64)
    places = mesh.place + np.random.default_rng(3).uniform(-0.5, 0.5, (300, 3)) @ mesh.turn.T
    wanted, way = mesh.distances(places), np.empty(3)
    for place, distance in zip(places.astype(np.float64), wanted, strict=True):
        gap = gap_to_grid(place, size, cube.values.ravel(), way)
        assert np.sign(gap) == np.sign(distance)
        if abs(distance) < 0.02:
            assert gap == pytest.approx(distance, abs=0.006)
            out = place - gap * way
            assert abs(gap_to_grid(out, size, cube.values.ravel(), way)) < 0.006
        assert np.linalg.norm(way) == pytest.approx(1.0, abs=1e-6) or abs(distance) > 0.1


@pytest.mark.slow
def test_whichever_way_triangles_face_the_inside_is_the_same(cube: DistanceGrid) -> None:
    inward = distance_grid(block(), FACES[:, ::-1])
    mixed = FACES.copy()
    mixed[4:8] = mixed[4:8, ::-1]
    for other in (inward, distance_grid(block(), mixed)):
        assert np.array_equal(other.values < -1e-6, cube.values < -1e-6)


def test_where_two_blocks_overlap_is_inside_and_a_shell_within_changes_nothing() -> None:
    vertices = np.concatenate([block(-0.5, 0.1), block(-0.1, 0.5)])
    grid = solid(distance_grid(vertices, np.concatenate([FACES, FACES + 8])), (1.0, 1.0, 1.0))
    inside = grid.place + np.array([[0.0, 0.0, 0.0], [0.4, 0.4, 0.4], [-0.4, -0.4, -0.4]]) @ grid.turn.T
    assert (grid.distances(inside) < 0.0).all()
    outside = grid.place + np.array([[0.4, -0.4, 0.0], [-0.4, 0.4, 0.4]]) @ grid.turn.T
    assert (grid.distances(outside) > 0.0).all()


def test_more_lines_than_are_looked_at_at_once_find_the_same(
    cube: DistanceGrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.contact.distance_grid.LINES", 500)
    assert np.array_equal(distance_grid(block(), FACES).values, cube.values)


def test_a_place_beside_a_triangle_is_as_far_as_its_edge() -> None:
    corners = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]])
    assert to_triangles(np.array([[0.2, 0.5, 0.2]]), corners) == pytest.approx([0.5])
    assert to_triangles(np.array([[-0.3, 0.4, 0.2]]), corners) == pytest.approx([0.5])
    flat = np.zeros((1, 3, 3))
    assert to_triangles(np.array([[0.0, 0.7, 0.0]]), flat) == pytest.approx([0.7])


def test_a_grid_belongs_to_its_form_alone(cube: DistanceGrid) -> None:
    with pytest.raises(ValueError, match="has a grid"):
        Solid(SolidForm.GRID, np.ones(3))
    with pytest.raises(ValueError, match="has a grid"):
        Solid(SolidForm.BOX, np.ones(3), grid=cube)
