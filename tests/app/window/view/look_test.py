"""Looks, lights and the key light in the window: keys and the mouse choose them, settings keep them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, move_held, place_of, strike

from app.viewport.overlays.light_ball import SIZE, LightBall
from app.window.editor import Editor
from rendering.scene.style import KEY_HEIGHT, KEY_TURN

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
ALT, LEFT, NONE = Qt.KeyboardModifier.AltModifier, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def style(editor: Editor):  # type: ignore[no-untyped-def]
    return editor.viewport.scene.style


def ball(editor: Editor) -> LightBall:
    """The light ball, shown by its key."""
    strike(editor, Qt.Key.Key_0, ALT)
    return editor.viewport.findChild(LightBall)  # type: ignore[return-value]


@pytest.mark.slow
def test_a_key_chooses_a_look_which_is_kept_and_clay_is_the_first(editor: Editor) -> None:
    keys = {"suit": Qt.Key.Key_5, "flat": Qt.Key.Key_6, "line": Qt.Key.Key_7, "silhouette": Qt.Key.Key_8}
    assert style(editor).look == "clay"
    figure = editor.viewport.scene.figures[0]
    for look, key in keys.items():
        strike(editor, key, ALT)
        editor.refresh()
        assert style(editor).look == look
        assert editor.settings.values.look == look
        assert editor.actions[f"look.{look}"].isChecked()
        assert editor.viewport.scene.figures[0] is figure, "no look makes a figure anew"
        strike(editor, Qt.Key.Key_4, ALT)
        assert style(editor).look == "clay"


def test_a_key_goes_through_the_lights_and_comes_round(editor: Editor) -> None:
    seen = []
    for _ in range(4):
        strike(editor, Qt.Key.Key_9, ALT)
        seen.append(style(editor).light)
    assert seen == ["grey", "warm", "rim", "studio"]
    editor.actions["look.warm_light"].trigger()
    editor.refresh()
    assert editor.settings.values.light_setup == "warm"
    assert editor.actions["look.warm_light"].isChecked()


def test_the_key_light_is_dragged_on_the_ball_and_kept_once_the_drag_ends(editor: Editor) -> None:
    light = ball(editor)
    assert light.isVisible()
    middle = QPoint(SIZE // 2, SIZE // 2)
    QTest.mousePress(light, LEFT, NONE, light.spot().toPoint())
    move_held(light, middle + QPoint(25, -10))
    assert style(editor).turn > 20
    assert editor.settings.values.key_turn == KEY_TURN, "not yet written down"
    QTest.mouseRelease(light, LEFT, NONE, middle + QPoint(25, -10))
    assert editor.settings.values.key_turn == pytest.approx(style(editor).turn)
    spot = light.spot().toPoint()
    assert abs(spot.x() - middle.x() - 25) <= 2
    assert abs(spot.y() - middle.y() + 10) <= 2
    picture = light.grab().toImage()
    assert (
        picture.pixelColor(middle + QPoint(15, -20)).lightness()
        > picture.pixelColor(middle - QPoint(28, 0)).lightness()
    )


def test_the_ball_is_away_in_a_look_without_light_and_back_with_it(editor: Editor) -> None:
    light = ball(editor)
    strike(editor, Qt.Key.Key_6, ALT)
    assert not light.isVisible()
    strike(editor, Qt.Key.Key_0, ALT)
    assert "no light" in editor.window.status.notices.shown
    strike(editor, Qt.Key.Key_5, ALT)
    assert light.isVisible()
    strike(editor, Qt.Key.Key_0, ALT)
    assert not light.isVisible()


def test_in_the_ring_around_the_ball_the_light_comes_from_behind(editor: Editor) -> None:
    light = ball(editor)
    QTest.mouseClick(light, LEFT, NONE, QPoint(SIZE // 2 + 46, SIZE // 2))
    assert abs(style(editor).turn) > 100


def test_escape_takes_a_drag_of_the_light_back_and_a_double_click_resets_it(editor: Editor) -> None:
    light = ball(editor)
    middle = QPoint(SIZE // 2, SIZE // 2)
    QTest.mousePress(light, LEFT, NONE, middle)
    move_held(light, middle + QPoint(20, 0))
    QTest.keyClick(light, Qt.Key.Key_Escape)
    QTest.mouseRelease(light, LEFT, NONE, middle + QPoint(20, 0))
    assert editor.settings.values.key_turn == pytest.approx(KEY_TURN)
    QTest.mouseClick(light, LEFT, NONE, middle + QPoint(20, 0))
    assert editor.settings.values.key_turn != KEY_TURN
    QTest.mouseDClick(light, LEFT, NONE, middle)
    QTest.mouseRelease(light, LEFT, NONE, middle)
    assert (editor.settings.values.key_turn, editor.settings.values.key_height) == (KEY_TURN, KEY_HEIGHT)
    strike(editor, Qt.Key.Key_0, ALT)
    assert not light.isVisible()


def test_the_part_under_the_pointer_gets_a_line_until_the_pointer_leaves(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    mouse.hover(mouse.place(place_of(editor, "left_elbow")))
    (figure,) = editor.viewport.scene.figures
    assert len(figure.lit) == 1
    again = editor.viewport.scene.figures[0]
    editor.session_view.refresh()
    assert editor.viewport.scene.figures[0] is again
    mouse.hover(QPoint(4, 4))
    assert editor.viewport.scene.figures[0].lit == frozenset()


@pytest.mark.slow
def test_pictures_of_the_view_wear_its_look(editor: Editor) -> None:
    view = editor.session_view
    clay = view.pen((300, 240), True)(view.still(), view.camera()).astype(int)
    strike(editor, Qt.Key.Key_8, ALT)
    silhouette = view.pen((300, 240), True)(view.still(), view.camera()).astype(int)
    solid = silhouette[..., 3] > 250
    assert solid.sum() > 1000
    assert silhouette[solid][:, :3].std() < clay[solid][:, :3].std() / 3
