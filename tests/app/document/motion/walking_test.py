"""People who are moved further between two keys than a step of each foot goes walk there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from stepping_test import LEFT, LIES_M, RIGHT, animated, balls, posed, slid

from app.document import edits
from app.document.model.document import Document
from app.document.over_time.steps import Steps, Swing
from app.document.posing.solving import skeleton_of

SECOND = 45  # the frame of the second key


def moved(
    by: tuple[float, float, float], body: str = "female", solver: str = "smplik", last: int = SECOND, turn: float = 0.0
) -> Document:
    """Somebody who stands at the first frame, and has been moved by metres and turned by radians at the last one."""
    document = edits.set_clip_length("c1", last + 1)(animated(body, solver)).at_frame("c1", last)
    return posed(edits.place_together([document.character("c1")], by, turn, whole=False)(document))


def swings(document: Document) -> tuple[Swing, ...]:
    keys = document.actor("c1").clip.keys
    return Steps.between(skeleton_of(document.character("c1")), keys, 30.0).swings


@pytest.mark.parametrize(("body", "solver"), [("female", "smplik"), ("male", "dls")])
def test_whoever_is_moved_ahead_by_more_than_a_step_walks_there(body: str, solver: str) -> None:
    document = moved((0.0, 0.0, 1.2), body, solver)
    assert [swing.leg for swing in swings(document)] == [LEFT, RIGHT, LEFT, RIGHT]
    ways = balls(document)
    assert ways[-1] - ways[0] == pytest.approx(np.tile([0.0, 0.0, 1.2], (2, 1)), abs=0.01)
    assert max(slid(ways[:, foot]) for foot in (LEFT, RIGHT)) < 0.03
    lead = ways[:, LEFT, 2] - ways[:, RIGHT, 2]
    assert lead.max() > 0.3, "the left foot comes past the right one"
    assert lead.min() < -0.3, "and the other way round"


def test_feet_land_by_where_the_body_is() -> None:
    document = moved((0.0, 0.0, 3.0), last=100)
    found = swings(document)
    assert len(found) >= 7
    done = [0.0, 0.0]
    for swing in found[:-1]:
        done[swing.leg] += swing.part
        share = swing.end / 100
        body = share * share * (3.0 - 2.0 * share)
        assert sum(done) / 2 == pytest.approx(body, abs=0.12), swing
    assert {leg: sum(swing.part for swing in found if swing.leg == leg) for leg in (LEFT, RIGHT)} == pytest.approx(
        {LEFT: 1.0, RIGHT: 1.0}
    )


@pytest.mark.parametrize(("aside", "first"), [(1.0, LEFT), (-1.0, RIGHT)])
def test_sideways_one_foot_is_put_beside_the_other_and_legs_do_not_cross(aside: float, first: int) -> None:
    document = moved((aside, 0.0, 0.0), last=75)
    assert [swing.leg for swing in swings(document)] == [first, 1 - first] * 3
    ways = balls(document)
    assert (ways[:, LEFT, 0] - ways[:, RIGHT, 0]).min() > 0.15
    assert max(slid(ways[:, foot]) for foot in (LEFT, RIGHT)) < 0.03


def test_in_a_hurry_steps_are_longer_and_where_there_is_no_time_for_them_feet_glide() -> None:
    assert len(swings(moved((0.0, 0.0, 1.6), last=60))) == 5
    assert len(swings(moved((0.0, 0.0, 1.6), last=42))) == 4
    assert np.ptp(balls(moved((0.0, 0.0, 1.6), last=20))[..., 1]) < LIES_M


def test_onto_something_higher_nobody_walks_through_the_air() -> None:
    document = moved((0.0, 0.0, 1.2))
    one, other = document.actor("c1").clip.keys
    skeleton = skeleton_of(document.character("c1"))
    higher = replace(other, pose=replace(other.pose, root_position=other.pose.root_position + np.float32([0, 0.03, 0])))
    assert len(Steps.between(skeleton, (one, other), 30.0).swings) == 4
    assert Steps.between(skeleton, (one, higher), 30.0).swings == ()
