"""People who stand on a prop at one of two keys walk onto it or down from it, and stand on what lies below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from stepping_test import LEFT, RIGHT, animated, posed
from walking_test import places

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.placement import Placement
from app.document.over_time.ground import ground_of, props_below
from app.document.over_time.in_betweens import document_completed, missing
from app.document.over_time.steps import Steps
from app.document.over_time.swings import Swing
from app.document.posing.solving import floor_of
from solver.body.body import BodyShape
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Place = tuple[float, float, float]
BOX: Place = (0.8, 0.3, 0.8)
ABOUT = from_rotation_vector(np.array([0.0, np.pi, 0.0])).astype(np.float32)


def between(
    start: Place, end: Place, last: int, body: str = "female", solver: str = "smplik", like: Document | None = None
) -> Document:
    """Somebody who stands at places at the first frame and the last one."""
    document = edits.set_clip_length("c1", last + 1)(like or animated(body, solver))
    for frame, place in ((last, end), (0, start)):
        document = edits.set_key("c1", frame)(document) if frame else document
        there = document.at_frame("c1", frame)
        document = posed(edits.place_together([there.character("c1")], place, 0.0, whole=False)(there))
    return document


def with_thing(document: Document, kind: str, size: Place, place: Place, turn: np.ndarray | None = None) -> Document:
    thing = replace(new_prop(document, kind), size=np.array(size, np.float32), place=np.array(place, np.float32))
    return add_prop(thing if turn is None else replace(thing, turn=turn))(document)


def swings(document: Document) -> tuple[Swing, ...]:
    actor = document.actor("c1")
    skeleton = skeleton_of(document.character("c1"))
    return Steps.between(skeleton, actor.clip.keys, 30.0, None, ground_of(actor, document.props)).swings


def levels(document: Document) -> list[float]:
    """Metres of the ground onto which each step goes."""
    return [round(swing.levels[1], 2) for swing in swings(document) if swing.levels is not None]


def deepest(document: Document) -> tuple[float, float, float]:
    """Metres that skin is within props at most, that feet are above all they could stand on while they stand, at most,
    and that skin is below the floor, over all frames between the keys."""
    plan, done = swings(document), document_completed(document)
    person, motion = done.character("c1"), done.actor("c1").motion()
    rig, solids = rig_of(skeleton_of(person)), [solid for prop in done.props for solid in prop.solids()]
    floor = floor_of(person.body, person.shape, person.hands, done.actor("c1").posing.solver_options)
    assert motion is not None
    assert floor is not None
    within, above, below = [0.0], [0.0], [0.0]
    for frame in range(len(motion)):
        skin = floor.places(forward_kinematics(rig, motion.pose(frame)))
        off = np.min([solid.distances(skin) for solid in solids], axis=0)
        within.append(-float(off.min()))
        below.append(-float(skin[:, 1].min()))
        for number, leg in enumerate(LEGS):
            mine = np.isin(floor.carriers, [rig.joint(leg.end), rig.joint(leg.tip)])
            if not any(swing.leg == number and swing.start - 5 < frame < swing.end + 4 for swing in plan):
                above.append(float(np.minimum(off, skin[:, 1])[mine].min()))
    return max(within), max(above), max(below)


CLIMBS = {
    "box": ("box", BOX, (0.0, 0.0, 1.1), None, (0.0, 0.0, 0.0), (0.0, 0.3, 1.1), 75),
    "down": ("box", BOX, (0.0, 0.0, 0.0), None, (0.0, 0.3, 0.0), (0.0, 0.0, 1.1), 75),
    "high box": ("box", (0.8, 0.45, 0.8), (0.0, 0.0, 1.6), None, (0.0, 0.0, 0.0), (0.0, 0.45, 1.6), 100),
    "back": ("box", (0.8, 0.2, 0.8), (0.0, 0.0, -1.0), None, (0.0, 0.0, 0.0), (0.0, 0.2, -1.0), 75),
    "aside": ("box", (0.8, 0.2, 0.8), (1.1, 0.0, 0.0), None, (0.0, 0.0, 0.0), (1.1, 0.2, 0.0), 90),
    "stairs": ("stairs", (1.0, 0.85, 1.4), (0.0, 0.0, 1.3), ABOUT, (0.0, 0.0, 0.0), (0.0, 0.85, 1.86), 120),
    "down stairs": ("stairs", (1.0, 0.85, 1.4), (0.0, 0.0, 1.3), None, (0.0, 0.85, 0.74), (0.0, 0.0, 2.7), 120),
}


def climbing(climb: str, body: str = "female", solver: str = "smplik") -> Document:
    kind, size, at, turn, start, end, last = CLIMBS[climb]
    return with_thing(between(start, end, last, body, solver), kind, size, at, turn)


@pytest.mark.sweep("female-smplik-box", "male-dls-down")
@pytest.mark.parametrize("climb", CLIMBS)
@pytest.mark.parametrize(("body", "solver"), [("female", "smplik"), ("male", "dls")])
def test_whoever_walks_onto_a_prop_or_down_stands_on_it_and_on_the_floor_and_goes_through_neither(
    climb: str, body: str, solver: str
) -> None:
    document = climbing(climb, body, solver)
    assert len(swings(document)) >= 4
    within, above, below = deepest(document)
    assert within < 0.004
    assert above < 0.015
    assert below < 0.002


def test_stairs_are_climbed_step_by_step() -> None:
    up, down = levels(climbing("stairs")), levels(climbing("down stairs"))
    assert sorted(up) == up
    assert sorted(down, reverse=True) == down
    for found in (up, down):
        assert max(abs(np.diff(found))) == pytest.approx(0.17, abs=0.01), "no foot goes past the other by two steps"
        assert {0.17, 0.34, 0.51, 0.68} <= set(found)


@pytest.mark.slow
def test_hips_stay_low_until_a_foot_is_on_the_box_and_sink_before_one_is_down_from_it() -> None:
    for climb, sign in (("box", 1.0), ("down", -1.0)):
        document = climbing(climb)
        motion = document_completed(document).actor("c1").motion()
        assert motion is not None
        heights = motion.root_positions[:, 1].astype(np.float64)
        high, low = max(heights[0], heights[-1]), min(heights[0], heights[-1])
        first = next(swing for swing in swings(document) if swing.rise * sign > 0.0)
        share = (heights[round(first.end)] - low) / (high - low)
        assert share < 0.25, climb


def test_between_two_boxes_feet_go_over_the_floor_and_on_one_they_walk_as_on_the_floor() -> None:
    apart = with_thing(between((0.0, 0.2, 0.0), (0.0, 0.25, 1.8), 100), "box", (0.6, 0.2, 0.6), (0.0, 0.0, 0.0))
    apart = with_thing(apart, "box", (0.6, 0.25, 0.6), (0.0, 0.0, 1.8))
    found = levels(apart)
    assert found[0] == pytest.approx(0.2)
    assert found[-1] == pytest.approx(0.25)
    assert found.count(0.0) >= 2
    along = with_thing(between((0.0, 0.3, 0.0), (0.0, 0.3, 1.4), 60), "box", (0.8, 0.3, 2.8), (0.0, 0.0, 0.5))
    assert len(swings(along)) >= 4
    assert not levels(along)


def test_where_the_clip_stands_counts() -> None:
    document = climbing("box")
    there, actor = Placement(0.7, (1.0, 0.0, 0.4)), document.actor("c1")
    box = document.props[0]
    moved = replace(box, place=there.points(box.place.astype(np.float64)), turn=there.rigid.turn.astype(np.float32))
    placed = replace(actor, clip=replace(actor.clip, placement=there))
    elsewhere = replace(document, actors=(placed,), props=(moved,))
    assert levels(elsewhere) == levels(document)
    assert max(deepest(elsewhere)) < 0.015


def test_where_a_box_is_too_high_or_the_keys_are_too_near_feet_glide() -> None:
    high = with_thing(between((0.0, 0.0, 0.0), (0.0, 0.8, 1.1), 75), "box", (0.8, 0.8, 0.8), (0.0, 0.0, 1.1))
    assert not swings(high)
    assert not swings(with_thing(between((0.0, 0.0, 0.0), (0.0, 0.3, 1.1), 12), "box", BOX, (0.0, 0.0, 1.1)))


def test_only_still_props_in_view_where_somebody_leaves_the_floor_are_ground() -> None:
    document = climbing("box")
    actor, box = document.actor("c1"), document.props[0]
    assert props_below(actor, document.props) == [box]
    assert not props_below(actor, [replace(box, visible=False), box.moved([9.0, 0.0, 0.0]), box.moved([0.0, 0.0, 9.0])])
    gliding = replace(actor, clip=replace(actor.clip, between=replace(actor.clip.between, steps=False)))
    assert not props_below(gliding, document.props)
    level = with_thing(between((0.0, 0.0, 0.0), (0.0, 0.0, 1.1), 75), "box", BOX, (0.0, 0.0, 1.1))
    assert ground_of(level.actor("c1"), level.props) is None


def test_what_is_solved_over_a_box_is_solved_anew_once_that_moves_or_goes() -> None:
    document = document_completed(climbing("box"))
    actor, box = document.actor("c1"), document.props[0]
    assert not missing(actor, document.actors, document.props)
    assert missing(actor, document.actors, [box.moved([0.0, 0.0, 0.05])])
    assert missing(actor, document.actors, [])
    far = with_thing(document, "box", BOX, (9.0, 0.0, 0.0))
    assert not missing(actor, far.actors, far.props)


@pytest.mark.slow
def test_people_of_other_proportions_climb_too() -> None:
    betas = np.array([-3.0] + [0.0] * 9, np.float32)
    document = animated()
    document = document.with_character(replace(document.character("c1"), shape=BodyShape(betas, gender="female")))
    document = between((0.0, 0.0, 0.0), (0.0, 0.3, 1.1), 75, like=document)
    document = with_thing(document, "box", BOX, (0.0, 0.0, 1.1))
    within, above, _ = deepest(document)
    assert within < 0.005
    assert above < 0.02
    way = places(document, "left_ankle", "right_ankle")
    assert np.abs(np.diff(way[:, [LEFT, RIGHT]], axis=0)).max() < 0.12
