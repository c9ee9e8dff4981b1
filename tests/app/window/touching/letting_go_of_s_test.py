"""S and the mouse button let go of almost together: what was put on a surface stays on it, whichever came first."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import box_to_step_on, press_s
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled, until

from app.viewport.tools import surface_key
from app.window.editor import Editor
from solver.effectors.contact import Contact

pytestmark = [pytest.mark.gl, pytest.mark.slow]
FOOT, S = "left_ankle", Qt.Key.Key_S


class Moments(list[QTimer]):
    """The moments in which the button may follow the key: they pass when a test says so, however busy the machine."""

    def made(self, **_: object) -> QTimer:
        """One that by itself would take an hour."""
        self.append(QTimer(singleShot=True, interval=3_600_000))
        return self[-1]

    def passed(self) -> None:
        """Have those that have begun, and were not stopped, pass."""
        for moment in self:
            if moment.isActive():
                moment.start(0)
                until(lambda moment=moment: not moment.isActive())  # type: ignore[misc]


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> Moments:
    """Asked for before the window, which makes them."""
    moments = Moments()
    monkeypatch.setattr(surface_key, "QTimer", moments.made)
    return moments


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def foot_over_box(editor: Editor) -> tuple[ViewMouse, QPoint]:
    """The left foot dragged onto a box with S held, all of it still held; the mouse and where it is."""
    mouse = ViewMouse(editor)
    start, end = (mouse.place(place) for place in box_to_step_on(editor, FOOT))
    mouse.drag(start, QPoint(4, 4), QPoint(8, 8), release=False)
    press_s(editor)
    mouse.move(end)
    settled(editor.session)
    assert contacts(editor)
    return mouse, end


def test_a_foot_stays_on_a_box_where_the_button_follows_s_at_once(moments: Moments, editor: Editor) -> None:
    mouse, end = foot_over_box(editor)
    there = place_of(editor, FOOT)
    QTest.keyRelease(editor.viewport, S)
    mouse.move(end + QPoint(1, 1))  # a hand that lets go shakes
    mouse.release(end + QPoint(1, 1))
    moments.passed()
    settled(editor.session)
    assert contacts(editor)
    assert place_of(editor, FOOT) == pytest.approx(there, abs=0.01)
    assert editor.session.history.steps()[-1] == "Hold left sole on Box"
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(20, -20), QPoint(60, -60))
    settled(editor.session)
    assert len(contacts(editor)) == 1, "the key is not held any more"


@pytest.mark.parametrize("moves", [True, False])
def test_it_leaves_the_box_as_the_pointer_goes_on_or_a_moment_after_s(
    moments: Moments, editor: Editor, moves: bool
) -> None:
    mouse, end = foot_over_box(editor)
    QTest.keyRelease(editor.viewport, S)
    if moves:
        mouse.move(end + QPoint(12, -8))
        assert not contacts(editor), "at once"
    else:
        moments.passed()
        assert not contacts(editor)
    mouse.release(end + QPoint(12, -8))
    settled(editor.session)
    assert not contacts(editor)


@pytest.mark.usefixtures("moments")
def test_it_leaves_the_box_as_well_if_the_pointer_goes_on_in_small_steps(editor: Editor) -> None:
    mouse, end = foot_over_box(editor)
    QTest.keyRelease(editor.viewport, S)
    for step in range(2, 10, 2):  # each less than makes a drag
        mouse.move(end + QPoint(step, -step))
    mouse.release(end + QPoint(8, -8))
    settled(editor.session)
    assert not contacts(editor)


def test_s_pressed_again_within_that_moment_keeps_the_foot_on_the_box(moments: Moments, editor: Editor) -> None:
    mouse, end = foot_over_box(editor)
    QTest.keyRelease(editor.viewport, S)
    QTest.keyPress(editor.viewport, S)
    moments.passed()
    assert contacts(editor)
    mouse.release(end)
    QTest.keyRelease(editor.viewport, S)
    settled(editor.session)
    assert np.isclose(contacts(editor)[0].target[1], 0.3, atol=1e-4)
