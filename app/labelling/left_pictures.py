"""The undo steps of pictures that were left, and what solvers found in them, for when the user comes back to one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.document.model.history import Past
from app.document.posing.findings import Findings

KEPT = 30  # pictures


@dataclass(frozen=True)
class LeftPicture:
    """A picture's document with its steps, and what solvers found out in them."""

    past: Past
    findings: Findings


class LeftPictures:
    """The latest ones of a folder, by their scene's file."""

    def __init__(self) -> None:
        self._left: dict[Path, tuple[str, LeftPicture]] = {}

    def leave(self, scene: Path, seen: str, left: LeftPicture) -> None:
        """Keep a picture's steps. seen: the SHA-256 of its scene's file, which holds the document of the steps."""
        self._left.pop(scene, None)
        if left.past.undo or left.past.redo:
            self._left[scene] = seen, left
        for oldest in list(self._left)[:-KEPT]:
            del self._left[oldest]

    def back_to(self, scene: Path, seen: str) -> LeftPicture | None:
        """The steps of a picture; None if it has none, or if its file is no longer the one that was left."""
        was, left = self._left.get(scene, ("", None))
        return left if was == seen else None
