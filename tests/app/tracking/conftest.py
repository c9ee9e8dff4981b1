"""Tracker mode without a window."""

from __future__ import annotations

import pytest
from sent_trackers import ID
from window_driver import Clock

from app.services.background.jobs import Jobs
from app.services.session import Session
from app.tracking.tracking import Tracking


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def jobs(qapp: object) -> Jobs:
    return Jobs()


@pytest.fixture
def tracking(session: Session, jobs: Jobs, clock: Clock) -> Tracking:
    session.select(ID)
    return Tracking(session, jobs, clock, automatic=False)
