"""People who are tied to each other are solved together, fold in as one step, and are taken back together."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from copies import copy_of
from made_up_solvers import PACE_M_S, PACED, registered
from window_driver import settled

from app.cli.main import main
from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character, new_document
from app.document.posing.findings import Finding
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.tied_groups import answers_of, tied_groups
from app.document.scene_file.io import load_scene, save_scene
from app.services import solve_service
from app.services.session import Session
from app.services.solve_service import SolveRequest, SolveService
from app.services.steps.contacts import place_people
from solver.effectors.sources import JointSource
from solver.ik.solution import Answer


def tied(character: Character, joint: str, other: str, other_joint: str, **options) -> Character:
    """With a position effector whose target is a joint of another character."""
    effector = new_effector(character, "position", joint, id=f"{joint}-tie")
    effector = replace(effector, source=JointSource(other, other_joint), **options)
    others = tuple(e for e in character.effectors if e.joint != joint)
    return replace(character, effectors=(*others, effector))


def hand_in_hand(solver: str = "dls") -> Document:
    """Two people side by side, each of whom has a hand tied to the other's."""
    document = new_document()
    document = edits.add_character(new_character(document))(document)
    first, second = (replace(c, solver=solver) for c in document.characters)
    document = document.with_characters([tied(first, "left_wrist", second.id, "right_wrist"), second])
    near = edits.move_character(second.id, (0.7, 0.0, 0.0) - offset(first, second))(document)
    second = tied(near.character(second.id), "right_wrist", first.id, "left_wrist")
    return near.with_character(second)


def offset(a: Character, b: Character) -> np.ndarray:
    return b.pose.root_position - a.pose.root_position


def place(character: Character, joint: str) -> np.ndarray:
    return joints_of(character).positions[skeleton_of(character).index(joint)]


def gap(document: Document) -> float:
    first, second = document.characters
    return float(np.linalg.norm(place(first, "left_wrist") - place(second, "right_wrist")))


def lift(session: Session, metres: float, key: object | None = None) -> None:
    """Move the target of the first one's other hand."""
    first = session.document.characters[0]
    hand = next(e for e in first.effectors if e.joint == "right_wrist")
    target = place(first, "right_wrist") + np.float32([0.0, metres, 0.1])
    session.edit("Lift", edits.set_target(first.id, hand.id, target), key, solve=True)


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_tied_hands_meet_and_one_undo_takes_both_back(session: Session, solver: str) -> None:
    session.open(hand_in_hand(solver))
    settled(session)
    before = session.document
    assert gap(before) > 0.2
    lift(session, 0.2)
    settled(session)
    assert gap(session.document) < 1e-3
    assert [a.pose != b.pose for a, b in zip(session.document.characters, before.characters, strict=True)] == [True] * 2
    assert len(session.history.steps()) == 1
    after = session.document
    session.undo()
    settled(session)
    assert [c.pose for c in session.document.characters] == [c.pose for c in before.characters]
    session.redo()
    settled(session)
    assert [c.pose for c in session.document.characters] == [c.pose for c in after.characters]


def test_people_tied_to_the_dragged_one_come_along(session: Session) -> None:
    session.open(hand_in_hand())
    lift(session, 0.1)
    settled(session)
    steps = len(session.history.steps())
    first, second = session.document.characters
    for step in range(1, 9):
        session.edit("Move", edits.place_together([first], (0.0, 0.0, 0.05 * step), 0.0), "drag", solve=True)
        settled(session)
        assert gap(session.document) < 1e-3
    session.close_step()
    assert len(session.history.steps()) == steps + 1
    assert session.document.characters[1].pose != second.pose
    session.undo()
    assert session.document.characters[1].pose == second.pose


def test_the_targets_of_ties_are_where_the_others_joints_are(session: Session) -> None:
    session.open(hand_in_hand())
    lift(session, 0.2)
    settled(session)
    first, second = session.document.characters
    for mine, joint, theirs, other in (
        (first, "left_wrist", second, "right_wrist"),
        (second, "right_wrist", first, "left_wrist"),
    ):
        assert mine.effector(f"{joint}-tie").target == pytest.approx(place(theirs, other), abs=1e-5)
        index = [e.id for e in mine.effectors].index(f"{joint}-tie")
        assert session.findings.of(mine).residuals[index].state == "met"


def test_the_others_memory_is_gone_on_from(session: Session) -> None:
    session.open(hand_in_hand())
    lift(session, 0.2)
    settled(session)
    memories = [session.findings.of(c).memory for c in session.document.characters]
    assert all(memory.warm_start_for("dls", 24).last_solve is not None for memory in memories)


def test_a_save_waits_for_those_who_are_tied_too(session: Session) -> None:
    session.open(hand_in_hand())
    session.service.stop()
    lift(session, 0.2)
    session.solve_now()
    assert gap(session.document) < 1e-3


