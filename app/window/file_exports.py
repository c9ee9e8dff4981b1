"""Exporting, with the questions that belong to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.dialogs import messages
from app.document.model.document import Document
from app.panels.widgets.popups import ask
from app.services.background.jobs import Jobs
from app.services.clock import plays
from app.services.session import Session
from app.services.settings import SettingsStore
from solver.errors import PoserError

if TYPE_CHECKING:
    from app.dialogs.export_dialog import ExportChoice
    from app.film.main_thread import MainThreadCaller
    from app.window.exporting import ViewCapture


class FileExports(QObject):
    """The exports of one window. message(text): for the status bar. folder: where the first one is proposed."""

    message = Signal(str)

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        settings: SettingsStore,
        pictures: ViewCapture,
        folder: Callable[[], str],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._jobs, self._settings = session, jobs, settings
        self._pictures, self._usual_folder, self._window = pictures, folder, window
        self._folder: Path | None = None  # where the last export of this window went

    def begin(self, format: str = "") -> None:
        """Ask what to export and where, and do it. format: a page of the dialog, by default the last one used."""
        work = _work()
        size = self._pictures.size()
        whole = work.all_or_none_in_view(self._session.document, self._pictures.camera(), size)
        dialog = work.ExportDialog(self._session, self._settings.values, size, format, self._window, whole)
        if not ask(dialog):
            return
        choice = dialog.choice()
        self._settings.set(export_format=choice.format)
        if choice.format in ("bvh", "glb"):
            self._settings.set(bvh_names=choice.names, bvh_unit=choice.unit)
        stem = work.suggested_stem(self._session.document, self._session.active, choice, self._session.path)
        own = work.own_files(self._session.document, self._session.path)
        opened = self._settings.values.recent
        folder = self._folder or Path(self._usual_folder())
        start = str(work.safe_path(folder / f"{stem}.{choice.format}", own, opened))
        path, _ = QFileDialog.getSaveFileName(self._window, "Export", start, work.SUFFIX_FILTERS[choice.format])
        kinds = next((many for many in (work.MESH_FORMATS, work.MOVING) if choice.format in many), ())
        target = work.file_of(self._window, path, *(f".{kind}" for kind in (choice.format, *kinds)))
        if target is None:
            return
        self._session.solve_now()
        document, active = self._session.document, self._session.active
        files = work.files_of(document, choice, target)
        try:
            work.check_not_own_files(files, own)
        except PoserError as error:
            messages.refuse(self._window, str(error))
            return
        there = [file for file in files if file != target and file.exists()]
        if there and not messages.ask_to_replace(self._window, there[0].name, len(there) - 1):
            return

        def write() -> list[Path]:
            return work.export(document, active, choice, target, self._pictures)

        if choice.format in work.MOVING:
            self._film(document, choice, target)
            return
        moves = choice.whole_motion and plays(document)
        if choice.format in work.MESH_FORMATS or moves:  # takes a second or more and needs nothing from the window
            self._jobs.run(f"Writing {target.name}", lambda progress, cancelled: write(), self._written)
            return
        try:
            self._written(write())
        except PoserError as error:
            messages.refuse(self._window, str(error))

    def _film(self, document: Document, choice: ExportChoice, target: Path) -> None:
        try:
            work = _work().film_work(document, choice, target, self._pictures, self._main_thread)
        except PoserError as error:
            messages.refuse(self._window, str(error))
            return
        self._jobs.run(f"Writing {target.name}", work, self._written)

    def _written(self, files: list[Path]) -> None:
        self._folder = files[0].parent
        names = ", ".join(file.name for file in files)
        self.message.emit(f"Wrote {names} in {files[0].parent}.")

    @cached_property
    def _main_thread(self) -> MainThreadCaller:
        from app.film.main_thread import MainThreadCaller  # only once a film is written

        return MainThreadCaller(self)


def _work() -> ModuleType:
    """What exporting needs: the window starts without it."""
    from app.window import deferred_imports

    return deferred_imports
