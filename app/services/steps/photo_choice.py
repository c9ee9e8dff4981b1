"""Another of the scene's photos behind it, with somebody of that photo active."""

from __future__ import annotations

from app.document import edits
from app.document.in_photo.photo_membership import somebody_in_photo
from app.services.session import Session


def show_photo(session: Session, place: int) -> None:
    """Put the photo at a place of the document's list behind the scene. If the active person is not in it, the first
    visible one who is becomes active: what is selected would be out of sight, and keys would change it unseen."""
    session.edit("Choose photo", edits.choose_photo(place))
    here = somebody_in_photo(session.document, session.view.character)
    if here not in {"", session.view.character}:
        session.select(here)
