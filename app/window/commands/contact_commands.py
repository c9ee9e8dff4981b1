"""The commands of contacts: rest on the floor, hold here, let go, and common holds by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.posing.hold_table import COMMON_HOLDS, CommonHold
from app.services.session import Session
from app.services.steps.contacts import hold_joints, let_go_of, prop_in_hand, touchable
from app.window.commands.actions import Command
from solver.effectors.contact import Contact
from solver.ik.multi_solve.only_limb import only_arms


def contact_commands(session: Session) -> tuple[Command, ...]:
    """The Contact menu's commands for what is selected, and for whole people."""
    chosen = lambda: bool(touchable(session))  # noqa: E731
    contacts = lambda: [e.id for e in session.selected_effectors if isinstance(e, Contact)]  # noqa: E731
    return (
        Command(
            "contact.floor", "Rest on the floor", lambda: hold_joints(session, touchable(session), floor=True),
            enabled=chosen, tip="Rest on the floor: the skin of the selected joints, on the floor below it",
        ),
        Command(
            "contact.here", "Hold on the nearest surface", lambda: hold_joints(session, touchable(session)),
            enabled=chosen, tip="Hold on the nearest surface: somebody's skin, their own too, a prop, or the floor",
        ),
        Command(
            "contact.let_go", "Let go", lambda: let_go_of(session, contacts()), enabled=lambda: bool(contacts()),
            tip="Let go: the selected contacts become positions",
        ),
        Command(
            "contact.put_down", "Put down", lambda: _put_down(session), enabled=lambda: _holds_something(session),
            tip="Put down: what a hand holds stands on what lies beneath it, a table, a box, a step or the floor",
        ),
        *(_command_of(session, hold) for hold in COMMON_HOLDS),
    )  # fmt: skip


def _holds_something(session: Session) -> bool:
    if session.active is None or not any(isinstance(e, Contact) for e in session.active.effectors):
        return False
    from app.services.steps.putting_down import held_things  # only once somebody holds on to something

    return bool(held_things(session))


def _put_down(session: Session) -> None:
    from app.services.steps.putting_down import put_down  # only once something is put down

    put_down(session)


def _command_of(session: Session, hold: CommonHold) -> Command:
    def ready() -> bool:
        active = session.active
        if active is not None and hold.needs_thing:
            return any(prop_in_hand(session.document, [e]) is not None for e in active.effectors)
        people = sum(c.visible or c.id == session.view.character for c in session.document.characters)
        return active is not None and (people > 1 or not hold.needs_two)

    return Command(
        f"contact.{hold.id}", hold.title, _taking(session, hold), enabled=ready, tip=f"{hold.title}: {hold.tip}"
    )


def _taking(session: Session, hold: CommonHold) -> Callable[[], None]:
    def run() -> None:
        active = session.active
        if active is not None:
            stays = only_arms(skeleton_of(active), active.pose) if hold.by_arms or hold.mutual else None
            if hold.brings:
                from app.document.posing.brought.at_face import stays_while_brought  # not needed to show the window

                stays = stays_while_brought(session.document, active, hold)
            if stays is not None and hold.mutual:  # their arms alone, where both people's suffice
                stays = replace(stays, gives_way=True, together=True)
            taken = edits.take_hold(active.id, hold)
            # The other hand would hold the air where the mirror shows the other person.
            session.edit(hold.title, taken, solve=True, hold=stays, as_is=hold.needs_two)

    return run
