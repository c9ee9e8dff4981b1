"""Handles of effectors and dots of joints: smooth marks of constant size, seen dimly through what hides them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.items.lines import Lines, line_rows, use_for_marks
from rendering.scene.theme import Rgb, Theme, rgb
from rendering.scene.values import Handle, JointDots, Scene
from rendering.shapes.fanned_handles import fanned, middles

SHAPES = {"ball": 0.0, "ring": 1.0, "target": 2.0, "contact": 4.0}  # as in handles.frag
JOINT, WIDE_RING = 3.0, 5.0
SIZE, COLOR, ALPHA, HALO = 3, slice(4, 7), 7, 10  # columns of a mark's row
LIFT = 0.13  # metres: a handle within its own limb counts as seen
HIDDEN = 0.42
FAINT = 0.62
EDGE = "#ffffff"  # around the dark outline of every handle
PATCH_M, PATCH_SIDES = 0.038, 40  # the ring on a surface: its radius in metres, and how many straight pieces it has
ABOVE = 0.003  # metres above the surface, so that skin does not hide it
APART = 0.004  # metres between joint and target from which a line joins them
LEADER, LEADER_EDGE = 1.6, 4.2  # pixels: width of the line from a mark that stepped aside, and of its dark edge
FOOT = 0.85  # size of the dot at such a mark's own place, relative to a joint's


class Handles:
    """Draws all marks, and the lines from joints to their targets."""

    def __init__(self) -> None:
        self._array, self._buffer = VertexArray(), Buffer()
        self._array.bind()
        self._array.floats(self._buffer, {0: 4, 1: 4, 2: 4}, divisor=1)
        self._program = Program("handles.vert", "handles.frag")
        self._lines, self._leaders = Lines(), Lines()
        self._count = 0
        self._of: tuple[object, ...] = ()
        self._own: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)  # those not drawn around another one
        self._order: list[int] = []
        self._rows = np.empty((0, 12), dtype=np.float32)
        self._seen: tuple[object, ...] = ()

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Upload marks and lines if any changed, or if the view of handles that meet has changed."""
        theme = frame.theme
        of = (*scene.handles, scene.joints, theme)
        if len(of) != len(self._of) or not all(map(_is, of, self._of)):
            self._of, self._seen = of, ()
            shown, middle = scene.handles, middles(scene.handles)
            self._own = middle == np.arange(len(shown))
            self._order = sorted(range(len(shown)), key=lambda i: (self._own[i], shown[i].selected, shown[i].hovered))
            marks = [_handle_row(shown[i], theme, wide=shown[i].wide or not self._own[i]) for i in self._order]
            above = np.array(marks, dtype=np.float32).reshape(-1, 12)
            self._rows = np.concatenate([_joint_rows(scene.joints, theme), above])
            lines = (target_lines(scene.handles, theme), patch_rings(scene.handles, theme))
            self._lines.upload(np.concatenate(lines))
        if self._seen != (frame.view,):
            self._fan_out(scene.handles, frame)
            self._seen = (frame.view,)

    def _fan_out(self, handles: tuple[Handle, ...], frame: Frame) -> None:
        places, rows, theme = fanned(frame.view, handles), self._rows.copy(), frame.theme
        rows[len(rows) - len(handles) :, :3] = places[self._order]
        aside = [(h, at) for h, at, own in zip(handles, places, self._own, strict=True)
                 if own and (at != h.position).any()]  # fmt: skip
        feet = [_foot_row(h, theme) for h, _ in aside]
        rows = np.concatenate([np.array(feet, dtype=np.float32).reshape(-1, 12), rows])
        self._count = len(rows)
        if self._count:
            self._buffer.upload(rows)
        self._leaders.upload(leaders(aside, theme))

    def paint(self, frame: Frame) -> None:
        """Draw hidden parts dimly, then the others; depth is tested but not written."""
        if not self._count or frame.transparent:
            return
        GL.glDepthMask(False)
        for function, alpha in ((GL.GL_GREATER, HIDDEN), (GL.GL_LEQUAL, 1.0)):
            GL.glDepthFunc(function)
            self._lines.paint(frame, alpha, LIFT)
            self._leaders.paint(frame, alpha, LIFT)
            self._marks(frame, alpha)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glDepthMask(True)

    def _marks(self, frame: Frame, alpha: float) -> None:
        program = self._program
        use_for_marks(program, frame, alpha, LIFT)
        program.set_vec3("u_outline", rgb(frame.theme.outline))
        program.set_vec3("u_highlight", rgb(frame.theme.highlight))
        program.set_vec3("u_edge", rgb(EDGE))
        self._array.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, self._count)


