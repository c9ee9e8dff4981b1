"""Effectors are recovered by a click, and how many to keep is chosen on the curve, by mouse and by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea
from small_window import scrolled_to, whole
from window_driver import laid_out, until

from app.document import edits
from app.panels.error_curve import ErrorCurve
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("unfolded")]


def recovered(editor: Editor) -> ErrorCurve:
    panel, session = editor.panels.solver, editor.session
    before = session.document
    QTest.mouseClick(panel.recover, Qt.MouseButton.LeftButton)
    until(lambda: not editor.jobs.busy and session.document is not before, 60_000)
    until(lambda: panel.curve is not None and panel.curve.isVisible())
    assert panel.curve is not None
    return panel.curve


def count(editor: Editor) -> int:
    active = editor.session.active
    assert active is not None
    return len(active.effectors)


def test_a_point_of_the_curve_takes_that_many_effectors_and_undo_takes_it_back(editor: Editor) -> None:
    curve = recovered(editor)
    first = count(editor)
    assert curve.text.startswith(f"{first} effector")
    wanted = 3 if first != 3 else 4
    QTest.mouseMove(curve, curve.point_of(wanted).toPoint())
    QTest.mouseClick(curve, Qt.MouseButton.LeftButton, pos=curve.point_of(wanted).toPoint())
    assert count(editor) == wanted
    QTest.keyClick(curve, Qt.Key.Key_Right)
    assert count(editor) == wanted + 1
    QTest.keyClick(curve, Qt.Key.Key_Home)
    assert count(editor) == 1
    QTest.keyClick(curve, Qt.Key.Key_Left)
    assert count(editor) == 1, "there is nothing before the first"
    QTest.keyClick(curve, Qt.Key.Key_End)
    assert count(editor) == 8
    assert not editor.session.in_step, "what waits for the end of a drag, such as in-betweens, is not held up"
    editor.session.undo()
    assert count(editor) == first, "choosing was one step"
    QApplication.sendEvent(curve, QEvent(QEvent.Type.Leave))  # the pointer may still be over the curve, or never was
    until(lambda: curve.text.startswith(f"{first} effector"))


def test_the_field_says_when_people_from_photos_get_more_handles_than_it_shows(editor: Editor) -> None:
    field = editor.panels.solver.count
    assert field.value() == 8
    assert "left at 8, they get up to 10" in field.toolTip()


@pytest.mark.slow
def test_the_curve_of_a_recovery_is_scrolled_into_sight_where_there_is_little_room(editor: Editor) -> None:
    editor.window.resize(1280, 740)
    laid_out()
    scrolled_to(editor.panels.solver.recover)
    curve = recovered(editor)
    until(lambda: whole(curve))
    area = next(a for a in editor.window.areas if a.isAncestorOf(curve))
    assert isinstance(area, QScrollArea)
    area.verticalScrollBar().setValue(0)
    editor.session.set_view(joints=frozenset({"head"}))
    editor.refresh()
    QTest.qWait(100)
    assert area.verticalScrollBar().value() == 0, "once: then the user scrolls"


@pytest.mark.slow
def test_only_the_kinds_that_are_ticked_are_recovered(editor: Editor) -> None:
    panel = editor.panels.solver
    for kind in ("rotation", "lookat"):
        QTest.mouseClick(panel.kinds[kind], Qt.MouseButton.LeftButton, pos=QPoint(8, panel.kinds[kind].height() // 2))
    recovered(editor)
    active = editor.session.active
    assert active is not None
    assert {effector.kind for effector in active.effectors} == {"position"}
    assert editor.settings.values.recover_without == "rotation lookat"
    QTest.keyClick(panel.kinds["position"], Qt.Key.Key_Space)
    assert not panel.recover.isEnabled(), "nothing could be recovered"
    QTest.keyClick(panel.kinds["position"], Qt.Key.Key_Space)
    assert panel.recover.isEnabled()


@pytest.mark.slow
def test_the_curve_goes_with_the_pose_that_it_is_of(editor: Editor) -> None:
    curve = recovered(editor)
    active = editor.session.active
    assert active is not None
    hand = next(e for e in active.effectors if e.kind == "position")
    editor.session.edit("Move", edits.set_target(active.id, hand.id, hand.target + [0.1, 0.2, 0.1]), solve=True)
    until(lambda: not curve.isVisible())
    editor.session.undo()
    until(curve.isVisible)
