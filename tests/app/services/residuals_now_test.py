"""What is known of how well effectors are met is found out when it is asked for, of whoever is active."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from window_driver import until

from app.document import edits
from app.document.model.document import Character
from app.document.posing.create import new_character, new_document
from app.services.session import Session
from app.services.solve_service import SolveService
from solver.effectors.kinds import Position
from solver.effectors.sources import JointSource
from solver.ik.memory import Memory
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Pose


def lifted(character: Character, metres: float) -> Pose:
    return Pose(character.pose.root_position + np.float32([0, metres, 0]), character.pose.rotations)


def tied(session: Session) -> Character:
    """A second person, active, a hand of whom is asked to be where a hand of the first one is now."""
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    session.open(document)
    session.select("c2")
    active = session.active
    assert active is not None
    at = next(e.target for e in active.effectors if e.joint == "left_wrist" and isinstance(e, Position))
    tie = Position("left_wrist", at, id="tie", source=JointSource("c1", "left_wrist"))
    session.edit("Tie", edits.add_effector("c2", tie))
    return active


def test_a_person_following_a_streamed_one_is_measured_by_the_pose_that_shows(session: Session) -> None:
    tied(session)
    before = session.finding.residuals[-1].value
    first = session.document.characters[0]
    session.show_live("c1", lifted(first, 0.5))
    assert session.finding.residuals[-1].value == pytest.approx(np.hypot(before, 0.5), abs=0.02)
    session.show_live("c1", None)
    assert session.finding.residuals[-1].value == pytest.approx(before, abs=1e-6)


def test_nothing_is_said_of_the_effectors_of_somebody_whom_a_stream_poses(session: Session) -> None:
    active = session.active
    assert active is not None
    assert "met" in {residual.state for residual in session.finding.residuals}
    session.show_live(active.id, lifted(active, 0.5))
    assert {residual.state for residual in session.finding.residuals} == {"", "disabled"}
    assert session.unexplained_character is None
    session.show_live(active.id, None)
    assert "met" in {residual.state for residual in session.finding.residuals}


def test_nothing_is_measured_before_the_solver_is_ready_and_the_window_is_told_when_it_is(
    qapp: object, compiled_solver: None, no_leaked_threads: None
) -> None:
    service = SolveService(prepare=lambda: None)
    session, told = Session(service), []
    session.open(new_document())
    session.changed.connect(lambda: told.append(service.awake))
    assert {residual.state for residual in session.finding.residuals} == {"", "disabled"}
    service.start()
    until(lambda: bool(told))
    assert told == [True]
    assert {residual.state for residual in session.finding.residuals} == {"met", "disabled"}
    service.stop()


def test_after_a_solve_that_failed_it_is_told_how_far_the_handle_is_from_the_body(
    qapp: object, compiled_solver: None, no_leaked_threads: None
) -> None:
    def fails(character: Character, memory: Memory) -> IKSolution:
        raise RuntimeError("no luck")

    service = SolveService(fails)
    session = Session(service)
    session.open(new_document())
    service.start()
    active = session.active
    assert active is not None
    ankle = next(e for e in active.effectors if e.joint == "left_ankle" and isinstance(e, Position))
    target = ankle.target + np.float32([0, 0.3, 0])
    session.edit("Move", edits.set_target("c1", ankle.id, target), solve=True)
    assert service.wait(60)
    session.apply_results()
    assert session.finding.residuals[active.effectors.index(ankle)].value == pytest.approx(0.3, abs=1e-4)
    service.stop()
