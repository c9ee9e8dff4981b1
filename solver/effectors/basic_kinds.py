"""The kinds of effectors that networks read: where a joint is, how it is turned, where an axis of it points."""

from __future__ import annotations

from math import radians

from solver.effectors.forms import AimEffector, PointEffector, TurnEffector
from solver.effectors.kind import Kind, Unit
from solver.rig.roles import Role


class Position(PointEffector):
    """Asks that the joint be at a place."""

    spec = Kind(
        id="position",
        title="Position",
        verb="Move",
        unit=Unit.METRES,
        met=1e-3,
        loosest=0.3,
        pin_weight=3e7,
        pin_force=5e3,
        firm_weight=1e6,
        firm_force=400.0,
        weight_decades=7.0,
        handle="ball",
        network=0,
        figure="effector_mm",
        figure_title="effector mm",
        recovered_on=None,
    )


class Rotation(TurnEffector):
    """Asks that the joint be turned in a certain way."""

    spec = Kind(
        id="rotation",
        title="Rotation",
        verb="Rotate",
        unit=Unit.RADIANS,
        met=radians(0.5),
        loosest=radians(60),
        pin_weight=1e7,
        pin_force=2e3,
        firm_weight=3e4,
        firm_force=20.0,
        weight_decades=6.0,
        handle="ring",
        network=1,
        figure="effector_deg",
        figure_title="rotation °",
        recovered_on=None,
    )


class LookAt(AimEffector):
    """Asks that an axis of the joint, such as the line of sight, point at a place."""

    spec = Kind(
        id="lookat",
        title="Look-at",
        verb="Look at",
        unit=Unit.RADIANS,
        met=radians(0.5),
        loosest=radians(60),
        pin_weight=1e7,
        pin_force=2e3,
        firm_weight=3e4,
        firm_force=20.0,
        weight_decades=6.0,
        handle="target",
        network=2,
        figure="lookat_deg",
        figure_title="look-at °",
        recovered_on=(Role.HEAD,),
    )
