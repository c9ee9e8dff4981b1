"""Where somebody new can stand: clear of everybody and of all props, near to where they are wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits import clear_place
from app.document.edits.clear_place import first_clear_way, placed_clear
from app.document.edits.props import new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import body_of
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.document.posing.create import new_character, new_document
from app.document.posing.placing import above_floor, lowest_skin, moved, place_of
from solver.body.floor import posed_vertices
from solver.contact.solids import Solid
from solver.ik.options import NO_OPTIONS, SOLID_FLOOR, with_option


def skin(character: Character) -> np.ndarray:
    return posed_vertices(body_of(character), character.shape, character.pose).astype(np.float64)


def lying(document: Document) -> Document:
    """The first person on their back."""
    (person,) = document.characters
    down = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], np.float32)
    rotations = person.pose.rotations.copy()
    rotations[0] = down
    return document.with_character(replace(person, pose=replace(person.pose, rotations=rotations)))


def test_a_free_place_is_taken_as_it_is_wished() -> None:
    document = new_document()
    there = placed_clear(document, new_character(document), (2.5, -1.0))
    assert place_of(there) == pytest.approx((2.5, -1.0), abs=1e-6)
    assert placed_clear(document, there, place_of(there)) is there, "who is clear stays the same"


def test_there_is_less_room_beside_somebody_lying_than_beside_somebody_standing() -> None:
    upright = new_document()
    flat = lying(upright)
    wish = (0.0, 0.75)
    beside = placed_clear(upright, new_character(upright), wish)
    assert place_of(beside) == pytest.approx(wish, abs=1e-6)
    away = placed_clear(flat, new_character(flat), wish)
    (person,) = flat.characters
    gap = np.linalg.norm(skin(person)[::9, None, ::2] - skin(away)[None, ::9, ::2], axis=-1).min()
    assert gap > 0.04, "nobody stands on them"


@pytest.mark.parametrize("kind", ["box", "stairs", "chair", "cylinder"])
def test_nobody_is_put_into_a_prop(kind: str) -> None:
    document = Document()
    prop = new_prop(document, kind)
    document = edits.add_prop(prop)(document)
    there = placed_clear(document, new_character(document), (0.0, 0.0))
    assert np.hypot(*place_of(there)) > 0.2
    assert min(float(solid.distances(skin(there)).min()) for solid in prop.solids()) > 0.0


def test_one_stands_on_what_is_flat() -> None:
    document = Document()
    plane = replace(new_prop(document, "plane"), size=np.array([4.0, 0.02, 4.0]))
    document = edits.add_prop(plane)(document)
    there = placed_clear(document, new_character(document), (0.3, 0.2))
    assert place_of(there) == pytest.approx((0.3, 0.2), abs=1e-6)


def crowded() -> Document:
    """Boxes, chairs and cylinders in rows, too near to each other to stand between most of them."""
    document = Document()
    for i in range(25):
        prop = new_prop(Document(), ("box", "chair", "cylinder")[i % 3])
        at = replace(prop, id=f"p{i}", place=np.array([0.8 * (i % 5 - 2), 0.0, 0.8 * (i // 5 - 2)]))
        document = edits.add_prop(at)(document)
    return document


def test_among_many_props_each_newcomer_is_clear_of_everything_and_little_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document, measured = crowded(), list[int]()
    solids = [solid for prop in document.props for solid in prop.solids()]
    distances = Solid.distances

    def counted(solid: Solid, points: np.ndarray) -> np.ndarray:
        measured.append(len(points))
        return distances(solid, points)

    for _ in range(3):
        with monkeypatch.context() as counting:
            counting.setattr(Solid, "distances", counted)
            there = placed_clear(document, new_character(document), (0.0, 0.0))
        body = skin(there)[::3]
        body = body[body[:, 1] > 0.06]
        assert min(float(solid.distances(body).min()) for solid in solids) > 0.0
        for other in document.characters:
            assert np.linalg.norm(skin(other)[::9, None, ::2] - body[None, ::9, ::2], axis=-1).min() > 0.04
        document = edits.add_character(there)(document)
    assert len(measured) < 900, "not each solid at each place"
    assert np.mean(measured) < 100, "nor skin that is not near"


def room(size: tuple[float, float, float]) -> Prop:
    """A hollow box as a mesh from a file, which faces inwards."""
    surface = surface_of("box")
    return Prop("p1", "Room", MESH, np.array(size), mesh=PropMesh(surface.vertices, surface.faces[:, ::-1]))


def test_within_a_room_of_a_mesh_one_stands_clear_of_its_walls() -> None:
    document = edits.add_prop(room((5.0, 2.6, 5.0)))(Document())
    inside = placed_clear(document, new_character(document), (0.4, 0.2))
    assert place_of(inside) == pytest.approx((0.4, 0.2), abs=1e-6)
    at_wall = placed_clear(document, new_character(document), (2.5, 0.0))
    assert np.abs(skin(at_wall)[:, 0] - 2.5).min() > 0.04


@pytest.mark.slow
def test_nobody_is_put_into_the_middle_of_a_large_solid_mesh() -> None:
    block = room((3.4, 2.6, 3.4))
    assert block.mesh is not None
    solid = replace(block, mesh=PropMesh(block.mesh.vertices, block.mesh.faces[:, ::-1]))
    document = edits.add_prop(solid)(Document())
    there = placed_clear(document, new_character(document), (0.4, 0.2))
    assert np.abs(skin(there)[:, [0, 2]]).max(axis=1).min() > 1.7


def test_where_no_place_is_free_one_stands_beyond_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clear_place, "FAR_M", 2.5)
    document = new_document()
    floor = replace(new_prop(document, "box"), size=np.array([20.0, 1.0, 20.0]))
    document = edits.add_prop(floor)(document)
    edge = float(floor.corners[:, 0].max())
    for x in (0.0, -3.0):  # wherever they stood before
        there = placed_clear(document, moved(new_character(document), (x, 0.0, 0.0)), (0.0, 0.0))
        assert edge < skin(there)[:, 0].min() < edge + 1.0


def test_a_person_held_by_a_solid_floor_goes_down_no_farther_than_to_it() -> None:
    (person,) = new_document().characters
    loose = replace(person, solver_options=NO_OPTIONS)
    solid = replace(person, solver_options=with_option(NO_OPTIONS, SOLID_FLOOR.id, True))
    down = (0.2, -3.0, 0.1)
    lifted = moved(solid, (0.0, 0.5, 0.0))
    assert above_floor([loose], down) == pytest.approx(down)
    assert above_floor([lifted], down) == pytest.approx((0.2, -lowest_skin(lifted), 0.1))
    assert above_floor([loose, lifted], down)[1] == pytest.approx(-lowest_skin(lifted)), "they go together"
    assert above_floor([moved(solid, (0.0, -0.5, 0.0))], down)[1] == 0.0, "who is below it goes no deeper"
    assert above_floor([solid], (0.0, 0.3, 0.0))[1] == pytest.approx(0.3)


def test_somebody_new_keeps_clear_of_where_keys_without_a_motion_lead_others() -> None:
    document = edits.set_clip_length("c1", 30)(new_document())
    document = edits.set_key("c1", 0)(document)
    pose = document.characters[0].pose
    ahead = replace(pose, root_position=pose.root_position + np.array([1.2, 0.0, 0.0], np.float32))
    there = edits.chain(edits.set_pose("c1", ahead), edits.set_key("c1", 29))(document.at_frame("c1", 29))
    first = there.at_frame("c1", 0)
    assert first.characters[0].clip.source is None
    assert place_of(new_character(first))[0] < -0.5, "to the right is where the key leads"


def test_the_first_way_that_leads_into_no_prop_is_taken() -> None:
    document = new_document()
    box = replace(new_prop(document, "box"), place=np.array([1.5, 0.0, 0.0], np.float32))
    document = edits.add_prop(box)(document)
    ways = np.array([[1.5, 0.0, 0.0], [0.0, 0.0, 1.5], [0.0, 0.0, 2.0]])
    way = first_clear_way(document, document.characters[0], ways)
    assert way is not None
    assert way == pytest.approx(ways[1])
    assert first_clear_way(document, document.characters[0], ways[:1]) is None
