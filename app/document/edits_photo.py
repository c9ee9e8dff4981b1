"""Edits of the photo behind the scene. Each function returns an edit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.document.history import Edit
from app.document.state import Document, Photo
from solver.errors import PoserError


def set_photo(photo: Photo | None) -> Edit:
    """Put a photo behind the scene, or take it away (None)."""
    return lambda document: document if document.photo == photo else replace(document, photo=photo)


def set_photo_visible(visible: bool) -> Edit:
    """Show or hide the photo."""
    return _on_photo(lambda photo: replace(photo, visible=bool(visible)))


def set_photo_opacity(opacity: float) -> Edit:
    """Set how strongly the photo shows, clipped to 0..1."""
    value = min(max(float(opacity), 0.0), 1.0)
    return _on_photo(lambda photo: replace(photo, opacity=value))


def relink_photo(path: str, sha256: str) -> Edit:
    """Point to the photo's file where it is now; the camera stays."""
    return _on_photo(lambda photo: replace(photo, path=path, sha256=sha256))


def _on_photo(change: Callable[[Photo], Photo]) -> Edit:
    def edit(document: Document) -> Document:
        if document.photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        after = change(document.photo)
        return document if after == document.photo else replace(document, photo=after)

    return edit
