"""Pictures of the library's poses: read from beside the file, or drawn, one by one between events."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QImageReader, QPixmap

from app.document.library.shelf import Entry, poses_of
from app.document.model.document import Character, Document
from app.document.posing.create import new_character
from app.services.settings import SettingsStore
from app.viewport.camera.best_side import best_side
from app.viewport.thumbnails import Thumbnails
from rendering.drawing.surfaceless import NoOpenGL
from solver.body.catalog import DEFAULT_BODY
from solver.errors import PoserError
from solver.files.reading import MEBIBYTE, read_bytes

PICTURE = QSize(90, 100)  # logical pixels on a card
SAVED = (248, 276)  # pixels of a picture that is saved with a pose
KEPT = 600  # pictures in memory
LARGEST = 4 * MEBIBYTE
LONGEST_SIDE = 4096  # pixels of a picture from elsewhere


class Pictures(QObject):
    """ready(path): that file's picture is there now. failed(path, text): its pose cannot be read."""

    ready = Signal(object)
    failed = Signal(object, str)

    def __init__(self, settings: SettingsStore, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._made: OrderedDict[Path, tuple[tuple[int, ...], QPixmap]] = OrderedDict()  # and of which content each is
        self._asked: deque[Entry] = deque()
        self._thumbnails: Thumbnails | None = None
        self._can_draw = True
        self.ratio = 1.0
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._make_one)

    def of(self, entry: Entry) -> QPixmap | None:
        """The picture of what the file holds if it is there; else None, and it will be made soon."""
        changed, found = self._made.get(entry.path, ((), None))
        if found is not None and changed == entry.changed:
            self._made.move_to_end(entry.path)
            return found
        if not entry.trouble and entry not in self._asked:
            self._asked.append(entry)
            self._next.start()
        return None

    def only(self, seen: Sequence[Entry]) -> None:
        """Forget pictures that were asked for and are no longer in sight."""
        self._asked = deque(entry for entry in self._asked if entry in seen)

    def forget(self) -> None:
        """Make all pictures again, as after a change of theme."""
        self._made.clear()
        self._asked.clear()

    def drawn(self, people: Sequence[Character], size: tuple[int, int]) -> bytes:
        """A PNG of people as the library shows them. Raises NoOpenGL."""
        image = self._image(people, size)
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")  # type: ignore[call-overload]
        return bytes(data.data())

    def close(self) -> None:
        """Let go of what draws; pictures already made stay."""
        self._asked.clear()
        self._next.stop()
        if self._thumbnails is not None:
            self._thumbnails.close()
            self._thumbnails = None

    def _make_one(self) -> None:
        if not self._asked:
            return
        entry = self._asked.popleft()
        try:
            image = _beside(entry) or self._draw(entry)
        except PoserError as error:
            self.failed.emit(entry.path, str(error))
            image = None
        if image is not None:
            self._keep(entry, image)
        if self._asked:
            self._next.start()

    def _keep(self, entry: Entry, image: QImage) -> None:
        size = PICTURE * self.ratio
        scaled = image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        pixmap = QPixmap.fromImage(scaled)
        pixmap.setDevicePixelRatio(self.ratio)
        self._made[entry.path] = entry.changed, pixmap
        while len(self._made) > KEPT:
            self._made.popitem(last=False)
        self.ready.emit(entry.path)

    def _draw(self, entry: Entry) -> QImage | None:
        size = round(PICTURE.width() * self.ratio), round(PICTURE.height() * self.ratio)
        document = Document()
        for person in poses_of(entry).people:
            character = new_character(document, "", DEFAULT_BODY, person.shape, person.pose)
            character = replace(character, hands=person.hands or character.hands)
            document = document.with_characters((*document.characters, character))
        if not self._can_draw:
            return None
        try:
            return self._image(document.characters, size)
        except NoOpenGL:  # the poses can be used without pictures
            self._can_draw = False
            return None

    def _image(self, people: Sequence[Character], size: tuple[int, int]) -> QImage:
        if self._thumbnails is None:
            self._thumbnails = Thumbnails(self._settings)
        pixels = np.ascontiguousarray(self._thumbnails.draw_all(people, best_side(people, size[0] / size[1]), size))
        height, width = pixels.shape[:2]
        return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()


def _beside(entry: Entry) -> QImage | None:
    """The picture beside a pose file; None where there is none that can be shown."""
    if entry.picture is None:
        return None
    try:
        data = QByteArray(read_bytes(entry.picture, LARGEST))
    except PoserError:
        return None
    buffer = QBuffer(data)
    reader = QImageReader(buffer)
    size = reader.size()
    if not size.isValid() or max(size.width(), size.height()) > LONGEST_SIDE:
        return None
    image = reader.read()
    return None if image.isNull() else image
