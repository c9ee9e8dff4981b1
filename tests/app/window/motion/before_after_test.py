"""The motion before the edit: as a ghost while scrubbing and playing, and alone while a key or the button is held."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from timeline_driver import TimelineMouse, set_moving
from window_driver import Clock, ViewMouse, laid_out, settled, strike, until

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.over_time.source_motion import source_motion, source_pose
from app.window.editor import Editor
from rendering.scene.values import Figure
from solver.kinematics.fk import forward_kinematics

pytestmark = pytest.mark.gl
KEY, LEFT = Qt.Key, Qt.MouseButton.LeftButton
GHOST, FRAMES, FPS = ("before", "c1"), 60, 30.0


@pytest.fixture
def window_clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with somebody who moves, and whose left wrist was raised at frame 30."""
    set_moving(editor, FRAMES)
    session = editor.session
    editor.player.go_to(30)
    wrist = next(e for e in session.active.effectors if e.joint == "left_wrist")
    session.edit("Raise", edits.set_target("c1", wrist.id, wrist.target + np.float32([0, 0.4, 0.1])), solve=True)
    settled(session)
    until(lambda: not editor.in_betweens.missing("c1"))
    editor.refresh()
    laid_out()
    return editor


def figures(editor: Editor) -> dict[object, Figure]:
    return {figure.id: figure for figure in editor.viewport.scene.figures}


def before_at(editor: Editor, frame: int) -> np.ndarray:
    actor = editor.session.document.actor("c1")
    pose = source_pose(actor, frame)
    assert pose is not None
    return forward_kinematics(skeleton_of(actor.at(frame)), pose).positions


@pytest.mark.slow
def test_its_key_shows_the_source_motion_beside_the_edit_and_takes_it_away(desk: Editor) -> None:
    steps, menu = desk.session.history.steps(), desk.actions["view.before"]
    strike(desk, KEY.Key_M)
    shown = figures(desk)
    assert shown[GHOST].ghost
    assert shown[GHOST].joints == pytest.approx(before_at(desk, 30), abs=1e-6)
    assert np.abs(shown[GHOST].joints - shown["c1"].joints).max() > 0.2
    desk.refresh()
    assert menu.isChecked()
    assert desk.panels.timeline.before.isChecked()
    strike(desk, KEY.Key_M)
    assert GHOST not in figures(desk)
    assert desk.session.history.steps() == steps


@pytest.mark.slow
def test_the_ghost_goes_along_while_scrubbing_and_playing_and_hides_where_nothing_was_changed(
    desk: Editor, window_clock: Clock
) -> None:
    strike(desk, KEY.Key_M)
    mouse = TimelineMouse(desk)
    mouse.drag(mouse.on("ruler", 30), mouse.on("ruler", 36), release=False)
    assert figures(desk)[GHOST].joints == pytest.approx(before_at(desk, 36), abs=1e-6)
    mouse.release(mouse.on("ruler", 36))
    strike(desk, KEY.Key_Space)
    window_clock.now_s += 4 / FPS
    desk.player.live.tick()
    assert desk.player.playing
    assert figures(desk)[GHOST].joints == pytest.approx(before_at(desk, 40), abs=1e-6)
    desk.player.go_to(0)
    assert GHOST not in figures(desk), "far from the key the edit is the motion itself"


@pytest.mark.slow
def test_the_button_on_the_timeline_and_the_menu_entry_switch_it_too(desk: Editor) -> None:
    button = desk.panels.timeline.before
    assert button.isVisible()
    assert "(M)" in button.toolTip()
    QTest.mouseClick(button, LEFT)
    assert GHOST in figures(desk)
    desk.refresh()
    desk.actions["view.before"].trigger()
    assert GHOST not in figures(desk)
    assert not desk.session.view.before
    desk.refresh()
    assert not button.isChecked()


@pytest.mark.slow
def test_while_its_key_is_held_the_motion_before_the_edit_is_seen_alone(desk: Editor) -> None:
    def send(kind: QEvent.Type, repeated: bool = False) -> None:
        event = QKeyEvent(kind, KEY.Key_N, Qt.KeyboardModifier.NoModifier, "n", repeated)
        QApplication.sendEvent(desk.viewport, event)

    edited = figures(desk)["c1"]
    desk.viewport.setFocus()
    send(QEvent.Type.KeyPress)
    assert figures(desk)["c1"].joints == pytest.approx(before_at(desk, 30), abs=1e-6)
    assert not desk.viewport.scene.handles, "what cannot be dragged is not shown"
    send(QEvent.Type.KeyRelease, repeated=True)
    send(QEvent.Type.KeyPress, repeated=True)
    assert desk.session.view.peek, "a key that is held repeats"
    seen: list[bool] = []
    desk.session.changed.connect(note := lambda: seen.append(desk.session.view.peek))
    for _ in range(3):
        send(QEvent.Type.KeyRelease)
        send(QEvent.Type.KeyPress)
        QTest.qWait(20)
    assert all(seen), "on X11 repeats may look like the key being let go of and pressed anew"
    desk.session.changed.disconnect(note)
    send(QEvent.Type.KeyRelease)
    until(lambda: not desk.session.view.peek)
    assert np.array_equal(figures(desk)["c1"].joints, edited.joints)
    assert desk.viewport.scene.handles


