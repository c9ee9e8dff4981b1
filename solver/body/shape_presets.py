"""Bodies by name: variants of the embedded body, and shapes as far as its ten components reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, origin_of


@dataclass(frozen=True)
class ShapePreset:
    """note: what it is, and what it is not. betas: pairs of a component's name and its standard deviations.

    body: id of the embedded body or of its variant that it belongs to; of any other body only the mean shape is taken.
    """

    name: str
    note: str
    betas: tuple[tuple[str, float], ...] = ()
    body: str = DEFAULT_BODY

    def body_for(self, id: str) -> str | None:
        """The body that a person of body `id` gets; None if the preset does not go with that body."""
        if origin_of(id) == DEFAULT_BODY:
            return self.body
        return id if self.body == DEFAULT_BODY else None

    def suits(self, component_names: Sequence[str]) -> bool:
        """Whether a body with these components can take the shape."""
        return {name for name, _ in self.betas} <= set(component_names)

    def shape(self, component_names: Sequence[str], gender: str) -> BodyShape | None:
        """The shape; None for a body whose components are others."""
        if not self.suits(component_names):
            return None
        values = np.zeros(len(component_names), np.float32)
        for name, value in self.betas:
            values[list(component_names).index(name)] = value
        return BodyShape(values, gender)


SHAPE_PRESETS = (
    ShapePreset("Average", "The mean adult"),
    ShapePreset("Child", "About seven years old: a large head, short limbs, a soft belly", body="anny:child"),
    ShapePreset("Teenager", "About thirteen years old, between child and adult", body="anny:youth"),
    ShapePreset("Elder", "An old face, a bent back, less muscle", body="anny:elder"),
    ShapePreset(
        "Strong",
        "Broad shoulders, muscle and chest, a flat belly",
        (("Height", 0.6), ("Weight", 0.5), ("Muscle", 2.8), ("Shoulder width", 2.0), ("Chest", 2.0), ("Belly", -1.0)),
    ),
    ShapePreset(
        "Heavy",
        "Much weight, most of it at the belly and hips",
        (("Weight", 2.8), ("Muscle", -0.4), ("Hip width", 1.0), ("Belly", 1.6)),
    ),
    ShapePreset(
        "Stylised, 8 heads",
        "Eight heads high, as figures are drawn: long legs, a small head",
        (("Height", 1.0), ("Muscle", 1.0), ("Leg length", 1.8), ("Shoulder width", 1.2), ("Belly", -0.8),
         ("Head size", -0.15)),
    ),
    ShapePreset(
        "Stylised, 6 heads",
        "Six heads high: small, with a very large head",
        (("Height", -5.0), ("Leg length", -1.5), ("Arm length", -1.0), ("Head size", 5.0)),
    ),
    ShapePreset("Chibi, 3 heads", "Three heads high: a very large head with large eyes", body="anny:chibi"),
)  # fmt: skip
