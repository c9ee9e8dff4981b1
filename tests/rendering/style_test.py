"""Styles as values, where lights come from, hollows of a surface, and the letters of the gizmo."""

from __future__ import annotations

import numpy as np
import pytest

from rendering.camera.camera import OrbitCamera, View
from rendering.scene.cavity import cavity
from rendering.scene.mesh_data import smooth_normals
from rendering.scene.style import HIGHEST, Style, axes, direction
from rendering.scene.values import Gizmo
from rendering.shapes.axis_letters import letter
from rendering.shapes.gizmo import AXES, outline

VIEW = View(OrbitCamera(yaw=0.5, pitch=0.3, distance=4.0), 800, 600)


@pytest.mark.parametrize("wrong", [{"look": "chalk"}, {"light": "disco"}])
def test_a_look_or_light_that_there_is_not_is_refused_by_name(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=f"“{next(iter(wrong.values()))}”"):
        Style(**wrong)  # type: ignore[arg-type]


def test_a_light_can_be_turned_round_and_is_held_below_straight_up() -> None:
    aimed = Style().aimed(270.0, 120.0)
    assert aimed.turn == pytest.approx(-90.0)
    assert aimed.height == HIGHEST


@pytest.mark.parametrize("pitch", [0.0, 0.7, 1.5])
def test_light_comes_from_the_viewers_side_level_with_the_floor(pitch: float) -> None:
    rotation = np.asarray(OrbitCamera(yaw=0.8, pitch=pitch).rotation)
    right, up, back = axes(rotation)
    assert direction(0.0, 0.0, rotation) == pytest.approx(back, abs=1e-6)
    assert direction(90.0, 0.0, rotation) == pytest.approx(right, abs=1e-6)
    assert direction(33.0, 90.0, rotation) == pytest.approx(up, abs=1e-6)
    assert back[1] == pytest.approx(0.0)


def test_a_camera_that_lies_on_its_side_has_lights_too() -> None:
    on_side = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert np.linalg.norm(direction(20.0, 30.0, on_side)) == pytest.approx(1.0)


def bumpy() -> tuple[np.ndarray, np.ndarray]:
    """A sheet, half a metre wide, with a pit on its left and a bump on its right."""
    steps = np.linspace(-0.25, 0.25, 51)
    x, z = (a.ravel() for a in np.meshgrid(steps, steps))
    y = 0.02 * (np.exp(-((x - 0.12) ** 2 + z**2) / 0.0008) - np.exp(-((x + 0.12) ** 2 + z**2) / 0.0008))
    cell = np.arange(51 * 51).reshape(51, 51)
    a, b, c, d = (part.ravel() for part in (cell[:-1, :-1], cell[:-1, 1:], cell[1:, :-1], cell[1:, 1:]))
    return np.column_stack([x, y, z]), np.concatenate([np.column_stack([a, c, b]), np.column_stack([b, c, d])])


def test_a_pit_is_hollow_a_bump_is_a_ridge_and_flat_is_neither() -> None:
    points, faces = bumpy()
    found = cavity(points, faces, smooth_normals(points, faces))
    at = lambda x: int(np.argmin(np.abs(points[:, 0] - x) + np.abs(points[:, 2])))  # noqa: E731
    assert (found[at(-0.12)] > 0.2).all()
    assert (found[at(0.12)] < -0.2).all()
    assert np.abs(found[at(0.0)]).max() < 0.05
    assert np.abs(found).max() <= 1.0


@pytest.mark.parametrize("kind", ["move", "rotate", "scale"])
@pytest.mark.parametrize("part", AXES)
def test_a_letter_stands_beside_what_it_names_and_faces_the_viewer(kind: str, part: str) -> None:
    gizmo = Gizmo(kind, np.array([0.1, 1.0, 0.2]), np.eye(3))  # type: ignore[arg-type]
    strokes = VIEW.project(letter(gizmo, part, VIEW).reshape(-1, 3))
    assert 7.0 < np.ptp(strokes[:, 1]) < 13.0, "pixels high"
    line = VIEW.project(outline(gizmo, part, VIEW))
    gap = np.linalg.norm(line - strokes.mean(axis=0), axis=1).min()
    assert gap < 40.0
