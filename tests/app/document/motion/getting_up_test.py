"""People who lie, sit or kneel on the floor at one key and stand at another get up in stages, and lie down likewise."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from stepping_test import animated

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.between import gap_at
from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.document.model.finger_curve import hands_at
from app.document.model.placement import HERE
from app.document.over_time.getting_up import stages
from app.document.over_time.getting_up.over_support import brought_over
from app.document.over_time.getting_up.routes import down, in_time, stands
from app.document.over_time.getting_up.stage_poses import Build, let_down
from app.document.over_time.getting_up.staged import turns_over, with_stages
from app.document.over_time.in_betweens import document_completed, solved_spans
from app.document.posing.solving import floor_of
from solver.body.catalog import load_body
from solver.contact.balance import balance, mass_shares
from solver.ik.options import NO_OPTIONS
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import pose_moved
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LEGS, LIMBS

Array = NDArray[np.float64]
POSES = Path(__file__).parents[4] / "assets/poses"
BACK, BELLY, SIDE = "Lying/Lie on the back", "Lying/Lie face down", "Lying/Sleep on the side"
SEAT, KNEES, HEELS = "Sitting on the floor/Sit, hands behind", "Kneeling/Kneel upright", "Kneeling/Sit on the heels"
KNIGHT, FOURS = "Kneeling/Knight", "Crawling/All fours"


@cache
def getting_up(pose: str, last: int = 100, at: int = 0, body: str = "female", by: float = 0.0) -> Document:
    """Somebody in a starting pose at one key who stands at the other one, `by` metres ahead. at: the pose's frame."""
    document = edits.set_clip_length("c1", last + 1)(animated(body))
    document = edits.set_key("c1", last)(document).at_frame("c1", last - at)
    document = edits.place_together([document.character("c1")], (0.0, 0.0, by), 0.0, whole=False)(document)
    return take_pose("c1", poses_of(entry_of(POSES / f"{pose}.json")), Taking())(document.at_frame("c1", at))


def worlds_of(document: Document) -> list[WorldJoints]:
    """The joints at each frame, all between the keys being solved."""
    motion, skeleton = document_completed(document).actor("c1").motion(), skeleton_of(document.character("c1"))
    assert motion is not None
    return [forward_kinematics(skeleton, motion.pose(frame)) for frame in range(len(motion))]


def rig_in(document: Document) -> Rig:
    return rig_of(skeleton_of(document.character("c1")))


def staged(document: Document) -> list[int]:
    """The frames of the stages."""
    actor = document.actor("c1")
    keyed = {key.frame for key in actor.clip.keys}
    return [key.frame for key in with_stages(actor, HERE).clip.keys if key.frame not in keyed]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pose", "body"), [(BACK, "female"), (BACK, "male"), (BELLY, "male"), (SIDE, "female"), (SEAT, "male")]
)
def test_who_gets_up_is_over_what_bears_them_and_not_in_the_floor(pose: str, body: str) -> None:
    document = getting_up(pose, body=body)
    person, actor, worlds = document.character("c1"), document.actor("c1"), worlds_of(document)
    off, low = [], []
    for frame, world in enumerate(worlds):
        held = hands_at(actor.clip, frame)
        floor = floor_of(person.body, person.shape, held, person.solver_options)
        assert floor is not None
        low.append(floor.lowest(world))
        margin = balance(body_of(person), person.shape, world, held).margin
        if world.positions[0, 1] > 0.35 * rig_in(document).leg_length:
            off.append(1.0 if margin is None else max(-margin, 0.0))
    assert min(low) > -0.003, "metres: nothing is in the floor"
    assert max(low) < 0.015, "metres: nobody flies"
    assert np.mean(off) < 0.08, "metres, once the seat is up; a body that rose like a plank was 0.2 beside its feet"
    places = np.array([world.positions for world in worlds], np.float64)
    assert np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max() < 0.1, "metres per frame²: nothing leaps"


