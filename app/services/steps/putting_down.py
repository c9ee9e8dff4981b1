"""What the active person holds is put down: one step of the session."""

from __future__ import annotations

from collections.abc import Collection

from app.document.edits import putting_down
from app.document.model.prop import Prop
from app.services.session import MOMENT_S, Session
from app.services.steps.contacts import are_touched
from solver.effectors.effector import Effector
from solver.effectors.sources import is_on_prop


def held_things(session: Session) -> tuple[Prop, ...]:
    """What the selected hands of the active person hold and may be put down, else what any hand of theirs holds."""
    active = session.active
    if active is None:
        return ()
    return putting_down.things_to_put_down(session.document, active.id, session.view.effectors)


def is_put_down(session: Session, effector: Effector) -> bool:
    """Whether an effector of the active person holds something that may be put down."""
    active = session.active
    if active is None or not effector.is_active:
        return False
    things = putting_down.things_to_put_down(session.document, active.id, [effector.id])
    return any(is_on_prop(effector.source, prop.id) for prop in things)


def put_down(session: Session, effectors: Collection[str] = ()) -> None:
    """Put down what the active person holds, and let go of it, or hold it still at a key of a motion. effectors: ids of
    those that hold it; without any, as `held_things` has it."""
    session.settle(MOMENT_S)
    active = session.active
    if active is not None and effectors:
        things = putting_down.things_to_put_down(session.document, active.id, effectors)
    else:
        things = held_things(session)
    if active is None or not things:
        return
    what = things[0].name if len(things) == 1 else f"{len(things)} props"
    put = putting_down.put_down(active.id, [prop.id for prop in things])
    # Only one hand holds it where posing is symmetric; others who hold it follow.
    session.edit(f"Put down {what}", put, solve=are_touched(session.document, things, active.id), as_is=True)
