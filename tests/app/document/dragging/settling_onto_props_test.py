"""Whoever was tipped over above a prop, or into it, settles onto it, and hangs over its edge where they overhang."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from coming_to_rest_test import BACK, FRONT, LEFT, QUARTER, RIGHT, fallen, from_library, heights, standing

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import KINDS, MESH, Prop
from app.document.model.prop_clip import PropClip, PropKey
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.document.posing.fitting_effectors import ankles_of
from app.document.posing.placing import moved, skin_of, tipped
from app.document.posing.rest.settling import is_down
from solver.effectors.asleep import NOWHERE, AsleepEffector
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import PropSource
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

HIGH = 0.45  # metres, of a bed
ALONG = {"back": [0, -1], "front": [0, 1], "left": [-1, 0], "right": [1, 0]}  # from the pelvis to the head
WAYS = {"back": BACK, "front": FRONT, "left": LEFT, "right": RIGHT}


def below(
    person: Character, way: str, kind: str = "box", size: tuple[float, float, float] = (1.0, HIGH, 2.2),
    shift: float = 0.0, turn: float = 0.0,
) -> Prop:  # fmt: skip
    """A prop on the floor below the pelvis, its length along the person; shifted by metres towards the head."""
    x, _, z = person.pose.root_position.tolist()
    at = np.array([x, z]) + shift * np.array(ALONG[way])
    yaw = turn + (QUARTER if way in ("left", "right") else 0.0)
    turned = np.asarray(from_rotation_vector(np.array([0.0, yaw, 0.0])), np.float32)
    return Prop("p1", kind, kind, np.float32(size), place=np.float32([at[0], 0.0, at[1]]), turn=turned)


def scene(person: Character, *props: Prop) -> Document:
    return replace(Document().with_characters((person,)), props=props)


def above(person: Character, prop: Prop) -> Document:
    """The person as high above the prop as they were above the floor."""
    return scene(moved(person, (0.0, float(prop.corners[:, 1].max()), 0.0)), prop)


def settled(document: Document) -> Character:
    return edits.come_to_rest("c1")(document).character("c1")


def depth(person: Character, prop: Prop) -> float:
    """Centimetres by which skin is within a prop."""
    skin = skin_of(person).astype(np.float64)
    return -100.0 * float(np.min([solid.distances(skin) for solid in prop.solids()]))


def height(person: Character, role: Role) -> float:
    """Metres, of a joint."""
    return float(joints_of(person).positions[rig_of(skeleton_of(person)).joint(role)][1])


def lies_by(person: Character) -> set[str]:
    return {e.patch for e in person.effectors if isinstance(e, Contact) and isinstance(e.source, PropSource)}


@pytest.mark.slow
@pytest.mark.parametrize("build", ["neutral", "male", "child"])
@pytest.mark.parametrize("way", WAYS)
def test_who_was_tipped_over_above_a_bed_lies_on_it_and_rests(way: str, build: str) -> None:
    stiff = fallen(WAYS[way], build)
    bed = below(stiff, way)
    document = above(stiff, bed)
    assert is_down(document.character("c1"), document.props)
    after = edits.come_to_rest("c1")(document)
    person = after.character("c1")
    assert depth(person, bed) < 1.5
    for role in (Role.PELVIS, Role.SPINE3, Role.HEAD):
        assert HIGH < height(person, role) < HIGH + 0.3
    assert np.abs(person.pose.root_position - document.character("c1").pose.root_position)[[0, 2]].max() < 0.05
    assert lies_by(person), "by contacts, so that it stays there in drags"
    assert edits.come_to_rest("c1")(after) is after


def test_legs_over_the_edge_of_a_bed_hang_down_to_the_floor_and_a_head_hangs_over_a_short_one() -> None:
    stiff = fallen(BACK)
    bed = below(stiff, "back", turn=QUARTER, shift=0.12)
    person = settled(above(stiff, bed))
    assert depth(person, bed) < 1.0
    assert height(person, Role.PELVIS) > HIGH
    feet = [heights(person)[leg.end.words] for leg in LEGS]
    assert max(feet) < 2.0
    box = below(stiff, "back", size=(0.5, HIGH, 0.5))
    over = settled(above(stiff, box))
    assert depth(over, box) < 1.0
    assert height(over, Role.HEAD) < height(over, Role.PELVIS) - 0.1


def test_who_was_tipped_over_into_a_bed_is_taken_onto_it_in_one_step() -> None:
    stiff = fallen(FRONT)
    bed = below(stiff, "front")
    assert depth(stiff, bed) > 15.0
    person = settled(scene(stiff, bed))
    assert depth(person, bed) < 1.0
    assert height(person, Role.PELVIS) > HIGH
    assert heights(person)["all"] > 30.0


def test_who_has_only_legs_or_head_on_a_bed_slides_off_it_to_the_floor() -> None:
    stiff = fallen(BACK)
    bed = below(stiff, "back", shift=1.5)
    person = settled(above(stiff, bed))
    assert depth(person, bed) < 1.0
    assert height(person, Role.PELVIS) < 0.2
    assert heights(person)["all"] > -1.0


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "way"), list(zip(("stairs", "chair", "table", "ball"), WAYS, strict=True)))
def test_nobody_ends_within_stairs_a_chair_a_table_or_a_ball_and_once_is_enough(kind: str, way: str) -> None:
    stiff = fallen(WAYS[way])
    prop = below(stiff, way, kind, KINDS[kind].size)
    for document in (above(stiff, prop), scene(stiff, prop)):
        after = edits.come_to_rest("c1")(document)
        assert depth(after.character("c1"), prop) < 2.0, "on an edge, the skin between two of the balls that fill it"
        assert heights(after.character("c1"))["all"] > -1.0
        assert edits.come_to_rest("c1")(after) is after


def test_who_lies_below_a_table_stays_below_it() -> None:
    stiff = fallen(BACK)
    table = below(stiff, "back", "table", (1.2, 0.74, 2.4))
    person = settled(scene(stiff, table))
    assert height(person, Role.PELVIS) < 0.2
    assert height(person, Role.HEAD) < 0.2


def test_who_stands_or_kneels_on_all_fours_on_a_bed_is_not_down() -> None:
    for person in (standing(), from_library("All fours"), from_library("Plank")):
        bed = below(person, "front")
        document = above(person, bed)
        assert not is_down(document.character("c1"), document.props)
        assert edits.come_to_rest("c1")(document) is document
    sinks = replace(fallen(BACK), solver_options={})
    assert not is_down(sinks, (below(sinks, "back"),))


def test_nobody_waits_for_what_is_solid_of_a_mesh_who_stands_or_lies_elsewhere() -> None:
    ball = surface_of("ball")
    mesh = PropMesh(ball.vertices, ball.faces)
    prop = Prop("p1", "Melon", MESH, np.float32([1.0, 1.0, 1.0]), mesh=mesh)
    worked_out = set(mesh.__dict__)
    assert not is_down(standing(), (prop,))
    assert set(mesh.__dict__) == worked_out
    lies = above(fallen(BACK), prop).character("c1")
    assert not is_down(lies, (replace(prop, place=np.float32([4.0, 0.0, 0.0])),)), "it is nowhere near them"
    assert set(mesh.__dict__) == worked_out
    assert is_down(lies, (prop,)) is False, "it is a ball, off which they slide"
    assert set(mesh.__dict__) != worked_out


def test_a_prop_that_is_hidden_bears_nobody_and_one_that_moves_does_where_it_is_at_the_frame() -> None:
    stiff = fallen(BACK)
    bed = below(stiff, "back")
    hidden = settled(scene(stiff, replace(bed, visible=False)))
    assert height(hidden, Role.PELVIS) < 0.2
    keys = [PropKey(frame, bed.place - np.float32([0.0, sunk, 0.0]), bed.turn) for frame, sunk in ((0, 0.0), (4, 0.2))]
    document = scene(stiff, replace(bed, clip=PropClip(tuple(keys), 4.0)))
    first, last = (settled(document.with_props_at(time_s)) for time_s in (0.0, 1.0))
    assert height(last, Role.PELVIS) == pytest.approx(height(first, Role.PELVIS) - 0.2, abs=0.03)


def test_a_chest_whose_patch_lies_elsewhere_is_held_where_it_lies_and_ankles_no_longer_stand() -> None:
    stiff = fallen(BACK)
    person = settled(above(stiff, below(stiff, "back")))
    assert lies_by(person) == {"buttocks", "back"}
    assert {e.joint for e in person.effectors if e.is_active} == {"pelvis", "spine3"}
    again = tipped(person, from_rotation_vector([0.0, 0.0, 0.3]))
    turned_on = replace(Document().with_characters((again,)), props=(below(stiff, "back"),))
    assert lies_by(settled(turned_on)), "those it had are made anew"


def test_an_effector_of_a_newer_version_stays_beside_the_contact_of_its_joint() -> None:
    stiff = fallen(BACK)
    unknown = AsleepEffector(rig_of(skeleton_of(stiff)).name(Role.PELVIS), NOWHERE, id="new", unknown="spring")
    person = settled(above(replace(stiff, effectors=(*stiff.effectors, unknown)), below(stiff, "back")))
    assert lies_by(person) == {"buttocks", "back"}
    assert person.effector("new") == unknown


def test_a_pelvis_that_a_handle_holds_gets_no_contact_beside_it() -> None:
    stiff = fallen(BACK)
    pelvis = rig_of(skeleton_of(stiff)).name(Role.PELVIS)
    handle = Position(pelvis, joints_of(stiff).positions[0], id="held")
    person = settled(above(replace(stiff, effectors=(*stiff.effectors, handle)), below(stiff, "back")))
    assert [e.id for e in person.effectors if e.is_active and e.joint == pelvis] == ["held"]


def test_an_arm_that_is_asked_for_something_keeps_its_shape_on_a_bed_too() -> None:
    stiff = fallen(BACK)
    arm = ARMS[0]
    wrist = next(e for e in stiff.effectors if e.joint == rig_of(skeleton_of(stiff)).name(arm.end))
    held = replace(stiff, effectors=(*(e for e in stiff.effectors if e is not wrist), wrist.touched()))
    bed = below(held, "back")
    person = settled(above(held, bed))
    joints = [rig_of(skeleton_of(held)).joint(role) for role in (arm.root, arm.hinge)]
    assert person.pose.rotations[joints] == pytest.approx(held.pose.rotations[joints], abs=1e-5)
    assert height(person, Role.PELVIS) > HIGH


def test_ankles_loosened_on_a_bed_hold_again_once_their_person_has_got_up_unless_they_were_touched_there() -> None:
    stiff = fallen(BACK)
    lying = settled(above(stiff, below(stiff, "back")))
    ankles = [e.id for e in lying.effectors if e.joint in ankles_of(lying)]
    assert all(lying.effector(id).loose for id in ankles)
    rolled = tipped(lying, from_rotation_vector([0.0, 0.0, 0.6]))
    assert all(rolled.effector(id).loose for id in ankles), "it still lies"
    up = tipped(lying, from_rotation_vector(-np.array(BACK)))
    assert not any(up.effector(id).loose for id in ankles)
    touched = replace(lying, effectors=tuple(e.touched() if e.id == ankles[0] else e for e in lying.effectors))
    up = tipped(touched, from_rotation_vector(-np.array(BACK)))
    assert [up.effector(id).loose for id in ankles] == [touched.effector(id).loose for id in ankles]
