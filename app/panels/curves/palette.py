"""The colours of curves, for the dark and the light theme."""

from __future__ import annotations

from app.look.theme import Theme

AXES = {"dark": ("#f2777a", "#8fca5e", "#6ea3f8"), "light": ("#c73a43", "#4b8a1f", "#2f66d0")}  # like those of gizmos
FEET = {"dark": ("#5fb3f5", "#f0a35e"), "light": ("#1f74c4", "#b8620f")}


def colors(theme: Theme, lines: int) -> tuple[str, ...]:
    """So many colours: one is the accent, two are a left and a right one, three are those of the axes."""
    return {1: (theme.accent,), 2: FEET[theme.id], 3: AXES[theme.id]}[lines]
