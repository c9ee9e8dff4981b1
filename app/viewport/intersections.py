"""Intersections shown over the scene, searched for in a thread of their own once nothing has moved for a moment."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.model.document import Document
from app.document.posing.intersection_shades import Shades, intersection_shades
from rendering.scene.values import Figure, Scene
from solver.errors import PoserError

REST_MS = 100  # after the last change, so that a drag has the processor to itself
LOOK_EVERY_MS = 10


class Intersections(QObject):
    """found(): `over` has something new. refused(text): they cannot be found, and why.

    While somebody moves, the skin keeps the tint found last; at another frame it loses it.
    """

    found = Signal()
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seen: tuple[Any, ...] = ()
        self._document = Document()
        self._shades: Mapping[str, Shades] = {}
        self._frames: Mapping[str, int] = {}
        self._search: _Search | None = None
        self._tinted: dict[str, tuple[Figure, Shades, Figure]] = {}
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._begin)
        self._look = QTimer(self, interval=LOOK_EVERY_MS)
        self._look.timeout.connect(self._take)

    @property
    def searching(self) -> bool:
        """Whether the latest document is still to be searched."""
        return self._rest.isActive() or self._search is not None

    def over(self, scene: Scene, document: Document) -> Scene:
        """The scene of a document with its people tinted; begins to look for what has changed since."""
        seen = _what_counts(document)
        if len(seen) != len(self._seen) or any(a is not b and a != b for a, b in zip(seen, self._seen, strict=True)):
            self._seen, self._document = seen, document
            self._rest.start()
        frames = _frames_of(document)
        figures = tuple(self._with_tint(figure, frames) for figure in scene.figures)
        self._tinted = {id: kept for id, kept in self._tinted.items() if id in frames}
        return replace(scene, figures=figures)

    def stop(self) -> None:
        """Stop searching and forget what was found."""
        self._rest.stop()
        self._look.stop()
        if self._search is not None:
            self._search.thread.join()
        self._search, self._seen, self._shades, self._tinted = None, (), {}, {}

    def _with_tint(self, figure: Figure, frames: Mapping[str, int]) -> Figure:
        """The figure with its tint, made once for each pair of the two."""
        id = str(figure.id)
        shades = self._shades.get(id) if frames.get(id, -1) == self._frames.get(id) else None
        mesh = figure.mesh
        if shades is None or mesh is None or mesh.carried is not None or len(shades) != len(mesh.vertices):
            return figure
        kept = self._tinted.get(id)
        if kept is None or kept[0] is not figure or kept[1] is not shades:
            kept = self._tinted[id] = (figure, shades, replace(figure, warned=shades))
        return kept[2]

    def _begin(self) -> None:
        if self._search is not None:  # its result is out of date; search again once it has ended
            self._rest.start()
            return
        self._search = _Search(self._document)
        self._look.start()

    def _take(self) -> None:
        search = self._search
        if search is None or search.thread.is_alive():
            return
        self._look.stop()
        self._search = None
        self._shades, self._frames = search.shades, _frames_of(search.document)
        if search.error:
            self.refused.emit(search.error)
        self.found.emit()


class _Search:
    """One search of a document, in a thread that knows nothing of Qt."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.shades: Mapping[str, Shades] = {}
        self.error = ""
        self.thread = threading.Thread(target=self._run, name="intersections", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.shades = intersection_shades(self.document)
        except PoserError as error:
            self.error = str(error)


def _frames_of(document: Document) -> dict[str, int]:
    return {character.id: character.frame for character in document.characters}


def _what_counts(document: Document) -> tuple[Any, ...]:
    """What intersections depend on, to be compared by identity."""
    people = [(c.id, c.pose, c.shape, c.body, c.hands) for c in document.characters if c.visible]
    return tuple(value for person in people for value in person) + tuple(p for p in document.props if p.visible)
