"""How somebody is drawn whose arm jumps to the other side of the trunk: on the way there for a moment."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from solid_people import BEFORE, BEHIND, START, STEPS, dragged, held_person

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.surroundings import balls_of
from app.viewport.swings.drawn import LONGEST_S, Drawn, drawn_next
from solver.contact.obstacles import body_alone
from solver.effectors.kinds import Position
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose

PICTURE_S = 1 / 60


@pytest.fixture(scope="module")
def steps() -> list[Character]:
    """Steps of a drag with a jump among them."""
    there = [np.linspace(START, BEFORE, STEPS[0], endpoint=False), np.linspace(BEFORE, BEHIND, STEPS[1])]
    return dragged(held_person(), np.concatenate(there))


def moved(one: Pose, other: Pose, person: Character) -> float:
    places = (forward_kinematics(skeleton_of(person), pose).positions for pose in (one, other))
    return float(np.linalg.norm(np.subtract(*places), axis=1).max())


def jump_of(steps: list[Character]) -> tuple[Character, Character]:
    """The two steps that are furthest apart."""
    return max(pairwise(steps), key=lambda pair: moved(pair[0].pose, pair[1].pose, pair[0]))


def drawn_at(person: Character, now_s: float = 0.0) -> Drawn:
    return drawn_next(None, person, now_s, in_drag=True)


def swing(steps: list[Character]) -> list[Drawn]:
    """All that is drawn at rest after the jump, from the pose before it on."""
    before, after = jump_of(steps)
    drawn = [drawn_at(before)]
    while drawn[-1].pose != after.pose:
        drawn.append(drawn_next(drawn[-1], after, len(drawn) * PICTURE_S, in_drag=True))
    return drawn


def test_a_body_that_jumps_is_drawn_on_its_way_and_is_there_within_a_moment(steps: list[Character]) -> None:
    before, after = jump_of(steps)
    whole = moved(before.pose, after.pose, after)
    drawn = swing(steps)
    ways = [moved(a.pose, b.pose, after) for a, b in pairwise(drawn)]
    assert whole > 0.4
    assert max(ways) < whole / 3
    assert (len(drawn) - 1) * PICTURE_S < LONGEST_S + PICTURE_S
    assert drawn[-1].shown is after, "to the last bit, with all its effectors"


def test_what_is_held_stays_where_it_is_held_on_the_way_and_nothing_is_deeper_in_the_body(
    steps: list[Character],
) -> None:
    before, after = jump_of(steps)
    skeleton, solid = skeleton_of(after), body_alone(balls_of(after))
    held = [e for e in after.effectors if e.is_active and isinstance(e, Position) and e.joint != "right_wrist"]
    gap = min(solid.least_gap(joints_of(person)) for person in (before, after))
    for drawn in swing(steps)[1:-1]:
        world = forward_kinematics(skeleton, drawn.pose)
        assert max(e.residual(skeleton, world) for e in held) < 1e-3
        assert solid.least_gap(world) > min(gap, -1.01e-3)


def test_loose_handles_go_along_with_the_body_as_drawn(steps: list[Character]) -> None:
    drawn = swing(steps)[5]
    loose = next(e for e in drawn.shown.effectors if e.loose and e.joint == "left_wrist")
    wrist = joints_of(drawn.shown).positions[skeleton_of(drawn.character).index("left_wrist")]
    assert np.allclose(loose.target, wrist, atol=1e-4)


def test_a_drag_in_which_nothing_jumps_is_drawn_as_it_is_solved(steps: list[Character]) -> None:
    drawn = drawn_at(steps[0])
    for number, person in enumerate(steps[1:8], 1):
        drawn = drawn_next(drawn, person, number * PICTURE_S, in_drag=True)
        assert drawn.shown is person


def test_whatever_else_poses_somebody_is_drawn_at_once(steps: list[Character]) -> None:
    before, after = jump_of(steps)
    assert drawn_next(drawn_at(before), after, PICTURE_S, in_drag=False).shown is after
    underway = drawn_next(drawn_at(before), after, PICTURE_S, in_drag=True)
    assert underway.shown is not after
    assert drawn_next(underway, before, 2 * PICTURE_S, in_drag=False).shown is before, "undone"


def test_a_swing_goes_on_when_the_mouse_is_released(steps: list[Character]) -> None:
    before, after = jump_of(steps)
    underway = drawn_next(drawn_at(before), after, PICTURE_S, in_drag=True)
    further = drawn_next(underway, after, 2 * PICTURE_S, in_drag=False)
    assert 0.0 < moved(further.pose, after.pose, after) < moved(underway.pose, after.pose, after)


def test_somebody_who_passes_through_everything_or_is_carried_off_does_not_swing(steps: list[Character]) -> None:
    before, after = (replace(person, solver_options={}) for person in jump_of(steps))
    assert drawn_next(drawn_at(before), after, PICTURE_S, in_drag=True).shown is after
    before = steps[0]
    carried = replace(before, pose=Pose(before.pose.root_position + np.float32(1.0), before.pose.rotations))
    assert drawn_next(drawn_at(before), carried, PICTURE_S, in_drag=True).shown is carried