@pytest.mark.slow
def test_the_foot_that_comes_under_the_body_stays_while_people_rise() -> None:
    document = getting_up(BELLY)
    rig, worlds, at = rig_in(document), worlds_of(document), staged(document)
    first = next(n for n, stage in enumerate(stages.FROM_BELLY) if stage is stages.FOOT_UNDER)
    foot = rig.joint(LEGS[0].end)
    ways = np.array([world.positions[foot] for world in worlds[at[first] : at[-1] + 1]], np.float64)
    assert np.linalg.norm(ways - ways[0], axis=1).max() < 0.01, "metres"
    knee = np.array([worlds[frame].positions[rig.joint(LEGS[1].hinge), 1] for frame in at[first : first + 2]])
    assert knee.max() < 0.1, "metres: meanwhile the other knee is on the floor"


@pytest.mark.slow
@pytest.mark.parametrize(("pose", "body"), [(BACK, "male"), (BELLY, "female")])
def test_feet_and_hands_go_through_the_air_and_the_pelvis_goes_smoothly(pose: str, body: str) -> None:
    """A foot swept over the floor by half a metre, and hands by up to 76 cm."""
    document = getting_up(pose, body=body)
    person, actor, rig, worlds = document.character("c1"), document.actor("c1"), rig_in(document), worlds_of(document)
    skins, low = [], rig.leg_length * 0.45
    for frame, world in enumerate(worlds):
        floor = floor_of(person.body, person.shape, hands_at(actor.clip, frame), person.solver_options)
        assert floor is not None
        skins.append(floor.places(world))
    places, up = np.array(skins), np.array([world.positions[0, 1] for world in worlds]) > low
    for limb in LIMBS:
        mine = np.isin(floor.carriers, [rig.joint(role) for role in (limb.end, limb.tip) if rig.find(role) is not None])
        on = (places[:, mine, 1] < 0.004) & up[:, None]
        steps = np.linalg.norm(np.diff(places[:, mine], axis=0)[..., [0, 2]], axis=-1)
        assert np.where(on[1:] & on[:-1], steps, 0.0).max(axis=1).sum() < 0.15, limb.name
    roots = np.array([world.positions[0] for world in worlds], np.float64)
    assert np.linalg.norm(np.diff(roots, 3, axis=0), axis=1).max() * 30.0**3 < 900.0, "m/s³"


@pytest.mark.slow
def test_who_lies_down_goes_the_same_way_back() -> None:
    up, back = worlds_of(getting_up(SEAT, 80)), worlds_of(getting_up(SEAT, 80, at=80))
    ways = np.array([[world.positions[0] for world in each] for each in (up, back[::-1])], np.float64)
    assert np.linalg.norm(ways[0] - ways[1], axis=1).max() < 0.06, "metres of the pelvis"


@pytest.mark.parametrize(
    ("pose", "route"),
    [
        (BACK, stages.FROM_BACK), (SIDE, stages.FROM_BACK), (BELLY, stages.FROM_BELLY), (SEAT, stages.FROM_SEAT),
        (KNEES, stages.FROM_KNEES), (HEELS, stages.FROM_KNEES), (KNIGHT, stages.FROM_ONE_KNEE),
        (FOURS, stages.FROM_HANDS), ("Crouching/Deep squat", None), ("Standing/A-pose", None),
        ("Jumping/Star jump", None), ("Crawling/Bear crawl", None), ("Gesturing/Bow", None),
        ("Crawling/Crawl", stages.FROM_HANDS), ("Crawling/Plank", None),
    ],
)  # fmt: skip
def test_how_people_get_up_goes_by_how_they_are_down(pose: str, route: tuple[stages.Stage, ...] | None) -> None:
    document = getting_up(pose)
    skeleton = skeleton_of(document.character("c1"))
    world = forward_kinematics(skeleton, document.actor("c1").clip.keys[0].pose)
    low = down(rig_of(skeleton), world, np.zeros((2, 3)))
    assert (low and low.stages) == route
    assert stands(rig_of(skeleton), world) == (pose in ("Standing/A-pose", "Gesturing/Bow"))


def test_who_has_sunk_low_between_the_heels_gets_up_from_the_knees() -> None:
    document = getting_up(HEELS)
    skeleton = skeleton_of(document.character("c1"))
    pose = document.actor("c1").clip.keys[0].pose
    lower = replace(pose, root_position=pose.root_position - np.array([0.0, 0.05, 0.0], np.float32))
    low = down(rig_of(skeleton), forward_kinematics(skeleton, lower), np.zeros((2, 3)))
    assert low is not None
    assert low.stages == stages.FROM_KNEES


