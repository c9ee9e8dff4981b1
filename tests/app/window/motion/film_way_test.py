"""The view goes the way of a film's camera while one scrubs, by its menu entry in the real window."""

from __future__ import annotations

from math import cos, sin

import pytest
from motion_follow_test import CTRL, FRAMES, KEY, SHIFT, walker
from PySide6.QtCore import Qt
from window_driver import strike, until

from app.film.film import Film, shots
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl
__all__ = ["walker"]


def keep_two_views(editor: Editor) -> None:
    """One from the front, and one from the side."""
    view = editor.viewport
    for look, keep in ((KEY.Key_1, KEY.Key_2), (KEY.Key_3, KEY.Key_4)):
        before = view.camera
        strike(editor, look)
        until(lambda before=before: view.final_view.camera == view.camera != before)
        strike(editor, keep, CTRL)
    assert [each.slot for each in editor.session.document.bookmarks] == [2, 4]
    editor.refresh()


def looks(camera: object) -> tuple[float, ...]:
    """Where a camera looks from, and to."""
    assert isinstance(camera, OrbitCamera)
    return (*camera.target, camera.distance, sin(camera.yaw), cos(camera.yaw), camera.pitch)


def test_the_view_shows_what_the_film_will_and_goes_back(walker: Editor) -> None:
    action = walker.actions["view.film_way"]
    assert not action.isEnabled(), "no views are kept"
    keep_two_views(walker)
    assert action.isEnabled()
    views, before = walker.session.document.bookmarks, walker.viewport.camera
    walker.player.go_to(0)
    action.trigger()
    film = list(shots(Film(fps=30.0, through=views), walker.session.history.document, before))
    assert len(film) == FRAMES
    for frame in (7, 20, FRAMES - 1, 0):
        walker.player.go_to(frame)
        assert looks(walker.viewport.camera) == pytest.approx(looks(film[frame].camera), abs=1e-6), frame
    strike(walker, KEY.Key_Z, Qt.KeyboardModifier.AltModifier)
    until(lambda: looks(walker.viewport.camera) == pytest.approx(looks(before), abs=1e-5))
    walker.player.go_to(3)
    there = walker.viewport.camera
    assert looks(there) == pytest.approx(looks(film[3].camera), abs=1e-6), "at the next frame it is on its way again"
    action.trigger()
    walker.player.go_to(20)
    assert walker.viewport.camera == there, "switched off, it stays"


def test_following_a_person_ends_the_way_of_the_film_and_the_other_way_round(walker: Editor) -> None:
    keep_two_views(walker)
    walker.actions["view.film_way"].trigger()
    strike(walker, KEY.Key_F, CTRL | SHIFT)
    assert walker.session.view.follow
    assert not walker.session.view.film_way
    walker.actions["view.film_way"].trigger()
    assert walker.session.view.film_way
    assert not walker.session.view.follow
