"""Who stands on a solid floor: people whom the user adds, and nobody who was seen elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_character, new_document
from app.document.posing.solving import floor_of, problem_of, reasons_of, residuals_of, solution_of, solved
from app.document.scene_file.io import load_scene, save_scene
from app.look.wording import reason_text
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.effectors.kinds import Position
from solver.ik.options import SOLID_FLOOR
from solver.ik.problem import Cause, Reason
from solver.solvers.catalog import SOLVERS


def lowest(character: Character) -> float:
    body = body_of(character)
    rest = skin_with(body, character.shape, character.hands)
    return float(posed_vertices(body, character.shape, character.pose, rest=rest)[:, 1].min())


def lowered(character: Character, joint: str) -> Character:
    """The character with the first handle of that joint pulled far below the floor."""
    wrist = next(e for e in character.effectors if e.joint == joint)
    below = replace(wrist, target=wrist.target * np.float32([1, 0, 1]) - np.float32([0, 0.3, 0]), loose=False)
    effectors = tuple(below if e is wrist else e for e in character.effectors)
    return replace(character, effectors=effectors)


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_new_person_does_not_go_through_the_floor_and_is_told_why(solver: str) -> None:
    asked = lowered(replace(only(new_document()), solver=solver), "left_wrist")
    solution = solution_of(asked)
    assert lowest(replace(asked, pose=solution.pose)) > -0.005
    posed = replace(asked, pose=solution.pose)
    found = reasons_of(posed, solution.residuals, lambda: False)
    assert found is not None
    told = [reason for reason in found if reason is not None and reason.cause is Cause.FLOOR]
    assert reason_text(told[0]) == "The body touches the floor: it cannot go lower"
    sunk = replace(asked, solver_options={SOLID_FLOOR.id: False})
    assert lowest(replace(sunk, pose=solution_of(sunk).pose)) < -0.1


def test_a_person_from_elsewhere_stays_where_they_were_seen() -> None:
    document = new_document()
    assert problem_of(only(document)).floor is not None
    seen = new_character(document, pose=only(document).pose)
    assert problem_of(seen).floor is None


def test_shape_and_fingers_move_the_points_and_equal_ones_share_them() -> None:
    person = only(new_document())

    def points(who: Character) -> object:
        return floor_of(who.body, who.shape, who.hands, who.solver_options)

    assert points(person) is points(only(new_document()))
    assert points(replace(person, hands=None)) is not points(person)
    assert points(replace(person, shape=BodyShape(np.float32([2, *[0] * 9])))) is not points(person)


def test_every_solver_that_the_exact_stage_follows_offers_it() -> None:
    for spec in SOLVERS:
        assert (SOLID_FLOOR in spec.options) is spec.exact


def test_files_keep_whether_the_floor_is_solid_and_those_of_before_have_none(tmp_path: Path) -> None:
    document, file = new_document(), tmp_path / "scene.json"
    save_scene(file, document)
    assert problem_of(only(load_scene(file))).floor is not None
    assert SOLID_FLOOR.id in file.read_text(encoding="utf-8")
    save_scene(file, document.with_character(replace(only(document), solver_options={})))
    assert problem_of(only(load_scene(file))).floor is None


def test_what_was_solved_settles_by_less_than_a_degree_and_then_stays() -> None:
    character = only(new_document())
    wrist = next(e for e in character.effectors if e.joint == "left_wrist")
    raised = replace(wrist, target=wrist.target + np.float32([0.2, 0.3, 0.3]), loose=False)
    once = solved(replace(character, effectors=tuple(raised if e is wrist else e for e in character.effectors)))
    again = solved(once)
    assert again.pose.rotations == pytest.approx(once.pose.rotations, abs=0.017)
    assert solved(again).pose.rotations == pytest.approx(again.pose.rotations, abs=1e-5)


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize(("below_m", "state"), [(0.0025, "tolerated"), (0.008, "tolerated"), (0.03, "unreachable")])
def test_an_ankle_a_little_lower_than_its_sole_allows_counts_as_on_the_floor(
    solver: str, below_m: float, state: str
) -> None:
    person = replace(only(new_document()), solver=solver)
    ankle = next(e for e in person.effectors if e.joint == "left_ankle" and e.kind == "position")
    below = replace(ankle, target=ankle.target - np.float32([0, below_m, 0]))
    person = replace(person, effectors=tuple(below if e is ankle else e for e in person.effectors))
    after = solved(person)
    at = person.effectors.index(below)
    assert solution_of(person).residuals[at].state == state
    assert residuals_of(after)[at].state == state
    told = reasons_of(after, residuals_of(after), lambda: False)
    assert told is not None
    assert told[at] == (Reason(Cause.FLOOR) if state == "unreachable" else None)


def test_a_hand_that_is_a_little_too_low_in_the_air_and_a_pinned_ankle_are_told_as_missed() -> None:
    person = only(new_document())
    ankle = next(e for e in person.effectors if e.joint == "left_ankle" and e.kind == "position")
    pinned = replace(ankle, target=ankle.target - np.float32([0, 0.005, 0]), pinned=True)
    aside = replace(ankle, target=ankle.target - np.float32([0.004, 0.005, 0]))
    for asked in (pinned, aside):
        effectors = tuple(asked if e is ankle else e for e in person.effectors)
        still = replace(person, effectors=effectors)  # as posed before: the ankle is where it was
        assert residuals_of(still)[effectors.index(asked)].state == "unreachable"


def test_a_collar_which_has_no_skin_of_its_own_is_told_as_missed_where_it_is_a_little_too_high() -> None:
    person = only(new_document())
    place = joints_of(person).positions[skeleton_of(person).index("left_collar")]
    collar = Position("left_collar", place - np.float32([0, 0.005, 0]), id="c")
    asked = replace(person, effectors=(*person.effectors, collar))
    assert residuals_of(asked)[-1].state == "unreachable"
