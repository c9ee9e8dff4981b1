"""What solvers found out stands beside the document: found again for the pose that it is about, and for no other."""

from __future__ import annotations

from dataclasses import fields, replace
from unittest.mock import patch

import numpy as np
import pytest
from window_driver import settled

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing import findings as kept
from app.document.posing.create import new_document
from app.document.posing.findings import Finding, Findings
from app.document.posing.solving import solution_of, with_solution
from app.services.session import Session
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.contact import Contact
from solver.ik.memory import FRESH, AtPose, ChosenPose, DragStart, Memory, SettledMemory, SolverMemory, WarmStart
from solver.ik.problem import Residual
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Pose, rest_pose

REST = rest_pose(load_body("anny").skeleton(BodyShape()))
SOME, HERE, THERE = AtPose(REST), ChosenPose(REST, ()), SolverMemory("dls", WarmStart(REST))


@pytest.fixture
def character() -> Character:
    return new_document().characters[0]


def solution(character: Character, state: str = "met", memory: Memory = SOME) -> IKSolution:
    return IKSolution(character.pose, memory, tuple(Residual(0.0, state) for _ in character.effectors), 1, 0.002)


def lifted(character: Character, metres: float = 0.1) -> Character:
    pose = character.pose
    return replace(character, pose=Pose(pose.root_position + np.float32([0, metres, 0]), pose.rotations))


def touched(character: Character) -> Character:
    first, *others = character.effectors
    return replace(character, effectors=(replace(first, tolerance=0.5, loose=False), *others))


def has_residuals(findings: Findings, character: Character) -> bool:
    """Whether the residuals are those of the character as it is, so that nothing would be measured anew."""
    with patch.object(kept, "residuals_of", return_value=()) as measured:
        findings.known().ensure_residuals(character)
    return not measured.called


def test_a_character_says_nothing_of_what_a_solver_found_out() -> None:
    names = {field.name for field in fields(Character)}
    assert names.isdisjoint({"residuals", "solver_state", "memory", "elapsed_s", "reasons"})


def test_nothing_is_known_of_a_character_that_nobody_solved(character: Character) -> None:
    finding = Findings().of(character)
    assert finding == Finding(finding.residuals, reasons=(None,) * len(character.effectors))
    assert [r.state for r in finding.residuals] == ["" if e.is_active else "disabled" for e in character.effectors]


def test_whoever_is_taken_along_goes_on_from_there_and_is_met_as_told(character: Character) -> None:
    findings, there = Findings(), lifted(character)
    met = tuple(Residual(0.0, "met") for _ in there.effectors)
    findings.carry_on(there, there, met)
    assert findings.of(there).residuals == met
    assert findings.of(there).memory == ChosenPose(there.pose, there.effectors)


def test_a_pose_that_comes_back_brings_back_what_was_known(character: Character) -> None:
    findings, there = Findings(), lifted(character)
    findings.keep(character, solution(character, memory=HERE))
    findings.keep(there, solution(there, "unreachable", memory=THERE))
    assert findings.of(there).memory == THERE
    assert findings.of(character).memory == HERE
    assert {r.state for r in findings.of(character).residuals} == {"met"}
    assert findings.of(character).elapsed_s == 0.002


def test_a_changed_effector_goes_on_from_the_memory_of_its_pose_and_is_measured_anew(character: Character) -> None:
    findings = Findings()
    findings.keep(character, solution(character))
    after = touched(character)
    assert has_residuals(findings, character)
    assert not has_residuals(findings, after)
    assert findings.of(after).memory == SOME
    shown, before = findings.of(after).residuals, findings.of(character).residuals  # until the new ones come
    assert [now for e, now in zip(after.effectors, shown, strict=True) if e.is_active] == [
        was for e, was in zip(after.effectors, before, strict=True) if e.is_active
    ]


@pytest.mark.parametrize("change", [lifted, lambda c: replace(c, solver="dls")])
def test_another_pose_or_solver_starts_without_the_memory(character: Character, change: object) -> None:
    findings = Findings()
    findings.keep(character, solution(character))
    assert findings.of(change(character)).memory == FRESH  # type: ignore[operator]


def test_of_an_effector_that_is_new_or_of_another_kind_nothing_is_known_and_of_the_others_what_was(
    character: Character,
) -> None:
    findings = Findings()
    findings.keep(character, solution(character, "tolerated"))
    _, _, ankle, other, *_ = character.effectors
    held = Contact(ankle.joint, ankle.target, id=ankle.id)  # type: ignore[attr-defined]
    after = replace(character, effectors=(replace(other, id="new"), held, other))
    assert [r.state for r in findings.of(after).residuals] == ["", "", "tolerated"]
    assert len(findings.of(after).reasons) == len(after.effectors)


