"""Somebody still begins to move: frames of their own, keys set by hand and by posing."""

from __future__ import annotations

import time

import numpy as np
import pytest
from copies import copy_of
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse, frame_of, keys_of, set_moving
from window_driver import ViewMouse, laid_out, place_of, settled, strike

from app.document import edits
from app.document.model.figure import skeleton_of
from app.panels.timeline.lanes import FOOT, lanes_of
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
LEFT, KEY = Qt.MouseButton.LeftButton, Qt.Key


@pytest.fixture
def mouse(editor: Editor) -> TimelineMouse:
    """The timeline of somebody who was still and is to move: 120 frames."""
    settled(editor.session)
    QTest.mouseClick(editor.panels.timeline.animate[1], LEFT)
    editor.refresh()
    laid_out()
    return TimelineMouse(editor)


@pytest.mark.slow
def test_a_still_person_is_animated_by_posing_at_frames(editor: Editor, mouse: TimelineMouse) -> None:
    assert mouse.track.isVisible()
    assert keys_of(editor) == [0]
    mouse.to_frame(60)
    still = editor.session.active.pose
    view = ViewMouse(editor)
    wrist = next(e for e in editor.session.active.effectors if e.joint == "left_wrist")
    view.drag(view.place(wrist.target), QPoint(5, -20), QPoint(20, -60), QPoint(30, -90))
    settled(editor.session)
    assert keys_of(editor) == [0, 60]
    mouse.to_frame(30)
    assert editor.session.active.pose != still, "between the keys"
    assert mouse.track.marks.reach == ((1, 59),)
    for _ in range(2):
        editor.session.undo()
    editor.refresh()
    assert mouse.track.isHidden()
    assert mouse.timeline.still.isVisible()


def test_the_key_that_sets_keys_begins_a_motion_where_all_is_still_and_undo_ends_it(editor: Editor) -> None:
    settled(editor.session)
    strike(editor, KEY.Key_I)
    assert len(editor.session.active.clip) == 120
    assert keys_of(editor) == [0]
    assert editor.panels.timeline.track.isVisible()
    assert editor.session.history.steps()[-1] == "Animate"
    editor.session.undo()
    assert len(editor.session.active.clip) == 1


def test_how_many_frames_there_are_is_typed(editor: Editor, mouse: TimelineMouse) -> None:
    mouse.activate()
    QTest.mouseClick(mouse.timeline.length, LEFT)
    for key in "250":
        mouse.press(key)
    mouse.press(KEY.Key_Return)
    assert len(editor.session.active.clip) == 250
    assert mouse.timeline.length.number() == 250
    mouse.to_frame(1000)
    assert frame_of(editor) == 249
    set_moving(editor, 40)
    assert mouse.timeline.length.isHidden(), "a motion is as long as it is"
    assert mouse.timeline.label.text().startswith("of 40")


