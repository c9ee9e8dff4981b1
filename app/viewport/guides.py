"""Lines through the scene: the axes that a drag keeps to, and the middle of a person posed symmetrically."""

from __future__ import annotations

import numpy as np

from app.document.model.document import Character
from app.document.posing.mirroring import heading
from app.services.view_state import ViewState
from rendering.scene.values import Guide

ABOVE_FLOOR = 0.004  # metres, so that the floor does not cut into the line


def guides_of(active: Character | None, view: ViewState) -> tuple[Guide, ...]:
    """The lines to show."""
    axes = tuple(Guide(axis, np.array(through), np.array(along)) for axis, through, along in view.held_axes)
    if active is None or not active.visible or not (view.symmetry and view.handles):
        return axes
    return (*axes, middle_line(active))


def middle_line(character: Character) -> Guide:
    """On the floor, from back to front through where the character stands."""
    x, _, z = (float(value) for value in character.pose.root_position)
    angle = heading(character.pose.rotations[0])
    return Guide("", np.array([x, ABOVE_FLOOR, z]), np.array([np.sin(angle), 0.0, np.cos(angle)]))
