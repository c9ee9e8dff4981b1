"""Files that are held over the window, dropped on it, or pasted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QGuiApplication

from app.services.session import Session
from rendering.view.viewport import Viewport
from solver.errors import PoserError

if TYPE_CHECKING:
    from app.window.controls.file_drop import FileDropPreview


class DropControl(QObject):
    """Says what a drop would do, and does it. Places are the window's, in pixels.

    card_of(file): what poses the active person by a card of the library; None for other files. said: what was done.
    """

    said = Signal(str)

    def __init__(
        self,
        session: Session,
        view: Viewport,
        open_path: Callable[[Path, NDArray[np.float64] | None], None],
        card_of: Callable[[Path], Callable[[], None] | None],
    ) -> None:
        super().__init__(view)
        self._session, self._view, self._open_path, self._card_of = session, view, open_path, card_of

    @cached_property
    def preview(self) -> FileDropPreview:
        """What is said while files are held over the window; loaded when that first happens."""
        from app.window.controls.file_drop import FileDropPreview

        return FileDropPreview(self._session, self._view)

    def hover(self, files: Sequence[Path]) -> bool:
        """Show what a drop of these does, and return whether it does anything; with none, show nothing."""
        return self.preview.hover(files, card=self._card(files) is not None)

    def hover_address(self) -> None:
        """Say that an address of the web does not open, and what would."""
        self.preview.hover_address()

    def move(self, place: QPoint) -> None:
        """Say where files that are held there would land."""
        self.preview.move(self._in_view(place))

    def drop(self, files: Sequence[Path], place: QPoint) -> None:
        """Open files that were dropped there. A card of the library that lands on somebody poses them."""
        from app.window.controls.file_drop import files_to_open

        card, person = self._card(files), self.preview.person_under(self._in_view(place))
        if card is not None and person is not None:
            if person.id != self._session.view.character:
                self._session.select(person.id)
            card()
            return
        for file in files_to_open(self._view.window(), files):
            landing = self.preview.landing(self._in_view(place))
            self._open_path(file, landing.place if landing is not None else None)

    def paste(self) -> None:
        """Open the files or the picture that another program copied; says where the picture's file is."""
        from app.window.controls.file_drop import files_to_open
        from app.window.controls.pasted_files import local_files, written_picture

        content = QGuiApplication.clipboard().mimeData()
        if files := local_files(content):
            for file in files_to_open(self._view.window(), files):
                self._open_path(file, None)
            return
        try:
            file = written_picture(content)
        except PoserError as error:
            self._session.refused.emit(str(error))
            return
        self.said.emit(f"The pasted picture is kept in {file.parent}.")
        self._open_path(file, None)

    def _card(self, files: Sequence[Path]) -> Callable[[], None] | None:
        return self._card_of(files[0]) if len(files) == 1 else None

    def _in_view(self, place: QPoint) -> QPoint:
        return self._view.mapFrom(self._view.window(), place)
