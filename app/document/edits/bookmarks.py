"""Edits of the views that a scene keeps to come back to."""

from __future__ import annotations

from dataclasses import replace

from app.document.model.bookmark import Bookmark
from app.document.model.document import Document
from app.document.model.history import Edit


def keep_bookmark(bookmark: Bookmark) -> Edit:
    """Keep a view under its number, in place of the one kept there."""

    def edit(document: Document) -> Document:
        if bookmark in document.bookmarks:
            return document
        others = (other for other in document.bookmarks if other.slot != bookmark.slot)
        return replace(document, bookmarks=tuple(sorted((*others, bookmark), key=lambda each: each.slot)))

    return edit
