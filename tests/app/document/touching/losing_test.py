"""Who loses what when somebody, or a prop, is taken out."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of
from app.document.model.document import Document
from app.document.model.figure import body_of
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.dependents import Dependents, dependents_of_people, dependents_of_prop
from app.document.posing.hold_table import COMMON_HOLDS
from app.library.folders import shipped_folder
from solver.body.floor import posed_vertices
from solver.effectors.contact import Contact
from solver.effectors.forms import AimEffector
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource, JointSource, PropSource
from solver.kinematics.rotations import from_rotation_vector


@pytest.fixture
def scene() -> Document:
    """Two people, and a wide box that nobody touches."""
    document = new_document()
    other = replace(new_character(document), id="c2", name="Ben")
    document = edits.chain(edits.add_character(other), edits.move_character("c2", (0.7, 0.0, 0.0)))(document)
    box = replace(new_prop(document, "box").sized((1.5, 0.5, 1.5)), id="p1", place=np.array([0.0, 0.0, 5.0]))
    return edits.add_prop(box)(document)


def looking(document: Document, id: str, source: JointSource | PropSource) -> Document:
    look = next(e for e in document.character(id).effectors if isinstance(e, AimEffector))
    return edits.on_effector(id, look.id, lambda e: replace(e, source=source))(document)


def put_on(document: Document, *boxes: Prop) -> Document:
    """The first person half a metre up, and boxes about."""
    document = edits.move_character("c1", (0.0, 0.5, 0.0))(document)
    return replace(document, props=boxes)


def raised(document: Document) -> Document:
    """The first person with the lowest skin half a metre up."""
    person = document.character("c1")
    lowest = float(posed_vertices(body_of(person), person.shape, person.pose)[:, 1].min())
    return edits.move_character("c1", (0.0, 0.5 - lowest, 0.0))(document)


def turned(document: Document, angle: float) -> Document:
    """The first person turned forward as a whole, by radians."""
    person = document.character("c1")
    rotations = np.array(person.pose.rotations)
    rotations[0] = from_rotation_vector(np.array([angle, 0.0, 0.0])) @ rotations[0]
    return edits.set_pose("c1", replace(person.pose, rotations=rotations))(document)


def test_nobody_loses_what_nobody_touches_or_looks_at(scene: Document) -> None:
    assert not dependents_of_prop(scene, "p1")
    assert not dependents_of_people(scene, ["c2"])


def test_those_left_alone_lose_the_person_they_held_or_looked_at(scene: Document) -> None:
    shoulder = next(hold for hold in COMMON_HOLDS if hold.id == "shoulder")
    tied = looking(edits.take_hold("c1", shoulder)(scene), "c1", JointSource("c2", "head"))
    lost = dependents_of_people(tied, ["c2"])
    assert [id for id, _ in lost.held] == ["c1"]
    assert lost.looking == ("c1",)
    assert lost.standing == ()
    assert not dependents_of_people(tied, ["c1"]), "it is c1 who holds"
    assert not dependents_of_people(tied, ["c1", "c2"])


def test_contacts_and_looks_on_a_prop_are_lost_and_another_target_on_it_is_nothing_to_tell(scene: Document) -> None:
    seat = contact_of(patches_of(scene.character("c1"))["seat"], (0.0, 0.5, 5.0), UP)
    on_it = edits.hold("c1", replace(seat, source=PropSource("p1", UP)))(scene)
    assert [(id, e.patch) for id, e in dependents_of_prop(on_it, "p1").held] == [("c1", "seat")]
    assert dependents_of_prop(looking(scene, "c2", PropSource("p1", UP)), "p1") == Dependents(looking=("c2",))
    point = Position("left_wrist", UP, id="p", source=PropSource("p1", UP))
    assert not dependents_of_prop(edits.add_effector("c1", point)(scene), "p1")


def test_a_person_on_a_prop_loses_it_unless_something_else_is_below_them_as_well(scene: Document) -> None:
    box = replace(scene.props[0], place=np.zeros(3, np.float32))
    assert dependents_of_prop(put_on(scene, box), "p1") == Dependents(standing=(("c1", "stand"),))
    assert not dependents_of_prop(put_on(scene, box, replace(box, id="p2")), "p1")
    assert not dependents_of_prop(put_on(scene, box.sized((1.5, 0.3, 1.5))), "p1"), "they hang above it"
    flat = replace(box.sized((1.5, 0.01, 1.5)))
    assert not dependents_of_prop(replace(scene, props=(flat,)), "p1"), "it is as good as the floor"
    assert not dependents_of_prop(put_on(scene, replace(box, place=np.array([0.0, 0.0, 3.0]))), "p1"), "it is elsewhere"


def test_a_person_named_for_a_contact_is_not_named_again_for_standing_there(scene: Document) -> None:
    scene = put_on(scene, replace(scene.props[0], place=np.zeros(3, np.float32)))
    sole = contact_of(patches_of(scene.character("c1"))["left_sole"], (0.0, 0.5, 0.0), UP)
    lost = dependents_of_prop(edits.hold("c1", replace(sole, source=PropSource("p1", UP)))(scene), "p1")
    assert [id for id, _ in lost.held] == ["c1"]
    assert lost.standing == ()
    assert not lost.resting, "a sole on it is no seat"


@pytest.mark.parametrize(
    ("how", "pose"),
    [
        ("lie", "Lying/Lie on the back"),
        ("lie", "Lying/Lie face down"),
        ("lie", "Lying/Sleep on the side"),
        ("sit", "Sitting on the floor/Straddle sit"),
        ("sit", "Sitting on the floor/Hug the knees"),
        ("kneel", "Kneeling/Pray"),
        ("kneel", "Crawling/All fours"),
        ("stand", "Standing/Contrapposto"),
        ("stand", "Gesturing/Bow"),
        ("stand", "Crouching/Deep squat"),
    ],
)
def test_how_somebody_is_on_a_prop_is_told_by_what_of_them_is_lowest(scene: Document, how: str, pose: str) -> None:
    content = poses_of(Entry(shipped_folder() / f"{pose}.json", pose))
    scene = raised(take_pose("c1", content, Taking())(scene))
    box = replace(scene.props[0].sized((4.0, 0.5, 4.0)), place=np.zeros(3, np.float32))
    others = edits.move_character("c2", (9.0, 0.0, 0.0))(scene)
    assert dependents_of_prop(replace(others, props=(box,)), "p1") == Dependents(standing=(("c1", how),))


@pytest.mark.parametrize(
    ("patches", "angle", "how"),
    [
        (("seat",), 0.0, "sit"),
        (("seat", "back"), -0.3, "sit"),
        (("seat", "back", "back_of_head"), -pi / 2, "lie"),
        (("belly",), pi / 2, "lie"),
        (("lower_belly",), pi / 2, "lie"),
        (("buttocks",), -pi / 2, "lie"),
        (("buttocks",), 0.0, None),
        (("chest",), 0.5, None),
        (("left_palm",), -pi / 2, None),
    ],
    ids=["seat", "with a back", "bed", "belly", "lower belly", "buttocks", "at a wall", "leaning", "hand"],
)
def test_a_contact_of_the_trunk_is_a_seat_or_a_bed(
    scene: Document, patches: tuple[str, ...], angle: float, how: str | None
) -> None:
    scene = turned(scene, angle)
    for patch in patches:
        contact = contact_of(patches_of(scene.character("c1"))[patch], (0.0, 0.5, 5.0), UP)
        scene = edits.hold("c1", replace(contact, source=PropSource("p1", UP)))(scene)
    lost = dependents_of_prop(scene, "p1")
    assert len(lost.held) == len(patches)
    assert lost.resting.get("c1") == how


def test_a_sheet_that_is_not_solid_is_stood_on_too_and_one_further_below_is_not(scene: Document) -> None:
    corners = np.float32([[-0.5, 0.5, -0.5], [0.5, 0.5, -0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 0.5]])
    mesh = PropMesh(corners, np.array([[0, 2, 1], [0, 3, 2]]))
    sheet = Prop("p9", "Stage", MESH, np.array([2.0, 0.01, 2.0]), np.array([0.0, 0.495, 0.0]), mesh=mesh)
    assert not sheet.solids()
    assert dependents_of_prop(put_on(scene, sheet), "p9") == Dependents(standing=(("c1", "stand"),))
    assert not dependents_of_prop(put_on(scene, sheet.moved((0.0, -0.2, 0.0))), "p9")
    tilted = sheet.turned_to(from_rotation_vector(np.array([0.0, 0.0, 0.7])))  # its box reaches the feet, it does not
    assert not dependents_of_prop(put_on(scene, tilted.moved((-0.5, 0.0, 0.0))), "p9")


def test_whoever_takes_another_pose_lets_go_of_what_is_not_there_and_feet_and_pins_stay_firm(
    scene: Document,
) -> None:
    person = scene.character("c1")
    for patch in ("lower_back", "left_palm", "right_palm", "left_sole"):
        contact = contact_of(patches_of(person)[patch], (0.3, 0.0, 0.1), UP)
        held = replace(contact, source=FloorSource(), pinned=patch == "right_palm")
        scene = edits.hold("c1", held)(scene)
    pose = poses_of(Entry(shipped_folder() / "Jumping/Long jump.json", "Long jump"))
    after = take_pose("c1", pose, Taking())(scene).character("c1")
    ids = {e.joint: e.id for e in scene.character("c1").effectors if isinstance(e, Contact)}
    freed = {joint: after.effector(id) for joint, id in ids.items()}
    assert all(isinstance(each, Position) for each in freed.values())
    loose = {joint for joint, each in freed.items() if each.loose}
    assert loose == ids.keys() - {"right_wrist", "left_ankle"}
