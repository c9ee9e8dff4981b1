"""Copies of people and props, what ties them to one another, and how they go through the clipboard."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from copies import copy_of_prop

from app.document import edits
from app.document.edits.copies import Things, add_things, copies_of
from app.document.edits.props import new_prop
from app.document.edits.room import way_to_room
from app.document.library.things_text import things_bytes, things_from
from app.document.model.document import Document
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import scene_text
from solver.effectors.contact import Contact
from solver.effectors.kinds import LookAt, Position
from solver.effectors.sources import FloorSource, JointSource, PropSource
from solver.errors import InputRefused, PoserError
from solver.photo.sighting import Sighting

HERE = np.float32([0.4, 1.2, 0.3])


def two() -> Document:
    """Two people and a box; the first holds the box and the hand of the second, and looks at that one."""
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    document = edits.move_character("c2", (1.5, 0.0, 0.0))(document)
    document = edits.add_prop(replace(new_prop(document, "box"), place=np.float32([-1.5, 0.0, 0.4])))(document)
    for effector in (
        Contact("left_wrist", HERE, patch="left_palm", id="box", source=PropSource("p1", (0.0, 0.5, 0.0))),
        Position("right_wrist", HERE, id="hand", source=JointSource("c2", "left_wrist")),
        Position("right_elbow", HERE, id="own", source=JointSource("c1", "head")),
        Position("left_ankle", HERE, id="floor", source=FloorSource()),
        LookAt("head", HERE, id="look", source=JointSource("c2", "head")),
    ):
        document = edits.add_effector("c1", effector)(document)
    return document


def things_of(document: Document, people: tuple[str, ...], props: tuple[str, ...] = ()) -> Things:
    return Things(tuple(map(document.character, people)), tuple(map(document.prop, props)))


def sources(things: Things) -> dict[str, object]:
    """By the effectors' ids, what those of the first person are tied to."""
    named = {"box", "hand", "own", "floor", "look"}
    return {e.id: e.source for e in things.people[0].effectors if e.id in named}


def overlap(one: Prop, other: Prop) -> bool:
    """Whether the boxes around two props, along the world's axes, meet."""
    low, high = one.corners.min(axis=0) + 1e-3, one.corners.max(axis=0) - 1e-3
    return bool(((low < other.corners.max(axis=0)) & (other.corners.min(axis=0) < high)).all())


def test_things_are_called_by_their_name_or_their_number() -> None:
    document = two()
    first, box = document.characters[0], document.prop("p1")
    assert Things((first,)).names == first.name
    assert Things((), (box,)).names == "Box"
    assert things_of(document, ("c1", "c2"), ("p1",)).names == "2 people and 1 prop"
    assert Things((first,), (box, box)).names == "1 person and 2 props"
    assert Things((), (box, box)).names == "2 props"


def test_what_ties_copies_to_each_other_goes_along_and_what_was_not_copied_is_let_go() -> None:
    document = two()
    all_of_them = copies_of(document, things_of(document, ("c1", "c2"), ("p1",)))
    assert ([c.id for c in all_of_them.people], all_of_them.props[0].id) == (["c3", "c4"], "p2")
    tied = sources(all_of_them)
    assert [tied[id].character for id in ("hand", "own", "look")] == ["c4", "c3", "c4"]  # type: ignore[attr-defined]
    assert tied["box"].prop == "p2"  # type: ignore[attr-defined]
    assert tied["floor"] == FloorSource()
    alone = sources(copies_of(document, things_of(document, ("c1",))))
    assert (alone["hand"], alone["box"]) == (None, None)
    assert alone["look"].character == "c2"  # type: ignore[attr-defined]
    elsewhere = sources(copies_of(document, things_of(document, ("c1",)), from_elsewhere=True))
    assert (elsewhere["look"], elsewhere["own"].character) == (None, "c3")  # type: ignore[attr-defined]


def test_somebody_from_a_photo_that_is_not_there_was_not_seen_in_it() -> None:
    document = two()
    seen = replace(document.character("c1"), sighting=Sighting(photo="ab" * 32, points=()))
    for from_elsewhere, kept in ((False, True), (True, False)):
        (copy,) = copies_of(document, Things((seen,)), from_elsewhere).people
        assert (copy.sighting is not None) == kept


def test_two_of_one_name_become_two_more_with_names_of_their_own() -> None:
    document = two()
    twins = Things(tuple(replace(person, name="Ann") for person in document.characters))
    first = copies_of(document, twins, from_elsewhere=True)
    assert [person.name for person in first.people] == ["Ann", "Ann 2"]
    grown = add_things(first, {})(document)
    assert [person.name for person in copies_of(grown, twins, from_elsewhere=True).people] == ["Ann 3", "Ann 4"]
    assert len({person.color for person in grown.characters}) == 4


