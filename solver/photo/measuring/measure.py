"""Protocol P: who is found in photos whose people are known, how well bodies cover the picture, and how well they pose.

Everybody known is paired with the person read nearest to them, by where the landmarks are in the picture; a pair that
is too far apart does not count: one person is missed, and one is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from solver.body.body import Body
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.ik.memory import AtPose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.photo.accuracy import EFFECTORS, fitted_joints, landmark_pixels, nearest_person, raw_joints, shared_indices
from solver.photo.estimate import estimate_people
from solver.photo.fit.evidence import body_points
from solver.photo.image_file import load_image
from solver.photo.measuring.corrections import corrected, corrected_by_turns
from solver.photo.measuring.truth import Case, KnownPerson
from solver.photo.people import EstimatedPerson, PhotoResult
from solver.photo.reprojection import middle_offset, posed_points
from solver.photo.warm_up import warm_up
from solver.solvers.catalog import DEFAULT_SOLVER, usable_on
from solver.solvers.recovery import recover_effectors

Array = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
IS_ONE = 0.15  # of a person's extent: a reading whose median offset is larger is somebody else
SHOWN_BY = 8  # effectors of the figure that the window shows
NOBODY = -1


@dataclass(frozen=True)
class PersonRow:
    """One person of a photo. found: whether they were, or None if unknown. figures: by name."""

    picture: str
    half: str
    kind: str
    posture: str
    found: bool | None
    figures: dict[str, float]


@dataclass(frozen=True)
class PictureRow:
    """One photo. wrong: how many were read who are not there, or None if unknown. seconds: to read it.

    first_seconds: until there were bodies for those found at first sight; None if nobody was.
    processor_s, first_processor_s: processor time for these, all cores together, which other programs on the machine
    hardly change.
    """

    picture: str
    half: str
    kind: str
    wrong: int | None
    seconds: float
    first_seconds: float | None = None
    processor_s: float = 0.0
    first_processor_s: float | None = None


@dataclass(frozen=True)
class Measured:
    """All photos and people of a set."""

    pictures: tuple[PictureRow, ...]
    people: tuple[PersonRow, ...]

    def as_json(self) -> dict[str, object]:
        """{"P": {"pictures": rows, "people": rows}}."""
        return {"P": {"pictures": [vars(row) for row in self.pictures], "people": [vars(row) for row in self.people]}}


def measure_all(cases: Sequence[Case], body: Body, tell: Progress = lambda what, done, total: None) -> Measured:
    """Read every photo and compare; the reader is given nothing of a case but its picture. Raises InputRefused."""
    warm_up(body)  # as the window does before the first photo of a session
    pictures, people = [], []
    for done, case in enumerate(cases):
        tell("photos", done, len(cases))
        picture, rows = measure_case(case, body)
        pictures.append(picture)
        people += rows
    tell("photos", len(cases), len(cases))
    return Measured(tuple(pictures), tuple(people))


def measure_case(case: Case, body: Body) -> tuple[PictureRow, list[PersonRow]]:
    """One photo. If not everybody in it is known, anyone else who was read counts as a person about whom nothing is
    known."""
    image = load_image(case.path)
    posed: list[tuple[float, float]] = []

    def shown(people: PhotoResult) -> None:
        if people.people:
            posed.append(since_began())

    began = time.perf_counter(), time.process_time()

    def since_began() -> tuple[float, float]:
        return time.perf_counter() - began[0], time.process_time() - began[1]

    result = estimate_people(image, body, so_far=shown)
    seconds, processor_s = since_began()
    where = case.path.name, case.half, case.kind
    pairs = matched_people(case.people, result, body)
    rows = []
    for known, number in zip(case.people, pairs, strict=True):
        figures = {} if number == NOBODY else _figures(body, result, number, known)
        rows.append(PersonRow(*where, known.posture, number != NOBODY, figures))
    others = [number for number in range(len(result.people)) if number not in pairs]
    if not case.all:
        rows += [PersonRow(*where, "", None, _figures(body, result, number, None)) for number in others]
    first_seconds, first_processor_s = posed[0] if posed else (None, None)
    wrong = len(others) if case.all else None
    return PictureRow(*where, wrong, seconds, first_seconds, processor_s, first_processor_s), rows


def matched_people(people: Sequence[KnownPerson], result: PhotoResult, body: Body) -> list[int]:
    """For each known person the number of the one read for them, or NOBODY.

    A person known without pixels is paired by the most similar pose.
    """
    pairs = [NOBODY] * len(people)
    if not result.people:
        return pairs
    apart = np.ones((len(people), len(result.people)))
    for i, known in enumerate(people):
        if known.pixels is None:
            apart[i, nearest_person(result, known.joints, body)[0]] = 0.0
        else:
            apart[i] = [_apart(known.pixels, landmark_pixels(result, n)) for n in range(len(result.people))]
    for i, number in zip(*linear_sum_assignment(np.minimum(apart, 1.0)), strict=True):
        if apart[i, number] < IS_ONE:
            pairs[i] = int(number)
    return pairs


def _figures(body: Body, result: PhotoResult, number: int, known: KnownPerson | None) -> dict[str, float]:
    """By how much the posed and the shown figure are off: per cent of the person's extent, and millimetres."""
    person = result.people[number]
    body = person.own(body)
    points = body_points(body)
    skeleton = body.skeleton(person.shape)
    solver = usable_on(DEFAULT_SOLVER, body).solver
    poses: dict[int, Pose] = {}
    shown = person.pose
    seconds = 0.0
    for count in EFFECTORS:
        began = time.perf_counter()
        found = recover_effectors(skeleton, person.shape, person.pose, solver.spec.id, max_effectors=count)
        poses[count] = found.pose
        if count == SHOWN_BY:
            seconds = time.perf_counter() - began
            problem = IKProblem.without_masks(skeleton, found.effectors, person.pose, person.shape)
            shown = solver.solve(problem, AtPose(person.pose)).pose
    both = {"posed": person.pose, "shown": shown}
    figures = {
        f"{name} on landmarks": 100 * middle_offset(person, points, posed_points(body, result, person, pose))
        for name, pose in both.items()
    } | {"recovery s": seconds, "on floor": float(person.on_floor), "sure": person.score}
    if known is None:
        return figures
    if known.pixels is not None:
        figures["landmarks on truth"] = 100 * _apart(known.pixels, landmark_pixels(result, number))
        for name, pose in both.items():
            figures[f"{name} on truth"] = 100 * _apart(known.pixels, _pixels(body, result, person, pose))
        for name, correct in (("gestures", corrected), ("by turns", corrected_by_turns)):
            errors = correct(body, result, number, known.joints, known.pixels)
            figures |= {f"{count} {name}": error for count, error in errors.items()}
    figures["landmarks"] = float(pa_mpjpe_mm(raw_joints(result, number), known.joints))
    figures["fit"] = float(pa_mpjpe_mm(fitted_joints(body, result, number), known.joints))
    for count, pose in poses.items():
        places = forward_kinematics(skeleton, pose).positions[shared_indices()]
        figures[f"{count} effectors"] = float(pa_mpjpe_mm(places, known.joints))
    return figures


def _pixels(body: Body, result: PhotoResult, person: EstimatedPerson, pose: Pose) -> Array:
    places = forward_kinematics(body.skeleton(person.shape), pose).positions[shared_indices()]
    return result.camera.project(places)


def _apart(true: Array, read: Array) -> float:
    """The median distance between points (12, 2), as a share of the diagonal of the true ones' box."""
    return float(np.median(np.linalg.norm(read - true, axis=1)) / max(float(np.linalg.norm(np.ptp(true, axis=0))), 1.0))
