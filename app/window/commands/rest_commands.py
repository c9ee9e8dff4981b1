"""The command that lets people who are down come to rest on what is beneath: trunk, limbs and head."""

from __future__ import annotations

from app.document import edits
from app.document.model.document import Character
from app.services.session import MOMENT_S, Session
from app.services.steps.contacts import are_aimed_at
from app.services.view_state import moving_people
from app.window.commands.actions import Command

TITLE = "Settle onto what is beneath"


def rest_commands(session: Session) -> tuple[Command, ...]:
    """The table."""

    def down() -> tuple[Character, ...]:
        from app.document.posing.rest.settling import is_down  # not needed to show the window

        document = session.document
        props = [prop for prop in document.props if prop.visible]
        return tuple(person for person in moving_people(session.view, document) if is_down(person, props))

    def rest() -> None:
        session.settle(MOMENT_S)
        if people := down():
            settled = edits.chain(*(edits.come_to_rest(one.id) for one in people))
            # not as a placement, which would take the pose along unchanged: contacts are kept as it comes to rest
            ids = [one.id for one in people]
            session.edit(TITLE, settled, solve=are_aimed_at(session.document, ids))

    return (
        Command(
            "pose.rest", TITLE, rest, ("Shift+End",), enabled=lambda: bool(down()),
            tip="Settle onto what is beneath: whoever lies or sits there, on the floor, a bed or another prop, lets "
                "trunk, limbs and head come to rest; limbs of which a handle asks something keep their shape",
        ),
    )  # fmt: skip
