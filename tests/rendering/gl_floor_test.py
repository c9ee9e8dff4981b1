"""The floor hides what sinks below it, shows its edge from the side, and leaves the photo alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")
from rendering_capsule_man import figure

from rendering.camera.camera import OrbitCamera, PhotoView, View
from rendering.camera.moving import standard_view
from rendering.drawing.offscreen import render_image
from rendering.scene.theme import DARK, LIGHT, Theme
from rendering.scene.values import Backplate, Figure, Scene
from solver.camera import PinholeCamera

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]
SIZE = (240, 240)
ABOVE = OrbitCamera(yaw=0.4, pitch=0.5, distance=6.0, target=(0.0, 0.0, 0.0))


def sunk(metres: float, **how: object) -> Figure:
    man = figure(**how)
    down = np.zeros((4, 4))
    down[1, 3] = -metres
    return replace(man, skinning=man.skinning + down, joints=man.joints - [0.0, metres, 0.0])


def drawn(scene: Scene, camera: OrbitCamera | PhotoView, theme: Theme = DARK) -> np.ndarray:
    return render_image(scene, camera, SIZE, samples=0, theme=replace(theme, shadow=0.0))[..., :3].astype(int)


def difference(figure: Figure, camera: OrbitCamera | PhotoView, theme: Theme = DARK, **how: object) -> np.ndarray:
    """(H, W) how strongly each pixel shows that the figure is there, its shadow aside."""
    without = Scene(**how)  # type: ignore[arg-type]
    return np.abs(drawn(replace(without, figures=(figure,)), camera, theme) - drawn(without, camera, theme)).sum(
        axis=-1
    )


def changed(figure: Figure, camera: OrbitCamera | PhotoView, **how: object) -> int:
    """How many pixels show that the figure is there."""
    return int((difference(figure, camera, **how) > 24).sum())


@pytest.mark.sweep
@pytest.mark.parametrize("show", ["body", "bones", "both"])
def test_from_above_the_floor_hides_what_is_below_it(show: str) -> None:
    whole = changed(sunk(0.0, show=show), ABOVE)
    assert 0.25 * whole < changed(sunk(0.9, show=show), ABOVE) < 0.75 * whole
    assert changed(sunk(2.5, show=show), ABOVE) < 0.02 * whole
    assert changed(sunk(2.5, show=show), replace(ABOVE, orthographic=True)) < 0.02 * whole


@pytest.mark.slow
def test_from_below_and_without_a_floor_nothing_is_hidden() -> None:
    whole = changed(sunk(0.0), replace(ABOVE, pitch=-0.5))
    assert whole > 500
    assert changed(sunk(2.5), replace(ABOVE, pitch=-0.5)) > 0.5 * whole
    assert changed(sunk(2.5), replace(ABOVE, pitch=-0.5, orthographic=True)) > 0.5 * whole
    assert changed(sunk(2.5), ABOVE, grid=False) > 0.5 * whole


def test_feet_that_stand_on_the_floor_stay_whole() -> None:
    man = figure()
    assert man.mesh is not None
    standing = sunk(float(np.asarray(man.mesh.vertices)[:, 1].min()))
    assert changed(standing, ABOVE) > 0.98 * changed(standing, ABOVE, grid=False) > 500


@pytest.mark.sweep
@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("name", ["front", "right"])
def test_from_the_side_the_floor_shows_as_a_line_and_covers_what_is_below(theme: Theme, name: str) -> None:
    camera = standard_view(replace(ABOVE, distance=4.0), name, orthographic=True)
    empty = drawn(Scene(), camera, theme=theme)
    row = round(float(View(camera, *SIZE).project(np.zeros(3))[1]))
    steps = np.abs(np.diff(empty.mean(axis=(1, 2))))
    assert abs(int(np.argmax(steps)) - row) <= 2, "the strongest edge of the picture is the floor's"
    assert steps.max() > 6
    assert np.ptp(empty[row - 1 : row + 1], axis=1).max() < 12, "from one side of the picture to the other"
    below = slice(row + 3, row + 12)
    covered, bare = (difference(sunk(1.0), camera, theme, grid=grid)[below].max() for grid in (True, False))
    assert covered < 0.35 * bare


@pytest.mark.slow
def test_a_photo_is_not_covered_by_the_floor() -> None:
    photo = np.full((120, 120, 4), 255, np.uint8)
    photo[..., :3] = np.random.default_rng(0).integers(0, 255, (120, 120, 1))
    for height in (1.2, 0.01):
        front = standard_view(ABOVE, "front").rotation
        camera = PhotoView(PinholeCamera([0, height, 5.0], front, 130.0, (60.0, 60.0), (120, 120)))
        plate = Backplate(photo, camera.lens)
        with_floor, without = (drawn(Scene(backplate=plate, grid=grid), camera) for grid in (True, False))
        assert np.median(np.abs(with_floor - without).max(axis=-1)) == 0
        man = figure()
        assert changed(sunk(0.3), camera, backplate=plate) > 0.9 * changed(man, camera, backplate=plate)


def line_share(times: int) -> float:
    """The share of a picture that the grid's lines cover, seen from above, in a picture so many times as large."""
    camera, size = replace(ABOVE, pitch=np.pi / 2 - 0.01, distance=4.0), (times * SIZE[0], times * SIZE[1])
    plain = render_image(Scene(), camera, size, samples=0, theme=replace(DARK, grid_strength=0.0), lines=times)
    lined = render_image(Scene(), camera, size, samples=0, lines=times)
    difference = np.abs(lined[..., :3].astype(int) - plain[..., :3]).sum(axis=-1)
    return float((difference > difference.max() / 2).mean())


def test_the_grid_s_lines_are_as_wide_in_a_large_picture_as_outlines_are() -> None:
    small, large = line_share(1), line_share(4)
    assert small > 0.005
    assert large == pytest.approx(small, rel=0.3)