def test_copies_are_added_once_and_move_together() -> None:
    document = two()
    copies = copies_of(document, things_of(document, ("c1",), ("p1",)))
    assert copies.moved((0.0, 0.0, 0.0)) is copies
    there = copies.moved((0.0, 0.0, 2.0))
    assert np.allclose(there.props[0].place - copies.props[0].place, [0, 0, 2])
    assert np.allclose(there.people[0].pose.root_position - copies.people[0].pose.root_position, [0, 0, 2], atol=1e-6)
    grown = add_things(there, {})(document)
    assert (len(grown.actors), len(grown.props)) == (3, 2)
    with pytest.raises(PoserError, match="There is already something with the id “c3”"):
        add_things(there, {})(grown)


def test_a_copy_has_room_beside_what_it_is_a_copy_of() -> None:
    document = two()
    copy = copy_of_prop(document, "p1")
    assert not overlap(copy, document.prop("p1"))
    both = things_of(document, ("c1",), ("p1",))
    moved = both.moved(way_to_room(document, both))
    assert not overlap(moved.props[0], document.prop("p1"))
    apart = moved.people[0].pose.root_position - document.character("c1").pose.root_position
    assert np.linalg.norm(apart) > 0.3
    assert not way_to_room(edits.remove_prop("p1")(document), things_of(document, (), ("p1",)), here_too=True).any()


def test_a_copy_comes_where_it_is_seen_best() -> None:
    document = two()
    things = things_of(document, (), ("p1",))

    def ahead(_corners: np.ndarray, ways: np.ndarray) -> np.ndarray:
        return (ways[:, 2] >= 0).astype(np.int64)

    way = way_to_room(document, things, ahead)
    assert way[2] >= 0
    assert not overlap(things.moved(way).props[0], document.prop("p1"))


def test_a_copy_that_has_no_room_anywhere_near_stands_beside_the_original() -> None:
    document = two()
    hall = replace(document.prop("p1"), size=np.float32([60.0, 3.0, 60.0]))
    document = replace(document, props=(hall,))
    assert way_to_room(document, Things((), (hall,))) == pytest.approx([60.1, 0.0, 0.0], abs=1e-4)


def test_people_and_props_go_through_the_clipboard_as_they_are() -> None:
    document = edits.animate_prop("p1", 10)(two())
    there = things_from(things_bytes(things_of(document, ("c1",), ("p1",)), dict(document.frames)), None)
    assert there.props == document.props
    assert [person.name for person in there.people] == [document.character("c1").name]
    assert np.allclose(there.people[0].pose.root_position, document.character("c1").pose.root_position)


def test_what_is_pasted_shares_a_known_mesh_whose_surface_is_made_already() -> None:
    ball, chair = (surface_of(kind) for kind in ("ball", "chair"))
    melon, throne = (PropMesh(shape.vertices, shape.faces) for shape in (ball, chair))
    document = two()
    for id, mesh in (("p8", melon), ("p9", throne)):
        document = edits.add_prop(Prop(id, id, MESH, np.array([1.0, 1.0, 1.0]), mesh=mesh))(document)
    copied = things_bytes(things_of(document, (), ("p1", "p8", "p9")), {})
    box, first, second = things_from(copied, None, (throne, melon)).props
    assert box.mesh is None
    assert first.mesh is melon
    assert second.mesh is throne
    assert things_from(copied, None).props[1].mesh is not melon


def test_a_copied_mesh_is_the_same_elsewhere_and_no_time_is_spent_on_making_it_smaller() -> None:
    shape = surface_of("ball")
    mesh = Prop("p1", "Melon", MESH, np.array([1.0, 1.0, 1.0]), mesh=PropMesh(shape.vertices, shape.faces))
    copied = things_bytes(Things((), (mesh,)), {})
    assert things_from(copied, None).props == (mesh,)
    packed = json.loads(copied)["props"][0]["mesh"]
    for key, array in (("vertices", mesh.mesh.vertices), ("faces", mesh.mesh.faces)):
        assert array.tobytes() in base64.b64decode(packed[key]), "as it is in memory"
    saved = json.loads(scene_text(Document(props=(mesh,)), Path("/scenes")))["props"][0]["mesh"]
    assert len(saved["vertices"]) < 0.9 * len(packed["vertices"]), "in a file it is smaller"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The clipboard is empty"),
        (b"\xff\xfe", "The clipboard holds something that cannot be read. Copy it again."),
        (b'["of another program"]', "The clipboard is not a scene"),
        (things_bytes(Things(), {}), "The clipboard holds neither people nor props. Copy them again."),
        (things_bytes(Things(), {}).replace(b'"needs"', b'"nods"').replace(b"{", b'{"needs": ["time travel"],', 1),
         "the scene needs “time travel”, which this program does not have"),
    ],
)  # fmt: skip
def test_what_is_not_ours_or_needs_a_newer_program_is_refused_in_words(content: bytes, said: str) -> None:
    with pytest.raises(InputRefused, match="clipboard") as refused:
        things_from(content, None)
    assert said in str(refused.value)
