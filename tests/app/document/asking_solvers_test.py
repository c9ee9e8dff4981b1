"""What a character's solver is asked besides its pose: another one, the reasons for what is missed, its word alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import only
from made_up_solvers import PACED, registered

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from app.document.posing.solving import (
    has_active_effectors,
    ineffective_options,
    is_proposal,
    kind_has_effect,
    other_solution_of,
    reasons_of,
    solution_of,
    solved,
    solver_heeds,
)
from solver.effectors.kinds import Position
from solver.ik.options import LEFT_FOOT, PROPOSAL_ALONE, RIGHT_FOOT, SOLID_FLOOR, STANDING
from solver.ik.problem import Cause
from solver.ik.solver import PRESERVATION, TOLERANCE


def reaching(*way: float) -> Character:
    """Somebody, solved, who holds the feet and reaches with the left hand so many metres from where it was."""
    document = edits.set_solver("c1", "dls")(new_document())
    wrist = next(e for e in only(document).effectors if e.joint == "left_wrist" and isinstance(e, Position))
    change = edits.set_target("c1", wrist.id, wrist.target + np.float32(way))
    return solved(only(change(document)))


def test_another_pose_of_a_character_meets_its_effectors_as_well_and_is_another() -> None:
    character = reaching(0.0, 0.3, 0.2)
    other = other_solution_of(character, lambda: False)
    assert other is not None
    turned = replace(character, pose=other.pose)
    assert np.abs(joints_of(turned).positions - joints_of(character).positions).max() > 0.05
    for effector, residual in zip(character.effectors, other.residuals, strict=True):
        assert residual.state in ("met", "disabled"), effector
    assert other_solution_of(replace(character, effectors=(), pose=character.base_pose), lambda: False) is None


def test_why_a_character_does_not_reach_is_told_and_not_where_there_is_no_time_for_it() -> None:
    character = reaching(2.0, 1.0, 2.0)
    residuals = solution_of(character).residuals
    found = reasons_of(character, residuals, lambda: False)
    assert found is not None
    by_joint = {e.joint: reason for e, reason in zip(character.effectors, found, strict=True) if reason is not None}
    assert by_joint["left_wrist"].cause is Cause.OUT_OF_REACH
    assert reasons_of(character, residuals, lambda: True) is None


@pytest.mark.parametrize(("solver", "alone"), [("smplik", True), ("dls", False), ("tomorrows", False)])
def test_only_a_network_that_was_asked_for_its_word_alone_gives_a_proposal(solver: str, alone: bool) -> None:
    character = replace(only(new_document()), solver=solver, solver_options={PROPOSAL_ALONE.id: True})
    assert is_proposal(character) is alone
    assert not is_proposal(replace(character, solver_options={}))


@pytest.mark.parametrize(
    ("solver", "tolerance", "kept", "turns"),
    [("smplik", True, False, True), ("skelik", True, True, True), ("pose_edition", False, False, False)],
)
def test_what_a_network_does_not_heed_matters_only_while_the_exact_stage_follows(
    solver: str, tolerance: bool, kept: bool, turns: bool
) -> None:
    refined = replace(only(new_document()), solver=solver)
    assert solver_heeds(refined, TOLERANCE)
    assert solver_heeds(refined, PRESERVATION)
    assert kind_has_effect(refined, "rotation")
    alone = replace(refined, solver_options={PROPOSAL_ALONE.id: True})
    assert (solver_heeds(alone, TOLERANCE), solver_heeds(alone, PRESERVATION)) == (tolerance, kept)
    assert (kind_has_effect(alone, "rotation"), kind_has_effect(alone, "lookat")) == (turns, turns)
    assert kind_has_effect(alone, "position")


def test_a_solver_without_an_exact_stage_matters_as_its_proposal_does() -> None:
    unrefined = replace(PACED, id="unrefined", heeds=frozenset())
    with registered(unrefined):
        character = replace(only(new_document()), solver=unrefined.id)
        assert not solver_heeds(character, TOLERANCE)
        assert kind_has_effect(character, "rotation")


def test_nothing_is_asked_of_nobody_nor_where_all_is_loose() -> None:
    character = only(new_document())
    assert has_active_effectors(character)
    assert not has_active_effectors(None)
    assert not has_active_effectors(replace(character, effectors=tuple(e for e in character.effectors if e.loose)))


def test_options_that_make_no_difference_say_which_other_one_is_why() -> None:
    document = new_document()
    assert ineffective_options(only(document)) == {}
    lifted = only(edits.set_solver_option("c1", SOLID_FLOOR.id, False)(document))
    assert ineffective_options(lifted) == dict.fromkeys([LEFT_FOOT.id, RIGHT_FOOT.id], "Only where “Solid floor” is on")
    alone = only(edits.set_solver_option("c1", PROPOSAL_ALONE.id, True)(document))
    assert set(ineffective_options(alone)) == {option.id for option in STANDING}
