"""A take is solved as it was recorded, whatever happens before somebody keeps it."""

from __future__ import annotations

from dataclasses import replace
from threading import Semaphore

import numpy as np
import pytest
from document_samples import only
from sent_trackers import FRAMES, ID, SENSORS, WALK_S, WEAR, Sent, heads, long_walk, recorded, run, sent, walk
from window_driver import Clock, until

from app.document import edits
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.create import new_character, new_document
from app.services.background.jobs import Jobs
from app.services.session import Session
from app.tracking import tracker_take
from app.tracking.tracker_take import MOST_FPS, STILL_FPS, TrackerTake, Wearing, solved_take
from app.tracking.tracking import ENDED, GONE, Tracking
from solver.body.floor import sole_heights
from solver.errors import PoserError
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.trackers.attachment import UNCALIBRATED, Attachment, Calibration
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.simulated_trackers import simulated_sample


def kept(session: Session, tracking: Tracking, jobs: Jobs, id: str = ID) -> Motion:
    assert tracking.keep()
    until(lambda: not jobs.busy)
    source = session.document.actor(id).clip.source
    assert source is not None
    return source.motion


@pytest.mark.slow
def test_a_take_is_solved_by_what_was_worn_when_it_was_recorded(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, WALK_S)
    tracking.stop()
    tracking.open(Sent([]), {})  # another source, that knows nothing of these trackers
    assert np.linalg.norm(heads(session, kept(session, tracking, jobs)) - heads(session, walk()), axis=1).max() < 0.02


def test_a_tracker_put_on_another_joint_after_its_take_counts_for_the_take(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, WALK_S, {**WEAR, "head": Attachment("")})
    tracking.stop()
    tracking.put_on("head", joint="head")
    assert np.linalg.norm(heads(session, kept(session, tracking, jobs)) - heads(session, walk()), axis=1).max() < 0.02


