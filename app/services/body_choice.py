"""Which body model new characters get."""

from __future__ import annotations

from app.document.create import DEFAULT_BODY
from app.services.settings import SettingsStore


class BodyChoice:
    """The one asked for at the start, else that of the folder in the settings, else our own."""

    def __init__(self, settings: SettingsStore, asked: str | None = None) -> None:
        self._settings, self._asked = settings, asked

    def id(self) -> str:
        """The body's id for solver.body.catalog."""
        folder = self._settings.values.body_dir
        return self._asked or (f"smpl:{folder}" if folder else DEFAULT_BODY)

    def fall_back(self) -> str:
        """From now on our own body: the chosen one cannot be loaded."""
        self._asked = DEFAULT_BODY
        return DEFAULT_BODY
