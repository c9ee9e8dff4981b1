"""Shadows on the floor, in tiles of one texture: each figure has its own, and only who moved is drawn anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")
from gl_calls import Counted
from rendering_capsule_man import figure as man

from rendering.camera.camera import OrbitCamera, View
from rendering.drawing.offscreen import read_frame
from rendering.drawing.renderer import SceneRenderer
from rendering.gl.buffers import uploads
from rendering.gl.tiles import ACROSS
from rendering.items.frame import Frame
from rendering.scene.theme import LIGHT
from rendering.scene.values import Figure, Scene

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl", "context")]
ABOVE = OrbitCamera(yaw=0.4, pitch=0.9, distance=9.0, target=(1.0, 0.0, 0.0))
QUICK = Frame(View(ABOVE, 240, 160), LIGHT, quick=True)
REST = replace(QUICK, quick=False)
BASE = man()


def standing(id: object, x: float, z: float = 0.0) -> Figure:
    """The capsule man on the floor at a place; each made anew, as after a move."""
    there, by = np.array(BASE.skinning), np.array([x, 0.0, z], np.float32)
    there[:, :3, 3] += by
    return replace(BASE, id=id, skinning=there, joints=BASE.joints + by)  # type: ignore[arg-type]


def row(count: int) -> tuple[Figure, ...]:
    return tuple(standing(number, 0.7 * (number % 6) - 1.0, 0.9 * (number // 6) - 1.0) for number in range(count))


def drawn(renderer: SceneRenderer, figures: tuple[Figure, ...], frame: Frame = QUICK) -> np.ndarray:
    return read_frame(renderer, Scene(figures, grid=False), frame, samples=0).copy()


def test_more_people_change_the_framebuffer_no_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer, bound = SceneRenderer(), Counted(monkeypatch, "glBindFramebuffer")
    counts = []
    for people in (10, 10, 10, 1, 10):  # the first ones make room, and keep what is behind
        bound.calls.clear()
        drawn(renderer, row(people))
        counts.append(len(bound.calls))
    assert counts[-1] == counts[-2]


def test_only_who_moved_is_drawn_into_the_shadows_again(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer, figures = SceneRenderer(), row(4)
    for _ in range(3):  # what is behind is kept from then on
        drawn(renderer, figures)
    triangles = Counted(monkeypatch, "glDrawArrays")
    counts = []
    for moved in (0, 1, 4):
        figures = row(4)[:moved] + figures[moved:]
        triangles.calls.clear()
        drawn(renderer, figures)
        counts.append(len(triangles.calls))
    assert counts[1] - counts[0] == 2, "a wide shadow, and a tight one softened"
    assert counts[2] - counts[0] == 8


@pytest.mark.slow
def test_who_comes_takes_the_place_of_who_went_and_more_find_room_than_there_was() -> None:
    renderer, four = SceneRenderer(), row(4)
    for figures in (four, four[:1] + four[2:], (*four[2:], standing("new", -0.5)), row(ACROSS + 3), four):
        assert (drawn(renderer, figures) == drawn(SceneRenderer(), figures)).all()
    assert (drawn(renderer, four) != drawn(renderer, four[1:])).any()


def test_who_was_baked_coarsely_in_motion_is_baked_finely_at_rest() -> None:
    renderer, figures = SceneRenderer(), row(3)
    moving, resting = drawn(renderer, figures), drawn(renderer, figures, REST)
    assert (resting == drawn(SceneRenderer(), figures, REST)).all()
    floor = replace(LIGHT, shadow=0.0)
    bare = [drawn(SceneRenderer(), figures, replace(frame, theme=floor)).astype(int) for frame in (QUICK, REST)]
    darker = [bare[0] - moving, bare[1] - resting]
    assert max(d.max() for d in darker) > 40
    assert np.abs(darker[0] - darker[1]).max() < 25, "and looks about the same"


def test_figures_of_one_mesh_that_differ_at_rest_are_uploaded_once_each() -> None:
    assert BASE.mesh is not None
    skins = [BASE.mesh.vertices * np.array([1.0, tall, 1.0], np.float32) for tall in (1.0, 1.03)]
    figures = tuple(replace(figure, rest=skin) for figure, skin in zip(row(2), skins, strict=True))
    renderer = SceneRenderer()
    picture, before = drawn(renderer, figures), uploads.bytes
    again = replace(QUICK, view=View(replace(ABOVE, yaw=0.5), 240, 160))
    drawn(renderer, figures, again)
    assert uploads.bytes - before < skins[0].nbytes
    assert (drawn(renderer, figures) == picture).all()


def test_what_a_tile_showed_at_rest_does_not_get_in_at_its_edges_in_motion() -> None:
    near = View(replace(ABOVE, pitch=1.3, distance=3.0, target=(0.3, 0.0, 0.0)), 240, 160)
    renderer, quick, moved = SceneRenderer(), replace(QUICK, view=near), (standing(0, 0.3),)
    drawn(renderer, (standing(0, 0.0),), replace(quick, quick=False))
    assert (drawn(renderer, moved, quick) == drawn(SceneRenderer(), moved, quick)).all()


def test_buffers_that_only_one_figure_needed_are_freed_once_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer, figures = SceneRenderer(), row(2)
    drawn(renderer, figures)
    freed = Counted(monkeypatch, "glDeleteBuffers")
    drawn(renderer, figures)
    assert not freed.calls
    drawn(renderer, figures[:1])
    assert len(freed.calls) == 2, "its joints' matrices, and its vertices at rest"
