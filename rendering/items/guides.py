"""Draws guides: the axes that a drag keeps to, as lines through the whole scene."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.items.frame import Frame
from rendering.items.lines import Lines, line_rows
from rendering.scene.theme import Theme, rgb
from rendering.scene.values import Guide, Scene

FAR = 60.0  # metres to each side, beyond which the line is as thin as the horizon
HIDDEN = 0.35  # share of its strength behind bodies
DASH = 7.0  # pixels


class GuidesItem:
    """Lines, rebuilt when the guides change."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._of: tuple[object, ...] = ()

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Rebuild for other guides."""
        of = (scene.guides, frame.theme)
        if scene.guides and of != self._of:
            self._of = of
            self._lines.upload(guide_lines(scene.guides, frame.theme))

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw what is in the open, and faintly what bodies hide; depth is tested but not written."""
        if not scene.guides or frame.transparent:
            return
        GL.glDepthMask(False)
        for function, alpha in ((GL.GL_GREATER, HIDDEN), (GL.GL_LEQUAL, 1.0)):
            GL.glDepthFunc(function)
            self._lines.paint(frame, alpha)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glDepthMask(True)


def guide_lines(guides: tuple[Guide, ...], theme: Theme) -> NDArray[np.float32]:
    """(2 N, 13) line rows: each guide from its middle to both sides."""
    colors = {"x": theme.axis_x, "y": theme.axis_y, "z": theme.axis_z}
    rows = []
    for guide in guides:
        middle, reach = np.asarray(guide.through, np.float64), FAR * np.asarray(guide.along, np.float64)
        color = rgb(colors.get(guide.axis, theme.highlight if theme.name == "dark" else theme.outline))
        ends = np.array([middle + reach, middle - reach])
        alpha, dash = (0.85, 0.0) if guide.axis else (0.55, DASH)
        rows.append(line_rows(np.tile(middle, (2, 1)), ends, color, alpha, width=1.6, dash=dash))
    return np.concatenate(rows)
