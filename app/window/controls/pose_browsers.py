"""What the user picks poses from: variations, the comparison of solvers and the library, imported when first opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.posing.solving import can_have_other, has_active_effectors
from app.services.background.jobs import Jobs
from app.services.session import Session
from app.services.settings import SettingsStore
from app.window.commands.actions import Command
from rendering.view.viewport import Viewport

if TYPE_CHECKING:
    from app.library.control import LibraryControl
    from app.window.controls.comparison_control import ComparisonControl
    from app.window.controls.gallery_control import VariationsControl


class PoseBrowsers(QObject):
    """Poses side by side to choose from: variations, and what every solver makes of the same handles.

    say(text): for the status bar, about the last step. searching: poses are looked for that fit the frame shown.
    """

    searching = Signal()

    def __init__(
        self, session: Session, jobs: Jobs, settings: SettingsStore, viewport: Viewport, say: Callable[[str], None]
    ) -> None:
        super().__init__(viewport)
        self._parts, self._say = (session, jobs, settings, viewport), say

    @cached_property
    def variations(self) -> VariationsControl:
        """Other poses for the same handles."""
        from app.window.controls.gallery_control import VariationsControl

        variations = VariationsControl(*self._parts)
        variations.searching.connect(self.searching)
        return variations

    @cached_property
    def comparison(self) -> ComparisonControl:
        """What every solver makes of the same handles."""
        from app.window.controls.comparison_control import ComparisonControl

        comparison = ComparisonControl(*self._parts)
        comparison.searching.connect(self.searching)
        return comparison

    @cached_property
    def library(self) -> LibraryControl:
        """Poses to take, and the user's own."""
        from app.library.control import LibraryControl

        viewport = self._parts[-1]
        library = LibraryControl(*self._parts)
        library.said.connect(self._say)
        library.retracted.connect(viewport.window().status.notices.retract)  # type: ignore[attr-defined]
        return library

    def commands(self) -> tuple[Command, ...]:
        """What menus, keys and the command search offer."""
        session = self._parts[0]
        has = lambda: session.active is not None  # noqa: E731
        return (
            Command(
                "pose.variations", "Variations…", self.open_variations, ("V",),
                enabled=lambda: can_have_other(session.active),
                tip="Variations: a gallery of other poses that meet the same effectors",
            ),
            Command(
                "pose.compare", "Compare solvers…", self.open_comparison, ("Shift+V",),
                enabled=lambda: has_active_effectors(session.active),
                tip="Compare solvers: what each of them makes of the same effectors, to look at side by side",
            ),
            Command(
                "pose.library", "Library of poses", self.toggle_library, ("Shift+P",), "library",
                checked=self.library_is_open,
                tip="Library of poses: apply one whole or in part, flipped or part of the way; save your own",
            ),
            Command("pose.library_next", "Next pose of the library", self.next_pose, ("]",), enabled=has),
            Command("pose.library_previous", "Previous pose of the library", self.previous_pose, ("[",),
                    enabled=has),
            Command(
                "pose.library_save", "Save pose to library…", self.save_pose, ("Ctrl+Shift+P",),
                enabled=has, tip="Save pose to library: the active person's, with a picture, a name and tags",
            ),
        )  # fmt: skip

    def library_is_open(self) -> bool:
        """Whether the panel of poses shows."""
        return "library" in self.__dict__ and self.library.is_open

    def card_of(self, file: Path) -> Callable[[], None] | None:
        """What poses the active person by the card of a file, while the library shows it; None for other files."""
        if not self.library_is_open():
            return None
        entry = next((each for each in self.library.shelf.entries if each.path.absolute() == file.absolute()), None)
        return partial(self.library.take_named, entry) if entry is not None and not entry.trouble else None

    def toggle_library(self) -> None:
        """Show the panel of poses, or put it away."""
        if self.library_is_open():
            self.library.close()
        else:
            self.library.open()

    def open_library(self) -> None:
        """Show the panel of poses."""
        if not self.library_is_open():
            self.library.open()

    def next_pose(self) -> None:
        """Apply the next of the poses that the library shows."""
        self.library.step(1)

    def previous_pose(self) -> None:
        """Apply the previous of the poses that the library shows."""
        self.library.step(-1)

    def save_pose(self) -> None:
        """Save the active person's pose to the library."""
        self.library.own.save()

    def open_variations(self) -> None:
        """Show variations of the active character."""
        self.variations.open()

    def open_comparison(self) -> None:
        """Show what every solver makes of the active character's handles."""
        self.comparison.open()

    def close(self) -> None:
        """Close whatever is open."""
        for name in ("variations", "comparison"):
            if name in self.__dict__:  # it has been opened
                getattr(self, name).close()
        if "library" in self.__dict__:
            self.library.pictures.close()
