"""Which body model new characters get."""

from __future__ import annotations

from app.document.posing.create import DEFAULT_BODY
from app.services.settings import SettingsStore
from solver.body.catalog import official_body_id, official_folder


class BodyChoice:
    """The body asked for at the start, else that of the folder in the settings, else our own."""

    def __init__(self, settings: SettingsStore, asked: str | None = None) -> None:
        self._settings, self._asked = settings, asked
        self._accepted: set[str] = set()
        self._unusable = ""  # the settings' folder, if it was tried in vain

    def id(self) -> str:
        """The body's id for solver.body.catalog."""
        folder = self._settings.values.body_dir
        return self._asked or (f"smpl:{folder}" if folder and folder != self._unusable else DEFAULT_BODY)

    def known(self) -> frozenset[str]:
        """The ids of the official bodies that a scene may name: the settings', the one asked for, those accepted."""
        folder = self._settings.values.body_dir
        ids = {*self._accepted, *([self._asked] if self._asked else ()), *([f"smpl:{folder}"] if folder else ())}
        folders = [found for id in ids if (found := official_folder(id)) is not None]
        return frozenset(ids) | {official_body_id(found) for found in folders}

    def accept(self, id: str) -> None:
        """Let scenes name this body until the program ends."""
        self._accepted.add(id)

    def fall_back(self) -> str:
        """Use our own body until another folder is chosen, as the chosen one cannot be loaded."""
        if self._asked:
            self._asked = DEFAULT_BODY
        self._unusable = self._settings.values.body_dir
        return DEFAULT_BODY
