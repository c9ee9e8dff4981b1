"""The surfaces that contacts touch: people's skins, and props."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.document.model.document import Character, Document
from app.document.model.prop import KINDS
from solver.body.catalog import load_body
from solver.effectors.resolve import Prop
from solver.effectors.skin import Skin
from solver.effectors.sources import SkinSource


def skins_of(characters: Sequence[Character]) -> Mapping[str, Skin]:
    """By id, the skins of people that some effector of these characters touches."""
    touched = {e.source.character for c in characters for e in c.effectors if isinstance(e.source, SkinSource)}
    if not touched:
        return {}
    from solver.contact.skins import skin  # not needed to show the window

    return {c.id: skin(load_body(c.body), c.shape, c.hands) for c in characters if c.id in touched}


def props_of(document: Document) -> Mapping[str, Prop]:
    """The document's props, by their ids."""
    return {prop.id: Prop(prop.middle, prop.turn, prop.size, KINDS[prop.kind].has_axis) for prop in document.props}
