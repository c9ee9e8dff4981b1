"""What a menu of an effector does, it does to the body as it is by then, not as it was when the menu opened."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QMenu
from window_driver import settled

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from app.panels.effector_menu import effector_menu
from app.services.session import Session


@pytest.fixture
def menu(session: Session) -> QMenu:
    """The menu of a hand's handle, opened while the answer to the handle's last move is still to come."""
    session.open(new_document())
    wrist = next(e for e in session.document.character("c1").effectors if e.joint == "left_wrist")
    session.edit("Move", edits.set_target("c1", wrist.id, wrist.target + np.float32([0.1, 0.4, 0.2])), solve=True)
    assert session.solving
    menu = QMenu()
    effector_menu(menu, session, wrist.id)
    return menu


def test_another_kind_holds_the_joint_as_it_is_by_then(session: Session, menu: QMenu) -> None:
    old = session.document.character("c1")
    settled(session)
    next(a for a in menu.actions() if a.text() == "Rotation").trigger()
    settled(session)
    person = session.document.character("c1")
    turn = next(e for e in person.effectors if e.joint == "left_wrist")
    assert (turn.kind, session.view.effectors) == ("rotation", {turn.id})
    assert person.base_pose == old.base_pose
    session.undo()
    hand = skeleton_of(person).index("left_wrist")
    then = joints_of(session.document.character("c1")).rotations[hand]
    np.testing.assert_allclose(turn.target, then, atol=1e-4)
    session.undo()  # as it was before the move; the answer may have come before the menu was asked
    before = joints_of(session.document.character("c1")).rotations[hand]
    assert np.abs(then - before).max() > 0.1, "the hand has turned since"
