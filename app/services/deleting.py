"""Taking people and props out: each call is one step, and tells what becomes of those who held on to them."""

from __future__ import annotations

from collections.abc import Collection

from app.document import edits
from app.services.session import Session


def delete_people(session: Session, ids: Collection[str]) -> str:
    """Take people out, by their ids; what is to be said about contacts that were with them, "" for nothing."""
    people = [session.document.character(id) for id in ids]
    who = people[0].name if len(people) == 1 else f"{len(people)} people"
    left = edits.contacts_on(session.document, *ids)
    done = session.edit(f"Delete {who}", edits.chain(*map(edits.remove_character, ids)))
    return _left_behind(left, f"{who} {'was' if len(people) == 1 else 'were'}") if done else ""


def delete_prop(session: Session, id: str) -> str:
    """Take a prop out, by its id; what is to be said about contacts with it, "" for nothing."""
    name, left = session.document.prop(id).name, edits.contacts_on_prop(session.document, id)
    done = session.edit(f"Delete {name}", edits.remove_prop(id), solve=True)
    return _left_behind(left, f"{name} was") if done else ""


def _left_behind(count: int, where: str) -> str:
    if not count:
        return ""
    what, them = ("A contact stays", "it") if count == 1 else (f"{count} contacts stay", "them")
    return f"{what} in place where {where}, held on nothing now. Drag {them} to let go, or undo to have all back."
