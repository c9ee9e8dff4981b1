"""Poses taken by name where somebody moves over time or sits: the foot that stands stays, and so does the seat."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, shown
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse
from window_driver import active, answer_once_shown, place_of, settled, strike, until

from app.document.model.figure import joints_of
from app.document.posing.solving import floor_of
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource

pytestmark = [pytest.mark.gl, pytest.mark.slow, pytest.mark.usefixtures("own", "compiled_solver")]
KEY = Qt.Key


def take(editor: Editor, name: str) -> None:
    """Take a pose by its name, from the search."""
    before = active(editor).pose

    def type_it(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, name)
        QTest.keyClick(search.field, KEY.Key_Return)

    answer_once_shown(CommandSearch, type_it)
    strike(editor, KEY.Key_Slash)
    until(lambda: active(editor).pose is not before, 20_000)
    settled(editor.session)


def ball(editor: Editor) -> np.ndarray:
    """(2,) metres along the floor, of the left foot."""
    return place_of(editor, "left_foot")[[0, 2]]


def at_frame(editor: Editor, number: int) -> None:
    """Type the frame's number."""
    mouse = TimelineMouse(editor)
    mouse.activate()
    QTest.mouseClick(mouse.timeline.field, Qt.MouseButton.LeftButton)
    for key in str(number):
        mouse.press(key)
    mouse.press(KEY.Key_Return)
    assert active(editor).frame == number - 1


def test_who_kicks_at_a_frame_and_stands_again_at_a_later_one_keeps_the_other_foot_in_place(editor: Editor) -> None:
    editor.panels.timeline.start_animating()
    take(editor, "guard")
    stood = ball(editor)
    at_frame(editor, 25)
    take(editor, "front kick")
    assert place_of(editor, "right_ankle")[1] > 0.6
    assert ball(editor) == pytest.approx(stood, abs=1e-3), "it went by 20 cm when the pelvis stayed"
    at_frame(editor, 50)
    take(editor, "guard")
    assert ball(editor) == pytest.approx(stood, abs=1e-3)


def test_a_still_person_stays_where_the_pelvis_is(editor: Editor) -> None:
    before = active(editor).pose.root_position
    take(editor, "front kick")
    assert active(editor).pose.root_position[[0, 2]] == pytest.approx(before[[0, 2]], abs=1e-4)


def test_who_sits_on_a_chair_crosses_the_legs_there_with_the_seat_on_it_and_the_other_foot_on_the_floor(
    editor: Editor,
) -> None:
    who = active(editor).id
    chair = added(editor, "chair", (0.0, 0.0, -0.45))
    editor.session.select(who)
    shown(editor)
    dragged_with_s(editor, place_of(editor, "pelvis"), chair.frame.points((0.1, 0.5, 0.2)))
    settled(editor.session)
    seat = next(e for e in active(editor).effectors if isinstance(e, Contact))
    take(editor, "sit, legs crossed")
    now = active(editor).effector(seat.id)
    assert isinstance(now, Contact)
    assert isinstance(now.source, PropSource)
    assert now.target == pytest.approx(seat.target, abs=1e-3)
    person = active(editor)
    floor = floor_of(person.body, person.shape, person.hands, person.solver_options)
    assert floor is not None
    assert floor.lowest(joints_of(person)) == pytest.approx(0.0, abs=5e-3)
    take(editor, "stand at ease")
    assert place_of(editor, "pelvis")[1] > 0.8, "whoever gets up is not kept down"
