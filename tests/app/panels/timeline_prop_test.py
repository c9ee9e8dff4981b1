"""Props on the timeline: the keys of the selected one, made by moving it and handled as a person's are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prop_driver import added, on_prop, part_at, shown, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse, set_moving
from window_driver import ViewMouse, double_click, laid_out, settled, strike, until

from app.document import edits
from app.panels.timeline.lanes import KEYS, lanes_of
from app.panels.widgets.field_editor import FieldEditor
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, KEY = Qt.MouseButton.LeftButton, Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
FRAMES = 121


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with somebody who moves, and a selected box that stands still."""
    set_moving(editor, FRAMES, (40,))
    added(editor)
    laid_out()
    return editor


def prop_keys(editor: Editor) -> list[int]:
    clip = the_prop(editor).clip
    return [key.frame for key in clip.keys] if clip is not None else []


def animate(editor: Editor) -> None:
    """Press the button of that name on the timeline."""
    (button,) = (each for each in editor.panels.timeline.animate if each.isVisible())
    QTest.mouseClick(button, LEFT)
    editor.refresh()


def pull(editor: Editor) -> None:
    """Drag an arrow of the box's gizmo to the right."""
    view = ViewMouse(editor)
    view.drag(part_at(view, "x"), QPoint(20, 0), QPoint(60, 0))
    settled(editor.session)
    editor.refresh()


def keyed(editor: Editor, mouse: TimelineMouse, *frames: int) -> None:
    """Animate the box, and move it at these frames."""
    animate(editor)
    for frame in frames:
        mouse.to_frame(frame)
        pull(editor)


@pytest.mark.slow
def test_a_still_prop_is_moved_throughout_and_after_animate_moving_it_sets_a_key(
    desk: Editor, mouse: TimelineMouse
) -> None:
    start = the_prop(desk).place
    assert mouse.track.marks.keys == ()
    mouse.to_frame(60)
    pull(desk)
    still = the_prop(desk).place
    assert still[0] != start[0]
    assert prop_keys(desk) == []
    animate(desk)
    assert not any(button.isVisible() for button in mouse.timeline.animate)
    assert prop_keys(desk) == [0]
    assert desk.player.frame == 60
    pull(desk)
    assert prop_keys(desk) == [0, 60]
    there = the_prop(desk).place
    assert [frame for frame, _ in mouse.track.marks.keys] == [0, 60]
    mouse.scrub(60, 0)
    assert the_prop(desk).place == pytest.approx(still)
    mouse.scrub(0, 30)
    assert abs(the_prop(desk).place[0] - (still[0] + there[0]) / 2) < 1e-4
    shown_at = desk.viewport.scene.props[0].matrix[:3, 3]
    assert shown_at == pytest.approx(the_prop(desk).place, abs=1e-6)
    strike(desk, KEY.Key_Z, CTRL)
    assert prop_keys(desk) == [0], "one step"
    assert desk.player.frame == 60, "undo goes to where the edit was made"


@pytest.mark.slow
def test_numbers_and_the_plain_drag_set_keys_too(desk: Editor, mouse: TimelineMouse) -> None:
    animate(desk)
    mouse.to_frame(20)
    field = desk.panels.prop_fields.panel.places[1]
    mouse.activate()
    double_click(field)
    until(lambda: isinstance(FieldEditor.focusWidget(field.window()), FieldEditor))
    for letter in "40":
        mouse.press(letter)
    mouse.press(KEY.Key_Return)
    settled(desk.session)
    assert prop_keys(desk) == [0, 20]
    assert the_prop(desk).place[1] == pytest.approx(0.4)
    mouse.to_frame(50)
    shown(desk)
    view = ViewMouse(desk)
    view.drag(on_prop(view, the_prop(desk)), QPoint(10, 4), QPoint(40, 10))
    settled(desk.session)
    assert prop_keys(desk) == [0, 20, 50]


@pytest.mark.slow
def test_keys_of_a_prop_are_dragged_copied_pasted_and_deleted(desk: Editor, mouse: TimelineMouse) -> None:
    keyed(desk, mouse, 30, 60)
    assert prop_keys(desk) == [0, 30, 60]
    mouse.drag(mouse.on("keys", 60), mouse.on("keys", 70), mouse.on("keys", 90))
    assert prop_keys(desk) == [0, 30, 90]
    strike(desk, KEY.Key_Z, CTRL)
    assert prop_keys(desk) == [0, 30, 60]
    mouse.drag(mouse.on("keys", 30), mouse.on("keys", 80), keys=CTRL)
    assert prop_keys(desk) == [0, 30, 60, 80]
    mouse.click(mouse.on("keys", 30))
    mouse.click(mouse.on("keys", 60), SHIFT)
    assert mouse.timeline.chosen.frames == {30, 60}
    mouse.strike(KEY.Key_C, CTRL)
    mouse.to_frame(85)
    mouse.strike(KEY.Key_V, CTRL)
    assert prop_keys(desk) == [0, 30, 60, 80, 85, 115]
    mouse.strike(KEY.Key_Delete)
    assert prop_keys(desk) == [0, 30, 60, 80]
    assert desk.session.history.undo_text == "Delete 2 keys"
    mouse.strike(KEY.Key_A, CTRL)
    here = the_prop(desk).place
    mouse.strike(KEY.Key_Delete)
    assert prop_keys(desk) == [], "a prop without keys stands still"
    assert the_prop(desk).place == pytest.approx(here)
    assert len(desk.session.document.actors[0].clip.keys) == 2, "nobody else's keys are touched"


