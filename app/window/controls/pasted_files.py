"""What another program has copied, as files: a scene knows a photo by its file only, so a picture is written first."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMimeData, QStandardPaths
from PySide6.QtGui import QImage

from app.dialogs.typed_name import free_beside
from solver.errors import InputRefused
from solver.files.atomic import write_bytes

FAST = 80  # of Qt's quality for PNG: little time, larger files


def pictures_folder() -> Path:
    """Where pasted pictures go; it is made when the first one is."""
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
    return Path(base) / "Contrapposto"


def local_files(content: QMimeData) -> list[Path]:
    """The files of this computer that were copied or are dragged."""
    return [Path(url.toLocalFile()) for url in content.urls() if url.isLocalFile()]


def written_picture(content: QMimeData) -> Path:
    """The file of a picture that was copied, written now. Raises InputRefused if it cannot be read or written."""
    file = pictures_folder() / time.strftime("Pasted %Y-%m-%d %H.%M.%S.png")
    image, buffer = content.imageData(), QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not isinstance(image, QImage) or not image.save(buffer, "PNG", FAST):  # type: ignore[call-overload]
        raise InputRefused("The clipboard", "its picture cannot be read", "Save it as a file and open that")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputRefused(
            file.parent, f"it cannot be made ({error.strerror})", "Save the picture as a file"
        ) from error
    file = free_beside(file) if file.exists() else file
    write_bytes(file, bytes(buffer.data().data()))
    return file
