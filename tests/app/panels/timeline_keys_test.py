"""The timeline under the keyboard: what its keys do there, and that they mean what they always do elsewhere."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from timeline_driver import FRAMES, KEYS, TimelineMouse, frame_of, keys_of
from window_driver import settled, strike, until

from app.panels.timeline.key_selection import NONE_CHOSEN
from app.panels.widgets.field_editor import FieldEditor
from app.services.player import NO_BEGIN, NO_END
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT, NONE = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier


@pytest.mark.parametrize("where", ["timeline", "view"])
def test_arrows_step_by_frames_and_by_keys(desk: Editor, mouse: TimelineMouse, where: str) -> None:
    def press(key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> int:
        mouse.strike(key, keys) if where == "timeline" else strike(desk, key, keys)
        return frame_of(desk)

    assert press(KEY.Key_Right) == 1
    assert press(KEY.Key_Right) == 2
    assert press(KEY.Key_Left) == 1
    assert press(KEY.Key_Up) == 40
    assert press(KEY.Key_Up) == 60
    assert press(KEY.Key_Down) == 40
    desk.player.set_range(20, 90)
    assert press(KEY.Key_Right, SHIFT) == 90
    assert press(KEY.Key_Right) == 20, "over the end of the range to its beginning"
    assert press(KEY.Key_Left) == 90
    assert press(KEY.Key_Left, SHIFT) == 20
    desk.player.set_loop(loop=False)
    assert press(KEY.Key_Left) == 19


@pytest.mark.slow
def test_the_ends_of_the_range_are_set_and_gone_to_by_key(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.to_frame(50)
    mouse.strike(KEY.Key_Home, CTRL)
    mouse.to_frame(150)
    mouse.strike(KEY.Key_End, CTRL)
    assert (desk.player.clock.first, desk.player.clock.last) == (50, 150)
    mouse.strike(KEY.Key_Home)
    assert frame_of(desk) == 50
    mouse.strike(KEY.Key_End)
    assert frame_of(desk) == 150
    mouse.to_frame(180)
    mouse.strike(KEY.Key_Home, CTRL)
    assert (desk.player.clock.first, desk.player.clock.last) == (180, FRAMES - 1), "a range has a beginning and an end"


@pytest.mark.sweep
@pytest.mark.parametrize("where", ["timeline", "view"])
@pytest.mark.parametrize(("frame", "key", "said"), [(FRAMES - 1, KEY.Key_Home, NO_BEGIN), (0, KEY.Key_End, NO_END)])
def test_a_range_without_frames_is_refused_in_words(
    desk: Editor, mouse: TimelineMouse, frame: int, key: Qt.Key, said: str, where: str
) -> None:
    desk.player.set_range(20, 90)
    mouse.to_frame(frame)
    mouse.strike(key, CTRL) if where == "timeline" else strike(desk, key, CTRL)
    until(lambda: desk.window.status.notices.shown == said)
    assert (desk.player.clock.first, desk.player.clock.last) == (20, 90)


def test_comma_and_period_step_and_in_the_view_period_frames_what_is_selected(
    desk: Editor, mouse: TimelineMouse
) -> None:
    mouse.strike(KEY.Key_Period)
    mouse.strike(KEY.Key_Period)
    mouse.strike(KEY.Key_Comma)
    assert frame_of(desk) == 1
    camera = desk.viewport.camera
    strike(desk, KEY.Key_Period)
    until(lambda: desk.viewport.camera != camera)
    assert frame_of(desk) == 1


def test_keys_are_copied_pasted_and_deleted(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 40))
    mouse.click(mouse.on("keys", 60), SHIFT)
    mouse.strike(KEY.Key_C, CTRL)
    mouse.to_frame(90)
    mouse.strike(KEY.Key_V, CTRL)
    assert keys_of(desk) == [0, 40, 60, 90, 110, 130]
    assert desk.session.history.undo_text == "Paste 2 keys"
    assert mouse.timeline.chosen.frames == {90, 110}
    mouse.strike(KEY.Key_Delete)
    assert keys_of(desk) == [0, *KEYS]
    assert desk.session.history.undo_text == "Delete 2 keys"
    desk.session.undo()
    assert keys_of(desk) == [0, 40, 60, 90, 110, 130]


def test_what_was_said_of_keys_that_moved_goes_with_an_undo_or_the_key(desk: Editor, mouse: TimelineMouse) -> None:
    notices = desk.window.status.notices
    mouse.drag(mouse.on("keys", 40), mouse.on("keys", 45))
    assert notices.shown == "Key moved by +5 frames"
    strike(desk, KEY.Key_Z, CTRL)
    assert keys_of(desk) == [0, *KEYS]
    assert notices.shown == ""
    mouse.drag(mouse.on("keys", 40), mouse.on("keys", 45))
    assert notices.shown == "Key moved by +5 frames"
    mouse.strike(KEY.Key_Delete)
    assert keys_of(desk) == [0, *KEYS[1:]]
    assert notices.shown == ""


def test_keys_pasted_near_the_end_of_a_motion_stay_within_it(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 40))
    mouse.click(mouse.on("keys", 60), SHIFT)
    mouse.strike(KEY.Key_C, CTRL)
    mouse.to_frame(190)
    notices = desk.window.status.notices
    assert notices.shown == "2 keys copied; paste them at another frame"
    mouse.strike(KEY.Key_V, CTRL)
    assert keys_of(desk) == [0, *KEYS, 190]
    assert desk.session.history.undo_text == "Paste key"
    told = "1 of 2 keys pasted; the rest would be beyond the end"
    assert notices.shown == told, "at once, not after the notice of the copy has been read"


@pytest.mark.slow
def test_a_key_moved_twice_is_the_one_selected_after_each_undo_and_redo(desk: Editor, mouse: TimelineMouse) -> None:
    for frame, to in ((40, 70), (70, 60)):
        mouse.drag(mouse.on("keys", frame), mouse.on("keys", to))
    assert keys_of(desk) == [0, 60, 130]
    chosen = mouse.timeline.chosen
    for again, keys in ((70, CTRL), (40, CTRL), (70, CTRL | SHIFT), (60, CTRL | SHIFT), (70, CTRL), (40, CTRL)):
        mouse.strike(KEY.Key_Z, keys)
        assert chosen.frames == {again}
    mouse.strike(KEY.Key_Delete)
    assert keys_of(desk) == [0, 60, 130]


@pytest.mark.slow
def test_mirroring_somebody_who_moves_is_called_what_it_is_and_mirroring_a_part_is_a_key_here(
    desk: Editor, mouse: TimelineMouse
) -> None:
    session = desk.session
    mouse.to_frame(20)
    assert desk.actions["pose.mirror"].text() == "Mirror motion"
    strike(desk, KEY.Key_M, CTRL)
    assert session.history.undo_text == "Mirror motion"
    assert keys_of(desk) == [0, *KEYS]
    session.select("c1", [next(e.id for e in session.active.effectors if e.joint == "left_wrist")])
    strike(desk, KEY.Key_M, Qt.KeyboardModifier.AltModifier)
    assert keys_of(desk) == sorted([0, 20, *KEYS])
    desk.actions["pose.remove_person"].trigger()
    strike(desk, KEY.Key_A, SHIFT)
    assert desk.actions["pose.mirror"].text() == "Mirror pose"


def test_a_moving_person_keeps_a_key_and_is_told(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.strike(KEY.Key_A, CTRL)
    assert mouse.timeline.chosen.frames == {0, *KEYS}
    mouse.strike(KEY.Key_Delete)
    assert keys_of(desk) == [0]
    assert desk.window.status.notices.shown.startswith("The key at frame 1 stays")


@pytest.mark.sweep
@pytest.mark.parametrize(("key", "keys"), [(KEY.Key_Delete, NONE), (KEY.Key_Backspace, NONE), (KEY.Key_Left, ALT)])
def test_while_no_key_is_selected_those_that_would_change_it_say_so_and_no_handle_goes(
    desk: Editor, mouse: TimelineMouse, key: Qt.Key, keys: Qt.KeyboardModifier
) -> None:
    handles = [each.id for each in desk.session.active.effectors]
    desk.session.select("c1", handles[:1])
    mouse.to_frame(20)
    mouse.strike(key, keys)
    assert desk.window.status.notices.shown == NONE_CHOSEN
    assert [each.id for each in desk.session.active.effectors] == handles
    assert keys_of(desk) == [0, *KEYS], "nor was one set at this frame"


def test_copy_is_for_the_pose_while_no_key_is_selected(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.strike(KEY.Key_C, CTRL)
    assert desk.posing.clipboard.filled


def test_delete_in_the_view_leaves_selected_keys_alone(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 40))
    strike(desk, KEY.Key_Delete)
    assert keys_of(desk) == [0, *KEYS]


def test_escape_selects_no_keys(mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 40))
    mouse.strike(KEY.Key_Escape)
    assert mouse.timeline.chosen.frames == frozenset()


def test_plus_and_minus_zoom_and_a_shows_all(mouse: TimelineMouse) -> None:
    mouse.strike(KEY.Key_Plus)
    mouse.strike(KEY.Key_Plus, SHIFT)
    closer = mouse.track.scale.span
    assert closer < FRAMES / 1.4
    mouse.strike(KEY.Key_Minus)
    assert mouse.track.scale.span > closer
    mouse.strike(KEY.Key_A)
    assert mouse.track.scale.whole


def test_space_plays_on_the_timeline_too(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.strike(KEY.Key_Space)
    until(lambda: frame_of(desk) > 2)
    mouse.strike(KEY.Key_Space)
    assert not desk.player.playing


def typing(mouse: TimelineMouse) -> bool:
    return any(editor.isVisible() for editor in mouse.timeline.findChildren(FieldEditor))


def test_a_frames_number_is_typed_and_enter_goes_there(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.activate()
    QTest.mouseClick(mouse.timeline.field, Qt.MouseButton.LeftButton)
    for key in "122":
        mouse.press(key)
    assert frame_of(desk) == 0, "not before it is done"
    mouse.press(KEY.Key_Return)
    assert not typing(mouse)
    assert frame_of(desk) == 121
    assert QApplication.focusWidget() is desk.viewport, "keys are the view's again"
    mouse.press(KEY.Key_Right)
    assert frame_of(desk) == 122, "the arrows go on from there"
    camera, scale = desk.viewport.camera, mouse.track.scale
    mouse.press(KEY.Key_A)
    until(lambda: desk.viewport.camera != camera)
    assert mouse.track.scale == scale, "A frames what the view shows, not the timeline's frames"


def test_a_frames_number_that_is_asked_for_on_the_timeline_gives_the_keyboard_back_to_it(
    desk: Editor, mouse: TimelineMouse
) -> None:
    mouse.strike(KEY.Key_Return)
    assert typing(mouse)
    for key in "61":
        mouse.press(key)
    mouse.press(KEY.Key_Return)
    assert frame_of(desk) == 60
    assert QApplication.focusWidget() is mouse.track


def test_keys_copied_on_the_timeline_are_pasted_at_a_frame_that_was_typed_though_the_view_has_the_keyboard_then(
    desk: Editor, mouse: TimelineMouse
) -> None:
    mouse.click(mouse.on("keys", 40))
    mouse.strike(KEY.Key_C, CTRL)
    field = mouse.timeline.field
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    for key in "91":
        mouse.press(key)
    mouse.press(KEY.Key_Return)
    assert QApplication.focusWidget() is desk.viewport
    strike(desk, KEY.Key_V, CTRL)
    assert keys_of(desk) == [0, 40, 60, 90, 130]
    strike(desk, KEY.Key_C, CTRL)
    mouse.to_frame(100)
    strike(desk, KEY.Key_V, CTRL)
    assert keys_of(desk) == [0, 40, 60, 90, 130], "what was copied since is pasted: a pose"


def test_escape_leaves_the_frame_and_what_is_no_number_does_too(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.to_frame(30)
    mouse.strike(KEY.Key_Return)
    assert typing(mouse)
    for key in "99":
        mouse.press(key)
    mouse.press(KEY.Key_Escape)
    assert not typing(mouse)
    assert frame_of(desk) == 30
    mouse.strike(KEY.Key_Return)
    for key in "abc":
        mouse.press(key)
    mouse.press(KEY.Key_Return)
    assert frame_of(desk) == 30


@pytest.mark.slow
def test_numbers_beyond_the_motion_go_to_its_ends(desk: Editor, mouse: TimelineMouse) -> None:
    for text, frame in (("0", 0), ("-5", 0), ("9999", FRAMES - 1), ("40+2", 41), ("1,5", 1)):
        mouse.to_frame(30)
        mouse.strike(KEY.Key_Return)
        for key in text:
            mouse.press(key)
        mouse.press(KEY.Key_Return)
        assert frame_of(desk) == frame, text
        settled(desk.session)


@pytest.mark.slow
def test_without_a_mouse_single_keys_are_selected_moved_and_copied(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.strike(KEY.Key_Up)
    mouse.strike(KEY.Key_Up, SHIFT)
    mouse.strike(KEY.Key_Right, ALT)
    mouse.strike(KEY.Key_Right, ALT)
    assert keys_of(desk) == [0, 42, 60, 130]
    mouse.strike(KEY.Key_Up)
    assert frame_of(desk) == 42
    mouse.strike(KEY.Key_Up)
    mouse.strike(KEY.Key_Up, SHIFT)
    mouse.strike(KEY.Key_Left, ALT)
    assert keys_of(desk) == [0, 41, 59, 130], "both are selected and go together"
    mouse.strike(KEY.Key_Z, CTRL)
    assert keys_of(desk) == [0, 42, 60, 130]
    mouse.strike(KEY.Key_Up, SHIFT)
    mouse.strike(KEY.Key_Delete)
    assert keys_of(desk) == [0, 60, 130], "the key at the frame looked at was taken out of the selection"


def test_keys_that_are_passed_over_by_the_keyboard_come_back_and_one_undo_takes_the_moves_back(
    desk: Editor, mouse: TimelineMouse
) -> None:
    mouse.drag(mouse.on("keys", 40), mouse.on("keys", 57))
    for _ in range(4):
        mouse.strike(KEY.Key_Right, ALT)
        if keys_of(desk) == [0, 60, 130]:
            until(lambda: not desk.jobs.busy)  # frames between keys are folded in; a slow hand goes on as well
    assert keys_of(desk) == [0, 60, 61, 130]
    assert desk.window.status.notices.shown == "Key moved by +4 frames"
    mouse.strike(KEY.Key_Z, CTRL)
    assert keys_of(desk) == [0, 57, 60, 130], "one step for all presses"


def test_a_key_that_can_go_no_further_says_so(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 0))
    mouse.strike(KEY.Key_Left, ALT)
    assert keys_of(desk) == [0, *KEYS]
    assert desk.window.status.notices.shown == "Keys go no further than the first and the last frame"


def test_where_there_is_no_key_none_is_selected_and_it_is_said_how_to_get_to_one(
    desk: Editor, mouse: TimelineMouse
) -> None:
    mouse.strike(KEY.Key_Right)
    mouse.strike(KEY.Key_Up, SHIFT)
    until(lambda: "Down and Up go to one" in desk.window.status.notices.shown)
    mouse.strike(KEY.Key_Right, ALT)
    assert keys_of(desk) == [0, *KEYS]


def test_f6_comes_to_the_keys_of_the_timeline_and_shift_tab_to_its_buttons(desk: Editor) -> None:
    desk.viewport.setFocus()
    strike(desk, KEY.Key_F6)
    timeline = desk.panels.timeline
    assert QApplication.focusWidget() is timeline.track
    QTest.keyClick(timeline.track, KEY.Key_Backtab, SHIFT)
    assert timeline.controls.isAncestorOf(QApplication.focusWidget())
