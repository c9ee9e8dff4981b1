"""Copied poses, which outlive the character they came from."""

from __future__ import annotations

from app.document import edits
from app.document.model.document import Character
from app.services.session import Session


class PoseClipboard:
    """Copy from the active character, paste onto the active character."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._copied: Character | None = None

    @property
    def filled(self) -> bool:
        """Whether there is anything to paste."""
        return self._copied is not None

    def copy(self) -> None:
        """Keep the active character as it is now."""
        self._copied = self._session.active

    def paste(self, flipped: bool = False) -> None:
        """Give the active character the copied pose, left and right exchanged if `flipped`."""
        active = self._session.active
        if active is not None and self._copied is not None:
            text = "Paste flipped pose" if flipped else "Paste pose"
            self._session.edit(text, edits.paste_pose(active.id, self._copied, flipped))
