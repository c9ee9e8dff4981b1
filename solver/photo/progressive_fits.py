"""Fits bodies while the rest of a photo is still being searched: rough at first, refined later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from solver.body.body import Body
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose
from solver.photo.body_box import box_round
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import NO_ROTATIONS
from solver.photo.fit.fit import shape_of
from solver.photo.fit.least_squares import Fit, Weights, minimise
from solver.photo.fit.lifting import lifted_evidence
from solver.photo.fit.start import analytic_start
from solver.photo.people import EstimatedPerson, PhotoResult

STEPS = 30


class ProgressiveFits:
    """Poses each person once, as soon as they are found: a fit from one start, without other readings of the limbs.

    camera: level, since the floor is not known yet. tell: called with everybody known by then.
    """

    def __init__(self, body: Body, camera: PinholeCamera, tell: Callable[[PhotoResult], None]) -> None:
        self._body, self._camera, self._tell = body, camera, tell
        self._known: dict[int, EstimatedPerson] = {}  # by the landmarks' id, which lives as long as they are kept
        self._last: tuple[Landmarks, ...] = ()

    def found(self, people: Sequence[Landmarks]) -> None:
        """Takes the people known by now, in place of those known before."""
        if [*map(id, people)] == [*map(id, self._last)]:
            return
        self._last = tuple(people)
        for person in people:
            if id(person) not in self._known:
                self._known[id(person)] = self._posed(person, self._rough(person))
        self._show()

    def refined(self, people: Sequence[Landmarks], fits: Sequence[tuple[Landmarks, Fit]]) -> None:
        """Takes the people where the last looks have them, in place of those known. fits: the careful fit of each, with
        the landmarks that it is fitted to."""
        self._last = tuple(people)
        self._known |= {id(one): self._posed(*fit) for one, fit in zip(people, fits, strict=True)}
        self._show()

    def seen_otherwise(self, person: Landmarks, again: Landmarks, fit: Fit) -> None:
        """Takes somebody as a second try saw them, with the careful fit to that."""
        self._last = tuple(again if one is person else one for one in self._last)
        self._known[id(again)] = self._posed(again, fit)
        self._show()

    def _show(self) -> None:
        self._tell(PhotoResult(self._camera, tuple(self._known[id(person)] for person in self._last)))

    def _rough(self, person: Landmarks) -> Fit:
        camera = self._camera
        seen = lifted_evidence(self._body, person, camera.focal_px, camera.principal_px)
        seen = replace(seen, turns=NO_ROTATIONS)
        return minimise(self._body, seen, analytic_start(self._body, seen), Weights(), STEPS)

    def _posed(self, person: Landmarks, fit: Fit) -> EstimatedPerson:
        camera = self._camera
        turns = fit.rotations.copy()
        turns[0] = camera.rotation @ turns[0]
        pose = Pose((camera.rotation @ fit.root + camera.position).astype(np.float32), turns.astype(np.float32))
        shape = shape_of(fit)
        box = box_round(person, self._body, shape, pose, camera)
        return EstimatedPerson(person.presence, box, shape, pose, person, fit, on_floor=False)
