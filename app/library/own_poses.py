"""The user's own poses in the library: saving, adding files, renaming, deleting."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFile, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QPixmap

from app.dialogs import messages
from app.dialogs.message_dialog import MessageDialog
from app.document.library import pose_files
from app.document.library.shelf import Entry, shelf_of
from app.library import folders
from app.library.panel import OWN, LibraryPanel
from app.library.pictures import SAVED, Pictures
from app.library.save_dialog import RenameDialog, SaveDialog
from app.panels.widgets.popups import ask
from app.services.session import Session
from rendering.drawing.surfaceless import NoOpenGL
from rendering.view.viewport import Viewport
from solver.errors import PoserError
from solver.files.atomic import reason_of
from solver.sentences import and_more


class OwnPoses(QObject):
    """Keeps poses in the user's folder. kept(entry, text): one is there now, and what to say. changed: files may not
    be as they were."""

    kept = Signal(object, str)
    changed = Signal()

    def __init__(self, session: Session, viewport: Viewport, panel: LibraryPanel, pictures: Pictures) -> None:
        super().__init__(viewport)
        self._session, self._viewport, self._panel, self._pictures = session, viewport, panel, pictures

    def save(self) -> None:
        """Ask for a name and save the active person's pose, or everybody's together."""
        active, parent = self._session.active, self._viewport.window()
        if active is None:
            return
        self._session.solve_now()
        active = self._session.active or active
        everybody = tuple(c for c in self._session.document.characters if c.visible)
        picture, shown = self._drawn((active,))
        dialog = SaveDialog(parent, shown, active.name, self._folders(), len(everybody))
        if not ask(dialog):
            return
        name, tags, folder, together = dialog.said()
        people = (active, *(c for c in everybody if c.id != active.id)) if together else (active,)
        if together:
            picture, _ = self._drawn(people)
        try:
            saved = pose_files.save_pose(folders.own_folder(), folder, name, tags, people, picture)
        except PoserError as error:
            messages.refuse(parent, str(error))
            return
        self.kept.emit(saved, f"Saved “{saved.name}” as {saved.path.name}.")

    def add_files(self, files: list[Path]) -> None:
        """Copy pose files from elsewhere to the user's own."""
        chosen = self._panel.folders.currentData() or ""
        folder = chosen.removeprefix(f"{OWN}/") if chosen.startswith(f"{OWN}/") else ""
        added, refused = [], []
        for file in files:
            try:
                added.append(pose_files.add_file(folders.own_folder(), folder, file))
            except PoserError as error:
                refused.append(str(error))
        if added:
            said = and_more(f"“{added[-1].name}”", len(added))
            self.kept.emit(added[-1], f"Added {said} to your poses.")
        if refused:
            more = f" {len(refused) - 1} more could not be added either." if len(refused) > 1 else ""
            messages.refuse(self._viewport.window(), f"{refused[0]}{more}")

    def rename(self, entry: Entry) -> None:
        """Ask for another name, other tags or another folder of one of the user's own poses."""
        if not entry.own or entry.trouble:
            self._panel.tell(entry.trouble or f"“{entry.name}” came with the program and keeps its name.")
            return
        picture = self._pictures.of(entry) or QPixmap()
        dialog = RenameDialog(self._viewport.window(), picture, entry, self._folders())
        if not ask(dialog):
            return
        name, tags, folder, _ = dialog.said()
        try:
            renamed = pose_files.rename(entry, folders.own_folder(), folder, name, tags)
        except PoserError as error:
            messages.refuse(self._viewport.window(), str(error))
            self.changed.emit()
            return
        self.kept.emit(renamed, f"Renamed “{entry.name}” to “{renamed.name}”." if name != entry.name else "Changed.")

    def _folders(self) -> list[str]:
        own = shelf_of(folders.own_folder(), own=True).entries
        return sorted({entry.folder for entry in own if entry.folder})

    def delete(self, entry: Entry) -> None:
        """Move one of the user's own poses to the system's bin once they have confirmed it.

        Where there is none, as on some network drives, they are asked whether to delete it for good.
        """
        if not entry.own:
            self._panel.tell(f"“{entry.name}” came with the program and stays.")
            return
        if not self._confirmed(f"Delete “{entry.name}” from the library?", "Its file and its picture go to the bin."):
            return
        said = ""
        if _to_bin(entry):
            said = f"“{entry.name}” is in the bin."
        elif not entry.path.exists() or self._confirmed(f"“{entry.name}” cannot go to the bin.", "Delete it for good?"):
            try:
                pose_files.remove(entry)
                said = f"“{entry.name}” is deleted."
            except PoserError as error:
                messages.refuse(self._viewport.window(), str(error))
        self.changed.emit()
        if said:
            self._panel.tell(said)

    def _confirmed(self, text: str, more: str) -> bool:
        return MessageDialog(self._viewport.window(), text, more, ("Delete", "Cancel")).ask() == "Delete"

    def _drawn(self, people: tuple) -> tuple[bytes | None, QPixmap]:  # type: ignore[type-arg]
        shown = QPixmap()
        try:
            picture = self._pictures.drawn(people, SAVED)
        except NoOpenGL:
            return None, shown
        shown.loadFromData(picture)
        shown.setDevicePixelRatio(2.0)
        return picture, shown

    def show_folder(self) -> None:
        """Show the user's folder in the system's file manager; it is made if need be."""
        folder = folders.own_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            messages.refuse(self._viewport.window(), f"{folder} cannot be made: {reason_of(error)}.")
            return
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _to_bin(entry: Entry) -> bool:
    """Move a pose and its picture to the system's bin; whether the pose is there now."""
    if not QFile(str(entry.path)).moveToTrash():
        return False
    if entry.picture is not None:
        QFile(str(entry.picture)).moveToTrash()
    return True
