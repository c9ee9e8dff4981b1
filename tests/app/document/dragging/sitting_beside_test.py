"""Somebody whose feet stay is to sit on a box that stands beside them, which legs hardly reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import add_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.solving import reasons_of, with_solution
from app.document.posing.surroundings import solid_surroundings, surroundings_of
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from app.look.wording import reason_text
from solver.ik.memory import Memory
from solver.ik.problem import Residual

SIZE = np.array([0.5, 0.45, 0.5])  # of the box, metres
STEPS, ONTO = 16, 3  # of a drag, and of those onto the box


class Dragging:
    """A drag, step by step, of the only person, who stands with a box beside."""

    def __init__(self, solver: str, box: tuple[float, float]) -> None:
        self.box = Prop("p1", "Box", "box", SIZE, place=np.array([box[0], 0.0, box[1]]))
        document = edits.set_solver("c1", solver)(add_prop(self.box)(new_document()))
        pelvis = new_effector(document.characters[0], "position", "pelvis")
        self.document: Document = edits.add_effector("c1", pelvis)(document)
        self.pelvis = self.document.characters[0].effectors[-1]
        self.memories: dict[str, Memory] = {}
        self.left: tuple[Residual, ...] = ()

    def places(self) -> np.ndarray:
        return joints_of(self.document.characters[0]).positions.astype(float)

    def joint(self, name: str) -> int:
        return skeleton_of(self.document.characters[0]).index(name)

    def solve(self) -> None:
        (person,), props = self.document.characters, props_of(self.document)
        surroundings = surroundings_of(self.document, [person])
        answer = answers_of((person,), self.memories, surroundings=surroundings, props=props)["c1"]
        self.memories["c1"], self.left = answer.solution.memory, answer.solution.residuals
        self.document = self.document.with_character(with_solution(person, answer.solution, answer.effectors))

    def sit(self, seat: tuple[float, float]) -> None:
        """Drag the pelvis to a place of the box, metres from the middle of its top; its skin touches in the end."""
        start, own = self.pelvis.target.astype(float), np.array([seat[0] / SIZE[0], 1.0, seat[1] / SIZE[2]])
        end = spot_of(self.box, own, UP)[1]
        for step in range(1, STEPS + 1):
            there = start + (end - start) * step / STEPS
            if step <= STEPS - ONTO:
                self.document = edits.set_target("c1", self.pelvis.id, there.astype(np.float32))(self.document)
            else:
                on_box = np.clip((there - self.box.place) / SIZE, [-0.5, 1.0, -0.5], [0.5, 1.0, 0.5])
                source, place, normal = spot_of(self.box, on_box, UP)
                person = self.document.characters[0]
                made = contact_of(patches_of(person)["seat"], place, normal, like=person.effector(self.pelvis.id))
                held = replace(made, source=source)
                self.document = edits.hold("c1", held, instead_of=self.pelvis.id)(self.document)
            self.solve()

    def drag(self, joint: str, way: tuple[float, float, float]) -> Iterator[np.ndarray]:
        """Where all joints are after each step of a drag of a joint by so many metres."""
        start = self.places()[self.joint(joint)]
        handle = next(e for e in self.document.characters[0].effectors if e.joint == joint)
        for step in range(1, STEPS + 1):
            there = (start + np.array(way) * step / STEPS).astype(np.float32)
            onto = edits.on_effector("c1", handle.id, lambda e, at=there: replace(e, target=at, loose=False))
            self.document = onto(self.document)
            self.solve()
            yield self.places()


@pytest.mark.sweep("dls-box1-seat1-left_wrist-way1")
@pytest.mark.parametrize(
    ("solver", "box", "seat", "hand", "way"),
    [
        ("smplik", (0.684, 0.016), (-0.167, 0.094), "left_wrist", (0.057, -0.054, -0.162)),
        ("dls", (0.58, -0.113), (-0.162, -0.02), "left_wrist", (-0.155, 0.089, -0.019)),
    ],
)
def test_a_foot_stays_on_the_floor_while_a_hand_is_dragged(
    solver: str, box: tuple[float, float], seat: tuple[float, float], hand: str, way: tuple[float, float, float]
) -> None:
    dragging = Dragging(solver, box)
    dragging.sit(seat)
    feet = [dragging.joint("left_ankle"), dragging.joint("right_ankle")]
    before = dragging.places()[feet]
    for places in dragging.drag(hand, way):
        assert np.abs(places[feet] - before).max() < 0.02


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_person_who_cannot_sit_there_is_told_that_both_ankles_hold_back(solver: str) -> None:
    dragging = Dragging(solver, (0.7, -0.29))
    dragging.sit((0.01, 0.03))
    assert dragging.left[-1].state == "unreachable"
    person = dragging.document.characters[0]
    surroundings = solid_surroundings(dragging.document, person)
    told = reasons_of(person, dragging.left, lambda: False, surroundings)
    assert told is not None
    assert told[-1] is not None
    assert reason_text(told[-1]) == "Left ankle and right ankle are in the way"


@pytest.mark.sweep("box0-seat0-left_wrist-right-way0")
@pytest.mark.parametrize(
    ("box", "seat", "hand", "other", "way"),
    [
        ((0.62, -0.135), (-0.045, -0.123), "left_wrist", "right", (-0.129, -0.095, -0.007)),
        ((-0.55, -0.136), (-0.018, 0.092), "right_wrist", "left", (-0.074, 0.067, 0.125)),
        ((0.578, -0.102), (-0.016, -0.112), "left_wrist", "right", (0.147, -0.064, -0.004)),
    ],
)
def test_the_other_arm_does_not_flip_while_a_hand_is_dragged(
    box: tuple[float, float], seat: tuple[float, float], hand: str, other: str, way: tuple[float, float, float]
) -> None:
    dragging = Dragging("dls", box)
    dragging.sit(seat)
    arm = [dragging.joint(f"{other}_{name}") for name in ("elbow", "wrist")]
    places = np.array([dragging.places(), *dragging.drag(hand, way)])[:, arm]
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.06