def test_someone_who_was_only_followed_is_not_moved(session: Session) -> None:
    document = hand_in_hand()
    second = document.characters[1]
    untied = tuple(e for e in second.effectors if e.source is None)
    document = document.with_character(replace(second, effectors=untied))
    session.open(document)
    settled(session)
    lift(session, 0.1)
    settled(session)
    assert gap(session.document) < 1e-3
    assert np.abs(session.document.characters[1].pose.rotations - second.pose.rotations).max() < 1e-3
    session.edit("Move", edits.move_character(second.id, (0.0, 0.1, 0.1)), solve=True)
    settled(session)
    assert gap(session.document) < 1e-3, "the other one's hand has gone, and this one follows"


def test_groups_are_made_of_who_is_tied_over_any_number_of_others() -> None:
    document = new_document()
    for _ in range(4):
        document = edits.add_character(new_character(document))(document)
    a, b, c, d, e = document.characters
    people = (tied(a, "head", c.id, "head"), b, c, tied(d, "head", c.id, "head"), tied(e, "head", "gone", "head"))
    assert [[one.id for one in group] for group in tied_groups(people)] == [[a.id, c.id, d.id], [b.id], [e.id]]
    loose = tied(a, "head", c.id, "head", enabled=False)
    assert [len(group) for group in tied_groups((loose, b, c))] == [1, 1, 1]


def test_requests_of_one_group_share_their_slots() -> None:
    first, second = hand_in_hand().characters
    one, other = (SolveRequest(a, 1, beside=((b, Finding()),)) for a, b in ((first, second), (second, first)))
    assert one.slot == other.slot
    assert set(one.slots) == {(first.id, 0), (second.id, 0)}


def test_a_scene_with_ties_is_solved_without_a_window(tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", hand_in_hand())
    assert main(["solve", str(tmp_path / "scene.json"), "-o", str(tmp_path / "solved.json"), "-q"]) == 0
    solved = load_scene(tmp_path / "solved.json")
    assert gap(solved) < 1e-3
    tie = solved.characters[0].effector("left_wrist-tie")
    assert tie.source == JointSource(solved.characters[1].id, "right_wrist")


def test_a_tie_to_somebody_who_is_gone_leaves_the_target_where_it_was(session: Session) -> None:
    session.open(hand_in_hand())
    lift(session, 0.2)
    settled(session)
    target = session.document.characters[0].effector("left_wrist-tie").target
    session.edit("Delete", edits.remove_character(session.document.characters[1].id))
    lift(session, 0.05)
    settled(session)
    assert session.document.characters[0].effector("left_wrist-tie").target == pytest.approx(target, abs=1e-6)


def test_a_copy_of_somebody_tied_to_itself_is_tied_to_itself(session: Session) -> None:
    character = new_document().characters[0]
    akimbo = tied(replace(character, solver="dls"), "left_wrist", character.id, "left_hip")
    document = new_document().with_character(akimbo)
    copy = copy_of(document, character.id)
    assert copy.effector("left_wrist-tie").source == JointSource(copy.id, "left_hip")
    assert document.characters[0].effector("left_wrist-tie").source == JointSource(character.id, "left_hip")
    session.open(edits.add_character(copy)(document))
    hand = next(e for e in copy.effectors if e.joint == "right_wrist")
    session.edit("Lift", edits.set_target(copy.id, hand.id, hand.target + np.float32([0, 0.2, 0])), solve=True)
    settled(session)
    posed = session.document.character(copy.id)
    assert np.linalg.norm(place(posed, "left_wrist") - place(posed, "left_hip")) < 1e-3


def test_a_request_tells_the_time_since_the_poses_before() -> None:
    first, second = hand_in_hand().characters
    with registered(PACED):
        for beside in ((), ((replace(second, solver=PACED.id), Finding()),)):
            asked = SolveRequest(replace(first, solver=PACED.id), 1, beside=beside, step_s=0.25)
            for answer in SolveService().solve_now(asked).values():
                assert answer.solution.pose.root_position[1] == pytest.approx(PACE_M_S * 0.25)


def test_a_hand_that_is_tied_to_somebody_follows_when_that_one_is_moved_as_a_whole(session: Session) -> None:
    session.open(hand_in_hand())
    settled(session)
    lift(session, 0.0)
    settled(session)
    first = session.document.characters[0]
    place_people(session, "Move", [first], edits.move_character(first.id, (0.0, 0.0, 0.1)))
    settled(session)
    assert gap(session.document) < 1e-3
    session.undo()
    assert session.document.characters[0].pose == first.pose


def test_people_who_are_tied_are_solved_in_a_hurry_once_somebody_drags_on(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.open(hand_in_hand())
    settled(session)
    inside, go_on, told = threading.Event(), threading.Event(), list[bool]()

    def watched(*group: object, **how: object) -> dict[str, Answer]:
        *_, hurried = group
        assert callable(hurried)
        told.append(hurried())
        inside.set()
        assert go_on.wait(60)
        told.append(hurried())
        return answers_of(*group, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_service, "answers_of", watched)
    key = object()
    lift(session, 0.05, key)
    assert inside.wait(60)
    lift(session, 0.1, key)
    go_on.set()
    settled(session)
    assert told == [False, True, False, False]
    assert gap(session.document) < 1e-3
