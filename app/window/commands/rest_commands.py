"""The command that lets people who are down come to rest on what is beneath: trunk, limbs and head."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from app.document.model.document import Character
from app.services.background.jobs import Jobs
from app.services.session import MOMENT_S, Session
from app.services.view_state import moving_people
from app.window.commands.actions import Command

if TYPE_CHECKING:
    from app.services.background.coming_to_rest import ComingToRest

TITLE = "Settle onto what is beneath"


def rest_commands(session: Session, jobs: Jobs, said: Callable[[str], None]) -> tuple[Command, ...]:
    """The table. said(text): for the status bar."""

    @cache
    def settling() -> ComingToRest:
        from app.services.background.coming_to_rest import ComingToRest  # not needed to show the window

        return ComingToRest(session, jobs, said)

    def down() -> tuple[Character, ...]:
        from app.document.posing.rest.settling import is_down  # not needed to show the window

        document = session.document
        props = [prop for prop in document.props if prop.visible]
        return tuple(person for person in moving_people(session.view, document) if is_down(person, props))

    def rest() -> None:
        session.settle(MOMENT_S)
        if people := down():
            settling().begin(TITLE, [one.id for one in people])

    return (
        Command(
            "pose.rest", TITLE, rest, ("Shift+End",), enabled=lambda: bool(down()),
            tip="Settle onto what is beneath: whoever lies or sits there, on the floor, a bed or another prop, lets "
                "trunk, limbs and head come to rest; limbs of which a handle asks something keep their shape",
        ),
    )  # fmt: skip
