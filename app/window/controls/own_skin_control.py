"""Choosing the file of the user's own character, whose skin the active person gets in the view."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.services.background.jobs import Jobs
from app.services.session import Session
from app.services.settings import SettingsStore
from app.window.controls.joint_mapping import JointMapping

if TYPE_CHECKING:
    from app.document.exchange.onto.own_skin_file import OwnSkinFile
    from app.document.exchange.open_file import JointsUnclear
    from solver.rig.joint_map_file import JointMaps

FILES = "Characters (*.glb *.gltf *.vrm)"


class OwnSkinControl(QObject):
    """Gives people the skin of a file. message(text): for the status bar."""

    message = Signal(str)

    def __init__(
        self, session: Session, jobs: Jobs, settings: SettingsStore, joints: JointMapping, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session, self._jobs, self._settings, self._window = session, jobs, settings, window
        self._joints = joints

    def choose(self) -> None:
        """Ask for a file, and draw the active person as the character in it."""
        active = self._session.active
        if active is None:
            return
        start = str(self._settings.usual_folder(self._session.path))
        path, _ = QFileDialog.getOpenFileName(self._window, f"Draw “{active.name}” as", start, FILES)
        if path:
            self._read(active.id, active.name, Path(path))

    def _read(self, id: str, name: str, path: Path) -> None:
        work = partial(_read, path, name, self._joints.maps())
        take = lambda found: self._take(id, name, path, found)  # noqa: E731
        self._jobs.run(f"Reading {path.name}", work, take, for_scene=True)

    def _take(self, id: str, name: str, path: Path, found: OwnSkinFile | JointsUnclear) -> None:
        from app.document.exchange.open_file import JointsUnclear

        if isinstance(found, JointsUnclear):
            if self._joints.ask(path, found.questions):
                self._read(id, name, path)
            return
        if not any(character.id == id for character in self._session.document.characters):
            return
        from app.document.exchange.onto.own_skin_file import drawn_as

        if self._session.edit(f"Draw “{name}” as {path.name}", drawn_as(id, found), solve=True):
            self._joints.wear(path)
            self.message.emit(f"“{name}” is drawn as {path.name}. {found.hint}".strip())


def _read(path: Path, name: str, maps: JointMaps, _progress: object, _cancelled: object) -> OwnSkinFile | JointsUnclear:
    from app.document.exchange.onto.own_skin_file import own_skin_in
    from app.document.exchange.open_file import JointsUnclear

    try:
        return own_skin_in(path, name, maps, ask_joints=True)
    except JointsUnclear as unclear:
        return unclear
