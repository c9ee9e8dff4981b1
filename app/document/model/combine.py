"""What edits are made of: a change of one character, and several edits as one."""

from __future__ import annotations

from collections.abc import Callable

from app.document.model.document import Character, Document
from app.document.model.history import Edit


def on_character(id: str, change: Callable[[Character], Character]) -> Edit:
    """The edit that replaces one character by what `change` makes of it; it changes nothing where nothing differs."""

    def edit(document: Document) -> Document:
        before = document.character(id)
        after = change(before)
        return document if after is before or after == before else document.with_character(after)

    return edit


def chain(*edits: Edit) -> Edit:
    """Several edits as one."""

    def edit(document: Document) -> Document:
        for one in edits:
            document = one(document)
        return document

    return edit
