"""Feet of who sits on something that is turned or moved between two keys go along with it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.world_contacts import with_borne
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.steps import Steps
from app.document.posing.create import new_document
from scripts.drags.contact_depths import sits, solved
from solver.kinematics.rotations import from_rotation_vector

FPS, ANKLES = 30, ("left_ankle", "right_ankle")
TURN, UP = np.radians(80.0), 0.02  # radians; metres above where it stands, of a foot that is up
Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def seated() -> Document:
    """Somebody who sits on a box, feet on the floor."""
    return solved(sits(new_document()), {}, {})[0]


def steps_of(document: Document, last: int, turn: float = 0.0, by: tuple[float, float, float] = (0, 0, 0)) -> Steps:
    """Those between a first key and one at the last frame, at which the box is turned and moved."""
    actor = edits.chain(edits.set_clip_length("c1", last + 1), edits.set_key("c1", last))(document).at_frame("c1", last)
    actor = edits.animate_prop("p1", last + 1, FPS)(actor)
    actor = actor.at({"c1": last, actor.prop("p1").slot: last})
    turned = np.asarray(from_rotation_vector([0.0, turn, 0.0])) @ actor.prop("p1").turn
    moved = with_borne(edits.chain(edits.set_prop_turn("p1", turned), edits.move_prop("p1", by)))(actor)
    return Steps.between(skeleton_of(moved.character("c1")), moved.actor("c1").clip.keys, FPS)


def ways(steps: Steps, document: Document, turn: float = 0.0, by: Array | None = None) -> Array:
    """(2, N, 3) metres of both ankles, the frames between both keys, as what is asked goes."""
    last = steps.swings[0].last
    frames, box = np.arange(1, last), document.prop("p1").place.astype(np.float64)
    starts = [next(e.target for e in document.character("c1").effectors if e.joint == name) for name in ANKLES]
    ends = [from_rotation_vector(np.array([0, turn, 0])) @ (start - box) + box for start in starts]
    ends = [end + (0.0 if by is None else by) for end in ends]
    straight = np.zeros((len(frames), 3))
    return np.array(
        [
            steps.along(name, [0, last], np.array(both), straight, frames)
            for name, *both in zip(ANKLES, starts, ends, strict=True)
        ]
    )


def up(places: Array) -> NDArray[np.bool_]:
    """(2, N) whether each foot is off the floor."""
    return np.asarray(places[..., 1] > places[:, :1, 1].min() + UP)


def test_in_haste_both_feet_go_round_with_the_seat_at_once(seated: Document) -> None:
    places = ways(steps_of(seated, 20, TURN), seated, TURN)
    assert up(places).all(axis=0).sum() > 5
    off = places - seated.prop("p1").place
    far = np.hypot(off[..., 0], off[..., 2])
    assert far == pytest.approx(np.broadcast_to(far[:, :1], far.shape), abs=0.01), "on a circle, and not across"
    apart = np.linalg.norm(places[0] - places[1], axis=-1)
    assert apart == pytest.approx(np.full(len(apart), apart[0]), abs=0.1)


def test_in_time_enough_they_take_small_steps_one_after_the_other(seated: Document) -> None:
    steps = steps_of(seated, 75, TURN)
    assert [swing.leg for swing in steps.swings] == [0, 1] * 2
    assert not up(ways(steps, seated, TURN)).all(axis=0).any()
    back = steps_of(seated, 75, -TURN)
    assert [swing.leg for swing in back.swings] == [1, 0] * 2, "the foot on the side that they turn to goes first"


def test_feet_in_the_air_go_round_as_they_hang(seated: Document) -> None:
    high = with_borne(edits.move_prop("p1", (0.0, 0.5, 0.0)))(seated)
    places = ways(steps_of(high, 75, TURN), high, TURN)
    assert np.ptp(places[..., 1], axis=1) == pytest.approx([0.0, 0.0], abs=1e-3)


def test_feet_follow_a_seat_that_is_pulled_straight_on_and_one_of_them_steps_by_itself(seated: Document) -> None:
    by = np.array([0.0, 0.0, 0.5])
    steps = steps_of(seated, 30, by=tuple(by))
    assert {swing.leg for swing in steps.swings} == {0, 1}
    assert all(swing.pivot is None for swing in steps.swings)
    assert up(ways(steps, seated, by=by)).any(axis=1).all()
    ankle = next(e for e in seated.character("c1").effectors if e.joint == ANKLES[0])
    assert steps_of(seated, 30, by=(0.0, 0.3, 0.0)).swings == (), "they stay, or rise with it"
    document = edits.chain(edits.set_clip_length("c1", 31), edits.set_key("c1", 30))(seated).at_frame("c1", 30)
    document = edits.set_target("c1", ankle.id, ankle.target + np.float32([0.25, 0.0, 0.0]))(document)
    own = solved(document, {}, {})[0]
    swings = Steps.between(skeleton_of(own.character("c1")), own.actor("c1").clip.keys, FPS).swings
    assert [swing.leg for swing in swings] == [0]
