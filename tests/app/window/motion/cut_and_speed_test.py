"""What somebody does is cut to the range, and goes faster or slower, by the keyboard and by the timeline's menu."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from dialog_driver import answering, key
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from timeline_driver import TimelineMouse, frame_of, keys_of, set_moving, with_motion_opened
from window_driver import active, answer_once_shown, settled, strike, until

from app.document import edits
from app.document.edits.props import new_prop
from app.document.scene_file.io import load_scene, save_scene
from app.look.mnemonics import unmarked
from app.panels.timeline.speed_dialog import SpeedDialog
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier


def sought(editor: Editor, words: str) -> None:
    """Press / and type what the command is called in other programs, then Enter."""

    def type_it(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, words)
        QTest.keyClick(search.field, KEY.Key_Return)

    answer_once_shown(CommandSearch, type_it)
    strike(editor, KEY.Key_Slash)
    until(lambda: QApplication.activePopupWidget() is None)
    settled(editor.session)
    editor.refresh()


def speed(*letters: str) -> Callable[[SpeedDialog], None]:
    """Type in the fields from the first on, from one to the next by Tab, and press Enter."""

    def answer(dialog: SpeedDialog) -> None:
        for place, each in enumerate(letters):
            if place:
                QTest.keyClick(dialog.focusWidget(), KEY.Key_Tab)
            QTest.keyClicks(dialog.focusWidget(), each)
        QTest.keyClick(dialog.focusWidget(), KEY.Key_Return)

    return answer


def chosen_in_menu(mouse: TimelineMouse, text: str) -> None:
    def choose(menu: QMenu) -> None:
        entry = next(action for action in menu.actions() if unmarked(action.text()) == text)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())

    answer_once_shown(QMenu, choose)
    place = mouse.on("keys", 5)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, mouse.track.mapToGlobal(place))
    QApplication.sendEvent(mouse.track, event)
    settled(mouse.editor.session)
    mouse.editor.refresh()


def test_trim_keeps_the_range_with_its_keys_in_one_step_that_undo_takes_back(editor: Editor) -> None:
    set_moving(editor, 90, keys=(10, 40, 80))
    mouse, before = TimelineMouse(editor), active(editor).clip
    editor.refresh()
    assert not editor.actions["time.cut"].isEnabled(), "all there is is played"
    mouse.to_frame(30)
    strike(editor, KEY.Key_Home, CTRL)
    mouse.to_frame(60)
    strike(editor, KEY.Key_End, CTRL)
    shown = active(editor).pose
    sought(editor, "trim")
    assert (len(active(editor).clip), keys_of(editor), frame_of(editor)) == (31, [10], 30)
    assert active(editor).pose.root_position == pytest.approx(shown.root_position, abs=1e-6)
    clock = editor.player.clock
    assert (clock.first, clock.last, clock.frames) == (0, 30, 31)
    assert editor.session.history.undo_text == "Cut to range"
    strike(editor, KEY.Key_Z, CTRL)
    assert active(editor).clip == before
    editor.player.set_range(70, 80)
    editor.session.redo()
    clock = editor.player.clock
    assert (clock.first, clock.last) == (0, 30), "a range where nothing moves any more is none"


def test_a_motion_from_a_file_goes_at_half_speed_as_typed_and_is_so_when_the_scene_is_opened(
    editor: Editor, tmp_path
) -> None:  # type: ignore[no-untyped-def]
    mouse = with_motion_opened(editor)
    before, id = active(editor).clip, active(editor).id
    planted = before.source.contacts("anny")
    mouse.to_frame(20)
    with answering(speed("50"), kind=SpeedDialog):
        sought(editor, "slow motion")
    clip = active(editor).clip
    assert (len(clip), clip.fps, frame_of(editor, id)) == (2 * len(before) - 1, before.fps, 40)
    assert active(editor).pose.root_position == pytest.approx(before.source.motion.root_positions[20], abs=1e-3)
    assert [(each.foot, each.first, each.last) for each in clip.source.contacts("anny")] == [
        (each.foot, 2 * each.first, 2 * each.last) for each in planted
    ]
    assert len(mouse.track.marks.contacts) == len(planted) > 0, "the timeline shows them"
    assert editor.session.history.undo_text == "Speed 50%"
    save_scene(tmp_path / "slow.json", editor.session.document)
    assert load_scene(tmp_path / "slow.json").actor(id).clip == clip
    strike(editor, KEY.Key_Z, CTRL)
    assert active(editor).clip == before
    assert frame_of(editor, id) == 20


def test_a_new_length_typed_from_the_timelines_menu_says_the_speed_and_the_range_goes_along(editor: Editor) -> None:
    set_moving(editor, 91, keys=(30,))
    mouse = TimelineMouse(editor)
    editor.player.set_range(30, 60)
    seen = list[float]()

    def answer(dialog: SpeedDialog) -> None:
        QTest.keyClick(dialog.focusWidget(), KEY.Key_Tab)
        QTest.keyClicks(dialog.focusWidget(), "46")
        seen.append(dialog.percent.value())
        QTest.keyClick(dialog.focusWidget(), KEY.Key_Return)

    with answering(answer, kind=SpeedDialog):
        chosen_in_menu(mouse, "Speed…")
    assert seen == [200.0]
    assert (len(active(editor).clip), keys_of(editor)) == (46, [0, 15])
    assert (editor.player.clock.first, editor.player.clock.last) == (15, 30)
    chosen_in_menu(mouse, "Cut to range")
    assert (len(active(editor).clip), keys_of(editor)) == (16, [0])


def test_escape_in_the_dialog_leaves_the_speed_and_somebody_still_has_none(editor: Editor) -> None:
    editor.refresh()
    assert not editor.actions["time.speed"].isEnabled()
    set_moving(editor, 40)
    before = editor.session.document
    with answering(key(KEY.Key_Escape), kind=SpeedDialog):
        sought(editor, "retime")
    assert editor.session.document is before
    assert np.isclose(editor.player.clock.frames, 40)


def test_everybody_and_every_prop_go_slower_in_one_step_where_that_is_chosen(editor: Editor) -> None:
    session = editor.session
    set_moving(editor, 41, keys=(10, 40))
    box = new_prop(session.document, "box")
    session.edit("Add", edits.chain(edits.add_prop(box), edits.animate_prop(box.id, 21)))
    editor.refresh()

    def slower(dialog: SpeedDialog) -> None:
        QTest.keyClicks(dialog.percent, "50")
        QTest.keyClick(dialog.everything, KEY.Key_Space)
        QTest.keyClick(dialog.percent, KEY.Key_Return)

    with answering(slower, kind=SpeedDialog):
        sought(editor, "retime")
    lengths = [len(each.clip or ()) for each in (*session.document.actors, *session.document.props)]
    assert lengths == [81, 41]
    assert keys_of(editor) == [0, 20, 80]
    strike(editor, KEY.Key_Z, CTRL)
    assert len(active(editor).clip) == 41
