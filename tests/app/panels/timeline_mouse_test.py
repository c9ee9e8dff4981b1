"""The timeline under the mouse: playhead, keys, range, zoom. Real presses and drags in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from timeline_driver import TimelineHand, frame_of, keys_of, set_moving
from window_driver import NO_KEYS, laid_out, move_held, settled, until

from app.document import edits
from app.window.editor import Editor

pytestmark = pytest.mark.gl
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
FRAMES, KEYS = 201, (40, 60, 130)


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with somebody who moves and has keys at four frames."""
    set_moving(editor, FRAMES, KEYS)
    return editor


@pytest.fixture
def hand(desk: Editor) -> TimelineHand:
    return TimelineHand(desk)


def wheel(hand: TimelineHand, place: QPoint, turn: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    event = QWheelEvent(
        QPointF(place), QPointF(hand.track.mapToGlobal(place)), QPoint(), turn, Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(hand.track, event)


def test_a_press_on_the_ruler_goes_there_and_drags_on_without_a_step(desk: Editor, hand: TimelineHand) -> None:
    hand.drag(hand.on("ruler", 150), release=False)
    assert frame_of(desk) == 150
    for frame in (90, 33):
        move_held(hand.track, hand.on("ruler", frame))
    hand.release(hand.on("ruler", 33))
    assert frame_of(desk) == 33
    assert hand.timeline.field.number() == 34
    assert not desk.session.history.dirty


def test_a_scrub_past_the_edges_stays_on_the_first_and_the_last_frame(desk: Editor, hand: TimelineHand) -> None:
    hand.drag(hand.on("ruler", 50), QPoint(-300, 20), release=False)
    assert frame_of(desk) == 0
    hand.release(QPoint(-300, 20))
    hand.drag(hand.on("ruler", 50), QPoint(5000, 20))
    assert frame_of(desk) == FRAMES - 1


def test_a_click_beside_the_keys_goes_there_and_selects_none(desk: Editor, hand: TimelineHand) -> None:
    hand.click(hand.on("keys", 60))
    assert hand.timeline.chosen.frames == {60}
    assert frame_of(desk) == 0, "a key is selected without leaving the frame that is looked at"
    hand.click(hand.on("keys", 90))
    assert hand.timeline.chosen.frames == frozenset()
    assert frame_of(desk) == 90


def test_a_double_click_on_a_key_goes_to_it(desk: Editor, hand: TimelineHand) -> None:
    QTest.mouseDClick(hand.track, Qt.MouseButton.LeftButton, NO_KEYS, hand.on("keys", 130))
    assert frame_of(desk) == 130


def test_shift_adds_keys_and_takes_them_out_again(hand: TimelineHand) -> None:
    hand.click(hand.on("keys", 40))
    hand.click(hand.on("keys", 130), SHIFT)
    assert hand.timeline.chosen.frames == {40, 130}
    hand.click(hand.on("keys", 40), SHIFT)
    assert hand.timeline.chosen.frames == {130}
    hand.click(hand.on("keys", 60))
    assert hand.timeline.chosen.frames == {60}


def test_a_box_selects_the_keys_in_it_and_with_shift_more(desk: Editor, hand: TimelineHand) -> None:
    hand.drag(hand.on("keys", 20), hand.on("keys", 50), hand.on("keys", 80))
    assert hand.timeline.chosen.frames == {40, 60}
    hand.drag(hand.on("keys", 180), hand.on("keys", 110), keys=SHIFT)
    assert hand.timeline.chosen.frames == {40, 60, 130}
    assert frame_of(desk) == 0
    hand.drag(hand.on("keys", 180), hand.on("keys", 150))
    assert hand.timeline.chosen.frames == frozenset()


def test_keys_are_moved_together_in_one_step_and_undo_puts_them_back(desk: Editor, hand: TimelineHand) -> None:
    hand.drag(hand.on("keys", 20), hand.on("keys", 80))
    steps = desk.session.history.steps()
    hand.drag(hand.on("keys", 40), hand.on("keys", 45), hand.on("keys", 72), hand.on("keys", 50), release=False)
    assert keys_of(desk) == [0, 50, 70, 130], "they follow the pointer"
    hand.release(hand.on("keys", 50))
    assert hand.timeline.chosen.frames == {50, 70}
    assert desk.session.history.steps() == (*steps, "Move 2 keys")
    assert "2 keys moved by +10 frames" in desk.window.status.notices.shown
    desk.session.undo()
    assert keys_of(desk) == [0, *KEYS]


def test_keys_whose_move_was_undone_are_selected_where_they_are_again_and_delete_means_them(
    desk: Editor, hand: TimelineHand
) -> None:
    effectors = desk.session.active.effectors  # type: ignore[union-attr]
    desk.session.select("c1", [effectors[0].id])
    hand.drag(hand.on("keys", 60), hand.on("keys", 95), hand.on("keys", 130))
    assert keys_of(desk) == [0, 40, 130]
    hand.strike(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(desk.session)
    assert keys_of(desk) == [0, 40, 60, 130]
    assert hand.timeline.chosen.frames == {60}, "and not the one that was at 130 before"
    hand.strike(Qt.Key.Key_Delete)
    assert keys_of(desk) == [0, 40, 130]
    assert desk.session.active.effectors == effectors  # type: ignore[union-attr]


def test_a_key_dragged_over_another_one_leaves_it_and_replaces_the_one_that_it_lands_on(
    desk: Editor, hand: TimelineHand
) -> None:
    hand.drag(hand.on("keys", 40), hand.on("keys", 60), hand.on("keys", 100), release=False)
    assert keys_of(desk) == [0, 60, 100, 130]
    hand.release(hand.on("keys", 100))
    hand.drag(hand.on("keys", 100), hand.on("keys", 130))
    assert keys_of(desk) == [0, 60, 130]


def test_keys_are_moved_no_further_than_the_motion_goes(desk: Editor, hand: TimelineHand) -> None:
    hand.click(hand.on("keys", 40))
    hand.click(hand.on("keys", 130), SHIFT)
    hand.drag(hand.on("keys", 130), hand.on("keys", 199), QPoint(4000, hand.on("keys", 0).y()))
    assert keys_of(desk) == [0, 60, 110, 200]
    hand.drag(hand.on("keys", 110), QPoint(-4000, hand.on("keys", 0).y()))
    assert keys_of(desk) == [0, 60, 90], "the one that came to the first frame is there in place of the old one"


def test_a_drag_back_to_where_it_began_makes_no_step(desk: Editor, hand: TimelineHand) -> None:
    document = desk.session.history.document
    hand.drag(hand.on("keys", 60), hand.on("keys", 90), hand.on("keys", 60))
    assert keys_of(desk) == [0, *KEYS]
    assert desk.session.history.document is document
    assert hand.timeline.chosen.frames == {60}


@pytest.mark.parametrize("how", ["escape", "right button"])
def test_a_drag_is_taken_back(desk: Editor, hand: TimelineHand, how: str) -> None:
    document = desk.session.history.document
    hand.activate()
    hand.drag(hand.on("keys", 60), hand.on("keys", 90), release=False)
    if how == "escape":
        hand.press(Qt.Key.Key_Escape)
    else:
        QTest.mousePress(hand.track, Qt.MouseButton.RightButton, NO_KEYS, hand.on("keys", 90))
    assert desk.session.history.document is document
    hand.release(hand.on("keys", 90))
    assert keys_of(desk) == [0, *KEYS]
    assert hand.timeline.chosen.frames == {60}
    assert desk.session.history.redo_text is None


def test_ctrl_drag_copies_keys(desk: Editor, hand: TimelineHand) -> None:
    hand.drag(hand.on("keys", 60), hand.on("keys", 80), hand.on("keys", 100), keys=CTRL)
    assert keys_of(desk) == [0, 40, 60, 100, 130]
    assert desk.session.history.undo_text == "Copy key"
    assert hand.timeline.chosen.frames == {100}
    desk.session.undo()
    assert keys_of(desk) == [0, *KEYS]


def test_the_range_is_dragged_at_its_ends_and_as_a_whole(desk: Editor, hand: TimelineHand) -> None:
    hand.drag(hand.on("range", 0), hand.on("range", 25), hand.on("range", 50))
    hand.drag(hand.on("range", 200), hand.on("range", 120))
    assert (desk.player.clock.first, desk.player.clock.last) == (50, 120)
    hand.drag(hand.on("range", 80), hand.on("range", 110))
    assert (desk.player.clock.first, desk.player.clock.last) == (80, 150)
    hand.drag(hand.on("range", 100), hand.on("range", 190))
    assert (desk.player.clock.first, desk.player.clock.last) == (130, 200), "it stays as long as it is"
    hand.drag(hand.on("range", 130), QPoint(3000, 4))
    assert (desk.player.clock.first, desk.player.clock.last) == (199, 200)
    QTest.mouseDClick(hand.track, Qt.MouseButton.LeftButton, NO_KEYS, hand.on("range", 200))
    assert desk.session.view.range_s is None
    assert not desk.session.history.dirty


def test_the_wheel_zooms_at_the_pointer_and_shift_or_the_middle_button_moves(hand: TimelineHand) -> None:
    track, place = hand.track, hand.on("ruler", 150)
    assert not hand.timeline.all.isEnabled()
    for _ in range(8):
        wheel(hand, place, QPoint(0, 120))
    assert track.scale.span < FRAMES / 4
    assert track.scale.nearest(place.x()) == 150
    assert hand.timeline.all.isEnabled()
    before = track.scale.start
    wheel(hand, place, QPoint(0, -120), SHIFT)
    assert track.scale.start > before
    wheel(hand, place, QPoint(120, 0))
    assert track.scale.start == pytest.approx(before)
    here = track.scale.x(150)
    hand.drag(place, place + QPoint(-60, 0), button=Qt.MouseButton.MiddleButton)
    assert track.scale.x(150) == pytest.approx(here - 60)
    QTest.mouseClick(hand.timeline.all, Qt.MouseButton.LeftButton)
    assert track.scale.whole


def test_the_scroll_bar_moves_what_is_in_sight(hand: TimelineHand) -> None:
    track = hand.track
    for _ in range(8):
        wheel(hand, hand.on("ruler", 0), QPoint(0, 120))
    bottom = track.height() - 3
    hand.drag(QPoint(20, bottom), QPoint(40, bottom), QPoint(track.width() + 300, bottom))
    assert track.scale.nearest(track.width()) == FRAMES - 1
    assert track.scale.start > 100


def test_what_is_played_or_stepped_to_stays_in_sight(desk: Editor, hand: TimelineHand) -> None:
    for _ in range(10):
        wheel(hand, hand.on("ruler", 0), QPoint(0, 120))
    desk.player.go_to(170)
    low, high = hand.track.scale.visible()
    assert low < 170 < high


def test_every_button_does_what_its_tool_tip_says(desk: Editor, hand: TimelineHand) -> None:
    def click(button: object) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    timeline = hand.timeline
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


def tip_at(hand: TimelineHand, place: QPoint) -> str:
    event = QHelpEvent(QEvent.Type.ToolTip, place, hand.track.mapToGlobal(place))
    QApplication.sendEvent(hand.track, event)
    return QToolTip.text()


def test_the_pointer_is_told_what_it_is_on(desk: Editor, hand: TimelineHand) -> None:
    assert tip_at(hand, hand.on("keys", 60)).startswith("Key at frame 61")
    assert "Posing at a frame sets a key there" in tip_at(hand, hand.on("keys", 90))
    assert "another frame" in tip_at(hand, hand.on("ruler", 90))
    desk.player.set_range(20, 90)
    assert tip_at(hand, hand.on("range", 60)).startswith("Plays frames 21 to 91")


def choose(hand: TimelineHand, place: QPoint, entry: str) -> list[str]:
    """Choose an entry of the context menu with the mouse; all of them that can be chosen."""
    offered: list[str] = []

    def click() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        actions = {action.text().partition("\t")[0]: action for action in menu.actions() if action.isEnabled()}
        offered.extend(title for title in actions if title)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, NO_KEYS, menu.actionGeometry(actions[entry]).center())

    QTimer.singleShot(0, click)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, hand.track.mapToGlobal(place))
    QApplication.sendEvent(hand.track, event)
    return offered


def test_the_context_menu_copies_pastes_and_deletes_keys_and_sets_the_range(desk: Editor, hand: TimelineHand) -> None:
    offered = choose(hand, hand.on("keys", 60), "Copy keys")
    assert "Paste keys here" not in offered
    assert hand.timeline.chosen.frames == {60}
    hand.scrub(100)
    choose(hand, hand.on("keys", 100), "Paste keys here")
    assert keys_of(desk) == [0, 40, 60, 100, 130]
    choose(hand, hand.on("keys", 40), "Delete keys")
    assert keys_of(desk) == [0, 60, 100, 130]
    choose(hand, hand.on("ruler", 100), "Start range here")
    assert (desk.player.clock.first, desk.player.clock.last) == (100, FRAMES - 1)
    choose(hand, hand.on("ruler", 100), "Whole range")
    assert desk.session.view.range_s is None


def test_keys_of_others_are_faint_marks_of_their_own_and_cannot_be_taken(desk: Editor, hand: TimelineHand) -> None:
    session = desk.session
    alone = hand.track.height()
    session.edit("Copy", edits.add_character(edits.duplicate_of(session.document, "c1")))
    session.select("c2")
    desk.refresh()
    laid_out()
    assert hand.track.height() > alone
    assert hand.track.marks.others == (0.0, 40.0, 60.0, 130.0)
    hand.drag(hand.on("keys", 60), hand.on("keys", 80))
    assert (keys_of(desk), keys_of(desk, "c2")) == ([0, *KEYS], [0, 40, 80, 130])
    assert hand.timeline.chosen.frames == {80}
    session.select("c1")
    assert hand.timeline.chosen.frames == frozenset(), "what is selected is of somebody else"


def test_a_still_scene_has_a_calm_strip_and_nothing_to_press(editor: Editor) -> None:
    timeline = editor.panels.timeline
    assert timeline.track.isHidden()
    assert timeline.still.isVisible()
    assert timeline.height() < 40
    set_moving(editor, 30)
    assert timeline.track.isVisible()
    assert timeline.still.isHidden()
    assert timeline.height() > 80
