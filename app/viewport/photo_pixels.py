"""The pixels of the document's photo, read once in a thread of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QThread, Signal

from app.document.state import Photo
from solver.errors import PoserError

LARGEST_SIDE = 4096  # more than any screen shows, and what every graphics card takes


class PhotoPixels(QObject):
    """ready(): `of` has something new. refused(text): the file cannot be read."""

    ready = Signal()
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._pixels: NDArray[np.uint8] | None = None
        self._reader: _Reader | None = None

    def of(self, photo: Photo) -> NDArray[np.uint8] | None:
        """(H, W, 4) uint8 RGBA, None until it is read (`ready` tells) or where it cannot be."""
        key = f"{photo.path}\n{photo.sha256}"
        if key != self._key:
            self.stop()
            self._key, self._pixels = key, None
            self._reader = _Reader(photo.path, self)
            self._reader.finished.connect(self._done)
            self._reader.start()
        return self._pixels

    def forget(self) -> None:
        """There is no photo any more: let go of its pixels."""
        if self._key:
            self.stop()
            self._key, self._pixels = "", None

    def stop(self) -> None:
        """Wait for the reader to end."""
        if self._reader is not None:
            self._reader.wait()
            self._reader.deleteLater()
            self._reader = None

    def _done(self) -> None:
        reader = self._reader
        if reader is None or self.sender() is not reader:
            return
        if reader.error:
            self.refused.emit(reader.error)
        self._pixels = reader.pixels
        self.stop()
        self.ready.emit()


class _Reader(QThread):
    def __init__(self, path: str, parent: QObject) -> None:
        super().__init__(parent)
        self._path = path
        self.pixels: NDArray[np.uint8] | None = None
        self.error = ""

    def run(self) -> None:
        """Called by Qt in the new thread."""
        from solver.estimators.image_file import load_image

        try:
            self.pixels = rgba(load_image(self._path).rgb)
        except PoserError as error:
            self.error = str(error)


def rgba(rgb: Any) -> NDArray[np.uint8]:
    """(H, W, 3) as an opaque (H, W, 4) picture, made smaller where no graphics card would take it."""
    pixels = np.asarray(rgb, dtype=np.uint8)
    step = -(-max(pixels.shape[:2]) // LARGEST_SIDE)
    pixels = pixels[::step, ::step]
    return np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
