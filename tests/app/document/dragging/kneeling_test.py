"""Who kneels has the skin of the knee on the floor, however far the knee is bent, and a drag moves nothing by more."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.solving import with_solution
from app.document.posing.tied_groups import answers_of
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.effectors.contact import Contact
from solver.effectors.kinds import LookAt, Position
from solver.effectors.sources import FloorSource, JointSource
from solver.ik.memory import Memory
from solver.ik.multi_solve import together
from solver.ik.options import SOLID_FLOOR

KNEE, PELVIS = "left_knee", "pelvis"


def kneeling(solver: str, gender: str) -> Document:
    """Somebody on a solid floor whose left knee is held on it, before the pelvis comes down."""
    document = edits.chain(
        edits.set_shape("c1", BodyShape(gender=gender)),
        edits.set_solver("c1", solver),
        edits.set_solver_option("c1", SOLID_FLOOR.id, True),
    )(new_document())
    person = document.characters[0]
    skeleton, world = skeleton_of(person), joints_of(person)
    knee = world.positions[skeleton.index(KNEE)]
    contact = contact_of(patches_of(person)[KNEE], (knee[0], 0.0, knee[2] - 0.05), UP)
    asked = [replace(contact, source=FloorSource(), id="knee")]
    for name, place in (
        ("left_foot", (knee[0], 0.05, knee[2] - 0.5)),
        ("right_foot", (-knee[0], 0.05, knee[2] - 0.5)),
        (PELVIS, (0.0, 0.52 * world.positions[0][1], knee[2] - 0.05)),
    ):
        asked.append(replace(Position.on(skeleton, name, world), id=name, target=np.float32(place)))
    return document.with_character(replace(person, effectors=tuple(asked)))


def solved(document: Document, memories: dict[str, Memory]) -> tuple[Document, float]:
    """The document solved, and metres by which the knee's contact is missed."""
    person = document.characters[0]
    answer = answers_of((person,), memories)["c1"]
    memories["c1"] = answer.solution.memory
    missed = [
        left.value
        for e, left in zip(answer.effectors, answer.solution.residuals, strict=True)
        if isinstance(e, Contact)
    ]
    return document.with_character(with_solution(person, answer.solution, answer.effectors)), max(missed)


def moved(document: Document, by: tuple[float, float, float]) -> Document:
    (pelvis,) = (e for e in document.characters[0].effectors if e.id == PELVIS)
    return edits.set_target("c1", PELVIS, pelvis.target + np.float32(by))(document)


def above_floor(document: Document) -> float:
    """Metres of the lowest skin about the knee."""
    person = document.characters[0]
    skin = posed_vertices(body_of(person), person.shape, person.pose)
    knee = joints_of(person).positions[skeleton_of(person).index(KNEE)]
    return float(skin[np.linalg.norm(skin - knee, axis=1) < 0.11][:, 1].min())


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("gender", ["neutral", "female", "male"])
def test_a_bent_knee_lies_on_the_floor_and_not_above_it(solver: str, gender: str) -> None:
    document, memories = kneeling(solver, gender), dict[str, Memory]()
    for _ in range(3):
        document, missed = solved(document, memories)
    for _ in range(9):
        assert abs(above_floor(document)) < 0.003
        assert missed < 1e-3
        document, missed = solved(moved(document, (0.0, -0.015, -0.022)), memories)


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_small_drag_of_a_kneeling_person_moves_nothing_at_once_and_asked_again_they_rest(solver: str) -> None:
    document, memories = kneeling(solver, "neutral"), dict[str, Memory]()
    for _ in range(3):
        document, _ = solved(document, memories)
    places = []
    for _ in range(10):
        document, _ = solved(moved(document, (0.0, -1e-3, 0.0)), memories)
        places.append(joints_of(document.characters[0]).positions)
    steps = [b - a for a, b in pairwise(places)]
    assert max(np.linalg.norm(b - a, axis=1).max() for a, b in pairwise(steps)) < 1e-2
    again, _ = solved(document, memories)
    assert np.abs(joints_of(again.characters[0]).positions - places[-1]).max() < 1e-5
    (knee,) = (e for e in again.characters[0].effectors if isinstance(e, Contact))
    (patch,) = (p for p in patches_of(again.characters[0]).values() if p.name == KNEE)
    assert np.linalg.norm(knee.offset - patch.middle) > 0.01, "the document has it where it was solved for"


def test_a_knee_that_goes_on_bending_is_asked_a_few_times_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    document = kneeling("dls", "neutral")
    whole, _ = solved(document, {})
    monkeypatch.setattr(together, "KNEES", 1)
    once, _ = solved(document, {})
    assert above_floor(once) > above_floor(whole) + 0.002


def test_a_patch_that_was_chosen_while_another_was_solved_stays_as_it_was_chosen() -> None:
    document, _ = solved(kneeling("dls", "neutral"), {})
    person = document.characters[0]
    answer = answers_of((person,), {})["c1"]
    other = patches_of(person)["left_shin"]
    chosen = tuple(
        replace(e, patch=other.name, offset=other.middle) if isinstance(e, Contact) else e for e in person.effectors
    )
    after = with_solution(replace(person, effectors=chosen), answer.solution, answer.effectors)
    (shin,) = (e for e in after.effectors if isinstance(e, Contact))
    assert shin.patch == "left_shin"
    assert np.array_equal(shin.offset, other.middle)


def test_a_look_at_somebody_goes_to_where_they_were_as_it_was_solved() -> None:
    person = new_document().characters[0]
    answer = answers_of((person,), {})["c1"]
    (look,) = (e for e in person.effectors if isinstance(e, LookAt))
    tied = replace(look, source=JointSource("c2", "head"), loose=False)
    solved_for = replace(tied, target=tied.target + np.array([0.1, 0.0, 0.0], np.float32))
    after = with_solution(replace(person, effectors=(tied,)), answer.solution, (solved_for,))
    assert np.array_equal(after.effectors[0].target, solved_for.target)
