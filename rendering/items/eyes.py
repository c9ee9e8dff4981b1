"""Eyes in the sockets of bodies: the front of a ball, with iris and pupil in tones of the body's own surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.program import Program
from rendering.items.bones import SIDES, Instanced
from rendering.items.frame import Frame
from rendering.items.lights import set_lights
from rendering.items.materials import INK, Material, material_of
from rendering.scene.theme import Rgb, linear, mixed
from rendering.scene.values import Figure, Scene

WHITE, BROWN = "#d8d0c6", "#4a382c"
SMALLEST = 0.8  # device pixels: eyes of a smaller radius are not drawn, the shade in their sockets will do
RINGS = np.radians([0, 16, 32, 48, 66, 88, 112])  # off the front: the rest is never seen


@dataclass(frozen=True)
class EyeTones:
    """Linear colours of an eye. gloss: how much of the key light it mirrors."""

    white: Rgb
    iris: Rgb
    pupil: Rgb
    gloss: float


class Eyes:
    """Draws the eyes of all figures that have any and show their skin."""

    def __init__(self) -> None:
        self._balls = Instanced(_front())
        self._program = Program("eyes.vert", "eyes.frag")
        self._of: tuple[object, ...] = ()

    def prepare(self, scene: Scene) -> None:
        """Upload the eyes that moved."""
        eyes = tuple(f.eyes for f in _sighted(scene) if f.eyes is not None)
        if len(eyes) == len(self._of) and all(a is b for a, b in zip(eyes, self._of, strict=True)):
            return
        self._of = eyes
        if eyes:
            rows = np.concatenate([np.asarray(one, np.float32).reshape(-1, 12) for one in eyes])
            self._balls.upload(np.column_stack([rows, np.zeros((len(rows), 3), np.float32)]))

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw them after the bodies: nearer skin hides them."""
        figures = _sighted(scene)
        if not figures or scene.style.look == "silhouette":
            return
        program, first = self._program, 0
        program.use()
        program.set_mat4("u_view_projection", frame.view_projection)
        set_lights(program, scene.style, frame)
        GL.glEnable(GL.GL_CULL_FACE)
        for figure in figures:
            eyes = np.asarray(figure.eyes)
            pixel = frame.view.metres_per_pixel(eyes[0, :, 3]) / frame.pixel_ratio
            if np.linalg.norm(eyes[0, :, 2]) > SMALLEST * pixel:
                self._draw(figure, material_of(figure, scene, frame), scene.style.look, first, len(eyes))
            first += len(eyes)
        GL.glDisable(GL.GL_CULL_FACE)

    def _draw(self, figure: Figure, material: Material, look: str, first: int, count: int) -> None:
        program, tones = self._program, tones_of(material, look)
        program.set_vec3("u_white", tones.white)
        program.set_vec3("u_iris", tones.iris)
        program.set_vec3("u_pupil", tones.pupil)
        program.set_float("u_gloss", tones.gloss)
        program.set_float("u_lit", material.lit)
        program.set_float("u_opacity", float(np.clip(figure.opacity, 0.0, 1.0)))
        self._balls.draw(first, count)


def tones_of(material: Material, look: str) -> EyeTones:
    """An eye's tones for a surface: subdued clay on clay, ink on paper, colours where there is skin."""
    skin = material.skin
    if look == "clay":
        return EyeTones(_times(skin, 0.97), _times(skin, 0.45), _times(skin, 0.16), 0.05)
    if look == "line":
        return EyeTones(skin, mixed(skin, linear(INK), 0.35), linear(INK), 0.0)
    return EyeTones(mixed(skin, linear(WHITE), 0.7), mixed(skin, linear(BROWN), 0.85), linear(INK), 0.14)


def _sighted(scene: Scene) -> list[Figure]:
    return [f for f in scene.figures if f.eyes is not None and f.show == "body" and not (f.ghost or f.outline)]


def _times(color: Rgb, factor: float) -> Rgb:
    red, green, blue = color
    return red * factor, green * factor, blue * factor


def _front() -> NDArray[np.float32]:
    """(N, 6) positions and normals of the front of a ball of radius 1, which looks along +Z."""
    off, around = np.meshgrid(RINGS, np.linspace(0.0, 2.0 * np.pi, SIDES + 1), indexing="ij")
    rings = np.stack([np.sin(off) * np.cos(around), np.sin(off) * np.sin(around), np.cos(off)], axis=-1)
    a, b, c, d = rings[:-1, :-1], rings[:-1, 1:], rings[1:, :-1], rings[1:, 1:]
    points = np.stack([a, c, d, a, d, b], axis=2).reshape(-1, 3)
    return np.tile(points, 2).astype(np.float32)
