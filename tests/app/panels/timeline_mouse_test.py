"""The timeline under the mouse: playhead, keys, range, zoom. Real presses and drags in the real window."""

from __future__ import annotations

import pytest
from copies import copy_of
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from timeline_driver import FRAMES, KEYS, TimelineMouse, frame_of, keys_of, set_moving
from window_driver import NO_KEYS, laid_out, move_held, settled, strike, until

from app.document import edits
from app.look.mnemonics import unmarked
from app.window.editor import Editor

pytestmark = pytest.mark.gl
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def wheel(mouse: TimelineMouse, place: QPoint, turn: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    event = QWheelEvent(
        QPointF(place), QPointF(mouse.track.mapToGlobal(place)), QPoint(), turn, Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(mouse.track, event)


def test_a_press_on_the_ruler_goes_there_and_drags_on_without_a_step(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.drag(mouse.on("ruler", 150), release=False)
    assert frame_of(desk) == 150
    for frame in (90, 33):
        move_held(mouse.track, mouse.on("ruler", frame))
    mouse.release(mouse.on("ruler", 33))
    assert frame_of(desk) == 33
    assert mouse.timeline.field.number() == 34
    assert not desk.session.history.dirty


def test_a_scrub_past_the_edges_stays_on_the_first_and_the_last_frame(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.drag(mouse.on("ruler", 50), QPoint(-300, 20), release=False)
    assert frame_of(desk) == 0
    mouse.release(QPoint(-300, 20))
    mouse.drag(mouse.on("ruler", 50), QPoint(5000, 20))
    assert frame_of(desk) == FRAMES - 1


def test_a_click_beside_the_keys_goes_there_and_selects_none(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 60))
    assert mouse.timeline.chosen.frames == {60}
    assert frame_of(desk) == 0, "a key is selected without leaving the frame that is looked at"
    mouse.click(mouse.on("keys", 90))
    assert mouse.timeline.chosen.frames == frozenset()
    assert frame_of(desk) == 90


def test_a_double_click_on_a_key_goes_to_it(desk: Editor, mouse: TimelineMouse) -> None:
    QTest.mouseDClick(mouse.track, Qt.MouseButton.LeftButton, NO_KEYS, mouse.on("keys", 130))
    assert frame_of(desk) == 130


def test_shift_adds_keys_and_takes_them_out_again(mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 40))
    mouse.click(mouse.on("keys", 130), SHIFT)
    assert mouse.timeline.chosen.frames == {40, 130}
    mouse.click(mouse.on("keys", 40), SHIFT)
    assert mouse.timeline.chosen.frames == {130}
    mouse.click(mouse.on("keys", 60))
    assert mouse.timeline.chosen.frames == {60}


def test_a_box_selects_the_keys_in_it_and_with_shift_more(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.drag(mouse.on("keys", 20), mouse.on("keys", 50), mouse.on("keys", 80))
    assert mouse.timeline.chosen.frames == {40, 60}
    mouse.drag(mouse.on("keys", 180), mouse.on("keys", 110), keys=SHIFT)
    assert mouse.timeline.chosen.frames == {40, 60, 130}
    assert frame_of(desk) == 0
    mouse.drag(mouse.on("keys", 180), mouse.on("keys", 150))
    assert mouse.timeline.chosen.frames == frozenset()


def test_keys_are_moved_together_in_one_step_and_undo_puts_them_back(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.drag(mouse.on("keys", 20), mouse.on("keys", 80))
    steps = desk.session.history.steps()
    mouse.drag(mouse.on("keys", 40), mouse.on("keys", 45), mouse.on("keys", 72), mouse.on("keys", 50), release=False)
    assert keys_of(desk) == [0, 50, 70, 130], "they follow the pointer"
    mouse.release(mouse.on("keys", 50))
    assert mouse.timeline.chosen.frames == {50, 70}
    assert desk.session.history.steps() == (*steps, "Move 2 keys")
    assert "2 keys moved by +10 frames" in desk.window.status.notices.shown
    desk.session.undo()
    assert keys_of(desk) == [0, *KEYS]


def test_keys_whose_move_was_undone_are_selected_where_they_are_again_and_delete_means_them(
    desk: Editor, mouse: TimelineMouse
) -> None:
    effectors = desk.session.active.effectors  # type: ignore[union-attr]
    desk.session.select("c1", [effectors[0].id])
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 95), mouse.on("keys", 130))
    assert keys_of(desk) == [0, 40, 130]
    mouse.strike(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(desk.session)
    assert keys_of(desk) == [0, 40, 60, 130]
    assert mouse.timeline.chosen.frames == {60}, "and not the one that was at 130 before"
    mouse.strike(Qt.Key.Key_Delete)
    assert keys_of(desk) == [0, 40, 130]
    assert desk.session.active.effectors == effectors  # type: ignore[union-attr]


def test_a_key_dragged_over_another_one_leaves_it_and_replaces_the_one_that_it_lands_on(
    desk: Editor, mouse: TimelineMouse
) -> None:
    mouse.drag(mouse.on("keys", 40), mouse.on("keys", 60), mouse.on("keys", 100), release=False)
    assert keys_of(desk) == [0, 60, 100, 130]
    mouse.release(mouse.on("keys", 100))
    mouse.drag(mouse.on("keys", 100), mouse.on("keys", 130))
    assert keys_of(desk) == [0, 60, 130]


def test_keys_are_moved_no_further_than_the_motion_goes(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.click(mouse.on("keys", 40))
    mouse.click(mouse.on("keys", 130), SHIFT)
    mouse.drag(mouse.on("keys", 130), mouse.on("keys", 199), QPoint(4000, mouse.on("keys", 0).y()))
    assert keys_of(desk) == [0, 60, 110, 200]
    mouse.drag(mouse.on("keys", 110), QPoint(-4000, mouse.on("keys", 0).y()))
    assert keys_of(desk) == [0, 60, 90], "the one that came to the first frame is there in place of the old one"


def test_a_drag_back_to_where_it_began_makes_no_step(desk: Editor, mouse: TimelineMouse) -> None:
    document = desk.session.history.document
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 90), mouse.on("keys", 60))
    assert keys_of(desk) == [0, *KEYS]
    assert desk.session.history.document is document
    assert mouse.timeline.chosen.frames == {60}


@pytest.mark.parametrize("how", ["escape", "right button"])
def test_a_drag_is_taken_back(desk: Editor, mouse: TimelineMouse, how: str) -> None:
    document = desk.session.history.document
    mouse.activate()
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 90), release=False)
    if how == "escape":
        mouse.press(Qt.Key.Key_Escape)
    else:
        QTest.mousePress(mouse.track, Qt.MouseButton.RightButton, NO_KEYS, mouse.on("keys", 90))
    assert desk.session.history.document is document
    mouse.release(mouse.on("keys", 90))
    assert keys_of(desk) == [0, *KEYS]
    assert mouse.timeline.chosen.frames == {60}
    assert desk.session.history.redo_text is None


