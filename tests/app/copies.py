"""Copies beside their originals, as tests add them."""

from __future__ import annotations

from app.document.edits.copies import Things, copies_of
from app.document.edits.room import way_to_room
from app.document.model.document import Character, Document
from app.document.model.prop import Prop

ASIDE = (1.2, 0.0, 0.0)  # metres


def copy_of(document: Document, id: str) -> Character:
    """A copy of somebody at their left."""
    return copies_of(document, Things((document.character(id),))).moved(ASIDE).people[0]


def copy_of_prop(document: Document, id: str) -> Prop:
    """A copy of a prop where there is room for it."""
    things = Things((), (document.prop(id),))
    return copies_of(document, things).moved(way_to_room(document, things)).props[0]
