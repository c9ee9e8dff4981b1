"""What a user sets of DragPoser's search in the panel shows at once in the pose, and while trackers are followed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import move_held, settled

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of
from app.document.posing.fitting_effectors import new_effector
from app.panels.option_rows import NumberRow, SwitchRow
from app.window.editor import Editor
from solver.effectors.kinds import Position
from solver.ik.options import PROPOSAL_ALONE, SOLID_FLOOR, Number
from solver.solvers.catalog import DRAGPOSER_OPTIONS, FLOOR, HANDS_APART, ROOM

pytestmark = pytest.mark.usefixtures("unfolded")

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def desk(editor: Editor) -> Iterator[Editor]:
    """The window with a person whom DragPoser alone poses."""
    editor.session.edit("Choose", edits.set_solver("c1", "dragposer"), solve=True)
    settled(editor.session)
    editor.refresh()
    click(editor, PROPOSAL_ALONE.id)
    yield editor
    editor.session.edit("Choose", edits.set_solver("c1", "dls"), solve=True)
    settled(editor.session)


def person(editor: Editor) -> Character:
    return editor.session.document.characters[0]


def click(editor: Editor, option: str) -> None:
    row = editor.panels.solver.options.rows[option]
    assert isinstance(row, SwitchRow)
    QTest.mouseClick(row.box, LEFT, NO_KEYS, QPoint(8, row.box.height() // 2))
    settled(editor.session)
    editor.refresh()


def drag_to(editor: Editor, option: Number, value: float) -> None:
    """Drag its bar from where it is to about a value."""
    row = editor.panels.solver.options.rows[option.id]
    assert isinstance(row, NumberRow)
    middle, now = row.slider.rect().center(), option.of(person(editor).solver_options)
    pixels = round((value - now) / (option.high - option.low) * row.slider.width())
    QTest.mousePress(row.slider, LEFT, NO_KEYS, middle)
    for way in (pixels // 3, 2 * pixels // 3, pixels):
        move_held(row.slider, middle + QPoint(way, 0))
    QTest.mouseRelease(row.slider, LEFT, NO_KEYS, middle + QPoint(pixels, 0))
    settled(editor.session)
    editor.refresh()


def places(editor: Editor) -> np.ndarray:
    return joints_of(person(editor)).positions[:22]


def ask_alone(editor: Editor, joint: str, *way: float) -> None:
    """Ask this of the joint's place, and nothing of others."""
    session = editor.session
    if not any((e.joint, e.kind) == (joint, "position") for e in person(editor).effectors):
        session.edit("Add", edits.add_effector("c1", new_effector(person(editor), "position", joint)))
    for effector in person(editor).effectors:
        if (effector.joint, effector.kind) == (joint, "position"):
            wanted = effector
        else:
            session.edit("Off", edits.set_enabled("c1", effector.id, False))
    assert isinstance(wanted, Position)
    session.edit("Move", edits.set_target("c1", wanted.id, wanted.target + np.float32(way)), solve=True)
    settled(session)
    editor.refresh()


def apart(editor: Editor) -> float:
    left, right = places(editor)[[20, 21]]
    return float(np.linalg.norm(left - right))


@pytest.mark.slow
@pytest.mark.gl
def test_a_click_lifts_the_body_above_the_floor_and_an_undo_lets_it_sink(desk: Editor) -> None:
    assert list(desk.panels.solver.options.rows) == [option.id for option in DRAGPOSER_OPTIONS]
    ask_alone(desk, "pelvis", 0, -0.45, 0)
    sunk = places(desk)[:, 1].min()
    assert sunk < -0.2
    click(desk, FLOOR.id)
    assert places(desk)[:, 1].min() > 0.0
    desk.session.undo()
    settled(desk.session)
    assert places(desk)[:, 1].min() == pytest.approx(sunk, abs=1e-5)


@pytest.mark.slow
@pytest.mark.gl
def test_a_drag_of_the_bar_leaves_less_room(desk: Editor) -> None:
    ask_alone(desk, "left_wrist", 0.3, 0.5, 0.1)
    middle = person(desk).base_pose.root_position[[0, 2]]
    assert np.abs(places(desk)[:, [0, 2]] - middle).max() > 0.5
    steps = len(desk.session.history.steps())
    drag_to(desk, ROOM, 0.4)
    room = ROOM.of(person(desk).solver_options)
    assert 0.3 < room < 0.45
    assert len(desk.session.history.steps()) == steps + 1
    assert np.abs(places(desk)[:, [0, 2]] - middle).max() < room + 0.02


@pytest.mark.slow
@pytest.mark.gl
def test_the_hands_keep_their_distance_at_a_click(desk: Editor) -> None:
    before = apart(desk)
    ask_alone(desk, "left_wrist", 0.2, 0.3, 0.3)
    assert apart(desk) > before + 0.1
    click(desk, HANDS_APART.id)
    assert apart(desk) == pytest.approx(before, abs=0.01)


@pytest.mark.gl
def test_a_click_lets_a_foot_through_the_floor_that_was_solid(editor: Editor) -> None:
    editor.session.edit("Choose", edits.set_solver("c1", "dls"), solve=True)
    ask_alone(editor, "left_ankle", 0.0, -0.3, 0.0)
    assert places(editor)[7, 1] > 0.05
    click(editor, SOLID_FLOOR.id)
    assert places(editor)[7, 1] < -0.15
    editor.session.undo()
    settled(editor.session)
    assert places(editor)[7, 1] > 0.05
