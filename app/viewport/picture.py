"""A scene as a picture, without a window."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.document.edits import set_photo_visible
from app.document.exchange.own.own_reach import with_flesh
from app.document.model.document import Document, Photo
from app.look.figure_colors import SKIN_TONE, SUIT_COLOR
from app.look.paper import DPI
from rendering.scene.style import CLAY, Style
from solver.errors import PoserError

if TYPE_CHECKING:
    from rendering.camera.camera import OrbitCamera, PhotoView
    from rendering.scene.values import Scene

DEFAULT_SIZE = (1280, 800)
LONGEST_PHOTO_SIDE = 1600  # pixels of a picture through the photo's camera when no size is asked for
LONGEST_WITH_USUAL_LINES = 1600  # pixels of the longer side, beyond which lines grow with the picture
LARGE = 4_000_000  # pixels, beyond which compressing takes a second or more
BODY_MARGIN = 0.14  # metres of body around its joints


def save_picture(
    path: str | os.PathLike[str],
    document: Document,
    size: tuple[int, int] | None = None,
    view: str | None = None,
    *,
    transparent: bool = False,
    show: str = "body",
    style: Style = CLAY,
) -> Path:
    """Draw the visible characters into a PNG file, all or nothing, and return its path.

    size: (width, height) pixels; by default the photo's proportions, else 1280 x 800. view: “photo”, “angle” or one of
    STANDARD_VIEWS, by default through the photo's camera where the scene has one. show: "body", "bones" or "both".
    style: how people look and are lit. Raises PoserError where nothing can be drawn, InputRefused where the file cannot
    be written.
    """
    from solver.files.atomic import write_bytes

    target = Path(path)
    write_bytes(target, png_bytes(draw(document, size, view, transparent=transparent, show=show, style=style)))
    return target


def draw(
    document: Document,
    size: tuple[int, int] | None = None,
    view: str | None = None,
    *,
    transparent: bool = False,
    show: str = "body",
    style: Style = CLAY,
) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 RGBA of the visible characters, without handles; see `save_picture`."""
    from app.services.screen import drawing
    from rendering.drawing.offscreen import render_image
    from rendering.drawing.surfaceless import NoOpenGL

    view = view or ("photo" if document.photo is not None else "angle")
    size = size or default_size(document, view)
    camera = camera_of(document, view, size[0] / size[1])
    scene = PlainScenes(document, view, show, style).of(document)
    with drawing():
        try:
            return render_image(scene, camera, size, transparent=transparent, lines=lines_of(size))
        except (NoOpenGL, ValueError) as error:
            raise PoserError(f"{str(error).rstrip('.')}.") from error


class PlainScenes:
    """Makes scenes without handles, in the people's default colours.

    document: its photo is the one looked at if the view is the photo's; it is read once. show: "body", "bones" or
    "both".
    """

    def __init__(self, document: Document, view: str, show: str, style: Style = CLAY) -> None:
        from app.services.view_state import ViewState
        from app.viewport.scene_builder import Look, SceneBuilder

        through = view == "photo" and document.photo is not None
        self._photo = photo_pixels(document.photo) if through and document.photo is not None else None
        self._state = ViewState(show=show, handles=False, through_photo=view == "photo", grid=self._photo is None)
        self._look, self._builder = Look(SKIN_TONE, SUIT_COLOR, style), SceneBuilder()

    def of(self, document: Document) -> Scene:
        """The scene of a document with the same photo."""
        if self._photo is not None:
            document = set_photo_visible(True)(document)
        return self._builder.build(document, self._state, self._look, self._photo)


def default_size(document: Document, view: str) -> tuple[int, int]:
    """Width and height in pixels of a picture for which no size is asked."""
    if view != "photo" or document.photo is None:
        return DEFAULT_SIZE
    width, height = document.photo.camera.image_size
    scale = min(1.0, LONGEST_PHOTO_SIDE / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def lines_of(size: tuple[int, int]) -> float:
    """How many times as wide lines are in a picture of that size, in pixels, as they are in the window."""
    return max(1.0, max(size) / LONGEST_WITH_USUAL_LINES)


def camera_of(
    document: Document, view: str, aspect: float, reach: NDArray[np.floating] | None = None
) -> OrbitCamera | PhotoView:
    """The camera of a view: the photo's own, or one that shows the whole of every visible character and prop.

    reach: (N, 3) metres, everywhere they come to, for a camera that sees more than one moment.
    """
    from rendering.camera.camera import OrbitCamera, PhotoView
    from rendering.camera.moving import STANDARD_VIEWS, frame, standard_view

    if view == "photo":
        if document.photo is None:
            raise PoserError(f"The scene has no photo to look through. Views: {', '.join(('angle', *STANDARD_VIEWS))}.")
        return PhotoView(document.photo.camera)
    camera = OrbitCamera() if view == "angle" else standard_view(OrbitCamera(), view)
    if reach is None:
        people = [with_flesh(c, BODY_MARGIN) for c in document.characters if c.visible]
        reach = np.concatenate(people) if people else np.empty((0, 3))
    points = [reach, *(prop.corners for prop in document.props if prop.visible)]
    whole = np.concatenate(points)
    return frame(camera, whole, aspect, margin=1.08) if len(whole) else camera


def photo_pixels(photo: Photo) -> NDArray[np.uint8] | None:
    """(H, W, 4) uint8 RGBA of the scene's photo; None where its file is gone or cannot be read."""
    from solver.photo.image_file import load_image

    try:
        rgb = load_image(photo.path).rgb
    except PoserError:
        return None
    return np.concatenate([rgb, np.full((*rgb.shape[:2], 1), 255, np.uint8)], axis=-1)


def cropped(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The part of (H, W, 4) uint8 RGBA that is not wholly transparent; all of it if everything is."""
    seen = pixels[..., 3] > 0
    if not seen.any():
        return pixels
    (top, bottom), (left, right) = (np.flatnonzero(seen.any(axis=axis))[[0, -1]] for axis in (1, 0))
    return pixels[top : bottom + 1, left : right + 1]


def png_bytes(pixels: NDArray[np.uint8], progress: Callable[[float], object] | None = None) -> bytes:
    """A PNG file's content for (H, W, 4) uint8 RGBA.

    progress: given the share done now and then, by how well some of the rows can be compressed; it may raise.
    """
    from PIL import Image

    buffer = io.BytesIO()
    if progress is not None and pixels.size > 4 * LARGE:
        some = np.concatenate([pixels[first : first + 32] for first in range(0, len(pixels), 512)])
        buffer = _Watched(len(png_bytes(some)) * len(pixels) / len(some), progress)
    Image.fromarray(pixels, "RGBA").save(buffer, format="PNG", dpi=(DPI, DPI))
    return buffer.getvalue()


class _Watched(io.BytesIO):
    """Tells of each write which share of the expected bytes there is."""

    def __init__(self, expected: float, progress: Callable[[float], object]) -> None:
        super().__init__()
        self._expected, self._progress = expected, progress

    def write(self, data: Any, /) -> int:
        written = super().write(data)
        self._progress(min(1.0, self.tell() / self._expected))
        return written
