"""The drags that `bench` measures have contacts to keep, and keep them."""

from __future__ import annotations

import pytest

from app.benchmark import contact_times
from app.benchmark.contact_scenes import CONTACT_SCENES
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of, tied_groups
from app.document.posing.touched_surfaces import props_of
from solver.effectors.contact import Contact
from solver.ik.options import SOLID_BODY, SOLID_FLOOR


@pytest.mark.parametrize("name", CONTACT_SCENES)
def test_a_step_of_the_drag_moves_the_body_and_the_contacts_hold(name: str) -> None:
    drag = CONTACT_SCENES[name].make()
    after = drag.step(5)(drag.document)
    assert after is not drag.document
    people = after.characters
    answers = answers_of(people, {}, surroundings=surroundings_of(after, people), props=props_of(after))
    held = [
        residual
        for person in people
        for effector, residual in zip(answers[person.id].effectors, answers[person.id].solution.residuals, strict=True)
        if isinstance(effector, Contact)
    ]
    solid = any(SOLID_BODY.of(person.solver_options) for person in people)
    assert held or solid
    assert all(residual.value < 0.03 for residual in held)


def test_the_three_are_solved_as_one_and_the_floor_is_solid() -> None:
    (group,) = tied_groups(CONTACT_SCENES["three people, each holding another"].make().document.characters)
    assert len(group) == 3
    (person,) = CONTACT_SCENES["feet on a solid floor"].make().document.characters
    assert SOLID_FLOOR.of(person.solver_options)


def test_every_scene_has_a_row_for_its_solves_and_one_for_its_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact_times, "WARM", 1)
    monkeypatch.setattr(contact_times, "STEPS", 3)
    solved = list(contact_times.solved_figures())
    assert [figure.name for figure in solved] == [f"{name}, solved" for name in CONTACT_SCENES]
    assert all(figure.median > 0.0 and figure.count == 3 for figure in solved)
    seconds = [0.001 * number for number in range(3 * len(CONTACT_SCENES))]
    painted = list(contact_times.drawn_figures(seconds))
    assert [figure.median for figure in painted] == pytest.approx([3.0 * number + 1 for number in range(len(painted))])
    assert [painted[0].aim, painted[-1].aim] == pytest.approx([1000 / 30, 50.0])
