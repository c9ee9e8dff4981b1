"""Feet of somebody who stands on a box, as their ankles are dragged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import contact_of, patches_of
from scripts.drags.arm_drags import new
from scripts.drags.contact_depths import FIRST, solved
from scripts.drags.drag_steps import drag_steps, handle, straight
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import toes_down
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

HIGH = 0.3  # metres


def on_box() -> Document:
    document = new("female", "smplik")
    box = replace(new_prop(document, "box"), size=np.array([0.9, HIGH, 0.9], np.float32), place=np.zeros(3, np.float32))
    document = edits.add_prop(box)(document)
    raised = edits.place_together([document.character(FIRST)], (0.0, HIGH, 0.0), 0.0, whole=False)(document)
    return solved(raised, {})[0]


def lifted(document: Document, by: tuple[float, float, float]) -> tuple[Document, np.ndarray]:
    """The document and how far toes are down, in radians, as the left ankle is dragged."""
    rig = rig_of(skeleton_of(document.character(FIRST)))
    document, id = handle(document, rig, LEGS[0].end)
    pitches = []
    for reached in drag_steps(document, id, straight(np.array(by), 0.05)):
        document = reached.document
        turn = joints_of(document.character(FIRST)).rotations[rig.joint(LEGS[0].end)]
        pitches.append(toes_down(turn.astype(np.float64)))
    return document, np.array(pitches)


def test_a_heel_that_is_lifted_on_a_box_leaves_the_toes_on_it_as_on_the_floor() -> None:
    floor, on_floor = lifted(new("female", "smplik"), (0.0, 0.15, 0.0))
    above, on_top = lifted(on_box(), (0.0, 0.15, 0.0))
    assert on_top == pytest.approx(on_floor, abs=0.03)
    assert on_top.max() > np.radians(30)
    places = [joints_of(each.character(FIRST)).positions for each in (floor, above)]
    assert places[1] - [0.0, HIGH, 0.0] == pytest.approx(places[0], abs=0.01)


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_sole_on_a_ramp_lies_flat_on_it_with_its_toes(solver: str) -> None:
    document, steep = new("female", solver), np.radians(20)
    turn = np.asarray(from_rotation_vector(np.array([-steep, 0.0, 0.0])), np.float32)
    ramp = replace(new_prop(document, "box"), size=np.float32([1.2, 0.1, 1.6]), place=np.float32([0.0, 0.25, 0.9]))
    document = edits.add_prop(replace(ramp, turn=turn))(document)
    rig, person = rig_of(skeleton_of(document.character(FIRST))), document.character(FIRST)
    source, place, normal = spot_of(document.props[0], np.array([0.1, 1.0, -0.33]), np.array(turn[:, 1]))
    ankle = next(e for e in person.effectors if e.joint == rig.name(LEGS[0].end) and e.holds_joint)
    sole = contact_of(patches_of(person)["left_sole"], place, normal, like=ankle)
    document, missed, _ = solved(edits.hold(FIRST, replace(sole, source=source), ankle.id)(document), {})
    turns = joints_of(document.character(FIRST)).rotations
    down = [toes_down(turns[rig.joint(role)].astype(np.float64)) for role in (LEGS[0].end, LEGS[0].tip)]
    assert missed < 0.002
    assert down == pytest.approx([-steep, -steep], abs=np.radians(6))
