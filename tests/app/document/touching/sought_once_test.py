"""A hold that skin keeps somebody from is looked for around what is in the way once, not in every step of a drag."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.posing.contact_patches import contact_of, on_skin, own_limb, patches_of, place_of_patch
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from scripts.drags.contact_depths import FIRST, Hold, before
from solver.effectors.contact import Contact
from solver.ik.memory import FRESH, Memory, SettledMemory
from solver.ik.multi_solve.released_figures import has_sought_there


class ThighDrag:
    """Somebody who stands, and whose left thigh is dragged over the own right knee, where its front does not get."""

    def __init__(self, body: str) -> None:
        self.document: Document = before(Hold(()), body, "dls")
        self.memory: Memory = FRESH

    def step(self, aside: float) -> tuple[int, float]:
        """Lay the thigh there, so many metres beside the knee's middle; iterations, and metres that it is off."""
        person = self.document.character(FIRST)
        patch, knee = (patches_of(person)[name] for name in ("left_thigh", "right_knee"))
        place = place_of_patch(person, knee) + np.array([aside, 0.0, 0.0])
        source, at, normal = on_skin(person, place, own_limb(person, patch.joint))
        old = [e.id for e in person.effectors if isinstance(e, Contact)]
        made = replace(contact_of(patch, at, normal), source=source, id=old[0] if old else "")
        self.document = edits.hold(FIRST, made, instead_of=old[0] if old else "")(self.document)
        person = self.document.character(FIRST)
        around = surroundings_of(self.document, (person,))
        answer = answers_of((person,), {FIRST: self.memory}, surroundings=around)[FIRST]
        self.memory = answer.solution.memory
        self.document = self.document.with_character(with_solution(person, answer.solution, answer.effectors))
        left = zip(answer.effectors, answer.solution.residuals, strict=True)
        return answer.solution.iterations, max(one.value for e, one in left if isinstance(e, Contact))


@pytest.mark.slow
@pytest.mark.parametrize("body", ["male", "short"])
def test_a_thigh_that_does_not_get_to_a_knee_follows_the_pointer_in_a_fraction_of_the_time(body: str) -> None:
    drag = ThighDrag(body)
    first, missed = drag.step(0.0)
    assert missed > 0.06, "else there is nothing to look for"
    for aside in (0.004, 0.008, 0.012):
        iterations, off = drag.step(aside)
        assert iterations < 0.5 * first
        assert off < missed + 0.015
    assert isinstance(drag.memory, SettledMemory)
    assert drag.memory.sought


def test_it_is_looked_for_again_further_on_and_for_another_hold() -> None:
    drag = ThighDrag("neutral")
    drag.step(0.0)
    memory = drag.memory
    assert isinstance(memory, SettledMemory)
    problem, (thigh,) = memory.record.problem, memory.sought
    assert has_sought_there(memory, problem, (thigh,))
    assert has_sought_there(memory, problem, (replace(thigh, target=thigh.target + np.float32([0.03, 0, 0])),))
    assert not has_sought_there(memory, problem, (replace(thigh, target=thigh.target + np.float32([0.06, 0, 0])),))
    assert not has_sought_there(memory, problem, (thigh, replace(thigh, id="another")))
    assert not has_sought_there(memory, replace(problem, frozen=frozenset({"pelvis"})), (thigh,))
    assert not has_sought_there(FRESH, problem, (thigh,))
