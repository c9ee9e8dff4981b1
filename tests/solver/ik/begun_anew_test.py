"""A solid body of which a handle is missed: the search begins anew, unless the body itself keeps the handle out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ik_samples import FEET, natural, place, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.obstacles import body_alone
from solver.contact.patches import patches
from solver.contact.solid_body import solid_body
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.exact import Refined, refine
from solver.ik.memory import FRESH, ExactState
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.solvers.catalog import load_solver

BASE = natural()
HELD = tuple(position(BASE, joint) for joint in ("pelvis", "head"))
STANDS = tuple(position(BASE, foot) for foot in FEET)
TOUCH = patches(load_body("anny"), BodyShape())["right_palm"]
PALM = Contact(TOUCH.joint, place(BASE, "right_wrist"), TOUCH.middle, patch="right_palm")
TOO_HIGH = position(BASE, "left_wrist", (0.0, 3.0, 0.2))
IN_BELLY = Position("left_wrist", place(BASE, "spine1"))
IN_OTHER_SHIN = Position("left_ankle", place(BASE, "right_knee") - [0.0, 0.15, 0.0])


@pytest.mark.parametrize(
    ("why", "dragged", "others", "anew"),
    [
        ("nothing of it is in the way", TOO_HIGH, STANDS, 1),
        ("it is within the trunk", IN_BELLY, STANDS, 0),
        ("the other leg bars it", IN_OTHER_SHIN, STANDS[1:], 0),
        ("somebody holds on to something, which has ways around of its own", TOO_HIGH, (*STANDS, PALM), 0),
    ],
)
def test_a_missed_handle_is_searched_anew_only_where_the_body_leaves_it_room(
    why: str, dragged: Position, others: tuple[Effector, ...], anew: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = list[Pose]()

    def counted(problem: IKProblem, proposal: Pose, state: ExactState | None = None) -> Refined:
        searched.extend([] if state else [proposal])
        return refine(problem, proposal, state)

    solver, solid = load_solver("dls"), body_alone(solid_body(load_body("anny"), BodyShape()))

    def asked(effector: Position) -> IKProblem:
        return replace(problem([effector, *HELD, *others]), obstacles=solid)

    memory = solver.solve(asked(position(BASE, dragged.joint)), FRESH).memory
    monkeypatch.setattr("solver.ik.continuity_kinds.refine", counted)
    found = solver.solve(asked(dragged), memory)
    assert found.residuals[0].value > 0.01, "it is missed"
    assert len(searched) == anew, why