def test_who_is_to_stand_far_off_comes_to_stand_where_they_got_up() -> None:
    actor = getting_up(BACK, 140, by=1.5).actor("c1")
    *_, stage, key = with_stages(actor, HERE).clip.keys
    rig = rig_in(getting_up(BACK, 140, by=1.5))
    risen, stood = (forward_kinematics(rig, each.pose) for each in (stage, key))
    assert stands(rig, risen)
    assert stood.positions[0, 2] - risen.positions[0, 2] > 0.5, "metres: the rest of the way they walk"
    assert abs(float(stood.positions[0, 1] - risen.positions[0, 1])) < 0.02, "metres: they are as upright as at the key"


@pytest.mark.slow
def test_where_there_is_little_time_there_are_fewer_stages_and_then_none() -> None:
    counts = [len(staged(getting_up(BACK, last))) for last in (110, 60, 30, 8)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == len(stages.FROM_BACK) + 2, "and two of coming to stand"
    assert 0 < counts[2] < counts[0]
    assert counts[-1] == 0
    assert in_time([(1, 0.5), (3, 0.5), (9, 0.5)], 25, 30.0, 0.2, 0.8) == [1, 2], "the least needed goes first"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pose", "last"), [(BACK, 20), (BACK, 25), (BELLY, 30), (BELLY, 45), (SEAT, 20), (KNEES, 36), (FOURS, 30)]
)
def test_nothing_leaps_where_stages_are_left_out(pose: str, last: int) -> None:
    """A foot went through the floor from one side of the body to the other, by 0.4 to 1.1 m per frame²."""
    for body in ("female", "male"):
        places = np.array([world.positions for world in worlds_of(getting_up(pose, last, body=body))], np.float64)
        assert np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max() < 0.3, "metres per frame²"


@pytest.mark.slow
def test_who_is_to_stand_elsewhere_gets_up_and_walks_there() -> None:
    document = getting_up(BACK, 140, by=1.5)
    worlds, last = worlds_of(document), staged(document)[-1]
    assert stands(rig_in(document), worlds[last])
    assert last < 120
    assert worlds[-1].positions[0, 2] - worlds[last].positions[0, 2] > 0.5, "metres"


@pytest.mark.slow
def test_who_has_got_up_goes_on_to_the_next_key_as_anybody_does() -> None:
    document = getting_up(BACK, 90)
    longer = edits.set_clip_length("c1", 121)(document).at_frame("c1", 120)
    chair = poses_of(entry_of(POSES / "Sitting on a chair/Sit upright.json"))
    seated = take_pose("c1", chair, Taking())(longer)
    hips = np.array([world.positions[0, 1] for world in worlds_of(seated)], np.float64)
    assert len(hips) == 121
    assert hips[90:].argmin() == 30, "the seat goes down to the chair"
    assert np.abs(np.diff(hips, 2)).max() < 0.03, "metres per frame²: without a leap at the key between"


@pytest.mark.slow
def test_a_clip_of_few_frames_a_second_has_all_of_them() -> None:
    document = getting_up(BACK, 20)
    slow = edits.set_clip_rate("c1", 6.0)(document)
    assert len(staged(slow)) > 4
    assert len(worlds_of(slow)) == 21
    assert not staged(edits.set_clip_rate("c1", 2.0)(getting_up(BACK, 6))), "too few to tell stages apart"


