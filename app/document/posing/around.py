"""What is around a character that its body may not pass through: other people, and props."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.document.model.document import Character, Document
from app.document.model.prop import Prop
from solver.body.catalog import load_body
from solver.effectors.resolve import tied_to
from solver.effectors.sources import PropSource
from solver.ik.options import SOLID_BODY
from solver.kinematics.fk import forward_kinematics

if TYPE_CHECKING:
    from solver.contact.obstacles import Obstacles
    from solver.contact.solid_body import SolidBody


@dataclass(frozen=True)
class Around:
    """What stands around somebody, as it is at one moment."""

    people: tuple[Character, ...] = ()
    props: tuple[Prop, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.people or self.props)


def solids_around(document: Document, character: Character) -> Around:
    """What the character may not pass through; nothing where its body is not solid.

    Those whom it is tied to and props that it is held on do not count: they are to meet. Nor does what is hidden.
    """
    if not SOLID_BODY.of(character.solver_options):
        return Around()
    tied = tied_to(character.effectors)
    people = tuple(
        other
        for other in document.characters
        if other.id != character.id
        and other.visible
        and other.id not in tied
        and character.id not in tied_to(other.effectors)
    )
    held_on = {e.source.prop for e in character.effectors if isinstance(e.source, PropSource) and e.asks}
    return Around(people, tuple(prop for prop in document.props if prop.visible and prop.id not in held_on))


def all_around(document: Document, characters: Iterable[Character]) -> Mapping[str, Around]:
    """What stands around each of these characters, by id; those around whom nothing counts are left out."""
    found = {character.id: solids_around(document, character) for character in characters}
    return {id: around for id, around in found.items() if around}


def asks_alike(one: Character, other: Character) -> bool:
    """Whether the same is asked of a character in two states; a target that its source puts elsewhere is the same."""
    mine, theirs = ([e for e in each.effectors if e.asks] for each in (one, other))
    return len(mine) == len(theirs) and all(
        a == b or (a.source is not None and type(a) is type(b) and a.aimed_as(b) == b)
        for a, b in zip(mine, theirs, strict=True)
    )


def same_around(before: Document, now: Document, character: Character) -> bool:
    """Whether all that a character touches, is tied to or may not pass through is as it was before."""
    if before is now:
        return True
    tied = tied_to(character.effectors) - {character.id}
    there = [{c.id: (c.pose, c.shape, c.body) for c in each.characters if c.id in tied} for each in (before, now)]
    touches = any(isinstance(e.source, PropSource) and e.asks for e in character.effectors)
    return (
        there[0] == there[1]
        and (before.props == now.props or not touches)
        and solids_around(before, character) == solids_around(now, character)
    )


def obstacles_of(character: Character, around: Around | None = None) -> Obstacles | None:
    """What the character's body may not pass through, itself included; None where it is not solid."""
    if not SOLID_BODY.of(character.solver_options):
        return None
    from solver.contact.obstacles import among, around_of, itself

    alone = itself(balls_of(character))
    if not around:
        return alone
    others = [
        part
        for other in around.people
        for part in around_of(
            balls_of(other), forward_kinematics(load_body(other.body).skeleton(other.shape), other.pose)
        )
    ]
    return among(alone, [solid for prop in around.props for solid in prop.solids()], others)


def balls_of(character: Character) -> SolidBody:
    """The balls that fill the character's body, in its shape and with its hands."""
    from solver.contact.solid_body import solid_body

    return solid_body(load_body(character.body), character.shape, character.hands)
