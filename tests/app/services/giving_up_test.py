"""Whose handles are deleted, loosened or switched off stays where they are, however many these are, at whatever frame,
and so do those tied to them; the next drag goes on from there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from motion_samples import look_at_frame
from window_driver import settled

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of
from app.document.model.history import Edit
from app.document.posing.create import new_character, new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.hold_table import COMMON_HOLDS, CommonHold
from app.services.session import Session
from solver.effectors.contact import Contact

STILL = 0.001  # metres
HANDS, SHOULDER, HIPS, CROSSED = (
    next(hold for hold in COMMON_HOLDS if hold.id == id) for id in ("hands", "shoulder", "hips", "crossed")
)


def pull(session: Session, joint: str, way: tuple[float, float, float]) -> str:
    """Move the first person's handle of a joint by so many metres, and return its id."""
    handle = next(e for e in session.document.character("c1").effectors if e.joint == joint)
    session.edit("Move", edits.set_target("c1", handle.id, handle.target + np.float32(way)), solve=True)
    settled(session)
    return handle.id


def moved_by(session: Session, edit: Edit) -> float:
    """Metres that the joint of anybody moves that moves most."""
    before = session.document.characters
    session.edit("Edit", edit, solve=True)
    settled(session)
    return moved_since(session, before)


def moved_since(session: Session, before: Sequence[Character]) -> float:
    """Metres that the joint of anybody has moved that has moved most."""
    pairs = zip(before, session.document.characters, strict=True)
    ways = (joints_of(now).positions - joints_of(was).positions for was, now in pairs)
    return max(float(np.linalg.norm(way, axis=1).max()) for way in ways)


def moved_by_deleting(session: Session, id: str) -> float:
    return moved_by(session, edits.remove_effectors("c1", [id]))


def switch_off(id: str, ids: Iterable[str]) -> Edit:
    return edits.chain(*(edits.set_enabled(id, each, False) for each in ids))


@pytest.mark.parametrize("frame", [0, 10])
@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_nobody_moves_at_any_key_whichever_was_edited_last(session: Session, solver: str, frame: int) -> None:
    session.open(edits.set_clip_length("c1", 30)(edits.set_solver("c1", solver)(new_document())))
    look_at_frame(session, "c1", 0)
    pull(session, "left_wrist", (0.15, 0.4, 0.1))
    look_at_frame(session, "c1", 10)
    id = pull(session, "left_wrist", (0.15, 0.0, 0.1))
    look_at_frame(session, "c1", frame)
    assert moved_by_deleting(session, id) < STILL


def side_by_side() -> Document:
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    first, second = document.characters
    way = first.pose.root_position - second.pose.root_position + np.float32([0.7, 0.0, 0.0])
    return edits.move_character("c2", way)(document)


def test_two_who_hold_hands_both_stay(session: Session) -> None:
    session.open(edits.take_hold("c1", HANDS)(side_by_side()))
    id = pull(session, "left_ankle", (0.05, 0.2, 0.15))
    assert moved_by_deleting(session, id) < STILL


@pytest.mark.parametrize("solver", ["smplik", "dls", "skelik"])
@pytest.mark.parametrize("give_up", [edits.remove_effectors, edits.make_loose, switch_off])
def test_who_is_asked_nothing_any_more_stays_as_posed(
    session: Session, solver: str, give_up: Callable[[str, Iterable[str]], Edit]
) -> None:
    session.open(edits.set_solver("c1", solver)(new_document()))
    pull(session, "left_wrist", (0.1, 0.4, 0.2))
    pull(session, "right_ankle", (-0.1, 0.3, 0.2))
    posed = session.document.character("c1")
    assert moved_by(session, give_up("c1", [e.id for e in posed.effectors])) == 0.0, "went to the base pose by 61 cm"
    bare = session.document.character("c1")
    session.undo()
    assert session.document.character("c1") == posed
    session.redo()
    assert session.document.character("c1") == bare
    assert bare.base_pose == posed.base_pose, "one can still go back to it"
    other = "dls" if solver != "dls" else "smplik"
    assert moved_by(session, edits.set_solver("c1", other)) < STILL, "what is solved next keeps the pose as well"
    head = new_effector(session.document.character("c1"), "position", "head")
    assert moved_by(session, edits.add_effector("c1", head)) < 0.02, "the first new handle as well"