@pytest.mark.slow
def test_a_take_stays_that_of_the_person_recorded(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    session.edit("Add", edits.add_character(new_character(session.document)))
    other = next(actor.id for actor in session.document.actors if actor.id != ID)
    session.select(ID)
    recorded(session, tracking, clock, WALK_S)
    tracking.stop()
    session.select(other)
    assert tracking.follow()
    assert tracking.follows == other
    assert len(kept(session, tracking, jobs)) == FRAMES
    assert session.document.actor(other).clip.source is None


def test_a_take_that_is_becoming_a_motion_is_none_in_another_scene(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, WALK_S)
    assert tracking.keep()
    session.open(new_document())  # whose person has the same id
    until(lambda: not jobs.busy)
    assert session.history.steps() == ()
    assert session.document.actor(ID).clip.source is None


def kept_and_another(
    session: Session, tracking: Tracking, clock: Clock, length_s: float = WALK_S
) -> TrackerTake | None:
    """Keep a take and record another; the first."""
    recorded(session, tracking, clock, WALK_S)
    first = tracking.take
    assert tracking.keep()
    tracking.open(Sent(sent(session, walk(), clock.now_s + 0.005)), WEAR)
    assert tracking.record()
    if length_s:
        run(tracking, clock, length_s)
    return first


def two_kept(session: Session, tracking: Tracking, clock: Clock) -> None:
    """Keep two takes, the other before the first one is solved."""
    for _ in range(2):
        tracking.open(Sent(sent(session, walk(), clock.now_s + 0.005)), WEAR)
        assert tracking.record()
        run(tracking, clock, WALK_S)
        assert tracking.keep()


@pytest.mark.slow
def test_a_take_that_is_kept_while_another_is_solved_is_one_step_though_keep_is_pressed_again(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Semaphore(0)
    monkeypatch.setattr("app.tracking.tracking.solved_take", lambda *args: goes_on.acquire() and solved_take(*args))
    two_kept(session, tracking, clock)
    goes_on.release()
    until(lambda: session.history.steps() == ("Record trackers",))
    assert tracking.solving
    assert tracking.keep()
    goes_on.release(2)
    until(lambda: not jobs.busy)
    assert session.history.steps() == ("Record trackers", "Record trackers")
    assert tracking.take is None


@pytest.mark.slow
def test_none_of_two_takes_that_are_becoming_motions_is_one_in_another_scene(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    two_kept(session, tracking, clock)
    session.open(new_document())
    until(lambda: not jobs.busy)
    assert session.history.steps() == ()


@pytest.mark.slow
def test_a_take_that_is_cancelled_after_another_was_recorded_waits_behind_that_one(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Semaphore(0)
    monkeypatch.setattr("app.tracking.tracking.solved_take", lambda *args: goes_on.acquire() and solved_take(*args))
    first = kept_and_another(session, tracking, clock)
    jobs.cancel()
    goes_on.release(9)
    until(lambda: not jobs.busy)
    assert tracking.take is not first
    assert tracking.waiting_behind == [first]
    for steps, waiting in ((1, first), (2, None)):
        assert tracking.keep()
        until(lambda: not jobs.busy)
        assert session.history.steps() == ("Record trackers",) * steps
        assert tracking.take is tracking.unfinished is waiting


@pytest.mark.parametrize("how", ["discarded", "empty", "another scene"])
def test_a_take_behind_one_that_is_gone_is_there_again_unless_the_scene_is_another(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock, how: str
) -> None:
    first = kept_and_another(session, tracking, clock, 0.0 if how == "empty" else WALK_S)
    jobs.cancel()
    match how:
        case "discarded":
            tracking.drop()
        case "empty":
            tracking.stop()
        case _:
            session.open(new_document())
    until(lambda: not jobs.busy)
    assert tracking.unfinished is (None if how == "another scene" else first)


@pytest.mark.slow
def test_why_a_take_cannot_be_kept_is_said_and_it_waits_for_the_person_to_come_back(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    said: list[str] = []
    tracking.refused.connect(said.append)
    recorded(session, tracking, clock, WALK_S)
    session.edit("Remove", edits.remove_character(ID))
    run(tracking, clock, 0.1)
    assert not tracking.keep()
    assert said == [GONE]
    session.undo()
    assert len(kept(session, tracking, jobs)) == FRAMES


def test_a_take_that_is_given_up_while_it_is_recorded_ends_and_the_body_goes_on(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    recorded(session, tracking, clock, 0.5)
    tracking.drop()
    run(tracking, clock, 0.5)
    assert tracking.take is None
    assert not tracking.recording
    assert tracking.following


def ankles(session: Session, motion: Motion) -> np.ndarray:
    """(T, 2, 3) where the left ankle and the right one are."""
    skeleton = skeleton_of(only(session.document))
    both = [skeleton.index(name) for name in ("left_ankle", "right_ankle")]
    return np.array([forward_kinematics(skeleton, motion.pose(i)).positions[both] for i in range(len(motion))])


def test_a_tracker_that_is_heard_five_times_a_second_goes_smoothly_in_the_take(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    slow = [
        TrackerSample(s.time_s, {name: r for name, r in s.readings.items() if name != "left_ankle" or i % 6 == 0})
        for i, s in enumerate(sent(session, walk()))
    ]
    tracking.open(Sent(slow), WEAR)
    tracking.record()
    run(tracking, clock, WALK_S)
    found, true = (ankles(session, each)[: FRAMES - 5, 0] for each in (kept(session, tracking, jobs), walk()))
    steps, own = (np.linalg.norm(np.diff(each, axis=0), axis=-1) for each in (found, true))
    assert np.linalg.norm(found - true, axis=-1).max() < 0.1
    assert (steps - own).max() < 0.05


@pytest.mark.slow
def test_a_wearer_measured_again_because_trackers_changed_names_is_right_before_and_after(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    skeleton = skeleton_of(only(session.document))
    names = dict(zip(SENSORS, "abcdef", strict=True))
    exchanged = {**names, "left_ankle": names["right_ankle"], "right_ankle": names["left_ankle"]}
    samples = []
    for i in range(120):
        turns = np.array(rest_pose(skeleton).rotations)
        turns[skeleton.index("left_hip")] = from_rotation_vector([-0.1 * np.clip(i % 60 - 20, 0, 12), 0.0, 0.0])
        pose = Pose(rest_pose(skeleton).root_position, turns.astype(np.float32))
        called, readings = names if i < 60 else exchanged, simulated_sample(skeleton, pose, SENSORS, 0.0).readings
        samples.append(TrackerSample(100.005 + i / 30, {called[joint]: r for joint, r in readings.items()}))
    tracking.open(Sent(samples))
    clock.now_s = 100.5
    tracking.listen()
    assert tracking.calibrate()
    tracking.record()
    run(tracking, clock, 2.0)  # and stands in a T-pose again
    assert tracking.calibrate()
    run(tracking, clock, 1.6)
    motion = kept(session, tracking, jobs)
    higher = ankles(session, motion)[:, 0, 1] - ankles(session, motion)[:, 1, 1]
    assert (higher[20:44] > 0.3).all(), "before the trackers changed names the left foot was up"
    assert (higher[-25:] > 0.3).all(), "and so it is after it"
    assert tracking.calibration.stance == "T-pose"


@pytest.mark.slow
def test_what_ends_a_recording_is_said_and_the_take_waits(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    told: list[str] = []
    tracking.refused.connect(told.append)
    recorded(session, tracking, clock, WALK_S)
    tracking.open(Sent([]), {})
    assert told == [ENDED.format((FRAMES - 1) / 30)]
    assert not tracking.recording
    tracking.close()
    assert len(told) == 1, "nothing was recorded any more"
    assert len(kept(session, tracking, jobs)) == FRAMES


def test_a_wearer_measured_again_within_the_first_frame_of_a_take_is_recorded(session: Session) -> None:
    samples, actor = sent(session, walk()), only(session.document)
    fast = [TrackerSample(100.0 + i / 1000, sample.readings) for i, sample in enumerate(samples[:20])]
    who = Wearing(actor, WEAR, UNCALIBRATED)
    assert len(solved_take(fast, [(0, who), (1, who), (2, who)])) == len(solved_take(fast, [(0, who)]))


def test_a_take_of_slow_trackers_alone_is_a_smooth_motion_at_thirty_frames_a_second(session: Session) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    motion = solved_take(sent(session, long_walk())[::6], [(0, Wearing(only(session.document), WEAR, UNCALIBRATED))])
    assert (len(motion), motion.fps) == (55, 30.0)
    found, true = (ankles(session, each)[:55] for each in (motion, long_walk()))
    assert np.linalg.norm(found - true, axis=-1).max() < 0.1
    steps, own = (np.linalg.norm(np.diff(each, axis=0), axis=-1) for each in (found, true))
    assert (steps - own).max() < 0.05


def test_a_sample_for_no_later_time_is_left_out_and_a_full_take_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracker_take, "MAX_FRAMES", 2)
    take = TrackerTake()
    for time_s in (1.0, 1.0, 0.5):
        take.add(TrackerSample(time_s, {}))
    assert len(take) == 1
    take.add(TrackerSample(2.0, {}))
    assert take.length_s == 1.0
    with pytest.raises(PoserError, match="holds up to 2 samples"):
        take.add(TrackerSample(3.0, {}))


def test_the_rate_of_a_take_is_that_of_its_samples_though_it_paused_and_never_above_the_most(session: Session) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    who = [(0, Wearing(only(session.document), WEAR, UNCALIBRATED))]
    one = sent(session, walk())[0].readings
    paused = [TrackerSample(time_s, one) for time_s in (0.0, 0.025, 0.05, 3.05, 3.075, 3.1)]
    motion = solved_take(paused, who)
    assert (motion.fps, len(motion)) == (pytest.approx(40.0), 125)
    fast = [TrackerSample(i / 500, one) for i in range(26)]
    assert (solved_take(fast, who).fps, len(solved_take(fast, who))) == (MOST_FPS, 7)
    assert solved_take(paused[:1], who).fps == STILL_FPS


@pytest.mark.parametrize(
    ("rate", "count", "fps"),
    [(30.01, 60, 30.0), (89.95, 60, 90.0), (30.0, 8, 30.0), (26.3, 60, 26.3), (29.3, 60, 29.3)],
)
def test_a_take_whose_rate_is_a_whole_number_but_for_a_clock_or_jitter_has_that_rate(
    session: Session, rate: float, count: int, fps: float
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    one, jitter = sent(session, walk())[0].readings, np.random.default_rng(3).uniform(-2e-3, 2e-3, count)
    samples = [TrackerSample(i / rate + float(jitter[i]), one) for i in range(count)]
    found = solved_take(samples, [(0, Wearing(only(session.document), WEAR, UNCALIBRATED))])
    assert (found.fps, len(found)) == (pytest.approx(fps, rel=0.003), count)
    assert not fps.is_integer() or found.fps == fps


@pytest.mark.parametrize("whole", [30.0, 60.0, 120.0])
def test_a_long_take_at_a_rate_of_television_keeps_it(whole: float) -> None:
    quick = 1.00002  # the sender's clock
    samples = [TrackerSample(i * 1.001 / (whole * quick), {}) for i in range(1000)]
    assert tracker_take._rate(samples) == (pytest.approx(whole * quick / 1.001, rel=1e-6), False)


def test_a_take_that_lasts_too_long_for_its_rate_is_thinned_until_it_fits(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    monkeypatch.setattr(tracker_take, "MAX_FRAMES", 11)
    samples = sent(session, walk())[:31]
    motion = solved_take(samples, [(0, Wearing(only(session.document), WEAR, UNCALIBRATED))])
    assert (motion.fps, len(motion)) == (pytest.approx(10.0), 11)


def test_parts_of_a_take_begin_where_the_wearer_is_measured_again_after_more_samples() -> None:
    take, first, second, third = TrackerTake(), Calibration(), Calibration(), Calibration()
    take.add(TrackerSample(0.0, {}))
    for measured in (UNCALIBRATED, first):
        take.follow(WEAR, measured)
        assert [(part.first, part.calibration) for part in take.parts] == [(0, measured)]
    take.add(TrackerSample(1.0, {}))
    for measured in (second, third):
        take.follow(WEAR, measured)
        assert [(part.first, part.calibration) for part in take.parts] == [(0, first), (2, measured)]


def test_a_tracker_that_is_none_of_the_take_is_not_put_on_in_it() -> None:
    take = TrackerTake()
    take.follow({"a": Attachment("head")}, UNCALIBRATED)
    take.put_on({"a": Attachment("pelvis"), "stranger": Attachment("head")})
    assert take.parts[-1].attachments == {"a": Attachment("pelvis")}


def test_readings_of_slow_trackers_count_for_when_they_were_said_and_not_for_the_nearest_frame(
    session: Session,
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    one, speed = sent(session, walk())[0].readings, np.float32([0.0, 0.0, 1.5])
    samples = [
        TrackerSample(time_s, {n: Reading(r.position + time_s * speed, r.rotation) for n, r in one.items()})
        for time_s in (0.0, 0.215, 0.415, 0.585, 0.815, 1.0)
    ]
    motion = solved_take(samples, [(0, Wearing(only(session.document), WEAR, UNCALIBRATED))])
    steps = np.diff(motion.root_positions[3:-3, 2])
    assert steps == pytest.approx(1.5 / 30, abs=0.004)


def test_a_wearer_taking_all_trackers_off_while_recording_stays_where_they_were(session: Session) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    away = np.float32([5.0, 0.0, 0.0])
    samples = [
        TrackerSample(s.time_s, {n: Reading(r.position + away, r.rotation) for n, r in s.readings.items()})
        for s in sent(session, walk())[:8]
    ]
    on = Wearing(only(session.document), WEAR, UNCALIBRATED)
    motion = solved_take(samples, [(0, on), (4, Wearing(on.character, {}, UNCALIBRATED))])
    assert motion.root_positions[4:] == pytest.approx(np.tile(motion.root_positions[3], (4, 1)), abs=1e-5)
    assert motion.root_positions[3, 0] > 4.0


def test_a_person_who_is_given_another_height_while_their_take_is_solved_walks_on_the_floor(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, WALK_S)
    assert tracking.keep()
    tall = replace(only(session.document).shape, betas=np.float32([-3, *[0] * 9]))
    session.edit("Height", edits.set_shape(ID, tall))
    until(lambda: not jobs.busy)
    assert session.history.steps() == ("Height", "Record trackers")
    assert only(session.document).shape == tall
    walked = [only(session.document.at_frame(ID, frame)) for frame in range(FRAMES)]
    roots, turns = np.stack([c.pose.root_position for c in walked]), np.stack([c.pose.rotations for c in walked])
    soles = sole_heights(body_of(walked[0]), tall, roots, turns)
    assert np.abs(soles).max() < 0.02
