"""A hand that is dragged through somebody with a solid body follows on the other side."""

from __future__ import annotations

import numpy as np
from solid_people import BEFORE, BEHIND, START, STEPS, dragged, held_person

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of


def wrist_of(person: Character) -> np.ndarray:
    return joints_of(person).positions[skeleton_of(person).index("right_wrist")]


def test_a_hand_that_is_dragged_out_behind_the_trunk_is_not_left_in_front_of_it() -> None:
    there = np.concatenate(
        [np.linspace(START, BEFORE, STEPS[0], endpoint=False), np.linspace(BEFORE, BEHIND, STEPS[1])]
    )
    poses = dragged(held_person(), there)
    offs = [float(np.linalg.norm(wrist_of(person) - place)) for person, place in zip(poses, there, strict=True)]
    assert offs[12] < 1e-3, "in front of the trunk"
    assert max(offs[21:27]) > 0.1, "within it, the hand stays on the side that it is on"
    assert offs[28] < 0.05, "6 cm behind it"
    assert offs[-1] < 1e-3


def test_a_hand_that_comes_back_from_behind_the_trunk_leaves_the_body_exactly_as_it_was() -> None:
    person = held_person()
    home = wrist_of(person).astype(np.float64)
    out = np.concatenate([np.linspace(home, BEFORE, 5, endpoint=False)[1:], np.linspace(BEFORE, BEHIND, 8)])
    *poses, back = dragged(person, np.concatenate([out, out[-2::-1], [home]]))
    assert np.linalg.norm(wrist_of(poses[len(out) - 1]) - BEHIND) < 1e-3, "it had begun anew there"
    assert back.pose is person.pose
    assert np.linalg.norm(joints_of(back).positions - joints_of(poses[-1]).positions, axis=1).max() < 0.15
