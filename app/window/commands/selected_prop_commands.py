"""Commands shared by people and props, as they act on the selected prop."""

from __future__ import annotations

from collections.abc import Callable

from app.document import edits
from app.services.session import Session
from app.services.view_state import selected_prop
from solver.effectors.kinds import kinds

TOOLS = {"ball": "move", "ring": "turn"}  # the gizmo's tools, by the handle that shares the key


def delete_prop(session: Session, say: Callable[[str], None]) -> None:
    """Take the selected prop out, and say if it leaves contacts behind. say: shows a notice."""
    prop = selected_prop(session.document, session.view)
    if prop is not None:
        from app.services import deleting  # only once something is deleted

        if said := deleting.delete_prop(session, prop.id):
            say(said)


def duplicate_prop(session: Session) -> None:
    """Add a copy of the selected prop beside it, and select it."""
    prop = selected_prop(session.document, session.view)
    if prop is not None:
        copy = edits.duplicate_of_prop(session.document, prop.id)
        if session.edit(f"Duplicate as {copy.name}", edits.add_prop(copy)):
            session.set_view(prop=copy.id)


def use_tool(session: Session, kind: str) -> None:
    """Let the gizmo of the selected prop move or turn it, as the effector kind with the same key does for a joint."""
    handle = next((each.handle for each in kinds() if each.id == kind), "")
    if handle in TOOLS:
        session.set_view(prop_tool=TOOLS[handle])
