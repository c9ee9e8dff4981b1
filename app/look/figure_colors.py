"""The colours of people until the settings say otherwise."""

from __future__ import annotations

SKIN_TONE = "#d9a98b"
SUIT_COLOR = "#4a5568"
