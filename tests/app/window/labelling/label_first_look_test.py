"""A picture may be checked only once it has been seen, and it comes up together with its people."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelling_driver import at, bar, label, walk
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import activated, strike, until

from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = HELD.ControlModifier, HELD.ShiftModifier, HELD.AltModifier


@pytest.mark.parametrize("held", [CTRL, CTRL | SHIFT])
def test_a_key_that_is_struck_twice_decides_on_the_picture_that_was_seen_alone(
    begun: Editor, folder: Path, held: Qt.KeyboardModifier
) -> None:
    activated(begun.window)
    begun.viewport.setFocus()
    begun.refresh()
    for _ in range(2):
        QTest.keyClick(begun.viewport, KEY.Key_Return, held)
    until(lambda: walk(begun).place == 1 or walk(begun).opening != "")
    QTest.keyClick(begun.viewport, KEY.Key_Return, held)
    at(begun, 2)
    assert (label(folder, "a")["checked"], label(folder, "a")["usable"]) == (held == CTRL, held == CTRL)
    assert (label(folder, "b")["checked"], label(folder, "b")["usable"]) == (False, True)
    until(bar(begun).check.isEnabled)
    strike(begun, KEY.Key_Return, held)
    at(begun, 3)
    assert label(folder, "b")["usable"] is (held == CTRL)


def test_the_button_waits_until_the_picture_has_been_seen_and_says_so_for_the_key(begun: Editor) -> None:
    assert bar(begun).check.isEnabled()
    activated(begun.window)
    QTest.keyClick(begun.viewport, KEY.Key_Right, ALT)
    until(lambda: walk(begun).place == 1)
    assert not bar(begun).check.isEnabled()
    QTest.keyClick(begun.viewport, KEY.Key_Return, CTRL)
    assert "b.png has only just come up" in begun.window.status.notice.text()
    until(bar(begun).check.isEnabled)
    assert walk(begun).place == 1
    QTest.keyClick(begun.viewport, KEY.Key_Right, ALT)
    at(begun, 3)
    assert "b.png" not in begun.window.status.notice.text(), "it is about a picture that is not open any more"


def test_a_picture_and_its_people_come_up_together(begun: Editor) -> None:
    photos = []

    def note(_ms: float) -> None:
        photo = begun.session.document.photo
        assert photo is not None
        photos.append((Path(photo.path).name, begun.viewport.scene.backplate is not None))

    begun.viewport.painted.connect(note)
    for key, number in ((KEY.Key_Right, 2), (KEY.Key_Right, 3), (KEY.Key_Left, 2)):
        strike(begun, key, ALT)
        at(begun, number)
    begun.viewport.painted.disconnect(note)
    assert {name for name, _ in photos} >= {"b.png", "c.png"}
    assert all(there for _, there in photos)


@pytest.mark.sweep("16777220-KeyboardModifier.ControlModifier")
@pytest.mark.parametrize(("key", "held"), [(KEY.Key_Return, CTRL), (KEY.Key_Right, ALT)])
def test_a_picture_is_not_left_while_somebody_in_it_is_being_read_as_that_would_be_lost(
    begun: Editor, folder: Path, key: Qt.Key, held: Qt.KeyboardModifier
) -> None:
    strike(begun, KEY.Key_R, SHIFT)
    assert begun.jobs.busy
    strike(begun, key, held)
    assert walk(begun).place == 0
    assert walk(begun).opening == ""
    assert "is still being read" in begun.window.status.notice.text()
    assert label(folder, "a")["checked"] is False
    until(lambda: not begun.jobs.busy)
    strike(begun, key, held)
    at(begun, 2)
