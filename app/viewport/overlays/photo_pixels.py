"""The pixels of the document's photo, read once in a thread of its own."""

from __future__ import annotations

import threading
from os.path import exists  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.model.document import Photo
from solver.errors import InputRefused, PoserError

LARGEST_SIDE = 4096  # more than any screen shows, and no more than every graphics card takes
LOOK_EVERY_MS = 15
WAY_OUT = (
    "The people stay as they are. To see it behind them, press “Find the file…” in the Photo panel, or put the file "
    "back, or into the scene's folder under the same name, and open the scene again"
)


class PhotoPixels(QObject):
    """ready(): `of` has something new. refused(text): the file cannot be read.

    Nothing ever waits for the reading: a file on a disk that does not answer is left to its thread, which knows nothing
    of Qt and ends with the program.
    """

    ready = Signal()
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._pixels: NDArray[np.uint8] | None = None
        self._reading: _Reading | None = None
        self._given: tuple[str, NDArray[np.uint8]] | None = None
        self._look = QTimer(self)
        self._look.setInterval(LOOK_EVERY_MS)
        self._look.timeout.connect(self._take)

    def of(self, photo: Photo) -> NDArray[np.uint8] | None:
        """(H, W, 4) uint8 RGBA; None until it is read (see `ready`) or if it cannot be."""
        key = _key(photo.path, photo.sha256)
        if key != self._key and self._given is not None and self._given[0] == key:
            self.stop()
            self._key, self._pixels = key, rgba(self._given[1])
        elif key != self._key:
            self._key, self._pixels = key, None
            self._reading = _Reading(photo.path)
            self._look.start()
        return self._pixels

    def give(self, path: str, sha256: str, rgb: NDArray[np.uint8]) -> None:
        """Take a photo that has been read already, (H, W, 3), and may be asked for soon: it then shows at once."""
        self._given = _key(str(Path(path).absolute()), sha256), rgb

    def take_back(self) -> None:
        """Let go of what was given."""
        self._given = None

    def forget(self) -> None:
        """Let go of the pixels, as the photo is gone."""
        if self._key:
            self.stop()
            self._key, self._pixels = "", None

    def stop(self) -> None:
        """Give up whatever is being read."""
        self._look.stop()
        self._reading = None

    def _take(self) -> None:
        reading = self._reading
        if reading is None or not reading.done.is_set():
            return
        self.stop()
        self._pixels = reading.pixels
        if reading.error:
            self.refused.emit(reading.error)
        self.ready.emit()


class _Reading:
    """One photo being read. done: it is there, or cannot be read."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.pixels: NDArray[np.uint8] | None = None
        self.error = ""
        self.done = threading.Event()
        threading.Thread(target=self._read, name="photo", daemon=True).start()

    def _read(self) -> None:
        from solver.photo.image_file import load_image

        try:
            if not exists(self._path):
                raise InputRefused(self._path, "the scene's photo is not there", WAY_OUT)
            self.pixels = rgba(load_image(self._path).rgb)
        except PoserError as error:
            self.error = str(error)
        except MemoryError:
            self.error = f"{self._path}: there is no memory left for this photo. Make it smaller."
        finally:
            self.done.set()


def _key(path: str, sha256: str) -> str:
    return f"{path}\n{sha256}"


def rgba(rgb: Any) -> NDArray[np.uint8]:
    """(H, W, 3) as an opaque (H, W, 4) picture, made smaller if some graphics card would not take it."""
    pixels = np.asarray(rgb, dtype=np.uint8)
    step = -(-max(pixels.shape[:2]) // LARGEST_SIDE)
    pixels = pixels[::step, ::step]
    return np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
