"""A hand that is dragged through somebody with a solid body follows on the other side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.document import Character, Document
from app.document.posing.create import new_character
from app.document.posing.fitting_effectors import new_effectors
from app.document.posing.solving import joints_of, skeleton_of, solution_of, with_solution
from solver.effectors.kinds import Position
from solver.ik.memory import FRESH, Memory
from solver.ik.options import SOLID_BODY, with_option

START, BEFORE, BEHIND = (-0.22, 0.885, 0.103), (-0.0145, 1.163, 0.349), (0.0064, 1.201, -0.301)
STEPS = 13, 22  # of 3 cm


def held_person() -> Character:
    made = replace(new_character(Document(), solid_floor=True), solver="dls")
    made = replace(made, solver_options=with_option(made.solver_options, SOLID_BODY.id, True))
    effectors = (*made.effectors, *new_effectors(made, Position.kind, ["pelvis", "head"]))
    return replace(made, effectors=tuple(replace(e, loose=e.loose and e.joint != "right_wrist") for e in effectors))


def dragged(person: Character, places: np.ndarray) -> list[Character]:
    """The person with the right wrist at each of the places, (N, 3) metres, in one drag."""
    memory: Memory = FRESH
    poses = list[Character]()
    for place in places.astype(np.float32):
        effectors = (replace(e, target=place) if e.joint == "right_wrist" else e for e in person.effectors)
        person = replace(person, effectors=tuple(effectors))
        solution = solution_of(person, memory)
        person, memory = with_solution(person, solution), solution.memory
        poses.append(person)
    return poses


def wrist_of(person: Character) -> np.ndarray:
    return joints_of(person).positions[skeleton_of(person).index("right_wrist")]


def test_a_hand_that_is_dragged_out_behind_the_trunk_is_not_left_in_front_of_it() -> None:
    there = np.concatenate(
        [np.linspace(START, BEFORE, STEPS[0], endpoint=False), np.linspace(BEFORE, BEHIND, STEPS[1])]
    )
    poses = dragged(held_person(), there)
    offs = [float(np.linalg.norm(wrist_of(person) - place)) for person, place in zip(poses, there, strict=True)]
    assert offs[12] < 1e-3, "in front of the trunk"
    assert max(offs[21:27]) > 0.1, "within it, the hand stays on the side that it is on"
    assert offs[28] < 0.05, "6 cm behind it"
    assert offs[-1] < 1e-3


def test_a_hand_that_comes_back_from_behind_the_trunk_leaves_the_body_exactly_as_it_was() -> None:
    person = held_person()
    home = wrist_of(person).astype(np.float64)
    out = np.concatenate([np.linspace(home, BEFORE, 5, endpoint=False)[1:], np.linspace(BEFORE, BEHIND, 8)])
    *poses, back = dragged(person, np.concatenate([out, out[-2::-1], [home]]))
    assert np.linalg.norm(wrist_of(poses[len(out) - 1]) - BEHIND) < 1e-3, "it had begun anew there"
    assert back.pose is person.pose
    assert np.linalg.norm(joints_of(back).positions - joints_of(poses[-1]).positions, axis=1).max() < 0.15
