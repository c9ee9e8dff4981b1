"""The skeleton as tapered bones with a ball at each joint, instanced."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.items.lights import set_lights
from rendering.scene.theme import linear
from rendering.scene.values import Figure, Scene
from rendering.shapes.capsules import drawn_bones

SIDES = 16
PROFILE = ((0.0, 0.0), (0.035, 0.62), (0.13, 1.0), (0.96, 0.34), (1.0, 0.0))  # along the bone, radius
THICKNESS, THINNEST, THICKEST = 0.085, 0.008, 0.026  # share of a bone's length; metres
BALL = 1.15  # radius of a ball, relative to those of its bones
GHOST_OPACITY = 0.35


class Bones:
    """Draws the skeletons of figures that show bones."""

    def __init__(self) -> None:
        first = VertexArray()
        first.bind()
        self._program = Program("bones.vert", "bones.frag")
        first.delete()
        self._bone, self._ball = Instanced(_lathe(PROFILE)), Instanced(_ball())
        self._of: tuple[tuple[object, ...], ...] = ()
        self._spans: list[tuple[float, int, int, int, int]] = []

    def prepare(self, scene: Scene) -> None:
        """Upload the bones that moved or changed colour."""
        shown = [f for f in scene.figures if f.show != "body"]
        key = tuple((f.joints, f.color, f.ghost, f.opacity, f.dimmed) for f in shown)
        if len(key) == len(self._of) and all(
            a[0] is b[0] and a[1:] == b[1:] for a, b in zip(key, self._of, strict=True)
        ):
            return
        self._of, self._spans = key, []
        bones: list[NDArray[np.float32]] = []
        balls: list[NDArray[np.float32]] = []
        for figure in shown:
            bone, ball = bone_instances(figure)
            opacity = figure.opacity * (GHOST_OPACITY if figure.ghost else 1.0)
            self._spans.append((opacity, sum(map(len, bones)), len(bone), sum(map(len, balls)), len(ball)))
            bones.append(bone)
            balls.append(ball)
        if shown:
            self._bone.upload(np.concatenate(bones))
            self._ball.upload(np.concatenate(balls))

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draws the bones."""
        if not self._spans:
            return
        program = self._program
        program.use()
        program.set_mat4("u_view_projection", frame.view_projection)
        set_lights(program, scene.style, frame)
        GL.glEnable(GL.GL_CULL_FACE)
        for opacity, bone, bones, ball, balls in sorted(self._spans, reverse=True):
            program.set_float("u_opacity", opacity)
            for depth_only in (True, False) if opacity < 1.0 else (False,):
                GL.glColorMask(*[not depth_only] * 4)
                self._bone.draw(bone, bones)
                self._ball.draw(ball, balls)
        GL.glDisable(GL.GL_CULL_FACE)


def bone_instances(figure: Figure) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Rows of (3x4 matrix, colour) for the bones (N, 15) and for the balls of all joints drawn, (J + R, 15)."""
    joints, bones = drawn_bones(figure)
    parent, child = bones.T
    start, along = joints[parent], joints[child] - joints[parent]
    length = np.linalg.norm(along, axis=1)
    kept = length > 1e-6
    parent, child = parent[kept], child[kept]
    start, along, length = start[kept], along[kept], length[kept]
    radius = np.clip(length * THICKNESS, THINNEST, THICKEST)
    y = along / length[:, None]
    helper = np.where(np.abs(y[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
    x = np.cross(helper, y)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    z = np.cross(x, y)
    accent = np.array(linear(figure.color))
    if figure.dimmed:
        accent = 0.4 * accent + 0.6 * 0.25
    pale = 0.25 * accent + 0.75 * 0.62
    rows = _rows(np.stack([x * radius[:, None], along, z * radius[:, None], start], axis=2), accent)

    around = np.full(len(joints), THINNEST)
    np.maximum.at(around, child, radius * 0.75)
    np.maximum.at(around, parent, radius * 0.9)
    balls = np.zeros((len(joints), 3, 4))
    balls[:, [0, 1, 2], [0, 1, 2]] = (around * BALL)[:, None]
    balls[:, :, 3] = joints
    return rows, _rows(balls, pale)


def _rows(matrices: NDArray[np.float64], color: NDArray[np.float64]) -> NDArray[np.float32]:
    count = len(matrices)
    return np.column_stack([matrices.reshape(count, 12), np.broadcast_to(color, (count, 3))]).astype(np.float32)


class Instanced:
    """A small mesh drawn many times, each with a matrix and a colour."""

    def __init__(self, triangles: NDArray[np.float32]) -> None:
        self._array, self._mesh, self._instances = VertexArray(), Buffer(), Buffer()
        self._count = len(triangles)
        self._array.bind()
        self._mesh.upload(triangles)
        self._array.floats(self._mesh, {0: 3, 1: 3})

    def upload(self, rows: NDArray[np.float32]) -> None:
        """Replace the instances, (N, 15)."""
        self._instances.upload(rows)

    def draw(self, first: int, count: int) -> None:
        """Draw `count` of them, from row `first` on."""
        self._array.bind()
        self._array.floats(self._instances, {2: 4, 3: 4, 4: 4, 5: 3}, divisor=1, first=first)
        GL.glDrawArraysInstanced(GL.GL_TRIANGLES, 0, self._count, count)


@cache  # the same for every window, made of thousands of small arrays
def _lathe(profile: tuple[tuple[float, float], ...]) -> NDArray[np.float32]:
    """(N, 6) positions and normals of a solid turned about y, triangles facing outwards."""
    ring = np.linspace(0.0, 2 * np.pi, SIDES + 1)
    rows: list[NDArray] = []
    for (y0, r0), (y1, r1) in pairwise(profile):
        for t0, t1 in pairwise(ring):
            a, b = ((np.cos(t) * r0, y0, np.sin(t) * r0) for t in (t0, t1))
            c, d = ((np.cos(t) * r1, y1, np.sin(t) * r1) for t in (t0, t1))
            # The slope is taken from a typical bone, twelve times as long as thick.
            rise, run = r0 - r1, (y1 - y0) * 12
            n0, n1 = (np.array([np.cos(t) * run, rise, np.sin(t) * run]) / np.hypot(rise, run) for t in (t0, t1))
            # Back into the unit bone's frame, where y is one length and x, z are one radius.
            scale = np.array([1.0, 12.0, 1.0])
            n0, n1 = n0 * scale, n1 * scale
            for p, n in ((a, n0), (c, n0), (b, n1), (b, n1), (c, n0), (d, n1)):
                rows.append(np.concatenate([p, n]))
    return np.array(rows, dtype=np.float32)


def _ball() -> NDArray[np.float32]:
    angles = np.linspace(-np.pi / 2, np.pi / 2, 9)
    profile = tuple((float(np.sin(a)), float(np.cos(a))) for a in angles)
    rows = _lathe(profile).copy()
    rows[:, 3:] = rows[:, :3]
    return rows
