"""Adding people where the user clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.commands.actions import Command
from app.window.commands.posing_commands import PosingCommands
from rendering.view.viewport import Viewport

if TYPE_CHECKING:
    from app.viewport.overlays.place_mark import PlaceMark


def place_commands(posing: PosingCommands, viewport: Viewport) -> tuple[Command, ...]:
    """The table."""
    made: list[PlaceMark] = []

    def ask() -> None:
        """Wait for a click on the floor; called again, stop waiting."""
        if not made:
            from app.viewport.overlays.place_mark import PlaceMark  # only once it is asked for
            from app.viewport.prop_place import floor_under

            made.append(PlaceMark(viewport, floor_under))
            made[0].placed.connect(lambda x, z: posing.add_person((x, z)))
            made[0].ended.connect(posing.session.changed)
        if made[0].isVisible():
            made[0].stop()
        else:
            made[0].start()

    return (
        Command(
            "pose.add_here", "Add a person where you click", ask, ("Alt+Shift+A",),
            checked=lambda: bool(made) and made[0].isVisible(),
            tip="Add a person where you click: on the floor, as near as there is room beside people and props; "
                "with Shift several, one after the other",
        ),
    )  # fmt: skip
