"""Keys that look: each changes what is seen, none the document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import random_photo, random_pose
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from window_driver import ViewMouse, strike, until

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_character
from app.viewport.camera.framing import is_wholly_in_view
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, PhotoView

CORNER = QPoint(15, 15)  # beside the body

pytestmark = pytest.mark.gl

KEY, HELD = Qt.Key, Qt.KeyboardModifier
AHEAD = {
    "front": (0, 0, -1), "back": (0, 0, 1), "right": (-1, 0, 0), "left": (1, 0, 0), "top": (0, -1, 0),
    "bottom": (0, 1, 0),
}  # fmt: skip


def orbit(editor: Editor) -> OrbitCamera:
    camera = editor.viewport.camera
    assert isinstance(camera, OrbitCamera)
    return camera


def share_seen(editor: Editor, document: Document) -> float:
    """The share of everybody's joints that lie within the view."""
    joints = np.concatenate([joints_of(c).positions for c in document.characters])
    places = np.array([editor.viewport.current_view.project(place) for place in joints])
    size = np.array([editor.viewport.width(), editor.viewport.height()])
    return float(np.mean(np.all((places >= 0) & (places <= size), axis=1)))


def test_keys_show_body_bones_or_both_and_the_menu_marks_which(looked_on: Editor) -> None:
    for key, shown in ((KEY.Key_2, "bones"), (KEY.Key_3, "both"), (KEY.Key_1, "body")):
        strike(looked_on, key, HELD.AltModifier)
        looked_on.refresh()
        assert looked_on.session.view.show == shown
        assert [n for n in ("body", "bones", "both") if looked_on.actions[f"view.{n}"].isChecked()] == [shown]
        assert [figure.show for figure in looked_on.viewport.scene.figures] == [shown]


def test_keys_hide_handles_and_grid_and_bring_them_back(looked_on: Editor) -> None:
    view = looked_on.viewport
    assert view.scene.handles
    assert view.scene.grid
    strike(looked_on, KEY.Key_H)
    strike(looked_on, KEY.Key_G, HELD.ShiftModifier)
    assert not view.scene.handles
    assert not view.scene.grid
    strike(looked_on, KEY.Key_H)
    strike(looked_on, KEY.Key_G, HELD.ShiftModifier)
    assert view.scene.handles
    assert view.scene.grid


def test_the_ghost_of_the_base_pose_comes_and_goes_with_its_key(editor: Editor) -> None:
    session = editor.session
    active = session.active
    assert active is not None
    session.edit("Base", lambda d: d.with_character(replace(active, base_pose=random_pose(np.random.default_rng(1)))))
    strike(editor, KEY.Key_B)
    assert [figure.ghost for figure in editor.viewport.scene.figures].count(True) == 1
    editor.refresh()
    assert editor.actions["view.ghost"].isChecked()
    strike(editor, KEY.Key_B)
    assert not any(figure.ghost for figure in editor.viewport.scene.figures)


@pytest.mark.slow
def test_number_keys_look_along_the_axes_flat(looked_on: Editor) -> None:
    for key, held, name in (
        (KEY.Key_1, HELD.NoModifier, "front"),
        (KEY.Key_3, HELD.NoModifier, "right"),
        (KEY.Key_7, HELD.NoModifier, "top"),
        (KEY.Key_1, HELD.ControlModifier, "back"),
        (KEY.Key_3, HELD.ControlModifier, "left"),
        (KEY.Key_7, HELD.ControlModifier, "bottom"),
    ):
        strike(looked_on, key, held)
        until(lambda name=name: np.allclose(-orbit(looked_on).rotation[:, 2], AHEAD[name], atol=1e-6))
        assert orbit(looked_on).orthographic
    strike(looked_on, KEY.Key_9)
    until(lambda: np.allclose(-orbit(looked_on).rotation[:, 2], AHEAD["top"], atol=1e-6))


