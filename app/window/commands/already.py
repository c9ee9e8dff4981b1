"""What is said where a command found everything as it would have left it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.services.session import Session
from app.services.view_state import moving_people
from app.window.commands.actions import Command
from app.window.commands.why_grey import id_of_kind
from solver.effectors.kind import Kind
from solver.effectors.kinds import kinds

_ON_AN_AXIS = "drag its handle. Meanwhile X, Y or Z keeps it to an axis, and a number says how far"
_ABOUT_AN_AXIS = "drag its rings. A number that you type meanwhile turns it by so many degrees"
_ALIKE = "Left and right are alike there already."


def already_so(command: Command, session: Session) -> str:
    """What to say of a command that changed neither the scene nor the view; "" where there is no need to."""
    text = _TEXTS.get(command.id)
    return text(command, session) if text is not None else ""


def _paste(command: Command, session: Session) -> str:
    """Of a pose: what else is pasted is read in the background."""
    title = command.title_now() if command.title_now is not None else command.title
    return _of_active("is in that pose already")(command, session) if title == command.title else ""


def _of_active(rest: str) -> Callable[[Command, Session], str]:
    return lambda _command, session: f"{session.active.name} {rest}." if session.active is not None else ""


def _on_floor(command: Command, session: Session) -> str:
    document, view = session.document, session.view
    things = document.props if view.prop else moving_people(view, document)
    chosen = [each.name for each in things if not view.prop or each.id in {view.prop, *view.props}]
    return f"{chosen[0]} is on the floor already." if len(chosen) == 1 else "They are on the floor already."


def _says(text: str) -> Callable[[Command, Session], str]:
    return lambda _command, _session: text


def _selected(kind: Kind) -> Callable[[Command, Session], str]:
    """Of a handle that is selected; of a prop, whose gizmo shows, nothing."""
    how = _ABOUT_AN_AXIS if kind.handle == "ring" else _ON_AN_AXIS
    said = f"The {kind.title.lower()} effector is selected already: {how}."
    return lambda _command, session: "" if session.view.prop else said


_TEXTS: Mapping[str, Callable[[Command, Session], str]] = {
    "edit.paste": _paste,
    "edit.paste_flipped": _of_active("is in that pose already"),
    "pose.copy_right": _says("The right side is like the left one already."),
    "pose.copy_left": _says("The left side is like the right one already."),
    "pose.mirror_selected": _says(_ALIKE),
    "pose.strict": _says("What is selected is strict already."),
    "pose.loose": _says("What is selected is loose already."),
    "pose.set_base": _says("This pose is the base pose already."),
    "pose.return": _of_active("is in the base pose already"),
    "pose.settle": _says("Every handle is at its joint already."),
    "pose.floor": _on_floor,
    "time.whole": _says("All frames are played already."),
    "view.undo": _says("There is no earlier view to go back to."),
    "view.redo": _says("There is no later view to go forward to."),
    **{id_of_kind(kind): _selected(kind) for kind in kinds()},
}