@pytest.mark.slow
def test_it_is_seen_alone_while_the_key_is_held_on_the_timeline_too(desk: Editor) -> None:
    mouse, edited = TimelineMouse(desk), figures(desk)["c1"].joints
    mouse.activate()
    mouse.click(mouse.on("ruler", 30))
    assert mouse.track.hasFocus()
    QTest.keyPress(desk.window.windowHandle(), KEY.Key_N)
    QApplication.processEvents()
    assert figures(desk)["c1"].joints == pytest.approx(before_at(desk, 30), abs=1e-6)
    QTest.keyRelease(desk.window.windowHandle(), KEY.Key_N)
    until(lambda: not desk.session.view.peek)
    assert np.array_equal(figures(desk)["c1"].joints, edited)


@pytest.mark.slow
def test_a_held_key_counts_as_released_where_another_window_takes_the_keyboard(desk: Editor) -> None:
    TimelineMouse(desk).activate()
    QTest.keyPress(desk.viewport, KEY.Key_N)
    assert desk.session.view.peek
    other = QWidget()
    other.show()
    assert QTest.qWaitForWindowExposed(other, 60_000)
    other.activateWindow()
    until(lambda: not desk.session.view.peek)
    other.close()


@pytest.mark.slow
def test_holding_the_button_shows_it_alone_and_switches_nothing(desk: Editor) -> None:
    button = desk.panels.timeline.before
    QTest.mousePress(button, LEFT)
    until(lambda: desk.session.view.peek)
    assert figures(desk)["c1"].joints == pytest.approx(before_at(desk, 30), abs=1e-6)
    QTest.mouseRelease(button, LEFT)
    assert not desk.session.view.peek
    assert not button.isChecked()
    assert not desk.session.view.before
    laid_out()
    QTest.mouseClick(button, LEFT)
    assert desk.session.view.before


@pytest.mark.slow
def test_posing_ends_the_look_back(desk: Editor) -> None:
    QTest.keyPress(desk.viewport, KEY.Key_N)
    hips = ViewMouse(desk).place(before_at(desk, 30)[0])
    ViewMouse(desk).drag(hips, QPoint(4, 0), QPoint(12, 0))
    assert not desk.session.view.peek


def test_a_clip_of_one_key_without_a_source_motion_has_no_before(editor: Editor) -> None:
    session = editor.session
    session.edit("Animate", edits.set_clip_length("c1", 60))
    editor.refresh()
    strike(editor, KEY.Key_M)
    strike(editor, KEY.Key_N)
    assert set(figures(editor)) == {"c1"}
    assert not editor.panels.timeline.before.isEnabled()
    actor = session.document.actor("c1")
    assert source_pose(actor, 0) is None
    assert source_motion(actor) is None


@pytest.mark.slow
def test_the_base_poses_ghost_is_not_drawn_twice(desk: Editor) -> None:
    desk.player.go_to(33)
    strike(desk, KEY.Key_B)
    assert ("ghost", "c1") in figures(desk)
    strike(desk, KEY.Key_M)
    assert set(figures(desk)) == {"c1", GHOST}


@pytest.mark.slow
def test_the_whole_source_motion_is_the_poses_of_its_frames_in_the_world(desk: Editor) -> None:
    desk.session.edit("Move", edits.move_character("c1", np.array([0.5, 0.0, 0.2])))
    actor = desk.session.document.actor("c1")
    motion = source_motion(actor)
    assert motion is not None
    assert len(motion) == FRAMES
    for frame in (0, 30, 59):
        pose = source_pose(actor, frame)
        assert pose is not None
        assert np.array_equal(motion.root_positions[frame], pose.root_position)
        assert np.array_equal(motion.rotations[frame], pose.rotations)
    assert motion.root_positions[0, 0] == pytest.approx(actor.at(0).pose.root_position[0], abs=1e-5)
