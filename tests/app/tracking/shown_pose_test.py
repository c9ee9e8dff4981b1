"""What is shown of samples that come faster than a screen shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from document_samples import only
from sent_trackers import ID, SENSORS, WEAR, sent, walk

from app.document import edits
from app.document.model.figure import skeleton_of
from app.services.session import Session
from app.tracking.shown_pose import MOST_A_SECOND, ShownPose
from app.tracking.tracker_take import Wearing
from solver.body.body import BodyShape
from solver.kinematics.fk import forward_kinematics
from solver.trackers.attachment import UNCALIBRATED, Attachment, Calibration
from solver.trackers.sample import TrackerSample
from solver.trackers.sample_rates import SampleRates


@pytest.mark.parametrize("together", [1, 3])
def test_of_samples_that_wait_each_tracker_counts_by_what_it_said_last(session: Session, together: int) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    first, _, last = sent(session, walk())[:3]
    parts = [
        TrackerSample(last.time_s - 0.001 * (5 - number), {name: last.readings[name]})
        for number, name in enumerate(SENSORS)
    ]
    shown, who = ShownPose(), Wearing(only(session.document), WEAR, UNCALIBRATED)
    shown.hear([first])
    assert shown.due(first.time_s, lambda: who, None, SampleRates()) is not None
    for number in range(0, len(parts), together):
        shown.hear(parts[number : number + together])
    assert shown.due(first.time_s + 0.5 / MOST_A_SECOND, lambda: who, None, SampleRates()) is None, "too soon"
    found = shown.due(last.time_s, lambda: who, None, SampleRates())
    assert found is not None
    assert found.time_s == last.time_s
    skeleton = skeleton_of(only(session.document))
    joints = forward_kinematics(skeleton, found.pose).positions
    off = [joints[skeleton.index(name)] - last.readings[name].position for name in SENSORS]  # type: ignore[operator]
    assert np.linalg.norm(off, axis=1).max() < 0.01
    assert shown.due(last.time_s + 0.1, lambda: who, None, SampleRates()) is None, "nothing was said since"


CHANGES: dict[str, Callable[[Wearing], Wearing]] = {
    "nothing": replace,
    "who wears what": lambda who: replace(who, attachments={**WEAR, "head": Attachment("")}),
    "how it sits": lambda who: replace(who, calibration=Calibration(scale=0.9)),
    "the solver": lambda who: replace(who, character=replace(who.character, solver="smplik")),
    "the shape": lambda who: replace(who, character=replace(who.character, shape=BodyShape(gender="male"))),
}


@pytest.mark.parametrize("change", CHANGES)
def test_where_anything_has_changed_another_follower_goes_on_with_the_next_sample(
    session: Session, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    session.edit("Solver", edits.set_solver(ID, "dls"))
    made: list[Wearing] = []
    make = Wearing.follower
    monkeypatch.setattr(Wearing, "follower", lambda who, *rest: (made.append(who), make(who, *rest))[1])
    shown, before = ShownPose(), Wearing(only(session.document), WEAR, UNCALIBRATED)
    after = CHANGES[change](before)
    for number, sample in enumerate(sent(session, walk())[:4]):
        shown.hear([sample])
        who = before if number < 2 else after
        assert shown.due(sample.time_s, lambda who=who: who, None, SampleRates()) is not None  # type: ignore[misc]
    assert made == ([before] if change == "nothing" else [before, after])


def test_what_waited_is_forgotten_where_all_begins_anew(session: Session) -> None:
    shown, who = ShownPose(), Wearing(only(session.document), WEAR, UNCALIBRATED)
    shown.hear(sent(session, walk())[:1])
    shown.clear()
    assert shown.due(200.0, lambda: who, None, SampleRates()) is None
