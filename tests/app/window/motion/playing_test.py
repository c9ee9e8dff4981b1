"""Playing a motion in the real window, by Space and by the button."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, key
from document_samples import random_pose
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from small_window import scrolled_to
from timeline_driver import TimelineMouse
from window_driver import NO_KEYS, Clock, ViewMouse, activated, double_click, move_held, settled, strike, until

from app.document import edits
from app.document.model.document import Character
from app.document.posing.create import new_character
from app.window.editor import Editor
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
FRAMES, FPS = 40, 30.0


def walking(editor: Editor) -> Character:
    return editor.session.document.character("c1")


def keys(editor: Editor) -> list[int]:
    return [key.frame for key in walking(editor).clip.keys]


def wrist(editor: Editor) -> QPoint:
    return ViewMouse(editor).place(next(e for e in walking(editor).effectors if e.joint == "right_wrist").target)


def go_on(editor: Editor, clock: Clock, frames: int) -> None:
    """Let the time of so many frames of the motion pass, and the window see it."""
    clock.now_s += frames / FPS
    editor.player.live.tick()


def play_past(editor: Editor, clock: Clock, frame: int) -> None:
    strike(editor, Qt.Key.Key_Space)
    clock.now_s += (frame + 1) / FPS
    until(lambda: walking(editor).frame > frame)


@pytest.fixture
def window_clock() -> Clock:
    return Clock()


@pytest.fixture
def walker(editor: Editor) -> Editor:
    """The window with somebody who has a motion."""
    rng = np.random.default_rng(0)
    poses = [random_pose(rng, 0.1) for _ in range(FRAMES)]
    roots = np.stack([np.linspace(0, 1, FRAMES), np.full(FRAMES, 0.95), np.zeros(FRAMES)], axis=1)
    motion = Motion(roots, np.stack([pose.rotations for pose in poses]), FPS)
    editor.session.edit("Import", edits.import_motion("c1", motion))
    settled(editor.session)
    editor.refresh()
    return editor


def test_space_plays_the_motion_and_edits_nothing(walker: Editor, window_clock: Clock) -> None:
    session, bar = walker.session, walker.panels.timeline
    document, steps = session.history.document, session.history.steps()
    kept = walker.autosave.write_now()
    assert isinstance(kept, Path)
    written = kept.stat().st_mtime_ns
    seen: set[int] = set()
    session.changed.connect(lambda: seen.add(session.view.frames["c1"]))
    strike(walker, Qt.Key.Key_Space)
    assert bar.play.isChecked()
    for shown in range(1, 5):
        window_clock.now_s += 1 / FPS
        until(lambda shown=shown: len(seen) >= shown)
    strike(walker, Qt.Key.Key_Space)
    assert not bar.play.isChecked()
    stopped = session.view.frames["c1"]
    go_on(walker, window_clock, 10)
    assert session.view.frames["c1"] == stopped
    assert bar.field.number() == stopped + 1
    assert session.history.document is document
    assert session.history.steps() == steps
    assert kept.stat().st_mtime_ns == written


def test_space_on_the_button_presses_the_button_once(walker: Editor) -> None:
    play = walker.panels.timeline.play
    play.setFocus()
    QTest.keyClick(play, Qt.Key.Key_Space)
    assert play.isChecked()
    QTest.keyClick(play, Qt.Key.Key_Space)
    assert not play.isChecked()


@pytest.mark.usefixtures("unfolded")
@pytest.mark.parametrize("which", ["stature", "tolerance"])
def test_space_plays_in_a_field_whose_number_was_just_typed(walker: Editor, which: str) -> None:
    panels = walker.panels
    field = scrolled_to(panels.body.stature if which == "stature" else panels.effectors.rows[2].tolerance)
    selected = walker.session.view.effectors
    activated(walker.window)
    double_click(field)
    QTest.keyClicks(walker.window.focusWidget(), "170" if which == "stature" else "0.3")
    QTest.keyClick(walker.window.focusWidget(), Qt.Key.Key_Return)
    settled(walker.session)
    assert walker.window.focusWidget() is field
    QTest.keyClick(field, Qt.Key.Key_Space)
    assert walker.player.playing
    QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Space, NO_KEYS, " ", True))  # held
    assert walker.player.playing
    QTest.keyClick(field, Qt.Key.Key_Space)
    assert not walker.player.playing
    assert walker.session.view.effectors == selected


@pytest.mark.parametrize("where", ["view", "timeline"])
def test_escape_pauses_at_the_frame_that_is_seen(where: str, walker: Editor, window_clock: Clock) -> None:
    play_past(walker, window_clock, 5)
    strike(walker, Qt.Key.Key_Escape) if where == "view" else TimelineMouse(walker).strike(Qt.Key.Key_Escape)
    assert not walker.player.playing
    assert not walker.panels.timeline.play.isChecked()
    seen = walking(walker).frame
    assert seen > 5
    go_on(walker, window_clock, 10)
    assert walking(walker).frame == seen


def test_there_is_nothing_to_play_without_a_motion(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Space)
    assert not editor.player.playing
    assert editor.panels.timeline.track.isHidden()


def test_playing_ends_when_another_scene_is_opened(walker: Editor) -> None:
    strike(walker, Qt.Key.Key_Space)
    assert walker.player.playing
    walker.session.open(walker.files.fresh())
    assert not walker.player.playing
    assert not walker.panels.timeline.play.isChecked()


@pytest.mark.parametrize("leave", ["close", "new"])
def test_playing_stops_for_the_question_about_unsaved_changes(leave: str, walker: Editor, window_clock: Clock) -> None:
    play_past(walker, window_clock, 5)
    asked: list[tuple[bool, int]] = []

    def look(dialog: QDialog) -> None:
        before = walking(walker).frame
        go_on(walker, window_clock, 10)
        asked.append((walker.player.playing, walking(walker).frame - before))
        key(Qt.Key.Key_Escape)(dialog)

    with answering(look):
        walker.window.close() if leave == "close" else strike(walker, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert asked == [(False, 0)]
    assert walker.window.isVisible()


@pytest.mark.slow
def test_a_handle_caught_while_it_plays_poses_the_frame_where_it_was_caught_and_no_other(
    walker: Editor, window_clock: Clock
) -> None:
    mouse = ViewMouse(walker)
    play_past(walker, window_clock, 5)
    start = wrist(walker)
    QTest.mousePress(walker.viewport, Qt.MouseButton.LeftButton, NO_KEYS, start)
    caught = walking(walker).frame
    assert not walker.panels.timeline.play.isChecked()
    for way in range(1, 8):
        mouse.move(start + QPoint(2 * way, -6 * way))
        go_on(walker, window_clock, 2)
    mouse.release(start + QPoint(14, -42))
    settled(walker.session)
    assert walking(walker).frame == caught
    assert keys(walker) == [0, caught]


def test_space_during_a_drag_does_not_play(walker: Editor) -> None:
    mouse, start = ViewMouse(walker), wrist(walker)
    mouse.drag(start, QPoint(5, -20), release=False)
    strike(walker, Qt.Key.Key_Space)
    assert not walker.player.playing
    mouse.release(start + QPoint(5, -20))
    settled(walker.session)
    assert keys(walker) == [0]


def test_an_edit_by_key_ends_playing_at_the_frame_that_it_posed(walker: Editor, window_clock: Clock) -> None:
    ankle = next(e for e in walking(walker).effectors if e.joint == "left_ankle")
    walker.session.select("c1", [ankle.id])
    play_past(walker, window_clock, 3)
    strike(walker, Qt.Key.Key_P)
    assert not walker.player.playing
    posed = walking(walker).frame
    settled(walker.session)
    assert keys(walker) == [0, posed]


@pytest.mark.parametrize("held", [NO_KEYS, Qt.KeyboardModifier.ShiftModifier])
def test_playing_ends_where_other_poses_are_looked_for(
    walker: Editor, window_clock: Clock, held: Qt.KeyboardModifier
) -> None:
    play_past(walker, window_clock, 10)
    strike(walker, Qt.Key.Key_V, held)
    assert not walker.player.playing, "else what is found never fits the frame that is seen"
    walker.pose_browsers.close()


def test_taking_the_playhead_pauses(walker: Editor, window_clock: Clock) -> None:
    mouse = TimelineMouse(walker)
    play_past(walker, window_clock, 2)
    mouse.drag(mouse.on("ruler", 20), release=False)
    assert not mouse.timeline.play.isChecked()
    taken = walking(walker).frame
    go_on(walker, window_clock, 10)
    assert walking(walker).frame == taken == 20
    mouse.release(mouse.on("ruler", 20))


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_a_shape_a_name_and_a_selection_leave_it_playing_and_set_no_key(walker: Editor, window_clock: Clock) -> None:
    play_past(walker, window_clock, 3)
    slider = walker.panels.body.sliders[0]
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, NO_KEYS, slider.rect().center())
    for way in range(5, 40, 5):
        move_held(slider, slider.rect().center() + QPoint(way, 0))
        go_on(walker, window_clock, 1)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, NO_KEYS, slider.rect().center() + QPoint(35, 0))
    walker.session.edit("Rename", edits.rename_character("c1", "Ann"))
    walker.session.select("c1", [walking(walker).effectors[0].id])
    settled(walker.session)
    assert walking(walker).shape.betas[0] > 0.3
    assert walker.player.playing
    assert keys(walker) == [0]


def test_playing_one_person_and_selecting_another_keeps_the_clock(walker: Editor, window_clock: Clock) -> None:
    session = walker.session
    another = new_character(session.document)
    session.edit("Another", edits.chain(edits.add_character(another), edits.set_clip_length(another.id, 200)))
    session.select("c1")
    play_past(walker, window_clock, 5)
    session.select("c2")
    walker.refresh()
    assert walker.player.playing
    assert walker.panels.timeline.play.isChecked()
    go_on(walker, window_clock, 10)
    frame = walking(walker).frame
    assert frame >= 15
    assert session.document.character("c2").frame == frame
    assert walker.panels.timeline.field.number() == frame + 1
    go_on(walker, window_clock, 50)
    assert walking(walker).frame == FRAMES - 1, "who has come to the end waits for the others"
    assert session.document.character("c2").frame == frame + 50


def test_the_range_is_played_over_and_over_or_once(walker: Editor, window_clock: Clock) -> None:
    mouse, seen = TimelineMouse(walker), []
    walker.session.changed.connect(lambda: seen.append(walking(walker).frame))
    mouse.drag(mouse.on("range", 0), mouse.on("range", 5), mouse.on("range", 10))
    mouse.drag(mouse.on("range", FRAMES - 1), mouse.on("range", 20))
    strike(walker, Qt.Key.Key_Space)
    for _ in range(30):
        go_on(walker, window_clock, 1)
    assert set(seen[-25:]) == set(range(10, 21))
    QTest.mouseClick(mouse.timeline.loop, Qt.MouseButton.LeftButton)
    assert walker.player.playing
    go_on(walker, window_clock, 40)
    assert walking(walker).frame == 20
    assert not walker.player.playing
    assert not mouse.timeline.play.isChecked()


def test_keys_moved_while_it_plays_leave_it_playing(walker: Editor, window_clock: Clock) -> None:
    walker.session.edit("Set", edits.set_key("c1", 20))
    play_past(walker, window_clock, 3)
    mouse = TimelineMouse(walker)
    mouse.drag(mouse.on("keys", 20), mouse.on("keys", 24), mouse.on("keys", 30))
    assert keys(walker) == [0, 30]
    assert walker.player.playing


def test_a_window_that_closes_plays_no_more(walker: Editor) -> None:
    strike(walker, Qt.Key.Key_Space)
    assert walker.player.playing
    walker.session.history.mark_saved()
    walker.window.close()
    assert not walker.player.playing
