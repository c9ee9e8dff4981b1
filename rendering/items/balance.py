"""Draws balance: the support polygon on the floor, the centre of mass, and the line from it down to its dot there."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rendering.gl.api import GL
from rendering.items.frame import Frame
from rendering.items.lines import Lines, line_rows
from rendering.items.triangles import Triangles
from rendering.scene.theme import Rgb, Theme, rgb
from rendering.scene.values import BalanceMark, Scene

LIFT = 0.02  # metres towards the viewer, so that the floor does not cut into it
HIDDEN = 0.55  # opacity of the line within the body
FILL = 0.28  # opacity of the polygon
SPOT, LEAST_SPOT = 0.022, 7.0  # radius of the dot on the floor in metres, and no less than that many pixels
CENTRE = 7.5  # pixels of the centre's radius
STEPS = 32  # of a circle, four quarters

Rows = list[tuple[float, ...]]


class BalanceItem:
    """Lines and triangles, rebuilt when a mark or the view changes."""

    def __init__(self) -> None:
        self._edges, self._plumbs = Lines(), Lines()
        self._areas, self._centres = Triangles(), Triangles()
        self._of: tuple[object, ...] = ()

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Rebuild for other marks or another view."""
        marks = scene.balances
        if len(self._of) == 3 and self._of[0] is marks and self._of[1] == frame.view and self._of[2] is frame.theme:
            return
        self._of = (marks, frame.view, frame.theme)
        self._edges.upload(_joined([edge_rows(m, frame.theme) for m in marks]))
        self._plumbs.upload(_joined([plumb_rows(m, frame.theme) for m in marks]))
        self._areas.upload(_corners([row for m in marks for row in _area_rows(m, frame)]))
        self._centres.upload(_corners([row for m in marks for row in _centre_rows(m, frame)]))

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw what lies on the floor where nothing hides it, the rest through the body; without touching depth."""
        if not scene.balances or frame.transparent:
            return
        GL.glDepthMask(False)
        self._areas.paint(frame)
        self._edges.paint(frame, lift=LIFT)
        for function, alpha in ((GL.GL_GREATER, HIDDEN), (GL.GL_LEQUAL, 1.0)):
            GL.glDepthFunc(function)
            self._plumbs.paint(frame, alpha)
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._centres.paint(frame)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(True)


def color_of(mark: BalanceMark, theme: Theme) -> Rgb:
    """Green where the centre is over the support, amber where it is not, grey in the air."""
    return rgb({"held": theme.met, "falling": theme.tolerated, "in the air": theme.disabled}[mark.state])


def edge_rows(mark: BalanceMark, theme: Theme) -> NDArray[np.float32]:
    """Rows for Lines of the polygon's edge; none in the air."""
    corners = _on_floor(mark)
    if len(corners) < 2:
        return _joined([])
    ends = np.roll(corners, -1, axis=0)
    dark = line_rows(corners, ends, rgb(theme.floor_edge), 0.35, width=4.0)
    return np.concatenate([dark, line_rows(corners, ends, color_of(mark, theme), 0.95, width=2.0)])


def plumb_rows(mark: BalanceMark, theme: Theme) -> NDArray[np.float32]:
    """Rows for Lines from the centre straight down to the floor."""
    top = np.asarray(mark.centre, np.float64)
    foot = top * [1.0, 0.0, 1.0]
    dark = line_rows(foot, top, rgb(theme.outline), 0.4, width=3.6)
    return np.concatenate([dark, line_rows(foot, top, color_of(mark, theme), 0.95, width=1.8)])


def _area_rows(mark: BalanceMark, frame: Frame) -> Rows:
    corners, color = _on_floor(mark), color_of(mark, frame.theme)
    rows: Rows = []
    for i in range(1, len(corners) - 1):
        rows += _triangle(_lifted(corners[[0, i, i + 1]], frame), color, FILL)
    if mark.state != "in the air":
        spot = np.asarray(mark.centre, np.float64) * [1.0, 0.0, 1.0]
        radius = max(SPOT, LEAST_SPOT * frame.view.metres_per_pixel(spot))
        across, ahead = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        for share, paint in ((1.35, rgb(frame.theme.outline)), (1.0, color)):
            for wedge in _disc(spot, share * radius * across, share * radius * ahead):
                rows += _triangle(_lifted(wedge, frame), paint, 0.95)
    return rows


def _centre_rows(mark: BalanceMark, frame: Frame) -> Rows:
    """The usual sign of a centre of mass: a disc whose quarters alternate dark and light; it faces the viewer."""
    centre, axes = np.asarray(mark.centre, np.float64), np.asarray(frame.view.camera.rotation, np.float64)
    radius = CENTRE * frame.view.metres_per_pixel(centre)
    dark, color = rgb(frame.theme.outline), color_of(mark, frame.theme)
    rows: Rows = []
    for share in (1.22, 1.0):
        for i, wedge in enumerate(_disc(centre, share * radius * axes[:, 0], share * radius * axes[:, 1])):
            lit = share == 1.0 and i // (STEPS // 4) % 2 == 0
            rows += _triangle(wedge, color if lit else dark, 1.0)
    return rows


def _on_floor(mark: BalanceMark) -> NDArray[np.float64]:
    flat = np.asarray(mark.support, np.float64).reshape(-1, 2)
    return np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=1)


def _lifted(corners: NDArray[np.float64], frame: Frame) -> NDArray[np.float64]:
    towards = frame.eye - corners
    return np.asarray(corners + 0.5 * LIFT * towards / np.linalg.norm(towards, axis=-1, keepdims=True))


def _disc(centre: ArrayLike, across: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
    """(STEPS, 3, 3) its wedges."""
    angle = np.linspace(0.0, 2 * np.pi, STEPS + 1)[:, None]
    rim = np.asarray(centre) + np.cos(angle) * across + np.sin(angle) * up
    middle = np.broadcast_to(np.asarray(centre), (STEPS, 3))
    return np.stack([middle, rim[:-1], rim[1:]], axis=1)


def _triangle(corners: NDArray[np.float64], color: Rgb, alpha: float) -> Rows:
    return [(*corner, *color, alpha) for corner in corners.tolist()]


def _corners(rows: Rows) -> NDArray[np.float32]:
    return np.array(rows, np.float32).reshape(-1, 7)


def _joined(rows: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    return np.concatenate(rows) if rows else np.empty((0, 13), np.float32)
