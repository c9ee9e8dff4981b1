"""Whose handle is deleted stays where they are, at whatever frame they are looked at, and so do those tied to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from motion_samples import look_at_frame
from window_driver import settled

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.solving import joints_of
from app.services.session import Session

STILL = 0.001  # metres
HANDS = next(hold for hold in COMMON_HOLDS if hold.id == "hands")


def pull(session: Session, joint: str, way: tuple[float, float, float]) -> str:
    """Move the first person's handle of a joint by so many metres, and return its id."""
    handle = next(e for e in session.document.character("c1").effectors if e.joint == joint)
    session.edit("Move", edits.set_target("c1", handle.id, handle.target + np.float32(way)), solve=True)
    settled(session)
    return handle.id


def moved_by_deleting(session: Session, id: str) -> float:
    """Metres that the joint of anybody moves that moves most."""
    before = session.document.characters
    session.edit("Delete", edits.remove_effectors("c1", [id]), solve=True)
    settled(session)
    pairs = zip(before, session.document.characters, strict=True)
    ways = (joints_of(now).positions - joints_of(was).positions for was, now in pairs)
    return max(float(np.linalg.norm(way, axis=1).max()) for way in ways)


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


def holding_hands() -> Document:
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    first, second = document.characters
    way = first.pose.root_position - second.pose.root_position + np.float32([0.7, 0.0, 0.0])
    return edits.take_hold("c1", HANDS)(edits.move_character("c2", way)(document))


def test_two_who_hold_hands_both_stay(session: Session) -> None:
    session.open(holding_hands())
    id = pull(session, "left_ankle", (0.05, 0.2, 0.15))
    assert moved_by_deleting(session, id) < STILL
