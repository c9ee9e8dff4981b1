"""The background behind everything: a gradient, or the photo."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import PhotoView
from rendering.camera.photo_halves import copy_half, photo_half, to_copy
from rendering.gl.api import GL, delete_names, limit_of
from rendering.gl.buffers import VertexArray, uploads
from rendering.gl.clipping import Part, clipped
from rendering.gl.program import Program
from rendering.gl.render_targets import make_texture
from rendering.items.frame import Frame
from rendering.scene.theme import rgb
from rendering.scene.values import Backplate, Scene


class Background:
    """Draws the gradient, and the backplate over it while the view looks through its camera."""

    def __init__(self) -> None:
        self._empty = VertexArray()
        self._empty.bind()
        self._gradient = Program("screen.vert", "background.frag")
        self._photo = Program("backplate.vert", "backplate.frag")
        self._texture = 0
        self._image: NDArray[np.uint8] | None = None

    def prepare(self, scene: Scene) -> None:
        """Upload the photo if it has changed."""
        image = scene.backplate.image if scene.backplate else None
        if image is self._image:
            return
        self._image = image
        if self._texture:
            delete_names(GL.glDeleteTextures, self._texture)
            self._texture = 0
        if image is not None:
            self._texture = _upload_photo(image)

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw behind everything, without touching depth."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(False)
        self._empty.bind()
        if not frame.transparent:
            GL.glDisable(GL.GL_BLEND)
            self._gradient.use()
            self._gradient.set_vec3("u_top", rgb(frame.theme.background_top))
            self._gradient.set_vec3("u_bottom", rgb(frame.theme.background_bottom))
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
            GL.glEnable(GL.GL_BLEND)
        looks = photo_view(scene.backplate, frame)
        if scene.backplate and self._texture and looks:
            half = half_of(scene, frame)
            device = frame.device_size, frame.pixel_ratio, frame.below
            with clipped(half, *device):
                self._paint_photo(scene.backplate, frame, looks)
            if half is not None:
                away = to_copy(looks, frame.view.width, frame.view.height)
                with clipped(copy_half(looks, frame.view.width, frame.view.height), *device):
                    self._paint_photo(scene.backplate, frame, looks, (float(away[0]), float(away[1])))
        GL.glDepthMask(True)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _paint_photo(
        self, backplate: Backplate, frame: Frame, looks: PhotoView, aside: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """aside: how far to the right of its place and below it, pixels."""
        view = frame.view
        left, top, scale = looks.image_rect(view.width, view.height)
        w, h = backplate.camera.image_size
        left, top = left + aside[0], top + aside[1]
        self._photo.use()
        self._photo.set_vec4(
            "u_rect",
            (
                2 * left / view.width - 1,
                1 - 2 * (top + h * scale) / view.height,
                2 * (left + w * scale) / view.width - 1,
                1 - 2 * top / view.height,
            ),
        )
        self._photo.set_float("u_opacity", backplate.opacity)
        self._photo.set_int("u_image", 0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)


def photo_view(backplate: Backplate | None, frame: Frame) -> PhotoView | None:
    """The view's look through the backplate's own camera; None if it does not look through that one."""
    camera = frame.view.camera
    if backplate is None or frame.transparent or not isinstance(camera, PhotoView):
        return None
    return camera if camera.lens == backplate.camera else None


def half_of(scene: Scene, frame: Frame) -> Part | None:
    """The half of the view to which the photo and what is drawn over it keep, as its copy has the other one; None if
    there is no copy."""
    looks = photo_view(scene.backplate, frame)
    if looks is None or not (scene.beside and looks.halved):
        return None
    return photo_half(looks, frame.view.width, frame.view.height)


def _upload_photo(image: NDArray[np.uint8]) -> int:
    largest = limit_of(GL.GL_MAX_TEXTURE_SIZE)
    step = -(-max(image.shape[:2]) // largest)
    pixels = np.ascontiguousarray(image[::step, ::step], dtype=np.uint8)
    height, width = pixels.shape[:2]
    texture = make_texture(GL.GL_RGBA8, width, height)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    GL.glTexSubImage2D(GL.GL_TEXTURE_2D, 0, 0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, pixels)
    GL.glGenerateMipmap(GL.GL_TEXTURE_2D)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_LINEAR)
    uploads.add(pixels.nbytes)
    return texture