@pytest.mark.slow
def test_the_numeric_pad_looks_as_the_digits_do(looked_on: Editor) -> None:
    strike(looked_on, KEY.Key_3, HELD.KeypadModifier)
    until(lambda: np.allclose(-orbit(looked_on).rotation[:, 2], AHEAD["right"], atol=1e-6))
    strike(looked_on, KEY.Key_5, HELD.KeypadModifier)
    assert not orbit(looked_on).orthographic


def test_the_projection_changes_with_its_key_and_the_menu_says_so(looked_on: Editor) -> None:
    for flat in (True, False):
        strike(looked_on, KEY.Key_5)
        looked_on.refresh()
        assert orbit(looked_on).orthographic == flat
        assert looked_on.actions["view.flat"].isChecked() == flat


@pytest.mark.slow
def test_a_side_is_left_in_perspective_unless_the_projection_was_chosen(looked_on: Editor) -> None:
    mouse = ViewMouse(looked_on)
    strike(looked_on, KEY.Key_3)
    until(lambda: np.allclose(-orbit(looked_on).rotation[:, 2], AHEAD["right"], atol=1e-6))
    strike(looked_on, KEY.Key_1)
    until(lambda: np.allclose(-orbit(looked_on).rotation[:, 2], AHEAD["front"], atol=1e-6))
    mouse.roll(CORNER, 2)
    assert orbit(looked_on).orthographic, "nearer is still from the front"
    mouse.drag(CORNER, QPoint(10, 0), QPoint(40, 10))
    assert not orbit(looked_on).orthographic
    strike(looked_on, KEY.Key_5)
    strike(looked_on, KEY.Key_3)
    until(lambda: np.allclose(-orbit(looked_on).rotation[:, 2], AHEAD["right"], atol=1e-6))
    mouse.drag(CORNER, QPoint(10, 0), QPoint(40, 10))
    assert orbit(looked_on).orthographic, "it was flat before"


@pytest.mark.slow
def test_framing_shows_the_selected_joint_near_and_everybody_again(editor: Editor) -> None:
    session = editor.session
    session.edit("Add", lambda d: edits.add_character(new_character(d))(d))
    session.edit("Away", edits.move_character("c2", (3.0, 0.0, 0.0)))
    strike(editor, KEY.Key_Home)
    until(lambda: share_seen(editor, session.document) == 1.0)
    far = orbit(editor).distance
    session.select("c2", joints=["left_wrist"])
    strike(editor, KEY.Key_F)
    until(lambda: orbit(editor).distance < far / 2)
    assert share_seen(editor, session.document) < 0.6
    strike(editor, KEY.Key_A)
    until(lambda: share_seen(editor, session.document) == 1.0)


@pytest.mark.parametrize("key", [KEY.Key_F, KEY.Key_A])
def test_framing_cuts_no_head_off_who_lies_with_it_towards_the_camera(editor: Editor, key: Qt.Key) -> None:
    session, onto_front = editor.session, np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    session.edit("Tip over", edits.tip_over(session.document.characters, onto_front))
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.1, 0.0), distance=0.8, yaw=0.0, pitch=0.5))
    assert not is_wholly_in_view(editor.viewport.final_view, session.document.characters[0])
    strike(editor, key)
    assert is_wholly_in_view(editor.viewport.final_view, session.document.characters[0])


@pytest.mark.slow
def test_the_same_frame_is_filled_by_nobody_hidden(editor: Editor) -> None:
    session = editor.session
    session.edit("Add", lambda d: edits.add_character(new_character(d))(d))
    session.edit("Away", edits.move_character("c2", (8.0, 0.0, 0.0)))
    strike(editor, KEY.Key_Home)
    until(lambda: share_seen(editor, session.document) == 1.0)
    both = orbit(editor).distance
    session.edit("Hide", edits.set_visible("c2", False))
    strike(editor, KEY.Key_Home)
    until(lambda: orbit(editor).distance < both / 2)
    strike(editor, KEY.Key_Home)
    until(lambda: abs(orbit(editor).target[0]) < 0.5)


