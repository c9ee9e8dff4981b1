"""The wheel over panels and dialogs scrolls: it changes no value under the pointer, unless that has the keyboard."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from dialog_driver import answering
from prop_driver import added
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QPushButton, QWidget
from trackers_driver import opened
from window_driver import laid_out, settled, strike, with_keyboard

from app.dialogs.export_dialog import ExportDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def roll_over(widget: QWidget) -> None:
    """Turn the wheel a notch up and one down over the middle of a widget."""
    at = QPointF(widget.rect().center())
    for notch in (120, -120, -120):
        event = QWheelEvent(
            at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, notch), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)


def shown_in(parents: Sequence[QWidget]) -> list[QWidget]:
    return [each for parent in parents for each in parent.findChildren(QWidget) if each.isVisible()]


@pytest.mark.usefixtures("unfolded")
def test_the_wheel_over_any_field_of_the_panels_changes_nothing(editor: Editor) -> None:
    added(editor)
    editor.panels.base_pose.advanced.set_open(True)
    laid_out()
    every = shown_in([*editor.panels.left, *editor.panels.right])
    assert len(every) > 100
    before = editor.session.document, editor.session.view, editor.settings.values
    for field in every:
        roll_over(field)
    settled(editor.session)
    assert (editor.session.document, editor.session.view, editor.settings.values) == before


def values(fields: Sequence[QAbstractSpinBox | QComboBox]) -> list[str]:
    return [each.currentText() if isinstance(each, QComboBox) else each.text() for each in fields]


@pytest.mark.parametrize("page", ["Film", "BVH"])
def test_the_wheel_over_a_field_of_the_export_dialog_changes_it_only_with_the_keyboard(
    page: str, editor: Editor
) -> None:
    done: list[list[str]] = []

    def roll(dialog: ExportDialog) -> None:
        with_keyboard(dialog)
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == page), LEFT)
        laid_out()
        fields = [f for f in shown_in([dialog]) if isinstance(f, QAbstractSpinBox | QComboBox)]
        dialog.format.setFocus()
        before = values(fields)
        for field in fields:
            roll_over(field)
        done.extend((before, values(fields)))
        for box in (f for f in fields if isinstance(f, QAbstractSpinBox)):
            was = box.text()
            box.setFocus()
            roll_over(box)
            done.append([was, box.text()])
        dialog.reject()

    with answering(roll):
        strike(editor, Qt.Key.Key_E, CONTROL)
    assert len(done[0]) >= 2
    assert done[0] == done[1]
    assert all(was != now for was, now in done[2:])


def test_the_wheel_over_the_port_that_trackers_are_heard_at_leaves_it(editor: Editor) -> None:
    panel = opened(editor)
    QTest.mouseClick(panel.source.kind.button("network"), LEFT)
    laid_out()
    port = panel.source.port.value()
    panel.source.reach.setFocus()
    roll_over(panel.source.port)
    assert panel.source.port.value() == port
    assert not panel.source.port.hasFocus()
    panel.close()