@pytest.mark.parametrize("solver", ["smplik", "dls", "skelik"])
@pytest.mark.parametrize("hold", [SHOULDER, HIPS], ids=lambda hold: hold.id)
def test_who_lets_go_after_a_step_stays_and_the_next_drag_throws_nothing(
    session: Session, solver: str, hold: CommonHold
) -> None:
    session.open(edits.set_solver("c1", solver)(side_by_side()))
    session.edit("Hold", edits.take_hold("c1", hold), solve=True)
    settled(session)
    pull(session, "left_ankle", (0.15, 0.3, 0.35))
    pull(session, "right_ankle", (-0.25, 0.1, 0.2))
    held = [e.id for e in session.document.character("c1").effectors if isinstance(e, Contact)]
    for give_up in (switch_off, edits.let_go, edits.remove_effectors):
        assert moved_by(session, give_up("c1", held)) == 0.0, "a foot went by 32 to 74 cm"
        if give_up is not edits.remove_effectors:
            session.undo()
    before = session.document.characters
    pull(session, "left_ankle", (0.0, 0.005, 0.0))
    assert moved_since(session, before) < 0.03, "the hand that had held went by 45 cm"


def test_nobody_moves_in_vain_where_a_handle_is_missed_that_stays_out_of_reach(session: Session) -> None:
    session.open(edits.set_solver("c1", "dls")(side_by_side()))
    session.edit("Hold", edits.take_hold("c1", CROSSED), solve=True)
    settled(session)
    pull(session, "right_ankle", (0.0, 0.9, 1.2))
    held = [e.id for e in session.document.character("c1").effectors if isinstance(e, Contact)]
    assert any(r.state == "unreachable" for r in session.finding.residuals)
    assert moved_by(session, edits.remove_effectors("c1", held)) < STILL


@pytest.fixture
def slow(session: Session, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """No solve ends before this is set."""
    go_on, solve = threading.Event(), session.service._solve

    def held(*given: object) -> object:
        assert go_on.wait(60)
        return solve(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(session.service, "_solve", held)
    return go_on


def pull_too_far(session: Session, id: str) -> None:
    """Ask a hand to be where nobody reaches, 3 m ahead, and do not wait."""
    wrist = next(e for e in session.document.character(id).effectors if e.joint == "left_wrist")
    session.edit("Pull", edits.set_target(id, wrist.id, wrist.target + np.float32([0.0, 0.0, 3.0])), solve=True)


def test_what_is_given_up_while_a_drag_is_still_solved_does_not_undo_the_drag(
    session: Session, slow: threading.Event
) -> None:
    session.open(edits.set_solver("c1", "dls")(new_document()))
    before = session.document.characters
    pull_too_far(session, "c1")
    foot = next(e for e in before[0].effectors if e.joint == "right_ankle")
    session.edit("Delete", edits.remove_effectors("c1", [foot.id]), solve=True)
    slow.set()
    settled(session)
    assert moved_since(session, before) > 0.3, "the hand goes as far as it reaches, though most of the way is left"


def test_nobody_moves_in_vain_though_somebody_else_is_edited_before_that_is_known(
    session: Session, slow: threading.Event
) -> None:
    slow.set()
    session.open(edits.set_solver("c1", "dls")(side_by_side()))
    session.edit("Hold", edits.take_hold("c1", CROSSED), solve=True)
    settled(session)
    pull(session, "right_ankle", (0.0, 0.9, 1.2))
    before = session.document.character("c1")
    slow.clear()
    held = [e.id for e in before.effectors if isinstance(e, Contact)]
    session.edit("Delete", edits.remove_effectors("c1", held), solve=True)
    pull_too_far(session, "c2")
    slow.set()
    settled(session)
    way = joints_of(session.document.character("c1")).positions - joints_of(before).positions
    assert np.linalg.norm(way, axis=1).max() < STILL
