"""The galleries of the window, loaded when they are first opened: it starts without them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from app.services.jobs import Jobs
from app.services.session import Session
from app.services.settings import SettingsStore
from rendering.view.viewport import Viewport

if TYPE_CHECKING:
    from app.window.comparison_control import ComparisonControl
    from app.window.gallery_control import VariationsControl


class Galleries:
    """Poses side by side to choose from: variations, and what every solver makes of the same handles."""

    def __init__(self, session: Session, jobs: Jobs, settings: SettingsStore, viewport: Viewport) -> None:
        self._parts = (session, jobs, settings, viewport)

    @cached_property
    def variations(self) -> VariationsControl:
        """Other poses for the same handles."""
        from app.window.gallery_control import VariationsControl

        return VariationsControl(*self._parts)

    @cached_property
    def comparison(self) -> ComparisonControl:
        """What every solver makes of the same handles."""
        from app.window.comparison_control import ComparisonControl

        return ComparisonControl(*self._parts)

    def open_variations(self) -> None:
        """Show variations of the active character."""
        self.variations.open()

    def open_comparison(self) -> None:
        """Show what every solver makes of the active character's handles."""
        self.comparison.open()

    def close(self) -> None:
        """Close whatever is open."""
        for name in ("variations", "comparison"):
            if name in self.__dict__:  # it was opened once
                getattr(self, name).close()