def test_of_an_effector_that_was_off_nothing_is_known_once_it_is_on(character: Character) -> None:
    findings, (first, *others) = Findings(), character.effectors
    others = [replace(e, loose=False) for e in others]
    off = replace(character, effectors=(replace(first, enabled=False, loose=False), *others))
    states = ("disabled", *["met"] * len(others))
    findings.keep(off, replace(solution(off), residuals=tuple(Residual(0.0, state) for state in states)))
    on = replace(off, effectors=(replace(first, enabled=True, loose=False), *others))
    assert [r.state for r in findings.of(on).residuals] == ["", *states[1:]]


def test_what_was_known_at_another_frame_is_not_said_here(character: Character) -> None:
    findings = Findings()
    findings.keep(character, solution(character, "unreachable"))
    elsewhere = replace(lifted(character), frame=character.frame + 7)
    assert {r.state for r in findings.of(elsewhere).residuals} == {"", "disabled"}
    assert {r.state for r in findings.of(lifted(character)).residuals} >= {"unreachable"}, "at this frame, for a moment"


def test_what_is_dragged_at_another_frame_of_the_same_pose_is_shown_as_it_was_there(character: Character) -> None:
    findings, elsewhere = Findings(), replace(character, frame=character.frame + 7)
    for each in (character, elsewhere):
        findings.ensure_residuals(each)
    dragged = lifted(touched(elsewhere), 0.01)
    shown = [
        r.state for e, r in zip(dragged.effectors[1:], findings.of(dragged).residuals[1:], strict=True) if e.is_active
    ]
    assert shown
    assert "" not in shown


def test_measuring_leaves_the_memory_of_the_solve_before(character: Character) -> None:
    findings, after = Findings(), touched(character)
    findings.keep(character, solution(character))
    findings.set_residuals(after, solution(after, "tolerated").residuals)
    assert findings.of(after).memory == SOME
    assert {r.state for r in findings.of(after).residuals} == {"tolerated"}


def test_why_is_asked_once_and_only_of_what_cannot_be_reached(character: Character) -> None:
    findings = Findings()
    findings.keep(character, solution(character))
    assert not findings.needs_reasons(character)
    findings.keep(character, solution(character, "unreachable"))
    assert findings.needs_reasons(character)
    findings.set_reasons(character, ())
    assert not findings.needs_reasons(character)
    findings.set_reasons(lifted(character), ())  # an answer that comes too late is for nobody
    assert not has_residuals(findings, lifted(character))


def test_poses_that_were_only_looked_at_do_not_push_out_what_was_solved(
    character: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "KEPT", 2)
    monkeypatch.setattr(kept, "MEASURED_KEPT", 3)
    findings = Findings()
    findings.keep(character, solution(character))
    for frame in range(1, 6):
        there = lifted(character, 0.1 * frame)
        findings.set_residuals(there, solution(there).residuals)
        assert has_residuals(findings, there)
    assert has_residuals(findings, character)
    assert not has_residuals(findings, lifted(character, 0.1))


def test_no_more_is_kept_than_undo_can_reach(character: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "KEPT", 3)
    findings = Findings()
    for step in range(5):
        there = lifted(character, 0.1 * step)
        findings.keep(there, solution(there))
    assert [has_residuals(findings, lifted(character, 0.1 * step)) for step in range(5)] == [
        False,
        False,
        True,
        True,
        True,
    ]
    findings.forget()
    assert not has_residuals(findings, lifted(character, 0.4))


def test_undo_brings_back_residuals_and_memory_without_asking_the_solver(session: Session) -> None:
    settled(session)
    wrist = next(e for e in session.document.characters[0].effectors if e.joint == "left_wrist")
    found = []
    for height in (1.1, 1.2):
        target = np.array([wrist.target[0], height, wrist.target[2]])  # type: ignore[attr-defined]
        session.edit("Move", edits.set_target("c1", wrist.id, target), solve=True)
        settled(session)
        found.append(session.finding)
    assert found[0].memory is not found[1].memory
    session.undo()
    assert session.service.idle()
    assert session.finding == found[0]
    assert session.finding.memory is found[0].memory
    session.redo()
    assert session.service.idle()
    assert session.finding.memory is found[1].memory


def test_a_drag_goes_on_from_the_memory_of_the_solve_before(session: Session) -> None:
    settled(session)
    wrist = next(e for e in session.document.characters[0].effectors if e.joint == "left_wrist")
    character, memory = session.document.characters[0], FRESH
    for step in range(1, 4):
        target = wrist.target + np.float32([0.0, 0.05 * step, 0.05 * step])  # type: ignore[attr-defined]
        edit = edits.set_target("c1", wrist.id, target)
        session.edit("Move", edit, "drag", solve=True)
        settled(session)
        document = edit(session.document.with_characters((character,)))
        expected = solution_of(document.characters[0], memory)
        character, memory = with_solution(document.characters[0], expected), expected.memory
        assert session.document.characters[0].pose == character.pose


