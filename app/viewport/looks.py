"""How people look and are lit, as set in the settings."""

from __future__ import annotations

from app.services.settings import Settings
from app.viewport.scene_builder import Look
from rendering.scene.style import Style


def look_of(values: Settings) -> Look:
    """Skin, suit, look and lights of the settings."""
    return Look(values.skin_tone, values.suit_color, style_of(values))


def style_of(values: Settings) -> Style:
    """Look and lights of the settings."""
    return Style(values.look, values.light_setup).aimed(values.key_turn, values.key_height)
