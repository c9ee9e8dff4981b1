"""Draws root handles: a ring, a cross and a wedge flat on the floor, which bodies hide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.items.frame import Frame
from rendering.items.lines import Lines, line_rows
from rendering.items.triangles import Triangles
from rendering.scene.theme import Rgb, Theme, mixed, rgb
from rendering.scene.values import RootHandle, Scene
from rendering.shapes.root_handle import LIFT, arms, arrows, nose, ring

QUIET, LOUD, ASIDE = 0.60, 1.0, 0.22  # opacity at rest, under the pointer, and while another part is dragged


class RootHandleItem:
    """Lines and triangles, rebuilt when the handle or the view changes."""

    def __init__(self) -> None:
        self._lines, self._triangles = Lines(), Triangles()
        self._of: tuple[object, ...] = ()

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Rebuild for another handle or view."""
        roots = roots_of(scene)
        of = (*roots, frame.view, frame.theme)
        same = len(self._of) == len(of) and self._of[-2] == frame.view and self._of[-1] is frame.theme
        if not roots or (same and all(a is b for a, b in zip(self._of, roots, strict=False))):
            return
        self._of = of
        self._lines.upload(np.concatenate([_line_rows(root, frame) for root in roots]))
        self._triangles.upload(np.concatenate([_triangle_rows(root, frame) for root in roots]))

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw where nothing hides it; depth is tested but not written."""
        if not roots_of(scene) or frame.transparent:
            return
        GL.glDepthMask(False)
        self._lines.paint(frame, lift=LIFT)
        self._triangles.paint(frame)
        GL.glDepthMask(True)


def roots_of(scene: Scene) -> tuple[RootHandle, ...]:
    """All that show, the active person's last: it lies over the others."""
    return (*(root for _, root in scene.roots), *((scene.root,) if scene.root is not None else ()))


def paint_of(root: RootHandle, part: str, theme: Theme) -> tuple[Rgb, float, float]:
    """Colour, opacity and extra width of a part."""
    own, lit = rgb(root.color), rgb(theme.floor_lit)
    if root.active == part or (root.active is None and root.hovered == part):
        return mixed(own, lit, 0.5), LOUD, 1.2
    rest = mixed(own, lit, theme.floor_ink)
    if root.active is not None:
        return rest, ASIDE, 0.0
    return rest, 0.85 if root.selected else QUIET, 0.0


def _line_rows(root: RootHandle, frame: Frame) -> NDArray[np.float32]:
    rows = []
    circle = ring(root, frame.view)
    shafts = arms(root, frame.view)
    for part, start, end in (("turn", circle[:-1], circle[1:]), ("move", shafts[:, 0], shafts[:, 1])):
        color, alpha, thicker = paint_of(root, part, frame.theme)
        rows.append(line_rows(start, end, rgb(frame.theme.floor_edge), 0.35 * alpha, width=4.0 + thicker))
        rows.append(line_rows(start, end, color, alpha, width=2.0 + thicker))
    return np.concatenate(rows)


def _triangle_rows(root: RootHandle, frame: Frame) -> NDArray[np.float32]:
    rows = []
    for part, triangles in (("turn", nose(root, frame.view)[None]), ("move", arrows(root, frame.view))):
        color, alpha, _ = paint_of(root, part, frame.theme)
        towards = frame.eye - triangles
        lifted = triangles + LIFT * towards / np.linalg.norm(towards, axis=-1, keepdims=True)
        rows += [(*place, *color, alpha) for place in lifted.reshape(-1, 3)]
    return np.array(rows, dtype=np.float32)
