"""A knee of somebody who sits goes as far as thigh and shin let it, and takes little else along."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.posing.solving import problem_of
from scripts.drags.contact_depths import FIRST, Hold, before
from scripts.drags.drag_measures import places_of
from scripts.drags.drag_steps import handle
from scripts.drags.seat_drags import PULLS, Pull, at_once, drag, library
from solver.effectors.kinds import Position
from solver.ik.asked_instead import as_it_goes
from solver.rig.rig import rig_of
from solver.rig.roles import Role


@pytest.mark.parametrize("pull", ["right knee ahead", "right knee back"])
def test_a_knee_that_is_pulled_ahead_or_pushed_back_does_not_throw_who_sits_on_a_chair(pull: str) -> None:
    document, moves = drag(PULLS[pull], at_once, "male", "dls")
    assert max(moves.steps) < 0.05
    assert np.degrees(moves.leans[0]) < 3
    knee = next(e for e in document.character(FIRST).effectors if e.joint == "right_knee" and isinstance(e, Position))
    (places,) = places_of(document)
    off = np.linalg.norm(places[skeleton_of(document.character(FIRST)).index("right_knee")] - knee.target)
    assert off > 0.08
    assert moves.missed[-1] == pytest.approx(off, abs=1e-4), "told of how far it is off"


def test_a_knee_that_goes_round_the_line_from_hip_to_ankle_is_met() -> None:
    document = at_once(before(Hold(()), "male", "dls"), {})
    rig, (places,) = rig_of(skeleton_of(document.character(FIRST))), places_of(document)
    hip, knee, ankle = (places[rig.index(r)] for r in (Role.RIGHT_HIP, Role.RIGHT_KNEE, Role.RIGHT_ANKLE))
    axis = (ankle - hip) / np.linalg.norm(ankle - hip)
    out = knee - hip - ((knee - hip) @ axis) * axis
    aside = np.cross(axis, out)
    round_it = (np.cos(0.2) - 1.0) * out + np.sin(0.2) * aside * (-np.sign(aside[0]))  # the right side is at -x
    _, moves = drag(Pull(Role.RIGHT_KNEE, tuple(round_it.tolist())), at_once, "male", "dls")
    assert np.linalg.norm(round_it) > 0.05
    assert max(moves.missed) < 3e-3


def test_a_knee_is_looked_for_where_it_is_asked_if_it_is_pinned_or_the_body_may_turn_for_it() -> None:
    document = at_once(before(Hold(()), "neutral", "dls"), {})
    rig = rig_of(skeleton_of(document.character(FIRST)))
    document, id = handle(document, rig, Role.RIGHT_KNEE)
    target = document.character(FIRST).effector(id).target - [0.0, 0.0, 0.1]
    document = edits.set_target(FIRST, id, target.astype(np.float32))(document)

    def off(document: Document) -> float:
        asked = as_it_goes(problem_of(document.character(FIRST)))
        return float(np.linalg.norm(next(e for e in asked.effectors if e.id == id).target - target))

    assert off(document) > 0.05
    assert off(edits.set_pinned(FIRST, id, True)(document)) < 1e-6
    held, _ = handle(document, rig, Role.LEFT_WRIST)
    assert off(held) < 1e-6, "a hand that is held may turn the pelvis"
    feet = [e.id for e in document.character(FIRST).effectors if e.joint == "right_ankle"]
    assert off(edits.remove_effectors(FIRST, feet)(document)) < 1e-6, "the foot is free"


def test_who_sits_down_is_at_rest_so_that_a_first_step_moves_what_is_dragged_and_little_else() -> None:
    _, moves = drag(PULLS["left wrist ahead"], library()["Sit, ankle on knee"], "female", "dls")
    assert moves.first[0] < 0.03
