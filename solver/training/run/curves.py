"""A run's validation curves as a picture."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

# where they are measured; else the first that are
PANELS = ("mpjpe_mm", "pa_mpjpe_mm", "ge_rad", "effector_mm")
_SIZE = (420, 260)
_MARGIN = (52, 28, 12, 24)  # left, top, right, bottom
_INK, _GRID, _LINE = (40, 44, 52), (222, 224, 228), (30, 102, 200)


def draw_curves(history: list[dict[str, float]], path: Path) -> None:
    """One panel for each of four errors over the minutes of training; a PNG. Nothing is written without a row."""
    if not history:
        return
    picture = Image.new("RGB", (_SIZE[0] * 2, _SIZE[1] * 2), "white")
    draw = ImageDraw.Draw(picture)
    measured = [name for name in history[0] if name not in ("step", "minutes", "loss")]
    panels = PANELS if set(PANELS) <= set(measured) else tuple(measured[: len(PANELS)])
    for number, name in enumerate(panels):
        rows = [(row["minutes"], row[name]) for row in history if name in row]
        _panel(draw, (number % 2 * _SIZE[0], number // 2 * _SIZE[1]), name, rows)
    picture.save(path)


def _panel(draw: ImageDraw.ImageDraw, corner: tuple[int, int], name: str, rows: list[tuple[float, float]]) -> None:
    left, top = corner[0] + _MARGIN[0], corner[1] + _MARGIN[1]
    right, bottom = corner[0] + _SIZE[0] - _MARGIN[2], corner[1] + _SIZE[1] - _MARGIN[3]
    last = max(minute for minute, _ in rows) or 1.0
    low, high = min(v for _, v in rows), max(v for _, v in rows)
    room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    low, high = low - room, high + room
    for tick in range(5):
        y = bottom - (bottom - top) * tick / 4
        draw.line([(left, y), (right, y)], fill=_GRID)
        draw.text((left - 6, y), f"{low + (high - low) * tick / 4:.4g}", fill=_INK, anchor="rm")
    points = [
        (left + (right - left) * minute / last, bottom - (bottom - top) * (value - low) / (high - low))
        for minute, value in rows
    ]
    draw.line(points, fill=_LINE, width=2)
    draw.text((left, top - 8), f"{name}: {rows[-1][1]:.4g}", fill=_INK, anchor="ls")
    draw.text((right, bottom + 6), f"{last:.4g} minutes", fill=_INK, anchor="rt")
