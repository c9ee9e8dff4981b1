"""The commands about what is selected: going from person to person and handle to handle, hands, bodies, names."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from app.document import edits
from app.document.model.finger_curve import hands_move
from app.document.posing.fingertips import body_follows
from app.panels.all_panels import AllPanels
from app.services.session import Session
from app.services.view_state import selected_prop, selecting_everybody
from app.viewport.session_view import SessionView
from app.window.commands.actions import Command

TOP = 48  # pixels from the top of the view to the list of bodies


def people_commands(session: Session, view: SessionView, panels: AllPanels) -> tuple[Command, ...]:
    """Going from person to person, to their hands, bodies and names. Keys of the view scroll in a list."""
    viewport = view.viewport

    def select(step: int) -> None:
        ids = [character.id for character in session.document.characters]
        if session.view.character in ids:
            session.select(ids[(ids.index(session.view.character) + step) % len(ids)])
            view.go_along()

    def select_everybody() -> None:
        session.set_view(**selecting_everybody(session.view, session.document))

    def select_effector(step: int) -> None:
        active = session.active
        ids = [effector.id for effector in active.effectors] if active is not None else []
        if ids:
            chosen = [i for i, id in enumerate(ids) if id in session.view.effectors]
            at = (chosen[-1 if step > 0 else 0] + step) % len(ids) if chosen else (0 if step > 0 else -1)
            session.select(session.view.character, [ids[at]])

    def apply_hands() -> None:
        active = session.active
        if active is not None:
            edit = edits.hold_hands_throughout(active.id)
            session.edit("Apply hands to all frames", edit, solve=body_follows(active))

    def choose_body() -> None:
        panels.body.ask_preset(viewport.mapToGlobal(QPoint(viewport.width() // 2, TOP)), "Body presets")

    def rename_title() -> str:
        named = selected_prop(session.document, session.view) or session.active
        return f"Rename {named.name}" if named is not None else "Rename"

    moving = lambda: session.active is not None and hands_move(session.active.clip)  # noqa: E731
    has_some = lambda: session.active is not None and bool(session.active.effectors)  # noqa: E731
    several = lambda: len(session.document.characters) > 1  # noqa: E731
    return (
        Command("edit.select_people", "Select everybody", select_everybody, ("Ctrl+Shift+A",), enabled=several,
                tip="Select everybody: they move together; Shift-click a body or a name to add one person"),
        Command("edit.next_person", "Select next person", lambda: select(1), ("PgDown",), enabled=several,
                within=viewport),
        Command("edit.previous_person", "Select previous person", lambda: select(-1), ("PgUp",), enabled=several,
                within=viewport),
        Command("edit.next_effector", "Select next effector", lambda: select_effector(1), ("Alt+Down",),
                enabled=has_some),
        Command("edit.previous_effector", "Select previous effector", lambda: select_effector(-1), ("Alt+Up",),
                enabled=has_some),
        Command("edit.rename", "Rename", panels.rename, ("F2",),
                enabled=lambda: session.active is not None or bool(session.view.prop), title_now=rename_title,
                tip="Rename: type a new name for the selected prop or the active person"),
        Command("pose.hands", "Hands", panels.show_hands, enabled=lambda: session.active is not None),
        Command("pose.hands_throughout", "Apply hands to all frames", apply_hands, enabled=moving,
                tip="Apply hands to all frames: from beginning to end as at the frame you are at"),
        Command("body.presets", "Body presets…", choose_body,
                enabled=lambda: session.active is not None and bool(edits.presets_for(session.active)),
                tip="Body presets: a body by name, such as child, elder, strong or heavy"),
    )  # fmt: skip
