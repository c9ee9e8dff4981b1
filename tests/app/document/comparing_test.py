"""What each solver makes of the same question, without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_up_solvers import MADE_UP, registered

from app.document import edits
from app.document.model.document import Character
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.solver_comparison import TIMES, answer_of
from app.document.posing.solving import problem_of
from solver.ik.memory import FRESH
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.residuals import residuals
from solver.solvers.catalog import SOLVERS, load_solver


def never() -> bool:
    return False


@pytest.fixture
def reaching() -> Character:
    """Somebody whose left hand is asked to be higher."""
    character = new_document().characters[0]
    hand = next(e for e in character.effectors if e.joint == "left_wrist")
    return edits.set_target("c1", hand.id, hand.target + np.float32([0.1, 0.4, 0.1]))(new_document()).characters[0]


@pytest.mark.sweep
@pytest.mark.parametrize("id", [spec.id for spec in SOLVERS])
def test_every_solver_answers_as_it_would_from_the_base_pose(id: str, reaching: Character) -> None:
    answer, problem = answer_of(new_document(), reaching, id, never), problem_of(reaching)
    assert (answer.solver, answer.refusal) == (id, "")
    assert answer.solution is not None
    alone = load_solver(id).solve(problem, FRESH, reaching.solver_options)
    assert np.allclose(answer.solution.pose.rotations, alone.pose.rotations, atol=1e-5)
    assert answer.solution.residuals == residuals(problem.skeleton, answer.solution.pose, problem.effectors)
    assert answer.solution.elapsed_s > 0


def test_the_pose_shown_makes_no_difference(reaching: Character) -> None:
    turned = replace(reaching, pose=answer_of(new_document(), reaching, "fabrik", never).solution.pose)  # type: ignore[union-attr]
    one, other = (answer_of(new_document(), character, "smplik", never).solution for character in (reaching, turned))
    assert one is not None
    assert other is not None
    assert one.pose == other.pose


def test_options_count_for_whoever_has_them(reaching: Character) -> None:
    alone = replace(reaching, solver_options={**reaching.solver_options, PROPOSAL_ALONE.id: True})
    for id, differs in (("smplik", True), ("dls", False)):
        exact, raw = (answer_of(new_document(), each, id, never).solution for each in (reaching, alone))
        assert exact is not None
        assert raw is not None
        assert (exact.pose != raw.pose) is differs


def test_a_solver_that_refuses_has_no_stand_in_and_says_why(reaching: Character) -> None:
    knee = new_effector(reaching, "position", "left_knee")
    answer = answer_of(new_document(), replace(reaching, effectors=(*reaching.effectors, knee)), "pose_edition", never)
    assert answer.solution is None
    assert "no position effector on the left knee" in answer.refusal


def test_a_solver_that_somebody_registers_is_asked_too(reaching: Character) -> None:
    with registered(*MADE_UP):
        assert all(answer_of(new_document(), reaching, spec.id, never).solution is not None for spec in MADE_UP)


def test_once_it_is_cancelled_nothing_is_solved_again(reaching: Character) -> None:
    asked: list[int] = []

    def soon() -> bool:
        asked.append(len(asked))
        return len(asked) > 2

    assert answer_of(new_document(), reaching, "dls", soon).solution is not None
    assert len(asked) == 3 < TIMES
