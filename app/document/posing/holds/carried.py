"""Who and what people carry: people off the ground who are held in two places, things in a hand or between both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.document.model.document import Character, Document
from app.document.model.prop import Prop
from app.document.posing.dependents import NEAR_M, touches
from app.document.posing.hold_table import PALMS
from app.document.posing.placing import skin_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import FloorSource, PropSource, Tie, is_on_prop

OFF_FLOOR = 0.01  # metres from which a prop counts as lifted
# The cosine between the sides of a prop that two palms are on, below which they hold it between them.
OPPOSITE = -0.5
HOLDS = 2  # contacts between two people, of the one or the other, by which one of them carries the other


def people_carried(document: Document, moving: Sequence[str]) -> tuple[tuple[Character, str], ...]:
    """Whom people carry, at the frames looked at, each with the id of the one who does; never locked ones.

    moving: ids of those who may carry, and who are not in the air themselves.
    """
    found: list[tuple[Character, str]] = []
    for other in document.characters:
        if other.id in moving or other.locked:
            continue
        for person in (document.character(id) for id in moving):
            if _holds(person, other) + _holds(other, person) < HOLDS or not _is_in_the_air(other, document.props):
                continue
            if not _is_in_the_air(person, document.props):
                found.append((other, person.id))
                break
    return tuple(found)


def _holds(person: Character, other: Character) -> int:
    return sum(isinstance(e.source, Tie) and e.source.character == other.id for e in _contacts(person))


def _contacts(person: Character) -> list[Contact]:
    return [e for e in person.effectors if isinstance(e, Contact) and e.is_active]


def _is_in_the_air(person: Character, props: Sequence[Prop]) -> bool:
    if any(isinstance(e.source, FloorSource | PropSource) for e in _contacts(person)):
        return False
    skin = skin_of(person)
    return float(skin[:, 1].min()) >= NEAR_M and not any(touches(skin, prop) for prop in props)


def contacts_on(prop: Prop, effectors: Iterable[Effector]) -> list[Contact]:
    """Those that hold something on a prop."""
    return [e for e in effectors if isinstance(e, Contact) and e.is_active and is_on_prop(e.source, prop.id)]


def is_carried(prop: Prop, held: Sequence[Contact]) -> bool:
    """Whether somebody carries a prop, whose contacts on it are `held`."""
    return any(e.around for e in held) or (_between_palms(held) and _is_lifted(prop))


def _between_palms(held: Sequence[Contact]) -> bool:
    sides = [e.source.normal for e in held if e.patch in PALMS and isinstance(e.source, PropSource)]
    return len(sides) == len(PALMS) and float(sides[0] @ sides[1]) < OPPOSITE


def _is_lifted(prop: Prop) -> bool:
    return float(prop.corners[:, 1].min()) > OFF_FLOOR