def test_after_a_limb_moved_alone_the_next_solve_goes_on_from_its_pose(character: Character) -> None:
    findings = Findings()
    findings.continue_from(character)
    assert not has_residuals(findings, character)
    findings.keep(character, solution(character, memory=THERE))
    findings.continue_from(character)
    assert findings.of(character).memory == ChosenPose(character.pose, character.effectors)
    assert findings.of(character).residuals == solution(character).residuals


def test_what_nobody_measured_is_measured_when_it_is_asked_for_and_once(
    character: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings, asked = Findings(), []
    monkeypatch.setattr(kept, "residuals_of", lambda who, _: asked.append(who) or solution(who, "missed").residuals)
    assert findings.ensure_residuals(character) is character
    findings.ensure_residuals(character)
    assert len(asked) == 1
    assert {r.state for r in findings.of(character).residuals} == {"missed"}
    findings.ensure_residuals(touched(character))
    assert len(asked) == 2


def test_reasons_are_asked_for_where_a_solver_could_not_reach_an_effector_and_once(character: Character) -> None:
    findings = Findings()
    assert not findings.needs_reasons(character)
    findings.keep(character, solution(character, "met"))
    assert not findings.needs_reasons(character)
    findings.keep(character, solution(character, "unreachable"))
    assert findings.needs_reasons(character)
    assert not findings.needs_reasons(touched(character))
    findings.set_reasons(character, (None,) * len(character.effectors))
    assert not findings.needs_reasons(character)


def test_reasons_are_asked_for_where_a_sole_keeps_its_place_on_a_wall_without_lying_flat(character: Character) -> None:
    findings, ahead, down = Findings(), np.float32([0.0, 0.0, -1.0]), np.float32([0.0, -1.0, 0.0])
    place = joints_of(character).positions[skeleton_of(character).index("left_ankle")]
    sole = Contact("left_ankle", place, normal=down, facing=ahead, id="sole")
    on_wall, on_floor = (replace(character, effectors=(one,)) for one in (sole, sole.onto(place, -down)))
    findings.keep(on_wall, solution(on_wall))
    assert findings.needs_reasons(on_wall)
    findings.keep(on_floor, solution(on_floor))
    assert not findings.needs_reasons(on_floor)


def test_nothing_measured_is_told_of_a_person_asked_for_something_else(character: Character) -> None:
    findings = Findings()
    findings.keep(character, solution(character, memory=HERE))
    told = kept.unmeasured(character, findings.of(character))
    assert told.memory == HERE
    assert {r.state for r in told.residuals} <= {"", "disabled"}


def test_where_a_drag_started_is_known_until_it_ends(session: Session) -> None:
    settled(session)
    wrist = next(e for e in session.document.characters[0].effectors if e.joint == "left_wrist")
    target = wrist.target + np.float32([0.0, 0.1, 0.1])  # type: ignore[attr-defined]

    def start() -> DragStart | None:
        memory = session.finding.memory
        assert isinstance(memory, SettledMemory)
        return memory.drag_start

    session.edit("Move", edits.set_target("c1", wrist.id, target), "drag", solve=True)
    settled(session)
    assert start() is not None
    session.close_step()
    away = session.document.characters[0].pose
    session.edit("Move", edits.set_target("c1", wrist.id, target + np.float32(0.02)), "another", solve=True)
    settled(session)
    begun = start()
    assert begun is not None
    assert begun.pose is away, "another drag of the same handle starts where the first one ended"
    session.close_step()
    session.edit("Move", edits.set_target("c1", wrist.id, target), solve=True)
    settled(session)
    assert start() is None, "an edit by itself is no drag"


@pytest.mark.parametrize(
    "change",
    [
        edits.set_solver_option("c1", "stay_balanced", "strict"),
        edits.set_beta("c1", 0, 2.0),
        edits.set_preserve_strength("c1", 0.9),
        lambda document: edits.set_enabled("c1", ankle_of(document.characters[0]), False)(document),
    ],
    ids=["an option", "the shape", "what is kept", "another handle"],
)
def test_what_is_changed_while_a_handle_is_away_is_heeded_where_the_handle_comes_back(
    session: Session, change: Edit
) -> None:
    settled(session)
    start = session.document.characters[0]
    wrist = next(e for e in start.effectors if e.joint == "left_wrist")
    for target in (wrist.target + np.float32([0.0, 0.1, 0.1]), None, wrist.target):  # type: ignore[attr-defined]
        if target is None:
            session.edit("Change", change, solve=True)
        else:
            session.edit("Move", edits.set_target("c1", wrist.id, target), "drag", solve=True)
        settled(session)
    assert session.document.characters[0].pose != start.pose


def ankle_of(character: Character) -> str:
    return next(e.id for e in character.effectors if e.joint == "left_ankle")


def test_what_was_known_of_a_document_is_known_again_once_it_is_open_again(character: Character) -> None:
    findings = Findings()
    findings.keep(character, solution(character))
    known = findings.known()
    findings.forget()
    assert not has_residuals(findings, character)
    findings.remember(known)
    assert has_residuals(findings, character)
    assert findings.of(character).memory == SOME
