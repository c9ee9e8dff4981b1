"""Meshes from files as solids: which are, and that people with a solid body stay out of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.model.figure import body_of
from app.document.model.mesh_solid import Filling, filling, grid_of, thinnest
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import Surface, surface_of
from app.document.posing.create import new_document
from app.document.posing.intersection_shades import intersection_shades
from app.document.posing.solving import problem_of
from app.document.posing.surroundings import solid_surroundings
from app.document.scene_file.io import save_scene
from solver.body.floor import posed_vertices
from solver.contact.solids import SolidForm
from solver.effectors.kinds import Position
from solver.ik.memory import FRESH
from solver.ik.options import SOLID_BODY
from solver.kinematics.pose import Pose
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver


def mesh_of(surface: Surface, turned: bool = False) -> PropMesh:
    return PropMesh(surface.vertices, surface.faces[:, ::-1] if turned else surface.faces)


def prop(mesh: PropMesh, size: tuple[float, float, float] = (0.5, 0.9, 0.4), **more: object) -> Prop:
    return replace(Prop("p1", "Thing", MESH, np.array(size), mesh=mesh), **more)


def test_a_closed_mesh_is_solid_wherever_it_stands_and_shares_one_grid() -> None:
    mesh = mesh_of(surface_of("ball"))
    assert filling(mesh) is Filling.SOLID
    near, far = prop(mesh), prop(mesh, place=np.array([3.0, 0.5, 1.0]), size=np.array([1.0, 1.0, 1.0]))
    ((one,), (other,)) = near.solids(), far.solids()
    assert one.form is SolidForm.GRID
    assert one.grid is other.grid is grid_of(mesh)
    assert other.distances(far.middle[None]) == pytest.approx([-0.5], abs=0.02)
    assert other.distances(far.middle[None] + [0.0, 0.6, 0.0]) == pytest.approx([0.1], abs=0.02)
    assert thinnest(far.size) == pytest.approx(1 / 60)


def test_what_is_open_faces_inwards_or_has_no_inside_is_not_solid() -> None:
    box = surface_of("box")
    sheet = PropMesh(np.array([[-0.5, 0.5, -0.5], [0.5, 0.5, -0.5], [0.0, 0.5, 0.5]]), np.array([[0, 1, 2], [0, 2, 1]]))
    for mesh, wanted in (
        (PropMesh(box.vertices, box.faces[:-1]), Filling.OPEN),
        (PropMesh(np.zeros((3, 3)), np.array([[0, 1, 2]])), Filling.OPEN),
        (mesh_of(box, turned=True), Filling.ROOM),
        (sheet, Filling.SHEET),
    ):
        assert filling(mesh) is wanted
        assert prop(mesh).solids() == ()


def test_what_a_mesh_holds_is_known_as_soon_as_its_scene_is_read(tmp_path: Path) -> None:
    document = edits.add_prop(prop(mesh_of(surface_of("ball"))))(new_document())
    save_scene(tmp_path / "scene.json", document)
    opened = open_file(tmp_path / "scene.json").document
    assert opened is not None
    (mesh,) = (thing.mesh for thing in opened.props)
    assert mesh is not None
    known = set(vars(mesh))
    assert grid_of(mesh) is not None
    assert set(vars(mesh)) == known  # nothing was left to find out


def reached(document: Document, solver: str) -> Pose:
    """Where the one person ends, with a solid body."""
    document = edits.chain(edits.set_solver("c1", solver), edits.set_solver_option("c1", SOLID_BODY.id, True))(document)
    (person,) = document.characters
    surroundings = solid_surroundings(document, person)
    return load_solver(solver).solve(problem_of(person, surroundings=surroundings), FRESH).pose


def depth_in(document: Document, pose: Pose) -> float:
    """Metres that the skin is within the one prop."""
    (person,), (thing,) = document.characters, document.props
    skin = posed_vertices(body_of(person), person.shape, pose).astype(np.float64)
    solids = replace(thing, visible=True).solids()
    return -min(float(solid.distances(skin).min()) for solid in solids)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["ball", "chair", "box"])
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_hand_that_is_put_into_a_mesh_stays_outside(kind: str, solver: str) -> None:
    document = new_document()
    (person,) = document.characters
    wrist = next(e for e in person.effectors if isinstance(e, Position) and e.joint == Role.LEFT_WRIST)
    x, _, z = person.pose.root_position.tolist()
    tall = prop(mesh_of(surface_of(kind)), (0.4, 1.1, 0.4), place=np.array([x + 0.3, 0.0, z + 0.42]))
    document = edits.chain(
        edits.add_prop(tall), edits.set_target("c1", wrist.id, tall.frame.points((-0.1, 0.9, -0.1)))
    )(document)
    open_air = edits.set_prop_visible("p1", False)(document)
    before, after = (depth_in(d, reached(d, solver)) for d in (open_air, document))
    assert before > 0.015
    assert after < 0.012


def test_skin_within_a_mesh_is_tinted_and_open_ones_tint_nothing() -> None:
    document = new_document()
    x, y, z = document.characters[0].pose.root_position.tolist()
    box = surface_of("box")
    pillar = prop(mesh_of(box), (0.2, 0.2, 0.2), place=np.array([x, y, z]))
    (shades,) = intersection_shades(edits.add_prop(pillar)(document)).values()
    assert shades.max() > 0.8
    opened = replace(pillar, mesh=PropMesh(box.vertices, box.faces[:-1]))
    assert not intersection_shades(edits.add_prop(opened)(document))
