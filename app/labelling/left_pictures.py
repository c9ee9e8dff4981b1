"""The undo steps of pictures that were left, for when the user comes back to one."""

from __future__ import annotations

from pathlib import Path

from app.document.model.history import Past

KEPT = 30  # pictures


class LeftPictures:
    """The latest ones of a folder, by their scene's file."""

    def __init__(self) -> None:
        self._left: dict[Path, tuple[str, Past]] = {}

    def leave(self, scene: Path, seen: str, past: Past) -> None:
        """Keep a picture's steps. seen: the SHA-256 of its scene's file, which holds the document of the steps."""
        self._left.pop(scene, None)
        if past.undo or past.redo:
            self._left[scene] = seen, past
        for oldest in list(self._left)[:-KEPT]:
            del self._left[oldest]

    def back_to(self, scene: Path, seen: str) -> Past | None:
        """The steps of a picture; None if it has none, or if its file is no longer the one that was left."""
        was, past = self._left.get(scene, ("", None))
        return past if was == seen else None
