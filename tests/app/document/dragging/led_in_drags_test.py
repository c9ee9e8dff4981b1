"""What is not asked of somebody who sits goes little by little, where a small step of a drag would throw it."""

from __future__ import annotations

import pytest

from scripts.drag_measures import MET
from scripts.seat_drags import Pull, drag, library
from solver.rig.roles import Role

HEAD_ASIDE = Pull(Role.HEAD, (0.3, 0.0, 0.0))
WRIST_BACK = Pull(Role.LEFT_WRIST, (0.0, 0.1, -0.3))


@pytest.mark.parametrize(
    ("pose", "body", "pull", "before_cm"),
    [
        ("Sit, elbows on knees", "short", WRIST_BACK, 9),
        pytest.param("Sit on a box, one knee up", "tall", HEAD_ASIDE, 17, marks=pytest.mark.slow),
    ],
)
def test_a_squeezed_arm_or_a_bent_back_that_snaps_over_does_so_over_some_steps(
    pose: str, body: str, pull: Pull, before_cm: int
) -> None:
    _, moves = drag(pull, library()[pose], body, "dls")
    assert max(moves.steps) < 0.045, f"something went {before_cm} cm in a step of 2"
    assert max(moves.missed) < MET, "and what is asked is met all the same"