@pytest.mark.slow
def test_i_sets_and_removes_a_key_and_arrows_go_from_key_to_key_of_the_prop(desk: Editor, mouse: TimelineMouse) -> None:
    mouse.to_frame(25)
    mouse.strike(KEY.Key_I)
    assert prop_keys(desk) == [25]
    mouse.to_frame(70)
    mouse.strike(KEY.Key_I)
    assert prop_keys(desk) == [25, 70]
    mouse.strike(KEY.Key_Down)
    assert desk.player.frame == 25
    mouse.strike(KEY.Key_I)
    assert prop_keys(desk) == [70]
    strike(desk, KEY.Key_Up)
    assert desk.player.frame == 70


def test_the_timeline_shows_the_person_again_when_nothing_but_they_are_selected(
    desk: Editor, mouse: TimelineMouse
) -> None:
    keyed(desk, mouse, 30)
    assert mouse.track.marks.prop
    assert 40.0 in mouse.track.marks.others, "the person's keys are others' now"
    mouse.click(mouse.on("keys", 30))
    assert mouse.timeline.chosen.frames == {30}
    desk.session.select("c1")
    desk.refresh()
    marks = mouse.track.marks
    assert not marks.prop
    assert [frame for frame, _ in marks.keys] == [0, 40]
    assert 30.0 in marks.others
    assert mouse.timeline.chosen.frames == frozenset(), "keys of the prop are not chosen among the person's"


@pytest.mark.slow
def test_keys_of_one_prop_are_not_pasted_onto_a_person(desk: Editor, mouse: TimelineMouse) -> None:
    keyed(desk, mouse, 30)
    mouse.click(mouse.on("keys", 30))
    mouse.strike(KEY.Key_C, CTRL)
    desk.session.select("c1")
    desk.refresh()
    said: list[str] = []
    mouse.timeline.said.connect(said.append)
    mouse.to_frame(70)
    mouse.strike(KEY.Key_V, CTRL)
    assert any("copied from elsewhere" in text for text in said)
    assert [key.frame for key in desk.session.document.actors[0].clip.keys] == [0, 40]


@pytest.mark.slow
def test_playing_shows_the_prop_on_its_way_and_changes_nothing(desk: Editor, mouse: TimelineMouse) -> None:
    keyed(desk, mouse, 20)
    mouse.to_frame(0)
    first, document = the_prop(desk).place, desk.session.history.document
    desk.player.toggle()
    until(lambda: desk.player.frame >= 10)
    desk.player.pause()
    assert the_prop(desk).place[0] != first[0]
    assert desk.session.history.document is document


@pytest.mark.slow
def test_a_drag_that_escape_cancels_leaves_no_key(desk: Editor, mouse: TimelineMouse) -> None:
    animate(desk)
    mouse.to_frame(30)
    view = ViewMouse(desk)
    view.drag(part_at(view, "x"), QPoint(20, 0), QPoint(60, 0), release=False)
    settled(desk.session)
    assert prop_keys(desk) == [0, 30]
    strike(desk, KEY.Key_Escape)
    assert prop_keys(desk) == [0]
    view.release(QPoint(6, 6))


def test_the_number_of_frames_of_a_prop_is_typed(desk: Editor, mouse: TimelineMouse) -> None:
    animate(desk)
    mouse.activate()
    QTest.mouseClick(mouse.timeline.length, LEFT)
    for key in "200":
        mouse.press(key)
    mouse.press(KEY.Key_Return)
    clip = the_prop(desk).clip
    assert clip is not None
    assert len(clip) == 200
    assert desk.player.clock.frames == 200


def test_its_bar_ends_at_its_first_and_its_last_key(desk: Editor, mouse: TimelineMouse) -> None:
    desk.session.edit("Keys", edits.animate_prop(the_prop(desk).id, FRAMES, 30.0))
    desk.session.edit("Later", edits.move_prop_keys(the_prop(desk).id, [0], 40, None))
    desk.session.edit("End", edits.copy_prop_keys(the_prop(desk).id, [40], 60))
    mouse.to_frame(50)
    track = mouse.track
    track.scale = replace(track.scale, start=30.0, span=40.0)
    picture = track.grab().toImage()
    y = round(lanes_of(track.marks).keys + KEYS / 2)

    def tone(frame: float) -> str:
        ratio = picture.devicePixelRatio()
        return picture.pixelColor(round(track.scale.x(frame) * ratio), round(y * ratio)).name()

    assert tone(39.4) == tone(35.5) == tone(60.6) == tone(64.5), "as where it stands still"
    assert tone(40.6) == tone(45.5) == tone(59.4) != tone(39.4)


@pytest.mark.slow
def test_the_timeline_stays_as_it_is_when_something_else_is_selected(desk: Editor, mouse: TimelineMouse) -> None:
    timeline, box = mouse.timeline, the_prop(desk).id

    def layout() -> list[object]:
        laid_out()
        buttons = (timeline.field, timeline.feet, timeline.before, timeline.between)
        return [timeline.height(), desk.viewport.height(), *(each.geometry() for each in buttons)]

    desk.session.select("c1")
    desk.refresh()
    person = layout()
    assert timeline.before.isEnabled()
    desk.session.set_view(prop=box)
    desk.refresh()
    assert layout() == person
    desk.actions["pose.add_person"].trigger()
    settled(desk.session)
    desk.refresh()
    assert not timeline.feet.isEnabled(), "the newcomer stands still"
    assert layout() == person
