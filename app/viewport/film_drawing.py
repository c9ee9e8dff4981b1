"""A scene as a moving picture, without a window."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Document
from app.film.film import Film, images_of, reach_of, shots
from app.film.film_file import check_film, write_film
from app.viewport.picture import BODY_MARGIN, PlainScenes, camera_of, default_size, lines_of
from rendering.scene.style import CLAY, Style
from solver.errors import PoserError

LONGEST_SIDE = 1280  # pixels of a film through the photo's camera when no size is asked for
Progress = Callable[[float], None]


def save_film(
    path: str | os.PathLike[str],
    document: Document,
    film: Film,
    size: tuple[int, int] | None = None,
    view: str | None = None,
    *,
    transparent: bool = False,
    show: str = "body",
    style: Style = CLAY,
    progress: Progress = lambda share: None,
) -> Path:
    """Draw the visible characters into a GIF or MP4 file, all or nothing, and return its path.

    size, view, show and style: see `save_picture`; neither a turntable nor a film through views is seen through the
    photo's camera.
    progress: given the share done after each image. Raises PoserError where nothing moves or can be drawn, InputRefused
    for a film that cannot be written.
    """
    count = images_of(film, document)
    moves = film.turntable or bool(film.through)
    view = view or ("photo" if document.photo is not None and not moves else "angle")
    if size is None:
        width, height = default_size(document, view)
        scale = min(1.0, LONGEST_SIDE / max(width, height))
        size = round(width * scale), round(height * scale)
    check_film(path, count, film.fps, size, transparent)
    camera = camera_of(document, view, size[0] / size[1], reach_of(film, document, BODY_MARGIN))
    scenes = PlainScenes(document, view, show, style)

    def images() -> Generator[NDArray[np.uint8]]:
        from app.services.screen import drawing
        from rendering.drawing.offscreen import render_images
        from rendering.drawing.surfaceless import NoOpenGL

        drawn = ((scenes.of(shot.document), shot.camera) for shot in shots(film, document, camera))
        with drawing():
            try:
                pictures = render_images(drawn, size, transparent=transparent, lines=lines_of(size))
                for number, image in enumerate(pictures, start=1):
                    progress(number / count)
                    yield image
            except NoOpenGL as error:
                raise PoserError(f"{str(error).rstrip('.')}.") from error

    with closing(images()) as frames:
        return write_film(path, frames, count, film.fps, transparent)
