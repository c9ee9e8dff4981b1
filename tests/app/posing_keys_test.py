"""Keys that pose what is selected in the view: each press is one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_hand import Hand, settled, strike

from app.document.problem import joints_of, skeleton_of
from app.workplace import Workplace

pytestmark = pytest.mark.gl


def test_a_key_gives_all_selected_joints_a_handle_in_one_step(workplace: Workplace) -> None:
    session, hand, keys = workplace.session, Hand(workplace), Qt.KeyboardModifier
    before, places = session.document, joints_of(session.active).positions
    joints = ("left_elbow", "right_elbow", "left_knee")
    for key, kind, text in (
        (Qt.Key.Key_G, "position", "Add position to 3 joints"),
        (Qt.Key.Key_R, "rotation", "Add rotation to 3 joints"),
        (Qt.Key.Key_L, "lookat", "Add look-at to 3 joints"),
    ):
        for joint, held in zip(joints, (keys.NoModifier, keys.ShiftModifier, keys.ShiftModifier), strict=True):
            place = hand.place(places[skeleton_of(session.active).index(joint)])
            QTest.mouseClick(hand.view, Qt.MouseButton.LeftButton, held, place)
        assert session.view.joints == set(joints)
        strike(workplace, key)
        settled(session)
        assert session.history.steps() == (text,)
        assert {(e.joint, e.kind) for e in session.selected_effectors} == {(joint, kind) for joint in joints}
        strike(workplace, Qt.Key.Key_Z, keys.ControlModifier)
        assert session.document == before