def state_color(state: str, theme: Theme) -> Rgb:
    """The colour that shows how well an effector is met."""
    return rgb(
        {"met": theme.met, "tolerated": theme.tolerated, "unreachable": theme.unreachable}.get(state, theme.disabled)
    )


def target_lines(handles: tuple[Handle, ...], theme: Theme) -> NDArray[np.float32]:
    """Lines from joints to targets away from them, dashed if the target cannot be reached."""
    rows = []
    for h in handles:
        if h.shape == "ring" or _is_faint(h) or np.linalg.norm(np.asarray(h.position) - h.held_position) < APART:
            continue
        strength = 0.35 if h.dimmed or h.state == "disabled" else 0.9 if h.selected or h.hovered else 0.6
        dash = 0.0 if h.state == "met" and h.shape in ("ball", "contact") else 4.0
        rows.append(line_rows(h.held_position, h.position, state_color(h.state, theme), strength, width=1.6, dash=dash))
    return np.concatenate(rows) if rows else np.empty((0, 13), dtype=np.float32)


def leaders(aside: list[tuple[Handle, NDArray[np.float64]]], theme: Theme) -> NDArray[np.float32]:
    """Lines to marks that have stepped aside, from each handle's own place to where it is drawn, (3,) metres."""
    rows = []
    for handle, place in aside:
        color, alpha = _paint_of(handle, theme)
        rows.append(line_rows(handle.position, place, rgb(theme.outline), 0.6 * alpha, width=LEADER_EDGE))
        rows.append(line_rows(handle.position, place, color, alpha, width=LEADER))
    return np.concatenate(rows) if rows else np.empty((0, 13), dtype=np.float32)


def patch_rings(handles: tuple[Handle, ...], theme: Theme) -> NDArray[np.float32]:
    """Rings on the surfaces that handles lie on, in the colours of their states."""
    rows = []
    for h in handles:
        if h.facing is None or _is_faint(h):
            continue
        normal = np.asarray(h.facing, np.float64)
        side = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
        side /= np.linalg.norm(side)
        turns = np.linspace(0.0, 2.0 * np.pi, PATCH_SIDES + 1)[:, None]
        ring = np.cos(turns) * side + np.sin(turns) * np.cross(normal, side)
        ring = np.asarray(h.position) + ABOVE * normal + PATCH_M * ring
        strong = h.selected or h.hovered
        strength = 0.3 if h.dimmed or h.state == "disabled" else 1.0 if strong else 0.75
        rows.append(line_rows(ring[:-1], ring[1:], state_color(h.state, theme), strength, width=2.2 if strong else 1.7))
    return np.concatenate(rows) if rows else np.empty((0, 13), dtype=np.float32)


def _handle_row(handle: Handle, theme: Theme, wide: bool = False) -> tuple[float, ...]:
    scale = (1.0 if not handle.selected else 1.18) * (0.8 if handle.dimmed else 1.0)
    halo = 1.0 if handle.selected else 0.75 if handle.hovered else 0.0
    color, alpha = _paint_of(handle, theme)
    shape = WIDE_RING if wide else SHAPES[handle.shape]
    return (*map(float, handle.position), scale, *color, alpha, shape, float(handle.pinned), halo, 0.0)


def _foot_row(handle: Handle, theme: Theme) -> tuple[float, ...]:
    color, alpha = _paint_of(handle, theme)
    return (*map(float, handle.position), FOOT, *color, alpha, JOINT, 0.0, 0.0, 0.0)


def _paint_of(handle: Handle, theme: Theme) -> tuple[Rgb, float]:
    """Its colour and alpha."""
    if _is_faint(handle):
        return rgb(theme.joint), FAINT
    alpha = 0.5 if handle.dimmed else 0.75 if handle.state == "disabled" else 1.0
    return state_color(handle.state, theme), alpha


def _is_faint(handle: Handle) -> bool:
    return handle.faint and not (handle.hovered or handle.selected)


def _joint_rows(dots: JointDots, theme: Theme) -> NDArray[np.float32]:
    rows = np.empty((len(dots.ids), 12), np.float32)
    rows[:, :3] = dots.positions
    rows[:, 3:] = (1.0, *rgb(theme.joint), 0.55, JOINT, 0.0, 0.0, 0.0)
    for i, id in enumerate(dots.ids):
        if id in dots.selected:
            rows[i, SIZE], rows[i, COLOR], rows[i, ALPHA] = 1.3, rgb(theme.selected), 1.0
        if id == dots.hovered:
            rows[i, SIZE], rows[i, ALPHA], rows[i, HALO] = 1.5, max(rows[i, ALPHA], 0.8), 1.0
    return rows


def _is(a: object, b: object) -> bool:
    return a is b
