"""A knee laid on the floor lies where its shin fits, as its ankle is held: beside the pointer, and no further away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from scripts.drags.contact_depths import build_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource
from solver.ik.memory import FRESH, Memory
from solver.ik.multi_solve.fitting_shins import knees_laid, with_shins_fitting


class Steps:
    """Somebody whose left foot is behind, on its ball, solved after every change of what is asked."""

    def __init__(self, body: str, solver: str) -> None:
        changes = edits.chain(edits.set_solver("c1", solver), edits.set_shape("c1", build_of(body)[1]))
        self.document: Document = changes(new_document())
        self.memories: dict[str, Memory] = {}
        (ankle,) = self.asked("left_ankle", Position)
        for _ in range(10):
            (now,) = self.asked("left_ankle", Position)
            self.ask(replace(now, target=now.target + np.float32([0.0, 0.012, -0.042])))
        self.behind = ankle.target + np.float32([0.0, 0.12, -0.42])

    @property
    def person(self) -> Character:
        return self.document.characters[0]

    def asked(self, joint: str, kind: type[Effector]) -> list[Effector]:
        return [e for e in self.person.effectors if e.joint == joint and isinstance(e, kind)]

    def ask(self, effector: Effector) -> None:
        """Ask for that instead of what has its id, and solve."""
        others = [e for e in self.person.effectors if e.id != effector.id]
        self.document = self.document.with_character(replace(self.person, effectors=(*others, effector)))
        around = surroundings_of(self.document, [self.person])
        answer = answers_of((self.person,), self.memories, surroundings=around)["c1"]
        self.memories["c1"] = answer.solution.memory
        self.left = {e.id: left for e, left in zip(answer.effectors, answer.solution.residuals, strict=True)}
        self.document = self.document.with_character(with_solution(self.person, answer.solution, answer.effectors))

    def lay_knee(self, ahead: float) -> np.ndarray:
        """Lay the left knee on the floor, in four steps, so many metres ahead of the ankle; where it was laid."""
        knee = contact_of(patches_of(self.person)["left_knee"], (0.0, 0.0, 0.0), UP)
        for part in (0.7, 0.8, 0.9, 1.0):
            place = (self.behind + [0.02, 0.0, part * ahead]) * [1.0, 0.0, 1.0]
            self.ask(replace(knee, source=FloorSource(), id="knee").onto(place, UP))
        return np.asarray(place)

    def place(self, joint: str) -> np.ndarray:
        return np.asarray(joints_of(self.person).positions[skeleton_of(self.person).index(joint)])


@pytest.mark.slow
@pytest.mark.parametrize("body", ["female", "short"])
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_knee_laid_a_little_too_near_its_ankle_lies_where_the_shin_fits(body: str, solver: str) -> None:
    stepping = Steps(body, solver)
    skeleton = skeleton_of(stepping.person)
    shin = float(np.linalg.norm(skeleton.offsets[skeleton.index("left_ankle")]))
    for ahead in (0.84 * shin, 0.90 * shin):
        laid = stepping.lay_knee(ahead)
        assert stepping.left["knee"].state == "met"
        (knee,) = stepping.asked("left_knee", Contact)
        assert np.linalg.norm(knee.target - laid) < 0.04
        assert knee.target[1] == 0.0
        assert stepping.place("left_ankle") == pytest.approx(stepping.behind, abs=1e-3)


@pytest.mark.slow
def test_a_knee_that_lies_stays_as_its_ankle_is_dragged_on() -> None:
    stepping = Steps("male", "dls")
    stepping.lay_knee(0.36)
    (knee,), (ankle,) = stepping.asked("left_knee", Contact), stepping.asked("left_ankle", Position)
    stepping.ask(replace(ankle, target=ankle.target + np.float32([0.0, 0.0, -0.02])))
    (after,) = stepping.asked("left_knee", Contact)
    assert np.array_equal(after.target, knee.target)


def test_far_from_where_the_shin_fits_a_knee_is_where_it_was_laid() -> None:
    person = new_document().characters[0]
    skeleton = skeleton_of(person)
    ankle = Position("left_ankle", np.array([0.1, 0.08, -0.4]), id="a")
    knee = contact_of(patches_of(person)["left_knee"], (0.1, 0.0, 0.0), UP)
    length = float(np.linalg.norm(skeleton.offsets[skeleton.index("left_ankle")] - knee.offset))
    fits = -0.4 + np.sqrt(length**2 - 0.08**2)

    def lies(beside: float) -> float:
        """Metres beside where the shin fits of the knee that was laid so many metres beside it."""
        laid = replace(knee, source=FloorSource(), id="k").onto((0.1, 0.0, fits + beside), UP)
        found = with_shins_fitting(skeleton, (ankle, laid), {"k": laid.target.astype(np.float64)})
        return float(found[1].target[2]) - fits

    assert [abs(lies(beside)) < 1e-6 for beside in (-0.04, -0.02, 0.01, 0.035)] == [True] * 4
    assert lies(-0.11) == pytest.approx(-0.11, abs=1e-6)
    assert 0.0 < lies(0.07) < 0.07
    ways = np.diff([lies(beside) for beside in np.arange(-0.12, 0.12, 0.002)])
    assert ways.max() < 0.012, "on its way it does not leap"
    off = replace(knee, source=FloorSource(), id="k").onto((0.1, 0.0, -0.38), UP)
    assert with_shins_fitting(skeleton, (ankle, off), {"k": np.array([0.1, 0.0, -0.38])})[1] is off, "right below it"


def test_knees_count_as_laid_where_something_is_known_of_the_solve_before() -> None:
    assert knees_laid(FRESH, ()) == {}
