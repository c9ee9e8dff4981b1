"""The root handle stands out from the floor in every theme."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.model.identity import COLORS
from rendering.items.root_handle import paint_of
from rendering.scene.theme import DARK, LIGHT, Theme, rgb
from rendering.scene.values import RootHandle


def distance_from_floor(root: RootHandle, theme: Theme) -> float:
    """How far the ring's colour, laid over the floor, is from the floor's."""
    color, alpha, _ = paint_of(root, "turn", theme)
    return alpha * float(np.linalg.norm(np.subtract(color, rgb(theme.floor))))


def luminance(color: np.ndarray) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = np.where(color <= 0.03928, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("color", COLORS)
def test_a_root_ring_at_rest_has_as_much_contrast_on_a_light_floor_as_on_a_dark_one(theme: Theme, color: str) -> None:
    own, alpha, _ = paint_of(RootHandle(np.zeros(3), 0.0, color, None, None, False), "turn", theme)
    floor = np.array(rgb(theme.floor))
    darker, lighter = sorted(map(luminance, (floor, alpha * np.array(own) + (1 - alpha) * floor)))
    assert (lighter + 0.05) / (darker + 0.05) > 1.7


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("color", COLORS)
def test_a_root_ring_under_the_pointer_stands_out_more_than_at_rest(theme: Theme, color: str) -> None:
    place = np.zeros(3)
    rest, hovered, dragged = (
        distance_from_floor(RootHandle(place, 0.0, color, over, held, False), theme)
        for over, held in ((None, None), ("turn", None), ("turn", "turn"))
    )
    assert hovered > 1.5 * rest
    assert dragged > 1.5 * rest


def test_lines_on_the_floor_have_no_dark_edge_on_a_light_floor() -> None:
    for theme in (DARK, LIGHT):
        light = np.mean(rgb(theme.floor)) > 0.5
        assert (np.mean(rgb(theme.floor_edge)) > 0.5) == light
        assert (np.mean(rgb(theme.floor_lit)) > 0.5) != light
