"""The undo steps of pictures that were left, and what solvers found in them, for when the user comes back to one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.document.model.history import Past
from app.document.posing.findings import Findings
from app.labelling.kept_bytes import kept_bytes

KEPT = 30  # pictures
MOST_BYTES = 64 << 20  # that they keep in all; a step takes some 15 kB


@dataclass(frozen=True)
class LeftPicture:
    """A picture's document with its steps, and what solvers found out in them."""

    past: Past
    findings: Findings


def bytes_of(left: LeftPicture) -> int:
    """What steps and findings keep, without what is there anyway: the present document, our body and the solvers."""
    from solver.body.embedded_body import EmbeddedBody
    from solver.ik.pipeline.pipeline import Solver  # it imports compiled code

    return kept_bytes(left, besides=left.past.document, shared=(EmbeddedBody, Solver))


class LeftPictures:
    """The latest ones of a folder, by their scene's file: as many as fit into memory, and always the last."""

    def __init__(self) -> None:
        self._left: dict[Path, tuple[str, LeftPicture]] = {}
        self._bytes: dict[Path, int] = {}

    def leave(self, scene: Path, seen: str, left: LeftPicture) -> None:
        """Keep a picture's steps. seen: the SHA-256 of its scene's file, which holds the document of the steps."""
        self._forget(scene)
        if left.past.undo or left.past.redo:
            self._left[scene] = seen, left
            self._bytes[scene] = bytes_of(left)
        while len(self._left) > KEPT or (len(self._left) > 1 and sum(self._bytes.values()) > MOST_BYTES):
            self._forget(next(iter(self._left)))

    def back_to(self, scene: Path, seen: str) -> LeftPicture | None:
        """The steps of a picture; None if it has none, or if its file is no longer the one that was left."""
        was, left = self._left.get(scene, ("", None))
        return left if was == seen else None

    def _forget(self, scene: Path) -> None:
        self._left.pop(scene, None)
        self._bytes.pop(scene, None)
