"""Everybody in a document solved together, as the window does it."""

from __future__ import annotations

from collections.abc import Mapping

from app.document.model.document import Document
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import NO_HOLDS, answers_of
from app.document.posing.touched_surfaces import props_of
from solver.effectors.contact import Contact
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import LimbHold


def solved(document: Document) -> Document:
    """Everybody solved where they are looked at."""
    return solved_and_missed(document)[0]


def solved_and_missed(
    document: Document, memories: dict[str, Memory] | None = None, stays: Mapping[str, LimbHold] = NO_HOLDS
) -> tuple[Document, float]:
    """Everybody solved where they are looked at, and the metres by which the worst contact is missed.

    memories: what each person's solver remembers, by id; the new ones are put there.
    """
    people, memories, props = document.characters, {} if memories is None else memories, props_of(document)
    answers = answers_of(people, memories, holds=stays, surroundings=surroundings_of(document, people), props=props)
    worst = 0.0
    for person in people:
        answer = answers[person.id]
        memories[person.id] = answer.solution.memory
        document = document.with_character(with_solution(person, answer.solution, answer.effectors))
        left = zip(answer.effectors, answer.solution.residuals, strict=True)
        worst = max(worst, *(residual.value if isinstance(e, Contact) else 0.0 for e, residual in left))
    return document, worst
