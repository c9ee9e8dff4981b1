"""The list of effectors keeps its columns, whatever an effector's state is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QSplitter, QWidget
from window_driver import laid_out, settled

from app.document import edits
from app.look.theme import current_theme
from app.panels.effector_row import EffectorRow, EffectorStatus
from app.window.editor import Editor
from solver.ik.problem import Residual

pytestmark = pytest.mark.gl


def area_of(widget: QWidget) -> QScrollArea:
    """The side panel that a widget is in."""
    parent = widget.parentWidget()
    while not isinstance(parent, QScrollArea):
        assert parent is not None
        parent = parent.parentWidget()
    return parent


def columns(row: EffectorRow) -> list[tuple[int, int]]:
    """Left edge and width of everything behind the text, in pixels of the row."""
    shown = (row.glyph, row.joint, row.error, row.tolerance, row.pin, row.enable, row.delete)
    return [(part.mapTo(row, QPoint()).x(), part.width()) for part in shown]


def test_an_effector_out_of_reach_moves_no_column_and_cuts_no_button_off(editor: Editor) -> None:
    session, rows = editor.session, editor.panels.effectors.rows
    area = area_of(rows[0])
    splitter = area.parentWidget()
    assert isinstance(splitter, QSplitter)
    splitter.setSizes([area.minimumWidth(), 800, area.minimumWidth()])
    QApplication.processEvents()
    before = [columns(row) for row in rows]
    active = session.active
    assert active is not None
    for effector in active.effectors:
        if effector.joint.endswith("wrist"):  # the feet stay
            far = effector.target + np.array([0.0, 1.2, 2.0], np.float32)
            session.edit("Pull away", edits.set_target(active.id, effector.id, far), solve=True)
    settled(session)
    editor.refresh()
    laid_out()
    missed = [row for row in rows if row.detail.text() in ("Missed", "Too far", "Blocked")]
    assert missed
    assert all(row.error.text().endswith(("cm", "mm", "°")) and "reach" in row.toolTip() for row in missed)
    assert [columns(row) for row in rows] == before
    for left, right in pairwise(before[0][2:]):
        assert left[0] + left[1] <= right[0]
    for row in rows:
        right = row.delete.mapTo(area.viewport(), QPoint(row.delete.width(), 0)).x()
        assert right <= area.viewport().width()
        assert row.error.fontMetrics().horizontalAdvance(row.error.text()) <= row.error.width()


def ground(row: EffectorRow) -> str:
    """The colour of the tolerance field's ground, beside its number."""
    picture = row.tolerance.grab()
    return picture.toImage().pixelColor(picture.width() - 5, picture.height() // 2).name()


def test_a_loose_rows_tolerance_is_quiet_until_one_points_at_it_or_it_is_strict(editor: Editor) -> None:
    rows, theme = editor.panels.effectors.rows, current_theme()
    active = editor.session.active
    assert active is not None
    for row, effector in zip(rows, active.effectors, strict=True):
        assert ground(row) == (theme.panel if effector.loose else theme.field)
    loose = next(row for row, effector in zip(rows, active.effectors, strict=True) if effector.loose)
    loose.tolerance.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)  # a pointer that no test can place on every platform
    assert ground(loose) == theme.field
    loose.tolerance.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    QTest.mouseClick(loose.strict, Qt.MouseButton.LeftButton)
    settled(editor.session)
    editor.refresh()
    assert ground(loose) == theme.field


def test_a_tolerances_mark_does_not_cross_its_number(editor: Editor) -> None:
    active, theme = editor.session.active, current_theme()
    assert active is not None
    for row, effector in zip(editor.panels.effectors.rows, active.effectors, strict=True):
        picture = row.tolerance.grab().toImage()
        for x in range(3, picture.width() - 3):
            column = {picture.pixelColor(x, y).name() for y in range(3, picture.height() - 3)}
            assert theme.muted not in column, (effector.tolerance, x)


def test_how_a_handle_is_met_is_read_in_full_beside_a_short_number(editor: Editor) -> None:
    """“Tolerat…” stood before a gap that was kept for a longer number."""
    editor.window.resize(1093, 614)  # a screen of 1366 x 768 at 125%
    laid_out()
    active = editor.session.active
    assert active is not None
    row, effector = editor.panels.effectors.rows[-1], replace(active.effectors[-1], loose=False)
    row.show_effector(effector, EffectorStatus(Residual(np.radians(9.1), "tolerated")), selected=False)
    laid_out()
    assert (row.detail.shown(), row.error.shown()) == ("Tolerated", "9.1°")
    row.show_effector(effector, EffectorStatus(Residual(0.0, "met")), selected=False)
    laid_out()
    assert (row.detail.shown(), row.error.shown()) == ("Look-at", "0.0°")