def test_where_pasted_keys_would_be_behind_the_last_frame_a_greater_length_gives_them_room(
    editor: Editor, mouse: TimelineMouse
) -> None:
    notices = editor.window.status.notices
    mouse.to_frame(20)
    mouse.strike(KEY.Key_I)
    mouse.strike(KEY.Key_A, Qt.KeyboardModifier.ControlModifier)
    mouse.strike(KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    mouse.to_frame(110)
    mouse.strike(KEY.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert keys_of(editor) == [0, 20, 110]
    assert notices.shown == "1 of 2 keys pasted; the rest would be beyond the end; type a greater length first"
    mouse.activate()
    QTest.mouseClick(mouse.timeline.length, LEFT)
    for key in (*"150", KEY.Key_Return):
        mouse.press(key)
    mouse.strike(KEY.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert keys_of(editor) == [0, 20, 110, 130]


@pytest.mark.sweep
@pytest.mark.parametrize("how", ["button", "key on the timeline", "key in the view"])
def test_a_key_is_set_and_taken_out_where_one_is(editor: Editor, mouse: TimelineMouse, how: str) -> None:
    def do() -> list[int]:
        if how == "button":
            QTest.mouseClick(mouse.timeline.key, LEFT)
        elif how == "key in the view":
            strike(editor, KEY.Key_I)
        else:
            mouse.strike(KEY.Key_I)
        assert mouse.timeline.key.isChecked() == editor.panels.timeline.chosen.is_here
        return keys_of(editor)

    mouse.to_frame(20)
    assert not mouse.timeline.key.isChecked()
    assert do() == [0, 20]
    assert do() == [0]
    mouse.to_frame(0)
    assert do() == [0], "everybody has at least one"
    assert "stays" in editor.window.status.notices.shown


def test_a_still_person_is_animated_from_the_keyboard_and_one_who_moves_is_not_anew(editor: Editor) -> None:
    settled(editor.session)
    titles: list[str] = []

    timer = QTimer(editor, interval=5)

    def search() -> None:
        for found in editor.window.findChildren(CommandSearch):
            if found.isVisible():
                timer.stop()
                QTest.keyClicks(found.field, "key frames")
                titles.extend(found.list.topLevelItem(i).text(0) for i in range(found.list.topLevelItemCount()))
                QTest.keyClick(found.field, KEY.Key_Return)

    timer.timeout.connect(search)
    timer.start()
    strike(editor, KEY.Key_Slash)
    assert titles == ["Animate"]
    assert len(editor.session.document.actor("c1").clip) == 120
    assert editor.session.history.steps() == ("Animate",)
    editor.refresh()
    assert not editor.actions["time.animate"].isEnabled()
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(editor.session.document.actor("c1").clip) == 1


def test_a_still_person_beside_one_who_moves_can_begin_to_for_the_same_time(editor: Editor) -> None:
    session = editor.session
    session.edit("Copy", edits.add_character(copy_of(session.document, "c1")))
    set_moving(editor, 50, fps=15.0)
    session.select("c2")
    editor.refresh()
    timeline = editor.panels.timeline
    assert timeline.track.isVisible()
    QTest.mouseClick(timeline.animate[0], LEFT)
    assert len(session.document.actor("c2").clip) == 99, "as many frames as go by at 30 a second"
    assert timeline.animate[0].isHidden()
    session.select("c1")
    editor.refresh()
    assert timeline.track.clock.frames == 50


@pytest.mark.slow
def test_somebody_animated_in_the_middle_of_a_motion_is_posed_at_the_frame_of_the_playhead(
    editor: Editor,
) -> None:
    session, view, mouse = editor.session, ViewMouse(editor), TimelineMouse(editor)
    session.edit("Copy", edits.add_character(copy_of(session.document, "c1")))
    set_moving(editor, 50)
    mouse.to_frame(20)
    session.select("c2")
    editor.refresh()
    QTest.mouseClick(editor.panels.timeline.animate[0], LEFT)
    for repeated in range(2):
        editor.refresh()
        assert (mouse.timeline.player.frame, frame_of(editor, "c2")) == (20, 20), repeated
        mouse.strike(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
        mouse.strike(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    view.drag(view.place(place_of(editor, "left_wrist")), QPoint(0, -30))
    settled(session)
    assert keys_of(editor, "c2") == [0, 20]


def test_a_key_that_is_dragged_says_how_far_and_shows_where_it_came_from(editor: Editor, mouse: TimelineMouse) -> None:
    mouse.to_frame(20)
    mouse.strike(KEY.Key_I)
    before = np.array(mouse.timeline.grab().toImage().bits())
    mouse.drag(mouse.on("keys", 20), mouse.on("keys", 30), mouse.on("keys", 40), release=False)
    assert mouse.timeline.label.text() == "Key moved by +20 frames"
    assert mouse.timeline.chosen.origin == (20,)
    assert not np.array_equal(before, np.array(mouse.timeline.grab().toImage().bits()))
    mouse.release(mouse.on("keys", 40))
    assert mouse.timeline.chosen.origin == ()
    assert keys_of(editor) == [0, 40]


def test_planted_feet_are_bars_and_are_held_at_the_press_of_a_button(editor: Editor) -> None:
    session, timeline = editor.session, editor.panels.timeline
    pose = session.active.pose
    roots = np.tile(pose.root_position, (90, 1))
    roots[30:60, 1] += np.sin(np.linspace(0, np.pi, 30)) * 0.3  # a jump
    session.edit("Jump", edits.import_motion("c1", Motion(roots, np.broadcast_to(pose.rotations, (90, 24, 3, 3)))))
    editor.refresh()
    laid_out()
    both = {foot: [bar[1:] for bar in timeline.track.marks.contacts if bar[0] == foot] for foot in (0, 1)}
    assert [len(bars) for bars in both.values()] == [2, 2]
    assert all(end <= 32 for _, end in (bars[0] for bars in both.values()))
    assert all(begin >= 57 for begin, _ in (bars[1] for bars in both.values()))
    assert not timeline.track.marks.held
    QTest.mouseClick(timeline.feet, LEFT)
    assert session.active.clip.between.contacts
    assert timeline.track.marks.held
    assert timeline.feet.isChecked()
    track, (foot, first, last) = timeline.track, timeline.track.marks.contacts[0]
    bar = QPoint(round(track.scale.x((first + last) / 2)), round(lanes_of(track.marks).feet + (foot + 0.5) * FOOT))
    QTest.mouseClick(track, LEFT, pos=bar)
    assert session.history.undo_text == "Let a planted foot go"
    assert not timeline.feet.isChecked(), "not all of them are held"
    QTest.mouseClick(timeline.feet, LEFT)
    assert track.marks.held
    assert not track.marks.free, "nobody loses the others by asking for the one that was let go of"
    assert session.history.undo_text == "Hold planted feet"
    QTest.mouseClick(timeline.feet, LEFT)
    assert not track.marks.held
    assert session.history.undo_text == "Let planted feet go"


@pytest.mark.slow
def test_onion_skin_shows_the_keys_before_and_after_the_frame_looked_at(editor: Editor, mouse: TimelineMouse) -> None:
    session = editor.session
    for frame, way in ((40, 0.2), (80, 0.4)):
        mouse.to_frame(frame)
        wrist = next(e for e in session.active.effectors if e.joint == "left_wrist")
        session.edit("Reach", edits.set_target("c1", wrist.id, wrist.target + np.float32([0, way, 0])), solve=True)
        settled(session)
    posed = {key.frame: key.pose for key in session.active.clip.keys}
    mouse.to_frame(60)
    strike(editor, KEY.Key_B, Qt.KeyboardModifier.ShiftModifier)
    figures = editor.viewport.scene.figures
    assert [figure.id for figure in figures] == ["c1", ("onion before", "c1"), ("onion after", "c1")]
    skeleton = skeleton_of(session.active)
    for figure, frame in zip(figures[1:], (40, 80), strict=True):
        assert figure.ghost
        assert figure.joints == pytest.approx(forward_kinematics(skeleton, posed[frame]).positions, abs=1e-5)
    before = figures[1]
    mouse.to_frame(61)
    assert editor.viewport.scene.figures[1] is before, "nothing of it changes from frame to frame"
    mouse.to_frame(0)
    assert [figure.id for figure in editor.viewport.scene.figures] == ["c1", ("onion after", "c1")]
    strike(editor, KEY.Key_B, Qt.KeyboardModifier.ShiftModifier)
    assert len(editor.viewport.scene.figures) == 1


@pytest.mark.slow
def test_a_scrub_over_a_thousand_frames_takes_less_than_a_sixtieth_of_a_second_for_each(editor: Editor) -> None:
    set_moving(editor, 1000, tuple(range(5, 1000, 5)))
    start = time.thread_time()
    for frame in range(1000):
        editor.player.go_to(frame)
    assert time.thread_time() - start < 1000 / 60
    assert frame_of(editor) == 999
    assert editor.panels.timeline.field.number() == 1000


def test_somebody_still_has_no_key_and_the_button_for_keys_sets_one_at_the_playhead(editor: Editor) -> None:
    session, mouse = editor.session, TimelineMouse(editor)
    set_moving(editor, 50)
    mouse.to_frame(20)
    strike(editor, KEY.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert session.active.id == "c2"
    editor.refresh()
    laid_out()
    assert not mouse.timeline.key.isChecked()
    assert not editor.actions["time.set_key"].isChecked()
    assert mouse.track.marks.keys == ()
    pose = session.active.pose
    QTest.mouseClick(mouse.timeline.key, LEFT)
    assert keys_of(editor, "c2") == [0, 20]
    assert len(session.document.actor("c2").clip) == 50
    assert session.active.pose == pose
    assert mouse.timeline.key.isChecked()
    mouse.strike(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(session.document.actor("c2").clip) == 1, "one step"


def test_a_motion_of_one_frame_beside_a_longer_one_has_its_key_and_gets_no_other(editor: Editor) -> None:
    session, mouse = editor.session, TimelineMouse(editor)
    set_moving(editor, 50)
    mouse.to_frame(20)
    strike(editor, KEY.Key_A, Qt.KeyboardModifier.ShiftModifier)
    pose = session.active.pose
    one = Motion(pose.root_position[None], pose.rotations[None], 30.0)
    session.edit("Open", edits.import_motion("c2", one))
    editor.refresh()
    laid_out()
    said: list[str] = []
    mouse.timeline.chosen.said.connect(said.append)
    before = session.document
    QTest.mouseClick(mouse.timeline.key, LEFT)
    assert said == ["This key stays: a clip keeps at least one key"]
    assert session.document == before
    assert keys_of(editor, "c2") == [0]
