"""Somebody in a pose of the library who is pulled, step by step, for tests of where the rest goes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from app.document.model.figure import skeleton_of
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.kneel_drags import entries, with_held, wobbling
from scripts.drags.lying_drags import taken
from solver.ik.memory import Memory
from solver.rig.rig import rig_of
from solver.rig.roles import Role


class Pull:
    """Somebody in a pose of the library, whose pelvis, or another joint, is pulled in even steps. longest: metres
    that a joint goes in one of them, at most.

    held: joints that get strict handles first. wobble: metres by which each step is led astray, at most, along each
    axis. rests: how many more times the last step is solved, while the mouse rests.
    """

    def __init__(
        self,
        name: str,
        body: str,
        solver: str,
        way: tuple[float, float, float],
        step: float,
        joint: Role = Role.PELVIS,
        held: tuple[str, ...] = (),
        wobble: float = 0.0,
        rests: int = 0,
    ) -> None:
        (entry,) = (e for e in entries([name]) if e.name == name)
        document = with_held(taken(entry, body, solver), held)
        self.skeleton = skeleton_of(document.character(FIRST))
        document, id = handle(document, rig_of(self.skeleton), joint)
        self.memories: dict[str, Memory] = {}
        ways = wobbling(straight(np.array(way), step), wobble)
        steps = (reached.document for reached in drag_steps(document, id, ways + ways[-1:] * rests, self.memories))
        self.poses = [document, *steps]
        self.longest = max(apart(places_of(a), places_of(b)) for a, b in pairwise(self.poses))

    def place(self, joint: str, at: int = -1) -> np.ndarray:
        return np.asarray(places_of(self.poses[at])[0][self.skeleton.index(joint)])

    def facing(self, at: int = -1) -> float:
        """Degrees about the vertical."""
        side = self.place("left_hip", at) - self.place("right_hip", at)
        return float(np.degrees(np.arctan2(-side[2], side[0])))
