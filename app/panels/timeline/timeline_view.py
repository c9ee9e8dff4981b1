"""The interface of the timeline as its drags, keyboard and menus need it."""

from __future__ import annotations

from typing import Protocol

from app.panels.timeline.key_selection import KeySelection
from app.panels.timeline.marks import Marks
from app.panels.timeline.scale import Scale
from app.services.clock import Clock
from app.services.player import Player


class TimelineView(Protocol):
    """A timeline. scale: the frames in sight; setting it shows others."""

    scale: Scale
    player: Player
    chosen: KeySelection
    marks: Marks
    clock: Clock

    @property
    def held(self) -> bool:
        """Whether a button is held down on it."""
        ...

    def cancel_drag(self) -> bool:
        """Cancel a drag under way; return whether there was one."""
        ...

    def switch_contact(self, number: int) -> None:
        """Hold a planted foot, by its number among the contacts, or let it go."""
        ...

    def bar_changed(self) -> None:
        """Note that another bar of a planted foot is chosen, or none."""
        ...

    def ask_number(self) -> None:
        """Let the user type a frame's number."""
        ...

    def switch_in_betweens(self) -> None:
        """Switch the frames between keys from being solved to going by the joints alone, or back."""
        ...

    def show_all(self) -> None:
        """Bring all frames into sight."""
        ...

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Zoom in by a factor, about a place or the frame looked at."""
        ...
