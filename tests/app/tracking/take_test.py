"""A take is solved as it was recorded, whatever happens before somebody keeps it."""

from __future__ import annotations

import numpy as np
from sent_trackers import ID, WEAR, Sent, heads, recorded, run, walk
from window_hand import Clock, until

from app.document import edits
from app.document.posing.create import new_character, new_document
from app.services.background.jobs import Jobs
from app.services.session import Session
from app.tracking.tracking import GONE, Tracking
from solver.kinematics.pose import Motion
from solver.trackers.wear import Worn


def kept(session: Session, tracking: Tracking, jobs: Jobs, id: str = ID) -> Motion:
    assert tracking.keep()
    until(lambda: not jobs.busy)
    source = session.document.actor(id).clip.source
    assert source is not None
    return source.motion


def test_a_take_is_solved_by_what_was_worn_when_it_was_recorded(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, 2.1)
    tracking.stop()
    tracking.open(Sent([]), {})  # another source, that knows nothing of these trackers
    assert np.linalg.norm(heads(session, kept(session, tracking, jobs)) - heads(session, walk()), axis=1).max() < 0.02


def test_a_tracker_put_on_another_joint_after_its_take_counts_for_the_take(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, 2.1, {**WEAR, "head": Worn("")})
    tracking.stop()
    tracking.put_on("head", joint="head")
    assert np.linalg.norm(heads(session, kept(session, tracking, jobs)) - heads(session, walk()), axis=1).max() < 0.02


def test_a_take_stays_that_of_whoever_was_recorded(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    session.edit("Add", edits.add_character(new_character(session.document)))
    other = next(actor.id for actor in session.document.actors if actor.id != ID)
    session.select(ID)
    recorded(session, tracking, clock, 2.1)
    tracking.stop()
    session.select(other)
    assert tracking.follow()
    assert tracking.follows == other
    assert len(kept(session, tracking, jobs)) == 60
    assert session.document.actor(other).clip.source is None


def test_a_take_that_is_becoming_a_motion_is_none_in_another_scene(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    recorded(session, tracking, clock, 2.1)
    assert tracking.keep()
    session.open(new_document())  # whose person has the same id
    until(lambda: not jobs.busy)
    assert session.history.steps() == ()
    assert session.document.actor(ID).clip.source is None


def test_why_a_take_cannot_be_kept_is_said_and_it_waits_for_whoever_comes_back(
    session: Session, tracking: Tracking, jobs: Jobs, clock: Clock
) -> None:
    said: list[str] = []
    tracking.refused.connect(said.append)
    recorded(session, tracking, clock, 2.1)
    session.edit("Remove", edits.remove_character(ID))
    run(tracking, clock, 0.1)
    assert not tracking.keep()
    assert said == [GONE]
    session.undo()
    assert len(kept(session, tracking, jobs)) == 60


def test_a_take_that_is_given_up_while_it_is_recorded_ends_and_the_body_goes_on(
    session: Session, tracking: Tracking, clock: Clock
) -> None:
    recorded(session, tracking, clock, 0.5)
    tracking.drop()
    run(tracking, clock, 0.5)
    assert tracking.take is None
    assert not tracking.recording
    assert tracking.following