@pytest.mark.slow
def test_stages_are_found_only_where_frames_are_to_be_solved() -> None:
    """All were found anew whenever anything between two keys changed, which took a sixth of a second each."""
    actor = edits.set_clip_length("c1", 500)(getting_up(KNEES, 60)).actor("c1")
    keys = tuple(replace(actor.clip.keys[number % 2], frame=90 * number) for number in range(6))
    actor = replace(actor, clip=replace(actor.clip, keys=keys, solved=()))
    every, near = (with_stages(actor, HERE, about).clip.keys for about in (None, [10]))
    assert {key.frame // 90 for key in every if key.frame % 90} == {0, 1, 2, 3, 4}
    assert [key.frame for key in near] == sorted({*(key.frame for key in every if key.frame < 180), *range(0, 451, 90)})
    done = actor.with_spans(solved_spans(actor))
    moved = replace(keys[0], pose=pose_moved(keys[0].pose, np.array([0.02, 0.0, 0.0])))
    edited = replace(done, clip=replace(done.clip, keys=(moved, *keys[1:])))
    again, anew = (solved_spans(each) for each in (edited, replace(edited, clip=replace(edited.clip, solved=()))))
    assert [span.first for span in again] == [span.first for span in anew]
    for one, other in zip(again, anew, strict=True):
        assert np.array_equal(one.roots, other.roots)


def test_nobody_gets_up_in_stages_without_a_solid_floor_or_steps() -> None:
    actor = getting_up(BACK).actor("c1")
    assert with_stages(actor, HERE) is not actor
    between = actor.clip.between
    for other in (
        replace(actor, posing=replace(actor.posing, solver_options=NO_OPTIONS)),
        replace(actor, clip=replace(actor.clip, between=replace(between, steps=False))),
    ):
        assert with_stages(other, HERE) is other


def test_who_stands_at_both_keys_or_does_not_step_goes_by_no_stages() -> None:
    stands = getting_up("Standing/A-pose").actor("c1")
    assert with_stages(stands, HERE) is stands
    actor = turning_over(BACK, BELLY).actor("c1")
    still = replace(actor, clip=replace(actor.clip, between=replace(actor.clip.between, steps=False)))
    assert turns_over(actor, gap_at(actor.clip, 1), HERE)
    assert not turns_over(still, gap_at(still.clip, 1), HERE)


def test_who_flies_for_a_moment_is_let_down_but_not_who_lies_on_a_mattress() -> None:
    document = getting_up(BACK)
    person, lies = document.character("c1"), document.actor("c1").clip.keys[0].pose
    floor = floor_of(person.body, person.shape, person.hands, person.solver_options)
    assert floor is not None
    builds = [Build(rig_in(document), person.body, person.shape, floor)] * 41
    hops = [pose_moved(lies, np.array([0.0, 0.05 if 15 <= n < 26 else 0.0, 0.0])) for n in range(41)]
    heights = [pose.root_position[1] - lies.root_position[1] for pose in let_down(builds, hops, 3)]
    assert abs(heights[20]) < 0.005, "metres"
    raised = [pose_moved(pose, np.array([0.0, 0.1, 0.0])) for pose in hops]
    assert let_down(builds, raised, 3) == raised


def test_the_body_is_brought_over_what_bears_it_unless_nothing_does() -> None:
    document = getting_up("Crouching/Deep squat")
    person, rig = document.character("c1"), rig_in(document)
    floor = floor_of(person.body, person.shape, person.hands, person.solver_options)
    assert floor is not None
    world = forward_kinematics(rig, document.actor("c1").clip.keys[0].pose)
    skin, mass = floor.places(world), mass_shares(load_body(person.body), person.shape)
    worlds = WorldJoints(*(np.stack([each] * 41).astype(np.float64) for each in world))
    off = np.array([0.3, 0.0, 0.0])
    beside, above = (np.stack([skin + way] * 41) for way in (off, np.array([0.0, 0.5, 0.0])))
    moved = brought_over(mass, worlds, beside, np.ones(41), 30.0)
    assert 0.05 < moved[20, 0] < 0.13, "metres, towards what bears"
    assert not moved[0].any(), "as posed at the keys"
    assert not brought_over(mass, worlds, above, np.ones(41), 30.0).any()


def test_who_crouches_at_a_key_needs_no_stages_to_stand() -> None:
    assert staged(getting_up("Crouching/Deep squat")) == []


def turning_over(first: str, last: str, frames: int = 60) -> Document:
    """Somebody in starting poses at two keys."""
    content = poses_of(entry_of(POSES / f"{last}.json"))
    return take_pose("c1", content, Taking())(getting_up(first, frames).at_frame("c1", frames))


def test_who_turns_over_stays_on_the_floor() -> None:
    """The shortest turn, with the head at the other end, is a headstand."""
    document = turning_over(BACK, BELLY)
    worlds = worlds_of(document)
    assert max(world.positions[0, 1] for world in worlds) < 0.3, "metres"
    places = np.array([world.positions for world in worlds], np.float64)
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.12, "metres a frame: an arm leapt by 1.3"


def test_who_has_no_time_for_stages_to_turn_over_stays_on_the_floor_as_well() -> None:
    document = turning_over(BACK, BELLY, 12)
    assert staged(document) == []
    assert max(world.positions[0, 1] for world in worlds_of(document)) < 0.4, "metres"


@pytest.mark.slow
def test_who_sits_up_or_kneels_does_not_leap() -> None:
    for first, last in ((BACK, SEAT), (SEAT, KNEES), (BELLY, SEAT)):
        places = np.array([world.positions for world in worlds_of(turning_over(first, last))], np.float64)
        assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.25, (
            first,
            "metres a frame; legs leapt by 1.7",
        )


@pytest.mark.slow
@pytest.mark.parametrize(("first", "last"), [(BELLY, SEAT), (SEAT, BELLY)])
def test_between_belly_and_seat_one_goes_over_a_hip(first: str, last: str) -> None:
    """The body rose like a plank, over the tips of the feet, with the pelvis at 0.8 m."""
    document = turning_over(first, last)
    assert len(staged(document)) == len(stages.BELLY_TO_SEAT)
    places = np.array([world.positions for world in worlds_of(document)], np.float64)
    assert places[:, 0, 1].max() < 0.4, "metres"
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.2, "metres a frame"


@pytest.mark.slow
@pytest.mark.parametrize("pose", [HEELS, BELLY])
def test_the_knee_that_bears_does_not_slide_and_the_body_is_over_it(pose: str) -> None:
    """Skin of the knee slid over the floor by up to 9 cm, and the weight was 10 cm beside the knee that bears."""
    document = getting_up(pose, 60 if pose == HEELS else 110)
    person, rig, worlds = document.character("c1"), rig_in(document), worlds_of(document)
    route = stages.FROM_KNEES if pose == HEELS else stages.FROM_BELLY
    bears = [at for at, stage in zip(staged(document), route, strict=False) if 1 in stage.stays_knees]
    floor = floor_of(person.body, person.shape, person.hands, person.solver_options)
    assert floor is not None
    knee, held = rig.joint(LEGS[1].hinge), worlds[bears[0] : bears[-1] + 1]
    skins = np.array([floor.places(world) for world in held])
    mine = np.isin(floor.carriers, [knee, rig.joint(LEGS[1].root)])
    mine &= np.linalg.norm(skins[-1] - held[-1].positions[knee], axis=1) < 0.12
    on = skins[1:, mine, 1] < 0.004
    steps = (np.diff(skins[:, mine], axis=0)[..., [0, 2]] * on[..., None]).sum(axis=1) / on.sum(axis=1).clip(1)[:, None]
    assert np.linalg.norm(np.cumsum(steps, axis=0), axis=1).max() < 0.03, "metres"
    margins = [balance(body_of(person), person.shape, world, person.hands).margin for world in held]
    assert np.mean([max(-(margin or 0.0), 0.0) for margin in margins]) < 0.02, "metres"


def test_who_lies_on_something_high_is_left_alone() -> None:
    document = getting_up(BACK)
    actor = document.actor("c1")
    first, last = actor.clip.keys
    raised = replace(first.pose, root_position=first.pose.root_position + np.array([0.0, 0.5, 0.0], np.float32))
    high = replace(actor, clip=replace(actor.clip, keys=(replace(first, pose=raised), last)))
    assert with_stages(high, HERE) is high


def test_a_stage_that_is_not_needed_goes_where_there_is_little_time() -> None:
    assert in_time([(1, 0.5), (9, 0.5)], frames=60, fps=30.0, least_s=0.1, hurry=0.5) == [0, 1]
    assert in_time([(1, 0.5), (9, 0.5)], frames=3, fps=30.0, least_s=0.1, hurry=0.5) == [1]
