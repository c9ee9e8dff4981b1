"""A kind of effector that the program does not have: what a hand grips is at an offset from the wrist."""

from __future__ import annotations

from solver.effectors.forms import PointEffector
from solver.effectors.kind import Kind, Unit


class Grip(PointEffector):
    """A point 12 cm from the joint, in the joint's frame, shall be at a place."""

    spec = Kind(
        id="grip",
        title="Grip",
        verb="Grip",
        unit=Unit.METRES,
        met=1e-3,
        loosest=0.3,
        pin_weight=3e7,
        pin_force=5e3,
        firm_weight=1e6,
        firm_force=400.0,
        weight_decades=7.0,
        handle="ball",
        offset=(0.12, 0.02, 0.0),
    )
