"""Why a character's effectors are not reachable, as long as what was found out still fits the character."""

from __future__ import annotations

from app.document.problem import is_raw
from app.document.state import Character, Document
from solver.ik.problem import Reason

Found = tuple[Reason | None, ...]


class Reasons:
    """What was found out, beside the document: each answer belongs to the very solve that it explains."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Character, Found]] = {}

    def keep(self, character: Character, found: Found) -> None:
        """Remember what was found for a character as it is now."""
        self._known[character.id] = (character, found)

    def of(self, character: Character) -> Found:
        """One for each effector, in order: a reason, or None where it is reachable or nothing is known."""
        return self._known[character.id][1] if self._answered(character) else (None,) * len(character.effectors)

    def open_questions(self, document: Document) -> list[Character]:
        """The characters with an effector that is not reachable and nobody has asked why; others are forgotten."""
        present = {character.id for character in document.characters}
        self._known = {id: known for id, known in self._known.items() if id in present}
        return [c for c in document.characters if _has_unreachable(c) and not self._answered(c)]

    def forget(self) -> None:
        """Another document is open."""
        self._known.clear()

    def _answered(self, character: Character) -> bool:
        asked, _ = self._known.get(character.id, (None, ()))
        return asked is not None and asked.residuals is character.residuals and asked.effectors is character.effectors


def _has_unreachable(character: Character) -> bool:
    if len(character.residuals) != len(character.effectors) or is_raw(character):
        return False
    return any(residual.state == "unreachable" for residual in character.residuals)
