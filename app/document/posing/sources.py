"""Targets that come from elsewhere, brought up to date within a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from solver.effectors.resolve import Context, Figure, Sample, has_sources, resolved
from solver.effectors.sources import Tie

if TYPE_CHECKING:
    from solver.ik.multi_solve.solve_from_proposal import Ties

NO_SAMPLES: Mapping[str, Sample] = MappingProxyType({})


def context_of(document: Document, samples: Mapping[str, Sample] = NO_SAMPLES) -> Context:
    """What the document's targets may come from: figures that some effector follows, photos, streams and props."""
    from app.document.posing.touched_surfaces import props_of, skins_of  # not needed to show the window

    followed = {
        effector.source.character
        for character in document.characters
        for effector in character.effectors
        if isinstance(effector.source, Tie)
    }
    figures = {c.id: Figure(skeleton_of(c), joints_of(c)) for c in document.characters if c.id in followed}
    cameras = tuple(photo.camera for photo in document.photos)
    return Context(figures, cameras, samples, skins_of(document.characters), props_of(document))


def ties_in(document: Document, character: Character) -> Ties | None:
    """Where the character's targets are found again for other poses of it, everybody else staying; None where none of
    its effectors has a source."""
    if not has_sources(character.effectors):
        return None
    from solver.ik.multi_solve.solve_from_proposal import Ties  # it brings compiled code along

    return Ties(character.id, context_of(document))


def character_with_resolved_targets(document: Document, character: Character) -> Character:
    """The character with its targets where their sources now are in the document; the same one where none has moved."""
    return _brought(character, context_of(document)) if has_sources(character.effectors) else character


def with_resolved_targets(document: Document, samples: Mapping[str, Sample] = NO_SAMPLES) -> Document:
    """The document with every target where its source says it is now; the same one where none has to move.

    The poses stay: people whose targets have moved are still to be solved.
    """
    if not any(e.source is not None for c in document.characters for e in c.effectors):
        return document
    context = context_of(document, samples)
    for character in document.characters:
        moved = _brought(character, context)
        document = document if moved is character else document.with_character(moved)
    return document


def _brought(character: Character, context: Context) -> Character:
    effectors = tuple(resolved(effector, context) for effector in character.effectors)
    if all(a is b for a, b in zip(effectors, character.effectors, strict=True)):
        return character
    return replace(character, effectors=effectors)
