"""Edits of several people at once, as of one group. Each function returns an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.character import Character
from app.document.model.combine import chain, on_character
from app.document.model.history import Edit
from app.document.posing.placing import brought, carried, place_of, tipped
from solver.kinematics.rigid_motion import RigidMotion


def middle_of(people: Sequence[Character]) -> NDArray[np.float64]:
    """(3,) metres, the point of the floor in the middle of where people stand."""
    x, z = np.mean([place_of(person) for person in people], axis=0)
    return np.array([x, 0.0, z])


def place_together(starts: Sequence[Character], shift: ArrayLike, angle: float, whole: bool | None = None) -> Edit:
    """Put whole people where a drag has brought them: turned as one group by radians about the vertical through their
    middle, then moved by (3,) metres, all from where they stood at the start. whole: as for `placing.brought`."""
    by, centre = np.asarray(shift, dtype=np.float64), middle_of(starts)
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])

    def placed(start: Character) -> Edit:
        arm = np.array([place_of(start)[0], 0.0, place_of(start)[1]]) - centre
        way = by + turn @ arm - arm if len(starts) > 1 else by
        return _from(start, lambda: brought(start, way, angle, whole))

    return chain(*map(placed, starts))


def tip_over(starts: Sequence[Character], rotation: ArrayLike) -> Edit:
    """Tip whole people by (3, 3), each about the floor below their pelvis, all from how they were at the start.

    They come to rest as high above the floor as they were before."""
    turn = np.asarray(rotation, np.float64)
    still = np.allclose(turn, np.eye(3), atol=1e-9)

    def placed(start: Character) -> Edit:
        return _from(start, lambda: start if still else tipped(start, turn))

    return chain(*map(placed, starts))


def carry_person(start: Character, way: RigidMotion, whole: bool) -> Edit:
    """Put a whole person where somebody carries them who goes that way, from how they were at the start. whole: at all
    frames, or at this one alone."""
    return _from(start, lambda: carried(start, way, whole))


def move_characters(ids: Iterable[str], shift: ArrayLike) -> Edit:
    """Move whole people by (3,) metres, their targets too; who is animated by keys alone, at their frame."""
    return chain(*(on_character(id, lambda c: brought(c, shift)) for id in ids))


def _from(start: Character, placed: Callable[[], Character]) -> Edit:
    """Put somebody where they are placed from how they were at the start, but named and shown as they are now: they may
    have been renamed while the edit was put off."""

    def change(now: Character) -> Character:
        there = placed()
        return replace(
            there, name=now.name, color=now.color, visible=now.visible, locked=now.locked,
            solver=now.solver, solver_options=now.solver_options,
        )  # fmt: skip

    return on_character(start.id, change)
