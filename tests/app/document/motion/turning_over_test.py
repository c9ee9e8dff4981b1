"""People who lie at one key turn over, or get to their knees, in stages; on a bed as on the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from beds_test import build_of, on_bed, skins_of, things_in
from getting_up_test import BACK, BELLY, KNEES, KNIGHT, POSES, SEAT, SIDE, rig_in, staged, turning_over, worlds_of

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.over_time.getting_up.lying_stages import (
    KNEE_UP,
    ON_SIDE,
    OVER,
    PUSHES_UP,
    ROLLS_ON,
    SETS_HANDS,
    STEPS_BACK,
    STEPS_UP,
    knees_in,
    onto_knees,
    over,
)
from app.document.over_time.getting_up.routes import Low, down
from app.document.over_time.getting_up.sitting_up import SitsUp
from app.document.over_time.getting_up.staged import ground_between
from app.document.over_time.getting_up.stages import ALL_FOURS, FROM_BACK
from app.document.over_time.standing import lifted
from scripts.motions.beds_between_keys import WAYS as EDGE_WAYS
from scripts.motions.beds_between_keys import going as on_a_bed
from scripts.motions.beds_between_keys import measured as measured_on_a_bed
from scripts.motions.getting_up_between_keys import Way, measured
from scripts.motions.getting_up_between_keys import getting_up as go_between
from scripts.motions.walks_between_keys import PEOPLE
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, Role

UP = np.array([0.0, 1.0, 0.0])
FOLDED, KNEE_UP_SEAT = "Sitting on the floor/Sit, legs folded", "Sitting on the floor/Sit, one knee up"


def lain(first: str, last: str, by: float = 0.0, turn: float = 0.0) -> tuple[Rig, list[tuple[WorldJoints, Low]]]:
    """How somebody is down at two keys; at the second one moved by metres along X, and turned by radians."""
    document = turning_over(first, last)
    rig, found = rig_in(document), list[tuple[WorldJoints, Low]]()
    for key in document.actor("c1").clip.keys:
        world = forward_kinematics(rig, key.pose)
        if found:
            about = from_rotation_vector(turn * UP)
            world = WorldJoints(
                (world.positions - world.positions[0]) @ about.T + world.positions[0] + [by, 0.0, 0.0],
                about @ world.rotations,
            )
        low = down(rig, world, np.zeros((2, 3)))
        assert low is not None
        found.append((world, low))
    return rig, found


def taken_there(document: Document, pose: str, frame: int) -> Document:
    """Somebody on a bed who takes another pose there at a frame, in the middle of it."""
    was = document.character("c1").pose.root_position
    document = take_pose("c1", poses_of(entry_of(POSES / f"{pose}.json")), Taking())(document.at_frame("c1", frame))
    person = document.character("c1")
    off = (was - person.pose.root_position) * np.array([1.0, 0.0, 1.0])
    raised = edits.place_together([person], off + [0.0, 0.45, 0.0], 0.0, whole=False)(document)
    return edits.come_to_rest("c1")(raised)


def test_who_turns_over_draws_a_knee_up_and_goes_over_the_side() -> None:
    assert len(staged(turning_over(SIDE, BACK))) == 1, "the knee is up on the way back, too"
    for by in (0.4, -0.4):
        rig, (back, belly) = lain(BACK, BELLY, by)
        way = over(rig, back, belly)
        assert way is not None
        assert list(way) == list(OVER)
        assert np.sin(way[KNEE_UP].yaw) * by > 0.0, "they roll to where they lie then"
    rig, (side, belly) = lain(SIDE, BELLY)
    assert list(over(rig, side, belly) or {}) == [ROLLS_ON]
    assert over(rig, belly, side) is None, "that way round it is asked for the other way about"
    rig, (side, seat) = lain(SIDE, SEAT)
    assert over(rig, side, seat) is None


def test_who_gets_to_the_knees_sits_up_or_turns_over_by_where_they_face_then() -> None:
    rig, (back, knees) = lain(BACK, KNEES)
    assert list(onto_knees(rig, back, knees[1]) or {}) == [*FROM_BACK[:-1], STEPS_BACK]
    rig, (back, knight) = lain(BACK, KNIGHT)
    assert list(onto_knees(rig, back, knight[1]) or {}) == list(FROM_BACK[:-1]), "one knee alone comes down"
    rig, (back, knees) = lain(BACK, KNEES, turn=np.pi)
    assert list(onto_knees(rig, back, knees[1]) or {}) == [KNEE_UP, ON_SIDE, ALL_FOURS]
    rig, (belly, knees) = lain(BELLY, KNEES)
    assert list(onto_knees(rig, belly, knees[1]) or {}) == [SETS_HANDS, PUSHES_UP, STEPS_UP]
    lain_there = (onto_knees(rig, belly, knees[1]) or {})[PUSHES_UP]
    for far, stages in ((0.0, [SETS_HANDS, PUSHES_UP]), (1.5, [])):
        origin = lain_there.origin - far * np.array([np.sin(lain_there.yaw), 0.0, np.cos(lain_there.yaw)])
        there = knees[1]._replace(frame=knees[1].frame._replace(origin=origin))
        assert list(onto_knees(rig, belly, there) or {}) == stages, "they kneel where the knees lie, or too far off"
    assert onto_knees(rig, knees, knees[1]) is None
    assert onto_knees(rig, belly, belly[1]) is None
    rig, (side, knees) = lain(SIDE, KNEES)
    for turn in (0.0, 2.0, 4.0):
        low = knees[1]._replace(frame=knees[1].frame._replace(yaw=side[1].frame.yaw + turn, origin=np.ones(3)))
        way = onto_knees(rig, side, low)
        assert way is not None
        assert (ALL_FOURS in way) == (turn != 0.0)


def test_who_sits_up_comes_by_the_hands_that_bear_in_the_seat() -> None:
    document = turning_over(BACK, SEAT)
    build, poses = build_of(document), [key.pose for key in document.actor("c1").clip.keys]
    _, ((_, low), (sat, then)) = lain(BACK, SEAT)
    way = SitsUp.between(build, (poses[0], poses[1]), (low, then))
    assert way is not None
    hands = {arm.end for arm in ARMS}
    assert set(way.planted) == hands
    for role in hands:
        np.testing.assert_allclose(way.planted[role][0], sat.positions[build.rig.joint(role)], atol=1e-6)
    away = then._replace(frame=then.frame._replace(yaw=then.frame.yaw + np.pi))
    assert SitsUp.between(build, (poses[0], poses[1]), (low, away)) is None, "they face where the head lay"
    assert SitsUp.between(build, (poses[1], poses[0]), (then, low)) is None, "that way round it is asked the other way"
    folded = [key.pose for key in turning_over(BACK, FOLDED).actor("c1").clip.keys]
    way = SitsUp.between(build, (folded[0], folded[1]), (low, then))
    assert way is not None
    assert not way.planted, "hands in the lap bear nobody"


@pytest.mark.slow
@pytest.mark.parametrize(("first", "last"), [(BACK, SEAT), (SEAT, BACK), (BACK, FOLDED), (BACK, KNEE_UP_SEAT)])
def test_hands_and_feet_of_who_sits_up_do_not_sweep(first: str, last: str) -> None:
    """Hands went through the body at 7 m/s and slid by half a metre, and feet went along the floor as far."""
    found = measured(go_between(Way(first, last, 50), PEOPLE["neutral"]))
    assert found.sweeps < 60.0, "millimetres"
    assert found.speed < 3.0, "metres a second"


def test_a_bed_is_the_floor_of_who_is_on_it_at_both_keys() -> None:
    document = taken_there(on_bed(BACK), KNEES, 100)
    actor = document.actor("c1")
    lift, things = ground_between(actor, (0, 100), lifted(actor), things_in(document))
    assert lift.shift[1] == pytest.approx(-0.45, abs=0.01)
    assert not things
    beside = on_bed(BACK)
    actor, there = beside.actor("c1"), things_in(beside)
    assert ground_between(actor, (0, 100), lifted(actor), there) == (lifted(actor), there)


def test_from_the_belly_one_knee_comes_up_after_the_other() -> None:
    rig, ((lies, low), (kneels, then)) = lain(BELLY, KNEES)
    way = onto_knees(rig, (lies, low), then)
    assert way is not None
    first, other = LEGS[way[STEPS_UP].first].hinge, LEGS[1 - way[STEPS_UP].first].hinge
    for stage, worlds in ((SETS_HANDS, (lies, lies)), (PUSHES_UP, (lies, lies)), (STEPS_UP, (kneels, lies))):
        knees = knees_in(way, stage, rig, lies, kneels)
        for role, world in zip((first, other), worlds, strict=True):
            np.testing.assert_allclose(knees[role][0], world.positions[rig.joint(role)])
    assert knees_in({KNEE_UP: low.frame}, KNEE_UP, rig, lies, kneels) == {}, "on other ways nothing is said"


def test_of_a_bed_that_is_the_floor_limbs_alone_are_kept_out() -> None:
    document = on_bed(BACK)
    solid = things_in(document)[0].solids[0]
    for lower, limbs_alone in ((0.45, True), (0.25, False)):
        deep = replace(solid, place=solid.place + np.array([0.0, -lower, 0.0], np.float32))
        build = build_of(document)._replace(things=(deep,)).ready()
        assert build.obstacles is not None
        within = dict(build.obstacles.touches[0].depths)
        assert (build.rig.joint(Role.HEAD) in within) == limbs_alone
        assert build.rig.joint(ARMS[0].end) not in within


@pytest.mark.slow
def test_who_turns_over_goes_by_the_same_stages_there_and_back() -> None:
    assert len(staged(turning_over(BACK, BELLY))) == len(staged(turning_over(BELLY, BACK))) == len(OVER)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "last"), [(BACK, KNEES), (BELLY, KNEES)])
def test_on_a_bed_nobody_goes_through_it_or_leaves_it(first: str, last: str) -> None:
    """They went through the mattress by up to 15 cm, and arms leapt by a metre in a frame."""
    document = taken_there(on_bed(first), last, 100)
    worlds = worlds_of(document)
    skins, _ = skins_of(document, worlds)
    (solid,) = document.props[0].solids()
    off = np.array([solid.distances(skin) for skin in skins]).min(axis=1)
    assert off.min() > min(off[0], off[-1]) - 0.01, "metres"
    assert off.max() < 0.02, "metres"
    places = np.array([world.positions for world in worlds], np.float64)
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.25, "metres a frame"


@pytest.mark.slow
def test_who_sits_on_the_edge_of_a_bed_does_not_take_it_for_the_floor() -> None:
    """They floated up to 30 cm above it, as their feet came up to its top."""
    document = on_a_bed(EDGE_WAYS["off the edge onto the back"], PEOPLE["female"])
    actor, there = document.actor("c1"), things_in(document)
    assert ground_between(actor, (0, 70), lifted(actor), there) == (lifted(actor), there)


@pytest.mark.slow
def test_who_lies_down_from_the_edge_of_a_bed_stays_on_it() -> None:
    document = on_a_bed(EDGE_WAYS["off the edge onto the back"], PEOPLE["male"])
    assert measured_on_a_bed(document).hovers < 60.0, "millimetres"
