"""Bodies by name, for the embedded body, as far as its ten components reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.body.body import BodyShape


@dataclass(frozen=True)
class ShapePreset:
    """note: what it is, and what it is not. betas: pairs of a component's name and its standard deviations.

    gender: of the body it is made for, "" for any.
    """

    name: str
    note: str
    betas: tuple[tuple[str, float], ...] = ()
    gender: str = ""

    def shape(self, component_names: Sequence[str], gender: str) -> BodyShape | None:
        """The shape; None for a body whose components are others."""
        if not {name for name, _ in self.betas} <= set(component_names):
            return None
        values = np.zeros(len(component_names), np.float32)
        for name, value in self.betas:
            values[list(component_names).index(name)] = value
        return BodyShape(values, self.gender or gender)


SHAPE_PRESETS = (
    ShapePreset("Average", "The mean adult"),
    ShapePreset(
        "Child",
        "About eleven years old, on the flat-chested male body; the face stays adult. Smaller ones are out of reach",
        (("Height", -5.0), ("Weight", -0.6), ("Muscle", -0.5), ("Shoulder width", -1.5), ("Hip width", -0.5),
         ("Leg length", -0.5), ("Head size", 2.0)),
        gender="male",
    ),
    ShapePreset(
        "Elder",
        "Shorter, narrower shoulders, less muscle, more belly. The face stays; stooping is a pose",
        (("Height", -0.9), ("Muscle", -2.2), ("Shoulder width", -1.0), ("Chest", -0.8), ("Belly", 1.5)),
    ),
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
        "Six heads high: small, with a very large head. Chibi, two or three heads high, is out of reach",
        (("Height", -5.0), ("Leg length", -1.5), ("Arm length", -1.0), ("Head size", 5.0)),
    ),
)  # fmt: skip
