"""Somebody with a solid body whose pelvis and head are held, and drags of their right wrist through the trunk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.document import Character, Document
from app.document.posing.create import new_character
from app.document.posing.fitting_effectors import new_effectors
from app.document.posing.solving import solution_of, with_solution
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
