"""Trackers that all have other names than before, as after their sender was started again, are calibrated anew."""

from __future__ import annotations

import pytest
from document_samples import only
from sent_trackers import SENSORS, Sent
from window_driver import Clock

from app.document.model.figure import skeleton_of
from app.services.session import Session
from app.tracking.heard_trackers import MOST_TRACKERS
from app.tracking.tracking import Tracking
from app.window.controls.tracker_texts import calibration_text
from solver.kinematics.pose import rest_pose
from solver.trackers.sample import TrackerSample
from solver.trackers.simulated_trackers import simulated_sample


@pytest.mark.parametrize("by_hand", [False, True])
def test_nobody_waits_for_trackers_that_are_gone_if_all_are(
    session: Session, tracking: Tracking, clock: Clock, by_hand: bool
) -> None:
    skeleton = skeleton_of(only(session.document))
    readings = simulated_sample(skeleton, rest_pose(skeleton), SENSORS, 0.0).readings.values()
    old, new = ([f"{name}{number}" for number in range(len(SENSORS))] for name in ("old", "new"))
    tracking.open(Sent([TrackerSample(100.0, dict(zip(old, readings, strict=True))),
                        TrackerSample(110.0, dict(zip(new, readings, strict=True)))]))  # fmt: skip
    assert tracking.calibrate()
    if by_hand:
        tracking.put_on("old0", joint="pelvis", rotation=False)
    clock.now_s = 110.0
    tracking.listen()
    assert tracking.calibrate(), "the head's old tracker will never be heard again"
    assert {name: each.joint for name, each in tracking.attachments.items()} == dict(zip(new, SENSORS, strict=True))


def test_a_sender_that_is_started_again_and_again_fills_no_list(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    skeleton = skeleton_of(only(session.document))
    readings = simulated_sample(skeleton, rest_pose(skeleton), SENSORS, 0.0).readings.values()
    rounds = [[f"{number}:{joint}" for joint in SENSORS] for number in range(MOST_TRACKERS // len(SENSORS) + 2)]
    tracking.open(Sent([TrackerSample(100.0 + 10.0 * number, dict(zip(names, readings, strict=True)))
                        for number, names in enumerate(rounds)]))  # fmt: skip
    for number, names in enumerate(rounds):
        clock.now_s = 100.0 + 10.0 * number
        tracking.listen()
        assert tracking.calibrate()
        assert {name: each.joint for name, each in tracking.attachments.items()} == dict(
            zip(names, SENSORS, strict=True)
        )


def test_a_tracker_that_was_on_no_joint_before_another_fell_silent_has_no_new_name(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    skeleton = skeleton_of(only(session.document))
    readings = simulated_sample(skeleton, rest_pose(skeleton), SENSORS, 0.0).readings
    spare = {"spare": readings["head"]}
    rest = {name: each for name, each in readings.items() if name != "head"}
    tracking.open(Sent([TrackerSample(100.0, {**readings, **spare}), TrackerSample(101.0, {**rest, **spare}),
                        TrackerSample(102.0, {**rest, **spare, "new": readings["head"]})]))  # fmt: skip
    assert tracking.calibrate()
    tracking.put_on("spare", joint="")
    tracking.put_on("head", joint="head")
    clock.now_s = 101.0
    tracking.listen()
    assert not tracking.is_heard("head")
    assert tracking.newcomers() == 0
    clock.now_s = 102.0
    tracking.listen()
    assert tracking.newcomers() == 1


def test_before_the_calibration_it_is_said_that_it_finds_the_joints_and_heeds_sides_in_names(
    session: Session, tracking: Tracking
) -> None:
    skeleton = skeleton_of(only(session.document))
    readings = simulated_sample(skeleton, rest_pose(skeleton), SENSORS, 0.0).readings
    renamed = {"head": "Headset", "left_wrist": "Left controller", "right_wrist": "Right controller"}
    told = {renamed.get(name, name): each for name, each in readings.items()}
    tracking.open(Sent([TrackerSample(100.0, told)]))
    said = "3 trackers are on no joint yet. Calibrate finds the joints, by their places and by “left” or “right” in "
    assert calibration_text(tracking, None) == said + "their names."
    assert not calibration_text(tracking, None, received=False), "nothing is calibrated in a file"
    for name in ("Left controller", "Right controller"):
        tracking.put_on(name, joint="left_elbow")
        tracking.put_on(name, joint="")
    assert calibration_text(tracking, None).startswith(
        "1 tracker is on no joint yet. Calibrate finds the joint, by its"
    )
    assert tracking.calibrate()
    assert tracking.attachments["Headset"].joint == "head"
    assert "no joint yet" not in calibration_text(tracking, None)


def test_a_tracker_that_came_after_the_calibration_is_called_as_in_its_row_and_asks_to_calibrate_again_at_once(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    skeleton = skeleton_of(only(session.document))
    readings = simulated_sample(skeleton, rest_pose(skeleton), SENSORS, 0.0).readings
    late = "left_wrist"
    rest = {name: each for name, each in readings.items() if name != late}
    tracking.open(Sent([TrackerSample(100.0, rest), TrackerSample(101.0, readings)]))
    assert tracking.calibrate()
    assert "silent then" not in calibration_text(tracking, None)
    clock.now_s = 101.0
    tracking.listen()
    assert calibration_text(tracking, None).endswith(" “Left wrist” was silent then: calibrate again.")
    clock.now_s = 105.0
    tracking.listen()
    assert calibration_text(tracking, None).endswith(" was silent then: calibrate again once it is heard.")
