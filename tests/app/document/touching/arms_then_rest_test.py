"""A held prop is moved: arms follow first, the rest once they are nearly stretched, and all comes back."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.findings import Findings
from app.document.posing.holds.arms_first import arms_on_props, arms_suffice
from app.document.posing.holds.grasping import hand_around
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import LimbHold

BALL, BAR = (0.06, 0.06, 0.06), (0.9, 0.03, 0.03)  # metres
SOLVERS = ("dls", "smplik")
FORWARD = np.array([-0.1, -0.1, 1.0]) / np.sqrt(1.02)
BEHIND = np.array([0.5, 0.5, -0.7]) / np.sqrt(0.99)
TRUNK = ("pelvis", "spine3", "head")


def solved(
    document: Document, memories: dict[str, Memory], holds: dict[str, LimbHold]
) -> tuple[Document, dict[str, float]]:
    """The document with its person solved, and by how much each active effector is missed, by joint."""
    person, props = document.characters[0], props_of(document)
    around = surroundings_of(document, (person,))
    answer = answers_of((person,), memories, holds=holds, surroundings=around, props=props)[person.id]
    memories[person.id] = answer.solution.memory
    off = {
        e.joint: left.value
        for e, left in zip(answer.effectors, answer.solution.residuals, strict=True)
        if isinstance(e, Contact)
    }
    return document.with_character(with_solution(person, answer.solution, answer.effectors)), off


def holding(document: Document, solver: str, size: tuple[float, float, float], *joints: str) -> Document:
    """The person with these wrists' hands around a ball or a bar that is put ahead of them, posed by that solver."""
    document = edits.set_solver("c1", solver)(document)
    person = document.characters[0]
    wrists = joints_of(person).positions[[skeleton_of(person).index(joint) for joint in joints]]
    at = wrists.mean(axis=0) + np.array([0.0, 0.1, 0.2])
    made = new_prop(document, "ball" if size[0] == size[1] else "box")
    made = replace(made, size=np.array(size, np.float32), place=(at - [0.0, size[1] / 2, 0.0]).astype(np.float32))
    document, patches = add_prop(made)(document), set[str]()
    for joint, wrist in zip(joints, wrists, strict=True):
        spot = nearest_on(made, at if len(joints) == 1 else np.array([wrist[0], at[1], at[2]]))[0]
        contact = hand_around(person, made, joint, spot)
        assert contact is not None
        document = edits.hold("c1", contact)(document)
        patches.add(contact.patch)
    hold = arms_suffice(document, "c1", patches)
    assert hold is not None
    return solved(document, {}, {"c1": hold})[0]


def places(document: Document) -> np.ndarray:
    return joints_of(document.characters[0]).positions.astype(np.float64)


def drawn(document: Document, way: np.ndarray, steps: int) -> tuple[list[np.ndarray], list[dict[str, float]]]:
    """Where joints are after each step of a drag of the prop along a way and back, and what is missed."""
    prop, stays = document.props[-1], arms_on_props(document, {document.props[-1].id})
    assert stays
    findings = Findings()
    findings.ensure_residuals(document.characters[0])
    memories: dict[str, Memory] = {"c1": findings.of(document.characters[0]).memory}
    there, missed = [places(document)], []
    for i in (*range(1, steps + 1), *range(steps - 1, -1, -1)):
        document, off = solved(edits.put_prop(prop.moved(way * i / steps))(document), memories, stays)
        there.append(places(document))
        missed.append(off)
    return there, missed


def farthest(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_drawn_out_of_reach_takes_the_body_along_little_by_little_and_brings_it_back(solver: str) -> None:
    document = holding(new_document(), solver, BALL, "right_wrist")
    names = skeleton_of(document.characters[0]).names
    there, missed = drawn(document, 0.5 * FORWARD, 25)
    trunk, feet = ([names.index(name) for name in some] for some in (TRUNK, ("left_ankle", "right_ankle")))
    assert farthest(there[25][trunk], there[0][trunk]) > 0.1, "it was out of reach"
    assert max(farthest(b, a) for a, b in pairwise(there)) < 0.05, "steps of 2 cm"
    assert max(farthest(each[feet], there[0][feet]) for each in there) < 0.002
    assert max(max(off.values()) for off in missed) < 1e-3
    assert farthest(there[-1][trunk], there[0][trunk]) < 1e-5
    assert farthest(there[-1], there[0]) < 0.03


@pytest.mark.parametrize("solver", SOLVERS)
def test_where_the_joints_of_the_arm_keep_it_from_a_ball_the_body_goes_on_from_where_it_is(solver: str) -> None:
    document = holding(new_document(), solver, BALL, "right_wrist")
    there, missed = drawn(document, 0.6 * BEHIND, 24)
    assert max(farthest(b, a) for a, b in pairwise(there)) < 0.12, "steps of 2.5 cm"
    assert max(max(off.values()) for off in missed) < 1e-3
    assert farthest(there[-1], there[0]) < 0.08


@pytest.mark.slow
def test_a_bar_in_both_hands_is_followed_out_of_reach_and_back() -> None:
    document = holding(new_document(), "dls", BAR, "left_wrist", "right_wrist")
    trunk = [skeleton_of(document.characters[0]).names.index(name) for name in TRUNK]
    there, missed = drawn(document, 0.5 * FORWARD, 25)
    assert farthest(there[25][trunk], there[0][trunk]) > 0.1
    assert max(farthest(b, a) for a, b in pairwise(there)) < 0.06
    assert all(off.keys() == {"left_wrist", "right_wrist"} for off in missed)
    assert max(max(off.values()) for off in missed) < 1e-3
    assert farthest(there[-1][trunk], there[0][trunk]) < 1e-5


@pytest.mark.slow
def test_who_sits_on_a_box_stays_on_it_while_a_ball_in_the_hand_is_drawn_out_of_reach() -> None:
    document = new_document()
    x, _, z = document.characters[0].pose.root_position.tolist()
    box = replace(new_prop(document, "box"), place=np.array([x, 0.0, z - 0.45], np.float32))
    up = np.array([0, 1, 0], np.float32)
    seat = contact_of(patches_of(document.characters[0])["seat"], box.frame.points((0.0, 1.0, 0.2)), up)
    seat = replace(seat, source=PropSource(box.id, np.array([0.0, 0.5, 0.2], np.float32), up))
    sitting, _ = solved(edits.chain(add_prop(box), edits.hold("c1", seat))(document), {}, {})
    held = holding(sitting, sitting.characters[0].solver, BALL, "right_wrist")
    trunk = [skeleton_of(held.characters[0]).names.index(name) for name in ("spine3", "head")]
    there, missed = drawn(held, 0.5 * FORWARD, 25)
    assert farthest(there[25][trunk], there[0][trunk]) > 0.05
    assert max(max(off.values()) for off in missed) < 2e-3
    assert farthest(there[-1][trunk], there[0][trunk]) < 1e-5


def test_of_several_people_who_are_solved_together_nothing_stays_that_gives_way() -> None:
    document = holding(new_document(), "dls", BALL, "right_wrist")
    document = edits.add_character(new_character(document))(document)
    hold = arms_on_props(document, {"p1"})["c1"]
    assert hold.gives_way
    around, things = surroundings_of(document, document.characters), props_of(document)
    found = [
        answers_of(document.characters, {}, holds=holds, surroundings=around, props=things)["c1"].solution.pose
        for holds in ({"c1": hold}, {})
    ]
    assert np.array_equal(found[0].rotations, found[1].rotations)
