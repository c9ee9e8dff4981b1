"""A body that follows trackers: it meets them, and survives whatever they say or do not say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.formats.bvh.read import read_bvh, to_motion
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver
from solver.trackers.attachment import Attachment, Calibration, Mount, effectors_of
from solver.trackers.follower import Follower
from solver.trackers.outlier_filter import HELD_S, OutlierFilter
from solver.trackers.sample import Reading, TrackerSample, merged
from solver.trackers.sample_rates import SILENT_S
from solver.trackers.sequential_solver import SequentialSolver, sequence_settings
from solver.trackers.simulated_trackers import SIX_ROLES, simulated_sample, simulated_samples
from solver.trackers.speed_limit import speed_limited
from solver.trackers.target_fade_in import leaping_effectors
from tests.solver.ik_samples import body_skeleton, natural
from tests.solver.sample_files import CLIPS, recordings

QUICK = ("dls", "smplik", "skelik")
SLOW = pytest.param("dragposer", marks=pytest.mark.slow)
LOST = (("left_wrist",), ("pelvis", "head"), ("left_ankle", "right_wrist", "pelvis"))
# Every solver and every loss, the slow solvers with two of the losses each.
DEALT = {"dls": (0, 1, 2), "smplik": (0, 2), "skelik": (1, 2)}
LOSSES = [(solver, LOST[i]) for solver, dealt in DEALT.items() for i in dealt]
WEAR = {str(role): Attachment(str(role)) for role in SIX_ROLES}
POP_M = 0.05


@cache
def clip() -> Motion:
    """Somebody who reaches there and back, 90 frames at 30 a second."""
    return _there_and_back(CLIPS / "reach.bvh")


def _there_and_back(path: Path, faster: int = 1) -> Motion:
    motion, _ = to_motion(read_bvh(path), body_skeleton())
    step = max(1, round(motion.fps / 30)) * faster
    frames = np.arange(0, len(motion), step)
    order = np.resize(np.concatenate([frames, frames[-2:0:-1]]), 90)
    return Motion(motion.root_positions[order], motion.rotations[order], 30.0)


def samples(motion: Motion | None = None) -> list[TrackerSample]:
    return list(simulated_samples(body_skeleton(), motion or clip(), [str(role) for role in SIX_ROLES]))


def follower(solver: str, **more: object) -> Follower:
    return Follower(body_skeleton(), load_solver(solver), WEAR, natural(), body="anny", **more)  # type: ignore[arg-type]


def places(poses: Iterable[Pose]) -> np.ndarray:
    """(F, J, 3) metres."""
    return np.array([forward_kinematics(body_skeleton(), pose).positions for pose in poses])


def without(sample: TrackerSample, *names: str) -> TrackerSample:
    return TrackerSample(sample.time_s, {name: r for name, r in sample.readings.items() if name not in names})


def with_reading(sample: TrackerSample, name: str, reading: Reading) -> TrackerSample:
    return TrackerSample(sample.time_s, {**sample.readings, name: reading})


@pytest.mark.sweep("dls")
@pytest.mark.parametrize("solver", [*QUICK, SLOW])
def test_six_trackers_of_a_clip_are_met_at_every_frame(solver: str) -> None:
    follow = follower(solver)
    found = places(follow.pose(sample) for sample in samples())
    true = places(clip().pose(frame) for frame in range(len(clip())))
    worn = [body_skeleton().index(name) for name in WEAR]
    assert np.linalg.norm((found - true)[:, worn], axis=-1).max() < 0.02


@pytest.mark.sweep("dls-lost0")
@pytest.mark.parametrize(("solver", "lost"), [*LOSSES, pytest.param("dragposer", LOST[1], marks=pytest.mark.slow)])
def test_nothing_pops_when_trackers_fall_silent_and_when_they_come_back(solver: str, lost: tuple[str, ...]) -> None:
    heard = [without(sample, *lost) if 20 <= i < 50 else sample for i, sample in enumerate(samples())]
    follow = follower(solver)
    found = places(follow.pose(sample) for sample in heard)
    true = places(clip().pose(frame) for frame in range(len(clip())))
    steps, own = (np.linalg.norm(np.diff(each, axis=0), axis=-1) for each in (found, true))
    assert (steps - own).max() < POP_M
    assert np.linalg.norm(found[-1] - places([clip().pose(len(clip()) - 1)]), axis=-1).max() < 0.3


@pytest.mark.sweep("dls-lost0")
@pytest.mark.parametrize(("solver", "lost"), LOSSES)
def test_a_fast_person_is_not_left_behind_on_the_way_to_another_pose(solver: str, lost: tuple[str, ...]) -> None:
    walks = [path for path in recordings() if path.stem == "cmu_02_01"]
    motion = _there_and_back(*((walks[0], 1) if walks else (CLIPS / "reach.bvh", 3)))
    heard = [without(sample, *lost) if 20 <= i < 50 else sample for i, sample in enumerate(samples(motion))]
    follow = follower(solver)
    found = places(follow.pose(sample) for sample in heard)
    true = places(motion.pose(frame) for frame in range(len(motion)))
    off = np.linalg.norm(found - true, axis=-1)
    heard_on = [body_skeleton().index(name) for name in WEAR if name not in lost]
    assert off[20 + round(SILENT_S * 30) :, heard_on].max() < 0.05  # until then the silent ones pull as they last did
    assert off[70:].max() < 0.15  # 20 frames after all are back
    farthest = [np.linalg.norm(np.diff(each, axis=0), axis=-1).max(axis=1) for each in (found, true)]
    assert (farthest[0] - farthest[1]).max() < 0.08


def test_a_lost_hand_on_its_way_elsewhere_is_not_carried_along_besides() -> None:
    skeleton, solver = body_skeleton(), load_solver("dls")
    turned, hand, head = _turned(natural(), 8.0), skeleton.index("left_wrist"), skeleton.index("head")
    asked = effectors_of(
        without(simulated_sample(skeleton, turned, list(WEAR), 0.0), "left_wrist").readings, WEAR, Calibration()
    )
    proposed = np.array(turned.rotations)
    proposed[skeleton.index("left_shoulder")] @= from_rotation_vector([0.0, 0.5, 0.0])
    elsewhere = Pose(turned.root_position, proposed.astype(np.float32))
    sequential = SequentialSolver(skeleton, solver, sequence_settings(solver.spec))
    shown, carried, found = places(
        [natural(), turned, speed_limited(sequential, skeleton, asked, natural(), elsewhere, 1 / 30)]
    )
    went, must = (np.linalg.norm(each - shown, axis=-1)[hand] for each in (found, carried))
    assert 0.9 * must < went < 0.042
    assert np.linalg.norm(found - carried, axis=-1)[head] < 0.01


def test_all_trackers_may_come_and_go_and_the_body_waits_meanwhile() -> None:
    follow, heard = follower("dls"), samples()
    shown = [follow.pose(sample if i % 40 < 20 else TrackerSample(sample.time_s, {})) for i, sample in enumerate(heard)]
    silent = 20 + round((SILENT_S + 0.3) * 30)
    assert np.allclose(*places(shown[silent : silent + 2]), atol=1e-4)
    assert np.isfinite(places(shown)).all()


@pytest.mark.sweep
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
def test_what_is_no_place_and_no_turn_is_not_believed(bad: float) -> None:
    follow, shown = follower("dls"), []
    for i, sample in enumerate(samples()[:30]):
        broken = Reading(np.full(3, bad, np.float32), np.full((3, 3), bad, np.float32))
        shown.append(follow.pose(with_reading(sample, "head", broken) if i % 3 == 1 else sample))
    plain = follower("dls")
    away = places(shown) - places(plain.pose(sample) for sample in samples()[:30])
    assert np.abs(away).max() < 0.1


def test_a_matrix_that_is_no_rotation_is_not_believed() -> None:
    outliers = OutlierFilter()
    for wrong in (np.zeros((3, 3)), -np.eye(3), np.diag([1.0, 1.0, 1.7]), np.ones(3)):
        filtered = outliers.filtered(
            TrackerSample(0.0, {"a": Reading(np.zeros(3, np.float32), wrong.astype(np.float32))})
        )
        assert filtered.readings["a"].rotation is None


def test_a_jump_is_doubted_for_a_moment_and_then_believed() -> None:
    outliers, far = OutlierFilter(), np.float32([3, 1, 0])
    at = lambda t, place: outliers.filtered(TrackerSample(t, {"a": Reading(np.float32(place), None)}))  # noqa: E731
    at(-0.01, [0, 1, 0])
    at(0.0, [0, 1, 0])
    doubted = [at(0.01 * i, far) for i in range(1, 9)]
    assert all(np.array_equal(each.readings["a"].position, [0, 1, 0]) for each in doubted)
    assert at(0.01 + HELD_S + 0.01, far).jumped == {"a"}
    assert np.array_equal(at(0.2, far).readings["a"].position, far)


def test_one_wrong_sample_is_forgotten() -> None:
    outliers = OutlierFilter()
    for i in range(20):
        wrong = i == 10
        filtered = outliers.filtered(
            TrackerSample(i / 60, {"a": Reading(np.float32([9 if wrong else 0.01 * i, 1, 0]), None)})
        )
        assert filtered.readings["a"].position is not None
        assert filtered.readings["a"].position[0] < 0.3


def test_what_was_said_once_is_no_reason_to_doubt_what_comes_next() -> None:
    outliers = OutlierFilter()
    for i, place in enumerate([[0, 0, 0], [2, 1, 0], [2, 1, 0.01], [0, 0, 0]]):
        turn = from_rotation_vector([0.0, np.pi if i else 0.0, 0.0]).astype(np.float32)
        filtered = outliers.filtered(TrackerSample(i / 30, {"a": Reading(np.float32(place), turn)}))
        assert not filtered.jumped | filtered.turned
        believed = filtered.readings["a"]
        assert np.allclose(believed.position, [[0, 0, 0], [2, 1, 0], [2, 1, 0.01], [2, 1, 0.01]][i])
        assert np.allclose(believed.rotation, np.diag([1, 1, 1] if i == 0 else [-1, 1, -1]), atol=1e-6)


def test_a_late_tracker_is_not_carried_along_with_a_first_reading_that_was_wrong() -> None:
    outliers = OutlierFilter()
    at = lambda place: Reading(np.float32(place), None)  # noqa: E731
    for i in range(30):
        outliers.filtered(TrackerSample(i / 60, {"a": at([0, 1, 0]), "late": at([1, 1, 0])}))
    for i, place in ((30, [0, 0, 0]), (31, [3, 1, 0]), (32, [3, 1, 0])):
        filtered = outliers.filtered(TrackerSample(i / 60, {"a": at([0, 1, 0]), "new": at(place)}))
        assert filtered.readings["late"].position == pytest.approx([1, 1, 0], abs=1e-6)
    assert filtered.readings["new"].position == pytest.approx([3, 1, 0])


def test_a_foot_that_kicks_is_believed() -> None:
    outliers = OutlierFilter()
    for i, z in enumerate([0.0, 0.2, 0.8, 1.4]):  # 18 m/s
        filtered = outliers.filtered(TrackerSample(i / 30, {"a": Reading(np.float32([0, 1, z]), None)}))
        assert np.isclose(filtered.readings["a"].position[2], z)


def test_a_turn_that_jumps_leaves_no_fast_foot_behind() -> None:
    turned = from_rotation_vector([0.0, np.pi, 0.0]).astype(np.float32)
    follow, ankle, heard = follower("dls"), body_skeleton().index("right_ankle"), samples(_walking_away())
    for i, sample in enumerate(heard):
        said = sample.readings["right_ankle"]
        flipped = Reading(said.position, turned @ said.rotation if i >= 30 else said.rotation)
        found = places([follow.pose(with_reading(sample, "right_ankle", flipped))])[0, ankle]
        assert np.linalg.norm(found - said.position) < 0.05


def test_no_hand_leaps_back_to_a_tracker_that_was_turned_as_no_wrist_is() -> None:
    follow, still, shown = follower("dls"), samples(_standing())[:70], []
    for i, sample in enumerate(still):
        said, share = sample.readings["left_wrist"], np.clip(min(i, 50 - i) / 10, 0.0, 1.0)
        turn = from_rotation_vector(share * np.radians([0.0, 0.0, -170.0])) @ said.rotation
        shown.append(follow.pose(with_reading(sample, "left_wrist", Reading(said.position, turn.astype(np.float32)))))
    found, wrist = places(shown), body_skeleton().index("left_wrist")
    assert np.linalg.norm(np.diff(found, axis=0), axis=-1).max() < POP_M
    assert np.linalg.norm(found[-1, wrist] - still[-1].readings["left_wrist"].position) < 0.01


def test_a_joint_that_would_leap_back_to_its_tracker_is_told_from_one_that_goes_along_with_it() -> None:
    skeleton = body_skeleton()
    at, gone = natural(), Pose(natural().root_position + np.float32([0.0, 0.0, 0.3]), natural().rotations)
    asked, went = (_asked(pose) for pose in (at, gone))
    here, there = (forward_kinematics(skeleton, pose) for pose in (at, gone))
    assert not leaping_effectors(skeleton, asked, went, here, there, 1 / 30)  # all go 30 cm, as their trackers do
    assert leaping_effectors(skeleton, asked, asked, here, there, 1 / 30) == {
        (str(role), "position") for role in SIX_ROLES
    }
    one_stays = [stays if stays.joint == "left_wrist" else goes for stays, goes in zip(asked, went, strict=True)]
    assert leaping_effectors(skeleton, asked, one_stays, here, there, 1 / 30) == {("left_wrist", "position")}
    turned = forward_kinematics(skeleton, _turned(at, 20.0))
    back = leaping_effectors(skeleton, asked, asked, here, turned, 1 / 30)
    assert {key for key in back if key[1] == "rotation"} == {(str(role), "rotation") for role in SIX_ROLES}
    assert not leaping_effectors(skeleton, asked, asked, here, turned, 1.0)  # in a second they may
    assert not leaping_effectors(skeleton, (), asked, here, there, 1 / 30)  # who was not asked arrives in another way


def test_noise_all_over_the_place_is_never_believed() -> None:
    outliers, rng = OutlierFilter(), np.random.default_rng(0)
    for i in range(-1, 1):
        outliers.filtered(TrackerSample(i / 60, {"a": Reading(np.float32([0, 1, 0]), None)}))
    for i in range(1, 12):
        filtered = outliers.filtered(
            TrackerSample(i / 60, {"a": Reading(rng.uniform(-400, 400, 3).astype(np.float32), None)})
        )
        assert np.array_equal(filtered.readings["a"].position, [0, 1, 0])


@pytest.mark.sweep("dls")
@pytest.mark.parametrize("solver", QUICK)
def test_swapped_names_leave_a_finite_pose_and_no_joint_pops(solver: str) -> None:
    swap = {"left_wrist": "right_ankle", "right_ankle": "left_wrist", "head": "pelvis", "pelvis": "head"}
    heard = [
        TrackerSample(s.time_s, {swap.get(name, name): r for name, r in s.readings.items()}) if i >= 30 else s
        for i, s in enumerate(samples())
    ]
    follow = follower(solver)
    found = places(follow.pose(sample) for sample in heard)
    assert np.isfinite(found).all()


def test_where_all_trackers_jump_together_the_body_is_there_at_once() -> None:
    far, follow = np.float32([4, 0, -7]), follower("dls")
    moved = [
        TrackerSample(s.time_s, {n: Reading(r.position + far if i >= 30 else r.position, r.rotation)
                                 for n, r in s.readings.items()})
        for i, s in enumerate(samples())
    ]  # fmt: skip
    found = places(follow.pose(sample) for sample in moved)[:, 15]
    assert np.linalg.norm(found[29] - moved[29].readings["head"].position) < 0.02
    settled = 30 + int(HELD_S * 30) + 2
    assert np.linalg.norm(found[settled] - moved[settled].readings["head"].position) < 0.02


@pytest.mark.parametrize("hertz", [5, 1000])
def test_trackers_at_any_rate_are_followed(hertz: int) -> None:
    follow, skeleton = follower("dls"), body_skeleton()
    motion = Motion(clip().root_positions[:10], clip().rotations[:10], float(hertz))
    heard = list(simulated_samples(skeleton, motion, [str(role) for role in SIX_ROLES], begin_s=7.0))
    shown = [follow.pose(sample) for sample in heard]
    head = skeleton.index("head")
    missed = np.linalg.norm(places(shown)[-1, head] - heard[-1].readings["head"].position)
    assert missed < (0.02 if hertz > 100 else 0.1)


def test_of_several_samples_each_tracker_counts_by_what_it_said_last() -> None:
    one, two, three = (Reading(np.float32([i, 1, 0]), None) for i in range(3))
    said = [TrackerSample(0.0, {"a": one, "b": one}), TrackerSample(0.1, {"b": two}), TrackerSample(0.2, {"c": three})]
    assert merged(said) == TrackerSample(0.2, {"a": one, "b": two, "c": three})
    assert merged(said[:1]) is said[0]


def test_a_sample_that_comes_late_or_twice_does_no_harm() -> None:
    follow, heard = follower("dls"), samples()
    order = [0, 1, 2, 2, 1, 3, 4, 4, 0, 5]
    assert np.isfinite(places(follow.pose(heard[i]) for i in order)).all()


def test_what_is_not_used_is_not_asked_and_one_tracker_counts_for_a_joint() -> None:
    reading = Reading(np.float32([0, 1, 0]), np.eye(3, dtype=np.float32))
    attachments = {
        "a": Attachment("head", rotation=False),
        "b": Attachment("head"),
        "c": Attachment(""),
        "d": Attachment("pelvis", position=False),
    }
    readings = {"a": reading, "b": Reading(np.float32([5, 5, 5]), reading.rotation), "c": reading, "d": reading}
    asked = effectors_of(readings, attachments, Calibration())
    assert [(e.joint, e.kind) for e in asked] == [("head", "position"), ("head", "rotation"), ("pelvis", "rotation")]
    assert np.array_equal(asked[0].target, [0, 1, 0])


def test_a_mount_says_where_the_joint_is() -> None:
    turn = from_rotation_vector([0.0, np.pi / 2, 0.0])
    calibration = Calibration({"a": Mount(np.float32([0.1, 0, 0]), turn.astype(np.float32))}, scale=0.5)
    both = effectors_of(
        {"a": Reading(np.float32([2, 2, 2]), turn.astype(np.float32))}, {"a": Attachment("head")}, calibration
    )
    place, how = both
    assert isinstance(place, Position)
    assert isinstance(how, Rotation)
    assert np.allclose(place.target, [0.9, 1, 1], atol=1e-6)
    assert np.allclose(how.target, np.eye(3), atol=1e-6)
    (point,) = effectors_of({"a": Reading(np.float32([2, 2, 2]), None)}, {"a": Attachment("head")}, calibration)
    assert np.allclose(point.target, [1, 1, 1])
    assert np.allclose(point.offset, [0.1, 0, 0])  # type: ignore[attr-defined]


def test_a_tracker_that_misses_what_others_say_is_not_there_three_of_its_intervals_later() -> None:
    outliers, there = OutlierFilter(), []
    for i in range(40):
        said = {name: Reading(np.float32([0.001 * i, 1, 0]), None) for name in ("a", "b") if name == "a" or i < 20}
        there.append("b" in outliers.filtered(TrackerSample(i / 30, said)).readings)
    assert there == [i < 19 + 4 for i in range(40)]


def test_a_slow_tracker_among_fast_ones_is_there_between_its_samples() -> None:
    outliers = OutlierFilter()
    for i in range(240):
        said = {name: Reading(np.float32([0.001 * i, 1, 0]), None) for name in ("a", "b") if name == "a" or i % 12 == 0}
        assert "b" in outliers.filtered(TrackerSample(i / 60, said)).readings


def test_a_pause_of_all_trackers_makes_none_of_them_silent() -> None:
    outliers = OutlierFilter()
    for i in range(30):
        outliers.filtered(TrackerSample(i / 60, {name: Reading(np.float32([0, 1, 0]), None) for name in ("a", "b")}))
    assert "b" in outliers.filtered(TrackerSample(0.7, {"a": Reading(np.float32([0, 1, 0]), None)})).readings


@pytest.mark.sweep
@pytest.mark.parametrize("lost", ["pelvis", "head", "right_ankle"])
def test_nobody_is_held_back_by_a_silent_tracker_and_jumps_when_it_is_given_up(lost: str) -> None:
    motion = _walking_away()
    heard = [without(sample, lost) if 20 <= i < 60 else sample for i, sample in enumerate(samples(motion))]
    follow = follower("dls")
    found = places(follow.pose(sample) for sample in heard)
    true = places(motion.pose(frame) for frame in range(len(motion)))
    steps, own = (np.linalg.norm(np.diff(each, axis=0), axis=-1) for each in (found, true))
    assert (steps - own).max() < 0.08


def _walking_away() -> Motion:
    """The reaching one on a moving walkway, 4.5 m/s: at 30 frames a second 15 cm a frame."""
    still = clip()
    away = np.float32([0.0, 0.0, 0.15]) * np.arange(len(still), dtype=np.float32)[:, None]
    return Motion(still.root_positions + away, still.rotations, 30.0)


def _standing() -> Motion:
    """Nobody moves, for 90 frames."""
    one = clip().pose(0)
    return Motion(np.repeat(one.root_position[None], 90, axis=0), np.repeat(one.rotations[None], 90, axis=0), 30.0)


def _asked(pose: Pose) -> tuple[Effector, ...]:
    """What six trackers ask in a pose."""
    return effectors_of(simulated_sample(body_skeleton(), pose, list(WEAR), 0.0).readings, WEAR, Calibration())


def _turned(pose: Pose, degrees: float) -> Pose:
    """The pose turned about the vertical through its root."""
    rotations = np.array(pose.rotations)
    rotations[0] = from_rotation_vector([0.0, np.radians(degrees), 0.0]) @ rotations[0]
    return Pose(pose.root_position, rotations.astype(np.float32))
