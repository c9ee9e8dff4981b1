"""The floor seen from the side: the line of its edge, and the ground below that line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.items.background import photo_view
from rendering.items.frame import Frame
from rendering.items.ground import Ground, edge_strength
from rendering.items.lines import Lines, line_rows
from rendering.items.triangles import Triangles
from rendering.scene.theme import Theme, rgb
from rendering.scene.values import Scene

LINE_ALPHA = 0.75
DEEP = 0.16  # of the view's height: how far down the ground below the edge reaches
TONES = ((0.0, 0.90), (0.3, 0.72), (1.0, 0.0))  # share of that depth, alpha of the ground


class FloorEdge:
    """Painted behind the figures; in front of a photo only the line."""

    def __init__(self) -> None:
        self._ground, self._line = Triangles(strip=True), Lines()

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw it as strongly as the floor is seen from the side, without touching depth."""
        strength = 0.0 if not scene.grid or frame.transparent else edge_strength(scene, frame)
        if strength <= 0.0:
            return
        left, right, down = edge(scene, frame)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(False)
        if not photo_view(scene.backplate, frame):
            self._ground.upload(_ground(left, right, down, frame.theme, strength))
            self._ground.paint(frame)
        self._line.upload(line_rows(left, right, rgb(frame.theme.grid), LINE_ALPHA * strength, width=1.4))
        self._line.paint(frame)
        GL.glDepthMask(True)
        GL.glEnable(GL.GL_DEPTH_TEST)


def edge(scene: Scene, frame: Frame) -> tuple[NDArray, NDArray, float]:
    """The edge's ends (3,) and how far the ground is drawn below it, in metres."""
    x, z, reach = Ground.place(scene, frame)
    centre, right = np.array([x, 0.0, z]), np.asarray(frame.view.camera.rotation)[:, 0] * [1.0, 0.0, 1.0]
    right /= max(float(np.linalg.norm(right)), 1e-9)
    down = DEEP * frame.view.height * frame.view.metres_per_pixel(centre)
    return centre - reach * right, centre + reach * right, down


def _ground(left: NDArray, right: NDArray, down: float, theme: Theme, strength: float) -> NDArray[np.float32]:
    """Rows of place and colour of a strip that fades downwards."""
    color, up = rgb(theme.floor), np.array([0.0, down, 0.0])
    rows = [(*(end - share * up), *color, alpha * strength) for share, alpha in TONES for end in (left, right)]
    return np.array(rows, np.float32)
