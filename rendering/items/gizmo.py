"""Draws the gizmo over everything: arrows and planes to move, rings to turn, bars with cubes to scale."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rendering.camera.camera import View
from rendering.gl.api import GL
from rendering.items.frame import Frame
from rendering.items.lines import Lines, line_rows
from rendering.items.triangles import Triangles
from rendering.scene.theme import Rgb, Theme, rgb
from rendering.scene.values import Gizmo, Scene
from rendering.shapes.axis_letters import letter
from rendering.shapes.gizmo import AXES, PLANES, RINGS, TURNS, axis_visibility, outline

CUBE = 5.5  # pixels from a cube's middle to its sides
CONE_LENGTH, CONE_RADIUS, CONE_SIDES = 15.0, 5.2, 20  # pixels


class GizmoItem:
    """Lines and a few triangles, rebuilt when the gizmo or the view changes."""

    def __init__(self) -> None:
        self._lines, self._triangles = Lines(), Triangles()
        self._of: tuple[object, ...] = ()

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Rebuild for another gizmo or view."""
        gizmo = scene.gizmo
        if gizmo is None:
            return
        if len(self._of) == 3 and self._of[0] is gizmo and self._of[1] == frame.view and self._of[2] is frame.theme:
            return
        self._of = (gizmo, frame.view, frame.theme)
        self._lines.upload(gizmo_lines(gizmo, frame.view, frame.theme))
        self._triangles.upload(gizmo_triangles(gizmo, frame.view, frame.theme))

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw regardless of depth."""
        if scene.gizmo is None or frame.transparent:
            return
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(False)
        self._lines.paint(frame)
        self._triangles.paint(frame)
        GL.glDepthMask(True)
        GL.glEnable(GL.GL_DEPTH_TEST)


def _paint_of(gizmo: Gizmo, part: str, theme: Theme) -> tuple[Rgb, float, float]:
    """Colour, alpha and extra width of a part, depending on whether it or another one is hovered or dragged."""
    axis = part.removeprefix("turn ")
    color = {"x": theme.axis_x, "y": theme.axis_y, "z": theme.axis_z, "yz": theme.axis_x, "zx": theme.axis_y,
             "xy": theme.axis_z}.get(axis, theme.highlight if theme.name == "dark" else theme.outline)  # fmt: skip
    red, green, blue = rgb(color)
    if gizmo.active == part or (gizmo.active is None and gizmo.hovered == part):
        return (red * 0.45 + 0.55, green * 0.45 + 0.55 * 0.9, blue * 0.45 + 0.55 * 0.55), 1.0, 1.2
    return (red, green, blue), 0.95 if gizmo.active is None else 0.22, 0.0


def gizmo_lines(gizmo: Gizmo, view: View, theme: Theme) -> NDArray[np.float32]:
    """(N, 13) line rows of shafts or rings."""
    rows = []
    towards = view.camera.eye - np.asarray(gizmo.position)
    towards = towards / max(float(np.linalg.norm(towards)), 1e-9)
    arrows = (*AXES, *PLANES, "view")
    parts = {"move": arrows, "scale": (*AXES, "view"), "both": (*arrows, *TURNS)}.get(gizmo.kind, (*RINGS, "view"))
    for part in parts:
        color, alpha, thicker = _paint_of(gizmo, part, theme)
        points = outline(gizmo, part, view)
        start, end = points[:-1], points[1:]
        strength: float | NDArray[np.float64] = alpha
        seen = axis_visibility(gizmo, part, view) if part in AXES or part in PLANES else 1.0
        ring = part in TURNS or (gizmo.kind == "rotate" and part in RINGS)
        if ring:
            facing = ((start + end) / 2 - gizmo.position) @ towards
            facing = facing / max(float(np.linalg.norm(start[0] - gizmo.position)), 1e-9)
            strength = alpha * np.where(facing > -0.04, 1.0, 0.20)
        elif part in AXES or part in PLANES:
            strength = alpha * seen
        width = 1.6 if part == "view" or part in PLANES else 2.6
        if part == "view":
            strength = np.asarray(strength) * 0.75
        rows.append(line_rows(start, end, rgb(theme.outline), np.asarray(strength) * 0.35, width=width + thicker + 1.8))
        rows.append(line_rows(start, end, color, strength, width=width + thicker))
        if part in AXES:
            from_, to = letter(gizmo, part, view).swapaxes(0, 1)
            shown = alpha * (seen if gizmo.kind == "move" else 1.0)
            rows.append(line_rows(from_, to, rgb(theme.floor_edge), 0.7 * shown, width=4.6))
            rows.append(line_rows(from_, to, color, shown, width=2.0))
    return np.concatenate(rows)


def gizmo_triangles(gizmo: Gizmo, view: View, theme: Theme) -> NDArray[np.float32]:
    """(N, 7) positions and colours of arrow heads, plane squares and cubes."""
    if gizmo.kind == "rotate":
        return np.empty((0, 7), dtype=np.float32)
    rows: list[ArrayLike] = []
    pixel = view.metres_per_pixel(gizmo.position)
    head = partial(_cube, frame=np.asarray(gizmo.rotation, np.float64)) if gizmo.kind == "scale" else _cone
    for part in PLANES if gizmo.kind != "scale" else ():
        color, alpha, thicker = _paint_of(gizmo, part, theme)
        a, b, c, d, _ = outline(gizmo, part, view)
        share = alpha * (0.55 if thicker else 0.28) * axis_visibility(gizmo, part, view)
        rows += [(*p, *color, share) for p in (a, b, c, a, c, d)]
    for i, part in enumerate(AXES):
        color, alpha, _ = _paint_of(gizmo, part, theme)
        tip, axis = outline(gizmo, part, view)[-1], np.asarray(gizmo.rotation)[:, i]
        rows += head(tip, axis, pixel, (*color, alpha * axis_visibility(gizmo, part, view)), view)
    return np.array(rows, dtype=np.float32)


def _cone(base: NDArray, axis: NDArray, pixel: float, color: tuple[float, ...], view: View) -> list[NDArray]:
    side = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    angle = np.linspace(0, 2 * np.pi, CONE_SIDES + 1)
    rim = base + CONE_RADIUS * pixel * (np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other)
    tip = base + CONE_LENGTH * pixel * axis
    up = np.asarray(view.camera.rotation) @ np.array([-0.4, 0.75, 0.5])
    towards = view.camera.eye - base
    normals = np.cross(rim[1:] - tip, rim[:-1] - tip)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    seen = normals @ towards > 0
    light = 0.86 + 0.2 * (normals[seen] @ up)
    shaded = np.column_stack([np.minimum(1.0, light[:, None] * color[:3]), np.full(len(light), color[3])])
    rows = _shaded_triangles(rim[:-1][seen], rim[1:][seen], tip, shaded)
    if axis @ towards < 0:  # the base faces the viewer
        dark = np.tile([*(c * 0.7 for c in color[:3]), color[3]], (CONE_SIDES, 1))
        rows += _shaded_triangles(rim[:-1], rim[1:], base, dark)
    return rows


def _shaded_triangles(a: NDArray, b: NDArray, c: NDArray, color: NDArray) -> list[NDArray]:
    """3 N rows of triangles with corners a, b (N, 3) and c (3,). color: (N, 4)."""
    corners = np.stack([a, b, np.broadcast_to(c, a.shape)], axis=1)
    return list(np.concatenate([corners, np.repeat(color[:, None], 3, axis=1)], axis=2).reshape(-1, 7))


def _cube(
    base: NDArray, axis: NDArray, pixel: float, color: tuple[float, ...], view: View, *, frame: NDArray
) -> list[tuple[float, ...]]:
    middle = base + CUBE * pixel * axis
    up = np.asarray(view.camera.rotation) @ np.array([-0.4, 0.75, 0.5])
    towards = view.camera.eye - middle
    rows: list[tuple[float, ...]] = []
    for i in range(3):
        for side in (-1.0, 1.0):
            normal = side * frame[:, i]
            if normal @ towards <= 0.0:
                continue
            light = 0.86 + 0.2 * float(normal @ up)
            shaded = (*(min(1.0, c * light) for c in color[:3]), color[3])
            one, other = (CUBE * pixel * frame[:, (i + k) % 3] for k in (1, 2))
            a, b, c, d = (middle + CUBE * pixel * normal + s * one + t * other for s, t in _SQUARE)
            rows += [(*p, *shaded) for p in (a, b, c, a, c, d)]
    return rows


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
