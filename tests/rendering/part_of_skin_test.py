"""The part of the skin that belongs to a joint under the pointer."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.posing.create import new_character
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.scene.values import Mesh
from rendering.shapes.part_of_skin import BORDER, part_of_skin

PERSON = new_character(Document())
NAMES = skeleton_of(PERSON).names
TRUNK = ("pelvis", "spine1", "spine2", "neck")


@pytest.fixture(scope="module")
def mesh() -> Mesh:
    scene = SceneBuilder().build(Document().with_characters((PERSON,)), ViewState(), Look("#d9a98b", "#4a5568"))
    assert scene.figures[0].mesh is not None
    return scene.figures[0].mesh


def area(mesh: Mesh, inside: np.ndarray) -> float:
    """Of the triangles inside, square metres."""
    a, b, c = np.asarray(mesh.vertices)[np.asarray(mesh.faces)[inside[mesh.faces].all(axis=1)].T]
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def broad_pieces(mesh: Mesh, inside: np.ndarray) -> int:
    """Of how many pieces of more than a few square centimetres the skin inside consists."""
    faces = np.asarray(mesh.faces)[inside[mesh.faces].all(axis=1)]
    edges = np.ones(2 * len(faces)), (np.r_[faces[:, 0], faces[:, 1]], np.r_[faces[:, 1], faces[:, 2]])
    _, piece = connected_components(coo_matrix(edges, (len(inside), len(inside))), directed=False)
    return sum(area(mesh, inside & (piece == each)) > 5e-4 for each in np.unique(piece[faces]))


@pytest.mark.parametrize("name", TRUNK)
def test_each_joint_of_the_trunk_has_one_part_that_is_not_in_tatters(mesh: Mesh, name: str) -> None:
    joint = NAMES.index(name)
    part = part_of_skin(mesh, frozenset([joint])) >= BORDER
    assert broad_pieces(mesh, part) == 1
    a, b, c = np.asarray(mesh.vertices)[np.asarray(mesh.faces).T]
    hanging = np.asarray(mesh.weights)[:, joint][mesh.faces].mean(axis=1)
    assert area(mesh, part) > 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1) @ hanging / 2)


def test_a_border_is_hardly_longer_than_a_smooth_one(mesh: Mesh) -> None:
    part = part_of_skin(mesh, frozenset([NAMES.index("spine2")])) >= BORDER
    assert crossed(mesh, part) < 0.8 * crossed(mesh, np.asarray(mesh.weights)[:, NAMES.index("spine2")] >= BORDER)


def crossed(mesh: Mesh, inside: np.ndarray) -> int:
    """How many triangles lie across the border."""
    corners = inside[mesh.faces]
    return int((corners.any(axis=1) & ~corners.all(axis=1)).sum())


def test_where_weights_are_clear_the_part_is_what_hangs_mostly_on_the_joint(mesh: Mesh) -> None:
    knee = NAMES.index("left_knee")
    part, mostly = part_of_skin(mesh, frozenset([knee])) >= BORDER, np.asarray(mesh.weights)[:, knee] >= BORDER
    assert area(mesh, part ^ mostly) < 0.05 * area(mesh, mostly)


def test_a_joint_without_skin_has_no_part(mesh: Mesh) -> None:
    bare = Mesh(mesh.vertices, mesh.faces, np.pad(np.asarray(mesh.weights), ((0, 0), (0, 1))), mesh.suit)
    assert not part_of_skin(bare, frozenset([len(NAMES)])).any()


def test_a_part_is_found_once_while_fingers_move_the_vertices(mesh: Mesh) -> None:
    moved = Mesh(np.array(mesh.vertices), mesh.faces, mesh.weights, mesh.suit)
    assert part_of_skin(moved, frozenset([4])) is part_of_skin(mesh, frozenset([4]))