def test_undo_in_the_drag_of_a_key_takes_it_back_for_good(desk: Editor, mouse: TimelineMouse) -> None:
    before = keys_of(desk)
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 66), mouse.on("keys", 70), release=False)
    assert keys_of(desk) != before
    strike(desk, Qt.Key.Key_Z, CTRL)
    assert keys_of(desk) == before
    move_held(mouse.track, mouse.on("keys", 80))
    mouse.release(mouse.on("keys", 80))
    assert keys_of(desk) == before
    assert desk.session.history.redo_text == "Move key"
    assert mouse.timeline.chosen.frames == {60}


def test_ctrl_drag_copies_keys(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 80), mouse.on("keys", 100), keys=CTRL)
    assert keys_of(desk) == [0, 40, 60, 100, 130]
    assert desk.session.history.undo_text == "Copy key"
    assert mouse.timeline.chosen.frames == {100}
    desk.session.undo()
    assert keys_of(desk) == [0, *KEYS]


def test_the_range_is_dragged_at_its_ends_and_as_a_whole(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.drag(mouse.on("range", 0), mouse.on("range", 25), mouse.on("range", 50))
    mouse.drag(mouse.on("range", 200), mouse.on("range", 120))
    assert (desk.player.clock.first, desk.player.clock.last) == (50, 120)
    mouse.drag(mouse.on("range", 80), mouse.on("range", 110))
    assert (desk.player.clock.first, desk.player.clock.last) == (80, 150)
    mouse.drag(mouse.on("range", 100), mouse.on("range", 190))
    assert (desk.player.clock.first, desk.player.clock.last) == (130, 200), "it stays as long as it is"
    mouse.drag(mouse.on("range", 130), QPoint(3000, 4))
    assert (desk.player.clock.first, desk.player.clock.last) == (199, 200)
    QTest.mouseDClick(mouse.track, Qt.MouseButton.LeftButton, NO_KEYS, mouse.on("range", 200))
    assert desk.session.view.range_s is None
    assert not desk.session.history.dirty


def test_the_wheel_zooms_at_the_pointer_and_shift_or_the_middle_button_moves(mouse: TimelineMouse) -> None:
    track, place = mouse.track, mouse.on("ruler", 150)
    assert not mouse.timeline.all.isEnabled()
    for _ in range(8):
        wheel(mouse, place, QPoint(0, 120))
    assert track.scale.span < FRAMES / 4
    assert track.scale.nearest(place.x()) == 150
    assert mouse.timeline.all.isEnabled()
    before = track.scale.start
    wheel(mouse, place, QPoint(0, -120), SHIFT)
    assert track.scale.start > before
    wheel(mouse, place, QPoint(120, 0))
    assert track.scale.start == pytest.approx(before)
    here = track.scale.x(150)
    mouse.drag(place, place + QPoint(-60, 0), button=Qt.MouseButton.MiddleButton)
    assert track.scale.x(150) == pytest.approx(here - 60)
    QTest.mouseClick(mouse.timeline.all, Qt.MouseButton.LeftButton)
    assert track.scale.whole


def test_the_scroll_bar_moves_what_is_in_sight(mouse: TimelineMouse) -> None:
    track = mouse.track
    for _ in range(8):
        wheel(mouse, mouse.on("ruler", 0), QPoint(0, 120))
    bottom = track.height() - 3
    mouse.drag(QPoint(20, bottom), QPoint(40, bottom), QPoint(track.width() + 300, bottom))
    assert track.scale.nearest(track.width()) == FRAMES - 1
    assert track.scale.start > 100


def test_what_is_played_or_stepped_to_stays_in_sight(desk: Editor, mouse: TimelineMouse) -> None:
    for _ in range(10):
        wheel(mouse, mouse.on("ruler", 0), QPoint(0, 120))
    desk.player.go_to(170)
    low, high = mouse.track.scale.visible()
    assert low < 170 < high


def test_a_key_that_is_dragged_past_the_edge_takes_what_is_in_sight_along(desk: Editor, mouse: TimelineMouse) -> None:
    track = mouse.track
    for _ in range(8):
        wheel(mouse, mouse.on("ruler", 40), QPoint(0, 120))
    key, beyond = mouse.on("keys", 40), track.width() + 200
    mouse.drag(key, QPoint(beyond, key.y()), QPoint(beyond + 1, key.y()), release=False)
    low, high = track.scale.visible()
    moved = max(mouse.timeline.chosen.frames)
    assert low > 40, "the frames went on"
    place = mouse.on("keys", moved)
    mouse.release(place)
    assert low < moved < high
    assert keys_of(desk) == sorted({0, 60, 130, moved})


@pytest.mark.slow
def test_every_button_does_what_its_tool_tip_says(desk: Editor, mouse: TimelineMouse) -> None:
    def click(button: object) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    timeline = mouse.timeline
    click(timeline.to_key[1])
    assert frame_of(desk) == 40
    click(timeline.step[1])
    click(timeline.step[1])
    assert frame_of(desk) == 42
    click(timeline.step[0])
    assert frame_of(desk) == 41
    click(timeline.to_key[1])
    click(timeline.to_key[1])
    click(timeline.to_key[1])
    assert frame_of(desk) == 130, "there is no key behind the last one"
    click(timeline.to_key[0])
    assert frame_of(desk) == 60
    assert timeline.loop.isChecked()
    click(timeline.loop)
    assert not desk.session.view.loop
    click(timeline.play)
    until(lambda: frame_of(desk) > 62)
    assert timeline.play.isChecked()
    click(timeline.play)
    assert not desk.player.playing
    tips = [b.toolTip() for b in (*timeline.to_key, *timeline.step, timeline.play, timeline.loop, timeline.all)]
    assert all(tips)
    assert len(set(tips)) == len(tips)


def tip_at(mouse: TimelineMouse, place: QPoint) -> str:
    event = QHelpEvent(QEvent.Type.ToolTip, place, mouse.track.mapToGlobal(place))
    QApplication.sendEvent(mouse.track, event)
    return QToolTip.text()


def test_the_pointer_is_told_what_it_is_on(desk: Editor, mouse: TimelineMouse) -> None:
    assert tip_at(mouse, mouse.on("keys", 60)).startswith("Key at frame 61")
    assert "Posing at a frame sets a key there" in tip_at(mouse, mouse.on("keys", 90))
    assert "another frame" in tip_at(mouse, mouse.on("ruler", 90))
    desk.player.set_range(20, 90)
    assert tip_at(mouse, mouse.on("range", 60)).startswith("Plays frames 21 to 91")


def choose(mouse: TimelineMouse, place: QPoint, entry: str) -> list[str]:
    """Choose an entry of the context menu with the mouse; all of them that can be chosen."""
    offered: list[str] = []

    def click() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        actions = {
            unmarked(action.text()).partition("\t")[0]: action for action in menu.actions() if action.isEnabled()
        }
        offered.extend(title for title in actions if title)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, NO_KEYS, menu.actionGeometry(actions[entry]).center())

    QTimer.singleShot(0, click)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, mouse.track.mapToGlobal(place))
    QApplication.sendEvent(mouse.track, event)
    return offered


