"""People who look at whoever looks at the picture."""

from __future__ import annotations

from numpy.typing import ArrayLike

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.posing.fitting_effectors import new_effectors
from app.services.session import Session
from app.services.view_state import selected_people
from app.window.commands.actions import Command
from rendering.view.viewport import Viewport
from solver.effectors.form_ids import AIM
from solver.effectors.kinds import kinds
from solver.rig.rig import rig_of
from solver.rig.roles import Role


def gaze_commands(session: Session, viewport: Viewport) -> tuple[Command, ...]:
    """The table."""

    def run() -> None:
        eye, people = viewport.final_view.camera.eye, selected_people(session.view, session.document)
        whole = edits.chain(*(looking_at(person, eye) for person in people))
        session.edit("Look at the camera", whole, solve=True)

    return (
        Command(
            "pose.look_camera", "Look at the camera", run, enabled=lambda: session.active is not None,
            tip="Look at the camera: heads and eyes of all who are selected turn to where you look from now; they stay "
                "so when you look from elsewhere",
        ),
    )  # fmt: skip


def looking_at(person: Character, place: ArrayLike) -> Edit:
    """The edit that has a person's head look at a place, (3,) metres: by the look that it has, or by a new one."""
    head = rig_of(skeleton_of(person)).name(Role.HEAD)
    look = next((e for e in person.effectors if e.form == AIM and e.joint == head), None)
    if look is not None:
        on = edits.set_enabled(person.id, look.id, True)
        return edits.chain(on, edits.set_target(person.id, look.id, place))
    aims = next(kind.id for kind in kinds() if kind.handle == "target")
    (added,) = new_effectors(person, aims, [head])
    return edits.chain(edits.add_effector(person.id, added), edits.set_target(person.id, added.id, place))
