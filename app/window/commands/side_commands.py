"""The commands of left and right: symmetric posing, copying one side to the other, mirroring selected parts."""

from __future__ import annotations

from collections.abc import Callable

from app.document import edits
from app.document.model.history import Edit
from app.services.session import MOMENT_S, Session
from app.window.commands.actions import Command


def side_commands(session: Session) -> tuple[Command, ...]:
    """The table."""

    def chosen() -> set[str]:
        return {e.joint for e in session.selected_effectors} | session.view.joints

    def put(text: str, edit: Edit, joints: frozenset[str]) -> None:
        """Do the edit; what it puts into a solid floor comes out of it, and all else stays."""
        from app.document.posing.sides import out_of_floor

        session.settle(MOMENT_S)
        hold = out_of_floor(edit(session.document).character(session.view.character), joints)
        session.edit(text, edit, solve=hold is not None, hold=hold)

    def copy(side: str) -> Callable[[], None]:
        def run() -> None:
            from app.document.posing.sides import limb_joints  # not needed to show the window

            active = session.active
            if active is not None:
                joints = limb_joints(active, chosen(), side)
                put(f"Copy to the {side}", edits.copy_side(active.id, joints), joints)

        return run

    def mirror() -> None:
        from app.document.posing.sides import part_joints

        active = session.active
        if active is not None and chosen():
            joints = part_joints(active, chosen())
            put("Mirror selected", edits.mirror_joints(active.id, joints), joints)

    has = lambda: session.active is not None  # noqa: E731
    what = "the limbs of what is selected, or arms and legs where nothing is; handles and fingers too"
    return (
        Command(
            "pose.symmetry", "Symmetric posing", lambda: session.set_view(symmetry=not session.view.symmetry),
            ("Shift+M",), enabled=has, checked=lambda: session.view.symmetry,
            tip="Symmetric posing: what you do to a handle of one side happens on the other as well, in the same step",
        ),
        Command("pose.copy_right", "Copy left to right", copy("right"), ("Alt+Shift+R",), enabled=has,
                tip=f"Copy left to right: {what}"),
        Command("pose.copy_left", "Copy right to left", copy("left"), ("Alt+Shift+L",), enabled=has,
                tip=f"Copy right to left: {what}"),
        Command("pose.mirror_selected", "Mirror selected", mirror, ("Alt+M",),
                enabled=lambda: has() and bool(chosen()),
                tip="Mirror selected: exchange left and right in the selected parts of the body alone"),
    )  # fmt: skip
