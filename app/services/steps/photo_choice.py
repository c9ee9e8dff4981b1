"""Another of the scene's photos behind it, with somebody of that photo active."""

from __future__ import annotations

from app.document import edits
from app.document.in_photo.photo_membership import belongs_to_photo
from app.services.session import Session


def show_photo(session: Session, place: int) -> None:
    """Put the photo at a place of the document's list behind the scene. If the active person is not in it, the first
    visible one who is becomes active: what is selected would be out of sight, and keys would change it unseen."""
    session.edit("Choose photo", edits.choose_photo(place))
    document, active = session.document, session.active
    if active is None or belongs_to_photo(active, document):
        return
    here = (one.id for one in document.characters if one.visible and belongs_to_photo(one, document))
    if (id := next(here, None)) is not None:
        session.select(id)
