"""The taller of people who hold each other, bent down, so that arms go around as where all are as tall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.document.library.nearness import IN_THE_AIR
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.fitting_effectors import following
from app.document.posing.placing import lowest_skin
from app.document.posing.rest.sitting import held_in_place
from app.document.posing.solving import solved
from solver.effectors.kinds import Position
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role
from solver.solvers.catalog import STAND_IN

UNEVEN, LOWEST = 0.05, 0.36  # metres between shoulders from which somebody bends, and that the neck comes down at most


def bent_down(people: Sequence[Character]) -> Character | None:
    """Whoever of people has the highest shoulders, with the neck brought down, above feet that stay, by as much as
    these are higher than the lowest; None where all are about as high, or somebody is in the air or has no neck."""
    heights = [_shoulder_height(person) for person in people]
    highest = people[int(np.argmax(heights))]
    down = min(max(heights) - min(heights), LOWEST)
    rig, world = rig_of(skeleton_of(highest)), joints_of(highest)
    if down < UNEVEN or rig.lacking([Role.NECK]) or any(lowest_skin(person) > IN_THE_AIR for person in people):
        return None
    neck = Position.on(rig, rig.name(Role.NECK), world)
    lower = replace(neck, target=neck.target - np.array([0.0, down, 0.0], np.float32))
    asked = tuple(replace(each, id=f"e{i}") for i, each in enumerate((lower, *held_in_place(highest, LEGS))))
    bare = replace(highest, solver=STAND_IN, solver_options={}, effectors=asked, base_pose=highest.pose)
    return following(highest, solved(bare).pose)


def _shoulder_height(person: Character) -> float:
    rig, places = rig_of(skeleton_of(person)), joints_of(person).positions
    return float(np.mean([places[rig.joint(arm.root)][1] for arm in ARMS]))