@pytest.mark.parametrize("mm", [24, 100])
def test_a_lens_from_the_menu_keeps_the_figure_as_tall_as_it_was(looked_on: Editor, mm: int) -> None:
    before = orbit(looked_on)
    looked_on.actions[f"view.lens{mm}"].trigger()
    after = orbit(looked_on)
    assert after.distance * np.tan(after.fov_y / 2) == pytest.approx(before.distance * np.tan(before.fov_y / 2))
    assert (after.distance > before.distance) == (mm == 100)
    assert (after.target, after.yaw, after.pitch) == (before.target, before.yaw, before.pitch)


def test_zero_looks_through_the_photos_camera_and_back_to_where_one_was(editor: Editor) -> None:
    session = editor.session
    strike(editor, KEY.Key_0)
    assert not session.view.through_photo
    photo = replace(random_photo(np.random.default_rng(0), "/nowhere.jpg"), visible=False)
    session.edit("Photo", edits.set_photo(photo))
    before = orbit(editor)
    strike(editor, KEY.Key_0)
    assert isinstance(editor.viewport.camera, PhotoView)
    assert editor.viewport.camera.lens == photo.camera
    editor.refresh()
    assert editor.actions["view.photo"].isChecked()
    strike(editor, KEY.Key_0)
    assert editor.viewport.camera == before
    session.set_view(through_photo=True)
    session.edit("No photo", edits.set_photo(None))
    assert editor.viewport.camera == before


def test_space_does_nothing_to_somebody_without_a_motion(looked_on: Editor) -> None:
    strike(looked_on, KEY.Key_Space)
    assert not looked_on.player.playing
    assert looked_on.session.live == {}


def test_the_theme_changes_by_key_and_back(looked_on: Editor) -> None:
    before = looked_on.settings.values.theme
    strike(looked_on, KEY.Key_L, HELD.ControlModifier | HELD.ShiftModifier)
    assert looked_on.settings.values.theme != before
    assert looked_on.viewport.theme.name == looked_on.settings.values.theme
    strike(looked_on, KEY.Key_L, HELD.ControlModifier | HELD.ShiftModifier)
    assert looked_on.settings.values.theme == before


def test_slash_searches_the_commands_and_escape_leaves_them(looked_on: Editor) -> None:
    seen: list[int] = []
    timer = QTimer(looked_on, interval=5)

    def leave() -> None:
        for search in looked_on.window.findChildren(CommandSearch):
            if search.isVisible():
                timer.stop()
                QTest.keyClicks(search.field, "mm lens")
                seen.append(search.list.topLevelItemCount())
                QTest.keyClick(search.field, KEY.Key_Escape)

    timer.timeout.connect(leave)
    timer.start()
    strike(looked_on, KEY.Key_Slash)
    until(lambda: seen == [7])
    assert not any(search.isVisible() for search in looked_on.window.findChildren(CommandSearch))


def test_the_lens_in_use_is_ticked_and_every_lens_keeps_the_figures_size(looked_on: Editor) -> None:
    def ticked() -> list[str]:
        looked_on.actions.refresh()
        names = [f"view.lens{mm}" for mm in (18, 24, 35, 42, 50, 85, 100)]
        return [name for name in names if looked_on.actions[name].isChecked()]

    assert ticked() == ["view.lens42"], "as the view begins"
    before = looked_on.viewport.final_view.camera
    assert isinstance(before, OrbitCamera)
    looked_on.actions["view.lens18"].trigger()
    assert ticked() == ["view.lens18"]
    wide = looked_on.viewport.final_view.camera
    assert isinstance(wide, OrbitCamera)
    seen = [camera.distance * np.tan(camera.fov_y / 2) for camera in (before, wide)]
    assert seen[0] == pytest.approx(seen[1], rel=1e-6)
    strike(looked_on, KEY.Key_5)
    assert ticked() == []
    strike(looked_on, KEY.Key_5)
    looked_on.actions["view.lens42"].trigger()
    assert ticked() == ["view.lens42"]
