"""What edits are made of: a change of one character or prop, and several edits as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from solver.errors import PoserError


def on_character(id: str, change: Callable[[Character], Character]) -> Edit:
    """The edit that replaces one character by what `change` makes of it; it changes nothing where nothing differs."""

    def edit(document: Document) -> Document:
        before = document.character(id)
        after = change(before)
        return document if after is before or after == before else document.with_character(after)

    return edit


def on_prop(id: str, change: Callable[[Prop], Prop]) -> Edit:
    """The edit that replaces one prop by what `change` makes of it; it changes nothing where nothing differs.

    One with a clip that is moved or turned gets a key at its frame, unless `change` has made its keys itself.
    """

    def edit(document: Document) -> Document:
        before = document.prop(id)
        try:
            after = change(before)
            after = document.keyed(after) if after.clip is before.clip else after
        except ValueError as error:
            raise PoserError(f"“{before.name}” cannot be changed like that: {error}.") from None
        if after is before or after == before:
            return document
        return replace(document, props=tuple(after if prop.id == id else prop for prop in document.props))

    return edit


def chain(*edits: Edit) -> Edit:
    """Several edits as one."""

    def edit(document: Document) -> Document:
        for one in edits:
            document = one(document)
        return document

    return edit
