"""Tracker mode beside the history: every sample is taken in, the newest is shown, and a take is one step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from document_samples import given_effectors, only
from motion_samples import look_at_frame, strolling
from sent_trackers import FRAMES, ID, SENSORS, WALK_S, WEAR, Sent, heads, recorded, run, sent, walk
from window_driver import Clock, until

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.posing.create import new_document
from app.services.background.jobs import Jobs
from app.services.session import Session
from app.tracking.heard_trackers import MOST_TRACKERS
from app.tracking.latency import WINDOW_S, Latency
from app.tracking.played_trackers import PlayedTrackers, begun_at, read_motion
from app.tracking.tracker_take import MOST_FPS, TrackerTake, Wearing, solved_take
from app.tracking.tracking import SILENT, Tracking
from solver.errors import PoserError
from solver.formats.bvh.read import read_bvh, to_motion
from solver.formats.bvh.write import write_bvh
from solver.ik.options import PROPOSAL_ALONE
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion
from solver.solvers.catalog import FLOOR, ROOM
from solver.trackers.attachment import UNCALIBRATED, Attachment
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.sample_rates import SampleRates
from solver.trackers.stances import stances


@cache
def half_a_second_at_1_khz() -> Motion:
    motion = strolling(2000)
    return Motion(motion.root_positions[:500], motion.rotations[:500], 1000.0)


@pytest.mark.sweep("skelik")
@pytest.mark.parametrize("solver", ["smplik", "dls", "skelik", "dragposer"])
def test_a_take_holds_every_sample_and_becomes_the_clip_in_one_step(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock, solver: str
) -> None:
    session.edit("Solver", edits.set_solver(ID, solver))
    session.history.mark_saved()
    before, steps = session.history.document, session.history.steps()
    tracking.open(Sent(sent(session, walk())), WEAR)
    assert tracking.record()
    run(tracking, clock, WALK_S)
    assert session.history.document is before
    assert tracking.take is not None
    assert len(tracking.take) == FRAMES
    shown = session.shown.character(ID)
    head = forward_kinematics(skeleton_of(shown), shown.pose).positions[15]
    assert np.linalg.norm(head - heads(session, walk())[-1]) < 0.02
    assert tracking.keep()
    until(lambda: not jobs.busy)
    assert session.history.steps() == (*steps, "Record trackers")
    source = session.document.actor(ID).clip.source
    assert source is not None
    assert (len(source.motion), source.motion.fps) == (FRAMES, pytest.approx(30.0))
    assert np.linalg.norm(heads(session, source.motion) - heads(session, walk()), axis=1).max() < 0.02
    assert tracking.take is None
    session.undo()
    assert session.document == before.at(session.view.frames)


@pytest.mark.slow
def test_what_was_recorded_can_be_edited_and_written(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock, tmp_path: Path
) -> None:
    recorded(session, tracking, clock, WALK_S)
    tracking.keep()
    until(lambda: not jobs.busy)
    look_at_frame(session, ID, 30)
    hand = next(e for e in only(session.document).effectors if e.joint == "left_wrist")
    moved = [hand.at_pose(skeleton_of(only(session.document)), forward_kinematics(skeleton_of(only(session.document)),
             only(session.document).pose))]  # fmt: skip
    session.edit("Hold", given_effectors(ID, moved), solve=True)
    assert [key.frame for key in session.document.actor(ID).clip.keys][-1] == 30
    source = session.document.actor(ID).clip.source
    assert source is not None
    write_bvh(tmp_path / "take.bvh", skeleton_of(only(session.document)), source.motion)
    again, _ = to_motion(read_bvh(tmp_path / "take.bvh"), skeleton_of(only(session.document)))
    assert len(again) == FRAMES


@pytest.mark.slow
def test_a_fast_sender_is_heard_in_full_and_shown_sixty_times_a_second(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    tracking.open(Sent(sent(session, half_a_second_at_1_khz())), WEAR)
    tracking.record()
    counts = run(tracking, clock, 0.52, step_s=1 / 200)
    assert tracking.take is not None
    assert len(tracking.take) == 500
    assert sum(counts) <= 32
    newest = session.shown.character(ID)
    head = forward_kinematics(skeleton_of(newest), newest.pose).positions[15]
    assert np.linalg.norm(head - heads(session, half_a_second_at_1_khz())[-1]) < 0.2


def test_a_take_of_a_fast_sender_is_thinned_to_a_rate_that_can_be_edited(session: Session) -> None:
    samples = sent(session, half_a_second_at_1_khz())
    motion = solved_take(samples, [(0, Wearing(only(session.document), WEAR, UNCALIBRATED))])
    assert motion.fps == MOST_FPS
    assert len(motion) == 61
    assert np.linalg.norm(heads(session, motion)[-1] - heads(session, half_a_second_at_1_khz())[-1]) < 0.05


def test_a_take_of_one_sample_and_one_with_a_gap_are_motions_too(session: Session) -> None:
    samples = sent(session, walk())
    who = [(0, Wearing(only(session.document), WEAR, UNCALIBRATED))]
    assert len(solved_take(samples[:1], who)) == 1
    gap = [*samples[:10], *samples[26:]]
    motion = solved_take(gap, who)
    assert (len(motion), motion.fps) == (len(samples), pytest.approx(30.0)), "a pause makes nobody slower"
    assert np.isfinite(heads(session, motion)).all()


@pytest.mark.slow
def test_a_cancelled_take_is_still_there_to_be_kept(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, WALK_S)
    tracking.keep()
    jobs.cancel()
    until(lambda: not jobs.busy)
    assert "Record trackers" not in session.history.steps()
    assert tracking.take is not None
    assert tracking.keep()
    until(lambda: not jobs.busy)
    assert session.history.steps()[-1] == "Record trackers"


def test_nothing_is_kept_of_a_take_that_is_empty_or_of_somebody_who_left(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    assert not tracking.keep()
    recorded(session, tracking, clock, 0.2)
    session.edit("Remove", edits.remove_character(ID))
    run(tracking, clock, 0.1)
    assert not tracking.following
    assert not tracking.keep()


def test_another_scene_ends_it_all(session: Session, tracking: Tracking, clock: Clock) -> None:
    recorded(session, tracking, clock, 0.2)
    session.open(new_document())
    assert not tracking.following
    assert tracking.take is None


def test_what_cannot_be_done_is_said(session: Session, tracking: Tracking) -> None:
    said: list[str] = []
    tracking.refused.connect(said.append)
    assert not tracking.follow()
    assert not tracking.calibrate()
    session.edit("Remove", edits.remove_character(ID))
    assert not tracking.record()
    assert said[:2] == [SILENT, SILENT]
    assert "Add a person" in said[2]


def test_trackers_are_listed_as_they_are_heard_and_silent_after_a_moment(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    here = Reading(np.float32([0, 1, 0]), None)
    source = Sent([TrackerSample(100.0, {"head": here}), TrackerSample(100.1, {"head": here, "LHR-7": here})])
    tracking.open(source)
    assert tracking.attachments == {"head": Attachment("head")}
    clock.now_s = 100.1
    tracking.listen()
    assert tracking.attachments == {"head": Attachment("head"), "LHR-7": Attachment("")}
    assert tracking.is_heard("head")
    clock.now_s = 100.5  # the window was busy: nobody has listened since
    assert tracking.is_heard("head")
    tracking.listen()
    assert not tracking.is_heard("head")
    assert set(tracking.now_heard().readings) == {"head", "LHR-7"}, "who stands still says the same a moment ago"
    clock.now_s = 101.2
    tracking.listen()
    assert tracking.now_heard().readings == {}
    tracking.close()
    assert source.stopped


def test_a_sender_that_makes_up_names_fills_no_memory(
    tracking: Tracking, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, told = Reading(np.float32([0, 1, 0]), None), set[str]()
    monkeypatch.setattr(SampleRates, "add_sample", lambda _rates, sample: told.update(sample.readings))
    tracking.open(Sent([TrackerSample(100.0, {f"{i}": here}) for i in range(500)]))
    assert len(tracking.attachments) == len(told) == MOST_TRACKERS


def test_calibrating_puts_trackers_on_joints_but_for_those_chosen_by_hand(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    skeleton = skeleton_of(only(session.document))
    world = stances(skeleton)[0].world
    names = dict(zip(["a", "b", "c", "d", "e", "f"], SENSORS, strict=True))
    index = {name: skeleton.index(joint) for name, joint in names.items()}
    readings = {name: Reading(world.positions[j], world.rotations[j]) for name, j in index.items()}
    tracking.open(Sent([TrackerSample(100.0, readings)]))
    tracking.put_on("a", joint="spine1", rotation=False)
    assert tracking.calibrate()
    assert {name: each.joint for name, each in tracking.attachments.items()} == {**names, "a": "spine1"}
    assert tracking.attachments["a"] == Attachment("spine1", rotation=False)
    assert tracking.calibration.stance == "T-pose"


def standing(session: Session, names: Sequence[str]) -> dict[str, Reading]:
    """What trackers of these names say, on the joints of SENSORS, while the wearer stands in a T-pose."""
    skeleton = skeleton_of(only(session.document))
    world = stances(skeleton)[0].world
    index = dict(zip(names, map(skeleton.index, SENSORS), strict=True))
    return {name: Reading(world.positions[j], world.rotations[j]) for name, j in index.items()}


def test_a_tracker_that_drops_out_for_a_moment_is_measured_as_it_was(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    names = ["a", "head", "c", "d", "e", "f"]
    everybody = standing(session, names)
    without = {name: reading for name, reading in everybody.items() if name not in ("head", "c")}
    tracking.open(Sent([TrackerSample(100.0, everybody), TrackerSample(100.6, without)]))
    clock.now_s = 100.6
    tracking.listen()
    assert not tracking.is_heard("head")
    assert tracking.calibrate()
    assert {name: each.joint for name, each in tracking.attachments.items()} == dict(zip(names, SENSORS, strict=True))
    assert set(tracking.calibration.mounts) == set(names)


def test_nobody_is_measured_by_a_hand_while_the_heads_tracker_is_silent(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    said: list[str] = []
    tracking.refused.connect(said.append)
    names = ["a", "head", "c", "d", "e", "f"]
    everybody = standing(session, names)
    without = {name: reading for name, reading in everybody.items() if name != "head"}
    tracking.open(Sent([TrackerSample(100.0, everybody), TrackerSample(102.0, without)]))
    clock.now_s = 102.0
    tracking.listen()
    assert not tracking.calibrate()
    assert said == ["“head” on the head is silent. Calibrate again once it is heard, or put it on no joint."]
    assert tracking.attachments["head"] == Attachment("head")
    assert tracking.calibration is UNCALIBRATED
    tracking.put_on("head", joint="")
    assert tracking.calibrate(), "whoever has no tracker on the head any more is measured as before"


@pytest.mark.parametrize("by_hand", [False, True])
def test_one_that_has_long_been_silent_leaves_its_joint_to_one_that_is_heard_unless_it_was_put_there(
    session: Session, tracking: Tracking, clock: Clock, by_hand: bool
) -> None:
    names = ["a", "head", "c", "d", "e", "f"]
    everybody = standing(session, names)
    old = {"left_wrist": everybody["c"]}
    tracking.open(Sent([TrackerSample(100.0, old), TrackerSample(102.0, everybody)]))
    if by_hand:
        tracking.put_on("left_wrist", joint="left_wrist")
    clock.now_s = 102.0
    tracking.listen()
    assert tracking.calibrate()
    assert tracking.attachments["left_wrist"].joint == ("left_wrist" if by_hand else "")
    assert tracking.attachments["c"].joint == ("" if by_hand else "left_wrist")


def test_a_change_while_somebody_follows_counts_from_the_next_sample_on(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    tracking.open(Sent(sent(session, walk())), WEAR)
    tracking.follow()
    run(tracking, clock, 0.5)
    shown = session.shown.character(ID)
    tracking.put_on("left_wrist", joint="")
    session.edit("Solver", edits.set_solver(ID, "dls"))
    run(tracking, clock, 1 / 30)
    moved = [forward_kinematics(skeleton_of(c), c.pose).positions for c in (shown, session.shown.character(ID))]
    assert np.linalg.norm(moved[1] - moved[0], axis=1).max() > 0
    assert np.isfinite(moved[1]).all()


@pytest.mark.slow
def test_an_option_that_is_set_meanwhile_counts_and_the_room_stays_where_following_began(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dragposer"))
    session.edit("Alone", edits.set_solver_option(ID, PROPOSAL_ALONE.id, True))
    still = strolling(60)
    began = still.root_positions[0].copy()
    away = still.root_positions + np.linspace(0, 1.5, len(still))[:, None] * np.float32([1, 0, 0])
    tracking.open(Sent(sent(session, Motion(away, still.rotations, still.fps))), WEAR)
    tracking.follow()

    def beyond() -> float:
        shown = session.shown.character(ID)
        places = forward_kinematics(skeleton_of(shown), shown.pose).positions
        return float(np.abs(places - began)[:, [0, 2]].max())

    run(tracking, clock, 0.5)
    assert 0.5 < beyond() < 0.8
    session.edit("Room", edits.set_solver_option(ID, ROOM.id, 0.8))
    run(tracking, clock, 0.6)
    assert beyond() < 0.95, "trackers are 1.2 m away by now, and pull"
    session.edit("Floor", edits.set_solver_option(ID, FLOOR.id, True))
    run(tracking, clock, 0.4)
    assert beyond() < 0.95, "the room has not moved along"
    session.edit("No room", edits.set_solver_option(ID, ROOM.id, 0.0))
    run(tracking, clock, 0.4)
    assert beyond() > 1.3


def test_a_full_take_says_so_and_is_there_to_be_kept(
    session: Session, tracking: Tracking, clock: Clock, monkeypatch: pytest.MonkeyPatch, qapp: object
) -> None:
    monkeypatch.setattr("app.tracking.tracker_take.MAX_FRAMES", 5)
    said: list[str] = []
    tracking.refused.connect(said.append)
    recorded(session, tracking, clock, 0.5)
    until(lambda: not tracking.following)
    assert "A take holds up to 5 samples" in said[0]
    assert tracking.take is not None
    assert len(tracking.take) == 5


def test_a_sample_that_comes_again_is_recorded_once() -> None:
    take = TrackerTake()
    for time_s in (0.0, 0.1, 0.1, 0.05, 0.2):
        take.add(TrackerSample(time_s, {}))
    assert [sample.time_s for sample in take.samples] == [0.0, 0.1, 0.2]
    assert take.length_s == pytest.approx(0.2)
    with pytest.raises(IndexError):
        solved_take([], [])
    assert issubclass(PoserError, Exception)


def test_a_played_motion_begins_where_one_stands_and_goes_round(session: Session) -> None:
    skeleton = skeleton_of(only(session.document))
    far = strolling(10)
    far = Motion(far.root_positions + np.float32([50, 0, -9]), far.rotations, far.fps)
    motion = begun_at(far, np.float32([1, 5, 2]))
    assert np.allclose(motion.root_positions[0, [0, 2]], [1, 2], atol=1e-4)
    source = PlayedTrackers(skeleton, motion, ["head"], begin_s=7.0)
    first, second = source.due(7.0), source.due(7.0 + 12 / 30)
    assert [len(first), len(second)] == [1, 10]
    assert [round(30 * (sample.time_s - 7.0)) for sample in second] == list(range(3, 13))
    assert np.array_equal(second[7].readings["head"].position, first[0].readings["head"].position)
    assert source.due(7.0 + 12 / 30) == []


def test_of_a_file_with_two_people_below_one_root_the_first_is_played(session: Session, tmp_path: Path) -> None:
    skeleton = skeleton_of(only(session.document))
    first = strolling(4)
    other = Motion(first.root_positions + np.float32([2, 0, 0]), first.rotations[::-1], first.fps)
    trees, frames = [], []
    for place, motion in enumerate((first, other)):
        write_bvh(tmp_path / f"{place}.bvh", skeleton, motion)
        head, _, rows = (tmp_path / f"{place}.bvh").read_text(encoding="utf-8").partition("MOTION")
        trees.append(head.removeprefix("HIERARCHY").replace("ROOT", "JOINT"))
        frames.append(rows.strip().splitlines())
    rows = [*frames[0][:2], *(f"{a} {b}" for a, b in zip(frames[0][2:], frames[1][2:], strict=True))]
    text = "HIERARCHY\nROOT scene\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + "".join(trees) + "}\nMOTION\n" + "\n".join(rows)
    (tmp_path / "two.bvh").write_text(text + "\n", encoding="utf-8")
    played = read_motion(tmp_path / "two.bvh", skeleton)
    assert np.abs(played.root_positions - first.root_positions).max() < 1e-3
    assert np.abs(played.rotations - first.rotations).max() < 1e-3


def test_latency_is_that_of_the_last_two_seconds() -> None:
    latency = Latency()
    assert latency.delay(0.0) is None
    for i in range(100):
        latency.shown(i * 0.1)
        latency.painted(i * 0.1 + (0.5 if i < 50 else 0.02))
        latency.painted(i * 0.1 + 9.0)  # a picture without a new sample
    delay = latency.delay(9.95)
    assert delay is not None
    assert delay.median_s == pytest.approx(0.02)
    assert delay.p95_s == pytest.approx(0.02)
    assert latency.delay(9.95 + WINDOW_S + 0.1) is None
