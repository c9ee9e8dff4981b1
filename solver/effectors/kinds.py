"""The kinds of effectors, in the order in which the window lists them. A new kind is added here, and nowhere else."""

from __future__ import annotations

from math import radians
from typing import TypeVar

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector, PointEffector, TurnEffector
from solver.effectors.kind import Kind, Unit
from solver.errors import UnknownName
from solver.rig.roles import Role

_types: dict[str, type[Effector]] = {}
T = TypeVar("T", bound=type[Effector])


def register(effector_type: T) -> T:
    """Makes a kind known to the whole program; a decorator. ValueError for an id that is taken."""
    if effector_type.kind in _types:
        raise ValueError(f"there is a kind of effector with the id “{effector_type.kind}” already")
    _types[effector_type.kind] = effector_type
    return effector_type


def forget(id: str) -> None:
    """Removes a registered kind."""
    del _types[id]


def kinds() -> tuple[Kind, ...]:
    """The rows of all kinds, in the order in which they were registered."""
    return tuple(each.spec for each in _types.values())


def kind_of(id: str) -> Kind | None:
    """The row of the kind with that id; None for one that this version does not know."""
    found = _types.get(id)
    return found.spec if found else None


def type_of(id: str) -> type[Effector]:
    """The class of the kind with that id; UnknownName lists the kinds."""
    if id not in _types:
        raise UnknownName("kind of effector", id, _types)
    return _types[id]


def network_kinds() -> tuple[str, ...]:
    """The ids of the kinds that networks read, by their numbers in a network's vocabulary."""
    read = [kind for kind in kinds() if kind.network is not None]
    return tuple(kind.id for kind in sorted(read, key=lambda kind: kind.network or 0))


@register
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


@register
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


@register
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


register(Contact)
GAZE = LookAt  # the effector on a head that a face seen in a photo gives
FACING = LookAt  # what has a patch of skin face a surface without holding it there
