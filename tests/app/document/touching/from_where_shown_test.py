"""A drag that begins anew on another surface: who stands is led there from where they are shown, little by little."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solved_together import solved_and_missed

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.findings import Findings
from solver.body.body import BodyShape
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource
from solver.ik.memory import BegunAnew, Memory, goes_on
from solver.ik.multi_solve.only_limb import only_limb
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

STEP_M = 0.05  # metres that a joint of another limb goes at most from one pose to the next
FOOT, LEG = "left_ankle", ("left_knee", "left_ankle", "left_foot")
SIZE = (0.6, 0.4, 0.6)


def before_box(solver: str, gender: str = "female") -> Document:
    """Somebody new, a quarter of a metre before a box."""
    document = edits.chain(edits.set_shape("c1", BodyShape(gender=gender)), edits.set_solver("c1", solver))(
        new_document()
    )
    ankle = place(document.characters[0], FOOT)
    middle = (float(ankle[0]), 0.0, float(ankle[2]) + 0.25 + SIZE[2] / 2)
    box = replace(new_prop(document, "box", middle), size=np.array(SIZE), place=np.array(middle, np.float32))
    return edits.add_prop(box)(document)


def place(person: Character, joint: str) -> np.ndarray:
    return joints_of(person).positions[skeleton_of(person).index(joint)].astype(np.float64)


def on_box(document: Document) -> Contact:
    """The left sole on the box, near its edge."""
    person, box = document.characters[0], document.props[0]
    source, at, outward = spot_of(box, np.array([0.0, 1.0, -0.25]), UP)
    return replace(contact_of(patches_of(person)["left_sole"], at, outward), source=source, id="sole")


def on_floor(document: Document) -> Contact:
    """The left sole on the floor, a little ahead."""
    person = document.characters[0]
    at = place(person, FOOT) * [1, 0, 1] + [0, 0, 0.15]
    return replace(contact_of(patches_of(person)["left_sole"], at, UP), source=FloorSource(), id="sole")


def asked(document: Document, contact: Contact) -> Document:
    return edits.hold("c1", contact)(document)


def begun_anew(document: Document) -> tuple[Document, dict[str, Memory]]:
    """A drag from the floor onto the box, which begins anew there: what is asked, of somebody shown as on the floor."""
    stepped, _ = solved_and_missed(asked(document, on_floor(document)))
    findings, person, shown = Findings(), document.characters[0], stepped.characters[0].pose
    findings.begin_anew(person, shown)
    there = edits.chain(edits.hold("c1", on_box(document)), edits.show_pose("c1", shown))(document)
    assert there.characters[0].pose == shown
    memory = findings.of(there.characters[0]).memory
    assert isinstance(memory, BegunAnew)
    assert memory.pose == person.pose
    return there, {"c1": memory}


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "gender"), [("dls", "female"), ("smplik", "male")])
def test_a_foot_comes_onto_a_box_at_once_and_its_owner_after_it_little_by_little(solver: str, gender: str) -> None:
    document = before_box(solver, gender)
    at_once, _ = solved_and_missed(asked(document, on_box(document)))
    skeleton = skeleton_of(document.characters[0])
    others = np.setdiff1d(np.arange(len(skeleton)), list(map(skeleton.index, LEG)))
    now, memories = begun_anew(document)
    jump = joints_of(at_once.characters[0]).positions - joints_of(now.characters[0]).positions
    assert np.linalg.norm(jump[others], axis=1).max() > STEP_M
    steps = 0
    while steps == 0 or goes_on(memories["c1"]):
        was = joints_of(now.characters[0]).positions
        now, missed = solved_and_missed(now, memories)
        assert missed < 0.01
        assert np.linalg.norm((joints_of(now.characters[0]).positions - was)[others], axis=1).max() < STEP_M
        steps += 1
    assert steps > 2
    assert now.characters[0].pose == at_once.characters[0].pose, "where a drag that began there would have led"


def test_who_lies_is_there_at_once() -> None:
    document = before_box("dls")
    document = edits.tip_over(document.characters, from_rotation_vector(np.array([np.pi / 2, 0.0, 0.0])))(document)
    person = document.characters[0]
    way, findings = Position.on(skeleton_of(person), FOOT, joints_of(person)), Findings()
    lifted = edits.add_effector("c1", replace(way, id="up", target=way.target + np.array([0.0, 0.2, 0.0], np.float32)))(
        document
    )
    at_once, _ = solved_and_missed(lifted)
    shown = Pose(person.pose.root_position + np.array([0.0, 0.2, 0.0], np.float32), person.pose.rotations)
    findings.begin_anew(person, shown)
    now = edits.show_pose("c1", shown)(lifted)
    memories = {"c1": findings.of(now.characters[0]).memory}
    now, _ = solved_and_missed(now, memories)
    assert now.characters[0].pose == at_once.characters[0].pose
    assert not goes_on(memories["c1"])


def test_who_is_shown_there_already_is_there() -> None:
    document = asked(before_box("dls"), on_floor(before_box("dls")))
    at_once, _ = solved_and_missed(document)
    findings, there = Findings(), at_once.characters[0].pose
    findings.begin_anew(document.characters[0], there)
    now = edits.show_pose("c1", there)(document)
    memories = {"c1": findings.of(now.characters[0]).memory}
    now, _ = solved_and_missed(now, memories)
    assert now.characters[0].pose == there
    assert not goes_on(memories["c1"])


def test_a_leg_that_moves_alone_is_there_at_once() -> None:
    document = before_box("dls")
    hold = only_limb(skeleton_of(document.characters[0]), FOOT, document.characters[0].pose)
    at_once, _ = solved_and_missed(asked(document, on_box(document)), stays={"c1": hold})
    now, memories = begun_anew(document)
    now, _ = solved_and_missed(now, memories, stays={"c1": hold})
    assert now.characters[0].pose == at_once.characters[0].pose
    assert not goes_on(memories["c1"])
