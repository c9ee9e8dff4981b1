"""What is not asked of somebody who sits or stands is led, where a small step of a drag would throw it."""

from __future__ import annotations

import pytest

from app.document.model.figure import skeleton_of
from scripts.drags import arm_drags, kneel_drags
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import MET
from scripts.drags.lying_drags import taken
from scripts.drags.seat_drags import Pull, drag, library
from solver.ik.stance.idle_limbs import is_on_feet
from solver.rig.roles import Role

HEAD_ASIDE = Pull(Role.HEAD, (0.25, 0.0, 0.0))
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


@pytest.mark.parametrize(
    ("pose", "pull", "solver", "most_m"),
    [("Bow", "back", "dls", 0.065), ("Point ahead", "down", "dls", 0.1), ("Take a photo", "back", "smplik", 0.065)],
)
def test_who_stands_does_not_leap_as_a_hand_is_dragged(pose: str, pull: str, solver: str, most_m: float) -> None:
    moves = arm_drags.drag(taken(arm_drags.entries([pose])[0], "female", solver), pull)
    assert max(moves.steps) < most_m, "something went 10 to 32 cm in a step of 2"
    assert moves.missed[0] < MET, "and the hand is met all the same"


@pytest.mark.slow
def test_who_pushes_and_lifts_a_foot_straightens_up_over_some_steps() -> None:
    found = next(entry for entry in kneel_drags.entries(["Working/"]) if entry.name == "Push")
    _, moves, _ = kneel_drags.drag(taken(found, "tall", "smplik"), "left ankle kicked", 0.01)
    assert max(moves.steps) < 0.06, "a hand went 17 cm in a step of 1: the foot's turn counted as its way"


@pytest.mark.parametrize(
    ("pose", "stands"),
    [
        ("Contrapposto", True),
        ("Pull a rope", True),
        ("Kneel upright", False),
        ("Downward dog", False),
        ("Crawl", False),
    ],
)
def test_who_kneels_or_is_on_the_hands_does_not_count_as_standing(pose: str, stands: bool) -> None:
    found = (*arm_drags.entries([pose]), *kneel_drags.entries([pose]))[0]
    person = taken(found, "female", "dls").character(FIRST)
    assert is_on_feet(skeleton_of(person), person.pose) == stands
