"""The kinds of effectors, in the order in which the window lists them. A new kind is added here, and nowhere else."""

from __future__ import annotations

from typing import TypeVar

from solver.effectors.basic_kinds import LookAt, Position, Rotation
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kind import Kind
from solver.errors import UnknownName

__all__ = [
    "FACING",
    "GAZE",
    "LookAt",
    "Position",
    "Rotation",
    "forget",
    "kind_of",
    "kinds",
    "network_kinds",
    "register",
    "type_of",
]
_types: dict[str, type[Effector]] = {each.kind: each for each in (Position, Rotation, LookAt, Contact)}
GAZE = LookAt  # the effector on a head that a face seen in a photo gives
FACING = LookAt  # what has a patch of skin face a surface without holding it there
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
