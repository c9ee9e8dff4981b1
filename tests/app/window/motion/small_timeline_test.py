"""The timeline on a screen of 1024 x 700 at 150%: what one clicks in it is whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from small_window import make_small, used, whole
from timeline_driver import set_moving
from window_driver import laid_out, settled, until

from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def small(editor: Editor) -> Editor:
    """The window at that size."""
    make_small(editor)
    return editor


def test_the_timeline_is_played_and_its_curves_opened_by_clicks(small: Editor) -> None:
    set_moving(small, 30, keys=(10,))
    timeline = small.panels.timeline
    seen = [each for each in used(timeline.controls)]
    assert timeline.play in seen
    assert [each for each in seen if not whole(each)] == []
    ordered = sorted((QRect(each.mapTo(timeline, QPoint()), each.size()) for each in seen), key=QRect.left)
    assert all(a.right() < b.left() for a, b in pairwise(ordered))
    QTest.mouseClick(timeline.play, LEFT)
    assert small.player.playing
    QTest.mouseClick(timeline.play, LEFT)
    QTest.mouseClick(timeline.curves, LEFT)
    laid_out()
    assert whole(small.panels.curves)
    assert whole(small.panels.curves.close_button)


def test_the_button_that_lets_a_still_prop_move_beside_a_motion_is_whole(small: Editor) -> None:
    set_moving(small, 30)
    small.actions["prop.box"].trigger()
    settled(small.session)
    animate, _ = small.panels.timeline.animate
    until(lambda: whole(animate) and animate.width() >= animate.sizeHint().width())
    assert animate.fontMetrics().horizontalAdvance(animate.text()) <= animate.width()
    QTest.mouseClick(animate, LEFT)
    laid_out()
    assert len(small.session.document.props[0].clip) == 30
    until(lambda: all(whole(button) for button in small.panels.timeline.to_key))  # they come back with the first key