@pytest.mark.slow
def test_the_context_menu_copies_pastes_and_deletes_keys_and_sets_the_range(desk: Editor, mouse: TimelineMouse) -> None:
    offered = choose(mouse, mouse.on("keys", 60), "Copy keys")
    assert "Paste keys here" not in offered
    assert mouse.timeline.chosen.frames == {60}
    mouse.scrub(100)
    choose(mouse, mouse.on("keys", 100), "Paste keys here")
    assert keys_of(desk) == [0, 40, 60, 100, 130]
    choose(mouse, mouse.on("keys", 40), "Delete keys")
    assert keys_of(desk) == [0, 60, 100, 130]
    choose(mouse, mouse.on("ruler", 100), "Start range here")
    assert (desk.player.clock.first, desk.player.clock.last) == (100, FRAMES - 1)
    choose(mouse, mouse.on("ruler", 100), "Whole range")
    assert desk.session.view.range_s is None


@pytest.mark.slow
def test_the_context_menu_means_the_frame_that_was_clicked(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.scrub(150)
    assert "Remove this key" in choose(mouse, mouse.on("keys", 60), "Remove this key")
    assert (keys_of(desk), frame_of(desk)) == ([0, 40, 130], 60), "the key clicked, which is then looked at"
    mouse.scrub(150)
    choose(mouse, mouse.on("keys", 90), "Set a key here")
    assert (keys_of(desk), frame_of(desk)) == ([0, 40, 90, 130], 90)
    choose(mouse, mouse.on("keys", 40), "Copy keys")
    assert frame_of(desk) == 90, "what is done to the selected keys goes nowhere"
    choose(mouse, mouse.on("keys", 110), "Paste keys here")
    assert (keys_of(desk), frame_of(desk)) == ([0, 40, 90, 110, 130], 110)


@pytest.mark.slow
def test_keys_of_others_are_faint_marks_of_their_own_and_cannot_be_taken(desk: Editor, mouse: TimelineMouse) -> None:
    session = desk.session
    alone = mouse.track.height()
    session.edit("Copy", edits.add_character(copy_of(session.document, "c1")))
    session.select("c2")
    desk.refresh()
    laid_out()
    assert mouse.track.height() > alone
    assert mouse.track.marks.others == (0.0, 40.0, 60.0, 130.0)
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 80))
    assert (keys_of(desk), keys_of(desk, "c2")) == ([0, *KEYS], [0, 40, 80, 130])
    assert mouse.timeline.chosen.frames == {80}
    session.select("c1")
    assert mouse.timeline.chosen.frames == frozenset(), "what is selected is of somebody else"


def test_a_still_scene_has_a_calm_strip_and_nothing_to_press(editor: Editor) -> None:
    timeline = editor.panels.timeline
    assert timeline.track.isHidden()
    assert timeline.still.isVisible()
    assert timeline.height() < 40
    set_moving(editor, 30)
    assert timeline.track.isVisible()
    assert timeline.still.isHidden()
    assert timeline.height() > 80
