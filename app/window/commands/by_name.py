"""What the search offers by name beside commands: bodies and poses, taken by the active person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.document import edits
from app.document.library.shelf import Entry
from app.library.places import whole_shelf
from app.library.shelf_view import told
from app.panels.body_panel import take_body
from app.services.session import Session
from app.window.commands.synonyms import fits
from solver.body.shape_presets import ShapePreset

if TYPE_CHECKING:
    from app.library.control import LibraryControl

BY_NAME, OTHERWISE = 3.5, 1.5  # behind commands that are found as well, before those that are found less well


@dataclass(frozen=True)
class Named:
    """Something with a name. kind: what it is, in a word. further: what else it is found by, in lower case.

    tip: a line about it. take: gives it to the active person.
    """

    name: str
    kind: str
    further: str
    tip: str
    take: Callable[[], object]

    def fits(self, words: list[str]) -> float:
        """How well it fits what was typed, on the scale of synonyms.found: only words that begin so, not parts of any.

        words: in lower case; nothing is offered before there are some.
        """
        return {4: BY_NAME, 2: OTHERWISE}.get(fits(words, self.name, self.further), 0.0) if words else 0.0


def bodies(session: Session) -> tuple[Named, ...]:
    """The bodies that the active person can have."""
    active = session.active
    if active is None:
        return ()

    def named(preset: ShapePreset) -> Named:
        further = f"body shape character preset {preset.note.lower()}"
        return Named(preset.name, "Body", further, preset.note, lambda: take_body(session, preset))

    return tuple(map(named, edits.presets_for(active)))


def poses(session: Session, library: Callable[[], LibraryControl]) -> tuple[Named, ...]:
    """The poses of the library that can be used, as its folders hold them now."""
    if session.active is None:
        return ()

    def named(entry: Entry) -> Named:
        further = " ".join(("pose library", entry.folder, *entry.tags)).lower()
        return Named(entry.name, "Pose", further, told(entry), lambda: library().take_named(entry))

    return tuple(named(entry) for entry in whole_shelf().entries if not entry.trouble)
