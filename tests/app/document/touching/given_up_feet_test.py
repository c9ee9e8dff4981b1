"""Part of a leg is laid on something, and its foot comes off what it stood on where it cannot stay; else it is held."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solved_together import solved, solved_and_missed

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import UP, contact_of, patches_of, place_of_patch
from app.document.posing.holds.given_up_feet import given_up_for
from scripts.drags.contact_depths import Hold, before
from solver.effectors.contact import Contact
from solver.effectors.sources import FloorSource, PropSource

MET = 1e-3  # metres


def stander(body: str, solver: str = "dls") -> Document:
    return before(Hold(()), body, solver)


def person(document: Document) -> Character:
    return document.characters[0]


def place(document: Document, joint: str) -> np.ndarray:
    return np.asarray(joints_of(person(document)).positions[skeleton_of(person(document)).index(joint)])


def on_floor(document: Document, patch: str, ahead: float) -> Contact:
    """That patch on the floor, so many metres ahead of below where it is."""
    found = patches_of(person(document))[patch]
    spot = place_of_patch(person(document), found) * [1.0, 0.0, 1.0] + [0.0, 0.0, ahead]
    return replace(contact_of(found, spot, UP), source=FloorSource())


def loose(document: Document) -> set[str]:
    """The joints of feet with effectors that ask for nothing."""
    return {e.joint for e in person(document).effectors if e.loose and "ankle" in e.joint}


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("body", ["male", "short"])
@pytest.mark.parametrize("ahead", [0.0, 0.15])
def test_whoever_lays_a_knee_on_the_floor_kneels_down_on_it_over_the_other_foot(
    body: str, solver: str, ahead: float
) -> None:
    stands = stander(body, solver)
    after, missed = solved_and_missed(edits.hold("c1", on_floor(stands, "left_knee", ahead))(stands))
    assert missed < MET
    assert place(stands, "pelvis")[1] - place(after, "pelvis")[1] > 0.3
    assert np.linalg.norm(place(after, "right_ankle") - place(stands, "right_ankle")) < 2e-3
    assert place(after, "left_ankle")[2] < place(after, "left_knee")[2] - 0.15, "the foot is behind the knee"


@pytest.mark.slow
def test_a_knee_and_toes_get_onto_a_box_in_front() -> None:
    document = stander("tall")
    x, _, z = person(document).pose.root_position.tolist()
    box = replace(new_prop(document, "box"), size=np.float32([0.6, 0.45, 0.5]), place=np.float32([x, 0.0, z + 0.55]))
    document = add_prop(box)(document)
    for patch in ("left_knee", "left_toes"):
        there = box.frame.points((0.1, 1.0, -0.2))
        made = contact_of(patches_of(person(document))[patch], there, UP)
        made = replace(made, source=PropSource(box.id, box.frame.own(there), UP))
        assert solved_and_missed(edits.hold("c1", made)(document))[1] < MET, patch


def test_only_the_foot_of_that_leg_comes_off_and_none_that_is_pinned() -> None:
    document = stander("neutral")
    knee = on_floor(document, "left_knee", 0.0)
    assert loose(edits.hold("c1", knee)(document)) == {"left_ankle"}
    feet = [e.id for e in person(document).effectors if e.joint == "left_ankle"]
    pinned = edits.chain(*(edits.set_pinned("c1", id, True) for id in feet))(document)
    assert loose(edits.hold("c1", knee)(pinned)) == set()


def test_a_foot_stays_where_the_leg_gets_there_over_it() -> None:
    document = stander("neutral")
    bent = place_of_patch(person(document), patches_of(person(document))["left_knee"]) + [0.0, -0.02, 0.05]
    knee = contact_of(patches_of(person(document))["left_knee"], bent, (0.0, 0.0, -1.0))
    assert not given_up_for(person(document), knee), "against a shelf before it"
    assert not given_up_for(person(document), on_floor(document, "left_palm", 0.0))
    assert not given_up_for(person(document), on_floor(document, "left_toes", 0.01))
    assert given_up_for(person(document), on_floor(document, "left_toes", 0.1))


def test_a_knee_that_is_laid_before_its_foot_on_its_ball_leaves_that_where_it_is_held() -> None:
    document = stander("neutral")
    (ankle,) = (e for e in person(document).effectors if e.joint == "left_ankle" and e.kind == "position")
    behind = ankle.target + np.float32([0.0, 0.12, -0.42])
    document = solved(edits.set_target("c1", ankle.id, behind)(document))
    skeleton = skeleton_of(person(document))
    shin = float(np.linalg.norm(skeleton.offsets[skeleton.index("left_ankle")]))
    knee = contact_of(patches_of(person(document))["left_knee"], behind * [1, 0, 1] + [0.0, 0.0, 0.9 * shin], UP)
    assert not given_up_for(person(document), replace(knee, source=FloorSource()))
    further = knee.onto(knee.target + np.float32([0.0, 0.0, 0.2]), UP)
    assert not given_up_for(person(document), further), "the pointer comes over places that are not meant"
