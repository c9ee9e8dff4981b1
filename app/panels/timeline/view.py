"""What drags, keys and menus need of the timeline that they work on."""

from __future__ import annotations

from typing import Protocol

from app.panels.timeline.chosen_keys import ChosenKeys
from app.panels.timeline.marks import Marks
from app.panels.timeline.scale import Scale
from app.services.clock import Clock
from app.services.playing import Player


class View(Protocol):
    """A timeline. scale: which frames are in sight; setting it shows others."""

    scale: Scale
    player: Player
    chosen: ChosenKeys
    marks: Marks
    clock: Clock

    @property
    def held(self) -> bool:
        """Whether the pointer is held on it."""
        ...

    def let_go(self) -> bool:
        """Take a drag back that is under way; whether there was one."""
        ...

    def switch_contact(self, number: int) -> None:
        """Hold a planted foot, by its number among the contacts, or let it go."""
        ...

    def bar_changed(self) -> None:
        """Another bar of a planted foot is chosen, or none."""
        ...

    def ask_number(self) -> None:
        """Let a frame's number be typed."""
        ...

    def switch_way(self) -> None:
        """Have the frames between keys solved, or go by the joints alone, whichever they do not."""
        ...

    def peek(self) -> None:
        """Show the motion before the edit alone, until the key is let go of."""
        ...

    def show_all(self) -> None:
        """Bring all frames in sight."""
        ...

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Come closer by a factor, about a place or the frame looked at."""
        ...
